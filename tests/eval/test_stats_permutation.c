#include "tests/support/test_support.h"

#include "eval/stats/stats.h"

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

    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
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

    assert_true(tg_stats_kendall_is_exact(a, b));
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
