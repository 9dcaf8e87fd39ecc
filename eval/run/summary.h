/* Values per model and subset of a run, and how they are written. */
#pragma once

#include "eval/grid/grid.h"
#include "eval/results/results.h"

/**
 * Pooled values per model and subset: micro over all pairs of a model, per subset, and macro, the
 * plain mean over its subsets. The order in which pairs were added does not matter.
 */
typedef struct TgSummary TgSummary;

void tg_summary_free(TgSummary *summary);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSummary, tg_summary_free)

/** Details of the writing; zero it for the defaults. */
typedef struct {
    TgGridForm form;
    gboolean all;      /**< in tables every column, not the headline ones alone */
    const char *pivot; /**< a column: models by subsets, with its value; NULL: all columns */
} TgSummaryFormat;

/** The summary as UTF-8 text that ends in a newline. (transfer full) */
char *tg_summary_format(const TgSummary *summary, const TgSummaryFormat *format);

/** Takes the layout over. (transfer full) */
TgSummary *tg_summary_new(TgScoreLayout *layout);

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

/** Before any pair is added: values are means as tg_mean_parse() reads @mean. */
gboolean tg_summary_want_mean(TgSummary *summary, const char *mean, GError **error);

/** Before any pair is added: for each stored field of @fields (NULL last; may be NULL) there are
 * also rows "FIELD: VALUE" of the pairs that have the value, or have it in a list. */
void tg_summary_want_by(TgSummary *summary, const char *const *fields);

/** What they are means over; borrowed. */
const TgMean *tg_summary_mean(const TgSummary *summary);

/** At the end: TG_ERROR_INPUT where a mean is over pages or subsets and no pair names one. */
gboolean tg_summary_check_mean(const TgSummary *summary, GError **error);

/** Before any pair is added: rows shall have intervals, for which all pairs are kept. */
void tg_summary_want_intervals(TgSummary *summary);

/** Whether @column is one that --pivot can name; TG_ERROR_USAGE lists them. */
gboolean tg_summary_check_column(const TgScoreLayout *layout, const char *column, GError **error);

const TgScoreLayout *tg_summary_layout(const TgSummary *summary);

/** One row of a summary: a set of pairs and its values. */
typedef struct {
    const char *model;  /* NULL: rows without a model */
    const char *subset; /* NULL: all pairs of the model, or the mean over subsets */
    gboolean is_macro;
    guint64 n_pairs;
    guint64 n_pages;        /* 0 where the mean is not over pages */
    double *values;         /* per column */
    double (*intervals)[2]; /* per column; NULL where they are not wanted */
    guint64 *n_undefined;   /* per metric */
    guint64 *n_failed;      /* per metric */
} TgSummaryRow;

/**
 * All rows, models by their first rows, subsets by name, so that shards agree: per model the micro
 * row over all its pairs; where there are two subsets or more also theirs, and the macro row, their
 * plain mean (undefined where one of them is); then those of tg_summary_want_by(). A mean over
 * subsets is in the place of the micro row. A mean over pages leaves out pages where a column is
 * undefined. (transfer full) (element-type TgSummaryRow)
 */
GPtrArray *tg_summary_rows(const TgSummary *summary);
