/* Scorers: metrics, rules and per-thread workers, and how pairs go through them: one, or many on
 * several threads. Runs and every binding score with this. */
#include "eval/run/scorer.h"

#include <stdatomic.h>
#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "core/label_graph.h"
#include "core/option_parse.h"
#include "core/pipeline.h"
#include "datasets/records/formula.h"
#include "metrics/metric.h"

const char *const tg_undefined_names[] = { "default", "worst", "skip", "stop", NULL };
G_STATIC_ASSERT(G_N_ELEMENTS(tg_undefined_names) == TG_UNDEFINED_STOP + 2);

TgScorer *tg_scorer_new(const char *metrics, const TgScorerOptions *options, GError **error)
{
    g_return_val_if_fail(metrics != NULL, NULL);

    GPtrArray *list = tg_metric_new_list(metrics, error);
    if (list == NULL)
        return NULL;

    g_autoptr(TgScorer) scorer = g_new0(TgScorer, 1);
    g_atomic_ref_count_init(&scorer->n_owners);
    if (options != NULL)
        TG_COPY_OPTIONS(scorer->options, options);
    scorer->layout = tg_score_layout_new(list);
    scorer->family = tg_env_new();
    pthread_mutex_init(&scorer->lock, NULL);
    scorer->idle = g_ptr_array_new();
    const char *clean = g_steal_pointer(&scorer->options.clean); /* the caller's */
    const double seconds = scorer->options.pair_timeout;
    if (!tg_clean_parse(clean, &scorer->clean, error))
        return NULL;
    if (seconds >= 0 && seconds <= TG_PAIR_TIMEOUT_MAX)
        return g_steal_pointer(&scorer);
    return tg_null_usage(error, "the time for a pair must be 0 to %g seconds, not %g",
                         TG_PAIR_TIMEOUT_MAX, seconds);
}

TgScorer *tg_scorer_ref(TgScorer *scorer)
{
    g_atomic_ref_count_inc(&scorer->n_owners);
    return scorer;
}

void tg_scorer_unref(TgScorer *scorer)
{
    if (scorer == NULL || !g_atomic_ref_count_dec(&scorer->n_owners))
        return;
    for (guint i = 0; i < scorer->idle->len; i++) {
        TgScorerWorker *worker = scorer->idle->pdata[i];

        for (guint m = 0; m < scorer->layout->metrics->len; m++)
            tg_result_free(worker->results[m]);
        g_free(worker->results);
        tg_scores_clear(&worker->scores, scorer->layout);
        tg_env_free(worker->env);
        g_free(worker);
    }
    g_ptr_array_unref(scorer->idle);
    pthread_mutex_destroy(&scorer->lock);
    tg_env_free(scorer->family);
    tg_score_layout_unref(scorer->layout);
    g_free(scorer);
}

guint tg_scorer_n_metrics(const TgScorer *scorer)
{
    return scorer->layout->metrics->len;
}

const TgMetric *tg_scorer_metric(const TgScorer *scorer, guint metric)
{
    g_return_val_if_fail(metric < scorer->layout->metrics->len, NULL);
    return scorer->layout->metrics->pdata[metric];
}

guint tg_scorer_n_columns(const TgScorer *scorer)
{
    return scorer->layout->n_columns;
}

const char *tg_scorer_column_name(const TgScorer *scorer, guint column)
{
    g_return_val_if_fail(column < scorer->layout->n_columns, NULL);
    return scorer->layout->names[column];
}

const TgColumn *tg_scorer_column(const TgScorer *scorer, guint column)
{
    g_return_val_if_fail(column < scorer->layout->n_columns, NULL);
    return scorer->layout->columns[column];
}

/* ---- workers ---- */

TgScorerWorker *tg_scorer_take_worker(TgScorer *scorer)
{
    TgScorerWorker *worker = NULL;

    pthread_mutex_lock(&scorer->lock);
    if (scorer->idle->len > 0)
        worker = g_ptr_array_steal_index_fast(scorer->idle, scorer->idle->len - 1);
    pthread_mutex_unlock(&scorer->lock);
    if (worker != NULL)
        return worker;
    worker = g_new0(TgScorerWorker, 1);
    worker->env = tg_env_new_beside(scorer->family);
    worker->results = g_new0(TgResult *, scorer->layout->metrics->len);
    for (guint m = 0; m < scorer->layout->metrics->len; m++)
        worker->results[m] =
            tg_result_new(scorer->layout->metrics->pdata[m], scorer->options.detail);
    tg_scores_init(&worker->scores, scorer->layout);
    return worker;
}

