/*
 * Statistics over arrays of numbers, NaN for what is undefined: correlation, agreement, bootstrap,
 * tests. Each function names its source: a paper, or the function that gives the same number.
 */
#pragma once

#include <texgauge/types.h>

/* ---- special functions and means ---- */

/**
 * P(Z <= @z) for a standard normal Z. Relative error below 1e-14 where the result is above 1e-300
 * (as good as the C library's erfc).
 */
double tg_special_normal_cdf(double z);

/**
 * The z with P(Z <= z) = @p; -inf for 0, +inf for 1, NaN outside [0, 1]. Relative error below
 * 1e-15 or so. Source: Wichura (1988), Algorithm AS 241 (PPND16), Applied Statistics 37(3).
 */
double tg_special_normal_quantile(double p);

/**
 * The regularised incomplete beta function I_x(a, b), DLMF 8.17.2.
 *
 * @a, @b: positive
 * @x: in [0, 1]
 * @y: 1 - @x, which callers often know better than the subtraction gives it
 *
 * Returns: the value, in [0, 1]; NaN for arguments outside. The smaller of it and its complement
 * has relative error below 1e-12 for a and b from 0.5 to 1e6, while it is above 1e-290.
 * Source: continued fraction of Didonato and Morris (1992), Algorithm 708, ACM TOMS 18(3), eq. 9,
 * by the method of Lentz; its factor after Loader (2000), Fast and Accurate Computation of Binomial
 * Probabilities, which does not lose digits as a difference of log-gammas does.
 */
double tg_special_beta(double a, double b, double x, double y);

/** P(|T| >= |@t|) for Student's t with @df > 0 degrees of freedom; NaN if @t is. */
double tg_special_student_two_sided(double t, double df);

/**
 * The t with P(|T| <= t) = @level for Student's t with @df > 0 degrees of freedom, by bisection to
 * 12 digits; NaN for a level outside [0, 1).
 */
double tg_special_student_quantile(double level, double df);

/** P(T >= @t) for Student's t with @df > 0 degrees of freedom; NaN if @t is. */
double tg_special_student_upper(double t, double df);

double tg_stats_mean(const double *values, gsize n);

/** The sum of squared differences from the mean: half of that over all ordered pairs, by @n. */
double tg_stats_squared_deviations(const double *values, gsize n);

/* ---- a series with its ranks ---- */

/** A series; constant once made, so any thread may read it. */
typedef struct {
    guint n;          /**< items */
    guint n_distinct; /**< different values among them */
    guint32 *rank;    /**< [n] dense rank of each item, 0 for the smallest value */
    double *value;    /**< [n_distinct] the values, ascending */
} TgRanked;

/** Rank @n finite @values; they are copied. O(n log n). (transfer full) */
TgRanked *tg_ranked_new(const double *values, guint n);
void tg_ranked_free(TgRanked *series);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRanked, tg_ranked_free)

/**
 * Mid-ranks, from 1, of a resample: equal values share the mean of the ranks they take up.
 *
 * @rows: [n] items by index, repeats allowed; NULL for items 0 to n - 1
 * @out: [n] ranks in the order of @rows
 */
void tg_ranked_mid_ranks(const TgRanked *series, const guint32 *rows, guint n, double *out);

/** The dense rank of the @i-th item of a resample. */
static inline guint32 tg_ranked_rank(const TgRanked *series, const guint32 *rows, guint i)
{
    return series->rank[rows != NULL ? rows[i] : i];
}

/** The value of the @i-th item of a resample. */
static inline double tg_ranked_value(const TgRanked *series, const guint32 *rows, guint i)
{
    return series->value[tg_ranked_rank(series, rows, i)];
}

/* ---- pairs of items ---- */

/** All n(n - 1)/2 pairs of items, sorted by what both sides say about them. */
typedef struct {
    guint64 concordant;  /**< both prefer the same item */
    guint64 discordant;  /**< they prefer different ones */
    guint64 human_ties;  /**< tied by the human only */
    guint64 metric_ties; /**< tied by the metric only */
    guint64 both_ties;   /**< tied by both */
} TgPairCounts;

/**
 * Count the pairs of a resample. The metric ties two items when its values differ by @epsilon or
 * less (as doubles), the human when they are equal. O(n log n) time, O(n) memory.
 *
 * @metric, @human: series of the same items
 * @rows, @n: the resample, as in tg_ranked_mid_ranks()
 * @epsilon: 0 or more
 */
