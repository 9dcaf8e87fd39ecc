/* Scoring pairs in memory, with the same results as a run over files. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/metric.h>
#include <texgauge/registry.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** Metrics with their options, and rules for their input; see tg_scorer_new(). */
typedef struct TgScorer TgScorer;

/** How to score. Start from TG_SCORER_OPTIONS_INIT and set what differs. */
typedef struct {
    gsize size;               /**< of this struct, so that it can grow */
    TgUndefined undefined;    /**< what a pair that cannot be scored counts as */
    gboolean keep_delimiters; /**< keep outer math delimiters */
    gboolean detail;          /**< keep each metric's detail */
    /** Time limit in seconds for the metrics of a pair; 0: none. Each metric gets an equal part of
     * the time that is left. A metric that exceeds it has the status "too-long" and counts as
     * @undefined says, at most a tenth of a second later. Which pairs are affected depends on the
     * machine; real formulas take far less than a second. */
    double pair_timeout;
    /** Rules that clean formulas before they are scored, as `--clean` of the program takes them,
     * such as "fences,dollars"; NULL: none. tg_scorer_new() reads it. */
    const char *clean;
} TgScorerOptions;

#define TG_PAIR_TIMEOUT_MAX 1e6 /**< seconds */

#define TG_SCORER_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(TgScorerOptions)                                                            \
    }

/**
 * Make a scorer.
 *
 * @metrics: comma-separated specs: `name`, `name:option=value:option=value`, or either after
 *   `label=` to name its columns
 * @options: NULL for the defaults
 *
 * Returns: (transfer full) the scorer, or NULL with @error set to TG_ERROR_USAGE (unknown metric
 * or option, value out of range) or to the error of a metric
 *
 * Threads: a scorer is constant; any number of threads may score with one at the same time.
 */
TG_API TgScorer *tg_scorer_new(const char *metrics, const TgScorerOptions *options, GError **error);
TG_API TgScorer *tg_scorer_ref(TgScorer *scorer);
TG_API void tg_scorer_unref(TgScorer *scorer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgScorer, tg_scorer_unref)

/** The number of metrics. */
TG_API guint tg_scorer_n_metrics(const TgScorer *scorer);

/** Metric number @metric, in the order of the specs. Borrowed. */
TG_API const TgMetric *tg_scorer_metric(const TgScorer *scorer, guint metric);

/** How many columns all metrics have together. */
TG_API guint tg_scorer_n_columns(const TgScorer *scorer);

/** The full name of a column: the label for a metric's first, `label.column` for its others. */
TG_API const char *tg_scorer_column_name(const TgScorer *scorer, guint column);

/** Direction, range and pooling of a column. Borrowed. */
TG_API const TgColumn *tg_scorer_column(const TgScorer *scorer, guint column);

/** How to score a set of pairs. Start from TG_BATCH_OPTIONS_INIT and set what differs. */
typedef struct {
    gsize size;    /**< of this struct, so that it can grow */
    guint threads; /**< 1: the calling thread alone; 0: one per processor */
    /** Called now and then on the calling thread; FALSE stops the batch. May be NULL. */
    gboolean (*progress)(gsize n_done, gsize n_pairs, gpointer data);
    gpointer data; /**< for progress */
} TgBatchOptions;

#define TG_BATCH_OPTIONS_INIT                                                                      \
    {                                                                                              \
        .size = sizeof(TgBatchOptions), .threads = 1                                               \
    }

/** The scores of a set of pairs; immutable, so any thread may read. */
typedef struct TgBatch TgBatch;

/**
 * Score pairs. Outer math delimiters are removed, as from texts of files. A pair that a metric
 * cannot score has a status that says why, and counts as TgScorerOptions.undefined says. Values,
 * statuses and pooled values are those of a run over files, on any number of threads.
 *
 * @pairs: @n pairs, borrowed for the call; here hyp may be NULL (there is no prediction), n_refs
 *   may be 0 (there is no reference), id may be NULL, and texts need not be valid UTF-8: such a
 * pair has a status
 * @options: NULL for the defaults
 *
 * Returns: (transfer full) the scores, or NULL with @error set to
 *   TG_ERROR_CANCELLED  progress() returned FALSE
 *   TG_ERROR_INPUT      TG_UNDEFINED_STOP, and a pair cannot be scored
 *   or any fault that is not about a single pair
 *
 * Threads: any; with one thread no other thread is created.
 */
TG_API TgBatch *tg_scorer_score(TgScorer *scorer, const TgPair *pairs, gsize n,
                                const TgBatchOptions *options, GError **error);
TG_API void tg_batch_free(TgBatch *batch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgBatch, tg_batch_free)

/** The number of pairs. */
TG_API gsize tg_batch_n_pairs(const TgBatch *batch);

/** The values of a column, one a pair, NaN where undefined; borrowed. */
TG_API const double *tg_batch_column(const TgBatch *batch, guint column);

/** The value of a column over all pairs, pooled as the column says; NaN where undefined. */
TG_API double tg_batch_pooled(const TgBatch *batch, guint column);

/** The status of a pair by metric number @metric: "ok", a remark, or why it has no score; borrowed.
 */
TG_API const char *tg_batch_status(const TgBatch *batch, gsize pair, guint metric);

/** A remark on how the pair was scored, or NULL; borrowed. */
TG_API const char *tg_batch_note(const TgBatch *batch, gsize pair, guint metric);

/** The metric's detail, or NULL; the metric's documentation gives its type. Borrowed. */
TG_API GVariant *tg_batch_detail(const TgBatch *batch, gsize pair, guint metric);

G_END_DECLS
