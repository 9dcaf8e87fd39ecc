/* Inputs in, results.jsonl and a summary out; what else is done with metrics from outside: more of
 * them for finished results, one pair, and why pairs could not be scored. */
#pragma once

#include <texgauge/metric.h>
#include <texgauge/picture.h>
#include <texgauge/scorer.h>
#include <texgauge/types.h>

#include "core/args.h"
#include "core/pipeline.h"
#include "eval/grid/grid.h"
#include "eval/results/pool.h"

/* ---- summaries ---- */

/** Options of a summary. Zero it, set what differs; borrowed. */
typedef struct {
    gboolean force;      /**< of results files: also shards whose metrics have other options, or
                              that were scored with other settings */
    gboolean confidence; /**< intervals, for which all pairs are kept */
    const char *mean;    /**< over what values are means, as tg_mean_parse() reads it; a field
                              that it names must be kept */
    /** Called for each pair that is added, one at a time and in their order, by a run on any
     * thread; NULL: not */
    void (*each)(const TgScoreLayout *layout, const TgScores *scores, gpointer data);
    gpointer data;         /**< for each */
    const char *const *by; /**< stored fields, NULL last: also rows "FIELD: VALUE" of the pairs that
                                have the value, or have it in a list; a value "KEY: VALUE" names
                                its row alone. NULL: of means over pages their attributes */
} TgSummaryOptions;

/**
 * Pooled values per model and subset: micro over all pairs of a model, per subset, and macro, the
 * plain mean over its subsets. The order in which pairs were added does not matter.
 */
typedef struct {
    TgScoreLayout *layout;
    TgMean mean;        /**< unit of the means in its values */
    GPtrArray *remarks; /**< of char *: what a reader of the numbers must know of the files they are
                             of (tg_results_remark()), into which remarks are put */

    GPtrArray *models;     /* Model */
    GHashTable *groups;    /* Group to itself */
    GHashTable *elsewhere; /* "FIELD\nMODEL\nVALUE" to TgPagesElsewhere */
    gboolean has_names;    /* any pair names a page or subset, as the mean wants it */
    gboolean is_altered;   /* of a shard or of cleaned formulas: no values for a leaderboard */
    GArray *kept;          /* double: rows of TgScores; NULL: no intervals are wanted */
    char **fields;         /* [n_fields] whose values have rows, too */
    guint n_fields;
    gboolean is_named; /* the user named them */
    void (*each)(const TgScoreLayout *layout, const TgScores *scores, gpointer data);
    gpointer data; /* for each */
} TgSummary;

/** Takes the layout over. @options: NULL for the defaults. (transfer full) NULL with TG_ERROR_USAGE
 */
TgSummary *tg_summary_new(TgScoreLayout *layout, const TgSummaryOptions *options, GError **error);
void tg_summary_free(TgSummary *summary);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSummary, tg_summary_free)

/** A pair of a summary; any text may be NULL. */
typedef struct {
    guint64 row; /**< its number in the input; models come in the order of their first rows, so
                      that shards agree */
    const char *model, *subset;
    const char *id;
    const json_t *stored; /**< the fields kept with it */
} TgSummaryPair;

/** The pair of a line of results, of @model; borrowed from both. */
TgSummaryPair tg_summary_pair_of_row(const TgResultsRow *row, const char *model);

/** Add one pair to its model and subset. */
void tg_summary_add_pair(TgSummary *summary, const TgSummaryPair *pair, const TgScores *scores);

/** At the end: TG_ERROR_INPUT where a mean is over pages or subsets and no pair names one, or no
 * pair has a field. */
gboolean tg_summary_check(const TgSummary *summary, GError **error);

/** Whether @column is one that --pivot can name; TG_ERROR_USAGE lists them. */
gboolean tg_summary_check_column(const TgScoreLayout *layout, const char *column, GError **error);

/** Pages of a model that have predictions but no reference formula, and so no pairs: one of its
 * pairs keeps them as "page_elsewhere", a list of {page, page_attributes, extras}. */
typedef struct {
    guint64 n_pages, n_unused;
} TgPagesElsewhere;

