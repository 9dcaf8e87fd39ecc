#include "tests/support/golden.h"

#include "core/random.h"
#include "eval/stats/stats.h"
#include "metrics/metric.h"

#include <texgauge/registry.h>

enum { BLEU_ORDER = 4, BLEU_STATS = 2 + 2 * BLEU_ORDER };

/* BLEU in percent without smoothing: lengths, matches of each order, n-grams of each order. */
static double pool_bleu(const double *sum, gpointer data)
{
    const double *correct = sum + 2, *total = correct + BLEU_ORDER;
    double logs = 0.0;

    (void) data;
    for (guint k = 0; k < BLEU_ORDER; k++)
        logs += log(correct[k] / total[k]);
    return 100 * exp(MIN(1.0 - sum[1] / sum[0], 0.0) + logs / BLEU_ORDER);
}

static double pool_ratio(const double *sum, gpointer data)
{
    (void) data;
    return 100 * sum[0] / sum[1];
}

static double *read_rows(const json_t *rows, guint n_stats)
{
    const guint n = json_array_size(rows);
    double *stats = g_new(double, n *n_stats);

    for (guint i = 0; i < n * n_stats; i++)
        stats[i] =
            json_number_value(json_array_get(json_array_get(rows, i / n_stats), i % n_stats));
    return stats;
}

static guint32 *read_resamples(const json_t *resamples, guint n)
{
    guint32 *rows = g_new(guint32, json_array_size(resamples) * n);

    for (guint i = 0; i < json_array_size(resamples) * n; i++)
        rows[i] = json_integer_value(json_array_get(json_array_get(resamples, i / n), i % n));
    return rows;
}

/* The scores of a system on given resamples. */
static void score_resamples(const TgAdditive *system, guint n_draws, const guint32 *resamples,
                            double *out)
{
    for (guint k = 0; k < n_draws; k++)
        out[k] =
            tg_additive_statistic(resamples + (gsize) k * system->n, system->n, (gpointer) system);
}

/* sacrebleu's p-value by the scores of the same resamples. */
static double bootstrap_p(double base, double system, const double *base_scores,
                          const double *system_scores, guint n_draws)
{
    g_autofree double *differences = g_new(double, n_draws);

    for (guint k = 0; k < n_draws; k++)
        differences[k] = system_scores[k] - base_scores[k];
    return tg_bootstrap_p(system - base, differences, n_draws, TG_TEST_SACREBLEU);
}

/* Results of sacrebleu: score, and either p-value or null. */
static const json_t *result_of(const json_t *golden, const char *test, const char *metric,
                               const char *system)
{
    const json_t *results = json_object_get(
        json_object_get(json_object_get(json_object_get(golden, "tests"), test), "results"),
        metric);

    for (guint i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);

        if (strcmp(tg_golden_string(result, "system"), system) == 0)
            return result;
    }
    fail_msg("no result of %s", system);
    return NULL;
}

static guint8 *read_masks(const json_t *masks, guint n)
{
    guint8 *bits = g_new(guint8, json_array_size(masks) * n);

    for (guint i = 0; i < json_array_size(masks) * n; i++)
        bits[i] = json_string_value(json_array_get(masks, i / n))[i % n] == '1';
    return bits;
}

static const char *const names[] = { "base", "sys1", "sys2" };

/*
 * Three systems with sacrebleu's own resamples and swaps: p-values agree exactly, scores and
 * intervals within the tolerances. The statistics are freed.
 */
static void check_systems(const json_t *golden, const char *metric, TgAdditive systems[3],
                          double tolerance, double resampled_tolerance)
{
    const json_t *draws = json_object_get(golden, "bs_indices");
    const json_t *swaps = json_object_get(golden, "ar_base_mask");
    const guint n = systems[0].n, n_draws = json_array_size(draws);
    g_autofree guint32 *resamples = read_resamples(draws, n);
    g_autofree guint8 *masks = read_masks(swaps, n);
    double scores[3], *replicates[3];

    for (guint i = 0; i < 3; i++) {
        const json_t *wanted = result_of(golden, "bs", metric, names[i]);
        TgTrimmedInterval interval;

        scores[i] = tg_additive_statistic(NULL, n, &systems[i]);
        replicates[i] = g_new(double, n_draws);
        score_resamples(&systems[i], n_draws, resamples, replicates[i]);
        tg_stats_trimmed_interval(replicates[i], n_draws, &interval);
        tg_assert_near(scores[i], tg_golden_number(wanted, "score"), tolerance);
        tg_assert_near(interval.mean, tg_golden_number(wanted, "mean"), resampled_tolerance);
        tg_assert_near(interval.half_width, tg_golden_number(wanted, "ci_half_width"),
                       resampled_tolerance);
        if (i == 0)
            continue;
        tg_assert_near(bootstrap_p(scores[0], scores[i], replicates[0], replicates[i], n_draws),
                       tg_golden_number(wanted, "p_value"), 0.0);
        tg_assert_near(tg_stats_paired_randomization_p(&systems[0], &systems[i],
                                                       json_array_size(swaps), masks, 0,
                                                       TG_TEST_SACREBLEU),
                       tg_golden_number(result_of(golden, "ar", metric, names[i]), "p_value"), 0.0);
    }
    for (guint i = 0; i < 3; i++) {
        g_free((double *) systems[i].rows);
        g_free(replicates[i]);
    }
}

