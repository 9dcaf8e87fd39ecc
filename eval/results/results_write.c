/* Writing results.jsonl. */
#include "eval/results/results.h"
#include "metrics/metric.h"
#include "metrics/metric_sets.h"

#include "core/json.h"
#include "render/fonts/font_files.h"

#define FORMAT_VERSION 1

static json_t *column_json(const TgMetric *metric, guint i)
{
    const TgColumn *column = &tg_metric_info(metric)->columns[i];
    static const char *const pooling[] = { "mean", "sum", "stats" };

    return json_pack("{s:s, s:s, s:s}", "name", tg_metric_column_name(metric, i), "better",
                     column->direction == TG_HIGHER_IS_BETTER ? "higher" : "lower", "pooling",
                     pooling[column->pooling]);
}

static json_t *metric_json(const TgMetric *metric)
{
    json_t *columns = json_array();

    for (guint i = 0; i < tg_metric_n_columns(metric); i++)
        json_array_append_new(columns, column_json(metric, i));
    return json_pack("{s:s, s:s, s:s, s:i, s:o}", "label", tg_metric_label(metric), "spec",
                     tg_metric_spec(metric), "signature", tg_metric_signature(metric), "n_stats",
                     (int) tg_metric_n_stats(metric), "columns", columns);
}

/* One line of text from an object, which is freed. */
static char *line(json_t *object)
{
    GString *out = g_string_new(NULL);

    tg_json_append(out, object);
    json_decref(object);
    return g_string_free(out, FALSE);
}

/* Whether scores depend on the fonts. */
static gboolean has_drawings(const TgScoreLayout *layout)
{
    g_autoptr(GPtrArray) drawn = tg_metric_sets_expand("drawn");

    for (guint i = 0; i < layout->metrics->len; i++) {
        const char *name = tg_metric_info(tg_score_layout_metric(layout, i))->name;

        if (g_ptr_array_find_with_equal_func(drawn, name, g_str_equal, NULL))
            return TRUE;
    }
    return FALSE;
}

char *tg_results_header(const TgResultsInfo *info)
{
    json_t *metrics = json_array(), *inputs = json_array();

    for (guint i = 0; i < info->layout->metrics->len; i++)
        json_array_append_new(metrics, metric_json(tg_score_layout_metric(info->layout, i)));
    for (guint i = 0; info->inputs[i] != NULL; i++)
        json_array_append_new(inputs, tg_json_text(info->inputs[i]));
    json_t *options =
        json_pack("{s:s, s:s}", "delimiters", info->delimiters, "undefined", info->undefined);
    if (info->clean != NULL)
        json_object_set_new(options, "clean", json_string(info->clean));
    if (info->token_ids)
        json_object_set_new(options, "tokens", json_string("ids"));
    if (info->renderer != NULL)
        json_object_set_new(options, "renderer", json_string(info->renderer));
    if (has_drawings(info->layout))
        json_object_set_new(options, "fonts", json_string(tg_fonts_hash()));
    if (info->pair_timeout > 0)
        json_object_set_new(options, "pair_timeout", tg_json_number(info->pair_timeout));
    return line(json_pack("{s:i, s:s, s:o, s:o, s:o, s:{s:i, s:i}}", "texgauge_results",
                          FORMAT_VERSION, "version", tg_version(), "metrics", metrics, "options",
                          options, "inputs", inputs, "shard", "index", (int) info->shard, "of",
                          (int) info->n_shards));
}

static json_t *human_json(const TgRecord *record)
{
    json_t *groups = json_object();

    for (guint i = 0; record->human != NULL && i < record->human->len; i++) {
        const TgHumanGroup *group = record->human->pdata[i];
        json_t *scores = json_array();

        for (guint k = 0; k < group->n_scores; k++)
            json_array_append_new(scores, tg_json_number(group->scores[k]));
        json_object_set_new(groups, group->name, scores);
    }
    return groups;
}

