/* What a report holds; what users see of it is in <texgauge/report.h>. */
#pragma once

#include <texgauge/report.h>

#include "eval/report/plot.h"
#include "eval/results/grid.h"
#include "eval/results/table.h"

/** A plot with what it says in words. */
typedef struct {
    char *svg;
    char *alt; /**< for those who do not see it */
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

struct TgReport {
    TgTable *table;
    char *title;
    char **paths; /**< NULL last */
    guint resamples;
    guint64 seed;
    guint threads;
    TgFace *font;         /**< of plots */
    GArray *shown;        /**< guint: the columns that tables and plots show */
    guint *length;        /**< [n_rows] LaTeX tokens of the first truth */
    const char *edits_by; /**< the metric that @edits are of, or NULL; borrowed */
    char ***edits;        /**< [n_rows] a line for each of FORTE's edits, NULL last; NULL: none */
    GPtrArray *sections;  /**< of TgReportSection * */
};

/* ---- for the files that make sections ---- */

/** How many confusions a table shows. */
enum { TG_REPORT_CONFUSIONS = 20 };

/** Append an empty section; borrowed. */
TgReportSection *tg_report_section(TgReport *report, const char *id, const char *title,
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
const char *tg_report_model(const TgReport *report, guint model);
const char *tg_report_subset(const TgReport *report, guint subset);

/* Each adds its sections, if it has something to say; FALSE with @error as tg_report_new(). */

/** What was run: files, metrics with signatures; and all values with intervals. */
void tg_report_add_overview(TgReport *report);

/** How many predictions can be read and drawn, and why not; what metrics said about pairs. */
void tg_report_add_rendering(TgReport *report);

/** Distributions, metric against metric, against humans and against length; rank agreement. */
gboolean tg_report_add_plots(TgReport *report, GError **error);

/** What was read for what: substitutions, deletions and insertions. */
void tg_report_add_confusions(TgReport *report);

/** Which elements CDM and its kin matched with others: substitutions per model. */
void tg_report_add_matches(TgReport *report);

/** Errors per model by class, as metrics count them; FORTE's substitutions; its edits per pair. */
void tg_report_add_edits(TgReport *report);

/** Human scores, where there are some. */
gboolean tg_report_add_study(TgReport *report, const TgReportOptions *options, GError **error);

/** Drawings of the worst, the median and the most disputed pairs. */
gboolean tg_report_add_pictures(TgReport *report, const char *wanted, GError **error);

/** The whole page. */
char *tg_report_html(const TgReport *report);

/** All pairs, for the script of the page: JSON that is safe inside <script>. (transfer full) */
char *tg_report_pairs_json(const TgReport *report);