TEST(test_stats_significance__sacrebleu_with_its_draws)
{
    json_auto_t *golden = tg_golden_shared("reference/text/significance.json");
    const json_t *draws = json_object_get(golden, "bs_indices");
    TgAdditive systems[3];

    for (guint i = 0; i < 3; i++) {
        const json_t *rows =
            json_object_get(json_object_get(golden, "bleu_segment_statistics"), names[i]);
        const guint n = json_array_size(rows);
        guint n_draws;
        g_autofree double *wanted =
            tg_golden_numbers(json_object_get(golden, "bs_scores"), names[i], &n_draws);
        g_autofree guint32 *resamples = read_resamples(draws, n);
        g_autofree double *replicates = g_new(double, n_draws);

        systems[i] = (TgAdditive){ read_rows(rows, BLEU_STATS), n, BLEU_STATS, pool_bleu, NULL };
        score_resamples(&systems[i], n_draws, resamples, replicates);
        for (guint k = 0; k < n_draws; k++)
            tg_assert_near(replicates[k], wanted[k], 1e-12);
    }
    check_systems(golden, "BLEU", systems, 1e-12, 1e-12);
}

/* ---- the same from the texts, through the metrics ---- */

static double pool_metric(const double *sum, gpointer metric)
{
    double values[16];

    assert_true(tg_metric_n_columns(metric) <= G_N_ELEMENTS(values));
    tg_metric_pool(metric, sum, values);
    return 100 * values[0];
}

/* The statistics that @metric leaves for each pair of texts. (transfer full) */
static double *score_all(TgMetric *metric, const json_t *refs, const json_t *hyps)
{
    const guint n = json_array_size(refs), n_stats = metric->n_stats;
    double *rows = g_new(double, (gsize) n *n_stats);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);

    for (guint i = 0; i < n; i++) {
        const char *ref = json_string_value(json_array_get(refs, i));
        const TgPair pair = { NULL, &ref, 1, json_string_value(json_array_get(hyps, i)) };
        guint n_found;

        tg_result_reset(result);
        assert_true(tg_metric_score(metric, env, &pair, result, NULL));
        memcpy(rows + (gsize) i * n_stats, tg_result_stats(result, &n_found),
               n_stats * sizeof *rows);
    }
    return rows;
}

/*
 * Pooled values have 10 significant digits, so scores agree to 1e-8. @tolerance is for the
 * resampled scores: sacrebleu divides chrF's counts in single precision.
 */
static void check_metric(const json_t *golden, const char *spec, const char *name, double tolerance)
{
    const json_t *refs = json_object_get(golden, "refs");
    g_autoptr(TgMetric) metric = tg_metric_new(spec, NULL);
    TgAdditive systems[3];

    for (guint i = 0; i < 3; i++) {
        const json_t *hyps = json_object_get(json_object_get(golden, "systems"), names[i]);

        systems[i] = (TgAdditive){ score_all(metric, refs, hyps), json_array_size(refs),
                                   metric->n_stats, pool_metric, metric };
    }
    check_systems(golden, name, systems, 1e-8, tolerance);
}

TEST(test_stats_significance__sacrebleu_from_the_texts)
{
    json_auto_t *golden = tg_golden_shared("reference/text/significance.json");

    check_metric(golden, "bleu:tokenize=none", "BLEU", 1e-8);
    check_metric(golden, "chrf", "chrF2", 2e-6);
}

