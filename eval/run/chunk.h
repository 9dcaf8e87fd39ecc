/* Pairs that travel together and are scored by one thread: the one way in which files, finished
 * results, arrays and tables are scored. */
#pragma once

#include "datasets/records/record.h"
#include "eval/run/scorer.h"

enum {
    TG_CHUNK_PAIRS = 64,      /**< enough to hide the hand-over, few enough to keep memory small */
    TG_CHUNK_MAX_PAIRS = 256, /**< where they are drawn together, by a program that starts slowly */
    TG_CHUNK_IN_FLIGHT = 4,   /**< for each thread */
};

/** Where the pairs of a chunk come from and where their scores go; called on the thread that
 * scores. */
typedef struct {
    gpointer data;
    /** Make the item of pair @i, which may use memory of the worker's env. */
    void (*read)(gpointer data, TgScorerWorker *worker, gsize i, TgScoreItem *item);
    /** Where the scores of pair @i go; the worker's own scores are free for use. */
    TgScores *(*place)(gpointer data, TgScorerWorker *worker, gsize i);
    /** Pair @i is scored; may be NULL. */
    void (*done)(gpointer data, gsize i, TgScores *scores);
} TgChunkPairs;

/** How many pairs make a chunk. */
guint tg_chunk_size(const TgScorer *scorer);

/** Score the pairs @first to @first + @n - 1; FALSE with @error when the run must stop. */
gboolean tg_chunk_score(const TgScorer *scorer, TgScorerWorker *worker, const TgChunkPairs *pairs,
                        gsize first, gsize n, GError **error);

/** A row of an input on its way to the metrics, which borrows from it. */
TgScoreItem tg_chunk_item(const TgRecord *record);
