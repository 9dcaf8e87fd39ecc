/* More metrics for finished results. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/json.h"
#include "eval/run/scorer.h"
#include "metrics/metric.h"

typedef struct {
    TgResultsReader *reader;
    TgScorer *scorer;   /* of the new metrics */
    TgScoreLayout *all; /* the file's metrics, then the new ones */
    TgSummary *summary;
    TgOutput *output;
    TgSeal seal; /* of its lines */
} Add;

/* A line of the file; its texts are those of row.json, which is its own. */
typedef struct {
    const Add *add;
    TgResultsRow row;
    TgScores scores; /* of all metrics */
} Line;

/* The new metrics, by the rules of the run. */
static TgScorer *open_scorer(const TgRunHeader *run, const char *metrics, GError **error)
{
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);
    TgEvalOptions options = { 0 };

    if (!tg_args_restore(tg_run_args, &options, json_object_get(run->json, "options"), pool, error))
        return NULL;
    const TgScorerOptions how = tg_eval_scorer_options(&options);
    return tg_scorer_new(metrics, &how, error);
}

/* The file's metrics and the new ones, which must not be there already. */
static gboolean join_layouts(Add *add, GError **error)
{
    const TgScoreLayout *layouts[] = { add->reader->header->layout, add->scorer->layout };
    g_autoptr(GHashTable) labels = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *metrics = g_ptr_array_new_with_free_func((GDestroyNotify) tg_metric_free);

    for (guint k = 0; k < G_N_ELEMENTS(layouts); k++)
        for (guint m = 0; m < layouts[k]->metrics->len; m++) {
            const TgMetric *metric = layouts[k]->metrics->pdata[m];
            TgMetric *copy = NULL;

            if (!g_hash_table_add(labels, (gpointer) tg_metric_label(metric)))
                tg_fail_usage(
                    error, "the results have '%s' already; give the new one a label, as in new=%s",
                    tg_metric_label(metric), metric->spec);
            else
                copy = tg_metric_new_as(metric->spec, tg_metric_label(metric), error);
            if (copy == NULL) {
                g_ptr_array_unref(metrics);
                return FALSE;
            }
            g_ptr_array_add(metrics, copy);
        }
    add->all = tg_score_layout_new(metrics);
    return TRUE;
}

static gboolean put_line(Add *add, const json_t *line, GError **error)
{
    g_autoptr(GString) plain = g_string_new(NULL), text = g_string_new(NULL);

    tg_json_append(plain, line);
    tg_seal_append(&add->seal, plain->str, plain->len, text);
    if (fwrite(text->str, 1, text->len, add->output->file) == text->len)
        return TRUE;
    return tg_fail(error, TG_ERROR_OUTPUT, "the output: %s", g_strerror(errno));
}

/* The old header with the new metrics after the others. */
static gboolean write_header(Add *add, GError **error)
{
    const json_t *run_options = json_object_get(add->reader->header->json, "options");
    const TgResultsInfo info = {
        .layout = add->scorer->layout, .options = run_options, .shard = 1, .n_shards = 1
    };
    g_autofree char *text = tg_results_header(&info);
    json_auto_t *fresh = json_loads(text, 0, NULL);
    json_auto_t *header = json_deep_copy(add->reader->header->json);

    json_t *options = json_object_get(header, "options");
    const json_t *fonts = json_object_get(json_object_get(fresh, "options"), "fonts");
    const json_t *old = json_object_get(options, "fonts");

    if (fonts != NULL && old != NULL && !json_equal(fonts, old))
        return tg_fail_input(error,
                             "the results were scored with fonts '%s', but this program has '%s'",
                             json_string_value(old), json_string_value(fonts));
    json_object_update_missing(options, json_object_get(fresh, "options"));
    json_object_set(header, "texgauge_results", json_object_get(fresh, "texgauge_results"));
    json_array_extend(json_object_get(header, "metrics"), json_object_get(fresh, "metrics"));
    return put_line(add, header, error);
}

/* The old footer, and what the new checksums would hide; that rows are missing still shows. */
static gboolean write_footer(Add *add, GError **error)
{
    const TgResultsReader *reader = add->reader;
    TgDamage changed = reader->damage;

    if (reader->footer == NULL)
        return tg_fail_input(
            error,
            "%s: its last line is missing: finish the run with eval --resume, then "
            "add metrics",
            reader->header->path);
    char *remark = tg_results_remark(reader);
    json_auto_t *footer = json_deep_copy(reader->footer);
    if (remark != NULL)
        g_ptr_array_add(add->summary->remarks, remark);
    if (changed.n_changed > 0) {
        changed.n_missing = 0;
        g_autofree char *text = tg_damage_text(&changed, reader->header->path);
        json_t *list = json_object_get(footer, "changed");

        if (!json_is_array(list)) {
            list = json_array();
            json_object_set_new(footer, "changed", list);
        }
        json_array_append_new(list, tg_json_text(text));
    }
    return put_line(add, footer, error);
}

/* A row that could not be used says "FILE:LINE: why" for every metric; else NULL. */
static const char *fault_of(const TgResultsReader *reader, const TgResultsRow *row)
{
    const json_t *inputs = json_object_get(reader->header->json, "inputs");
    const TgScoreLayout *layout = reader->header->layout;
    const char *status = layout->metrics->len > 0 ? row->scores.status[0] : NULL;

    if (json_array_size(json_object_get(row->json, "gt")) == 0)
        return status != NULL ? status : "no reference";
    for (gsize i = 0; status != NULL && i < json_array_size(inputs); i++) {
        const char *name = json_string_value(json_array_get(inputs, i));
        const gsize n = name != NULL ? strlen(name) : 0;

        if (n > 0 && strncmp(status, name, n) == 0 && status[n] == ':')
            return status;
    }
    return NULL;
}

