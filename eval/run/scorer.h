/* Shared by the files of this folder: a scorer's workers, and the flow of pairs through it. */
#pragma once

#include <pthread.h>

#include <texgauge/scorer.h>

#include "eval/results/results.h"
#include "eval/run/run.h"

/** A pair on its way to the metrics; everything is borrowed. */
typedef struct {
    TgPair pair;             /**< n_refs is 0 where there is no reference */
    gboolean has_prediction; /**< FALSE: hyp is "" because there is none */
    const char *fault;       /**< why the pair cannot be scored at all; NULL: it can */
    const char *file;        /**< where it comes from, for messages; NULL: no file */
    gsize line;
    gsize row; /**< from 1 */
} TgScoreItem;

/** The tools of one scoring thread: an env and a result per metric. */
typedef struct {
    TgEnv *env;
    TgResult **results;
    TgScores scores; /* of the pair at hand */
    guint number;    /* of the thread in a flow */
} TgScorerWorker;

struct TgScorer {
    gatomicrefcount n_owners;
    TgScorerOptions options;
    TgScoreLayout *layout;
    TgEnv *family;        /* envs of workers are made beside it, so that they share drawings */
    pthread_mutex_t lock; /* guards the workers */
    guint clean;          /* rules */
    GPtrArray *idle;      /* of TgScorerWorker */
};

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

/**
 * Score an item with every metric; the caller calls tg_env_next_pair() before it makes the item.
 *
 * A pair that a metric cannot score gets a status that says why. What it counts as is decided by
 * TgScorerOptions.undefined (by default what each metric says). "Worst" means that it is scored as
 * an empty prediction; where even that fails the reference is at fault, and the pair counts
 * nowhere.
 *
 * With TgScorerOptions.pair_timeout each metric has an equal share of the time that those before
 * left; one that exceeds it cannot score the pair: "too-long".
 *
 * Returns: FALSE with @error set when the run must stop: a fault of ours, or TG_UNDEFINED_STOP
 */
gboolean tg_scorer_score_item(const TgScorer *scorer, TgScorerWorker *worker,
                              const TgScoreItem *item, TgScores *out, GError **error);

/** The names of TgUndefined in headers and options; NULL last. */
extern const char *const tg_undefined_names[];

/* ---- many pairs ---- */

/** The most that are scored together by one thread: enough to hide the hand-over, few enough to
 * keep memory small. */
enum { TG_CHUNK_PAIRS = 64 };

/** A pair on its way through a flow. */
typedef struct {
    TgRecord record;
    TgScores scores; /**< of the record */
    gpointer own;    /**< of the code that makes the flow */
} TgFlowRow;

/**
 * Pairs through a scorer, the one way in which files, finished results and arrays are scored: rows
 * are made one after the other, scored in chunks on many threads, and emitted in their order. All
 * calls are given @data.
 */
typedef struct {
    TgScorer *scorer;
    guint threads; /**< 0: one per processor */
    gboolean live; /**< a reader waits for every row */
    gpointer data;
    /** On the calling thread: fill a row that is all zero. Rows that were read before an error are
     * still scored. */
    TgNext (*next)(gpointer data, TgFlowRow *row, GError **error);
    /** On any thread: the item of a row without a record, which may use memory of the worker's env;
     * its scores are the worker's. NULL: rows have records */
    void (*read)(gpointer data, const TgFlowRow *row, TgScorerWorker *worker, TgScoreItem *item);
    /** There, too: the pair is scored; lines may be added to the text of its chunk. NULL: nothing
     * is to be done */
    void (*done)(gpointer data, TgFlowRow *row, const TgScorerWorker *worker, TgScores *scores,
                 GString *text);
    /** One at a time: a chunk is scored. NULL: nothing is to be done. */
    gboolean (*emit)(gpointer data, TgFlowRow *rows, guint n, const GString *text, GError **error);
    GDestroyNotify free_own; /**< NULL: nothing is to be freed */
    /** Now and then on the calling thread; FALSE ends with TG_ERROR_CANCELLED. */
    gboolean (*progress)(gpointer data);
} TgFlow;

/** Returns: FALSE with the error of the earliest pair, or of next() */
gboolean tg_flow_run(const TgFlow *flow, GError **error);
