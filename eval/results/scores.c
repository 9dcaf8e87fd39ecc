#include "eval/results/scores.h"

#include <math.h>
#include <string.h>

TgSheet *tg_sheet_new(GPtrArray *metrics)
{
    TgSheet *sheet = g_new0(TgSheet, 1);

    g_atomic_ref_count_init(&sheet->n_owners);
    sheet->metrics = metrics;
    sheet->first_column = g_new0(guint, metrics->len + 1);
    sheet->first_stat = g_new0(guint, metrics->len + 1);
    for (guint i = 0; i < metrics->len; i++) {
        sheet->n_columns += tg_metric_n_columns(metrics->pdata[i]);
        sheet->n_stats += tg_metric_n_stats(metrics->pdata[i]);
        sheet->first_column[i + 1] = sheet->n_columns;
        sheet->first_stat[i + 1] = sheet->n_stats;
    }
    return sheet;
}

TgSheet *tg_sheet_ref(TgSheet *sheet)
{
    g_atomic_ref_count_inc(&sheet->n_owners);
    return sheet;
}

void tg_sheet_unref(TgSheet *sheet)
{
    if (sheet == NULL || !g_atomic_ref_count_dec(&sheet->n_owners))
        return;
    g_ptr_array_unref(sheet->metrics);
    g_free(sheet->first_column);
    g_free(sheet->first_stat);
    g_free(sheet);
}

const TgMetric *tg_sheet_metric(const TgSheet *sheet, guint metric)
{
    return sheet->metrics->pdata[metric];
}

/* The metric that @column belongs to. */
static guint owner(const TgSheet *sheet, guint column)
{
    guint metric = 0;

    while (sheet->first_column[metric + 1] <= column)
        metric++;
    return metric;
}

const TgColumn *tg_sheet_column(const TgSheet *sheet, guint column)
{
    const guint metric = owner(sheet, column);

    return &tg_metric_info(tg_sheet_metric(sheet, metric))
                ->columns[column - sheet->first_column[metric]];
}

const char *tg_sheet_column_name(const TgSheet *sheet, guint column)
{
    const guint metric = owner(sheet, column);

    return tg_metric_column_name(tg_sheet_metric(sheet, metric),
                                 column - sheet->first_column[metric]);
}

gboolean tg_sheet_is_headline(const TgSheet *sheet, guint column)
{
    return sheet->first_column[owner(sheet, column)] == column;
}

gint tg_sheet_find_column(const TgSheet *sheet, const char *name)
{
    for (guint i = 0; i < sheet->n_columns; i++)
        if (strcmp(tg_sheet_column_name(sheet, i), name) == 0)
            return (gint) i;
    return -1;
}

void tg_scores_init(TgScores *scores, const TgSheet *sheet)
{
    scores->columns = g_new0(double, MAX(sheet->n_columns, 1));
    scores->stats = g_new0(double, MAX(sheet->n_stats, 1));
    scores->has_stats = g_new0(gboolean, sheet->metrics->len);
    scores->status = g_new0(char *, sheet->metrics->len);
    scores->note = g_new0(char *, sheet->metrics->len);
    scores->detail = g_new0(GVariant *, sheet->metrics->len);
    tg_scores_reset(scores, sheet);
}

void tg_scores_reset(TgScores *scores, const TgSheet *sheet)
{
    for (guint i = 0; i < sheet->n_columns; i++)
        scores->columns[i] = NAN;
    for (guint i = 0; i < sheet->metrics->len; i++) {
        scores->has_stats[i] = FALSE;
        g_clear_pointer(&scores->status[i], g_free);
        g_clear_pointer(&scores->note[i], g_free);
        g_clear_pointer(&scores->detail[i], g_variant_unref);
    }
}

void tg_scores_clear(TgScores *scores, const TgSheet *sheet)
{
    tg_scores_reset(scores, sheet);
    g_free(scores->columns);
    g_free(scores->stats);
    g_free(scores->has_stats);
    g_free(scores->status);
    g_free(scores->note);
    g_free(scores->detail);
}

void tg_scores_take(TgScores *scores, const TgSheet *sheet, guint metric, const TgResult *result)
{
    const guint first = sheet->first_column[metric];
    guint n_stats;
    const double *stats = tg_result_stats(result, &n_stats);
    const char *status = tg_result_status(result);

    for (guint i = first; i < sheet->first_column[metric + 1]; i++)
        scores->columns[i] = tg_result_get(result, i - first);
    if (stats != NULL)
        memcpy(scores->stats + sheet->first_stat[metric], stats, n_stats * sizeof(double));
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
