#include "eval/stats/paired.h"

#include <math.h>
#include <string.h>

typedef struct {
    const TgAdditive *base, *system;
} Systems;

/* Both systems' difference without one pair at a time. */
static void leave_one_out(const Systems *s, double *out)
{
    const guint n = s->base->n, n_stats = s->base->n_stats;
    g_autofree double *sums = g_new0(double, 4 * (gsize) n_stats);
    double *base = sums, *system = sums + n_stats, *rest_a = sums + 2 * (gsize) n_stats,
           *rest_b = sums + 3 * (gsize) n_stats;

    for (gsize i = 0; i < (gsize) n * n_stats; i++) {
        base[i % n_stats] += s->base->rows[i];
        system[i % n_stats] += s->system->rows[i];
    }
    for (gsize i = 0; i < n; i++) {
        for (guint k = 0; k < n_stats; k++) {
            rest_a[k] = base[k] - s->base->rows[i * n_stats + k];
            rest_b[k] = system[k] - s->system->rows[i * n_stats + k];
        }
        out[i] = s->system->pool(rest_b, s->system->data) - s->base->pool(rest_a, s->base->data);
    }
}

static guint count_differing(const TgAdditive *base, const TgAdditive *system)
{
    const gsize size = base->n_stats * sizeof *base->rows;
    guint n = 0;

    for (gsize i = 0; i < base->n; i++)
        n += memcmp(base->rows + i * base->n_stats, system->rows + i * base->n_stats, size) != 0;
    return n;
}

static void test_difference(const Systems *s, const TgPairedOptions *options, TgPairedTest *out)
{
    const guint n_resamples = options->resamples;
    const TgAdditive systems[] = { *s->base, *s->system };
    g_autofree double *base = g_new(double, 2 * (gsize) n_resamples);
    const double *system = base + n_resamples;
    g_autofree double *differences = g_new(double, n_resamples);
    g_autofree double *jackknife = g_new(double, s->base->n);
    const double difference = out->system - out->base;

    tg_additive_replicate(systems, 2, n_resamples, options->seed, base);
    for (guint k = 0; k < n_resamples; k++)
        differences[k] = system[k] - base[k];
    leave_one_out(s, jackknife);
    tg_bootstrap_intervals(difference, differences, n_resamples, jackknife, s->base->n,
                           options->level, &out->bootstrap);
    tg_stats_trimmed_interval(base, n_resamples, &out->base_interval);
    tg_stats_trimmed_interval(system, n_resamples, &out->system_interval);
    if (options->rules == TG_TEST_SACREBLEU)
        out->bootstrap_p =
            tg_stats_paired_bootstrap_p(out->base, out->system, base, system, n_resamples);
    else if (out->n_differing > 0)
        out->bootstrap_p = tg_bootstrap_p(difference, differences, n_resamples);
    out->randomization_p = tg_stats_paired_randomization_p(s->base, s->system, options->trials,
                                                           NULL, options->seed, options->rules);
}

void tg_stats_paired(const TgAdditive *base, const TgAdditive *system,
                     const TgPairedOptions *options, TgPairedTest *out)
{
    const Systems systems = { base, system };

    *out = (TgPairedTest){
        .base = tg_additive_statistic(NULL, base->n, (gpointer) base),
        .system = tg_additive_statistic(NULL, system->n, (gpointer) system),
        .n_differing = count_differing(base, system),
        .base_interval = { NAN, NAN },
        .system_interval = { NAN, NAN },
        .bootstrap_p = NAN,
        .randomization_p = NAN,
    };
    tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, options->level, &out->bootstrap);
    if (!isnan(out->base) && !isnan(out->system))
        test_difference(&systems, options, out);
}