/** One row of a summary: a set of pairs and its values. */
typedef struct {
    const char *model; /* NULL: rows without a model */
    char *subset;      /* NULL: all pairs of the model, or the mean over subsets */
    gboolean is_macro;
    guint64 n_pairs;
    guint64 n_pages;            /* 0 where the mean is not over pages */
    TgPageCounts page_counts;   /* likewise; those of all pages, also without a reference formula */
    TgPagesElsewhere elsewhere; /* what of page_counts is on the latter */
    double *values;             /* per column */
    double (*intervals)[2];     /* per column; NULL where they are not wanted */
    guint64 *n_undefined;       /* per metric */
    guint64 *n_failed;          /* per metric */
} TgSummaryRow;

/**
 * All rows, models by their first rows, subsets by name, so that shards agree: per model the micro
 * row over all its pairs; where there are two subsets or more also theirs, and the macro row, their
 * plain mean (undefined where one of them is); then those of
 * TgSummaryOptions.by. A mean over
 * subsets is in the place of the micro row. A mean over pages leaves out pages where a column is
 * undefined. (transfer full) (element-type TgSummaryRow)
 */
GPtrArray *tg_summary_rows(const TgSummary *summary);

enum { TG_CONFIDENCE_RESAMPLES = 1000 };

/** Details of the writing; zero it for the defaults. */
typedef struct {
    TgGridForm form;
    gboolean all;      /**< in tables every column, not the headline ones alone */
    const char *pivot; /**< a column: models by subsets, with its value; NULL: all columns */
} TgSummaryFormat;

/** The summary as UTF-8 text that ends in a newline. (transfer full) */
char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format);

/* ---- runs ---- */

/** Options of a run. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *metrics; /**< comma-separated specs, as for tg_metric_new_list(); see
                              tg_eval_metrics() */

    const char *const *inputs; /**< files that hold pairs, each `file` or `model=file`, NULL last;
                                  "-" is stdin; or source.refs and source.hyps, or
                                    source.pairs */
    const char *const *pages;  /**< or with one file of source.refs: `model=folder` or
                                  `folder`,  NULL  last, to match as tg_documents_run() does */
    TgSourceOptions source; /**< how these are read. Outer delimiters are kept for "omnidocbench" as
                                 @metrics; columns that are NULL keep all short fields of a row */
    gboolean allow_empty;   /**< no pair, or no prediction in any row, is no error */

    const char *output;       /**< results file, "-" for stdout, NULL for none */
    gboolean resume;          /**< go on with an interrupted @output */
    TgSummaryOptions summary; /**< fields that it names are kept beside the scores; force: overwrite
                                   whatever @output holds */
    TgScorerOptions scorer; /**< how a pair is scored; its size, delimiters and clean-up are set by
                                 tg_eval_scorer_options() */
    guint threads;          /**< 0: one per processor */
    guint shard, n_shards;  /**< only rows r with (r - 1) mod n_shards = shard - 1; 0: all */

    /** Called now and then on the calling thread; FALSE ends the run with TG_ERROR_CANCELLED. */
    gboolean (*progress)(const TgProgress *progress, gpointer data);
    /** Called at the end for what the inputs got wrong: a line for each cause, with its first
     * place. */
    void (*fault)(const char *message, gpointer data);
    /** Likewise for pairs that a metric could not score, or has a remark on. */
    void (*note)(const char *message, gpointer data);
    gpointer data; /**< for these three */
} TgEvalOptions;

extern const TgArg tg_read_args[];  /**< TgEvalOptions: how inputs are read */
extern const TgArg tg_score_args[]; /**< TgEvalOptions: how a pair is scored */
extern const TgArg tg_run_args[];   /**< TgEvalOptions: the rest, with the two above */
extern const TgArg tg_merge_args[]; /**< TgSummaryOptions */

/** Bits of the modes of eval: what an option acts on. */
enum {
    TG_MODE_SCORE = 1,   /**< pairs are scored */
    TG_MODE_RESULTS = 2, /**< finished results are summed up */
    TG_MODE_ADD = 4,     /**< metrics are added to them */
    TG_MODE_CHECK = 8,   /**< references are read and checked */
    TG_MODE_SUMMARY = TG_MODE_SCORE | TG_MODE_RESULTS | TG_MODE_ADD,
};