TEST(test_stats_significance__small_case_by_plain_loops)
{
    json_auto_t *records = tg_golden_own("stats_significance.json");
    const json_t *record = json_array_get(records, 0),
                 *draws = json_object_get(record, "resamples");
    const guint n = json_array_size(json_object_get(record, "base")),
                n_trials = json_array_size(draws);
    g_autofree double *base_rows = read_rows(json_object_get(record, "base"), 2);
    g_autofree double *system_rows = read_rows(json_object_get(record, "system"), 2);
    g_autofree guint32 *resamples = read_resamples(draws, n);
    g_autofree guint32 *masks = read_resamples(json_object_get(record, "masks"), n);
    g_autofree guint8 *bits = g_new(guint8, n * n_trials);
    g_autofree double *base_scores = g_new(double, n_trials);
    g_autofree double *system_scores = g_new(double, n_trials);
    TgAdditive base = { base_rows, n, 2, pool_ratio, NULL };
    TgAdditive system = { system_rows, n, 2, pool_ratio, NULL };
    const double scores[] = { tg_additive_statistic(NULL, n, &base),
                              tg_additive_statistic(NULL, n, &system) };
    TgTrimmedInterval interval;
    guint n_scores;
    g_autofree double *wanted = tg_golden_numbers(record, "scores", &n_scores);

    for (guint i = 0; i < n * n_trials; i++)
        bits[i] = masks[i];
    tg_assert_near(scores[0], wanted[0], 1e-12);
    tg_assert_near(scores[1], wanted[1], 1e-12);
    score_resamples(&base, n_trials, resamples, base_scores);
    score_resamples(&system, n_trials, resamples, system_scores);
    tg_assert_near(bootstrap_p(scores[0], scores[1], base_scores, system_scores, n_trials),
                   tg_golden_number(record, "bootstrap_p"), 1e-15);
    tg_assert_near(
        tg_stats_paired_randomization_p(&base, &system, n_trials, bits, 0, TG_TEST_SACREBLEU),
        tg_golden_number(record, "randomization_p"), 1e-15);
    tg_stats_trimmed_interval(system_scores, n_trials, &interval);
    tg_assert_near(interval.mean, tg_golden_number(record, "system_mean"), 1e-12);
    tg_assert_near(interval.half_width, tg_golden_number(record, "system_half_width"), 1e-12);
}

static double pool_mean(const double *sum, gpointer data)
{
    (void) data;
    return sum[1] > 0 ? sum[0] / sum[1] : NAN;
}

/* Ten pairs, all better by one: of 2^10 swaps only two are as far apart, and none further. */
TEST(test_stats_significance__randomization_of_a_clear_case)
{
    double a[20], b[20];
    TgAdditive base = { a, 10, 2, pool_mean, NULL }, system = { b, 10, 2, pool_mean, NULL };
    double p;

    for (guint i = 0; i < 10; i++) {
        a[2 * i] = i;
        b[2 * i] = i + 1;
        a[2 * i + 1] = b[2 * i + 1] = 1;
    }
    tg_assert_near(tg_stats_paired_randomization_p(&base, &system, 199, NULL, 1, TG_TEST_SACREBLEU),
                   1.0 / 200, 1e-15);
    tg_assert_near(tg_stats_paired_randomization_p(&base, &system, 199, NULL, 1, TG_TEST_TWO_SIDED),
                   2.0 / 1024, 1e-15);
    b[0] = -5; /* the differences now sum to 4; the same seed gives the same answer */
    p = tg_stats_paired_randomization_p(&base, &system, 2000, NULL, 1, TG_TEST_SACREBLEU);
    assert_true(p > 0.3);
    tg_assert_near(
        tg_stats_paired_randomization_p(&base, &system, 2000, NULL, 1, TG_TEST_SACREBLEU), p, 0.0);
}

/* 150 pairs, some with fractions, some too large for the sums of small whole numbers. */
static void make_pairs(guint64 seed, double *a, double *b)
{
    TgRandom random;

    tg_random_seed(&random, seed, 0);
    for (guint i = 0; i < 150; i++) {
        a[2 * i] = tg_random_below(&random, 8) / 7.0;
        b[2 * i] = tg_random_below(&random, 3) > 0 ? a[2 * i] : tg_random_below(&random, 8) / 7.0;
        a[2 * i + 1] = b[2 * i + 1] = seed == 1 ? 1 : 1e6 + i;
    }
}

