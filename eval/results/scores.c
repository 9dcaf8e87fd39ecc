#include "eval/results/scores.h"

#include <math.h>
#include <string.h>

#include "metrics/metric.h"

TgScoreLayout *tg_score_layout_new(GPtrArray *metrics)
{
    TgScoreLayout *layout = g_new0(TgScoreLayout, 1);

    g_atomic_ref_count_init(&layout->n_owners);
    layout->metrics = metrics;
    layout->first_column = g_new0(guint, metrics->len + 1);
    layout->first_stat = g_new0(guint, metrics->len + 1);
    for (guint i = 0; i < metrics->len; i++) {
        layout->n_columns += tg_metric_n_columns(metrics->pdata[i]);
        layout->n_stats += tg_metric_n_stats(metrics->pdata[i]);
        layout->first_column[i + 1] = layout->n_columns;
        layout->first_stat[i + 1] = layout->n_stats;
    }
    return layout;
}

TgScoreLayout *tg_score_layout_ref(TgScoreLayout *layout)
{
    g_atomic_ref_count_inc(&layout->n_owners);
    return layout;
}

void tg_score_layout_unref(TgScoreLayout *layout)
{
    if (layout == NULL || !g_atomic_ref_count_dec(&layout->n_owners))
        return;
    g_ptr_array_unref(layout->metrics);
    g_free(layout->first_column);
    g_free(layout->first_stat);
    g_free(layout);
}

const TgMetric *tg_score_layout_metric(const TgScoreLayout *layout, guint metric)
{
    return layout->metrics->pdata[metric];
}

/* The metric that @column belongs to. */
static guint metric_of_column(const TgScoreLayout *layout, guint column)
{
    guint metric = 0;

    while (layout->first_column[metric + 1] <= column)
        metric++;
    return metric;
}

const TgColumn *tg_score_layout_column(const TgScoreLayout *layout, guint column)
{
    const guint metric = metric_of_column(layout, column);

    return &tg_metric_info(tg_score_layout_metric(layout, metric))
                ->columns[column - layout->first_column[metric]];
}

const char *tg_score_layout_column_name(const TgScoreLayout *layout, guint column)
{
    const guint metric = metric_of_column(layout, column);

    return tg_metric_column_name(tg_score_layout_metric(layout, metric),
                                 column - layout->first_column[metric]);
}

gboolean tg_score_layout_is_headline(const TgScoreLayout *layout, guint column)
{
    return layout->first_column[metric_of_column(layout, column)] == column;
}

gboolean tg_score_layout_is_share(const TgScoreLayout *layout, guint column)
{
    const TgColumn *info = tg_score_layout_column(layout, column);

    return info->pooling != TG_POOL_SUM && (info->as_percent || info->max == 1.0);
}

gint tg_score_layout_find_column(const TgScoreLayout *layout, const char *name)
{
    for (guint i = 0; i < layout->n_columns; i++)
        if (strcmp(tg_score_layout_column_name(layout, i), name) == 0)
            return (gint) i;
    return -1;
}

void tg_scores_init(TgScores *scores, const TgScoreLayout *layout)
{
    scores->columns = g_new0(double, MAX(layout->n_columns, 1));
    scores->stats = g_new0(double, MAX(layout->n_stats, 1));
    scores->has_stats = g_new0(gboolean, layout->metrics->len);
    scores->status = g_new0(char *, layout->metrics->len);
    scores->note = g_new0(char *, layout->metrics->len);
    scores->detail = g_new0(GVariant *, layout->metrics->len);
    tg_scores_reset(scores, layout);
}

void tg_scores_reset(TgScores *scores, const TgScoreLayout *layout)
{
    for (guint i = 0; i < layout->n_columns; i++)
        scores->columns[i] = NAN;
    for (guint i = 0; i < layout->metrics->len; i++) {
        scores->has_stats[i] = FALSE;
        g_clear_pointer(&scores->status[i], g_free);
        g_clear_pointer(&scores->note[i], g_free);
        g_clear_pointer(&scores->detail[i], g_variant_unref);
    }
}

void tg_scores_clear(TgScores *scores, const TgScoreLayout *layout)
{
    tg_scores_reset(scores, layout);
    g_free(scores->columns);
    g_free(scores->stats);
    g_free(scores->has_stats);
    g_free(scores->status);
    g_free(scores->note);
    g_free(scores->detail);
}

void tg_scores_take(TgScores *scores, const TgScoreLayout *layout, guint metric,
                    const TgResult *result)
{
    const guint first = layout->first_column[metric];
    guint n_stats;
    const double *stats = tg_result_stats(result, &n_stats);
    const char *status = tg_result_status(result);

    for (guint i = first; i < layout->first_column[metric + 1]; i++)
        scores->columns[i] = tg_result_get(result, i - first);
    if (stats != NULL)
        memcpy(scores->stats + layout->first_stat[metric], stats, n_stats * sizeof(double));
    scores->has_stats[metric] = stats != NULL;
    if (strcmp(status, "ok") != 0)
        tg_scores_set_status(scores, metric, status);
    g_free(scores->note[metric]);
    scores->note[metric] = g_strdup(tg_result_note(result));
    if (tg_result_detail(result) != NULL)
        scores->detail[metric] = g_variant_ref(tg_result_detail(result));
}

void tg_scores_set_status(TgScores *scores, guint metric, const char *status)
{
    g_free(scores->status[metric]);
    scores->status[metric] = g_strdup(status);
}
