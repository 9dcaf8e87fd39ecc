/* Formulas in documents: extracting them, and pairing the formulas of parsers with the formulas of
 * the reference. */
#pragma once

#include <stdio.h>

#include <jansson.h>

#include <texgauge/types.h>

#include "core/pipeline.h"

/** Called with a message, without newline; borrowed for the call. */
typedef void (*TgLineFunc)(const char *line, gpointer data);

typedef enum {
    TG_DOCUMENT_ANY, /**< LaTeX or Markdown, decided by the file's name and content */
    TG_DOCUMENT_LATEX,
    TG_DOCUMENT_MARKDOWN,
} TgDocumentKind;

extern const char *const tg_document_kinds[]; /**< their names: auto, ...; NULL last */

/** How formulas are paired: document by document, or page by page. */
typedef enum {
    TG_PROTOCOL_CDM,
    TG_PROTOCOL_OMNIDOCBENCH,
    TG_PROTOCOL_OLMOCR, /**< for tests; eval/run/olmocr.h implements it */
} TgDocumentProtocol;

extern const char *const tg_document_protocols[]; /**< their names: cdm, ...; NULL last */

/** The documents and the way to read them. Zero the struct and set members that differ; strings are
 * borrowed. */
typedef struct {
    TgDocumentProtocol protocol;
    /** the documents that the inputs are paired with; NULL: formulas are written, not paired */
    const char *ref;
    const char *const *inputs; /**< "MODEL=PATH" or PATH, NULL last */
    FILE *rows;                /**< gets each formula or pair as a JSON object on a line */
    /** called for each document that cannot be used, while the run goes on; or NULL */
    TgLineFunc fault;
    TgLineFunc note; /**< called with the counts; or NULL */
    gpointer data;   /**< the argument of these functions and of @progress */

    /* for the CDM paper's protocol: */
    const char *const *macros; /**< LaTeX files whose definitions hold for all papers; or NULL */
    TgDocumentKind kind;
    gboolean with_inline;   /**< also take formulas inside lines */
    gboolean without_model; /**< the only input has no name, so that rows do not name it */
    gboolean drop_extras;   /**< no rows for predictions without reference */

    /* for OmniDocBench's protocol: */
    gboolean
        /** keep U+0000 of pages; else it becomes U+FFFD, because no metric accepts U+0000 */
        keep_zeros;
    guint threads; /**< 0: one per processor; the rows do not depend on the number */
    /** Called from time to time on the calling thread with the number of pages that are begun;
     * FALSE ends the run with TG_ERROR_CANCELLED. May be NULL. */
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
 * prediction if it is closer than 0.4; references that are left over then do the same with 0.8.
 *
 * With OmniDocBench's protocol the reference is JSON as OmniDocBench.json, inputs are folders of
 * pages. Models come in the order given, pages in that of the reference, rows in the order of
 * OmniDocBench; the first row of a page lists the predictions without a reference. If the protocol
 * keeps none of a page's formulas, the page has one row of length 0. Faults and notes come from any
 * thread, one at a time.
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

/* ---- what a protocol of pages does not read (page_file.c) ---- */

/**
 * Read a file of Markdown. UTF-16 with a byte order mark becomes UTF-8; else the bytes stay as they
 * are.
 *
 * @fault: (out) why the text is not all that the file has (transfer full); NULL: it is. A file that
 *   cannot be read is empty
 *
 * Returns: (transfer full)
 */
GString *tg_page_read(const char *path, char **fault);

/** The Markdown files of a folder and of the folders in it, 4 deep, of 100,000 entries at most.
 * (transfer full) */
GPtrArray *tg_pages_markdown(const char *folder);

/** Count the displays of a page outside of `$`, `$$`, `\(` and `\[` in @counts, {OPENING: NUMBER}.
 */
void tg_page_count_unread(const char *page, json_t *counts);

/** Add the counts of a page to those of others. */
void tg_page_add_unread(json_t *counts, const json_t *more);

/** "displays in \begin{align} (2), <math (1), which the protocol does not read" (transfer full);
 * NULL: there are none. */
char *tg_page_unread_text(const json_t *counts);

/* ---- pages by olmOCR-bench (olmocr_page.c) ---- */

/** A formula and the line of the page that it begins in, counted from 1. */
typedef struct {
    char *text;
    guint line;
} TgOlmocrFormulaAt;

/**
 * All formulas of a page in the order of the official program: those in \(..\), in \[..\], in
 * $$..$$ and in $..$, each searched in the text that the earlier kinds leave. Nothing is escaped,
 * no Markdown is read, contents lose white space at both ends and may then be empty.
 *
 * @page: UTF-8 with newlines alone at the ends of lines, less than 4 GiB
 * @n_outside: (out) how many of them are of the first two kinds, not in dollars
 *
 * Returns: (transfer full) an array of TgOlmocrFormulaAt that owns its texts
 *
 * Source: allenai/olmocr at f7cfe4c, olmocr/bench/tests.py, MathTest.run()
 */
GArray *tg_olmocr_page_formulas(const char *page, guint *n_outside);
