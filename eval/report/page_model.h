/* What a report holds before it is written as a page or as tables. */
#pragma once

#include "eval/report/plot.h"
#include "eval/results/grid.h"
#include "eval/results/table_mean.h"

/** A plot with a description. */
typedef struct {
    char *svg;
    char *alt; /**< for readers who cannot see it */
} TgReportPlot;

/** A drawing of a pair, or of a side of it. */
typedef struct {
    const char *title; /**< "truth", "prediction", or the metric that shows the pair; borrowed */
    const char *type;  /**< "image/png"; static */
    GBytes *bytes;
    char *alt;
} TgReportImage;

/** The drawings of one pair. */
typedef struct {
    guint row;         /**< of the table */
    GPtrArray *images; /**< of TgReportImage * */
    char *fault;       /**< why a side is missing; NULL for none */
} TgReportPicture;

/** A part of the page: heading, text, tables, plots, pictures; any of them may be missing. */
typedef struct {
    const char *id;      /**< for links; static */
    const char *title;   /**< static */
    char *text;          /**< one paragraph */
    GPtrArray *grids;    /**< of TgGrid * */
    GPtrArray *plots;    /**< of TgReportPlot * */
    GPtrArray *pictures; /**< of TgReportPicture * */
} TgReportSection;

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
    TgFace *font;         /**< of plots */
    GArray *shown;        /**< guint: the columns that tables and plots show */
    guint *length;        /**< [n_rows] LaTeX tokens of the first truth */
    const char *edits_by; /**< the metric that @edits are of, or NULL; borrowed */
    char ***edits;        /**< [n_rows] a line for each of FORTE's edits, NULL last; NULL: none */
    GPtrArray *sections;  /**< of TgReportSection * */
} TgReport;

/**
 * An empty report about @table, with the fonts of plots and the columns that tables show.
 *
 * @table: (transfer full)
 *
 * Returns: (transfer full), or NULL with TG_ERROR_FONT
 */
TgReport *tg_report_new_for_table(TgTable *table, GError **error);
void tg_report_free(TgReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReport, tg_report_free)

/** How many confusions a table shows. */
enum { TG_REPORT_CONFUSIONS = 20 };

/** Append an empty section; borrowed. */
TgReportSection *tg_report_add_section(TgReport *report, const char *id, const char *title,
                                       const char *text);

/**
 * Draw @plot into a section.
 *
 * @alt: what it shows, in words
 *
 * Returns: FALSE with @error as tg_plot_svg()
 */
gboolean tg_report_add_plot(TgReport *report, TgReportSection *section, const TgPlot *plot,
                            const char *alt, GError **error);

/** The @i-th shown column. */
const TgTableColumn *tg_report_column(const TgReport *report, guint i);

/** A model's or subset's name for people; "(none)" for none. */
const char *tg_report_model_name(const TgReport *report, guint model);
const char *tg_report_subset_name(const TgReport *report, guint subset);
