/* Scorers: metrics, rules and per-thread workers; what the runner and every binding score with. */
#include "eval/run/scorer.h"

#include <string.h>

#include "core/lock.h"
#include "core/option_parse.h"
#include "datasets/records/formula.h"
#include "metrics/metric.h"

struct TgScorer {
    gatomicrefcount n_owners;
    TgScorerOptions options;
    TgScoreLayout *layout;
    TgEnv *family;   /* envs of workers are made beside it, so that they share drawings */
    TgLock lock;     /* guards the workers */
    guint clean;     /* rules */
    GPtrArray *idle; /* of TgScorerWorker */
};

static void worker_free(TgScorerWorker *worker, const TgScoreLayout *layout)
{
    for (guint m = 0; m < layout->metrics->len; m++)
        tg_result_free(worker->results[m]);
    g_free(worker->results);
    tg_scores_clear(&worker->scores, layout);
    tg_env_free(worker->env);
    g_free(worker);
}

static TgScorerWorker *worker_new(const TgScorer *scorer)
{
    const TgScoreLayout *layout = scorer->layout;
    TgScorerWorker *worker = g_new0(TgScorerWorker, 1);

    worker->env = tg_env_new_beside(scorer->family);
    worker->results = g_new0(TgResult *, layout->metrics->len);
    for (guint m = 0; m < layout->metrics->len; m++)
        worker->results[m] =
            tg_result_new(tg_score_layout_metric(layout, m), scorer->options.detail);
    tg_scores_init(&worker->scores, layout);
    return worker;
}

/* That a renderer that is asked for concerns any metric. */
static gboolean check_renderer(const TgScoreLayout *layout, TgRendererChoice renderer,
                               GError **error)
{
    gboolean any = renderer == TG_RENDERER_NATIVE;

    for (guint m = 0; m < layout->metrics->len; m++)
        any = any || tg_metric_prepares(tg_score_layout_metric(layout, m));
    if (!any)
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "--renderer applies to cdm only, which is not among the metrics");
    return any;
}

static gboolean check_timeout(double seconds, GError **error)
{
    const gboolean good = seconds >= 0 && seconds <= TG_PAIR_TIMEOUT_MAX;

    if (!good)
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "the time for a pair must be 0 to %g seconds, not %g", TG_PAIR_TIMEOUT_MAX,
                    seconds);
    return good;
}

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
    tg_env_set_renderer(scorer->family, scorer->options.renderer);
    tg_lock_init(&scorer->lock);
    scorer->idle = g_ptr_array_new();
    const char *clean = g_steal_pointer(&scorer->options.clean); /* the caller's */
    return tg_clean_parse(clean, &scorer->clean, error) &&
                   check_timeout(scorer->options.pair_timeout, error) &&
                   check_renderer(scorer->layout, scorer->options.renderer, error)
               ? g_steal_pointer(&scorer)
               : NULL;
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
    for (guint i = 0; i < scorer->idle->len; i++)
        worker_free(scorer->idle->pdata[i], scorer->layout);
    g_ptr_array_unref(scorer->idle);
    tg_lock_clear(&scorer->lock);
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
    return tg_score_layout_metric(scorer->layout, metric);
}

guint tg_scorer_n_columns(const TgScorer *scorer)
{
    return scorer->layout->n_columns;
}

const char *tg_scorer_column_name(const TgScorer *scorer, guint column)
{
    g_return_val_if_fail(column < scorer->layout->n_columns, NULL);
    return tg_score_layout_column_name(scorer->layout, column);
}

const TgColumn *tg_scorer_column(const TgScorer *scorer, guint column)
{
    g_return_val_if_fail(column < scorer->layout->n_columns, NULL);
    return tg_score_layout_column(scorer->layout, column);
}

/* ---- workers ---- */

TgScoreLayout *tg_scorer_layout(const TgScorer *scorer)
{
    return scorer->layout;
}

TgScorerWorker *tg_scorer_take_worker(TgScorer *scorer)
{
    TgScorerWorker *worker = NULL;

    tg_lock_acquire(&scorer->lock);
    if (scorer->idle->len > 0)
        worker = g_ptr_array_steal_index_fast(scorer->idle, scorer->idle->len - 1);
    tg_lock_release(&scorer->lock);
    return worker != NULL ? worker : worker_new(scorer);
}

void tg_scorer_return_worker(TgScorer *scorer, TgScorerWorker *worker)
{
    tg_lock_acquire(&scorer->lock);
    g_ptr_array_add(scorer->idle, worker);
    tg_lock_release(&scorer->lock);
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

gboolean tg_scorer_score_item(const TgScorer *scorer, TgScorerWorker *worker,
                              const TgScoreItem *item, TgScores *out, GError **error)
{
    return tg_score_item(scorer->layout, &scorer->options, item, worker->env, worker->results, out,
                         error);
}

gboolean tg_scorer_draws_ahead(const TgScorer *scorer)
{
    return scorer->options.renderer != TG_RENDERER_NATIVE;
}

gboolean tg_scorer_prepare(const TgScorer *scorer, TgScorerWorker *worker, const TgScoreItem *items,
                           guint n, GError **error)
{
    return tg_prepare_items(scorer->layout, items, n, worker->env, error);
}
