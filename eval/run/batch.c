/* Pairs in memory: many through a scorer, on one thread or several; or one, as a run would do it.
 */

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/option_parse.h"
#include "eval/run/scorer.h"
#include "metrics/metric.h"

/* The words of a metric about a pair. */
typedef struct {
    char *status; /* NULL: ok */
    char *note;
    GVariant *detail; /* NULL unless wanted */
} Said;

struct TgBatch {
    TgScoreLayout *layout;
    gsize n_pairs;
    double *values; /* [column][pair] */
    Said *said;     /* [pair][metric] */
    double *pooled; /* [column] */
};

/* A batch that is being filled. A row of the flow has a pointer to its pair. */
typedef struct {
    TgScorer *scorer;
    const TgBatchOptions *options;
    const TgPair *pairs;
    TgBatch *batch;
    TgSums **sums; /* per thread */
    gsize n_begun;
    atomic_size_t n_done;
} Task;

void tg_batch_free(TgBatch *batch)
{
    if (batch == NULL)
        return;
    for (gsize i = 0; i < batch->n_pairs * batch->layout->metrics->len; i++) {
        g_free(batch->said[i].status);
        g_free(batch->said[i].note);
        g_clear_pointer(&batch->said[i].detail, g_variant_unref);
    }
    g_free(batch->values);
    g_free(batch->said);
    g_free(batch->pooled);
    tg_score_layout_unref(batch->layout);
    g_free(batch);
}

static TgNext next_pair(gpointer data, TgFlowRow *row, GError **error)
{
    Task *task = data;

    (void) error;
    if (task->n_begun == task->batch->n_pairs)
        return TG_NEXT_END;
    row->own = (gpointer) &task->pairs[task->n_begun++];
    return TG_NEXT_ROW;
}

static void read_pair(gpointer data, const TgFlowRow *row, TgScorerWorker *worker,
                      TgScoreItem *item)
{
    const Task *task = data;
    const TgPair *pair = row->own;

    tg_scorer_read_pair(task->scorer, worker, pair, (gsize) (pair - task->pairs) + 1, item);
}

/* Move the scores of one pair into the batch. */
static void keep_scores(gpointer data, TgFlowRow *row, const TgScorerWorker *worker,
                        TgScores *scores, GString *text)
{
    Task *task = data;
    TgBatch *batch = task->batch;
    const guint n_metrics = batch->layout->metrics->len;
    const gsize pair = (gsize) ((const TgPair *) row->own - task->pairs);

    (void) text;
    tg_sums_add(task->sums[worker->number], batch->layout, scores);
    for (guint c = 0; c < batch->layout->n_columns; c++)
        batch->values[c * batch->n_pairs + pair] = scores->columns[c];
    for (guint m = 0; m < n_metrics; m++)
        batch->said[pair * n_metrics + m] =
            (Said){ g_steal_pointer(&scores->status[m]), g_steal_pointer(&scores->note[m]),
                    g_steal_pointer(&scores->detail[m]) };
    atomic_fetch_add(&task->n_done, 1);
}

static gboolean tell_progress(gpointer data)
{
    Task *task = data;

    return task->options->progress == NULL ||
           task->options->progress(atomic_load(&task->n_done), task->batch->n_pairs,
                                   task->options->data);
}

TgBatch *tg_scorer_score(TgScorer *scorer, const TgPair *pairs, gsize n,
                         const TgBatchOptions *options, GError **error)
{
    TgBatchOptions how = TG_BATCH_OPTIONS_INIT;

    if (options != NULL)
        TG_COPY_OPTIONS(how, options);

    TgScoreLayout *layout = scorer->layout;
    const guint n_wanted = how.threads > 0 ? how.threads : g_get_num_processors();
    const guint n_threads = (guint) CLAMP((n + TG_CHUNK_PAIRS - 1) / TG_CHUNK_PAIRS, 1, n_wanted);
    g_autoptr(TgBatch) batch = g_new(TgBatch, 1);
    g_autofree TgSums **sums = g_new(TgSums *, n_threads);
    Task task = { scorer, &how, pairs, batch, sums, 0, 0 };
    const TgFlow flow = { .scorer = scorer,
                          .threads = n_threads,
                          .data = &task,
                          .next = next_pair,
                          .read = read_pair,
                          .done = keep_scores,
                          .progress = tell_progress };

    *batch =
        (TgBatch){ tg_score_layout_ref(layout), n, g_new(double, MAX(n * layout->n_columns, 1)),
                   g_new0(Said, MAX(n * layout->metrics->len, 1)),
                   g_new(double, MAX(layout->n_columns, 1)) };
    for (guint i = 0; i < n_threads; i++)
        sums[i] = tg_sums_new(layout);
    const gboolean good = tg_flow_run(&flow, error);
    for (guint i = 1; i < n_threads; i++) {
        tg_sums_merge(sums[0], layout, sums[i]);
        tg_sums_free(sums[i]);
    }
    if (good)
        tg_sums_values(sums[0], layout, batch->pooled);
    tg_sums_free(sums[0]);
    return good ? g_steal_pointer(&batch) : NULL;
}

