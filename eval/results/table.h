/* Results files in memory, column by column: what studies, comparisons and reports work from. */
#pragma once

#include "eval/results/pool.h"

/** A column of numbers: of a metric, or stored beside the pair in the data. */
typedef struct {
    const char *name;
    gboolean lower_is_better;
    gboolean is_stored;   /**< from the data; its pooled value is the mean */
    gboolean is_share;    /**< --percent shows it from 0 to 100 */
    gboolean is_headline; /**< first column of its metric, or stored */
    TgPoolColumn pool;    /**< its numbers; tg_table_number() */
} TgTableColumn;

/** The ratings of one group of raters. */
typedef struct {
    const char *name;
    guint n_raters;
    double *ratings;   /**< [n_rows][n_raters] NaN where a rater gave none */
    double *mean;      /**< [n_rows] over the raters; NaN where none rated */
    TgPoolColumn pool; /**< these as a column */
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
    const char *formula; /**< of a row of pages: the key that rows of other models about the same
                              page and reference share; NULL: the id is the key */
} TgTableRow;

/** Answers of people to a page (eval/results/ratings.h). */
typedef struct TgRatings TgRatings;

/** All pairs of one or more results files; constant once read. */
typedef struct {
    TgScoreLayout *layout;
    TgRunHeader *run; /**< header of the first file */
    const char *mean; /**< unit of averaging unless another is asked for; NULL: pairs */
    guint n_rows;
    TgTableRow *rows;
    GPtrArray *models;  /**< of char *, in the order of their first pair; "" for none */
    GPtrArray *subsets; /**< likewise */
    GPtrArray *columns; /**< of TgTableColumn *, the metrics' first, then the stored ones */
    GPtrArray *groups;  /**< of TgTableGroup *, in the order of their first pair */
    double *numbers;    /**< [n_rows][layout->width] rows of TgScores */
    GPtrArray *owned;   /**< of double *: numbers of stored columns and of groups */
    GPtrArray *status;  /**< char * [n_rows][metrics]: tg_table_status(), */
    GPtrArray *notes;   /**< tg_table_note() */
    json_t *inputs;     /**< the data files that they name: {file, format, sha256}, once each; the
                             many of a folder are one, whose checksum is that of their checksums */
    GPtrArray *remarks; /**< of char *: what was noticed of files that were changed after the run */
    TgRatings *ratings; /**< of a page; NULL: none. Where people rated on a scale, they are also
                             the last group, called TG_RATINGS_GROUP */
    GStringChunk *texts; /**< owns every text */
} TgTable;

#define TG_RATINGS_GROUP "ratings"

/** Options of reading files. Zero it for the defaults. */
typedef struct {
    const char *const *stored; /**< stored columns to take, NULL last; NULL: all that are numbers */
    const char *const *lower;  /**< stored columns where lower is better, NULL last */
    const char *const *ratings; /**< files that a page of `rate` saved, NULL last; NULL: none */
    gboolean force;             /**< take files together that were not scored in the same way, and
                                     ratings of several pages */
} TgTableOptions;

/**
 * Read results files: of one run, of its shards, or of several models scored by the same metrics.
 * tg_results_set_model() says which model each pair is.
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

/** The value of a pair; NaN where undefined. */
static inline double tg_table_number(const TgTableColumn *column, guint row)
{
    return column->pool.values[row * column->pool.step];
}

/** The value of a pair, turned so that higher is better. */
static inline double tg_table_aligned(const TgTableColumn *column, guint row)
{
    const double value = tg_table_number(column, row);

    return column->lower_is_better ? -value : value;
}

/** The values of all pairs, turned so that higher is better. (transfer full) [n_rows] */
double *tg_table_values(const TgTable *table, const TgTableColumn *column);

const TgTableGroup *tg_table_group(const TgTable *table, guint index);
const char *tg_table_model(const TgTable *table, guint index);

/** Find the model called @name; FALSE with TG_ERROR_USAGE that lists those there are. */
gboolean tg_table_find_model(const TgTable *table, const char *name, guint *out, GError **error);

const char *tg_table_subset(const TgTable *table, guint index);

/** The status of @metric for pair @row; NULL: ok. */
const char *tg_table_status(const TgTable *table, guint row, guint metric);

/** The note of @metric on pair @row, which it does not score 1; NULL: none. */
const char *tg_table_note(const TgTable *table, guint row, guint metric);

/** The picture that a pair names: the field image_path, image or image_name, or an id that is the
 * name of a file, as data that have no other id call a pair by its picture; NULL: none. */
const char *tg_table_picture(const TgTableRow *row);

/* ---- sets of pairs ---- */

/** The unit of averaging of a table: pairs, pages or subsets. */
typedef struct {
    TgMean mean;
    guint *group; /**< [n_rows] page or subset of each pair; NULL where the mean is over pairs */
    GPtrArray *names; /**< of pages or subsets, by their numbers; "" for none; likewise */
} TgTableMean;

/** The pairs of a model and a subset, of all where these are negative, in units of @mean, whose
 * pages or subsets are numbered as they are met. @mean: NULL: pairs. @rows: [n] among which they
 * are; NULL: the first n rows. (transfer full) */
TgSelection tg_table_select(const TgTable *table, const TgTableMean *mean, gint model, gint subset,
                            const guint32 *rows, guint n);

/** Pairs under a name. */
typedef struct {
    const char *name; /**< "all", or of the subset, model, or value of a field */
    guint32 *rows;    /**< [n] numbers of the table's rows */
    guint n;
} TgTableSlice;

void tg_table_slice_free(gpointer slice);

/** The pairs of each value of a stored field, in the order of their first pairs; a pair with
 * several values is in all their slices. @values_of: the values that a field tells, as
 * tg_attribute_values() does. (transfer full) (element-type TgTableSlice) */
GPtrArray *tg_table_slices(TgTable *table, const char *field,
                           char **(*values_of)(const json_t *value));

/**
 * Read @text as tg_mean_parse() does and find the page or subset of every pair; NULL is what the
 * header of the table says. Subsets that a field names become those of the table.
 *
 * Returns: FALSE with TG_ERROR_USAGE, or TG_ERROR_INPUT where no pair names one
 */
gboolean tg_table_mean_init(TgTableMean *out, TgTable *table, const char *text, GError **error);
void tg_table_mean_clear(TgTableMean *mean);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgTableMean, tg_table_mean_clear)

/** Rows of two models that are about the same formula. */
typedef struct {
    guint32 *a; /**< [n] rows of the one model, in its order */
    guint32 *b; /**< [n] the row of the other model for each */
    guint n;
    guint n_only_a; /**< rows of the one that the other lacks */
    guint n_only_b;
    const char *ids; /**< how their ids were compared: "without their folders"; NULL: whole */
} TgPairing;

/**
 * Pair the rows of two models: those with the same subset and id, the k-th of several of one id
 * with the k-th; rows without id by their order within the subset. If no row has a partner, ids are
 * compared without extensions or folders, if every id of one model then has one partner. Of pages,
 * whose formulas may be split differently for each model, those of the same page and reference.
 *
 * @pairing: (out) to be cleared, also after an error
 *
 * Returns: FALSE with TG_ERROR_INPUT: two rows that belong together have different references
 */
gboolean tg_pairing_init(TgPairing *pairing, const TgTable *table, guint model_a, guint model_b,
                         GError **error);
void tg_pairing_clear(TgPairing *pairing);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgPairing, tg_pairing_clear)
