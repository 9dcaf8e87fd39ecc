#include "tests/support/golden.h"

#include "eval/stats/stats.h"
#include "tests/support/test_support.h"

static TgRanked *ranked(const json_t *record, const char *key)
{
    guint n;
    g_autofree double *values = tg_golden_numbers(record, key, &n);

    return tg_ranked_new(values, n);
}

/* @wanted may be null: undefined. */
static void assert_interval(const double actual[2], const json_t *wanted)
{
    for (guint i = 0; i < 2; i++) {
        if (json_is_null(wanted))
            assert_true(isnan(actual[i]));
        else
            tg_assert_near(actual[i], json_number_value(json_array_get(wanted, i)), 1e-9);
    }
}

static void check_coefficients(const TgRanked *x, const TgRanked *y, const json_t *wanted)
{
    static const char *const keys[] = { "pearson", "spearman", "kendall_b" };
    static const char *const p_keys[] = { "pearson_p", "spearman_p", "kendall_p" };
    static const char *const interval_keys[] = { "fisher_z_ci95_pearson",
                                                 "bonett_wright_ci95_spearman" };

    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        const double value = tg_stats_correlation(kind, x, y, NULL, x->n);
        double interval[2];

        tg_assert_near(value, tg_golden_number(wanted, keys[kind]), 1e-12);
        tg_assert_near(tg_stats_correlation_p(kind, value, x, y),
                       tg_golden_number(wanted, p_keys[kind]), 1e-12);
        tg_stats_correlation_interval(kind, value, x->n, 0.95, interval);
        if (kind != TG_KENDALL)
            assert_interval(interval, json_object_get(wanted, interval_keys[kind]));
    }
    tg_assert_near(tg_stats_kendall_asymptotic_p(x, y),
                   tg_golden_number(wanted, "kendall_p_asymptotic"), 1e-12);
}

static void check_ranks(const TgRanked *series, const json_t *record, const char *key)
{
    guint n;
    g_autofree double *wanted = tg_golden_numbers(record, key, &n);
    g_autofree double *ranks = g_new(double, n);

    tg_ranked_mid_ranks(series, NULL, n, ranks);
    for (guint i = 0; i < n; i++)
        assert_true(ranks[i] == wanted[i]);
}

static void check_file(const json_t *records)
{
    tg_golden_each(record, records)
    {
        g_autoptr(TgRanked) x = ranked(record, "x");
        g_autoptr(TgRanked) y = ranked(record, "y");

        check_ranks(x, record, "ranks_x");
        check_ranks(y, record, "ranks_y");
        check_coefficients(x, y, record);
    }
}

TEST(test_stats_correlation__agrees_with_scipy)
{
    json_auto_t *records = tg_golden_own("stats_correlation.json");

    check_file(records);
}

TEST(test_stats_correlation__shared_small_cases)
{
    json_auto_t *records = tg_golden_shared("reference/text/corr-small.jsonl");

    check_file(records);
}

/* The mean of a pair's ratings. */
static TgRanked *human_mean(const json_t *study)
{
    const json_t *scores = json_object_get(study, "human_scores");
    const guint n = json_array_size(scores);
    g_autofree double *mean = g_new0(double, n);

    for (guint i = 0; i < n; i++) {
        const json_t *ratings = json_array_get(scores, i);

        for (guint k = 0; k < json_array_size(ratings); k++)
            mean[i] += json_number_value(json_array_get(ratings, k));
        mean[i] /= json_array_size(ratings);
    }
    return tg_ranked_new(mean, n);
}

TEST(test_stats_correlation__shared_study)
{
    json_auto_t *study = tg_golden_shared("reference/text/study-stats.json");
    const char *name;
    json_t *wanted;

    g_autoptr(TgRanked) human = human_mean(study);
    json_object_foreach(json_object_get(study, "correlation_with_human_mean"), name, wanted)
    {
        g_autoptr(TgRanked) metric = ranked(json_object_get(study, "metrics"), name);

        check_coefficients(metric, human, wanted);
    }
}

