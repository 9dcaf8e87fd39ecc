#include "tests/support/golden.h"

#include "eval/stats/stats.h"

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
    json_t *record;
    size_t i;

    json_array_foreach(json_object_get(study, "dependent_correlations"), i, record)
        check(json_object_get(record, "pearson"));
    json_array_foreach(json_object_get(study, "williams_from_r"), i, record) check(record);
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
    const double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 }, wanted[] = { 0.03, 0, 0.06, 0.06, 0.02 };
    double adjusted[5];

    tg_stats_holm(p, 5, adjusted);
    for (guint i = 0; i < 5; i++) {
        if (i == 1)
            assert_true(isnan(adjusted[i]));
        else
            tg_assert_near(adjusted[i], wanted[i], 1e-15);
    }
    tg_stats_holm((double[]){ 0.7, 0.8 }, 2, adjusted);
    tg_assert_near(adjusted[0], 1.0, 0.0);
    tg_stats_holm(NULL, 0, NULL);
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
