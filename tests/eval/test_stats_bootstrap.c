#include "tests/support/golden.h"

#include "core/random.h"
#include "eval/stats/stats.h"

enum { MAX_SERIES = 3 };

/* The input of a statistic in the golden file. */
typedef struct {
    TgRanked *series[MAX_SERIES]; /* x, y; or human, metric_1, metric_2 */
    TgCorrelationKind kind;
} Data;

static double mean_of_first(const guint32 *rows, guint n, gpointer data)
{
    double sum = 0.0;

    for (guint i = 0; i < n; i++)
        sum += tg_ranked_value(((Data *) data)->series[0], rows, i);
    return sum / n;
}

static double correlation(const guint32 *rows, guint n, gpointer data)
{
    const Data *d = data;

    return tg_stats_correlation(d->kind, d->series[0], d->series[1], rows, n);
}

static double correlation_difference(const guint32 *rows, guint n, gpointer data)
{
    const Data *d = data;

    return tg_stats_correlation(d->kind, d->series[0], d->series[1], rows, n) -
           tg_stats_correlation(d->kind, d->series[0], d->series[2], rows, n);
}

static const struct {
    const char *name;
    TgStatisticFunc statistic;
    TgCorrelationKind kind;
} statistics[] = {
    { "pearson", correlation, TG_PEARSON },
    { "spearman", correlation, TG_SPEARMAN },
    { "kendall_b", correlation, TG_KENDALL },
    { "mean_x", mean_of_first, TG_PEARSON },
    { "pearson_1", correlation, TG_PEARSON },
    { "spearman_1", correlation, TG_SPEARMAN },
    { "pearson_difference_1_minus_2", correlation_difference, TG_PEARSON },
};

static void assert_ends(const double actual[2], const json_t *wanted)
{
    for (guint i = 0; i < 2; i++)
        tg_assert_near(actual[i], json_number_value(json_array_get(wanted, i)), 1e-9);
}

static void check_statistic(TgStatisticFunc statistic, Data *data, const json_t *resamples,
                            const json_t *wanted)
{
    const guint n = data->series[0]->n, n_resamples = json_array_size(resamples);
    const json_t *bca = json_object_get(wanted, "bca");
    const json_t *first = json_object_get(wanted, "first_replicates");
    g_autofree guint32 *rows = g_new(guint32, (gsize) n * n_resamples);
    g_autofree double *replicates = g_new(double, n_resamples);
    TgBootstrap result;
    guint n_jackknife;

    for (guint i = 0; i < n * n_resamples; i++)
        rows[i] = json_integer_value(json_array_get(json_array_get(resamples, i / n), i % n));
    for (guint k = 0; k < n_resamples; k++)
        replicates[k] = statistic(rows + (gsize) k * n, n, data);
    for (guint k = 0; k < json_array_size(first); k++)
        tg_assert_near(replicates[k], json_number_value(json_array_get(first, k)), 1e-12);
    g_autofree double *jackknife = tg_bootstrap_jackknife(statistic, data, n, &n_jackknife);
    tg_bootstrap_intervals(statistic(NULL, n, data), replicates, n_resamples, jackknife,
                           n_jackknife, 0.95, &result);
    tg_assert_near(result.estimate, tg_golden_number(wanted, "theta"), 1e-12);
    tg_assert_near(result.se, tg_golden_number(wanted, "se"), 1e-9);
    tg_assert_near(result.acceleration, tg_golden_number(wanted, "acceleration"), 1e-9);
    tg_assert_near(result.z0, tg_golden_number(bca, "z0"), 1e-9);
    assert_ends(result.percentile, json_object_get(wanted, "percentile"));
    assert_ends(result.bca, json_object_get(bca, "ci"));
    assert_int_equal(result.n_undefined, 0);
}

static void check_record(const json_t *record)
{
    static const char *const keys[][MAX_SERIES] = { { "x", "y", NULL },
                                                    { "human", "metric_1", "metric_2" } };
    const guint layout = json_object_get(record, "human") != NULL;
    Data data = { 0 };

    for (guint i = 0; i < MAX_SERIES && keys[layout][i] != NULL; i++) {
        guint n;
        g_autofree double *values = tg_golden_numbers(record, keys[layout][i], &n);

        data.series[i] = tg_ranked_new(values, n);
    }
    for (guint i = 0; i < G_N_ELEMENTS(statistics); i++) {
        const json_t *wanted =
            json_object_get(json_object_get(record, "stats"), statistics[i].name);

        data.kind = statistics[i].kind;
        if (wanted != NULL) {
            check_statistic(statistics[i].statistic, &data, json_object_get(record, "resamples"),
                            wanted);
        }
    }
    for (guint i = 0; i < MAX_SERIES; i++)
        tg_ranked_free(data.series[i]);
}

