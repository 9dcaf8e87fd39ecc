/* How many pairs a study needs: what its intervals and tests would find. */
#pragma once

#include "eval/study/study.h"

/** Options of a plan. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *const *pairs; /**< numbers of pairs, NULL last; NULL: 50, 100, 200 */
    guint raters;             /**< of each pair; 0: 3 */
    const char *assume;       /**< `r=.8,noise=.65,between=.9`, each of which may be missing:
                                   correlation of a metric with what the pairs are worth; standard
                                   deviation of a rater around that, in standard deviations of it;
                                   correlation of two metrics. NULL: as in the results */
    guint64 seed;
    double level; /**< of the intervals; 0: 0.95 */
} TgPlanOptions;

/**
 * The plan as UTF-8 text that ends in a newline, in the style of @form: for each number of pairs
 * and each metric the correlation to be expected with the mean of the raters, the mean width of its
 * interval by Fisher's z, and the smallest difference from a worse metric that Williams' test finds
 * at 0.05 with a power of 0.8.
 *
 * @table: results with human scores, of whose last group noise and correlations are; may be NULL
 *   where all is assumed
 *
 * By simulation of normal scores: correlations of a sample are drawn as those of a Wishart matrix
 * (Bartlett 1933). The noise comes from Krippendorff's alpha, and correlations are freed of it by
 * Spearman's formula.
 *
 * Returns: (transfer full), or NULL with @error set to
 *   TG_ERROR_USAGE  a number out of range
 *   TG_ERROR_INPUT  the results do not tell the noise or a correlation
 */
char *tg_plan_format(const TgTable *table, const TgPlanOptions *options, const TgGridForm *form,
                     GError **error);