/* By hand: ranks 1 2.5 2.5 4, and 2 of the resample's items are the same one. */
TEST(test_stats_correlation__resamples_are_ranked_anew)
{
    static const double values[] = { 5, 1, 3, 9 };
    static const guint32 rows[] = { 1, 2, 2, 3 };
    double ranks[4];
    g_autoptr(TgRanked) series = tg_ranked_new(values, 4);

    tg_ranked_mid_ranks(series, rows, 4, ranks);
    assert_true(ranks[0] == 1 && ranks[1] == 2.5 && ranks[2] == 2.5 && ranks[3] == 4);
    tg_assert_near(tg_stats_correlation(TG_SPEARMAN, series, series, rows, 4), 1.0, 1e-15);
    tg_assert_near(tg_stats_correlation(TG_KENDALL, series, series, rows, 4), 1.0, 0.0);
}

TEST(test_stats_correlation__undefined_cases_say_why)
{
    static const double constant[] = { 0.1, 0.1, 0.1 }, rising[] = { 1, 2, 3 };
    static const guint32 same[] = { 2, 2, 2 };
    g_autoptr(TgRanked) flat = tg_ranked_new(constant, 3);
    g_autoptr(TgRanked) line = tg_ranked_new(rising, 3);
    g_autoptr(TgRanked) single = tg_ranked_new(rising, 1);
    g_autoptr(TgRanked) empty = tg_ranked_new(NULL, 0);
    g_autofree char *few = tg_stats_undefined(single, "a", single, "b");
    g_autofree char *none = tg_stats_undefined(empty, "a", empty, "b");
    g_autofree char *left = tg_stats_undefined(flat, "a", line, "b");
    g_autofree char *right = tg_stats_undefined(line, "a", flat, "b");

    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        assert_true(isnan(tg_stats_correlation(kind, flat, line, NULL, 3)));
        assert_true(isnan(tg_stats_correlation(kind, line, flat, NULL, 3)));
        assert_true(isnan(tg_stats_correlation(kind, line, line, same, 3)));
        assert_true(isnan(tg_stats_correlation(kind, single, single, NULL, 1)));
        assert_true(isnan(tg_stats_correlation(kind, empty, empty, NULL, 0)));
        assert_true(isnan(tg_stats_correlation_p(kind, NAN, flat, line)));
    }
    assert_string_equal(few, "fewer than 2 items (1)");
    assert_string_equal(none, "fewer than 2 items (0)");
    assert_string_equal(left, "all values of a are equal");
    assert_string_equal(right, "all values of b are equal");
    assert_null(tg_stats_undefined(line, "a", line, "b"));
}

/* Two items: r is 1 or -1, and nothing follows from that. */
TEST(test_stats_correlation__two_items_have_no_p_value)
{
    static const double up[] = { 1, 2 }, down[] = { 4, 3 };
    double interval[2];
    g_autoptr(TgRanked) x = tg_ranked_new(up, 2);
    g_autoptr(TgRanked) y = tg_ranked_new(down, 2);

    tg_assert_near(tg_stats_correlation(TG_PEARSON, x, y, NULL, 2), -1.0, 0.0);
    assert_true(isnan(tg_stats_correlation_p(TG_PEARSON, -1.0, x, y)));
    tg_assert_near(tg_stats_correlation_p(TG_KENDALL, -1.0, x, y), 1.0, 0.0);
    tg_stats_correlation_interval(TG_PEARSON, 0.5, 3, 0.95, interval);
    assert_true(isnan(interval[0]) && isnan(interval[1]));
}

/* Kendall (1970), table 1: for n = 8, S >= 14 has probability 0.054; so 7 pairs against the order.
 */
