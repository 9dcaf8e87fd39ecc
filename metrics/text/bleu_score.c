/* BLEU from counts: brevity penalty, smoothed precisions, geometric mean. */
#include "metrics/text/bleu_score.h"

#include <float.h>
#include <math.h>

guint tg_bleu_counted_orders(const TgBleuRule *rule)
{
    if (rule->smoothing == TG_BLEU_SMOOTH_NLTK5 || rule->smoothing == TG_BLEU_SMOOTH_NLTK7)
        return MAX(rule->order, 5);
    return rule->order;
}

double tg_bleu_brevity_penalty(const TgBleuCounts *counts)
{
    if (counts->hyp_length >= counts->ref_length)
        return 1;
    return counts->hyp_length > 0 ? exp(1 - counts->ref_length / counts->hyp_length) : 0;
}

/* ---- sacrebleu ---- */

/* Fills the precisions of the orders that the hypotheses have; returns how many. */
static guint sacrebleu_precisions(const TgBleuRule *rule, const TgBleuCounts *counts,
                                  double *precision)
{
    double divisor = 1;
    guint n;

    for (n = 0; n < rule->order; n++) {
        const double added = rule->smoothing == TG_BLEU_SMOOTH_ADD_K && n > 0 ? rule->value : 0;
        const double matches = counts->matches[n] + added, total = counts->totals[n] + added;

        if (total == 0)
            break;
        precision[n] = matches / total;
        if (matches == 0 && rule->smoothing == TG_BLEU_SMOOTH_EXP)
            precision[n] = 1 / ((divisor *= 2) * total);
        else if (matches == 0 && rule->smoothing == TG_BLEU_SMOOTH_FLOOR)
            precision[n] = rule->value / total;
    }
    return n;
}

static double sacrebleu_score(const TgBleuRule *rule, const TgBleuCounts *counts)
{
    double precision[TG_BLEU_MAX_ORDER] = { 0 }, sum = 0;
    const guint n_present = sacrebleu_precisions(rule, counts, precision);
    const guint order = rule->effective_order ? n_present : rule->order;

    for (guint n = 0; n < order; n++) {
        const double weight = rule->effective_order ? 1.0 / order : rule->weights[n];

        if (weight == 0)
            continue;
        if (precision[n] == 0)
            return 0;
        sum += weight * log(precision[n]);
    }
    return tg_bleu_brevity_penalty(counts) * exp(sum);
}

/* ---- NLTK ---- */

/* NLTK counts one n-gram, unmatched, in a hypothesis that has none. */
static double nltk_total(const TgBleuCounts *counts, guint n)
{
    return counts->totals[n] + counts->too_short[n];
}

/* Methods 0 to 4 change one precision at a time; @n_zero counts those without matches so far. */
static double nltk_precision(const TgBleuRule *rule, const TgBleuCounts *counts, guint n,
                             guint *n_zero)
{
    const double matches = counts->matches[n], total = nltk_total(counts, n);

    if (rule->smoothing == TG_BLEU_SMOOTH_NLTK2 && n > 0)
        return (matches + 1) / (total + 1);
    if (matches > 0)
        return matches / total;

    switch (rule->smoothing) {
    case TG_BLEU_SMOOTH_NLTK0:
        return DBL_MIN;
    case TG_BLEU_SMOOTH_NLTK1:
        return rule->value / total;
    case TG_BLEU_SMOOTH_NLTK3:
        return 1 / (ldexp(1, (int) ++*n_zero) * total);
    case TG_BLEU_SMOOTH_NLTK4:
    case TG_BLEU_SMOOTH_NLTK7:
        if (counts->hyp_length > 1)
            return log(counts->hyp_length) / (ldexp(1, (int) ++*n_zero) * rule->value) / total;
        return 0;
    default:
        return 0;
    }
}

/* Method 5: the mean of the smoothed precision before, this one, and the next. */
static void nltk_average(const TgBleuCounts *counts, guint order, double *precision)
{
    double before = precision[0] + 1;

    for (guint n = 0; n < order; n++) {
        const double next =
            n + 1 < order ? precision[n + 1] : counts->matches[4] / nltk_total(counts, 4);
        before = precision[n] = (before + precision[n] + next) / 3;
    }
}

/* Method 6: from order 3 on, @alpha n-grams matched at the rate that the orders before suggest. */
static void nltk_interpolate(const TgBleuCounts *counts, guint order, double alpha,
                             double *precision)
{
    for (guint n = 2; n < order; n++) {
        const double prior =
            precision[n - 2] > 0 ? precision[n - 1] * precision[n - 1] / precision[n - 2] : 0;
        precision[n] = (counts->matches[n] + alpha * prior) / (counts->totals[n] + alpha);
    }
}

static double nltk_score(const TgBleuRule *rule, const TgBleuCounts *counts)
{
    double precision[TG_BLEU_MAX_ORDER] = { 0 }, sum = 0;
    guint n_zero = 0;

    for (guint n = 0; n < rule->order; n++)
        precision[n] = nltk_precision(rule, counts, n, &n_zero);
    if (rule->smoothing == TG_BLEU_SMOOTH_NLTK5 || rule->smoothing == TG_BLEU_SMOOTH_NLTK7)
        nltk_average(counts, rule->order, precision);
    if (rule->smoothing == TG_BLEU_SMOOTH_NLTK6) {
        if (counts->matches[2] == 0)
            return NAN;
        nltk_interpolate(counts, rule->order, rule->value, precision);
    }
    for (guint n = 0; n < rule->order; n++)
        if (precision[n] > 0)
            sum += rule->weights[n] * log(precision[n]);
    return tg_bleu_brevity_penalty(counts) * exp(sum);
}

/* ---- sacRebleu (R) ---- */

static double r_precision(const TgBleuRule *rule, const TgBleuCounts *counts, guint n)
{
    double matches = counts->matches[n], total = counts->totals[n] + counts->too_short[n];

    if (rule->smoothing == TG_BLEU_SMOOTH_FLOOR)
        matches += rule->value * counts->unmatched[n];
    if (rule->smoothing == TG_BLEU_SMOOTH_ADD_K) {
        matches += rule->value;
        total += rule->value;
    }
    return total > 0 ? matches / total : 0;
}

static double sacrebleu_r_score(const TgBleuRule *rule, const TgBleuCounts *counts)
{
    double sum = 0;

    if (counts->hyp_length == 0)
        return 0;
    for (guint n = 0; n < rule->order; n++)
        sum += rule->weights[n] > 0 ? rule->weights[n] * log(r_precision(rule, counts, n)) : 0;
    return tg_bleu_brevity_penalty(counts) * exp(sum); /* log 0 makes it 0 */
}

double tg_bleu_score(const TgBleuRule *rule, const TgBleuCounts *counts)
{
    if (rule->per_sentence)
        return sacrebleu_r_score(rule, counts);
    /* The other programs give 0 before any smoothing; longer n-grams cannot match either. */
    if (counts->matches[0] == 0)
        return 0;
    return rule->smoothing < TG_BLEU_SMOOTH_NLTK0 ? sacrebleu_score(rule, counts)
                                                  : nltk_score(rule, counts);
}
