/* What the runner needs of a scorer beyond the public calls. */
#pragma once

#include <texgauge/scorer.h>

#include "eval/results/results.h"
#include "eval/run/score_item.h"

/** What one thread scores with: an env and a result per metric. */
typedef struct {
    TgEnv *env;
    TgResult **results;
    TgScores scores; /* of the pair at hand */
} TgScorerWorker;

TgScoreLayout *tg_scorer_layout(const TgScorer *scorer);

/** A worker for the calling thread, used before or new; to be given back. */
TgScorerWorker *tg_scorer_take_worker(TgScorer *scorer);
void tg_scorer_return_worker(TgScorer *scorer, TgScorerWorker *worker);

/**
 * @pair as a reader would deliver it: checked, without outer delimiters unless they are kept.
 *
 * @worker: keeps texts that had to be changed until the env's next pair
 * @item: (out)
 */
void tg_scorer_read_pair(const TgScorer *scorer, TgScorerWorker *worker, const TgPair *pair,
                         gsize row, TgScoreItem *item);

/** Score an item into @out; the caller calls tg_env_next_pair() before it makes the item. */
gboolean tg_scorer_score_item(const TgScorer *scorer, TgScorerWorker *worker,
                              const TgScoreItem *item, TgScores *out, GError **error);

/** Whether many pairs are drawn at once, by a program that starts slowly, before they are scored.
 */
gboolean tg_scorer_draws_ahead(const TgScorer *scorer);

/** Draw the formulas of @n pairs; FALSE with @error set when the renderer cannot draw at all. */
gboolean tg_scorer_prepare(const TgScorer *scorer, TgScorerWorker *worker, const TgScoreItem *items,
                           guint n, GError **error);
