/* Pairs in memory through a scorer, on one thread or several. */
#include "eval/run/batch.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/option_parse.h"
#include "core/pipeline.h"
#include "eval/results/results.h"
#include "eval/run/chunk.h"
#include "metrics/metric.h"

struct TgBatch {
    TgScoreLayout *layout;
    gsize n_pairs;
    double *values;    /* [column][pair] */
    char **status;     /* [pair][metric], NULL: ok */
    char **note;       /* [pair][metric] */
    GVariant **detail; /* [pair][metric]; NULL unless wanted */
    double *pooled;    /* [column] */
};

typedef struct {
    TgScorer *scorer;
    TgBatch *batch;
    const TgBatchPairs *pairs;
    guint n_threads;
    TgScorerWorker **workers; /* [n_threads] */
    TgSums **pooled;          /* [n_threads] */
    atomic_size_t n_done;
    atomic_bool stopped;
    GError *error; /* the first one in the order of the pairs */
} Task;

typedef struct {
    gsize first, n;
    GError *error;
} Chunk;

static TgBatch *batch_new(TgScorer *scorer, gsize n)
{
    TgBatch *batch = g_new0(TgBatch, 1);

    batch->layout = tg_score_layout_ref(tg_scorer_layout(scorer));
    batch->n_pairs = n;
    batch->values = g_new(double, MAX(n * batch->layout->n_columns, 1));
    batch->status = g_new0(char *, MAX(n * batch->layout->metrics->len, 1));
    batch->note = g_new0(char *, MAX(n * batch->layout->metrics->len, 1));
    batch->detail = g_new0(GVariant *, MAX(n * batch->layout->metrics->len, 1));
    batch->pooled = g_new(double, MAX(batch->layout->n_columns, 1));
    return batch;
}

void tg_batch_free(TgBatch *batch)
{
    if (batch == NULL)
        return;
    for (gsize i = 0; i < batch->n_pairs * batch->layout->metrics->len; i++) {
        g_free(batch->status[i]);
        g_free(batch->note[i]);
        g_clear_pointer(&batch->detail[i], g_variant_unref);
    }
    g_free(batch->values);
    g_free(batch->status);
    g_free(batch->note);
    g_free(batch->detail);
    g_free(batch->pooled);
    tg_score_layout_unref(batch->layout);
    g_free(batch);
}

/* Move the scores of one pair into the batch. */
static void keep_scores(TgBatch *batch, gsize pair, TgScores *scores)
{
    const guint n_metrics = batch->layout->metrics->len;

    for (guint c = 0; c < batch->layout->n_columns; c++)
        batch->values[c * batch->n_pairs + pair] = scores->columns[c];
    for (guint m = 0; m < n_metrics; m++) {
        batch->status[pair * n_metrics + m] = g_steal_pointer(&scores->status[m]);
        batch->note[pair * n_metrics + m] = g_steal_pointer(&scores->note[m]);
        batch->detail[pair * n_metrics + m] = g_steal_pointer(&scores->detail[m]);
    }
}

/* The work of one thread. */
typedef struct {
    const Task *task;
    TgSums *pooled;
} Part;

static void read_item(gpointer data, TgScorerWorker *worker, gsize i, TgScoreItem *item)
{
    const Task *task = ((const Part *) data)->task;

    task->pairs->read(task->pairs->data, task->scorer, worker, i, item);
}

static TgScores *scores_of_worker(gpointer data, TgScorerWorker *worker, gsize i)
{
    (void) data;
    (void) i;
    return &worker->scores;
}

static void take_scores(gpointer data, gsize i, TgScores *scores)
{
    const Part *part = data;

    tg_sums_add(part->pooled, part->task->batch->layout, scores);
    keep_scores(part->task->batch, i, scores);
}

static void score_chunk(gpointer item, guint number, gpointer data)
{
    Task *task = data;
    Chunk *chunk = item;
    Part part = { task, task->pooled[number] };
    const TgChunkPairs pairs = { &part, read_item, scores_of_worker, take_scores };

    if (!atomic_load(&task->stopped))
        tg_chunk_score(task->scorer, task->workers[number], &pairs, chunk->first, chunk->n,
                       &chunk->error);
}

static void emit_chunk(gpointer item, gpointer data)
{
    Task *task = data;
    Chunk *chunk = item;

    atomic_fetch_add(&task->n_done, chunk->n);
    if (chunk->error != NULL) {
        if (task->error == NULL)
            task->error = g_steal_pointer(&chunk->error);
        g_clear_error(&chunk->error);
        atomic_store(&task->stopped, TRUE);
    }
    g_free(chunk);
}

/* Tell the caller; FALSE when he wants no more. */
static gboolean report_progress(const Task *task, const TgBatchOptions *options)
{
    return options->progress == NULL ||
           options->progress(atomic_load(&task->n_done), task->batch->n_pairs, options->data);
}