/* The same resamples as one by one, to the bit. */
TEST(test_stats_significance__systems_are_resampled_together)
{
    enum { N = 150, DRAWS = 40 };
    double a[2 * N], b[2 * N], together[2 * DRAWS], alone[DRAWS];
    const TgAdditive systems[] = { { a, N, 2, pool_mean, NULL }, { b, N, 2, pool_mean, NULL } };

    for (guint seed = 1; seed <= 2; seed++) {
        make_pairs(seed, a, b);
        tg_additive_replicate(systems, 2, DRAWS, seed, together);
        for (guint i = 0; i < 2; i++) {
            tg_bootstrap_replicate(tg_additive_statistic, (gpointer) &systems[i], N, DRAWS, seed,
                                   alone);
            assert_memory_equal(together + (gsize) i * DRAWS, alone, sizeof alone);
        }
    }
}

/* Trial k swaps the pairs whose bits are 0 in the stream k of the seed: counted by plain loops. */
TEST(test_stats_significance__trials_by_plain_loops)
{
    enum { N = 150, TRIALS = 1500 };
    double a[2 * N], b[2 * N];
    const TgAdditive base = { a, N, 2, pool_mean, NULL }, system = { b, N, 2, pool_mean, NULL };
    guint beyond = 0;

    make_pairs(1, a, b);
    const double observed = fabs(tg_additive_statistic(NULL, N, (gpointer) &base) -
                                 tg_additive_statistic(NULL, N, (gpointer) &system));
    for (guint k = 0; k < TRIALS; k++) {
        double difference = 0;
        TgRandom random;
        guint64 bits = 0;

        tg_random_seed(&random, 5, k);
        for (guint i = 0; i < N; i++, bits >>= 1) {
            if (i % 64 == 0)
                bits = tg_random_next(&random);
            difference += ((bits & 1) != 0 ? 1 : -1) * (a[2 * i] - b[2 * i]) / N;
        }
        beyond += fabs(difference) >= observed - 1e-12;
    }
    assert_true(beyond > 50 && beyond < TRIALS - 50);
    tg_assert_near(
        tg_stats_paired_randomization_p(&base, &system, TRIALS, NULL, 5, TG_TEST_TWO_SIDED),
        (beyond + 1.0) / (TRIALS + 1.0), 1e-15);
}

/* The first @n_better of @n pairs are better by one, the next @n_worse worse, the others equal. */
static double p_of(guint n, guint n_better, guint n_worse, guint n_trials, TgTestRules rules)
{
    g_autofree double *a = g_new(double, 2 * n), *b = g_new(double, 2 * n);
    const TgAdditive base = { a, n, 2, pool_mean, NULL }, system = { b, n, 2, pool_mean, NULL };

    for (guint i = 0; i < n; i++) {
        a[2 * i] = i < n_better ? 0 : 1;
        b[2 * i] = i < n_better ? 1 : i < n_better + n_worse ? 0 : 1;
        a[2 * i + 1] = b[2 * i + 1] = 1;
    }
    return tg_stats_paired_randomization_p(&base, &system, n_trials, NULL, 1, rules);
}

/* Sign-flip tests by hand: the share of the 2^k sign patterns with at least the same sum. */
TEST(test_stats_significance__ties_are_no_evidence)
{
    tg_assert_near(p_of(200, 1, 0, 10000, TG_TEST_TWO_SIDED), 1.0, 1e-15);
    tg_assert_near(p_of(200, 2, 0, 10000, TG_TEST_TWO_SIDED), 0.5, 1e-15);
    tg_assert_near(p_of(200, 3, 0, 10000, TG_TEST_TWO_SIDED), 0.25, 1e-15);
    /* |sum| >= 2 for 6 signs: all but the C(6, 3) = 20 balanced ones */
    tg_assert_near(p_of(200, 4, 2, 10000, TG_TEST_TWO_SIDED), 44.0 / 64, 1e-15);
    tg_assert_near(p_of(200, 3, 3, 10000, TG_TEST_TWO_SIDED), 1.0, 1e-15);
    tg_assert_near(p_of(200, 20, 0, 10, TG_TEST_TWO_SIDED), 2.0 / 1048576, 1e-15);
    assert_true(isnan(p_of(200, 0, 0, 10000, TG_TEST_TWO_SIDED)));
    assert_true(p_of(200, 1, 0, 10000, TG_TEST_SACREBLEU) < 0.001); /* sacrebleu's tie rule */
}

/*
 * Two systems that are equally good, 300 times: each of 100 pairs is right with probability 0.6,
 * and 70 % of the outputs are shared. About one in twenty may have p < .05.
 */
