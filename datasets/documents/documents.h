/* Formulas in documents: taking them out, and pairing those of parsers with the reference. */
#pragma once

#include <stdio.h>

#include <texgauge/types.h>

#include "core/pipeline.h"

/** Called with a message, without newline; borrowed for the call. */
typedef void (*TgLineFunc)(const char *line, gpointer data);

typedef enum {
    TG_DOCUMENT_ANY, /**< LaTeX or Markdown: as the file's name and content say */
    TG_DOCUMENT_LATEX,
    TG_DOCUMENT_MARKDOWN,
} TgDocumentKind;

extern const char *const tg_document_kinds[]; /**< their names: auto, ...; NULL last */

/** How formulas are paired: document by document, or page by page. */
typedef enum {
    TG_PROTOCOL_CDM,
    TG_PROTOCOL_OMNIDOCBENCH,
    TG_PROTOCOL_OLMOCR, /**< of tests: eval/run/olmocr.h has it */
} TgDocumentProtocol;

extern const char *const tg_document_protocols[]; /**< their names: cdm, ...; NULL last */

/** The documents and how they are read. Zero it, set what differs; strings are borrowed. */
typedef struct {
    TgDocumentProtocol protocol;
    const char *ref;           /**< what the inputs are paired with; NULL: nothing, formulas are
                                      written */
    const char *const *inputs; /**< "MODEL=PATH" or PATH, NULL last */
    FILE *rows;                /**< gets each formula or pair as a JSON object on a line */
    TgLineFunc fault;          /**< told what cannot be used, while the rest goes on; or NULL */
    TgLineFunc note;           /**< told the counts; or NULL */
    gpointer data;             /**< for these, and for @progress */

    /* the CDM paper's protocol: */
    const char *const *macros; /**< LaTeX files whose definitions hold for all papers; or NULL */
    TgDocumentKind kind;
    gboolean with_inline;   /**< formulas inside lines too */
    gboolean without_model; /**< of the only input: its rows do not name it */
    gboolean drop_extras;   /**< no rows for predictions without reference */

    /* OmniDocBench's: */
    gboolean
        keep_zeros; /**< U+0000 of pages stays; else it becomes U+FFFD, as no metric takes it */
    guint threads;  /**< 0: one per processor; the rows do not depend on it */
    /** Told now and then, on the calling thread, how many pages are begun; FALSE ends the run with
     * TG_ERROR_CANCELLED. May be NULL. */
    gboolean (*progress)(const TgProgress *progress, gpointer data);
} TgDocumentsOptions;

/**
 * Take the formulas out of documents, in the order of the inputs; folders are walked in the order
 * of names, for .tex, .ltx, .md, .mmd and .markdown. Without a reference each formula is a row,
 * where "document" is the path without its extension, relative to the folder that was named. An
 * input may also be a file of such rows (.jsonl).
 *
 * With a reference the formulas of each document are paired (Wang et al., CDM, arXiv:2409.03643,
 * section 8). The distance of two is the edit distance over code points without white space and
 * outer environments, divided by the longer length; each reference in order takes the closest free
 * prediction if it is closer than 0.4, then those left over the same with 0.8.
 *
 * With OmniDocBench's protocol the reference is JSON as OmniDocBench.json, inputs are folders of
 * pages. Models come in the order given, pages in that of the reference, rows as OmniDocBench has
 * them; the first row of a page lists the predictions that no reference takes. A page with formulas
 * of which the protocol keeps none has one row of length 0. Faults and notes come from any thread,
 * one at a time.
 *
 * Rows are described in docs/how-to/score-documents.md and docs/reference/formats.md.
 *
 * @n_faults: (out) documents, pages and entries of the reference that cannot be used, formulas that
 * are not closed; others are read
 *
 * Returns: FALSE with TG_ERROR_USAGE (a model named twice, no folder), TG_ERROR_INPUT (a model or a
 * macro file that is not there, a reference that cannot be used, a document with too many formulas,
 * a folder without any page, no formula and no fault) or TG_ERROR_CANCELLED
 */
gboolean tg_documents_run(const TgDocumentsOptions *options, guint64 *n_faults, GError **error);
