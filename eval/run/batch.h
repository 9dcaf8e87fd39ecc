/* Scoring many pairs, wherever they lie. */
#pragma once

#include "eval/run/scorer.h"

/** Pairs by number. */
typedef struct {
    gsize n;
    /** Make @item of pair number @i, as tg_scorer_read_pair() does. On any thread. */
    void (*read)(gconstpointer data, const TgScorer *scorer, TgScorerWorker *worker, gsize i,
                 TgScoreItem *item);
    gconstpointer data;
} TgBatchPairs;

/** What tg_scorer_score() does, for pairs that need not be an array. */
TgBatch *tg_batch_score(TgScorer *scorer, const TgBatchPairs *pairs, const TgBatchOptions *options,
                        GError **error);