TEST(test_stats_significance__no_difference_is_seldom_significant)
{
    enum { N_RUNS = 300, N = 100, B = 400 };
    guint n_randomization = 0, n_bootstrap = 0;

    for (guint run = 0; run < N_RUNS; run++) {
        double a[2 * N], b[2 * N], replicates[2][B];
        TgAdditive base = { a, N, 2, pool_mean, NULL }, system = { b, N, 2, pool_mean, NULL };
        TgRandom random;

        tg_random_seed(&random, 7, run);
        for (guint i = 0; i < N; i++) {
            a[2 * i] = tg_random_below(&random, 10) < 6;
            b[2 * i] =
                tg_random_below(&random, 10) < 7 ? a[2 * i] : tg_random_below(&random, 10) < 6;
            a[2 * i + 1] = b[2 * i + 1] = 1;
        }
        tg_bootstrap_replicate(tg_additive_statistic, &base, N, B, run, replicates[0]);
        tg_bootstrap_replicate(tg_additive_statistic, &system, N, B, run, replicates[1]);
        for (guint k = 0; k < B; k++)
            replicates[1][k] -= replicates[0][k];
        n_bootstrap += tg_bootstrap_p(tg_additive_statistic(NULL, N, &system) -
                                          tg_additive_statistic(NULL, N, &base),
                                      replicates[1], B, TG_TEST_TWO_SIDED) < 0.05;
        n_randomization +=
            tg_stats_paired_randomization_p(&base, &system, B, NULL, run, TG_TEST_TWO_SIDED) < 0.05;
    }
    assert_in_range(n_randomization, 3, 21); /* at most 7 % */
    assert_in_range(n_bootstrap, 6, 24);     /* 2 to 8 % */
}

/* 30 differing pairs are sampled: 20 better, 10 worse; binomial tail P(|X - 15| >= 5), X ~ B(30,
 * .5). */
TEST(test_stats_significance__many_differing_pairs_are_sampled)
{
    tg_assert_near(p_of(200, 20, 10, 20000, TG_TEST_TWO_SIDED), 0.0987, 0.008);
}

TEST(test_stats_significance__undefined_scores)
{
    static const double none[] = { 0, 0, 0, 0 }, some[] = { 0, 0, 1, 1 };
    static const double gaps[] = { NAN, 1, 3 }, numbers[] = { 1, 1, 2 };
    TgAdditive base = { none, 2, 2, pool_mean, NULL }, system = { some, 2, 2, pool_mean, NULL };
    TgTrimmedInterval interval;

    assert_true(
        isnan(tg_stats_paired_randomization_p(&base, &system, 10, NULL, 1, TG_TEST_TWO_SIDED)));
    assert_true(isnan(bootstrap_p(NAN, 1, numbers, numbers, 3)));
    assert_true(isnan(bootstrap_p(1, 1, gaps, numbers, 1)));
    /* differences 0 and 1 around 0.5, observed 0.4 */
    tg_assert_near(bootstrap_p(0, 0.4, numbers, gaps, 3), 2.0 / 3, 1e-15);
    tg_stats_trimmed_interval(gaps, 1, &interval);
    assert_true(isnan(interval.mean) && isnan(interval.half_width));
    tg_stats_trimmed_interval(gaps, 3, &interval);
    tg_assert_near(interval.half_width, 1.0, 1e-15);
}

/* Differences 1 0 3 (one undefined): mean 4/3, deviation sqrt(7/3). */
TEST(test_stats_significance__effect_by_hand)
{
    static const double a[] = { 1, 2, NAN, 0 }, b[] = { 2, 2, 5, 3 };
    TgEffect effect;

    tg_stats_effect(a, b, 4, &effect);
    assert_int_equal(effect.n, 3);
    tg_assert_near(effect.mean_difference, 4.0 / 3, 1e-15);
    tg_assert_near(effect.d_z, 4.0 / 3 / sqrt(7.0 / 3), 1e-12);
    assert_int_equal(effect.n_higher, 2);
    assert_int_equal(effect.n_equal, 1);
    assert_int_equal(effect.n_lower, 0);
    tg_assert_near(effect.superiority, 2.5 / 3, 1e-15);
    tg_stats_effect(a, a, 4, &effect);
    assert_true(isnan(effect.d_z) && effect.mean_difference == 0);
    tg_stats_effect(a + 2, b + 2, 1, &effect);
    assert_int_equal(effect.n, 0);
    assert_true(isnan(effect.mean_difference) && isnan(effect.superiority));
}