TEST(test_stats_correlation__kendall_exact_table)
{
    static const double up[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    static const double seven_inversions[] = { 8, 1, 2, 3, 4, 5, 6, 7 };
    g_autoptr(TgRanked) x = tg_ranked_new(up, 8);
    g_autoptr(TgRanked) y = tg_ranked_new(seven_inversions, 8);

    tg_assert_near(tg_stats_correlation_p(TG_KENDALL, 0.5, x, y) / 2, 0.054, 0.0005);
}

static double p_of(TgCorrelationKind kind, const double *x, const double *y, guint n)
{
    g_autoptr(TgRanked) a = tg_ranked_new(x, n);
    g_autoptr(TgRanked) b = tg_ranked_new(y, n);

    return tg_stats_permutation_p(kind, a, b);
}

/* Of the 24 orders of four items, two are as far from 0 as perfect order. */
TEST(test_stats_permutation__perfect_order)
{
    static const double x[] = { 1, 2, 3, 4 }, falling[] = { 9, 8, 2, -1 };

    for (TgCorrelationKind kind = TG_SPEARMAN; kind <= TG_KENDALL; kind++) {
        tg_assert_near(p_of(kind, x, x, 4), 2.0 / 24, 1e-15);
        tg_assert_near(p_of(kind, x, falling, 4), 2.0 / 24, 1e-15);
        tg_assert_near(p_of(kind, x, (double[]){ 1, 3, 2 }, 3), 1.0, 1e-15);
    }
}

/* Two ties on both sides: 6 ways to lay the pairs, of which 2 are as clear. */
TEST(test_stats_permutation__ties)
{
    static const double x[] = { 1, 1, 2, 2 };

    for (TgCorrelationKind kind = TG_SPEARMAN; kind <= TG_KENDALL; kind++)
        tg_assert_near(p_of(kind, x, x, 4), 2.0 / 6, 1e-15);
}

/* All orders enumerated with itertools, coefficients by SciPy's spearmanr and kendalltau. */
TEST(test_stats_permutation__as_scipy)
{
    static const double x[] = { 1, 2, 3, 4, 5, 6 }, y[] = { 2, 1, 4, 3, 6, 5 };
    static const double tied_x[] = { 1, 1, 2, 3, 3, 4 }, tied_y[] = { 1, 2, 2, 5, 4, 4 };

    tg_assert_near(p_of(TG_SPEARMAN, x, y, 6), 42.0 / 720, 1e-15);
    tg_assert_near(p_of(TG_KENDALL, x, y, 6), 98.0 / 720, 1e-15);
    tg_assert_near(p_of(TG_SPEARMAN, tied_x, tied_y, 6), 56.0 / 720, 1e-15);
    tg_assert_near(p_of(TG_KENDALL, tied_x, tied_y, 6), 88.0 / 720, 1e-15);
}

/* Without ties the number of inversions has a known distribution. */
TEST(test_stats_permutation__as_the_exact_distribution_of_kendall)
{
    static const double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, y[] = { 3, 1, 2, 6, 4, 5, 9, 7, 8 };
    g_autoptr(TgRanked) a = tg_ranked_new(x, 9);
    g_autoptr(TgRanked) b = tg_ranked_new(y, 9);
    const double tau = tg_stats_correlation(TG_KENDALL, a, b, NULL, 9);

    tg_assert_near(tg_stats_permutation_p(TG_KENDALL, a, b),
                   tg_stats_correlation_p(TG_KENDALL, tau, a, b), 1e-12);
}

TEST(test_stats_permutation__undefined)
{
    static const double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, same[] = { 2, 2, 2 };

    assert_true(isnan(p_of(TG_SPEARMAN, x, x, 10)));
    assert_true(isnan(p_of(TG_SPEARMAN, x, same, 3)));
    assert_true(isnan(p_of(TG_KENDALL, x, x, 1)));
    tg_assert_near(p_of(TG_KENDALL, x, x, 2), 1.0, 0);
}

/* K = 0.62, so t = 0.2 sqrt(102 * 1.4) / sqrt(2 * 0.62 * 1.02 + 0.16 * 0.216) = 2.0966665. */

TEST(test_stats_dependent__williams_by_hand)
{
    TgDependentTest test;

    tg_stats_williams(0.5, 0.3, 0.4, 103, &test);
    tg_assert_near(test.statistic, 0.2 * sqrt(142.8) / sqrt(1.2648 + 0.03456), 1e-12);
    tg_assert_near(test.df, 100, 0);
    tg_assert_near(test.p_two_sided, 0.03854638419877337, 1e-12); /* mpmath, of that t */
    tg_assert_near(test.p_one_sided, 0.019273192099386684, 1e-12);
}

static void check(const json_t *wanted)
{
    const double r12 = tg_golden_number(wanted, "r12"), r13 = tg_golden_number(wanted, "r13"),
                 r23 = tg_golden_number(wanted, "r23");
    const guint n = tg_golden_number(wanted, "n");
    TgDependentTest test;

    tg_stats_williams(r12, r13, r23, n, &test);
    tg_assert_near(test.statistic, tg_golden_number(wanted, "williams_t"), 1e-10);
    tg_assert_near(test.df, tg_golden_number(wanted, "df"), 0);
    tg_assert_near(test.p_two_sided, tg_golden_number(wanted, "williams_p_two_sided"), 1e-12);
    tg_assert_near(test.p_one_sided, tg_golden_number(wanted, "williams_p_one_sided"), 1e-12);
}

TEST(test_stats_dependent__shared_study)
{
    json_auto_t *study = tg_golden_shared("reference/text/study-stats.json");

    tg_golden_each(pair, json_object_get(study, "dependent_correlations"))
        check(json_object_get(pair, "pearson"));
    tg_golden_each(record, json_object_get(study, "williams_from_r")) check(record);
}

TEST(test_stats_dependent__undefined_cases)
{
    static const struct {
        double r12, r13, r23;
        guint n;
    } undefined[] = {
        { 0.5, 0.3, 0.4, 3 },  /* no degree of freedom */
        { 0.5, 0.5, 1.0, 30 }, /* one metric twice */
        { NAN, 0.5, 0.5, 30 },
        { 0.9, -0.9, 0.9, 30 }, /* impossible */
    };
    TgDependentTest test;

    for (guint i = 0; i < G_N_ELEMENTS(undefined); i++) {
        tg_stats_williams(undefined[i].r12, undefined[i].r13, undefined[i].r23, undefined[i].n,
                          &test);
        assert_true(isnan(test.statistic) && isnan(test.df) && isnan(test.p_two_sided) &&
                    isnan(test.p_one_sided));
    }
    tg_stats_williams(0.5, 0.5, 0.9, 30, &test); /* equal, and that is a finding */
    tg_assert_near(test.statistic, 0.0, 0.0);
    tg_assert_near(test.p_two_sided, 1.0, 0.0);
}

/* Sorted: 0.005 * 4, 0.01 * 3, 0.03 * 2, then 0.04 * 1 is raised to what stands before it. */
TEST(test_stats_multiple__holm_by_hand)
{
    typedef struct {
        double p, adjusted;
    } Tested;
    Tested tests[] = { { 0.01 }, { NAN }, { 0.04 }, { 0.03 }, { 0.005 }, { 0.7 }, { 0.8 } };
    const double wanted[] = { 0.03, 0, 0.06, 0.06, 0.02 };
    gpointer list[G_N_ELEMENTS(tests)];
    const gsize p = G_STRUCT_OFFSET(Tested, p), adjusted = G_STRUCT_OFFSET(Tested, adjusted);

    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        list[i] = &tests[i];
    tg_stats_adjust(list, 5, p, adjusted);
    for (guint i = 0; i < 5; i++) {
        if (i == 1)
            assert_true(isnan(tests[i].adjusted));
        else
            tg_assert_near(tests[i].adjusted, wanted[i], 1e-15);
    }
    tg_stats_adjust(list + 5, 2, p, adjusted);
    tg_assert_near(tests[5].adjusted, 1.0, 0.0);
    tg_stats_adjust(NULL, 0, p, adjusted);
}

/* Holm of 50 tests is below .05 from 1000 draws on: 50/1001; four times that, in thousands. */
TEST(test_stats_multiple__draws_for_many_tests)
{
    assert_int_equal(tg_stats_draws_for(1, 0.05, 1000, 1000000), 1000);
    assert_int_equal(tg_stats_draws_for(50, 0.05, 1000, 1000000), 4000);
    assert_int_equal(tg_stats_draws_for(51, 0.05, 1000, 1000000), 5000);
    assert_int_equal(tg_stats_draws_for(51, 0.05, 10000, 1000000), 10000);
    assert_int_equal(tg_stats_draws_for(100000, 0.05, 1000, 1000000), 1000000);
}
