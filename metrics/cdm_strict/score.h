/* The score of two formulas: elements paired, their places checked, the pairs counted. */
#pragma once

#include "metrics/cdm_strict/formula.h"

/** Counts in quarters (metrics/cdm_strict/align.h), and the score. */
typedef struct {
    guint weight;                 /**< of the pairs that count */
    guint n_ref, n_hyp;           /**< elements; each can weigh TG_STRICT_WEIGHT_SAME */
    double f1, precision, recall; /**< 0 where a side has no element */
    gboolean exact;               /**< every element has its partner */
} TgStrictScore;

/**
 * Score @hyp against @ref. F1 is the same to the last bit when the sides change places.
 *
 * @partner: (out) for each element of @ref its partner in @hyp, or TG_STRICT_ALONE
 * @counts: (out) whether that pair is in place; as many
 */
TgStrictScore tg_strict_score(const TgStrictFormula *ref, const TgStrictFormula *hyp,
                              gboolean any_style, guint32 *partner, gboolean *counts);
