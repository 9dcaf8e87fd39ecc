#include "eval/stats_significance.h"

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "eval/stats_bootstrap.h"

static void add_row(double *sum, const TgAdditive *system, guint row)
{
    const double *stats = system->rows + (gsize) row * system->n_stats;

    for (guint s = 0; s < system->n_stats; s++)
        sum[s] += stats[s];
}

double tg_additive_statistic(const guint32 *rows, guint n, gpointer additive)
{
    const TgAdditive *system = additive;
    g_autofree double *sum = g_new0(double, system->n_stats);

    for (guint i = 0; i < n; i++)
        add_row(sum, system, rows != NULL ? rows[i] : i);
    return system->pool(sum, system->data);
}

void tg_stats_cut_interval(const double *replicates, guint n_resamples, TgCutInterval *out)
{
    g_autofree double *sorted = g_new(double, n_resamples);
    double sum = 0.0;
    guint n = 0, cut;

    for (guint k = 0; k < n_resamples; k++) {
        if (isnan(replicates[k]))
            continue;
        sorted[n++] = replicates[k];
        sum += replicates[k];
    }
    *out = (TgCutInterval){ NAN, NAN };
    if (n == 0)
        return;
    tg_stats_sort(sorted, n);
    cut = n / 40;
    out->mean = sum / n;
    out->half_width = (sorted[n - 1 - cut] - sorted[cut]) / 2;
}

double tg_stats_paired_bootstrap_p(double base, double system, const double *base_replicates,
                                   const double *system_replicates, guint n_resamples)
{
    g_autofree double *differences = g_new(double, n_resamples);
    const double observed = fabs(system - base);
    double sum = 0.0;
    guint n = 0, beyond = 0;

    for (guint k = 0; k < n_resamples; k++) {
        const double difference = fabs(system_replicates[k] - base_replicates[k]);

        if (isnan(difference))
            continue;
        differences[n++] = difference;
        sum += difference;
    }
    if (isnan(observed) || n == 0)
        return NAN;
    for (guint k = 0; k < n; k++)
        beyond += differences[k] - sum / n > observed;
    return (beyond + 1.0) / (n + 1.0);
}

/* One trial's swaps, 64 a draw. */
static void draw_mask(guint64 seed, guint trial, guint n, guint8 *mask)
{
    TgRandom random;
    guint64 bits = 0;

    tg_random_seed(&random, seed, trial);
    for (guint i = 0; i < n; i++, bits >>= 1) {
        if (i % 64 == 0)
            bits = tg_random_next(&random);
        mask[i] = bits & 1;
    }
}

/* The difference of the two mixes' scores. */
static double mixed_difference(const TgAdditive *base, const TgAdditive *system, const guint8 *mask,
                               double *sum_a, double *sum_b)
{
    memset(sum_a, 0, base->n_stats * sizeof *sum_a);
    memset(sum_b, 0, base->n_stats * sizeof *sum_b);
    for (guint i = 0; i < base->n; i++) {
        add_row(sum_a, mask[i] ? base : system, i);
        add_row(sum_b, mask[i] ? system : base, i);
    }
    return fabs(base->pool(sum_a, base->data) - system->pool(sum_b, system->data));
}

double tg_stats_paired_randomization_p(const TgAdditive *base, const TgAdditive *system,
                                       guint n_trials, const guint8 *given, guint64 seed)
{
    g_autofree guint8 *drawn = g_new(guint8, base->n);
    g_autofree double *sum_a = g_new(double, base->n_stats);
    g_autofree double *sum_b = g_new(double, base->n_stats);
    double observed;
    guint n = 0, beyond = 0;

    g_return_val_if_fail(base->n == system->n && base->n_stats == system->n_stats, NAN);
    observed = fabs(tg_additive_statistic(NULL, system->n, (gpointer) system) -
                    tg_additive_statistic(NULL, base->n, (gpointer) base));
    if (isnan(observed))
        return NAN;
    for (guint k = 0; k < n_trials; k++) {
        const guint8 *mask = given != NULL ? given + (gsize) k * base->n : drawn;
        double difference;

        if (given == NULL)
            draw_mask(seed, k, base->n, drawn);
        difference = mixed_difference(base, system, mask, sum_a, sum_b);
        n += !isnan(difference);
        beyond += difference > observed;
    }
    return n == 0 ? NAN : (beyond + 1.0) / (n + 1.0);
}

void tg_stats_effect(const double *a, const double *b, guint n, TgEffect *out)
{
    double sum = 0.0, squares = 0.0, first = NAN;
    gboolean varied = FALSE;

    *out = (TgEffect){ .mean_difference = NAN, .d_z = NAN, .superiority = NAN };
    for (guint i = 0; i < n; i++) {
        const double difference = b[i] - a[i];

        if (isnan(difference))
            continue;
        if (out->n++ == 0)
            first = difference;
        varied |= difference != first;
        sum += difference;
        out->n_higher += difference > 0.0;
        out->n_equal += difference == 0.0;
        out->n_lower += difference < 0.0;
    }
    if (out->n == 0)
        return;
    out->mean_difference = sum / out->n;
    out->superiority = (out->n_higher + out->n_equal / 2.0) / out->n;
    for (guint i = 0; i < n; i++) {
        const double d = b[i] - a[i] - out->mean_difference;

        squares += isnan(d) ? 0.0 : d * d;
    }
    if (varied)
        out->d_z = out->mean_difference / sqrt(squares / (out->n - 1));
}
