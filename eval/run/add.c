#include "eval/run/add.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/files/output.h"
#include "core/json.h"
#include "eval/results/results.h"
#include "eval/run/scorer.h"
#include "metrics/metric.h"

typedef struct {
    TgResultsReader *reader;
    TgScorer *scorer; /* of the new metrics */
    TgScorerWorker *worker;
    TgScoreLayout *all; /* the file's metrics, then the new ones */
    TgSummary *summary;
    TgOutput *output;
} Add;

static const char *option_of(const TgResultsReader *reader, const char *name)
{
    return json_string_value(
        json_object_get(json_object_get(tg_results_header_json(reader), "options"), name));
}

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
    const TgScorerOptions options = {
        .size = sizeof options,
        .undefined = (TgUndefined) index_of(option_of(add->reader, "undefined"), undefined),
        .renderer = (TgRendererChoice) index_of(option_of(add->reader, "renderer"), renderers),
        .pair_timeout = json_number_value(json_object_get(
            json_object_get(tg_results_header_json(add->reader), "options"), "pair_timeout")),
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
    g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "the output: %s", g_strerror(errno));
    return FALSE;
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
    json_auto_t *header = json_deep_copy(tg_results_header_json(add->reader));

    json_array_extend(json_object_get(header, "metrics"), json_object_get(fresh, "metrics"));
    return add_put(add, header, error);
}

/* A row that could not be used says "FILE:LINE: why" for every metric; else NULL. */
static const char *fault_of(const TgResultsReader *reader, const TgResultsRow *row)
{
    const json_t *inputs = json_object_get(tg_results_header_json(reader), "inputs");
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
static gboolean add_write_row(Add *add, const TgResultsRow *row, const TgRecord *record,
                              const TgScores *fresh, GError **error)
{
    static const char *const members[] = { "scores", "stats", "status", "notes", "detail" };
    const TgScoreLayout *old = tg_results_layout(add->reader);
    const TgScoreLayout *new = tg_scorer_layout(add->scorer);
    g_autoptr(GString) text = g_string_new(NULL);
    TgScores scores;

    tg_results_append_row(text, new, record, fresh);
    json_auto_t *line = json_loadb(text->str, text->len, 0, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
        json_t *added = json_object_get(line, members[i]);
        json_t *there = json_object_get(row->json, members[i]);

        if (there != NULL && added != NULL)
            json_object_update(there, added);
        else if (added != NULL)
            json_object_set(row->json, members[i], added);
    }
    tg_scores_init(&scores, add->all);
    tg_scores_reset(&scores, add->all);
    for (guint m = 0; m < old->metrics->len; m++)
        copy_metric(old, &row->scores, m, add->all, &scores, m);
    for (guint m = 0; m < new->metrics->len; m++)
        copy_metric(new, fresh, m, add->all, &scores, old->metrics->len + m);
    const TgSummaryPair pair = tg_summary_pair_of_row(row, row->model);
    tg_summary_add_pair(add->summary, &pair, &scores);
    tg_scores_clear(&scores, add->all);
    return add_put(add, row->json, error);
}

static gboolean add_score_row(Add *add, const TgResultsRow *row, TgScores *fresh, GError **error)
{
    const json_t *truths = json_object_get(row->json, "gt");
    const char *fault = fault_of(add->reader, row);
    g_auto(TgRecord) record = { 0 };

    tg_record_reset(&record);
    record.row = (gsize) row->row;
    record.hyp = g_strdup(json_string_value(json_object_get(row->json, "pred")));
    for (gsize i = 0; i < json_array_size(truths); i++)
        g_ptr_array_add(record.refs, g_strdup(json_string_value(json_array_get(truths, i))));
    const TgScoreItem item = {
        .pair = { row->id != NULL ? row->id : "",
                  (const char *const *) (gpointer) record.refs->pdata, record.refs->len,
                  record.hyp != NULL ? record.hyp : "" },
        .has_prediction = record.hyp != NULL,
        .fault = fault,
        .row = (gsize) row->row,
    };
    tg_env_next_pair(add->worker->env);
    return tg_scorer_score_item(add->scorer, add->worker, &item, fresh, error) &&
           add_write_row(add, row, &record, fresh, error);
}

static gboolean add_rows(Add *add, GError **error)
{
    const TgResultsRow *row;
    GError *trouble = NULL;
    gboolean good = TRUE;
    TgScores fresh;

    tg_scores_init(&fresh, tg_scorer_layout(add->scorer));
    while (good && tg_results_next(add->reader, &row, &trouble))
        good = add_score_row(add, row, &fresh, error);
    tg_scores_clear(&fresh, tg_scorer_layout(add->scorer));
    if (trouble != NULL) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    return good && tg_results_check_whole(add->reader, error) &&
           add_put(add, tg_results_footer_json(add->reader), error);
}

/* Score everything into a file beside @output, and put it in its place. */
static gboolean add_run(Add *add, const char *output, GError **error)
{
    add->output = tg_output_open(output, error);
    return add->output != NULL && add_header(add, error) && add_rows(add, error) &&
           tg_output_finish(add->output, error);
}

TgSummary *tg_eval_add(const char *path, const char *metrics, const char *output,
                       const TgMergeOptions *options, GError **error)
{
    Add add = { .reader = tg_results_open(path, error) };
    gboolean good = add.reader != NULL && add_open_scorer(&add, metrics, error) &&
                    add_join_layouts(&add, error);

    if (good) {
        add.summary = tg_summary_new(tg_score_layout_ref(add.all));
        if (options->confidence)
            tg_summary_want_intervals(add.summary);
        add.worker = tg_scorer_take_worker(add.scorer);
        good = tg_summary_want_mean(add.summary, options->mean, error);
        tg_summary_want_by(add.summary, options->by);
        good = good && add_run(&add, output, error) && tg_summary_check_mean(add.summary, error);
        tg_scorer_return_worker(add.scorer, add.worker);
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