static json_t *refs_json(const TgRecord *record)
{
    json_t *refs = json_array();

    for (guint i = 0; record->refs != NULL && i < record->refs->len; i++)
        json_array_append_new(refs, tg_json_text(record->refs->pdata[i]));
    return refs;
}

static json_t *columns_json(const TgScoreLayout *layout, const TgScores *scores)
{
    json_t *object = json_object();

    for (guint i = 0; i < layout->n_columns; i++)
        json_object_set_new(object, tg_score_layout_column_name(layout, i),
                            tg_json_number(scores->columns[i]));
    return object;
}

static json_t *stats_json(const TgScoreLayout *layout, const TgScores *scores)
{
    json_t *object = json_object();

    for (guint m = 0; m < layout->metrics->len; m++) {
        if (!scores->has_stats[m])
            continue;
        json_t *list = json_array();
        for (guint i = layout->first_stat[m]; i < layout->first_stat[m + 1]; i++)
            json_array_append_new(list, tg_json_number(scores->stats[i]));
        json_object_set_new(object, tg_metric_label(tg_score_layout_metric(layout, m)), list);
    }
    return object;
}

static json_t *status_json(const TgScoreLayout *layout, const TgScores *scores)
{
    json_t *object = json_object();

    for (guint m = 0; m < layout->metrics->len; m++)
        json_object_set_new(object, tg_metric_label(tg_score_layout_metric(layout, m)),
                            tg_json_text(scores->status[m] != NULL ? scores->status[m] : "ok"));
    return object;
}

/* Set member @name of @row to an object of what some metrics have, by label; @take makes the JSON
 * of metric @m, or NULL. No member where none has any. */
static void add_some(json_t *row, const char *name, const TgScoreLayout *layout,
                     const TgScores *scores, json_t *(*take)(const TgScores *scores, guint m))
{
    json_t *object = json_object();

    for (guint m = 0; m < layout->metrics->len; m++) {
        json_t *value = take(scores, m);

        if (value != NULL)
            json_object_set_new(object, tg_metric_label(tg_score_layout_metric(layout, m)), value);
    }
    if (json_object_size(object) > 0)
        json_object_set(row, name, object);
    json_decref(object);
}

static json_t *note_json(const TgScores *scores, guint m)
{
    return scores->note[m] != NULL ? tg_json_text(scores->note[m]) : NULL;
}

static json_t *detail_json(const TgScores *scores, guint m)
{
    return scores->detail[m] != NULL ? tg_json_variant(scores->detail[m]) : NULL;
}

void tg_results_append_row(GString *out, const TgScoreLayout *layout, const TgRecord *record,
                           const TgScores *scores)
{
    json_t *row = json_object();

    json_object_set_new(row, "row", json_integer((json_int_t) record->row));
    json_object_set_new(row, "id", tg_json_text(record->id));
    json_object_set_new(row, "model", tg_json_text(record->model));
    json_object_set_new(row, "subset", tg_json_text(record->subset));
    json_object_set_new(row, "gt", refs_json(record));
    json_object_set_new(row, "pred", tg_json_text(record->hyp));
    json_object_set_new(row, "human", human_json(record));
    if (record->stored != NULL)
        json_object_set(row, "stored", record->stored);
    json_object_set_new(row, "scores", columns_json(layout, scores));
    json_object_set_new(row, "stats", stats_json(layout, scores));
    json_object_set_new(row, "status", status_json(layout, scores));
    add_some(row, "notes", layout, scores, note_json);
    add_some(row, "detail", layout, scores, detail_json);
    tg_json_append(out, row);
    g_string_append_c(out, '\n');
    json_decref(row);
}

char *tg_results_footer(guint64 n_rows, const TgSourceInput *inputs, guint n_inputs)
{
    json_t *list = json_array();

    for (guint i = 0; i < n_inputs; i++)
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:o}", "file", tg_json_text(inputs[i].name),
                                        "format", tg_json_text(inputs[i].format), "sha256",
                                        tg_json_text(inputs[i].sha256)));
    return line(
        json_pack("{s:b, s:I, s:o}", "end", 1, "rows", (json_int_t) n_rows, "inputs", list));
}