void tg_stats_pair_counts(const TgRanked *metric, const TgRanked *human, const guint32 *rows,
                          guint n, double epsilon, TgPairCounts *out);

/**
 * Pairwise accuracy acc_eq: the share of pairs where the metric is right, ties included; NaN
 * without pairs. Source: Deutsch, Foster, Freitag (2023), Ties Matter: Meta-Evaluating Modern
 * Metrics with Pairwise Accuracy and Tie Calibration, EMNLP.
 */
double tg_stats_acc_eq(const TgPairCounts *counts);

/** tau_23 of the same paper, 2 acc_eq - 1: right pairs less wrong ones, in [-1, 1]. */
double tg_stats_tau23(const TgPairCounts *counts);

enum { TG_MAX_CALIBRATED = 1 << 21 }; /* pairs of items: all those of 2,048 */

/**
 * Tie calibration: of 0 and the differences between two values of the metric the smallest threshold
 * with the highest acc_eq, over all pairs of items, or over TG_MAX_CALIBRATED pairs drawn where
 * there are more. NaN for fewer than two items or when the metric's values lie further apart than a
 * double can say. Source: as tg_stats_acc_eq().
 */
double tg_stats_calibrate_ties(const TgRanked *metric, const TgRanked *human);

/* ---- correlation ---- */

typedef enum {
    TG_PEARSON,
    TG_SPEARMAN,
    TG_KENDALL, /**< tau-b */
} TgCorrelationKind;

enum { TG_N_CORRELATIONS = 3 };

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

/** The same of two arrays [n], over the items where neither is NaN; @n_both: (out) how many these
 * are, or NULL */
double tg_stats_correlate(TgCorrelationKind kind, const double *x, const double *y, guint n,
                          guint *n_both);

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
 * Kendall: exact where there are no ties and n <= 33, or at most one pair is against the order (or
 * all but one); else the normal approximation with the variance for ties and without continuity
 * correction. Source: Kendall (1970), Rank Correlation Methods, 4th ed. All three agree with
 * SciPy 1.10's pearsonr, spearmanr and kendalltau.
 */
double tg_stats_correlation_p(TgCorrelationKind kind, double coefficient, const TgRanked *x,
                              const TgRanked *y);

/** The p-value of Kendall's tau by the normal approximation, whatever n is; NaN where a series is
 * constant. */
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

/* ---- exact p-values of few items ---- */

enum { TG_MAX_PERMUTED = 9 }; /* items: 362,880 orders */

/**
 * Exact two-sided p-value of Spearman's or Kendall's coefficient: the share of the n! orders of @y,
 * each equally likely where there is no association, whose coefficient is at least as far from 0 as
 * the observed one. Ties are no obstacle. Source: Kendall, Gibbons (1990), Rank Correlation
 * Methods, 5th ed., ch. 4.
 *
 * @x, @y: series of the same items, at most TG_MAX_PERMUTED of them
 *
 * Returns: the p-value, or NaN for more items, fewer than 2, or a constant series
 */
double tg_stats_permutation_p(TgCorrelationKind kind, const TgRanked *x, const TgRanked *y);

/* ---- correlations that share a variable ---- */

/** A test of r12 = r13, where 1 is the human and 2, 3 are metrics on the same items. */
typedef struct {
    double statistic;   /**< positive where r12 is higher; NaN where undefined, as are both p */
    double df;          /**< degrees of freedom of t; infinite for a normal statistic */
    double p_two_sided; /**< against r12 = r13 */
    double p_one_sided; /**< against r12 <= r13 */
} TgDependentTest;

/*
 * @r12, @r13: correlation of each metric with the human; @r23: between the metrics; @n: items.
 * Undefined (NaN) for n < 4, for metrics that agree perfectly (r23 = 1), and for three numbers that
 * no data can have.
 */

/**
 * Williams (1959), The Comparison of Regression Variables, JRSS B 21; as Steiger (1980), Tests for
 * Comparing Elements of a Correlation Matrix, Psychological Bulletin 87, eq. 7. For Pearson's r.
 */
void tg_stats_williams(double r12, double r13, double r23, guint n, TgDependentTest *out);

/* ---- agreement of raters ---- */

/** The level of measurement of ratings, which says what their differences mean. */
typedef enum {
    TG_NOMINAL,  /**< equal or not */
    TG_ORDINAL,  /**< how many ratings lie between the two */
    TG_INTERVAL, /**< the square of the difference */
} TgRatingLevel;

