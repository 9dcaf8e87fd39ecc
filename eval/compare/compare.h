/* Models against each other on the same pairs, and against thresholds. */
#pragma once

#include <texgauge/types.h>

#include "core/pipeline.h"
#include "eval/grid/grid.h"
#include "eval/results/table.h"
#include "eval/stats/stats.h"

/** Options of a comparison. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *base;      /**< the model that the others are compared with; NULL: the first */
    TgTableOptions table;  /**< values to read from the files */
    gboolean all_columns;  /**< all columns, not each metric's first one only */
    TgPairedOptions tests; /**< 0 stands for 1000 resamples and 10000 trials, or more for many
                                tests, and for a level of 0.95 */
    const char *mean; /**< over what values are means, as tg_mean_parse() reads it; NULL: what the
                           headers say. Pages and subsets are drawn whole; of one subset its
                           pairs are */
    guint pairs;      /**< how many of the pairs that differ most are named per column */
    guint threads;    /**< 0: one per processor; the numbers do not depend on it */
    TgListener listener; /**< told how far the work is */
} TgCompareOptions;

/** The outcome of a comparison. */
typedef struct TgComparison TgComparison;

/**
 * Compare each model of some results files with one of them: the difference of every column's
 * pooled value over all pairs that both have and per subset, with paired bootstrap and paired
 * approximate randomization, and effect sizes.
 *
 * Pairs belong together when subset and id are equal; pairs without id by their order. What one
 * model lacks, or has no score for, is left out and counted.
 *
 * @paths: results files, NULL last; several files that are not shards are several models
 *
 * Returns: (transfer full) the comparison, or NULL with @error set to
 *   TG_ERROR_INPUT  a file cannot be read as results, or pairs that belong together differ in
 * reference TG_ERROR_USAGE  fewer than two models, no such model or column, or options out of range
 *
 * Threads: any, one per call. The same files, options and seed give the same numbers anywhere.
 */
TgComparison *tg_compare_run(const char *const *paths, const TgCompareOptions *options,
                             GError **error);
void tg_comparison_free(TgComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgComparison, tg_comparison_free)

/** The name of the unit that is drawn: "pairs", "pages" or "subsets". */
const char *tg_comparison_unit(const TgComparison *comparison);

/**
 * The comparison as UTF-8 text that ends in a newline. JSON holds every number and whole pairs;
 * CSV every number; the tables shorten formulas. (transfer full)
 */
char *tg_comparison_format(const TgComparison *comparison, const TgGridForm *form);

/** Limits for pooled values. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *const
        *fail_under;      /**< `COLUMN=VALUE`, NULL last: no model may be worse than VALUE */
    const char *baseline; /**< results file whose values no model may fall behind ... */
    const char *const *tolerances; /**< ... by more than `NUMBER`, or `COLUMN=NUMBER` for one
                                      column; NULL last; 0 where none is given */
    const char *mean;              /**< as in TgCompareOptions */
    TgTableOptions table;          /**< values to read from the files */
} TgGateOptions;

/**
 * Compare the pooled value of every model, over all its pairs, with thresholds. Worse means lower,
 * or higher for a column where lower is better. An undefined value fails. A baseline is
 * compared with the model of the same name, or, where it has one model, against every model; all
 * first columns of metrics and the columns named in @tolerances are compared.
 *
 * @report: (out) (transfer full) one line per value that was checked
 * @passed: (out) whether all are good enough
 *
 * Returns: FALSE with @error as tg_compare_run()
 */
gboolean tg_gate_check(const char *const *paths, const TgGateOptions *options, char **report,
                       gboolean *passed, GError **error);

/** A pair where two models differ. */
typedef struct {
    guint32 base, other; /**< rows of the table */
    double difference;   /**< of the column, other - base */
} TgDifferentPair;

enum { TG_BOOTSTRAP_TEST, TG_RANDOMIZATION_TEST, TG_N_PAIRED_TESTS };

/** One column of one model against the base model, over all their pairs or those of a subset. */
typedef struct {
    guint base, model;
    guint column;
    gint subset;                                                    /**< index; -1: all pairs */
    const char *base_name, *model_name, *column_name, *subset_name; /**< borrowed */
    const TgPairing *pairing;                                       /**< of the two models */
    guint n;         /**< pairs, pages or subsets for which both models have a value */
    guint n_missing; /**< those that both have, but not with a value; they count for neither */
    double difference;
    TgPairedTest test;
    double adjusted[TG_N_PAIRED_TESTS]; /**< p over its family, see tg_compare_models() */
    TgVerdict verdict;        /**< of the model beside the base, by test.bootstrap.t and Holm's
                                   p-value of randomization */
    const char *verdict_name; /**< tg_verdict_name() */
    TgEffect effect;          /**< of the scores of these, turned so that "higher" is better */
    TgDifferentPair *pairs;   /**< [n_pairs] that differ most; for all pairs only */
    guint n_pairs;
} TgComparedColumn;

/** Two models of a table. */
typedef struct {
    guint base, model;
    TgPairing pairing; /**< a: base, b: model */
} TgComparedModels;

struct TgComparison {
    const TgTable *table;
    TgTable *owned;           /* the same, or NULL */
    const TgTableMean *mean;  /* over what values are means */
    guint base;               /* model of tg_compare_run() */
    TgCompareOptions options; /* with numbers in place of defaults; its texts may be gone */
    double alpha;             /* of the tests, 1 - level */
    TgTableMean own_mean;     /* of tg_compare_run() */
    GPtrArray *models;        /* of TgComparedModels * */
    GPtrArray *columns; /* of TgComparedColumn *: by models, then subset (all first), column */
    guint n_done;       /* of these, while they are tested */
};

/**
 * Compare pairs of models of a table, as tg_compare_run() does for each model and the base. What
 * is said of two models does not depend on which others are compared.
 *
 * The p-values of two models are adjusted within three families: the headline columns of the
 * metrics over all pairs, the same over the subsets, and all other columns.
 *
 * @table, @mean: must outlive the comparison
 * @models: [n] pairs of models, the base first
 *
 * Returns: (transfer full), or NULL with @error set: TG_ERROR_USAGE where options are out of range,
 * TG_ERROR_INPUT where pairs that belong together differ in reference
 */
TgComparison *tg_compare_models(const TgTable *table, const TgTableMean *mean,
                                const guint (*models)[2], guint n, const TgCompareOptions *options,
                                GError **error);
