/* Reports: the outcome of a run, to look at and to put into a paper. */
#pragma once

#include "core/pipeline.h"
#include "eval/grid/grid.h"
#include "eval/results/table.h"

/** A report: its data and what was computed of them. */
typedef struct TgReport TgReport;

/** Options of a report. Zero it, set what differs; strings are borrowed for the call. */
typedef struct {
    const char *title;    /**< NULL: "texgauge report" */
    TgTableOptions table; /**< values to read from the files */
    gboolean no_drawings; /**< the page shows sources alone */
    guint resamples;      /**< of every bootstrap; 0: 1000, or more for many tests */
    guint64 seed;         /**< of every bootstrap */
    TgGridForm form;      /**< percent and digits of the tables */
    const char *mean;     /**< over what values are means, as tg_mean_parse() reads it */
    const char *images;   /**< folder with the scans of pages, which the page links to; or NULL */
    gboolean with_images; /**< the page links to copies of the scans; see tg_report_write() */
    guint threads;        /**< 0: one per processor; the report does not depend on it */
    TgListener listener;  /**< told how far the work is */
} TgReportOptions;

/** How a report is written. */
typedef enum {
    TG_REPORT_HTML, /**< one page that needs nothing else, with charts, drawings and all pairs */
    TG_REPORT_MARKDOWN, /**< its tables */
} TgReportStyle;

/**
 * The style for the suffix of a file name: .html .htm .md.
 *
 * Returns: FALSE with TG_ERROR_USAGE for any other
 */
gboolean tg_report_style_of_file(const char *path, TgReportStyle *out, GError **error);

/**
 * Make a report from results files.
 *
 * @paths: NULL last; several files that are not shards are several models
 *
 * Returns: (transfer full) the report, or NULL with @error set to
 *   TG_ERROR_INPUT  a file cannot be read as results
 *   TG_ERROR_USAGE  a column that is not there, or options out of range
 *   TG_ERROR_FONT   the fonts of drawings are not installed; names the package
 * Empty inputs and undefined scores are no error: the report says what is missing.
 *
 * Threads: any, one per call. The same files, options and seed give the same report.
 */
TgReport *tg_report_new(const char *const *paths, const TgReportOptions *options, GError **error);

void tg_report_free(TgReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReport, tg_report_free)

/** Remarks on the results (char *): rows that are missing, lines that were changed. Borrowed. */
const GPtrArray *tg_report_remarks(const TgReport *report);

/** The folder beside a report with copies of the scans. */
#define TG_REPORT_IMAGES "report-images"

/** The report as UTF-8 text that ends in a newline. (transfer full) */
char *tg_report_format(const TgReport *report, TgReportStyle style);

/** Check before any work is done that reports can be written into @paths, NULL last: by their
 * suffixes, and as tg_output_check() does with @advice. FALSE with @error */
gboolean tg_report_check_outputs(const char *const *paths, const char *advice, GError **error);

/** Write the report in the style of the suffix of @path; with the scans of its pages in
 * TG_REPORT_IMAGES beside it, if the options want these. FALSE with @error */
gboolean tg_report_write(const TgReport *report, const char *path, GError **error);