static gboolean run_task(Task *task, const TgBatchOptions *options, GError **error)
{
    const gsize size = tg_chunk_size(task->scorer);
    TgPipeline *pipeline = tg_pipeline_new(task->n_threads, task->n_threads * TG_CHUNK_IN_FLIGHT,
                                           score_chunk, emit_chunk, task, error);
    gboolean goes_on = TRUE;

    if (pipeline == NULL)
        return FALSE;
    for (gsize i = 0; i < task->batch->n_pairs && goes_on && !atomic_load(&task->stopped);
         i += size) {
        Chunk *chunk = g_new0(Chunk, 1);

        chunk->first = i;
        chunk->n = MIN(size, task->batch->n_pairs - i);
        tg_pipeline_push(pipeline, chunk);
        goes_on = report_progress(task, options);
    }
    if (!goes_on)
        atomic_store(&task->stopped, TRUE);
    tg_pipeline_finish(pipeline);
    if (task->error != NULL)
        g_propagate_error(error, task->error);
    else if (!goes_on || !report_progress(task, options))
        g_set_error_literal(error, TG_ERROR, TG_ERROR_CANCELLED, "scoring was cancelled");
    else
        return TRUE;
    return FALSE;
}

static void pool_values(const Task *task)
{
    const TgScoreLayout *layout = task->batch->layout;

    for (guint i = 1; i < task->n_threads; i++)
        tg_sums_merge(task->pooled[0], layout, task->pooled[i]);
    tg_sums_values(task->pooled[0], layout, task->batch->pooled);
}

TgBatch *tg_batch_score(TgScorer *scorer, const TgBatchPairs *pairs, const TgBatchOptions *options,
                        GError **error)
{
    TgBatchOptions how = TG_BATCH_OPTIONS_INIT;

    if (options != NULL)
        TG_COPY_OPTIONS(how, options);

    const gsize n = pairs->n;
    g_autoptr(TgBatch) batch = batch_new(scorer, n);
    const guint n_wanted = how.threads > 0 ? how.threads : g_get_num_processors();
    Task task = {
        .scorer = scorer,
        .batch = batch,
        .pairs = pairs,
        .n_threads = (guint) CLAMP((n + TG_CHUNK_PAIRS - 1) / TG_CHUNK_PAIRS, 1, n_wanted),
    };

    task.workers = g_new(TgScorerWorker *, task.n_threads);
    task.pooled = g_new(TgSums *, task.n_threads);
    for (guint i = 0; i < task.n_threads; i++) {
        task.workers[i] = tg_scorer_take_worker(scorer);
        task.pooled[i] = tg_sums_new(batch->layout);
    }
    const gboolean good = run_task(&task, &how, error);
    if (good)
        pool_values(&task);
    for (guint i = 0; i < task.n_threads; i++) {
        tg_scorer_return_worker(scorer, task.workers[i]);
        tg_sums_free(task.pooled[i]);
    }
    g_free(task.workers);
    g_free(task.pooled);
    return good ? g_steal_pointer(&batch) : NULL;
}

static void read_pair(gconstpointer data, const TgScorer *scorer, TgScorerWorker *worker, gsize i,
                      TgScoreItem *item)
{
    tg_scorer_read_pair(scorer, worker, (const TgPair *) data + i, i + 1, item);
}

TgBatch *tg_scorer_score(TgScorer *scorer, const TgPair *pairs, gsize n,
                         const TgBatchOptions *options, GError **error)
{
    const TgBatchPairs array = { n, read_pair, pairs };

    return tg_batch_score(scorer, &array, options, error);
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

/* Where what a metric said of a pair stands. */
static gsize place(const TgBatch *batch, gsize pair, guint metric)
{
    return pair * batch->layout->metrics->len + metric;
}

static gboolean has_place(const TgBatch *batch, gsize pair, guint metric)
{
    return pair < batch->n_pairs && metric < batch->layout->metrics->len;
}

const char *tg_batch_status(const TgBatch *batch, gsize pair, guint metric)
{
    g_return_val_if_fail(has_place(batch, pair, metric), NULL);
    const char *status = batch->status[place(batch, pair, metric)];
    return status != NULL ? status : "ok";
}

const char *tg_batch_note(const TgBatch *batch, gsize pair, guint metric)
{
    g_return_val_if_fail(has_place(batch, pair, metric), NULL);
    return batch->note[place(batch, pair, metric)];
}

GVariant *tg_batch_detail(const TgBatch *batch, gsize pair, guint metric)
{
    g_return_val_if_fail(has_place(batch, pair, metric), NULL);
    return batch->detail[place(batch, pair, metric)];
}
