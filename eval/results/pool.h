/* The values of sets of pairs, for all commands: sums that a run adds up, columns of rows in
 * memory, their resamples and intervals, and the pages and subsets that pairs name. */
#pragma once

#include <math.h>

#include "eval/results/results.h"
#include "eval/stats/stats.h"

/* ---- sums of a stream of pairs ---- */

/** Sums over pairs. They are exact, so neither the order of pairs nor the way they were split into
 * shards shows. */
typedef struct {
    guint64 n_pairs;
    guint64 *n_defined; /* per column: pairs with a value */
    guint64 *n_failed;  /* per metric: pairs with a status other than "ok" */
    TgExactSum *row;    /* [width] of what is defined */
} TgSums;

TgSums *tg_sums_new(const TgScoreLayout *layout);
void tg_sums_free(TgSums *sums);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSums, tg_sums_free)

void tg_sums_add(TgSums *sums, const TgScoreLayout *layout, const TgScores *scores);

/** Add all pairs of @other. */
void tg_sums_merge(TgSums *sums, const TgScoreLayout *layout, const TgSums *other);

/** Pairs where the metric has no value and left no statistics: they count nowhere. */
guint64 tg_sums_n_undefined(const TgSums *sums, const TgScoreLayout *layout, guint metric);

/** The value of every column over the pairs of @sums, into @out [n_columns]; NaN: undefined. */
void tg_sums_values(const TgSums *sums, const TgScoreLayout *layout, double *out);

/* ---- columns of rows in memory ---- */

/** The unit of averaging: leaderboards have the mean over all pairs of a model, over pages or over
 * subsets. */
typedef enum {
    TG_MEAN_PAIRS,   /**< pairs are pooled together */
    TG_MEAN_PAGES,   /**< pairs are pooled by page, and the pages' values averaged */
    TG_MEAN_SUBSETS, /**< likewise by subset */
} TgMeanUnit;

/** A column of the numbers of pairs, and all that its value over a set of pairs is made of. */
typedef struct {
    const TgMetric *metric; /**< NULL: the numbers are the data's, and their value is the mean */
    guint index;            /**< of the metric's columns */
    TgPooling pooling;
    const double *values;    /**< of pair i at [i * step]; NaN where undefined */
    const double *stats;     /**< the metric's statistics; zero where it left none */
    const double *has_stats; /**< 1 where it left some, else 0 */
    gsize step;
} TgPoolColumn;

/** Whether pair @row counts in the values of a column, as it has a score or left statistics. */
static inline gboolean tg_pool_counts(const TgPoolColumn *column, guint row)
{
    const gsize at = row * column->step;

    return column->pooling == TG_POOL_STATS ? column->has_stats[at] > 0
                                            : !isnan(column->values[at]);
}

/** The columns of a layout in @numbers, rows of @step numbers that begin as a TgScores does.
 * (transfer full) [n_columns] */
TgPoolColumn *tg_pool_columns(const TgScoreLayout *layout, const double *numbers, gsize step);

/** Pairs, and the unit over which their values are means. */
typedef struct {
    guint32 *rows; /**< [n] */
    guint n;
    TgMeanUnit unit;
    guint *groups;  /**< [n] the page or subset of each, below n_groups; NULL of pairs */
    guint n_groups; /**< pages or subsets */
} TgSelection;

void tg_selection_clear(TgSelection *selection);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgSelection, tg_selection_clear)

/** The value of a column over a selection; NaN where undefined. Counts are summed over pairs,
 * whatever the unit is. */
double tg_pool(const TgPoolColumn *column, const TgSelection *selection);

/** Pairs, pages or subsets, by the numbers that each adds to the value of a column. */
typedef struct {
    TgAdditive additive; /**< as eval/stats wants it; its data is the sample */
    TgPoolColumn column;
    gboolean is_mean; /**< of the values of pages or subsets; else pooled */
    double *rows;     /**< owned; the additive's */
} TgSample;

/**
 * Make a sample of a column, to be drawn by the selection's unit: pages and subsets whole; of a
 * single subset its pairs. Of a column of counts pages and subsets are summed. A page without a
 * value does not count; a subset without one leaves the mean undefined.
 *
 * @out: (out) to be cleared; it must stay where it is, as its additive points to it
 */