void tg_scorer_return_worker(TgScorer *scorer, TgScorerWorker *worker)
{
    pthread_mutex_lock(&scorer->lock);
    g_ptr_array_add(scorer->idle, worker);
    pthread_mutex_unlock(&scorer->lock);
}

/* A text as a reader would deliver it; NULL where it is not UTF-8. What need not be changed is not
 * copied. */
static const char *read_text(const TgScorer *scorer, TgEnv *env, const char *text,
                             gboolean is_prediction)
{
    g_autofree char *cleaned = NULL;
    gsize len;

    if (!g_utf8_validate(text, -1, NULL))
        return NULL;
    if (scorer->clean != 0)
        text = cleaned = tg_clean_apply(scorer->clean, is_prediction, text, strlen(text));
    len = strlen(text);
    if (!scorer->options.keep_delimiters)
        text = tg_delimiters_strip(text, len, &len);
    if (cleaned == NULL && text[len] == '\0')
        return text;
    char *copy = tg_env_scratch(env, len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

void tg_scorer_read_pair(const TgScorer *scorer, TgScorerWorker *worker, const TgPair *pair,
                         gsize row, TgScoreItem *item)
{
    const char **refs = tg_env_scratch(worker->env, MAX(pair->n_refs, 1) * sizeof *refs);
    const char *hyp = pair->hyp != NULL ? read_text(scorer, worker->env, pair->hyp, TRUE) : "";
    gboolean is_valid = hyp != NULL;

    for (guint i = 0; i < pair->n_refs; i++) {
        refs[i] = read_text(scorer, worker->env, pair->refs[i], FALSE);
        is_valid = is_valid && refs[i] != NULL;
    }
    *item = (TgScoreItem){
        .pair = { pair->id != NULL ? pair->id : "", refs, pair->n_refs, hyp },
        .has_prediction = pair->hyp != NULL,
        .fault = is_valid ? NULL : "a formula is not UTF-8",
        .row = row,
    };
}

/* A row of an input as an item that borrows from it. */
static TgScoreItem item_of(const TgRecord *record)
{
    return (TgScoreItem){
        .pair = { record->id != NULL ? record->id : "",
                  (const char *const *) (gpointer) record->refs->pdata, record->refs->len,
                  record->hyp != NULL ? record->hyp : "", record->stored },
        .has_prediction = record->hyp != NULL,
        .fault = record->fault,
        .file = record->file,
        .line = record->line,
        .row = record->row,
    };
}

/* ---- a pair, with the rule for what cannot be scored ---- */

#define MAX_MEMORY ((gsize) 1 << 30)

/* Time in which all metrics together score the empty prediction after a pair's time was up. */
#define GRACE_SECONDS 0.1

/* Try one pair; a fact about it comes back as *@why (transfer full), a fault as FALSE. */
static gboolean try_pair(const TgMetric *metric, TgEnv *env, const TgPair *pair, double seconds,
                         TgResult *result, char **why, GError **error)
{
    GError *trouble = NULL;

    *why = NULL;
    tg_deadline_start(seconds, MAX_MEMORY);
    const gboolean scored = tg_metric_score_same_pair(metric, env, pair, result, &trouble);
    const TgDeadline passed = tg_deadline_stop();
    if (passed != TG_DEADLINE_NONE) {
        tg_env_forget_texts(env);
        *why =
            g_strdup(passed == TG_DEADLINE_TIME ? "too-long"
                                                : "too-large: it takes more than 1 GiB of memory");
    } else if (!scored && !g_error_matches(trouble, TG_ERROR, TG_ERROR_DATA) &&
               !g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_prefixed_error(error, trouble, "pair '%s': ", pair->id);
        return FALSE;
    } else if (!scored) {
        *why = g_strdup(trouble->message);
    }
    g_clear_error(&trouble);
    return TRUE;
}

/* Score a pair that cannot be scored as it is by an empty prediction. A prediction that is too long
 * is scored by its beginning where that is worse, because it must not gain by its length: in a
 * column of errors without a bound an empty prediction is not the worst. */
static gboolean score_worst(const TgMetric *metric, TgEnv *env, const TgScoreItem *item,
                            double seconds, TgResult *result, gboolean *scored, GError **error)
{
    const TgColumn *columns = tg_metric_info(metric)->columns;
    const char *hyp = item->pair.hyp;
    g_autofree char *why_empty = NULL, *why_cut = NULL, *again = NULL;
    TgPair pair = item->pair;
    gsize end = TG_TEXT_MAX;
    guint column = 0;

    pair.hyp = "";
    if (!try_pair(metric, env, &pair, seconds, result, &why_empty, error))
        return FALSE;
    *scored = why_empty == NULL;
    while (column < tg_metric_n_columns(metric) &&
           (columns[column].direction != TG_LOWER_IS_BETTER || columns[column].max != G_MAXDOUBLE))
        column++;
    if (!*scored || !item->has_prediction || column == tg_metric_n_columns(metric) ||
        strlen(hyp) <= TG_TEXT_MAX || tg_is_label_graph(hyp))
        return TRUE;
    const double empty = tg_result_get(result, column);
    while (end > 0 && ((guchar) hyp[end] & 0xC0) == 0x80) /* inside a character */
        end--;
    g_autofree char *beginning = g_strndup(hyp, end);
    pair.hyp = beginning;
    if (!try_pair(metric, env, &pair, seconds, result, &why_cut, error))
        return FALSE;
    if (why_cut == NULL && tg_result_get(result, column) > empty)
        return TRUE;
    pair.hyp = "";
    return try_pair(metric, env, &pair, seconds, result, &again, error);
}

/* The bytes of @text that TG_TEXT_MAX bounds. */
static gsize scored_length(const TgMetric *metric, const char *text)
{
    const gsize length = strlen(text);

    return length > TG_TEXT_MAX && strcmp(tg_metric_info(metric)->name, "crohme-graph") == 0 &&
                   tg_is_label_graph(text)
               ? tg_label_graph_size(text)
               : length;
}

/* Why @metric cannot score an item; NULL: it can try. No metric sees a text that is longer than
 * TG_TEXT_MAX, so that its time and memory are bounded. (transfer full)
 *
 * @has_ref: (out) whether it can be scored as something else */
static char *why_unscored(const TgMetric *metric, const TgScoreItem *item, gboolean *has_ref)
{
    gsize longest = 0;

    *has_ref = FALSE;
    if (item->fault != NULL || item->pair.n_refs == 0)
        return g_strdup(item->fault != NULL ? item->fault : "no reference");
    for (guint i = 0; i < item->pair.n_refs; i++)
        longest = MAX(longest, scored_length(metric, item->pair.refs[i]));
    *has_ref = longest <= TG_TEXT_MAX;
    if (!item->has_prediction)
        return g_strdup("no prediction");
    longest = MAX(longest, scored_length(metric, item->pair.hyp));
    return longest <= TG_TEXT_MAX ? NULL
                                  : g_strdup_printf("a text of %" G_GSIZE_FORMAT
                                                    " bytes is too long to score (limit %u)",
                                                    longest, TG_TEXT_MAX);
}

gboolean tg_scorer_score_item(const TgScorer *scorer, TgScorerWorker *worker,
                              const TgScoreItem *item, TgScores *out, GError **error)
{
    const TgScoreLayout *layout = scorer->layout;
    const guint n = layout->metrics->len;
    const double seconds = scorer->options.pair_timeout; /* 0: no bound */
    const gint64 end = seconds > 0 ? g_get_monotonic_time() + (gint64) (seconds * 1e6) : 0;
    gboolean has_ref;

    tg_scores_reset(out, layout);
    for (guint m = 0; m < n; m++) {
        const TgMetric *metric = layout->metrics->pdata[m];
        TgResult *result = worker->results[m];
        TgUndefined policy = scorer->options.undefined;
        g_autofree char *why = why_unscored(metric, item, &has_ref);
        gboolean scored = why == NULL;

        if (scored) {
            const double share =
                seconds > 0 ? MAX((double) (end - g_get_monotonic_time()), 1) / 1e6 / (n - m) : 0;

            if (!try_pair(metric, worker->env, &item->pair, share, result, &why, error))
                return FALSE;
            scored = why == NULL;
        }
        if (policy == TG_UNDEFINED_DEFAULT)
            policy = tg_metric_info(metric)->undefined;
        if (!scored && policy == TG_UNDEFINED_STOP)
            return tg_fail_input(
                error, "%s:%" G_GSIZE_FORMAT ": %s cannot score row %" G_GSIZE_FORMAT ": %s",
                item->file != NULL ? item->file : "input", item->line, tg_metric_label(metric),
                item->row, why);
        if (!scored && policy != TG_UNDEFINED_SKIP && has_ref &&
            !score_worst(metric, worker->env, item, seconds > 0 ? GRACE_SECONDS / n : 0, result,
                         &scored, error))
            return FALSE;
        if (scored)
            tg_scores_take(out, layout, m, result);
        if (why != NULL)
            tg_scores_set_status(out, m, why);
    }
    return TRUE;
}

/* ---- many pairs ---- */

enum { IN_FLIGHT = 4 }; /* chunks for each thread */

typedef struct {
    const TgFlow *flow;
    TgScorerWorker **workers;
    GError *error; /* the first one; set by emit */
    atomic_bool stopped;
} Run;

typedef struct {
    TgFlowRow rows[TG_CHUNK_PAIRS];
    guint n;
    GString *text; /* of the flow */
    GError *error;
} Chunk;

static void free_chunk(const TgFlow *flow, Chunk *chunk)
{
    for (guint i = 0; i < chunk->n; i++) {
        TgFlowRow *row = &chunk->rows[i];

        if (flow->read == NULL) {
            tg_record_clear(&row->record);
            tg_scores_clear(&row->scores, flow->scorer->layout);
        }
        if (flow->free_own != NULL)
            flow->free_own(row->own);
    }
    g_string_free(chunk->text, TRUE);
    g_clear_error(&chunk->error);
    g_free(chunk);
}

static void score_chunk(gpointer chunk_data, guint number, gpointer data)
{
    const Run *run = data;
    const TgFlow *flow = run->flow;
    TgScorerWorker *worker = run->workers[number];
    Chunk *chunk = chunk_data;

    for (guint i = 0; i < chunk->n && !atomic_load(&run->stopped); i++) {
        TgFlowRow *row = &chunk->rows[i];
        TgScores *scores = flow->read != NULL ? &worker->scores : &row->scores;
        TgScoreItem item;

        tg_env_next_pair(worker->env);
        if (flow->read != NULL)
            flow->read(flow->data, row, worker, &item);
        else
            item = item_of(&row->record);
        if (!tg_scorer_score_item(flow->scorer, worker, &item, scores, &chunk->error))
            break;
        if (flow->done != NULL)
            flow->done(flow->data, row, worker, scores, chunk->text);
    }
}

static void emit_chunk(gpointer item, gpointer data)
{
    Run *run = data;
    Chunk *chunk = item;

    if (run->error == NULL && chunk->error != NULL)
        run->error = g_steal_pointer(&chunk->error);
    if (run->error == NULL && run->flow->emit != NULL)
        run->flow->emit(run->flow->data, chunk->rows, chunk->n, chunk->text, &run->error);
    if (run->error != NULL)
        atomic_store(&run->stopped, TRUE);
    free_chunk(run->flow, chunk);
}

gboolean tg_flow_run(const TgFlow *flow, GError **error)
{
    const guint n_threads = flow->threads > 0 ? flow->threads : g_get_num_processors();
    Run run = { .flow = flow, .workers = g_new(TgScorerWorker *, n_threads) };
    const guint size = flow->live ? 1 : TG_CHUNK_PAIRS;
    gboolean goes_on = TRUE;
    TgNext next = TG_NEXT_ROW;
    GError *trouble = NULL;
    TgPipeline *pipeline =
        tg_pipeline_new(n_threads, n_threads * IN_FLIGHT, score_chunk, emit_chunk, &run, &trouble);

    for (guint i = 0; i < n_threads; i++) {
        run.workers[i] = tg_scorer_take_worker(flow->scorer);
        run.workers[i]->number = i;
    }
    while (goes_on && next == TG_NEXT_ROW && trouble == NULL && !atomic_load(&run.stopped)) {
        Chunk *chunk = g_new0(Chunk, 1);

        chunk->text = g_string_new(NULL);
        while (chunk->n < size) {
            next = flow->next(flow->data, &chunk->rows[chunk->n], &trouble);
            if (next != TG_NEXT_ROW)
                break;
            if (flow->read == NULL)
                tg_scores_init(&chunk->rows[chunk->n].scores, flow->scorer->layout);
            chunk->n++;
        }
        if (chunk->n == 0) {
            free_chunk(flow, chunk);
            break;
        }
        tg_pipeline_push(pipeline, chunk);
        goes_on = flow->progress == NULL || flow->progress(flow->data);
    }
    if (pipeline != NULL)
        tg_pipeline_finish(pipeline);
    for (guint i = 0; i < n_threads; i++)
        tg_scorer_return_worker(flow->scorer, run.workers[i]);
    g_free(run.workers);
    if (flow->progress != NULL && !flow->progress(flow->data))
        goes_on = FALSE;
    if (run.error != NULL) { /* comes from an earlier pair than next()'s trouble */
        g_clear_error(&trouble);
        trouble = run.error;
    }
    if (trouble == NULL && !goes_on)
        g_set_error_literal(&trouble, TG_ERROR, TG_ERROR_CANCELLED, "the run was cancelled");
    if (trouble != NULL)
        g_propagate_error(error, trouble);
    return trouble == NULL;
}