/** The options of a scorer that reads pairs as the source of the run does. */
TgScorerOptions tg_eval_scorer_options(const TgEvalOptions *options);

/**
 * The metrics that a run has: those of the options, and OmniDocBench's edit distance where means
 * are over pages and the rows bring its counts, as its leaderboard shows it beside any other.
 * (transfer full)
 */
char *tg_eval_metrics(const TgEvalOptions *options);

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
TgSummary *tg_eval_merge(const char *const *paths, const TgSummaryOptions *options, GError **error);

/**
 * Score the pairs of a complete results file with further metrics, by the rules in its header, and
 * write it anew with both.
 *
 * @metrics: as for tg_metric_new_list(); none of them may be in the file
 * @output: the file to write; it may be @path, and is replaced only when all is done
 * @threads: 0: one per processor; the output does not depend on it
 *
 * Returns: (transfer full) the summary of all metrics, or NULL with TG_ERROR_INPUT (not results, or
 * interrupted), TG_ERROR_USAGE (a metric that is there already), TG_ERROR_OUTPUT
 */
TgSummary *tg_eval_add(const char *path, const char *metrics, const char *output,
                       const TgSummaryOptions *options, guint threads, GError **error);

/**
 * Score one pair as a run would, and give its row of results.jsonl.
 *
 * @options: metrics, delimiters, detail and undefined are read
 *
 * Returns: (transfer full) one JSON object without newline, or NULL with @error
 */
char *tg_eval_pair(const TgEvalOptions *options, const TgPair *pair, GError **error);

/**
 * Show how one pair is scored, read as a run would read it.
 *
 * @options: delimiters are read; metrics must be a single one
 * @renderer: of the calling thread
 *
 * Returns: (transfer full) the picture, or NULL with @error as of tg_metric_picture()
 */
TgPairPicture *tg_eval_picture(const TgEvalOptions *options, TgRenderer *renderer,
                               const TgPair *pair, GError **error);

/* ---- why pairs were not scored as they should be ---- */

/** A line for each cause, with count and first place. */
typedef struct TgCauses TgCauses;

TgCauses *tg_causes_new(void);
void tg_causes_free(TgCauses *causes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCauses, tg_causes_free)

/** Note the fault of a row that cannot be used. */
void tg_causes_add_fault(TgCauses *causes, const TgRecord *record);

/** Note every status of a row's metrics that is not "ok", and every note on what they score, each
 * cause once. */
void tg_causes_add_scores(TgCauses *causes, const TgScoreLayout *layout, const TgRecord *record,
                          const TgScores *scores);

/** Note what shows that the texts of a row are more than formulas, or damaged: a code fence, words,
 * special tokens ... @rules: of --clean, which take care of some. @keeps_delimiters: delimiters
 * around formulas are wanted, so that they are no marks to remove. */
void tg_causes_add_signs(TgCauses *causes, const TgRecord *record, guint rules,
                         gboolean keeps_delimiters);

/** Note that a reference of a row cannot be typeset. @fault: tg_causes_first_fault() */
void tg_causes_add_ref(TgCauses *causes, const TgRecord *record, const char *fault);

/** Note that the prediction of a row is empty, or cannot be typeset: the report counts it by the
 * same rule. @fault: tg_causes_first_fault(); NULL: none */
void tg_causes_add_prediction(TgCauses *causes, const TgRecord *record, const char *fault);

/**
 * The first fault that keeps @tex from being read or set, with the word that names its kind; NULL
 * for none. (transfer full)
 */
char *tg_causes_first_fault(const char *tex);

/**
 * Call @line for each cause, the most frequent first, such as
 * "99 references cannot be set: brace: this { has no } (first: form_274)".
 *
 * @faults: of rows that cannot be used, or all others
 */
void tg_causes_report(const TgCauses *causes, gboolean faults,
                      void (*line)(const char *text, gpointer data), gpointer data);
