/* The parts of a report and how they are made, for the files of this folder. */
#pragma once

#include "eval/grid/grid.h"
#include "eval/page/page.h"
#include "eval/report/report.h"
#include "eval/results/table.h"
#include "eval/stats/stats.h"

/* ---- errors.c: FORTE's edits of every pair, which the tables count and the page shows ---- */

/** No word. */
#define TG_REPORT_NONE G_MAXUINT

/** One error: an edit, or a part of the formula that is lost or added. */
typedef struct {
    guint class; /**< index into the classes */
    guint text;  /**< word: "z -> 2", "lost superscript" */
    guint
        names[2]; /**< words: the token of the reference and what was read for it; TG_REPORT_NONE */
    double counted;         /**< its part of the price */
    guint start[2], end[2]; /**< bytes of both sources that it covers; equal: a place */
} TgReportError;

/** Facts about one pair. */
typedef struct {
    guint first, n;   /**< its errors */
    guint reference;  /**< the reference that counted */
    double price;     /**< FORTE's: the sum of what the errors count; NaN: it could not be read */
    guint length;     /**< LaTeX tokens of the reference */
    guint constructs; /**< bits of the constructs in the reference */
    gboolean
        is_graph; /**< one side is a label graph (.lg), of which there are no errors to count */
} TgReportFindings;

/** The errors of all pairs. */
typedef struct {
    GArray *list;         /**< of TgReportError */
    TgReportFindings *of; /**< [n_rows] */
    GPtrArray *words;     /**< of char *, each once */
    GHashTable *numbers;  /**< word to its number */
    GPtrArray *classes;   /**< of char *, in the order met */
    guint n_graphs;       /**< pairs with a label graph */
} TgReportErrors;

/** Read and compare every pair. (transfer full), or NULL with @error: FORTE is not to be had. */
TgReportErrors *tg_report_errors_new(const TgTable *table, const TgListener *listener,
                                     GError **error);
void tg_report_errors_free(TgReportErrors *errors);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReportErrors, tg_report_errors_free)

enum { TG_REPORT_N_CONSTRUCTS = 8, TG_REPORT_N_LENGTHS = 6 };

/** "fraction", "matrix". */
extern const char *const tg_report_constructs[TG_REPORT_N_CONSTRUCTS];

/** Lengths from which groups of pairs begin; the last one ends them. */
extern const guint tg_report_lengths[TG_REPORT_N_LENGTHS + 1];

/* ---- report.c ---- */

/** A part of the report: heading, text, tables; any of them may be missing. */
typedef struct {
    const char *title; /**< static */
    char *text;        /**< one paragraph */
    GPtrArray *grids;  /**< of TgGrid * */
} TgReportSection;

/** A column's value of a model, over a subset or all pairs. */
typedef struct {
    double value;
    double interval[2]; /**< 95 % bootstrap interval */
    gboolean is_best;
    gint best;           /**< the best model, which this one is compared with; -1: none */
    TgVerdict verdict;   /**< of the best beside this one, as compare has it */
    double p;            /**< its adjusted p-value; NaN: no pairs differ */
    double gap;          /**< how much better the best is on the pairs that both have */
    double gap_range[2]; /**< its 95 % interval */
} TgReportValue;

/** All models over one subset, or over all pairs. */
typedef struct {
    gint subset;           /**< -1: all pairs */
    guint *n;              /**< [n_models] pairs */
    TgReportValue *values; /**< [n_models][n_shown] */
} TgReportBlock;

struct TgReport {
    TgTable *table;   /**< the results */
    TgTableMean mean; /**< over what its values are means */
    char *title;
    TgReportOptions options; /**< of whose texts some may be gone */
    guint resamples;         /**< of the intervals of values; compare and study choose for tests */
    GArray *shown;           /**< guint: the columns that are shown */
    GPtrArray *blocks; /**< of TgReportBlock *: all pairs, then each subset if there are several */
    TgReportValue *against; /**< [n_shown][n_models][n_models] the verdict of the second beside the
                                 first over all pairs; NULL: of one model or too many */
    GPtrArray *headline;    /**< of char *: who is better, in sentences */
    TgReportErrors *errors; /**< what goes wrong */
    TgPageDrawings *drawings;
    guint (*formulas)[2]; /**< [n_rows] the numbers of the drawings of reference and prediction */
    json_t *parts; /**< of the page's data: how metrics agree with people; where values are means
                        over pages, also these, their names, attributes and scans */
    char *images;  /**< folder of the scans; NULL: none */
    GPtrArray *pictures; /**< [n_rows] of char *: the name of a pair's picture below that folder;
                              NULL: there is none */
    GPtrArray *sections; /**< of TgReportSection * */
};

/** The address of the picture of this name for the page; null: there is none. (transfer full) */
json_t *tg_report_address(const TgReport *report, const char *name);

/** Whether a pair has an error, or no prediction that can be read. */
gboolean tg_report_is_wrong(const TgReport *report, guint row);

/** The @i-th shown column. */
const TgTableColumn *tg_report_column(const TgReport *report, guint i);

/** The value of a model in a shown column. */
TgReportValue *tg_report_value(const TgReport *report, const TgReportBlock *block, guint model,
                               guint column);

/* ---- headline.c ---- */

/** The verdicts of the tests between models, from which the headline's sentences follow. */
typedef struct {
    const char *const *models, *const *columns; /**< their names */
    guint n_models, n_columns;
    const TgReportValue *values;  /**< [n_models][n_columns] */
    const TgReportValue *against; /**< [n_columns][n_models][n_models] as in TgReport; or NULL */
} TgReportVerdicts;

/**
 * Say in sentences which of two or more models is better. Every sentence names its metrics, no
 * metric is in two of them, and a sentence says of two models what a test of these two says.
 *
 * Returns: (transfer full) (element-type utf8): those of most metrics first
 */
GPtrArray *tg_report_sentences(const TgReportVerdicts *verdicts);

/* ---- page.c ---- */

/** The report as one HTML page that loads nothing else. (transfer full) */
char *tg_report_html(const TgReport *report);

/* The fixed parts of the page, made of page/: it has @NAME@ where something depends on the report.
 */
extern const char tg_report_page_html[];
extern const char tg_report_page_css[];
extern const char tg_report_page_js[];