/**
 * Krippendorff's alpha = 1 - observed / expected disagreement. O(N log N) for N ratings.
 *
 * @ratings: [n_units][n_raters], NaN where a rater gave none; order within a unit is irrelevant
 * @alpha: (out) 1 for perfect agreement, 0 for chance, below 0 for worse; NaN on error
 *
 * Returns: FALSE with TG_ERROR_DATA: no unit has two ratings, or all those ratings are equal
 *
 * Source: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability. Its ordinal distance is
 * the difference of mid-ranks, so alpha for ordinal data is alpha for intervals of mid-ranks.
 */
gboolean tg_stats_krippendorff(const double *ratings, guint n_units, guint n_raters,
                               TgRatingLevel level, double *alpha, GError **error);

/** The intraclass correlations of Shrout and Fleiss, each NaN where its divisor is 0, and the mean
 * squares that they are made of. */
enum {
    TG_ICC_1_1,    /**< each item has raters of its own; one rating */
    TG_ICC_1_K,    /**< ... the mean of k ratings */
    TG_ICC_2_1,    /**< the raters are a sample, all rate all items; one rating */
    TG_ICC_2_K,    /**< ... the mean of k ratings */
    TG_ICC_3_1,    /**< these raters only; one rating */
    TG_ICC_3_K,    /**< ... the mean of k ratings */
    TG_MS_ROWS,    /**< mean square between items, MSR */
    TG_MS_WITHIN,  /**< within items, MSW */
    TG_MS_COLUMNS, /**< between raters, MSC */
    TG_MS_ERROR,   /**< residual, MSE */
    TG_N_ICC_FIGURES
};

/**
 * All six intraclass correlations.
 *
 * @ratings: [n_items][n_raters] complete
 *
 * Returns: FALSE where they are undefined: fewer than two items or raters, a rating is missing, or
 * all ratings are equal
 *
 * Source: Shrout, Fleiss (1979), Intraclass Correlations, Psychological Bulletin 86.
 */
gboolean tg_stats_icc(const double *ratings, guint n_items, guint n_raters,
                      double out[TG_N_ICC_FIGURES]);

/**
 * Each rater against the mean of the others: what a metric as good as a rater would reach.
 *
 * @ratings: as tg_stats_krippendorff(); items count where this rater and another one rated
 * @out: [n_raters] coefficients, NaN where undefined
 */
void tg_stats_rater_against_rest(TgCorrelationKind kind, const double *ratings, guint n_items,
                                 guint n_raters, double *out);

/* ---- bootstrap ---- */

/**
 * A statistic of a resample.
 *
 * @rows: [n] items by index, repeats allowed; NULL for all items in order
 *
 * Returns: its value, or NaN where it is undefined. Must depend on its arguments alone.
 */
typedef double (*TgStatisticFunc)(const guint32 *rows, guint n, gpointer data);

/** The bootstrap of a statistic. Intervals are [lower, upper]. */
typedef struct {
    double estimate;      /**< of all items */
    double se;            /**< standard deviation of the replicates (divisor B - 1) */
    double percentile[2]; /**< quantiles of the replicates */
    double bca[2];        /**< bias-corrected and accelerated; NaN where a part is undefined */
    double z0;           /**< BCa: median bias in normal units; ties with the estimate count half */
    double acceleration; /**< BCa: skewness of the jackknife / 6; 0 where nothing varies */
    double t[2];         /**< estimate -+ t se; NaN where nothing varies */
    double df;           /**< t: degrees of freedom, after how unequally the items weigh */
    guint n_undefined;   /**< left out: the statistic was NaN */
} TgBootstrap;

/** Draw resample @index of @seed: @n of @n items with replacement. */
void tg_bootstrap_draw(guint64 seed, guint index, guint n, guint32 *rows);

/**
 * Replicates of a statistic.
 *
 * @n: items; more than 0
 * @out: [n_resamples] the statistic of each, NaN where undefined
 *
 * Threads: any; replicate k depends on @seed and k alone.
 */
void tg_bootstrap_replicate(TgStatisticFunc statistic, gpointer data, guint n, guint n_resamples,
                            guint64 seed, double *out);

/**
 * The statistic without one item at a time; of more than 1000 items, without each of 1000 equal
 * parts (item i belongs to part i mod 1000), whose skewness estimates the same acceleration.
 *
 * Returns: (transfer full) [@n_values]
 */
double *tg_bootstrap_jackknife(TgStatisticFunc statistic, gpointer data, guint n, guint *n_values);

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

