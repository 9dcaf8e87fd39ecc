#include "eval/stats/multiple.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double p;
    guint index;
} Test;

static int compare_tests(const void *a, const void *b)
{
    const double x = ((const Test *) a)->p, y = ((const Test *) b)->p;

    return (x > y) - (x < y);
}

/* The defined tests in ascending order, (transfer full); the others stay NaN in @adjusted. */
static Test *sort_tests(const double *p, guint n, double *adjusted, guint *n_tests)
{
    Test *tests = g_new(Test, n);

    *n_tests = 0;
    for (guint i = 0; i < n; i++) {
        if (!isnan(p[i]))
            tests[(*n_tests)++] = (Test){ p[i], i };
        adjusted[i] = p[i];
    }
    if (*n_tests > 1)
        qsort(tests, *n_tests, sizeof *tests, compare_tests);
    return tests;
}

void tg_stats_holm(const double *p, guint n, double *adjusted)
{
    guint m;
    g_autofree Test *tests = sort_tests(p, n, adjusted, &m);
    double highest = 0.0;

    for (guint i = 0; i < m; i++) {
        highest = MAX(highest, MIN((m - i) * tests[i].p, 1.0));
        adjusted[tests[i].index] = highest;
    }
}

void tg_stats_benjamini_hochberg(const double *p, guint n, double *adjusted)
{
    guint m;
    g_autofree Test *tests = sort_tests(p, n, adjusted, &m);
    double lowest = 1.0;

    for (guint i = m; i > 0; i--) {
        lowest = MIN(lowest, tests[i - 1].p * m / i);
        adjusted[tests[i - 1].index] = lowest;
    }
}

TgAdjustedP *tg_stats_adjust(const double *p, guint n)
{
    TgAdjustedP *out = g_new(TgAdjustedP, n);
    g_autofree double *adjusted = g_new(double, n);

    tg_stats_holm(p, n, adjusted);
    for (guint i = 0; i < n; i++)
        out[i].holm = adjusted[i];
    tg_stats_benjamini_hochberg(p, n, adjusted);
    for (guint i = 0; i < n; i++)
        out[i].benjamini_hochberg = adjusted[i];
    return out;
}

guint tg_stats_draws_for(guint n_tests, double alpha, guint least, guint most)
{
    const double needed = ceil(4.0 * n_tests / alpha / 1000.0) * 1000.0;

    return needed > most ? most : MAX(least, (guint) needed);
}