/* Put the numbers of some metrics at their place among those of all. */
static void put_scores(TgScores *all, const TgScores *scores, const TgScoreLayout *layout,
                       guint first_column, guint first_stat, guint first_metric)
{
    const guint n = layout->metrics->len;

    memcpy(all->columns + first_column, scores->columns, layout->n_columns * sizeof(double));
    memcpy(all->stats + first_stat, scores->stats, layout->n_stats * sizeof(double));
    memcpy(all->has_stats + first_metric, scores->has_stats, n * sizeof(double));
    for (guint m = 0; m < n; m++)
        if (scores->status[m] != NULL)
            tg_scores_set_status(all, first_metric + m, scores->status[m]);
}

/* ---- lines through the scorer ---- */

static void free_line(gpointer data)
{
    Line *line = data;

    json_decref(line->row.json);
    tg_scores_clear(&line->scores, line->add->all);
    g_free(line);
}

/* Keep a row that the reader lends. Its line is taken, not shared: jansson looks at counts of
 * references in a way that is a race between threads. */
static TgNext next_line(gpointer data, TgFlowRow *out, GError **error)
{
    Add *add = data;
    const TgResultsRow *row;
    const TgNext next = tg_results_next(add->reader, &row, error);

    if (next != TG_NEXT_ROW)
        return next;
    const json_t *refs = json_object_get(row->json, "gt");
    Line *line = out->own = g_new(Line, 1);

    *line = (Line){ .add = add, .row = *row };
    line->row.json = g_steal_pointer(&add->reader->row.json);
    tg_scores_init(&line->scores, add->all);
    put_scores(&line->scores, &row->scores, row->layout, 0, 0, 0);
    tg_record_reset(&out->record);
    out->record.row = (gsize) row->row;
    out->record.id = g_strdup(row->id);
    out->record.stored = json_incref(json_object_get(line->row.json, "stored"));
    out->record.hyp = g_strdup(json_string_value(json_object_get(line->row.json, "pred")));
    for (gsize i = 0; i < json_array_size(refs); i++)
        g_ptr_array_add(out->record.refs, g_strdup(json_string_value(json_array_get(refs, i))));
    out->record.fault = g_strdup(fault_of(add->reader, &line->row));
    return TG_NEXT_ROW;
}

/* Add the new scores to the lines of the pairs, and to the summary. */
static gboolean emit_lines(gpointer data, TgFlowRow *rows, guint n, const GString *ignored,
                           GError **error)
{
    static const char *const members[] = { "scores", "stats", "status", "notes", "detail" };
    Add *add = data;
    const TgScoreLayout *old = add->reader->header->layout;
    const TgScoreLayout *new = add->scorer->layout;

    (void) ignored;
    for (guint i = 0; i < n; i++) {
        Line *line = rows[i].own;
        const TgSummaryPair pair = tg_summary_pair_of_row(&line->row, line->row.model);
        g_autoptr(GString) text = g_string_new(NULL);

        g_clear_pointer(&rows[i].record.stored, json_decref); /* is in the line */
        tg_results_append_row(text, new, &rows[i].record, &rows[i].scores);
        json_auto_t *scored = json_loadb(text->str, text->len, 0, NULL);
        for (guint k = 0; k < G_N_ELEMENTS(members); k++) {
            json_t *added = json_object_get(scored, members[k]);
            json_t *there = json_object_get(line->row.json, members[k]);

            if (there != NULL && added != NULL)
                json_object_update(there, added);
            else if (added != NULL)
                json_object_set(line->row.json, members[k], added);
        }
        put_scores(&line->scores, &rows[i].scores, new, old->n_columns, old->n_stats,
                   old->metrics->len);
        tg_summary_add_pair(add->summary, &pair, &line->scores);
        if (!put_line(add, line->row.json, error))
            return FALSE;
    }
    return TRUE;
}

TgSummary *tg_eval_add(const char *path, const char *metrics, const char *output,
                       const TgSummaryOptions *options, guint threads, GError **error)
{
    Add add = { .reader = tg_results_open(path, error) };
    TgSummaryOptions own = *options;
    gboolean good = add.reader != NULL &&
                    (add.scorer = open_scorer(add.reader->header, metrics, error)) != NULL &&
                    join_layouts(&add, error);
    const TgFlow flow = { .scorer = add.scorer,
                          .threads = threads,
                          .data = &add,
                          .next = next_line,
                          .emit = emit_lines,
                          .free_own = free_line };

    if (good && own.mean == NULL)
        own.mean = tg_run_header_mean(add.reader->header);
    /* Everything goes into a file beside @output, which is put in its place at the end. */
    if (strcmp(path, output) == 0)
        tg_run_files_allow(output);
    good = good &&
           (add.summary = tg_summary_new(tg_score_layout_ref(add.all), &own, error)) != NULL &&
           (add.output = tg_output_open(output, error)) != NULL && write_header(&add, error) &&
           tg_flow_run(&flow, error) && write_footer(&add, error) &&
           tg_output_finish(add.output, error) && tg_summary_check(add.summary, error);
    tg_output_free(add.output);
    tg_score_layout_unref(add.all);
    tg_scorer_unref(add.scorer);
    tg_results_close(add.reader);
    if (!good)
        g_clear_pointer(&add.summary, tg_summary_free);
    return add.summary;
}