TEST(test_stats_bootstrap__own_resamples)
{
    json_auto_t *records = tg_golden_own("stats_bootstrap.json");

    tg_golden_each(record, records) check_record(record);
}

TEST(test_stats_bootstrap__shared_resamples)
{
    json_auto_t *records = tg_golden_shared("reference/text/bootstrap.jsonl");

    tg_golden_each(record, records) check_record(record);
}

TEST(test_stats_bootstrap__draws_depend_on_seed_and_index_alone)
{
    guint32 first[50], again[50], other[50];

    tg_bootstrap_draw(7, 3, 50, first);
    tg_bootstrap_draw(7, 4, 50, other);
    tg_bootstrap_draw(7, 3, 50, again);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
    tg_bootstrap_draw(8, 3, 50, other);
    assert_memory_not_equal(first, other, sizeof first);
    for (guint i = 0; i < 50; i++)
        assert_true(first[i] < 50);
}

/* Replicates, jackknife and intervals of a statistic. */
static void bootstrap_run(TgStatisticFunc statistic, gpointer data, guint n, guint n_resamples,
                          guint64 seed, double level, TgBootstrap *out)
{
    g_autofree double *replicates = g_new(double, n_resamples);
    guint n_jackknife;
    const double estimate = statistic(NULL, n, data);

    if (isnan(estimate) || n == 0) {
        tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, level, out);
        return;
    }
    tg_bootstrap_replicate(statistic, data, n, n_resamples, seed, replicates);
    g_autofree double *jackknife = tg_bootstrap_jackknife(statistic, data, n, &n_jackknife);
    tg_bootstrap_intervals(estimate, replicates, n_resamples, jackknife, n_jackknife, level, out);
}

/* The mean of 0 and 1, a hundred each: the standard error is 1/2/sqrt(200), intervals follow. */
TEST(test_stats_bootstrap__interval_of_a_mean)
{
    double values[200];
    Data data = { 0 };
    TgBootstrap result;

    for (guint i = 0; i < 200; i++)
        values[i] = i % 2;
    data.series[0] = tg_ranked_new(values, 200);
    bootstrap_run(mean_of_first, &data, 200, 4000, 1, 0.95, &result);
    tg_assert_near(result.se, 0.5 / sqrt(200), 0.002);
    tg_assert_near(result.percentile[0], 0.5 - 1.96 * 0.5 / sqrt(200), 0.01);
    tg_assert_near(result.bca[1], 0.5 + 1.96 * 0.5 / sqrt(200), 0.01);
    tg_assert_near(result.acceleration, 0.0, 1e-12);
    tg_ranked_free(data.series[0]);
}

/* The acceleration of a mean is skewness / (6 sqrt(n)), whether items are left out or parts. */
TEST(test_stats_bootstrap__large_sets_leave_out_parts)
{
    enum { N = 20000 };
    const double p = 0.05, wanted = (1 - 2 * p) / sqrt(p * (1 - p)) / (6 * sqrt(N));
    g_autofree double *values = g_new(double, N);
    guint n_jackknife;
    Data data = { 0 };
    TgBootstrap result;
    TgRandom random;

    tg_random_seed(&random, 5, 0);
    for (guint i = 0; i < N; i++)
        values[i] = tg_random_double(&random) < p;
    data.series[0] = tg_ranked_new(values, N);
    g_autofree double *jackknife = tg_bootstrap_jackknife(mean_of_first, &data, N, &n_jackknife);
    assert_int_equal(n_jackknife, 1000);
    tg_bootstrap_intervals(p, (double[]){ 0, 1 }, 2, jackknife, 1000, 0.95, &result);
    tg_assert_near(result.acceleration / wanted, 1.0, 0.3);
    tg_ranked_free(data.series[0]);
}

TEST(test_stats_bootstrap__undefined_replicates_are_counted)
{
    const double replicates[] = { NAN, 1, 3, NAN, 2 }, jackknife[] = { 1, 2, 3 };
    TgBootstrap result;

    tg_bootstrap_intervals(2, replicates, 5, jackknife, 3, 0.5, &result);
    assert_int_equal(result.n_undefined, 2);
    tg_assert_near(result.se, 1.0, 1e-15);
    tg_assert_near(result.percentile[0], 1.5, 1e-15); /* at 0.25 * 2 of 1 2 3 */
    tg_assert_near(result.percentile[1], 2.5, 1e-15);
    tg_assert_near(result.z0, 0.0, 1e-15);
    tg_assert_near(result.bca[0], 1.5, 1e-12);
}

