#include "tests/support/golden.h"

#include "core/random.h"
#include "eval/stats/stats.h"

#include <stdlib.h>

static guint64 count(const json_t *counts, const char *key)
{
    return (guint64) tg_golden_number(counts, key);
}

static void assert_counts(const TgRanked *metric, const TgRanked *human, double epsilon,
                          const json_t *wanted)
{
    TgPairCounts counts;

    tg_stats_pair_counts(metric, human, NULL, metric->n, epsilon, &counts);
    assert_int_equal(counts.concordant, count(wanted, "C"));
    assert_int_equal(counts.discordant, count(wanted, "D"));
    assert_int_equal(counts.human_ties, count(wanted, "Th"));
    assert_int_equal(counts.metric_ties, count(wanted, "Tm"));
    assert_int_equal(counts.both_ties, count(wanted, "Thm"));
}

static void check_pairwise(const double *metric, const double *human, guint n, const json_t *wanted)
{
    g_autoptr(TgRanked) m = tg_ranked_new(metric, n);
    g_autoptr(TgRanked) h = tg_ranked_new(human, n);
    TgPairCounts counts;
    double best;

    assert_counts(m, h, 0.0, json_object_get(wanted, "counts_eps0"));
    tg_stats_pair_counts(m, h, NULL, n, 0.0, &counts);
    tg_assert_near(tg_stats_acc_eq(&counts), tg_golden_number(wanted, "acc_eq_eps0"), 1e-15);
    tg_assert_near(tg_stats_tau23(&counts), tg_golden_number(wanted, "tau23_eps0"), 1e-15);
    best = tg_stats_calibrate_ties(m, h);
    assert_true(best == tg_golden_number(wanted, "calibrated_eps"));
    tg_stats_pair_counts(m, h, NULL, n, best, &counts);
    tg_assert_near(tg_stats_acc_eq(&counts), tg_golden_number(wanted, "acc_eq_calibrated"), 1e-15);
    assert_counts(m, h, best, json_object_get(wanted, "counts_calibrated"));
}

static void check_file(const json_t *records)
{
    tg_golden_each(record, records)
    {
        guint n;
        g_autofree double *metric = tg_golden_numbers(record, "x", &n);
        g_autofree double *human = tg_golden_numbers(record, "y", &n);

        check_pairwise(metric, human, n, json_object_get(record, "pairwise_human_is_y"));
    }
}

TEST(test_stats_pairwise__small_cases_by_plain_loops)
{
    json_auto_t *records = tg_golden_own("stats_correlation.json");

    check_file(records);
}

TEST(test_stats_pairwise__shared_small_cases)
{
    json_auto_t *records = tg_golden_shared("reference/text/corr-small.jsonl");

    check_file(records);
}

TEST(test_stats_pairwise__shared_study)
{
    json_auto_t *study = tg_golden_shared("reference/text/study-stats.json");
    const char *name;
    json_t *wanted;

    const json_t *ratings = json_object_get(study, "human_scores");
    const guint n = json_array_size(ratings);
    g_autofree double *human = g_new0(double, n);
    for (guint i = 0; i < n; i++) {
        for (guint k = 0; k < 3; k++)
            human[i] += json_number_value(json_array_get(json_array_get(ratings, i), k)) / 3;
        human[i] = round(human[i] * 3); /* thirds are not doubles; the order is what counts */
    }
    json_object_foreach(json_object_get(study, "correlation_with_human_mean"), name, wanted)
    {
        guint n_metric;
        g_autofree double *metric =
            tg_golden_numbers(json_object_get(study, "metrics"), name, &n_metric);

        check_pairwise(metric, human, n, json_object_get(wanted, "pairwise"));
    }
}

typedef struct {
    double difference;
    int gain;
} Step;

static int compare_steps(const void *a, const void *b)
{
    const double x = ((const Step *) a)->difference, y = ((const Step *) b)->difference;

    return (x > y) - (x < y);
}

/* The definition: sort all differences, keep the first best sum. */
static double plain_epsilon(const double *metric, const double *human, guint n)
{
    g_autofree Step *steps = g_new(Step, n * (n - 1) / 2);
    guint n_steps = 0;
    gint64 sum = 0, best = 0;
    double epsilon = 0.0;

    for (guint i = 0; i < n; i++) {
        for (guint j = 0; j < i; j++) {
            const double d = metric[i] - metric[j], h = human[i] - human[j];

            if (d != 0.0)
                steps[n_steps++] = (Step){ fabs(d), h == 0.0 ? 1 : (d > 0) == (h > 0) ? -1 : 0 };
        }
    }
    qsort(steps, n_steps, sizeof *steps, compare_steps);
    for (guint i = 0; i < n_steps; i++) {
        sum += steps[i].gain;
        if ((i + 1 == n_steps || steps[i + 1].difference > steps[i].difference) && sum > best) {
            best = sum;
            epsilon = steps[i].difference;
        }
    }
    return epsilon;
}

