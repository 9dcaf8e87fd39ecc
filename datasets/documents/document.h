/* Formulas out of documents: LaTeX papers, and Markdown as document parsers write it. */
#pragma once

#include <texgauge/types.h>

#include "datasets/documents/documents.h"
#include "datasets/documents/page.h"

/* ---- extract.c ---- */

typedef enum { TG_DOCUMENT_LATEX, TG_DOCUMENT_MARKDOWN } TgDocumentKind;

/** Larger documents are refused, in bytes. */
#define TG_DOCUMENT_MAX (16u << 20)

/** One formula of a document. */
typedef struct {
    char *latex;             /**< without labels, tags and outer delimiters, on one line */
    const char *environment; /**< what stood around it: "align*", "$$", "\[", "$", "\("; static */
    guint line;              /**< where it starts in the file, from 1 */
    gboolean display;
} TgDocumentFormula;

/** What is wrong inside a document, with the line; the rest was read. */
typedef void (*TgDocumentFault)(guint line, const char *message, gpointer data);

typedef struct {
    TgDocumentKind kind;
    gboolean with_inline;
    const char *macros; /**< LaTeX with definitions that hold for the document too; or NULL */
    TgDocumentFault fault;
    gpointer data;
} TgDocumentOptions;

/**
 * The displayed (and inline) formulas of a document, in order.
 *
 * LaTeX: comments, `\iffalse`, verbatim text and package code are skipped, the author's macros
 * are expanded, and formulas are taken from after `\begin{document}` where there is one. Markdown:
 * code and HTML comments are skipped. In both, a formula ends at its own delimiter, the first
 * one that comes; one that a blank line or the end of the file cuts off is a fault.
 *
 * @text: @len bytes
 *
 * Returns: (transfer full) (element-type TgDocumentFormula) the formulas, or NULL with @error set
 * to TG_ERROR_INPUT: too large, not UTF-8, macros without end
 */
GArray *tg_document_extract(const char *text, gsize len, const TgDocumentOptions *options,
                            GError **error);

/* ---- match.c ---- */

/** A prediction that no truth has, or the other way round. */
#define TG_UNMATCHED G_MAXUINT

/** Lists whose lengths multiply to more than this are refused. */
#define TG_MATCH_MAX_CELLS 4000000u

/**
 * Distances of all formulas of two lists: edit distance over code points without white space and
 * outer environments, divided by the longer length (two empty formulas: 0).
 *
 * @distances: (out) [n_truths][n_predictions]
 */
void tg_formula_distances(const char *const *truths, guint n_truths, const char *const *predictions,
                          guint n_predictions, double *distances);

/**
 * For each truth in order the free prediction that is closest (the first on a tie), if that is
 * closer than @first; then the same with @second for what is left.
 *
 * @partner: (out) by truth: the prediction, or TG_UNMATCHED
 */
void tg_match_greedy(const double *distances, guint n_truths, guint n_predictions, double first,
                     double second, guint *partner);

/**
 * The pairing with the least sum, where a truth without partner counts @limit and no pair is as far
 * apart as that.
 */
void tg_match_optimal(const double *distances, guint n_truths, guint n_predictions, double limit,
                      guint *partner);