void tg_sample_init(TgSample *out, const TgPoolColumn *column, const TgSelection *selection);

/** The value of pair, page or subset number @i of a sample; NaN where undefined. */
double tg_sample_value(const TgSample *sample, guint i);
void tg_sample_clear(TgSample *sample);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgSample, tg_sample_clear)

/**
 * Measure columns over a selection by drawing its pairs, pages or subsets again; the draws are the
 * same for all columns.
 *
 * @replicates: [n_columns][resamples] to which the values of the resamples are added; NULL: none
 * @values: (out) [n_columns] NaN where undefined; NULL: not wanted
 * @intervals: (out) [n_columns] of 95 %, percentile; NaN where fewer than two resamples are
 * defined; NULL: nothing is drawn, and there are no @replicates
 */
void tg_pool_measure(const TgPoolColumn *columns, guint n_columns, const TgSelection *selection,
                     guint resamples, guint64 seed, double *replicates, double *values,
                     double (*intervals)[2]);

/**
 * The intervals of the mean of several sets that were drawn independently; of counts, of the sum.
 *
 * @replicates: [n_columns][resamples] sums over the sets, as tg_pool_measure() makes them
 * @intervals: (out) [n_columns]
 */
void tg_pool_measure_mean(const double *replicates, const TgScoreLayout *layout, guint resamples,
                          guint n_sets, double (*intervals)[2]);

/**
 * The seed with which pairs of a subset are drawn for its interval. It is made of the subset's name
 * ("(none)" without one), so that the draws of subsets are independent of each other, and the same
 * wherever the subset is shown.
 */
guint64 tg_subset_seed(guint64 seed, const char *subset);

/* ---- pages and subsets ---- */

/** The row or column of a table with the plain mean of the subsets' values. */
#define TG_MEAN_OF_SUBSETS "mean of subsets"

/** A mean, and the field that names the page or subset of a pair. Zero: over pairs. */
typedef struct {
    TgMeanUnit unit;
    char *field; /**< a stored field; NULL: what tg_mean_group() says */
} TgMean;

/**
 * Read "pairs", "pages", "subsets", "pages=FIELD" or "subsets=FIELD"; NULL is "pairs".
 *
 * Returns: FALSE with TG_ERROR_USAGE
 */
gboolean tg_mean_parse(const char *text, TgMean *out, GError **error);
void tg_mean_clear(TgMean *mean);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgMean, tg_mean_clear)

/** Fail with TG_ERROR_INPUT: no pair names a page or subset as @mean wants it. */
gboolean tg_mean_fail_unnamed(const TgMean *mean, GError **error);

/** "pages" or "subsets", and "pairs". */
const char *tg_mean_name(TgMeanUnit unit);

/**
 * The page or subset that a pair names: the field's value, a text or whole number. Without a field
 * a subset is @subset, and a page the image in an id of OmniDocBench's layout, "IMAGE#BLOCK": what
 * the row names as its "page" or ends in .jpg or .png as it is, else without its last part after
 * "_" (OmniDocBench, show_result).
 *
 * @stored: the fields kept with the pair; NULL: none
 *
 * Returns: (transfer full) its name, or NULL where the pair names none
 */
char *tg_mean_group(const TgMean *mean, const char *id, const char *subset, const json_t *stored);

/**
 * The values of an attribute, as a group's name has them: a text, a number, true or false, or
 * several as a list of these or as a text with "; " between them. (transfer full) NULL last; an
 * empty list for null and for an object.
 */
char **tg_attribute_values(const json_t *value);

/** A note below tables of pages. */
#define TG_PAGE_COUNTS_NOTE                                                                        \
    "missed: references without a prediction; unused: predictions without a reference, which no "  \
    "score counts."

/** Counts that the rows of pages bring beside their pairs (texgauge documents). */
typedef struct {
    gboolean is_known; /**< any row of the page does */
    guint64 n_missed;  /**< references without a partner */
    guint64
        n_unused; /**< predictions that no reference took: each row has the number of its page */
} TgPageCounts;

/** Add a row of one page, by the fields kept with it, which may be NULL. */
void tg_page_counts_add(TgPageCounts *counts, const json_t *stored);
