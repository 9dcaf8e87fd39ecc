/* The score of two formulas: elements paired, their places checked, the pairs counted. */
#pragma once

#include "metrics/cdm_strict/formula.h"

/** Counts in quarters (metrics/cdm_strict/align.h), and what they make. */
typedef struct {
    guint worth;                  /**< of the pairs that count */
    guint n_gt, n_pred;           /**< elements; each could be worth TG_STRICT_WORTH_SAME */
    double f1, precision, recall; /**< 0 where a side has no element */
    gboolean exact;               /**< every element has its partner */
} TgStrictScore;

/**
 * Score @pred against @gt. F1 is the same to the last bit when the sides change places.
 *
 * @partner: (out) for each element of @gt its partner in @pred, or TG_STRICT_ALONE
 * @counts: (out) whether that pair is in place; as many
 */
TgStrictScore tg_strict_score(const TgStrictFormula *gt, const TgStrictFormula *pred,
                              gboolean any_style, guint32 *partner, gboolean *counts);
