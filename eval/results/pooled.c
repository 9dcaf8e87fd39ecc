#include "eval/results/pooled.h"

#include <math.h>

#include "core/number.h"
#include "metrics/metric.h"

TgPooled *tg_pooled_new(const TgScoreLayout *layout)
{
    TgPooled *pooled = g_new0(TgPooled, 1);

    pooled->n_defined = g_new0(guint64, MAX(layout->n_columns, 1));
    pooled->columns = g_new0(TgExactSum, MAX(layout->n_columns, 1));
    pooled->stats = g_new0(TgExactSum, MAX(layout->n_stats, 1));
    pooled->n_failed = g_new0(guint64, layout->metrics->len);
    pooled->n_stat_rows = g_new0(guint64, layout->metrics->len);
    return pooled;
}

void tg_pooled_free(TgPooled *pooled)
{
    if (pooled == NULL)
        return;
    g_free(pooled->n_defined);
    g_free(pooled->columns);
    g_free(pooled->stats);
    g_free(pooled->n_failed);
    g_free(pooled->n_stat_rows);
    g_free(pooled);
}

void tg_pooled_add(TgPooled *pooled, const TgScoreLayout *layout, const TgScores *scores)
{
    pooled->n_pairs++;
    for (guint i = 0; i < layout->n_columns; i++)
        if (!isnan(scores->columns[i])) {
            pooled->n_defined[i]++;
            tg_exact_sum_add(&pooled->columns[i], scores->columns[i]);
        }
    for (guint m = 0; m < layout->metrics->len; m++) {
        pooled->n_failed[m] += scores->status[m] != NULL;
        if (!scores->has_stats[m])
            continue;
        pooled->n_stat_rows[m]++;
        for (guint i = layout->first_stat[m]; i < layout->first_stat[m + 1]; i++)
            tg_exact_sum_add(&pooled->stats[i], scores->stats[i]);
    }
}

static void merge_sums(TgExactSum *into, const TgExactSum *from, guint n)
{
    for (guint i = 0; i < n; i++)
        for (guint k = 0; k < from[i].n; k++)
            tg_exact_sum_add(&into[i], from[i].part[k]);
}

void tg_pooled_merge(TgPooled *pooled, const TgScoreLayout *layout, const TgPooled *other)
{
    pooled->n_pairs += other->n_pairs;
    for (guint i = 0; i < layout->n_columns; i++)
        pooled->n_defined[i] += other->n_defined[i];
    for (guint m = 0; m < layout->metrics->len; m++) {
        pooled->n_failed[m] += other->n_failed[m];
        pooled->n_stat_rows[m] += other->n_stat_rows[m];
    }
    merge_sums(pooled->columns, other->columns, layout->n_columns);
    merge_sums(pooled->stats, other->stats, layout->n_stats);
}

guint64 tg_pooled_n_undefined(const TgPooled *pooled, const TgScoreLayout *layout, guint metric)
{
    if (tg_metric_n_stats(tg_score_layout_metric(layout, metric)) > 0)
        return pooled->n_pairs - pooled->n_stat_rows[metric];
    return pooled->n_pairs - pooled->n_defined[layout->first_column[metric]];
}

/* Columns of one metric that pool() makes from its summed statistics. */
static void pool_stats(const TgPooled *pooled, const TgScoreLayout *layout, guint metric,
                       double *out)
{
    const TgMetric *m = tg_score_layout_metric(layout, metric);
    const guint first = layout->first_stat[metric];
    const guint n = layout->first_stat[metric + 1] - first;
    g_autofree double *stats = g_new(double, MAX(n, 1));

    for (guint i = 0; i < n; i++)
        stats[i] = tg_exact_sum_value(&pooled->stats[first + i]);
    tg_metric_pool(m, stats, out);
}

void tg_pooled_values(const TgPooled *pooled, const TgScoreLayout *layout, double *out)
{
    for (guint m = 0; m < layout->metrics->len; m++) {
        const guint first = layout->first_column[m];
        const guint end = layout->first_column[m + 1];
        g_autofree double *from_stats = g_new(double, end - first);

        for (guint i = first; i < end; i++)
            from_stats[i - first] = NAN;
        if (pooled->n_stat_rows[m] > 0)
            pool_stats(pooled, layout, m, from_stats);
        for (guint i = first; i < end; i++) {
            const TgPooling pooling = tg_score_layout_column(layout, i)->pooling;
            const double sum = tg_exact_sum_value(&pooled->columns[i]);

            if (pooling == TG_POOL_STATS)
                out[i] = from_stats[i - first];
            else if (pooled->n_defined[i] == 0)
                out[i] = NAN;
            else
                out[i] = tg_number_round(
                    pooling == TG_POOL_SUM ? sum : sum / (double) pooled->n_defined[i]);
        }
    }
}
