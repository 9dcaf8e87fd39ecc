#include "eval/run/add.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/json.h"
#include "core/pipeline.h"
#include "eval/results/results.h"
#include "eval/run/chunk.h"
#include "metrics/metric.h"

typedef struct {
    TgResultsReader *reader;
    TgScorer *scorer; /* of the new metrics */
    guint n_threads;
    TgScorerWorker **workers; /* [n_threads] */
    TgScoreLayout *all;       /* the file's metrics, then the new ones */
    TgSummary *summary;
    TgOutput *output;
    GError *error; /* the first one of a pair */
    atomic_bool stopped;
} Add;

/* A line of the file; its texts are those of row.json, which is its own. */
typedef struct {
    TgResultsRow row;
    TgRecord record;
    TgScores scores; /* of all metrics */
    TgScores fresh;  /* of the new ones */
} AddRow;

typedef struct {
    AddRow rows[TG_CHUNK_MAX_PAIRS];
    guint n;
    GError *error;
} AddChunk;

/* The number of @name among @names, 0 where it is none of them. */
static guint index_of(const char *name, const char *const *names)
{
    for (guint i = 0; name != NULL && names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return 0;
}

/* The new metrics, by the rules of the run. */
static gboolean add_open_scorer(Add *add, const char *metrics, GError **error)
{
    static const char *const undefined[] = { "default", "worst", "skip", "stop", NULL };
    static const char *const renderers[] = { "native", "pdflatex", "lualatex", "auto", NULL };
    const TgRunHeader *run = tg_results_run(add->reader);
    const TgScorerOptions options = {
        .size = sizeof options,
        .undefined = (TgUndefined) index_of(
            json_string_value(tg_run_header_option(run, "undefined")), undefined),
        .renderer = (TgRendererChoice) index_of(
            json_string_value(tg_run_header_option(run, "renderer")), renderers),
        .pair_timeout = json_number_value(tg_run_header_option(run, "pair_timeout")),
    };

    add->scorer = tg_scorer_new(metrics, &options, error);
    return add->scorer != NULL;
}

/* The file's metrics and the new ones, which must not be there already. */
static gboolean add_join_layouts(Add *add, GError **error)
{
    const TgScoreLayout *layouts[] = { tg_results_layout(add->reader),
                                       tg_scorer_layout(add->scorer) };
    g_autoptr(GHashTable) labels = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *metrics = g_ptr_array_new_with_free_func((GDestroyNotify) tg_metric_free);

    for (guint k = 0; k < G_N_ELEMENTS(layouts); k++)
        for (guint m = 0; m < layouts[k]->metrics->len; m++) {
            const TgMetric *metric = tg_score_layout_metric(layouts[k], m);
            TgMetric *copy = NULL;

            if (!g_hash_table_add(labels, (gpointer) tg_metric_label(metric)))
                g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                            "the results have '%s' already; give the new one a label, as in new=%s",
                            tg_metric_label(metric), tg_metric_spec(metric));
            else
                copy = tg_metric_new_as(tg_metric_spec(metric), tg_metric_label(metric), error);
            if (copy == NULL) {
                g_ptr_array_unref(metrics);
                return FALSE;
            }
            g_ptr_array_add(metrics, copy);
        }
    add->all = tg_score_layout_new(metrics);
    return TRUE;
}

static gboolean add_put(Add *add, const json_t *line, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);

    tg_json_append(text, line);
    g_string_append_c(text, '\n');
    if (fwrite(text->str, 1, text->len, tg_output_file(add->output)) == text->len)
        return TRUE;
    return tg_fail(error, TG_ERROR_OUTPUT, "the output: %s", g_strerror(errno));
}

/* The old header with the new metrics behind the others. */
static gboolean add_header(Add *add, GError **error)
{
    static const char *const no_inputs[] = { NULL };
    const TgResultsInfo info = { .layout = tg_scorer_layout(add->scorer),
                                 .inputs = no_inputs,
                                 .delimiters = "strip",
                                 .undefined = "default" };
    g_autofree char *text = tg_results_header(&info);
    json_auto_t *fresh = json_loads(text, 0, NULL);
    json_auto_t *header = json_deep_copy(tg_results_run(add->reader)->json);

    json_t *options = json_object_get(header, "options");
    const json_t *fonts = json_object_get(json_object_get(fresh, "options"), "fonts");
    const json_t *old = json_object_get(options, "fonts");

    if (fonts != NULL && old != NULL && !json_equal(fonts, old))
        return tg_fail_input(error, "the results were scored with fonts '%s'; here are '%s'",
                             json_string_value(old), json_string_value(fonts));
    json_object_update_missing(options, json_object_get(fresh, "options"));
    json_array_extend(json_object_get(header, "metrics"), json_object_get(fresh, "metrics"));
    return add_put(add, header, error);
}

