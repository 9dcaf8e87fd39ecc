/* What a report holds before it is written as a page or as tables. */
#pragma once

#include "eval/grid/grid.h"
#include "eval/report/drawings.h"
#include "eval/report/errors.h"
#include "eval/results/table.h"

/** A part of the report: heading, text, tables; any of them may be missing. */
typedef struct {
    const char *id;    /**< for links; static */
    const char *title; /**< static */
    char *text;        /**< one paragraph */
    GPtrArray *grids;  /**< of TgGrid * */
} TgReportSection;

/** A column's value of a model, over a subset or all pairs. */
typedef struct {
    double value;
    double interval[2]; /**< 95 % bootstrap interval */
    gboolean is_best;
    gboolean is_tested; /**< against the best */
    double p;           /**< of that test, adjusted for all tests of the table; NaN: none differ */
    double behind; /**< how far behind the best, on the pairs that both have; NaN: not tested */
    double behind_range[2]; /**< its 95 % bootstrap interval */
} TgReportValue;

/** All models over one subset, or over all pairs. */
typedef struct {
    gint subset;           /**< -1: all pairs */
    guint *n;              /**< [n_models] pairs */
    TgReportValue *values; /**< [n_models][n_shown] */
} TgReportBlock;

/** A report: its data and what was computed of them. */
typedef struct {
    TgTable *table;   /**< the results */
    TgTableMean mean; /**< over what its values are means */
    char *title;
    char **paths;    /**< NULL last */
    TgGridForm form; /**< of numbers in tables */
    guint resamples;
    guint64 seed;
    guint threads;
    TgListener listener;
    GArray *shown;     /**< guint: the columns that are shown */
    GPtrArray *blocks; /**< of TgReportBlock *: all pairs, then each subset if there are several */
    GPtrArray *headline;    /**< of char *: who is better, in sentences */
    TgReportErrors *errors; /**< what goes wrong */
    TgReportDrawings *drawings;
    guint (*formulas)[2]; /**< [n_rows] the numbers of the drawings of truth and prediction */
    json_t *agreement;    /**< metrics against people: {column, group, r, low, high, n}; or NULL */
    GPtrArray *sections;  /**< of TgReportSection * */
} TgReport;

/**
 * An empty report about @table, with the columns that are shown.
 *
 * @table: (transfer full)
 */
TgReport *tg_report_new_for_table(TgTable *table);
void tg_report_free(TgReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReport, tg_report_free)

/** Append an empty section; borrowed. */
TgReportSection *tg_report_add_section(TgReport *report, const char *id, const char *title,
                                       const char *text);

/** Whether a pair has an error, or no prediction that can be read. */
gboolean tg_report_is_wrong(const TgReport *report, guint row);

/** The @i-th shown column. */
const TgTableColumn *tg_report_column(const TgReport *report, guint i);

/** What a model reached in a shown column. */
const TgReportValue *tg_report_value(const TgReport *report, const TgReportBlock *block,
                                     guint model, guint column);

/** Whether the tests tell a value from the best one. */
gboolean tg_report_is_behind(const TgReportValue *value);

/** A model's or subset's name for people; "(none)" for none. */
const char *tg_report_model_name(const TgReport *report, guint model);
const char *tg_report_subset_name(const TgReport *report, guint subset);