/** Definitions of a p-value. */
typedef enum {
    TG_TEST_TWO_SIDED, /**< differences at least as large as the observed one count */
    TG_TEST_SACREBLEU, /**< as sacrebleu 2.6.0: only larger ones count, ties do not */
} TgTestRules;

/** "two-sided" or "sacrebleu"; static. */
const char *tg_test_rules_name(TgTestRules rules);

/**
 * Two-sided p-value of the hypothesis that the statistic is 0 (a difference, say): the share of
 * replicates that lie at least |@estimate| from their mean, (count + 1)/(B + 1). Source: the shift
 * method, Noreen (1989), Computer-Intensive Methods for Testing Hypotheses; with TG_TEST_SACREBLEU
 * as sacrebleu 2.6.0 defines the test of Koehn (2004), Statistical Significance Tests for Machine
 * Translation Evaluation, EMNLP, for a difference: of the replicates the absolute values.
 *
 * @replicates: NaN ones are left out
 *
 * Returns: the p-value, or NaN if @estimate is NaN or no replicate is left
 */
double tg_bootstrap_p(double estimate, const double *replicates, guint n_resamples,
                      TgTestRules rules);

/** The ends of the percentile interval of the replicates that are defined; NaN where fewer than two
 * are. @tail: the share beyond each end, such as 0.025 */
void tg_bootstrap_percentile(const double *replicates, guint n_resamples, double tail,
                             double interval[2]);

/** Quantile @q in [0, 1] of @n > 0 numbers in ascending order, interpolated at q(n - 1). */
double tg_stats_quantile(const double *sorted, guint n, double q);

/** Compares two doubles, or structures that begin with one, for qsort(). */
int tg_stats_compare(const void *a, const void *b);

/** The numbers of @values [n] that are not NaN, in their order; @n_defined: (out) how many.
 * (transfer full) */
double *tg_stats_defined(const double *values, guint n, guint *n_defined);

/** Sort ascending; no NaN among them. */
void tg_stats_sort(double *values, guint n);

/* ---- systems on the same pairs ---- */

/** The value of a set of pairs from the sum of its rows; NaN where undefined. */
typedef double (*TgPoolFunc)(const double *sum, gpointer data);

/**
 * A system's additive statistics, from which the score of any selection of pairs is pooled, so
 * that nothing is scored again: BLEU's counts, or {score, 1} for a mean.
 */
typedef struct {
    const double *rows; /**< [n][n_stats], finite */
    guint n;            /**< pairs; the same, in the same order, for systems that are compared */
    guint n_stats;
    TgPoolFunc pool; /**< must not change anything in @data */
    gpointer data;
} TgAdditive;

/** The pooled value of a resample of a TgAdditive; a TgStatisticFunc. */
double tg_additive_statistic(const guint32 *rows, guint n, gpointer additive);

/**
 * The values of several systems on the same resamples, which are drawn once for all of them:
 * resample k is that of tg_bootstrap_draw().
 *
 * @systems: at least one; all with the same n
 * @out: [n_systems][n_resamples] NaN where undefined
 *
 * Threads: any
 */
void tg_additive_replicate(const TgAdditive *systems, guint n_systems, guint n_resamples,
                           guint64 seed, double *out);

/** Mean and half-width as sacrebleu prints them beside a score. */
typedef struct {
    double mean;       /**< of the replicates */
    double half_width; /**< half the distance of the ends of the others */
} TgTrimmedInterval;

/**
 * sacrebleu's interval: floor(B/40) replicates are trimmed from each end. NaN replicates are left
 * out; NaN if none is left. Source: sacrebleu 2.6.0, significance.py, estimate_ci.
 */
void tg_stats_trimmed_interval(const double *replicates, guint n_resamples, TgTrimmedInterval *out);

/**
 * p-value of paired approximate randomization: each trial swaps the outputs of a random half of the
 * pairs; how often do the mixed systems differ as the real ones do, (count + 1)/(trials + 1).
 * Source: Riezler, Maxwell (2005), On Some Pitfalls in Automatic Evaluation, ACL workshop on
 * evaluation measures; with TG_TEST_SACREBLEU as sacrebleu 2.6.0 defines it.
 *
 * With TG_TEST_TWO_SIDED a trial counts that differs at least as much as the systems do, so that
 * ties are no evidence; where few pairs differ (20 for two statistics a pair, 13 for more) all
 * assignments are enumerated and the p-value is exact: the sign-flip test for a mean.
 *
 * @base, @system: same n and n_stats
 * @given: for TG_TEST_SACREBLEU [n_trials][n] 1 where the first mix takes @base's row; NULL to draw
 *   them from @seed
 *
 * Returns: the p-value, or NaN if a score is undefined or every trial's, or, with
 * TG_TEST_TWO_SIDED, if the systems differ in no pair
 *
 * Threads: any; trial k depends on @seed and k alone.
 */
