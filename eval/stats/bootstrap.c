#include "eval/stats/stats.h"

#include <math.h>
#include <stdlib.h>

#include "core/random.h"

enum { MAX_JACKKNIFE = 1000 };

void tg_bootstrap_draw(guint64 seed, guint index, guint n, guint32 *rows)
{
    TgRandom random;

    tg_random_seed(&random, seed, index);
    for (guint i = 0; i < n; i++)
        rows[i] = tg_random_below(&random, n);
}

void tg_bootstrap_replicate(TgStatisticFunc statistic, gpointer data, guint n, guint n_resamples,
                            guint64 seed, double *out)
{
    g_autofree guint32 *rows = g_new(guint32, n);

    for (guint k = 0; k < n_resamples; k++) {
        tg_bootstrap_draw(seed, k, n, rows);
        out[k] = statistic(rows, n, data);
    }
}

double *tg_bootstrap_jackknife(TgStatisticFunc statistic, gpointer data, guint n, guint *n_values)
{
    const guint parts = *n_values = MIN(n, MAX_JACKKNIFE);
    double *values = g_new(double, parts);
    g_autofree guint32 *rows = g_new(guint32, n);

    for (guint part = 0; part < parts; part++) {
        guint kept = 0;

        for (guint i = 0; i < n; i++) {
            if (i % parts != part)
                rows[kept++] = i;
        }
        values[part] = statistic(rows, kept, data);
    }
    return values;
}

int tg_stats_compare(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

void tg_stats_sort(double *values, guint n)
{
    if (n > 1)
        qsort(values, n, sizeof *values, tg_stats_compare);
}

double tg_stats_quantile(const double *sorted, guint n, double q)
{
    const double at = q * (n - 1);
    const guint below = MIN((guint) at, n - 1), above = MIN(below + 1, n - 1);

    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

double *tg_stats_defined(const double *values, guint n, guint *n_defined)
{
    double *kept = g_new(double, n);

    *n_defined = 0;
    for (guint i = 0; i < n; i++) {
        if (!isnan(values[i]))
            kept[(*n_defined)++] = values[i];
    }
    return kept;
}

void tg_bootstrap_percentile(const double *replicates, guint n_resamples, double tail,
                             double interval[2])
{
    guint n;
    g_autofree double *sorted = tg_stats_defined(replicates, n_resamples, &n);

    tg_stats_sort(sorted, n);
    interval[0] = n > 1 ? tg_stats_quantile(sorted, n, tail) : NAN;
    interval[1] = n > 1 ? tg_stats_quantile(sorted, n, 1.0 - tail) : NAN;
}

/* The acceleration, and the degrees of freedom of the variance that the jackknife estimates; NaN
 * where nothing varies. */
static void read_jackknife(const double *jackknife, guint n, TgBootstrap *out)
{
    const double center = tg_stats_mean(jackknife, n); /* NaN if one of them is */
    double squares = 0.0, cubes = 0.0, fourths = 0.0;

    for (guint i = 0; i < n; i++) {
        const double d = center - jackknife[i];

        squares += d * d;
        cubes += d * d * d;
        fourths += d * d * (d * d);
    }
    out->acceleration = squares == 0.0 ? 0.0 : cubes / (6.0 * pow(squares, 1.5));
    if (n > 1 && fourths > 0.0)
        out->df = 2.6 / MAX(fourths / (squares * squares) - 1.0 / n, 2.6 / (n - 1.0));
}

void tg_bootstrap_intervals(double estimate, const double *replicates, guint n_resamples,
                            const double *jackknife, guint n_jackknife, double level,
                            TgBootstrap *out)
{
    const double ends[2] = { (1.0 - level) / 2, (1.0 + level) / 2 };
    guint n;
    g_autofree double *sorted = tg_stats_defined(replicates, n_resamples, &n);
    guint below = 0, not_above = 0;

    *out = (TgBootstrap){
        .estimate = estimate,
        .se = NAN,
        .percentile = { NAN, NAN },
        .bca = { NAN, NAN },
        .z0 = NAN,
        .acceleration = NAN,
        .t = { NAN, NAN },
        .df = NAN,
        .n_undefined = n_resamples - n,
    };
    if (isnan(estimate) || n < 2)
        return;
    tg_stats_sort(sorted, n);
    out->se = sqrt(tg_stats_squared_deviations(sorted, n) / (n - 1));
    for (guint i = 0; i < n; i++) {
        below += sorted[i] < estimate;
        not_above += sorted[i] <= estimate;
    }
    out->z0 = tg_special_normal_quantile(((double) below + not_above) / (2.0 * n));
    read_jackknife(jackknife, n_jackknife, out);
    /* rounded values that should be equal may differ in their last digits */
    if (!isnan(out->df) && out->se > 1e-9 * fabs(estimate)) {
        const double half = out->se * tg_special_student_quantile(level, out->df);

        out->t[0] = estimate - half;
        out->t[1] = estimate + half;
    }
    for (guint i = 0; i < 2; i++) {
        const double z = out->z0 + tg_special_normal_quantile(ends[i]);
        const double bca = tg_special_normal_cdf(out->z0 + z / (1.0 - out->acceleration * z));

        out->percentile[i] = tg_stats_quantile(sorted, n, ends[i]);
        if (isfinite(out->z0) && !isnan(bca))
            out->bca[i] = tg_stats_quantile(sorted, n, bca);
    }
}

double tg_bootstrap_p(double estimate, const double *replicates, guint n_resamples,
                      TgTestRules rules)
{
    const gboolean as_sacrebleu = rules == TG_TEST_SACREBLEU;
    guint n, beyond = 0;
    g_autofree double *values = tg_stats_defined(replicates, n_resamples, &n);

    for (guint i = 0; as_sacrebleu && i < n; i++)
        values[i] = fabs(values[i]);
    const double center = tg_stats_mean(values, n);
    if (isnan(estimate) || n == 0)
        return NAN;
    for (guint i = 0; i < n; i++)
        beyond += as_sacrebleu ? values[i] - center > fabs(estimate)
                               : fabs(values[i] - center) >= fabs(estimate);
    return (beyond + 1.0) / (n + 1.0);
}
