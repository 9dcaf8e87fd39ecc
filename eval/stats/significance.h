/* Is one system better than another on the same test set? */
#pragma once

#include <glib.h>

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

/** The pooled value of a resample of a TgAdditive; a TgStatisticFunc for bootstrap.h. */
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

/** Whose definition of a p-value. */
typedef enum {
    TG_TEST_TWO_SIDED, /**< differences at least as large as the observed one count */
    TG_TEST_SACREBLEU, /**< as sacrebleu 2.6.0: only larger ones count, ties do not */
} TgTestRules;

/** "two-sided" or "sacrebleu"; static. */
const char *tg_test_rules_name(TgTestRules rules);

/**
 * p-value of paired bootstrap resampling by sacrebleu's rule: how often the resampled difference
 * lies further from its mean than the observed one from 0, (count + 1)/(B + 1). Source: Koehn
 * (2004), Statistical Significance Tests for Machine Translation Evaluation, EMNLP; as
 * sacrebleu 2.6.0 defines it.
 *
 * @base, @system: the observed scores
 * @base_replicates, @system_replicates: [n_resamples] scores of the same resamples; a resample
 *   where one is NaN is left out
 *
 * Returns: the p-value, or NaN if a score is undefined or no resample is left
 */
double tg_stats_paired_bootstrap_p(double base, double system, const double *base_replicates,
                                   const double *system_replicates, guint n_resamples);

/**
 * p-value of paired approximate randomisation: each trial swaps the outputs of a random half of the
 * pairs; how often do the mixed systems differ as the real ones do, (count + 1)/(trials + 1).
 * Source: Riezler, Maxwell (2005), On Some Pitfalls in Automatic Evaluation, ACL workshop on
 * evaluation measures; with TG_TEST_SACREBLEU as sacrebleu 2.6.0 defines it.
 *
 * With TG_TEST_TWO_SIDED a trial counts that differs at least as much as the systems do, so that
 * ties are no evidence; where few pairs differ (20 for two statistics a pair, 13 for more) all
 * assignments are enumerated and the p-value is exact: the sign-flip test for a mean.
 *
 * @base, @system: same n and n_stats
 * @given: [n_trials][n] 1 where the first mix takes @base's row; NULL to draw them from @seed
 *
 * Returns: the p-value, or NaN if a score is undefined or every trial's, or, with
 * TG_TEST_TWO_SIDED, if the systems differ in no pair
 *
 * Threads: any; trial k depends on @seed and k alone.
 */
double tg_stats_paired_randomization_p(const TgAdditive *base, const TgAdditive *system,
                                       guint n_trials, const guint8 *given, guint64 seed,
                                       TgTestRules rules);

/** How large a difference is, pair by pair. */
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
