/* The metrics of a run, and the numbers that they give a pair. */
#include <math.h>
#include <string.h>

#include "core/json.h"
#include "eval/results/results.h"
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
        layout->n_stats += ((const TgMetric *) metrics->pdata[i])->n_stats;
        layout->first_column[i + 1] = layout->n_columns;
        layout->first_stat[i + 1] = layout->n_stats;
    }
    layout->width = layout->n_columns + layout->n_stats + metrics->len;
    layout->columns = g_new(const TgColumn *, MAX(layout->n_columns, 1));
    layout->names = g_new0(const char *, layout->n_columns + 1);
    layout->keys = g_new0(char *, layout->n_columns + 1);
    for (guint m = 0; m < metrics->len; m++)
        for (guint i = layout->first_column[m], k = 0; i < layout->first_column[m + 1]; i++, k++) {
            GString *key = g_string_new(NULL);
            layout->columns[i] = &tg_metric_info(metrics->pdata[m])->columns[k];
            layout->names[i] = tg_metric_column_name(metrics->pdata[m], k);
            tg_json_append_key(key, layout->names[i]);
            layout->keys[i] = g_string_free(key, FALSE);
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
    g_free(layout->columns);
    g_free(layout->names);
    g_strfreev(layout->keys);
    g_free(layout);
}

gboolean tg_score_layout_is_share(const TgScoreLayout *layout, guint column)
{
    const TgColumn *info = layout->columns[column];

    return info->pooling != TG_POOL_SUM && info->direction == TG_HIGHER_IS_BETTER &&
           (info->as_percent || info->max == 1.0);
}

gint tg_score_layout_find_column(const TgScoreLayout *layout, const char *name)
{
    for (guint i = 0; i < layout->n_columns; i++)
        if (strcmp(layout->names[i], name) == 0)
            return (gint) i;
    return -1;
}

/* ---- signatures ---- */

json_t *tg_signatures_json(const TgScoreLayout *layout)
{
    json_t *out = json_object();

    for (guint m = 0; m < layout->metrics->len; m++)
        json_object_set_new(out, tg_metric_label(layout->metrics->pdata[m]),
                            json_string(tg_metric_signature(layout->metrics->pdata[m])));
    return out;
}

/* Whether an item of a signature is "FILE:3c45fc0e2ee0". */
static gboolean is_checksum(const char *item)
{
    enum { DIGITS = 12 };
    const char *colon = strrchr(item, ':');

    return colon != NULL && strlen(colon + 1) == DIGITS &&
           strspn(colon + 1, "0123456789abcdef") == DIGITS;
}

json_t *tg_remarks_json(const GPtrArray *remarks)
{
    return remarks->len > 0 ? tg_json_texts(remarks) : NULL;
}

void tg_signatures_note(TgGrid *grid, const TgScoreLayout *layout, const GPtrArray *remarks)
{
    g_autoptr(GString) list = g_string_new(NULL);

    for (guint m = 0; m < layout->metrics->len; m++) {
        const TgMetric *metric = layout->metrics->pdata[m];
        const char *label = tg_metric_label(metric);

        g_string_append(list, m > 0 ? "; " : "");
        if (strcmp(label, metric->spec) != 0)
            g_string_append_printf(list, "%s = ", label);
        /* "bleu smooth:nltk4 v2" of "bleu|smooth:nltk4|v:2" */
        g_auto(GStrv) items = g_strsplit(tg_metric_signature(metric), "|", -1);
        g_string_append(list, items[0]);
        for (guint i = 1; items[0] != NULL && items[i] != NULL; i++) {
            if (items[i + 1] == NULL && g_str_has_prefix(items[i], "v:"))
                g_string_append_printf(list, " v%s", items[i] + 2);
            else if (!is_checksum(items[i]))
                g_string_append_printf(list, " %s", items[i]);
        }
    }
    if (list->len > 0)
        tg_grid_note(grid, "Metrics: %s.", list->str);
    for (guint i = 0; remarks != NULL && i < remarks->len; i++)
        tg_grid_note(grid, "%s.", (const char *) remarks->pdata[i]);
}

/* ---- a pair ---- */

void tg_scores_init(TgScores *scores, const TgScoreLayout *layout)
{
    const guint n = layout->metrics->len;

    scores->columns = g_new(double, MAX(layout->width, 1));
    scores->stats = scores->columns + layout->n_columns;
    scores->has_stats = scores->stats + layout->n_stats;
    scores->status = g_new0(char *, n);
    scores->note = g_new0(char *, n);
    scores->detail = g_new0(GVariant *, n);
    tg_scores_reset(scores, layout);
}

void tg_scores_reset(TgScores *scores, const TgScoreLayout *layout)
{
    for (guint i = 0; i < layout->width; i++)
        scores->columns[i] = i < layout->n_columns ? NAN : 0;
    for (guint i = 0; i < layout->metrics->len; i++) {
        g_clear_pointer(&scores->status[i], g_free);
        g_clear_pointer(&scores->note[i], g_free);
        g_clear_pointer(&scores->detail[i], g_variant_unref);
    }
}

void tg_scores_clear(TgScores *scores, const TgScoreLayout *layout)
{
    tg_scores_reset(scores, layout);
    g_free(scores->columns);
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
    scores->note[metric] = g_strdup(result->note);
    if (result->detail != NULL)
        scores->detail[metric] = g_variant_ref(result->detail);
}

gboolean tg_status_is_ok(const char *status)
{
    return status == NULL || strcmp(status, "ok") == 0 || g_str_has_prefix(status, "ok (");
}

void tg_scores_set_status(TgScores *scores, guint metric, const char *status)
{
    g_free(scores->status[metric]);
    scores->status[metric] = g_strdup(status);
}
