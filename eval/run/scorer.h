/* What the files of this folder share: a scorer's workers, the flow of pairs through it, and
 * interrupted runs. */
#pragma once

#include <texgauge/scorer.h>

#include "eval/results/results.h"
#include "eval/run/run.h"

/** A pair on its way to the metrics; everything is borrowed. */
typedef struct {
    TgPair pair;             /**< n_refs is 0 where there is no truth */
    gboolean has_prediction; /**< FALSE: hyp is "" because there is none */
    const char *fault;       /**< why the pair cannot be scored at all; NULL: it can */
    const char *file;        /**< where it comes from, for messages; NULL: no file */
    gsize line;
    gsize row; /**< from 1 */
} TgScoreItem;

/** What one thread scores with: an env and a result per metric. */
typedef struct {
    TgEnv *env;
    TgResult **results;
    TgScores scores; /* of the pair at hand */
    guint number;    /* of the thread in a flow */
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

/** A row of an input as an item that borrows from it. */
TgScoreItem tg_score_item_of(const TgRecord *record);

/**
 * Score an item with every metric; the caller calls tg_env_next_pair() before it makes the item.
 *
 * A pair that a metric cannot score gets a status that says why. What it counts as is decided by
 * TgScorerOptions.undefined (by default what each metric says). "Worst" means that it is scored as
 * an empty prediction; where even that fails the truth is at fault, and the pair counts nowhere.
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

/**
 * Pairs through a scorer, the one way in which files, finished results and arrays are scored:
 * chunks of them are made one after the other, scored on many threads, and emitted in their order.
 * All calls are given @data.
 */
typedef struct {
    TgScorer *scorer;
    guint threads; /**< 0: one per processor */
    gpointer data;
    /** On the calling thread: the next chunk of at most @max pairs; NULL at the end. What was read
     * before an error is still scored. */
    gpointer (*next)(gpointer data, guint max, guint *n, GError **error);
    /** On any thread: the item of a pair, which may use memory of the worker's env, and, unless
     * they are the worker's own, where its scores go. */
    void (*read)(gpointer data, gpointer chunk, guint i, TgScorerWorker *worker, TgScoreItem *item,
                 TgScores **scores);
    /** There, too: the pair is scored. */
    void (*done)(gpointer data, gpointer chunk, guint i, const TgScorerWorker *worker,
                 TgScores *scores);
    /** One at a time: a chunk is scored. NULL: nothing is to be done. */
    gboolean (*emit)(gpointer data, gpointer chunk, GError **error);
    void (*free)(gpointer data, gpointer chunk); /**< NULL: nothing is to be freed */
    /** Now and then on the calling thread; FALSE ends with TG_ERROR_CANCELLED. */
    gboolean (*progress)(gpointer data);
} TgFlow;

/** Returns: FALSE with the error of the earliest pair, or of next() */
gboolean tg_flow_run(const TgFlow *flow, GError **error);

/* ---- interrupted results ---- */

/** What an output file already holds. All zero: nothing. */
typedef struct {
    gboolean has_header;
    gboolean complete; /* nothing is left to score */
    guint64 n_rows;    /* pair lines in the file */
    guint64 offset;    /* bytes up to the end of the last whole line */
    TgSeal seal;       /* of its lines */
    GArray *done;      /* of those lines: number and hash of the pair, what went wrong */
    guint next;        /* the first of them that the input did not come to yet */
} TgResume;

/**
 * Look at the file that a run is going to write; whoever writes it has a lock on it.
 *
 * A file that is empty, or no file but a device or a pipe, is new. An interrupted results file is
 * taken up when @wanted: its header must be @header (as before it is sealed), its pairs are added
 * to @summary. When it is not wanted, a file that holds anything is not overwritten, unless @force.
 *
 * Returns: FALSE with TG_ERROR_OUTPUT (not wanted, and it holds something; of another run) or
 * TG_ERROR_INPUT (damaged)
 */
gboolean tg_resume_open(TgResume *resume, const char *path, const char *header, gboolean wanted,
                        gboolean force, TgSummary *summary, GError **error);

/**
 * Whether @record is still to be scored.
 *
 * @done: made with tg_scores_init(@layout); gets the statuses and notes of a row that is not
 *
 * Returns: FALSE for a done row; with TG_ERROR_INPUT where the row was another one when it was
 * scored: the input has changed
 */
gboolean tg_resume_wants(TgResume *resume, const TgRecord *record, const TgScoreLayout *layout,
                         TgScores *done, GError **error);

/** At the end of the input: FALSE with TG_ERROR_INPUT where it lacks rows that are done. */
gboolean tg_resume_check_end(const TgResume *resume, GError **error);

void tg_resume_clear(TgResume *resume);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgResume, tg_resume_clear)
