#include "eval/run/chunk.h"

#include "metrics/metric.h"

guint tg_chunk_size(const TgScorer *scorer)
{
    return tg_scorer_draws_ahead(scorer) ? TG_CHUNK_MAX_PAIRS : TG_CHUNK_PAIRS;
}

static gboolean draw_chunk(const TgScorer *scorer, TgScorerWorker *worker,
                           const TgChunkPairs *pairs, gsize first, gsize n, GError **error)
{
    g_autofree TgScoreItem *items = g_new(TgScoreItem, n);

    tg_env_next_pair(worker->env);
    for (gsize i = 0; i < n; i++)
        pairs->read(pairs->data, worker, first + i, &items[i]);
    return tg_scorer_prepare(scorer, worker, items, (guint) n, error);
}

gboolean tg_chunk_score(const TgScorer *scorer, TgScorerWorker *worker, const TgChunkPairs *pairs,
                        gsize first, gsize n, GError **error)
{
    if (tg_scorer_draws_ahead(scorer) && !draw_chunk(scorer, worker, pairs, first, n, error))
        return FALSE;
    for (gsize i = first; i < first + n; i++) {
        TgScoreItem item;

        tg_env_next_pair(worker->env);
        pairs->read(pairs->data, worker, i, &item);
        TgScores *scores = pairs->place(pairs->data, worker, i);
        if (!tg_scorer_score_item(scorer, worker, &item, scores, error))
            return FALSE;
        if (pairs->done != NULL)
            pairs->done(pairs->data, i, scores);
    }
    return TRUE;
}

TgScoreItem tg_chunk_item(const TgRecord *record)
{
    return (TgScoreItem){
        .pair = { record->id != NULL ? record->id : "",
                  (const char *const *) (gpointer) record->refs->pdata, record->refs->len,
                  record->hyp != NULL ? record->hyp : "" },
        .has_prediction = record->hyp != NULL,
        .fault = record->fault,
        .file = record->file,
        .line = record->line,
        .row = record->row,
    };
}