TEST(test_stats_pairwise__calibration_of_many_items)
{
    enum { N = 1500 };
    static const double sharpness[] = { 0.0, 0.05, 0.3, 3.0 };
    double metric[N], human[N];
    TgRandom random;

    tg_random_seed(&random, 4, 0);
    for (guint trial = 0; trial < 3 * G_N_ELEMENTS(sharpness); trial++) {
        const guint grades = trial % 3 + 2;
        /* every third trial with a metric that has few values */
        const double step = trial % 3 == 2 ? 0.25 : 1e-9;

        for (guint i = 0; i < N; i++) {
            human[i] = tg_random_below(&random, grades);
            metric[i] = human[i] * sharpness[trial / 3] + tg_random_double(&random);
            metric[i] = floor(metric[i] / step) * step;
        }
        g_autoptr(TgRanked) m = tg_ranked_new(metric, N);
        g_autoptr(TgRanked) h = tg_ranked_new(human, N);
        assert_true(tg_stats_calibrate_ties(m, h) == plain_epsilon(metric, human, N));
    }
}

/* Of more pairs than are looked at, those drawn give a threshold nearly as good as the best. */
TEST(test_stats_pairwise__calibration_of_drawn_pairs)
{
    enum { N = 50000 };
    g_autofree double *metric = g_new(double, N), *human = g_new(double, N);
    TgPairCounts counts;
    TgRandom random;
    double found, best = 0.0;

    tg_random_seed(&random, 5, 0);
    for (guint i = 0; i < N; i++) {
        human[i] = tg_random_below(&random, 5);
        metric[i] = floor((human[i] * 0.3 + tg_random_double(&random)) * 128) / 128;
    }
    g_autoptr(TgRanked) m = tg_ranked_new(metric, N);
    g_autoptr(TgRanked) h = tg_ranked_new(human, N);
    for (guint k = 0; k <= 290; k++) { /* every threshold */
        tg_stats_pair_counts(m, h, NULL, N, k / 128.0, &counts);
        best = MAX(best, tg_stats_acc_eq(&counts));
    }
    tg_stats_pair_counts(m, h, NULL, N, tg_stats_calibrate_ties(m, h), &counts);
    found = tg_stats_acc_eq(&counts);
    assert_true(found <= best && found > best - 1e-3);
}

TEST(test_stats_pairwise__hand_worked)
{
    /* pairs 12: C, 13: D, 14: tied by the metric, 23: human tie, 24: D, 34: C */
    static const double metric[] = { 1, 2, 0, 1 }, human[] = { 2, 3, 3, 4 };
    static const guint32 twice[] = { 1, 1 };
    g_autoptr(TgRanked) m = tg_ranked_new(metric, 4);
    g_autoptr(TgRanked) h = tg_ranked_new(human, 4);
    TgPairCounts counts;

    tg_stats_pair_counts(m, h, NULL, 4, 0.0, &counts);
    assert_int_equal(counts.concordant, 2);
    assert_int_equal(counts.discordant, 2);
    assert_int_equal(counts.human_ties, 1);
    assert_int_equal(counts.metric_ties, 1);
    assert_int_equal(counts.both_ties, 0);
    tg_assert_near(tg_stats_acc_eq(&counts), 2.0 / 6, 1e-15);
    tg_assert_near(tg_stats_tau23(&counts), -2.0 / 6, 1e-15);
    tg_stats_pair_counts(m, h, twice, 2, 0.0, &counts);
    assert_int_equal(counts.both_ties, 1);
    tg_stats_pair_counts(m, h, NULL, 4, 2.0, &counts);
    assert_int_equal(counts.metric_ties, 5);
    assert_int_equal(counts.both_ties, 1);
}

TEST(test_stats_pairwise__undefined_cases)
{
    static const double one[] = { 1 }, far[] = { -1e308, 1e308 }, human[] = { 1, 2 };
    g_autoptr(TgRanked) single = tg_ranked_new(one, 1), none = tg_ranked_new(NULL, 0);
    g_autoptr(TgRanked) apart = tg_ranked_new(far, 2), two = tg_ranked_new(human, 2);
    TgPairCounts counts;

    tg_stats_pair_counts(single, single, NULL, 1, 0.0, &counts);
    assert_true(isnan(tg_stats_acc_eq(&counts)));
    assert_true(isnan(tg_stats_tau23(&counts)));
    assert_true(isnan(tg_stats_calibrate_ties(single, single)));
    assert_true(isnan(tg_stats_calibrate_ties(none, none)));
    assert_true(isnan(tg_stats_calibrate_ties(apart, two)));
}
