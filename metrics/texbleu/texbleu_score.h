/* TeXBLEU from token distances: equations (1) and (2) of the paper and their variants. */
#pragma once

#include "tokenizer/subword/embedding.h"

/** The longest n-grams. */
#define TG_TEXBLEU_MAX_ORDER 4

/** How far two places are apart. */
typedef enum {
    TG_POSITION_L1,   /**< sum of |p1 - p2| over the dimensions of the position vectors (paper) */
    TG_POSITION_MEAN, /**< their mean (repository) */
} TgPositionDistance;

typedef struct {
    guint order;
    TgPositionDistance position;
    double position_scale; /**< the distance of two places is multiplied by this */
    double floor;          /**< a similarity below counts as this; 0: the score becomes 0 */
    gboolean keep_orders;  /**< an order without n-grams has similarity 0, instead of none */
} TgTexbleuRule;

/** A token at its place. */
typedef struct {
    guint32 id;
    guint32 place;
} TgPlacedToken;

/**
 * Equation (1): (cosDist(e1, e2)^alpha + tanh(beta |p1 - p2|)) / 2 with alpha = 2, beta = 0.1.
 *
 * @positions: may be NULL for tokens at one place; a place beyond its last row counts as the last
 */
double tg_texbleu_distance(const TgTexbleuRule *rule, const TgEmbedding *tokens,
                           const TgEmbedding *positions, TgPlacedToken a, TgPlacedToken b);

/**
 * Equation (2) from the distances of @n paired tokens: for each order n the similarity
 * 1 - sum over n-grams and their tokens of d / (L_n n), then their geometric mean.
 *
 * Without tokens on both sides (@n = 0) the score is 0: the caller knows whether both are empty.
 * Orders longer than @n are left out, or see @keep_orders.
 *
 * @similarities: (out) rule->order numbers; NaN for an order left out
 *
 * Source: Jung et al. (2024), TeXBLEU: Automatic Metric for Evaluate LaTeX Format
 * (arXiv:2409.06639).
 */
double tg_texbleu_score(const TgTexbleuRule *rule, const double *distances, guint n,
                        double *similarities);
