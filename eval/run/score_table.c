/* A table of pairs in, a table of scores out, batch by batch. */
#include <texgauge/arrow.h>

#include <string.h>

#include "core/arrow/out.h"
#include "core/arrow/rows.h"
#include "core/fail.h"
#include "core/option_struct.h"
#include "eval/run/batch.h"

#define PIECE_ROWS 65536

typedef struct {
    TgScorer *scorer;
    TgArrowRows *rows;
    guint reference, prediction; /* columns */
    guint threads;
    gint64 at, n_in_batch; /* rows of the batch at hand that are done, and all */
} Table;

static void table_free(gpointer data)
{
    Table *table = data;

    tg_arrow_rows_free(table->rows);
    tg_scorer_unref(table->scorer);
    g_free(table);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* ---- pairs ---- */

static gboolean find_column(const Table *table, const char *name, guint *column, GError **error)
{
    char **names = tg_arrow_rows_names(table->rows);

    for (*column = 0; names[*column] != NULL; ++*column)
        if (strcmp(names[*column], name) == 0)
            break;
    if (names[*column] != NULL && tg_arrow_rows_is_text(table->rows, *column))
        return tg_arrow_rows_use(table->rows, *column, error);
    return tg_fail_usage(error,
                         names[*column] == NULL ? "the table has no column '%s'"
                                                : "the column '%s' of the table is not text",
                         name);
}

/* One text; NULL where it is null. *@fault is set where it cannot be used. */
static const char *table_text(const Table *table, const TgScorer *scorer, TgScorerWorker *worker,
                              gboolean is_prediction, gint64 row, const char **fault)
{
    const guint column = is_prediction ? table->prediction : table->reference;

    TgArrowText found;

    if (!tg_arrow_rows_text(table->rows, column, row, &found)) {
        *fault = "an offset or index of the table leads nowhere";
        return NULL;
    }
    if (found.text == NULL)
        return NULL;
    const char *text = tg_scorer_read_text(scorer, worker, found.text, found.len, is_prediction);
    if (text == NULL)
        *fault = TG_FAULT_NOT_UTF8;
    return text;
}

static void table_read(gconstpointer data, const TgScorer *scorer, TgScorerWorker *worker, gsize i,
                       TgScoreItem *item)
{
    const Table *table = data;
    const gint64 row = table->at + (gint64) i;
    const char **refs = tg_env_scratch(worker->env, sizeof *refs), *fault = NULL;

    refs[0] = table_text(table, scorer, worker, FALSE, row, &fault);
    const char *hyp = table_text(table, scorer, worker, TRUE, row, &fault);
    *item = (TgScoreItem){
        .pair = { "", refs, refs[0] != NULL, hyp != NULL ? hyp : "" },
        .has_prediction = hyp != NULL,
        .fault = fault,
        .row = i + 1,
    };
}

/* ---- scores ---- */

static char *status_name(const TgScorer *scorer, guint metric)
{
    return g_strconcat(tg_metric_label(tg_scorer_metric(scorer, metric)), ".status", NULL);
}

static void table_schema(gpointer self, struct ArrowSchema *out)
{
    const TgScorer *scorer = ((const Table *) self)->scorer;
    const guint n_columns = tg_scorer_n_columns(scorer), n_metrics = tg_scorer_n_metrics(scorer);
    g_autofree TgArrowField *fields = g_new0(TgArrowField, n_columns + n_metrics);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

    for (guint c = 0; c < n_columns; c++)
        fields[c] = (TgArrowField){ tg_scorer_column_name(scorer, c), "g" };
    for (guint m = 0; m < n_metrics; m++) {
        g_ptr_array_add(names, status_name(scorer, m));
        fields[n_columns + m] = (TgArrowField){ names->pdata[m], "u" };
    }
    tg_arrow_schema_make(out, fields, n_columns + n_metrics);
}

/* Statuses are short but for what hostile plugins write: an array holds 2^31 bytes of text. */
static void add_statuses(const TgBatch *batch, guint metric, struct ArrowArray *out)
{
    g_autoptr(TgArrowBuilder) builder = tg_arrow_builder_new("u");

    for (gsize i = 0; i < tg_batch_n_pairs(batch); i++)
        tg_arrow_builder_add_text(builder, tg_batch_status(batch, i, metric));
    tg_arrow_builder_finish(builder, out);
}

/* A batch that the columns made of it share. */
typedef struct {
    gatomicrefcount n_owners;
    TgBatch *batch;
} SharedBatch;

static void shared_batch_unref(gpointer data)
{
    SharedBatch *shared = data;

    if (!g_atomic_ref_count_dec(&shared->n_owners))
        return;
    tg_batch_free(shared->batch);
    g_free(shared);
}

static void put_scores(const TgScorer *scorer, TgBatch *batch, struct ArrowArray *out)
{
    const guint n_columns = tg_scorer_n_columns(scorer), n_metrics = tg_scorer_n_metrics(scorer);
    g_autofree struct ArrowArray *columns = g_new0(struct ArrowArray, n_columns + n_metrics);
    const gsize n = tg_batch_n_pairs(batch);
    SharedBatch *shared = g_new0(SharedBatch, 1);

    g_atomic_ref_count_init(&shared->n_owners);
    shared->batch = batch;
    for (guint c = 0; c < n_columns; c++) {
        g_atomic_ref_count_inc(&shared->n_owners);
        tg_arrow_array_of_doubles(&columns[c], tg_batch_column(batch, c), n, shared,
                                  shared_batch_unref);
    }
    for (guint m = 0; m < n_metrics; m++)
        add_statuses(batch, m, &columns[n_columns + m]);
    tg_arrow_array_of_columns(out, n, columns, n_columns + n_metrics);
    shared_batch_unref(shared);
}

static gboolean table_next(gpointer self, struct ArrowArray *out, GError **error)
{
    Table *table = self;
    TgBatchOptions how = TG_BATCH_OPTIONS_INIT;

    if (table->at == table->n_in_batch) {
        table->at = 0;
        if (!tg_arrow_rows_next(table->rows, &table->n_in_batch, error))
            return FALSE;
        if (table->n_in_batch == 0)
            return TRUE;
    }
    const TgBatchPairs pairs = {
        .n = (gsize) MIN(table->n_in_batch - table->at, PIECE_ROWS),
        .read = table_read,
        .data = table,
    };
    how.threads = table->threads;
    TgBatch *batch = tg_batch_score(table->scorer, &pairs, &how, error);
    if (batch == NULL)
        return FALSE;
    table->at += (gint64) pairs.n;
    put_scores(table->scorer, batch, out);
    return TRUE;
}

gboolean tg_scorer_score_table(TgScorer *scorer, struct ArrowArrayStream *table,
                               const TgArrowOptions *options, struct ArrowArrayStream *out,
                               GError **error)
{
    static const TgArrowSource source = { table_schema, table_next, table_free };
    TgArrowOptions how = TG_ARROW_OPTIONS_INIT;
    g_autoptr(Table) self = g_new0(Table, 1);

    if (options != NULL)
        TG_COPY_OPTIONS(how, options);
    self->scorer = tg_scorer_ref(scorer);
    self->threads = how.threads;
    self->rows = tg_arrow_rows_open(table, error);
    if (self->rows == NULL ||
        !find_column(self, how.reference != NULL ? how.reference : "gt", &self->reference, error) ||
        !find_column(self, how.prediction != NULL ? how.prediction : "pred", &self->prediction,
                     error))
        return FALSE;
    tg_arrow_stream_make(out, &source, g_steal_pointer(&self));
    return TRUE;
}
