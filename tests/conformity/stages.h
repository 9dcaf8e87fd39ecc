/* The stages of CDM that are compared with the official program, each by itself. */
#pragma once

#include <glib.h>

#include "tests/conformity/cdm_reference.h"

/** Our results for one pair of the reference. */
typedef struct {
    const CdmReferencePair *official;
    TgCdmFormula *ref, *hyp;
    TgCdmScore score;
} ConformityPair;

/**
 * Compare one stage with the official program and print a table by kind and every disagreement
 * with its cause.
 *
 * @pairs: (element-type ConformityPair)
 * @setter: for further formulas
 *
 * Returns: whether the stage reaches the share that is asked of it
 */
typedef gboolean (*ConformityStage)(const GPtrArray *pairs, TgLayout *setter);

/** Whether the official program drew both sides. */
gboolean conformity_both_drawn(const CdmReferencePair *pair);

/** Whether the elements with ink are the same, and the largest difference of an edge in pixels. */
gboolean conformity_same_ink(const TgCdmFormula *formula, const CdmReferenceSide *official,
                             double *largest);

/** Boxes of elements, edge by edge. */
gboolean conformity_boxes(const GPtrArray *pairs, TgLayout *setter);

/** The metric as it stands. */
gboolean conformity_cdm(const GPtrArray *pairs, TgLayout *setter);

/** The specification's scored pairs. */
gboolean conformity_vectors(const GPtrArray *pairs, TgLayout *setter);

/** Every dialect, and small pairs of one construct each, against the scores of its program. */
gboolean conformity_dialects(const GPtrArray *pairs, TgLayout *setter);

/** Pearson's coefficient of @n pairs of values. */
double conformity_pearson(const double *x, const double *y, guint n);

/** cdm-strict: other spellings of one drawing score 1, whichever side comes first. */
gboolean conformity_strict(const GPtrArray *pairs, TgLayout *setter);
