/* Bootstrap: how much would a statistic vary if other items had been drawn? */
#pragma once

#include <glib.h>

/**
 * A statistic of a resample.
 *
 * @rows: [n] items by index, repeats allowed; NULL for all items in order
 *
 * Returns: its value, or NaN where it is undefined. Must depend on its arguments alone.
 */
typedef double (*TgStatisticFunc)(const guint32 *rows, guint n, gpointer data);

/** What a bootstrap says about a statistic. Intervals are [lower, upper]. */
typedef struct {
    double estimate;      /**< of all items */
    double se;            /**< standard deviation of the replicates (divisor B - 1) */
    double percentile[2]; /**< quantiles of the replicates */
    double basic[2];      /**< 2 estimate - the opposite quantile */
    double bca[2];        /**< bias-corrected and accelerated; NaN where a part is undefined */
    double z0;           /**< BCa: median bias in normal units; ties with the estimate count half */
    double acceleration; /**< BCa: skewness of the jackknife / 6; 0 where nothing varies */
    double bca_levels[2]; /**< BCa: which quantiles it took */
    double t[2];          /**< estimate -+ t se; NaN where nothing varies */
    double df;            /**< t: degrees of freedom, after how unequally the items weigh */
    guint n_resamples;    /**< of which the statistic was defined */
    guint n_undefined;    /**< left out: the statistic was NaN */
} TgBootstrap;

/** Draw resample @index of @seed: @n of @n items with replacement. */
void tg_bootstrap_draw(guint64 seed, guint index, guint n, guint32 *rows);

/**
 * Replicates of a statistic.
 *
 * @n: items; more than 0
 * @given: [n_resamples][n] the resamples; NULL to draw them from @seed
 * @out: [n_resamples] the statistic of each, NaN where undefined
 *
 * Threads: any; replicate k depends on @seed and k alone.
 */
void tg_bootstrap_replicate(TgStatisticFunc statistic, gpointer data, guint n, guint n_resamples,
                            const guint32 *given, guint64 seed, double *out);

/** The number of values that tg_bootstrap_jackknife() makes of @n items. */
guint tg_bootstrap_n_jackknife(guint n);

/**
 * The statistic without one item at a time; of more than 1000 items, without each of 1000 equal
 * parts (item i belongs to part i mod 1000), whose skewness estimates the same acceleration.
 *
 * @out: [tg_bootstrap_n_jackknife()]
 */
void tg_bootstrap_jackknife(TgStatisticFunc statistic, gpointer data, guint n, double *out);

/**
 * Intervals from replicates and jackknife. Quantile q interpolates between the sorted replicates at
 * q(B - 1). All NaN where the estimate or all but one replicate are undefined.
 *
 * @replicates: [n_resamples] NaN ones are left out
 * @level: such as 0.95
 *
 * Source: Efron (1987), Better Bootstrap Confidence Intervals, JASA 82; as SciPy's bootstrap() but
 * for ties with the estimate, which count half.
 *
 * The t interval is for statistics that few items decide, where the others are too short (see
 * ./dev check calibrate). Its degrees of freedom are Satterthwaite's for the variance that the
 * jackknife's deviations u give, 2 / (sum u^4 / (sum u^2)^2 - 1/n), as in Bell, McCaffrey (2002),
 * Bias Reduction in Standard Errors, Survey Methodology 28; but 2.6 instead of 2, at most n - 1:
 * with 2, it covers up to 99 % instead of 95 %.
 */
void tg_bootstrap_intervals(double estimate, const double *replicates, guint n_resamples,
                            const double *jackknife, guint n_jackknife, double level,
                            TgBootstrap *out);

/**
 * Two-sided p-value of the hypothesis that the statistic is 0 (a difference, say): the share of
 * replicates that lie at least |@estimate| from their mean, (count + 1)/(B + 1). Source: the shift
 * method, Noreen (1989), Computer-Intensive Methods for Testing Hypotheses.
 *
 * @replicates: NaN ones are left out; NaN if none is left
 */
double tg_bootstrap_p(double estimate, const double *replicates, guint n_resamples);

/** Quantile @q in [0, 1] of @n > 0 numbers in ascending order, interpolated at q(n - 1). */
double tg_stats_quantile(const double *sorted, guint n, double q);

/** Sort ascending; no NaN among them. */
void tg_stats_sort(double *values, guint n);
