/* The runner: inputs in, results.jsonl and a summary out. */
#pragma once

#include <texgauge/metric.h>
#include <texgauge/registry.h>
#include <texgauge/types.h>

#include "eval/run/summary.h"

/** How a run is going; handed to TgEvalOptions.progress. */
typedef struct {
    guint64 rows;        /**< scored so far */
    guint64 failures;    /**< of these, pairs with a status other than "ok" in some metric */
    guint64 bytes_read;  /**< of the inputs as they lie on disk */
    guint64 bytes_total; /**< 0 where it is not known (a pipe) */
} TgProgress;

/** What to evaluate and how. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *metrics; /**< comma-separated specs, as for tg_metric_new_list() */

    const char *const *inputs;      /**< files that hold pairs, each `file` or `model=file`, NULL
                                         last; "-" is stdin */
    const char *const *truths;      /**< or: files of truths, NULL last, joined with */
    const char *const *predictions; /**< `model=file` or `file`, NULL last */

    const char *format;         /**< reader to use; NULL finds out */
    const char *const *maps;    /**< `gt=latex_true,pred=latex_pred,...`, NULL last */
    const char *const *human;   /**< `group=a,b,c`: human scores per group, NULL last */
    const char *ratings;        /**< file with the human scores; NULL: they are in the rows */
    const char *const *columns; /**< stored fields to keep beside the scores, NULL last */
    const char *model;          /**< of rows without one; NULL: what the path tells where there
                                     are several inputs, else none */
    gboolean keep_delimiters;   /**< do not take outer math delimiters off */
    const char *clean;         /**< rules of clean-up, as tg_clean_parse() reads them; NULL: none */
    gboolean token_ids;        /**< formulas are whole numbers with blanks between, or JSON lists of
                                    them; metrics want tokenize=words then */
    gboolean allow_duplicates; /**< do not look for ids that occur twice */
    gboolean allow_empty;      /**< no pair, or no prediction in any row, is no error */

    const char *output;    /**< results file, "-" for stdout, NULL for none */
    gboolean resume;       /**< go on with an interrupted @output */
    gboolean force;        /**< overwrite whatever @output holds */
    gboolean confidence;   /**< the summary has intervals */
    const char *const *by; /**< further stored fields by whose values the summary has rows, NULL
                                last; kept beside the scores */
    const char *mean;      /**< over what its values are means, as tg_mean_parse() reads it; a field
                                that it names is kept beside the scores */
    gboolean detail;       /**< write each metric's detail per pair */

    TgRendererChoice renderer; /**< what draws, for metrics that leave it to the run */

    double pair_timeout;   /**< seconds for a pair, as in TgScorerOptions; 0: no bound */
    TgUndefined undefined; /**< what a pair that cannot be scored counts as */
    guint threads;         /**< 0: one per processor */
    guint shard, n_shards; /**< only rows r with (r - 1) mod n_shards = shard - 1; 0: all */

    /** Called now and then on the calling thread; FALSE ends the run with TG_ERROR_CANCELLED. */
    gboolean (*progress)(const TgProgress *progress, gpointer data);
    /** Called at the end for what the inputs got wrong: a line for each cause, with its first
     * place. */
    void (*fault)(const char *message, gpointer data);
    /** Likewise for pairs that a metric could not score, or has a remark on. */
    void (*note)(const char *message, gpointer data);
    gpointer data; /**< for all three */
} TgEvalOptions;

/**
 * Score every pair of the inputs.
 *
 * @n_faults: (out) rows that could not be read as pairs; they are in the results with a status
 * @error: TG_ERROR_CANCELLED, TG_ERROR_USAGE (options that do not go together), TG_ERROR_INPUT (an
 * input as a whole, no pair at all, no prediction in any row, or --undefined=stop),
 * TG_ERROR_OUTPUT, or what a metric reports
 *
 * Returns: (transfer full) the summary, or NULL; what was scored until then stays in the output
 *
 * Threads: one call at a time per output file.
 */
TgSummary *tg_eval_run(const TgEvalOptions *options, guint64 *n_faults, GError **error);

/** How results files are summed up. Zero it, set what differs. */
typedef struct {
    gboolean force;      /**< also shards whose metrics have other options, or that were scored with
                              other settings */
    gboolean confidence; /**< with intervals */
    const char *mean;    /**< as in TgEvalOptions; a field must have been kept */
    const char *const *by; /**< likewise */
} TgMergeOptions;

/**
 * The summary of results files: of one run, or of all shards of one run.
 *
 * @paths: each "MODEL=FILE" (the name replaces that of the rows) or FILE, NULL last
 *
 * @options: NULL for the defaults
 *
 * Returns: (transfer full) what the whole run's summary was, to the byte, or NULL with
 * TG_ERROR_INPUT: not a results file, interrupted, of different runs, a shard missing or twice
 */
TgSummary *tg_eval_merge(const char *const *paths, const TgMergeOptions *options, GError **error);