/* A row that could not be used says "FILE:LINE: why" for every metric; else NULL. */
static const char *fault_of(const TgResultsReader *reader, const TgResultsRow *row)
{
    const json_t *inputs = json_object_get(tg_results_run(reader)->json, "inputs");
    const TgScoreLayout *layout = tg_results_layout(reader);
    const char *status = layout->metrics->len > 0 ? row->scores.status[0] : NULL;

    if (json_array_size(json_object_get(row->json, "gt")) == 0)
        return status != NULL ? status : "no truth";
    for (gsize i = 0; status != NULL && i < json_array_size(inputs); i++) {
        const char *name = json_string_value(json_array_get(inputs, i));
        const gsize n = name != NULL ? strlen(name) : 0;

        if (n > 0 && strncmp(status, name, n) == 0 && status[n] == ':')
            return status;
    }
    return NULL;
}

/* Copy the numbers of metric @from of one layout to metric @to of another. */
static void copy_metric(const TgScoreLayout *source, const TgScores *scores, guint from,
                        const TgScoreLayout *target, TgScores *out, guint to)
{
    memcpy(out->columns + target->first_column[to], scores->columns + source->first_column[from],
           (source->first_column[from + 1] - source->first_column[from]) * sizeof(double));
    memcpy(out->stats + target->first_stat[to], scores->stats + source->first_stat[from],
           (source->first_stat[from + 1] - source->first_stat[from]) * sizeof(double));
    out->has_stats[to] = scores->has_stats[from];
    if (scores->status[from] != NULL)
        tg_scores_set_status(out, to, scores->status[from]);
}

/* Add the new scores to the line of the pair, and to the summary. */
static gboolean add_write_row(Add *add, AddRow *line, GError **error)
{
    static const char *const members[] = { "scores", "stats", "status", "notes", "detail" };
    const TgScoreLayout *new = tg_scorer_layout(add->scorer);
    const guint n_old = tg_results_layout(add->reader)->metrics->len;
    const TgSummaryPair pair = tg_summary_pair_of_row(&line->row, line->row.model);
    g_autoptr(GString) text = g_string_new(NULL);

    tg_results_append_row(text, new, &line->record, &line->fresh);
    json_auto_t *scored = json_loadb(text->str, text->len, 0, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
        json_t *added = json_object_get(scored, members[i]);
        json_t *there = json_object_get(line->row.json, members[i]);

        if (there != NULL && added != NULL)
            json_object_update(there, added);
        else if (added != NULL)
            json_object_set(line->row.json, members[i], added);
    }
    for (guint m = 0; m < new->metrics->len; m++)
        copy_metric(new, &line->fresh, m, add->all, &line->scores, n_old + m);
    tg_summary_add_pair(add->summary, &pair, &line->scores);
    return add_put(add, line->row.json, error);
}

/* ---- threads ---- */

static void add_chunk_free(const Add *add, AddChunk *chunk)
{
    for (guint i = 0; i < chunk->n; i++) {
        json_decref(chunk->rows[i].row.json);
        tg_record_clear(&chunk->rows[i].record);
        tg_scores_clear(&chunk->rows[i].scores, add->all);
        tg_scores_clear(&chunk->rows[i].fresh, tg_scorer_layout(add->scorer));
    }
    g_clear_error(&chunk->error);
    g_free(chunk);
}

/* Keep a row that the reader lends. Its line is taken, not shared: jansson looks at counts of
 * references in a way that is a race between threads. */
static void add_take_row(const Add *add, const TgResultsRow *row, AddRow *out)
{
    const TgScoreLayout *old = tg_results_layout(add->reader);
    const json_t *truths = json_object_get(row->json, "gt");

    *out = (AddRow){ .row = *row };
    tg_record_reset(&out->record);
    out->record.row = (gsize) row->row;
    out->record.hyp = g_strdup(json_string_value(json_object_get(row->json, "pred")));
    for (gsize i = 0; i < json_array_size(truths); i++)
        g_ptr_array_add(out->record.refs, g_strdup(json_string_value(json_array_get(truths, i))));
    out->record.fault = g_strdup(fault_of(add->reader, row));
    tg_scores_init(&out->scores, add->all);
    tg_scores_reset(&out->scores, add->all);
    for (guint m = 0; m < old->metrics->len; m++)
        copy_metric(old, &row->scores, m, add->all, &out->scores, m);
    tg_scores_init(&out->fresh, tg_scorer_layout(add->scorer));
    out->row.json = tg_results_steal_json(add->reader);
}

