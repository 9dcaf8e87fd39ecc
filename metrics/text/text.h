/* Common parts of the text metrics: three options, and a pair's texts as token sequences; and
 * functions for their tests. */
#pragma once

#include <texgauge/metric.h>

#include "metrics/algorithms/algorithms.h"
#include "tokenizer/subword/subword_model.h"

/** Whether texts are rewritten before they are compared; a part of a metric's instance. */
typedef struct {
    char *normalize; /* belongs to the option table */
    gboolean canonical;
    TgCanonicalRules rules;
} TgTextForm;

/** How texts become tokens; a part of a metric's instance. Its strings belong to the option table.
 */
typedef struct {
    char *tokenize;
    gboolean lowercase;
    TgTextForm form;
    TgTokenizer *tokenizer; /* made by tg_text_input_init() */
} TgTextInput;

/** Entries of an option table; the member's path in @Type is a TgTextForm. */
#define TG_TEXT_OPTION_NORMALIZE(Type, form)                                                       \
    TG_OPTION_STRING(Type, form.normalize, "normalize", "none",                                    \
                     "canonical: rewrite formulas in one spelling first; rules as "                \
                     "canonical+spaces-groups")

/** The member is a gboolean. */
#define TG_TEXT_OPTION_LOWERCASE(Type, member)                                                     \
    TG_OPTION_BOOL(Type, member, "lowercase", "no", "compare in lower case")

/** All three; @input is a TgTextInput, @preset the tokenizer. */
#define TG_TEXT_OPTIONS(Type, input, preset)                                                       \
    TG_OPTION_STRING(                                                                              \
        Type, input.tokenize, "tokenize", preset,                                                  \
        "how a text is tokenized: latex, words (or none), codepoint, char, 13a, alnum, bpe:FILE"), \
        TG_TEXT_OPTION_LOWERCASE(Type, input.lowercase),                                           \
        TG_TEXT_OPTION_NORMALIZE(Type, input.form)

/** Read the option; FALSE with TG_ERROR_USAGE when it says neither none nor canonical. */
gboolean tg_text_form_init(TgTextForm *form, GError **error);

/** The text that is compared: @text, or its canonical form until the env's next pair. */
const char *tg_text_form_apply(const TgTextForm *form, TgEnv *env, const char *text,
                               TgCanonicalSpacing spacing);

/**
 * Read the options and make the tokenizer; FALSE with TG_ERROR_USAGE or TG_ERROR_INPUT.
 *
 * @input: a TgTextInput, or the instance of a metric that begins with one and needs no more
 */
gboolean tg_text_input_init(gpointer input, GError **error);
void tg_text_input_clear(gpointer input);

/** The form of @text that is compared, ready for the input's tokenizer. */
const char *tg_text_input_form(const TgTextInput *input, TgEnv *env, const char *text);

/** A pair as token sequences, in memory of its env. */
typedef struct {
    const TgSequence *refs;
    guint n_refs;
    TgSequence hyp;
} TgPairTokens;

/** Rewrite and tokenize a pair's texts; FALSE with TG_ERROR_DATA when a text is too long. */
gboolean tg_pair_tokenize(TgEnv *env, const TgTextInput *input, const TgPair *pair,
                          TgPairTokens *out, GError **error);

/** The length of the reference that is closest to @n_hyp tokens; on a tie the shorter one, or the
 * one that is listed first (as the R package sacRebleu). */
guint32 tg_closest_length(const TgSequence *refs, guint n_refs, guint32 n_hyp, gboolean first_wins);

/** BLEU's brevity penalty: exp(1 - r/h) for a hypothesis shorter than its reference, else 1; 0 for
 * no hypothesis. */
double tg_brevity_penalty(double n_hyp, double n_ref);

/* ---- TeXBLEU --------------------------------------------------------------------------------- */

/** The longest n-grams. */
#define TG_TEXBLEU_MAX_ORDER 4

/** How far two places are apart. */
typedef enum {
    TG_POSITION_L1,   /**< sum of |p1 - p2| over the dimensions of the position vectors (paper) */
    TG_POSITION_MEAN, /**< their mean (repository) */
} TgPositionDistance;

typedef enum {
    TG_TEXBLEU_SPACING_PAPER, /**< a space before every command (`\\` is one), runs of white space
                                   become one space, none at the ends */
    TG_TEXBLEU_SPACING_REPO,  /**< a space before every backslash that does not follow a space in
                                   the text as given, also at its start; nothing is squeezed */
} TgTexbleuSpacing;

/** A definition of the metric. */
typedef struct {
    TgTexbleuSpacing spacing;
    guint max_tokens; /**< of a text that are used; 0: all */
    guint order;
    TgPositionDistance position;
    double position_scale;  /**< the distance of two places is multiplied by this */
    double floor;           /**< a similarity below counts as this; 0: the score becomes 0 */
    gboolean keep_orders;   /**< an order without n-grams has similarity 0, instead of none */
    gboolean four_decimals; /**< the score is rounded to them */
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

/** Pairs of sequences whose lengths multiply to more than this are not aligned. */
#define TG_TEXBLEU_MAX_CELLS ((gsize) 1 << 25)

/**
 * The alignment of least cost that keeps the order of both sides: a pair costs the distance of its
 * tokens without the positional term, a token without a partner costs @gap. Of equal ones, the one
 * that pairs rather than leaves out, then leaves out the reference's token, seen from the end.
 *
 * @n: (out) number of steps
 *
 * Returns: (transfer none) the steps (TgWeightedStep) from left to right, in memory of @env; NULL
 * with @error set to TG_ERROR_DATA when the texts are too long together
 */
const guint8 *tg_texbleu_align(TgEnv *env, const TgTexbleuRule *rule, const TgEmbedding *tokens,
                               TgSequence ref, TgSequence hyp, double gap, guint *n,
                               GError **error);

/** Longest result for @len bytes. */
#define TG_TEXBLEU_SPACED_MAX(len) (2 * (gsize) (len) + 1)

/** Write @text with its spaces to @out; returns the length. */
gsize tg_texbleu_space(TgTexbleuSpacing spacing, const char *text, gsize len, char *out);

/**
 * The order of the n-grams that a pair of BLEU's is too short for, though the score of many pairs
 * needs them: of such pairs alone it is 0, even if all are right. 0 for all other pairs and
 * metrics.
 *
 * @stats: of the pair
 */
guint tg_bleu_order_beyond(const TgMetricInfo *info, gconstpointer instance, const double *stats);
