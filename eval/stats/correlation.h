/* Correlation of two series: coefficients, p-values, intervals. */
#pragma once

#include "eval/stats/ranked.h"

typedef enum {
    TG_PEARSON,
    TG_SPEARMAN,
    TG_KENDALL, /**< tau-b */
} TgCorrelationKind;

enum { TG_N_CORRELATIONS = 3 };

/** "pearson", "spearman" or "kendall". */
const char *tg_correlation_name(TgCorrelationKind kind);

/**
 * A coefficient of a resample.
 *
 * @x, @y: series of the same items
 * @rows, @n: the resample, as in tg_ranked_mid_ranks(); NULL and x->n for all items
 *
 * Returns: a number in [-1, 1], or NaN where the coefficient is undefined; tg_stats_undefined()
 * says why. Pearson takes O(n), Spearman (Pearson of the mid-ranks) O(n), Kendall (tau-b) O(n log
 * n).
 */
double tg_stats_correlation(TgCorrelationKind kind, const TgRanked *x, const TgRanked *y,
                            const guint32 *rows, guint n);

/**
 * Why no coefficient exists for two series: "fewer than 2 items", "all values of X are equal" ...;
 * NULL when they exist. The text names them as @x_name and @y_name. (transfer full)
 */
char *tg_stats_undefined(const TgRanked *x, const char *x_name, const TgRanked *y,
                         const char *y_name);

/**
 * Two-sided p-value of a coefficient against no association.
 *
 * @coefficient: as tg_stats_correlation() gives it for all items of @x and @y
 *
 * Pearson and Spearman: t = r sqrt((n - 2)/(1 - r^2)) with n - 2 degrees of freedom; NaN for n < 3.
 * Kendall: exact (tg_stats_kendall_is_exact()), else the normal approximation with the variance for
 * ties and without continuity correction. Source: Kendall (1970), Rank Correlation Methods, 4th ed.
 * All three agree with SciPy 1.10's pearsonr, spearmanr and kendalltau.
 */
double tg_stats_correlation_p(TgCorrelationKind kind, double coefficient, const TgRanked *x,
                              const TgRanked *y);

/**
 * Whether Kendall's p-value comes from the exact distribution: no ties, and either n <= 33 or at
 * most one pair against the order (or all but one).
 */
gboolean tg_stats_kendall_is_exact(const TgRanked *x, const TgRanked *y);

/**
 * The p-value of Kendall's tau by the normal approximation, whatever n is; NaN where a series is
 * constant.
 */
double tg_stats_kendall_asymptotic_p(const TgRanked *x, const TgRanked *y);

/**
 * Closed-form interval of a coefficient: Fisher's z with standard error 1/sqrt(n - 3) for Pearson,
 * sqrt((1 + r^2/2)/(n - 3)) for Spearman (Bonett, Wright 2000, Psychometrika 65), and
 * sqrt(0.437/(n - 4)) for Kendall (Fieller, Hartley, Pearson 1957, Biometrika 44).
 *
 * @level: such as 0.95
 * @out: lower and upper end; both NaN for |@coefficient| = 1 or too few items
 */
void tg_stats_correlation_interval(TgCorrelationKind kind, double coefficient, guint n,
                                   double level, double out[2]);
