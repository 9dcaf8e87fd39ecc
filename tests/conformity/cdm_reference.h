/* The official program's scores, elements and boxes of real pairs (shared cdm-reference). */
#pragma once

#include "tests/support/cdm_support.h"

/** The official program's result for one formula. */
typedef struct {
    gboolean rendered; /**< at least one element has ink */
    char **tokens;     /**< every element's name, in the list's order; NULL at the end */
    guint n_tokens;
    TgRect *boxes;   /**< of each token; all 0 where it has no ink */
    gboolean *inked; /**< whether it has */
    double width_px, height_px;
} CdmReferenceSide;

/** One pair of dev.jsonl. */
typedef struct {
    char *id, *kind;
    char *ref, *hyp; /**< LaTeX */
    CdmReferenceSide gt_side, pred_side;
    double f1, recall, precision; /**< NaN where the official program leaves the pair out */
} CdmReferencePair;

/** (transfer full) (element-type CdmReferencePair) the pairs, or NULL where the file is absent. */
GPtrArray *cdm_reference_load(void);

/** The inked elements alone, as the matcher takes them; names are borrowed. (transfer full) */
TgCdmFormula *cdm_reference_ink(const CdmReferenceSide *side);