gsize tg_batch_n_pairs(const TgBatch *batch)
{
    return batch->n_pairs;
}

const double *tg_batch_column(const TgBatch *batch, guint column)
{
    g_return_val_if_fail(column < batch->layout->n_columns, NULL);
    return batch->values + column * batch->n_pairs;
}

double tg_batch_pooled(const TgBatch *batch, guint column)
{
    g_return_val_if_fail(column < batch->layout->n_columns, NAN);
    return batch->pooled[column];
}

static const Said *find_said(const TgBatch *batch, gsize pair, guint metric)
{
    g_return_val_if_fail(pair < batch->n_pairs && metric < batch->layout->metrics->len, NULL);
    return &batch->said[pair * batch->layout->metrics->len + metric];
}

const char *tg_batch_status(const TgBatch *batch, gsize pair, guint metric)
{
    const Said *said = find_said(batch, pair, metric);

    return said == NULL ? NULL : said->status != NULL ? said->status : "ok";
}

const char *tg_batch_note(const TgBatch *batch, gsize pair, guint metric)
{
    const Said *said = find_said(batch, pair, metric);

    return said != NULL ? said->note : NULL;
}

GVariant *tg_batch_detail(const TgBatch *batch, gsize pair, guint metric)
{
    const Said *said = find_said(batch, pair, metric);

    return said != NULL ? said->detail : NULL;
}

/* ---- one pair ---- */

TgScorerOptions tg_eval_scorer_options(const TgEvalOptions *options)
{
    TgScorerOptions out = options->scorer;

    out.size = sizeof out;
    out.keep_delimiters = options->source.keep_delimiters;
    out.clean = options->source.clean;
    return out;
}

static TgScorer *scorer_of(const TgEvalOptions *options, GError **error)
{
    const TgScorerOptions how = tg_eval_scorer_options(options);

    return tg_scorer_new(options->metrics, &how, error);
}

/* Read a pair; FALSE with @error where a run would record a fault. */
static gboolean read_one(const TgScorer *scorer, TgScorerWorker *worker, const TgPair *pair,
                         TgScoreItem *item, GError **error)
{
    tg_env_next_pair(worker->env);
    tg_scorer_read_pair(scorer, worker, pair, 1, item);
    if (item->fault != NULL)
        g_set_error_literal(error, TG_ERROR, TG_ERROR_DATA, item->fault);
    return item->fault == NULL;
}

char *tg_eval_pair(const TgEvalOptions *options, const TgPair *pair, GError **error)
{
    g_autoptr(TgScorer) scorer = scorer_of(options, error);
    TgScoreItem item;
    g_auto(TgRecord) record = { 0 };
    g_autoptr(GString) row = g_string_new(NULL);

    if (scorer == NULL)
        return NULL;
    TgScorerWorker *worker = tg_scorer_take_worker(scorer);
    if (read_one(scorer, worker, pair, &item, error) &&
        tg_scorer_score_item(scorer, worker, &item, &worker->scores, error)) {
        tg_record_reset(&record);
        record.row = item.row;
        record.id = *item.pair.id != '\0' ? g_strdup(item.pair.id) : NULL;
        for (guint i = 0; i < item.pair.n_refs; i++)
            g_ptr_array_add(record.refs, g_strdup(item.pair.refs[i]));
        record.hyp = g_strdup(item.pair.hyp);
        tg_results_append_row(row, scorer->layout, &record, &worker->scores);
    }
    tg_scorer_return_worker(scorer, worker);
    return row->len > 0 ? g_strndup(row->str, row->len - 1) : NULL; /* without the newline */
}

TgPairPicture *tg_eval_picture(const TgEvalOptions *options, TgRenderer *renderer,
                               const TgPair *pair, GError **error)
{
    g_autoptr(TgScorer) scorer = scorer_of(options, error);
    TgScoreItem item;
    TgPairPicture *picture = NULL;
    g_autoptr(TgEnv) env = tg_env_new(); /* the worker's holds the texts */

    if (scorer == NULL)
        return NULL;
    TgScorerWorker *worker = tg_scorer_take_worker(scorer);
    if (read_one(scorer, worker, pair, &item, error))
        picture = tg_metric_picture(tg_scorer_metric(scorer, 0), env, renderer, &item.pair, error);
    tg_scorer_return_worker(scorer, worker);
    return picture;
}