double tg_stats_paired_randomization_p(const TgAdditive *base, const TgAdditive *system,
                                       guint n_trials, const guint8 *given, guint64 seed,
                                       TgTestRules rules);

/** The size of a difference, by the pairs that it is the mean of. */
typedef struct {
    guint n;                /**< pairs where both are defined */
    double mean_difference; /**< of @b - @a; NaN for no pair */
    double d_z;             /**< that over its standard deviation (Cohen's d for paired samples) */
    guint n_higher;         /**< pairs where @b is higher */
    guint n_equal;
    guint n_lower;
    double superiority; /**< share of pairs where @b is higher, equal ones counting half */
} TgEffect;

/**
 * Effect sizes of a paired comparison; d_z is NaN for fewer than 2 pairs or a constant difference.
 * Source: Cohen (1988), Statistical Power Analysis, section 2.3; Grissom, Kim (2012), Effect Sizes
 * for Research, for the probability of superiority.
 *
 * @a, @b: [n] scores of the same pairs, NaN where undefined
 */
void tg_stats_effect(const double *a, const double *b, guint n, TgEffect *out);

/* ---- two systems ---- */

/** Numbers of draws, and the definition of p-values. */
typedef struct {
    guint resamples; /**< of the bootstrap; more than 0 */
    guint trials;    /**< of approximate randomization; more than 0 */
    guint64 seed;    /**< of both */
    TgTestRules rules;
    double level; /**< of the intervals, such as 0.95 */
} TgPairedOptions;

/** The tests of the difference of two systems. */
typedef struct {
    double base, system;                              /**< pooled values; NaN where undefined */
    guint n_differing;                                /**< pairs whose statistics differ */
    TgBootstrap bootstrap;                            /**< of system - base */
    TgTrimmedInterval base_interval, system_interval; /**< as sacrebleu prints them */
    double bootstrap_p; /**< NaN where the systems differ in no pair, but for TG_TEST_SACREBLEU */
    double randomization_p;
} TgPairedTest;

/**
 * Paired bootstrap and paired approximate randomization of two systems with the same pairs. Every
 * number but the counts is NaN where one of the pooled values is.
 */
void tg_stats_paired(const TgAdditive *base, const TgAdditive *system,
                     const TgPairedOptions *options, TgPairedTest *out);

/* ---- many tests at once ---- */

/**
 * Holm's step-down adjustment of one family: the chance of any false finding stays below the level
 * that the adjusted values are compared with. Source: Holm (1979), Scandinavian Journal of
 * Statistics 6.
 *
 * @tests: [n] structs with the p-value at @p_offset, and room for the adjusted one at
 *   @adjusted_offset; NaN (an undefined test) stays NaN and does not count
 */
void tg_stats_adjust(gpointer const *tests, guint n, gsize p_offset, gsize adjusted_offset);

/** The outcome of the tests for one system beside another. */
typedef enum {
    TG_VERDICT_NONE, /**< nothing to compare: a value is undefined */
    TG_VERDICT_NO_DIFFERENCE,
    TG_VERDICT_BETTER,
    TG_VERDICT_WORSE,
} TgVerdict;

/**
 * Better or worse: the adjusted p-value is below @alpha, and the interval, if it is defined,
 * excludes 0. So a verdict never contradicts the interval that is shown with it.
 *
 * @gain: how much better the system is; NaN: undefined
 * @interval: of the gain, or of its negative
 */
TgVerdict tg_stats_verdict(double gain, const double interval[2], double adjusted_p, double alpha);

/** "better", "worse", "no significant difference", "-"; static. */
const char *tg_verdict_name(TgVerdict verdict);

/**
 * Draws that a resampling test needs so that Holm's adjustment over @n_tests of them can fall below
 * @alpha: the smallest p-value is 1/(draws + 1). At least @least; otherwise enough that up to three
 * draws may count against the best test, in whole thousands, at most @most.
 */
guint tg_stats_draws_for(guint n_tests, double alpha, guint least, guint most);