/* Four of 100 items weigh, two each way: sum u^4 / (sum u^2)^2 = 1/4, less 1/100. */
TEST(test_stats_bootstrap__t_interval_by_hand)
{
    const double replicates[] = { 1, 2, 3 };
    double jackknife[100] = { 1, 1, -1, -1 };
    TgBootstrap result;

    tg_bootstrap_intervals(2, replicates, 3, jackknife, 100, 0.95, &result);
    tg_assert_near(result.df, 2.6 / 0.24, 1e-12);
    tg_assert_near(result.t[0], 2 - tg_special_student_quantile(0.95, 2.6 / 0.24), 1e-12);
    tg_assert_near(result.t[1], 2 + tg_special_student_quantile(0.95, 2.6 / 0.24), 1e-12);
    tg_bootstrap_intervals(2, replicates, 3, replicates, 3, 0.5, &result);
    tg_assert_near(result.df, 2, 0); /* not more than n - 1 */
    tg_assert_near(result.t[1], 2 + 0.8164965809277261, 1e-10);
}

/* Replicates that are equal but for rounding give no interval of width 0. */
TEST(test_stats_bootstrap__no_t_interval_where_nothing_varies)
{
    const double same[] = { 2, 2 + 1e-12, 2 }, jackknife[] = { 1, 2, 3 };
    TgBootstrap result;

    tg_bootstrap_intervals(2, same, 3, jackknife, 3, 0.95, &result);
    assert_true(isnan(result.t[0]) && isnan(result.t[1]));
    tg_bootstrap_intervals(2, jackknife, 3, (double[]){ 2, 2, 2 }, 3, 0.95, &result);
    assert_true(isnan(result.df) && isnan(result.t[0]));
    tg_bootstrap_intervals(2, jackknife, 3, jackknife, 1, 0.95, &result);
    assert_true(isnan(result.df) && isnan(result.t[0]));
}

static gboolean all_nan(const TgBootstrap *result)
{
    return isnan(result->se) && isnan(result->percentile[0]) && isnan(result->bca[0]);
}

TEST(test_stats_bootstrap__undefined_statistics_have_no_interval)
{
    const double flat[] = { 1, 1, 1 }, outside[] = { 5, 6, 7 }, broken[] = { 1, NAN };
    Data data = { .kind = TG_PEARSON };
    TgBootstrap result;

    data.series[0] = data.series[1] = tg_ranked_new(flat, 3);
    bootstrap_run(correlation, &data, 3, 10, 1, 0.95, &result);
    assert_true(isnan(result.estimate) && all_nan(&result));
    bootstrap_run(mean_of_first, &data, 3, 10, 1, 0.95, &result);
    assert_true(result.percentile[0] == 1 && result.bca[0] == 1 && result.bca[1] == 1);
    bootstrap_run(mean_of_first, &data, 0, 10, 1, 0.95, &result);
    assert_true(all_nan(&result));
    tg_bootstrap_intervals(1, outside, 3, flat, 3, 0.95, &result); /* the bias is infinite */
    assert_true(result.percentile[1] > 6 && isnan(result.bca[0]) && isnan(result.bca[1]));
    tg_bootstrap_intervals(6, outside, 3, broken, 2, 0.95, &result);
    assert_true(isfinite(result.percentile[0]) && isnan(result.bca[0]));
    tg_ranked_free(data.series[0]);
}

/* Mean 2; |2 - 2| = 0, |1 - 2| = |3 - 2| = 1, |6 - 2| = 4, |-2 - 2| = 4. */
TEST(test_stats_bootstrap__p_value_by_hand)
{
    const double replicates[] = { 2, 1, NAN, 3, 6, -2 };

    tg_assert_near(tg_bootstrap_p(4, replicates, 6, TG_TEST_TWO_SIDED), 3.0 / 6, 1e-15);
    tg_assert_near(tg_bootstrap_p(-4.5, replicates, 6, TG_TEST_TWO_SIDED), 1.0 / 6, 1e-15);
    assert_true(isnan(tg_bootstrap_p(NAN, replicates, 6, TG_TEST_TWO_SIDED)));
    assert_true(isnan(tg_bootstrap_p(1, replicates, 0, TG_TEST_TWO_SIDED)));
}
