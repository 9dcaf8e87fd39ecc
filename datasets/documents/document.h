/* Formulas out of documents: LaTeX papers, and Markdown as document parsers write it. */
#pragma once

#include <texgauge/types.h>

#include "datasets/documents/scan.h"

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
 * are expanded, and formulas are taken from behind `\begin{document}` where there is one. Markdown:
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
