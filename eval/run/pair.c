/* One pair, scored or drawn as a run would do it. */
#include "eval/run/scorer.h"
#include "metrics/metric.h"

static TgScorer *scorer_of(const TgEvalOptions *options, GError **error)
{
    const TgScorerOptions how = {
        .size = sizeof how,
        .undefined = options->undefined,
        .keep_delimiters = options->keep_delimiters,
        .detail = options->detail,
        .pair_timeout = options->pair_timeout,
        .clean = options->clean,
    };

    return tg_scorer_new(options->metrics, &how, error);
}

/* Read a pair; FALSE with @error where a run would record a fault. */
static gboolean read_pair(const TgScorer *scorer, TgScorerWorker *worker, const TgPair *pair,
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
    if (read_pair(scorer, worker, pair, &item, error) &&
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
    if (read_pair(scorer, worker, pair, &item, error))
        picture = tg_metric_picture(tg_scorer_metric(scorer, 0), env, renderer, &item.pair, error);
    tg_scorer_return_worker(scorer, worker);
    return picture;
}
