/*
 * What goes wrong: FORTE's edits of every pair, which the tables count and the page shows. One
 * reading of the formulas for all of them, so that no two lists disagree.
 */
#pragma once

#include <glib.h>

#include "core/pipeline.h"
#include "eval/results/table.h"

/** No word. */
#define TG_REPORT_NONE G_MAXUINT

/** One error: an edit, or a part of the formula that is lost or added. */
typedef struct {
    guint class;    /**< index into the classes */
    guint text;     /**< word: "z -> 2", "lost superscript" */
    guint names[2]; /**< words: the token of the truth and what was read for it; TG_REPORT_NONE */
    double counted; /**< its part of the severity */
    guint start[2], end[2]; /**< what it covers of both sources, bytes; equal: a place */
} TgReportError;

/** What is known of one pair. */
typedef struct {
    guint first, n;   /**< its errors */
    guint reference;  /**< the truth that counted */
    double severity;  /**< FORTE's: the sum of what the errors count; NaN: it could not be read */
    guint length;     /**< LaTeX tokens of the truth */
    guint constructs; /**< bits of the constructs in the truth */
} TgReportFindings;

/** The errors of all pairs. */
typedef struct {
    GArray *list;         /**< of TgReportError */
    TgReportFindings *of; /**< [n_rows] */
    GPtrArray *words;     /**< of char *, each once */
    GHashTable *numbers;  /**< word to its number + 1 */
    GPtrArray *classes;   /**< of char *, in the order met */
} TgReportErrors;

/** Read and compare every pair. (transfer full), or NULL with @error: FORTE is not to be had. */
TgReportErrors *tg_report_errors_new(const TgTable *table, const TgListener *listener,
                                     GError **error);
void tg_report_errors_free(TgReportErrors *errors);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgReportErrors, tg_report_errors_free)

enum { TG_REPORT_N_CONSTRUCTS = 8, TG_REPORT_N_LENGTHS = 6 };

/** "fraction", "matrix"; static. */
const char *tg_report_construct_name(guint construct);

/** Lengths from which groups of pairs begin; the last one ends them. */
extern const guint tg_report_lengths[TG_REPORT_N_LENGTHS + 1];
