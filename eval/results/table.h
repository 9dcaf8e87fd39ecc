/* Results files in memory, column by column: what studies and comparisons work from. */
#pragma once

#include <jansson.h>

#include "eval/results/scores.h"

/** A column of numbers: of a metric, or stored beside the pair in the data. */
typedef struct {
    const char *name;
    gboolean lower_is_better;
    gboolean is_stored;   /**< from the data; its pooled value is the mean */
    gboolean is_share;    /**< --percent shows it from 0 to 100 */
    gboolean is_headline; /**< first column of its metric, or stored */
    guint metric;         /**< which metric of the layout, and ... */
    guint index;          /**< ... which column of that metric; both 0 where stored */
    TgPooling pooling;
    double *values; /**< [n_rows] NaN where undefined */
} TgTableColumn;

/** What one group of raters gave. */
typedef struct {
    const char *name;
    guint n_raters;
    double *ratings; /**< [n_rows][n_raters] NaN where a rater gave none */
    double *mean;    /**< [n_rows] over the raters; NaN where none rated */
} TgTableGroup;

/** One pair. */
typedef struct {
    guint64 row;             /**< its number in its input */
    const char *id;          /**< NULL when none */
    guint model;             /**< index into the table's models */
    guint subset;            /**< index into the table's subsets */
    const char *const *refs; /**< NULL last */
    const char *hyp;         /**< NULL when none */
    json_t *stored;          /**< the fields kept from the data; NULL when none */
} TgTableRow;

/** All pairs of one or more results files; constant once read. */
typedef struct {
    TgScoreLayout *layout;
    struct TgScoring *scoring; /**< of the first file: same_scoring.h */
    guint n_rows;
    TgTableRow *rows;
    GPtrArray *models;   /**< of char *, in the order of their first pair; "" for none */
    GPtrArray *subsets;  /**< likewise */
    GPtrArray *columns;  /**< of TgTableColumn *, the metrics' first, then the stored ones */
    GPtrArray *groups;   /**< of TgTableGroup *, in the order of their first pair */
    double *stats;       /**< [n_rows][layout->n_stats] zero where a metric left none */
    guint8 *has_stats;   /**< [n_rows][layout->metrics->len] whether it left some */
    const char **status; /**< [n_rows][layout->metrics->len] NULL: ok */
    json_t *inputs; /**< the data files behind the results: {file, format, sha256}, once each */
    GStringChunk *texts; /**< owns every text */
} TgTable;

/** What to take from the files. Zero it for the defaults. */
typedef struct {
    const char *const *stored; /**< stored columns to take, NULL last; NULL: all that are numbers */
    const char *const *lower;  /**< stored columns where lower is better, NULL last */
    gboolean force;            /**< take files together that were not scored in the same way */
} TgTableOptions;

/**
 * Read results files: of one run, of its shards, or of several models scored by the same metrics.
 * eval/results/model_names.h says which model each pair is.
 *
 * @paths: each "MODEL=FILE" or FILE, NULL last
 *
 * Returns: (transfer full) the table, or NULL with @error set to
 *   TG_ERROR_INPUT  no results file, interrupted, or not scored as the first one
 *   TG_ERROR_USAGE  no file named, or a stored column that no pair has as a number
 */
TgTable *tg_table_read(const char *const *paths, const TgTableOptions *options, GError **error);
void tg_table_free(TgTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgTable, tg_table_free)

/** The column called @name, or NULL with TG_ERROR_USAGE that lists those there are. */
const TgTableColumn *tg_table_find(const TgTable *table, const char *name, GError **error);

const TgTableColumn *tg_table_column(const TgTable *table, guint index);
const TgTableGroup *tg_table_group(const TgTable *table, guint index);
const char *tg_table_model(const TgTable *table, guint index);
const char *tg_table_subset(const TgTable *table, guint index);

/** What @metric said about pair @row; NULL: ok. */
const char *tg_table_status(const TgTable *table, guint row, guint metric);

/** How a column's values or its metric's statistics add up to the value of a set of pairs. */
typedef struct {
    const TgTable *table;
    const TgTableColumn *column;
    guint n_stats; /**< numbers that a pair adds; the last counts the pairs that count */
} TgTablePool;

/** How @column is pooled. */
TgTablePool tg_table_pool(const TgTable *table, const TgTableColumn *column);

/** What pair @row adds: @pool->n_stats numbers, all zero where the pair does not count. */
void tg_table_pool_row(const TgTablePool *pool, guint row, double *out);

/** The value of a set from the sum of what its pairs add; NaN where undefined. */
double tg_table_pool_value(const double *sum, gpointer pool);
