/* What OmniDocBench 1.6 makes of the pairs of cdm_reference.h (shared cdm-reference). */
#pragma once

#include <glib.h>

/** One side of a pair. */
typedef struct {
    char *latex;     /**< as given to the program */
    char *tokens;    /**< its normaliser's output; NULL where it fell back to raw text */
    char **elements; /**< NULL at the end; NULL where none were recorded */
} CdmOmniDocBenchSide;

/** One pair of dialect-c-dev-tokens.jsonl. */
typedef struct {
    char *id;
    CdmOmniDocBenchSide gt, pred;
    gboolean has_alternative;
    gboolean alternative_won; /**< @pred is what became of the alternative */
} CdmOmniDocBenchPair;

/** (transfer full) (element-type CdmOmniDocBenchPair) the pairs, or NULL where the files are
 * absent. */
GPtrArray *cdm_omnidocbench_load(void);
