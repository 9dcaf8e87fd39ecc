/* Reports: what came out of a run, to be looked at and to be put into a paper. */
#pragma once

#include <texgauge/types.h>

#include "eval/report/plot.h"
#include "eval/results/grid.h"
#include "eval/results/table.h"

/** What to report. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *title;         /**< NULL: "texgauge report" */
    const char *const *stored; /**< stored columns to show beside the metrics, NULL last; NULL: all
                                    that are numbers */
    const char *const *lower;  /**< stored columns where lower is better, NULL last */
    const char *pictures;      /**< pairs to draw: `worst:50,median:10,disputed:20` by NULL; each
                                    kind at most 1000; empty: none */
    guint resamples;           /**< of every bootstrap; 0: 1000 */
    guint64 seed;              /**< of every bootstrap */
    guint threads;             /**< 0: one per processor; the report does not depend on it */
} TgReportOptions;

/** A report, worked out. */
typedef struct TgReport TgReport;

/** How a report is written. */
typedef enum {
    TG_REPORT_HTML,     /**< one page that needs nothing else, with plots, pictures and all pairs */
    TG_REPORT_MARKDOWN, /**< its tables, as the others have them */
    TG_REPORT_CSV,
    TG_REPORT_JSON,
    TG_REPORT_LATEX,
} TgReportStyle;

/**
 * The style that the suffix of a file name asks for: .html .htm .md .csv .json .tex.
 *
 * Returns: FALSE with TG_ERROR_USAGE for any other
 */
gboolean tg_report_style_of_file(const char *path, TgReportStyle *out, GError **error);

/**
 * Work a report out from results files.
 *
 * @paths: NULL last; several files that are not shards are several models
 *
 * Returns: (transfer full) the report, or NULL with @error set to
 *   TG_ERROR_INPUT  a file cannot be read as results
 *   TG_ERROR_USAGE  a column that is not there, or options out of range
 *   TG_ERROR_FONT   the fonts of plots and pictures are not installed; names the package
 * Empty inputs and undefined scores are no error: the report says what is missing.
 *
 * Threads: any, one per call. The same files, options and seed give the same report.
 */
TgReport *tg_report_new(const char *const *paths, const TgReportOptions *options, GError **error);
void tg_report_free(TgReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReport, tg_report_free)

/** The report as UTF-8 text that ends in a newline. (transfer full) */
char *tg_report_format(const TgReport *report, TgReportStyle style);

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
