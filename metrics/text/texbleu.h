/* TeXBLEU inside, for its tests: equations (1) and (2) of the paper and their variants. */
#pragma once

#include <texgauge/env.h>

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

/** Marks the side that has no token in a column. */
#define TG_TEXBLEU_NONE (-1)

/** Two paired tokens, or one that has no partner. */
typedef struct {
    gint32 ref; /**< index into the reference's tokens, or TG_TEXBLEU_NONE */
    gint32 hyp;
} TgTexbleuColumn;

/** Pairs of sequences whose lengths multiply to more than this are not aligned. */
#define TG_TEXBLEU_MAX_CELLS ((gsize) 1 << 25)

/**
 * The alignment of least cost that keeps the order of both sides: a pair costs the distance of its
 * tokens without the positional term, a token without a partner costs @gap. Of equal ones, the one
 * that pairs rather than leaves out, then leaves out the reference's token, seen from the end.
 *
 * @n: (out) number of columns
 *
 * Returns: (transfer none) the columns from left to right, in memory of @env; NULL with @error set
 * to TG_ERROR_DATA when the texts are too long together
 */
const TgTexbleuColumn *tg_texbleu_align(TgEnv *env, const TgTexbleuRule *rule,
                                        const TgEmbedding *tokens, const guint32 *ref, guint n_ref,
                                        const guint32 *hyp, guint n_hyp, double gap, guint *n,
                                        GError **error);

typedef enum {
    TG_TEXBLEU_SPACING_PAPER, /**< a space before every command (`\\` is one), runs of white space
                                   become one space, none at the ends */
    TG_TEXBLEU_SPACING_REPO,  /**< a space before every backslash that does not follow a space in
                                   the text as given, also at its start; nothing is squeezed */
} TgTexbleuSpacing;

/** Longest result for @len bytes. */
#define TG_TEXBLEU_SPACED_MAX(len) (2 * (gsize) (len) + 1)

/** Write @text with its spaces to @out; returns the length. */
gsize tg_texbleu_space(TgTexbleuSpacing spacing, const char *text, gsize len, char *out);
