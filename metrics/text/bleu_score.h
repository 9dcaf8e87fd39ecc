/* BLEU from counts: brevity penalty, smoothed precisions, geometric mean. */
#pragma once

#include <glib.h>

/** The longest n-grams that BLEU counts. */
#define TG_BLEU_MAX_ORDER 8

/** What happens to a precision without matches. */
typedef enum {
    TG_BLEU_SMOOTH_NONE,  /**< sacrebleu: it is 0, and so is the score */
    TG_BLEU_SMOOTH_FLOOR, /**< sacrebleu: the value counts as the missing match */
    TG_BLEU_SMOOTH_ADD_K, /**< sacrebleu: the value is added to both counts from order 2 on */
    TG_BLEU_SMOOTH_EXP,   /**< sacrebleu and mteval: 1/2, 1/4, ... of a match */
    TG_BLEU_SMOOTH_NLTK0, /**< NLTK's methods 0 to 7, after Chen and Cherry (2014) */
    TG_BLEU_SMOOTH_NLTK1,
    TG_BLEU_SMOOTH_NLTK2,
    TG_BLEU_SMOOTH_NLTK3,
    TG_BLEU_SMOOTH_NLTK4,
    TG_BLEU_SMOOTH_NLTK5,
    TG_BLEU_SMOOTH_NLTK6,
    TG_BLEU_SMOOTH_NLTK7,
} TgBleuSmoothing;

typedef struct {
    guint order;
    TgBleuSmoothing smoothing;
    double value;             /**< parameter of the smoothing, where it has one */
    gboolean effective_order; /**< leave out the orders that the hypotheses are too short for */
    gboolean per_sentence;    /**< the R package sacRebleu: see tg_bleu_score() */
    double weights[TG_BLEU_MAX_ORDER];
} TgBleuRule;

/** Sums over pairs; indices are orders from 0. */
typedef struct {
    double hyp_length;
    double ref_length; /**< of the reference closest in length */
    double matches[TG_BLEU_MAX_ORDER];
    double totals[TG_BLEU_MAX_ORDER];
    double too_short[TG_BLEU_MAX_ORDER]; /**< pairs whose hypothesis has no n-gram of the order */
    double unmatched[TG_BLEU_MAX_ORDER]; /**< pairs without a match, those included */
} TgBleuCounts;

/** How many orders the counts must hold: NLTK's methods 5 and 7 look at 5-grams always. */
guint tg_bleu_counted_orders(const TgBleuRule *rule);

/** exp(1 - r/h) for hypotheses shorter than their references, else 1; 0 for no hypothesis. */
double tg_bleu_brevity_penalty(const TgBleuCounts *counts);

/**
 * The score, where 1 is best (NLTK's methods 5 to 7 can exceed it); NaN where NLTK's method 6 is
 * not defined: with matching tokens, but without matching triples of them.
 *
 * Sources: Papineni et al. (2002); sacrebleu 2 (Post 2018) for the first four ways of smoothing;
 * nltk.translate.bleu_score 3.8 for the rest. NLTK's corpus_bleu takes the 5-gram precision
 * (methods 5, 7) and the number of n-grams (method 6) from the last sentence alone; here both come
 * from all pairs.
 *
 * With @per_sentence, as sacRebleu 0.2 (R): a pair counts at least one n-gram of every order;
 * "floor" adds its value for every pair without a match; "add-k" adds to every order, the first
 * included; without any match the score is 0 only where smoothing leaves a precision at 0.
 */
double tg_bleu_score(const TgBleuRule *rule, const TgBleuCounts *counts);