static void add_read(gpointer data, TgScorerWorker *worker, gsize i, TgScoreItem *item)
{
    const AddRow *line = &((const AddChunk *) data)->rows[i];

    (void) worker;
    *item = tg_chunk_item(&line->record);
    item->pair.id = line->row.id != NULL ? line->row.id : "";
}

static TgScores *add_place(gpointer data, TgScorerWorker *worker, gsize i)
{
    (void) worker;
    return &((AddChunk *) data)->rows[i].fresh;
}

static void add_score_chunk(gpointer item, guint number, gpointer data)
{
    const Add *add = data;
    AddChunk *chunk = item;
    const TgChunkPairs pairs = { chunk, add_read, add_place, NULL };

    tg_chunk_score(add->scorer, add->workers[number], &pairs, 0, chunk->n, &chunk->error);
}

static void add_emit_chunk(gpointer item, gpointer data)
{
    Add *add = data;
    AddChunk *chunk = item;

    if (add->error == NULL && chunk->error != NULL)
        add->error = g_steal_pointer(&chunk->error);
    for (guint i = 0; add->error == NULL && i < chunk->n; i++)
        add_write_row(add, &chunk->rows[i], &add->error);
    if (add->error != NULL)
        atomic_store(&add->stopped, TRUE);
    add_chunk_free(add, chunk);
}

static gboolean add_rows(Add *add, GError **error)
{
    const guint size = tg_chunk_size(add->scorer);
    TgPipeline *pipeline = tg_pipeline_new(add->n_threads, add->n_threads * TG_CHUNK_IN_FLIGHT,
                                           add_score_chunk, add_emit_chunk, add, error);
    const TgResultsRow *row;
    GError *trouble = NULL;
    gboolean more = TRUE;

    if (pipeline == NULL)
        return FALSE;
    while (more && !atomic_load(&add->stopped)) {
        AddChunk *chunk = g_new0(AddChunk, 1);

        while (more && chunk->n < size) {
            more = tg_results_next(add->reader, &row, &trouble) && row != NULL;
            if (more)
                add_take_row(add, row, &chunk->rows[chunk->n++]);
        }
        tg_pipeline_push(pipeline, chunk);
    }
    tg_pipeline_finish(pipeline);
    if (add->error != NULL) { /* comes from an earlier row than the reader's trouble */
        g_clear_error(&trouble);
        g_propagate_error(error, g_steal_pointer(&add->error));
        return FALSE;
    }
    if (trouble != NULL) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    return add_put(add, tg_results_footer_json(add->reader), error);
}

/* Score everything into a file beside @output, and put it in its place. */
static gboolean add_run(Add *add, const char *output, GError **error)
{
    add->output = tg_output_open(output, error);
    return add->output != NULL && add_header(add, error) && add_rows(add, error) &&
           tg_output_finish(add->output, error);
}

TgSummary *tg_eval_add(const char *path, const char *metrics, const char *output,
                       const TgMergeOptions *options, guint threads, GError **error)
{
    Add add = { .reader = tg_results_open(path, error),
                .n_threads = threads > 0 ? threads : g_get_num_processors() };
    gboolean good = add.reader != NULL && add_open_scorer(&add, metrics, error) &&
                    add_join_layouts(&add, error);

    if (good) {
        add.summary = tg_summary_new(tg_score_layout_ref(add.all));
        if (options->confidence)
            tg_summary_want_intervals(add.summary);
        add.workers = g_new(TgScorerWorker *, add.n_threads);
        for (guint i = 0; i < add.n_threads; i++)
            add.workers[i] = tg_scorer_take_worker(add.scorer);
        good = tg_summary_want_mean(add.summary, options->mean, error);
        tg_summary_want_by(add.summary, options->by);
        good = good && add_run(&add, output, error) && tg_summary_check_mean(add.summary, error);
        for (guint i = 0; i < add.n_threads; i++)
            tg_scorer_return_worker(add.scorer, add.workers[i]);
        g_free(add.workers);
    }
    tg_output_free(add.output);
    if (add.all != NULL)
        tg_score_layout_unref(add.all);
    tg_scorer_unref(add.scorer);
    tg_results_close(add.reader);
    if (!good)
        g_clear_pointer(&add.summary, tg_summary_free);
    return add.summary;
}
