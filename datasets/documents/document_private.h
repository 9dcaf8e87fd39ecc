/* The steps of taking formulas out of a document. */
#pragma once

#include "datasets/documents/document.h"

/**
 * Overwrite by blanks what is no text: comments with the end of their line, `\iffalse` to `\fi`,
 * verbatim text, package code. Every other byte stays in its place.
 */
void tg_document_clean_latex(char *text, gsize len);

/** The same for code, in blocks and in lines, and HTML comments. */
void tg_document_clean_markdown(char *text, gsize len);

/** A text, and which byte of the source each of its parts comes from. */
typedef struct {
    GString *text;
    GArray *marks; /* TgDocumentMark, increasing */
} TgExpandedText;

typedef struct {
    gsize at;     /* in the text */
    gsize source; /* from here on, until the next mark */
} TgDocumentMark;

void tg_expanded_text_clear(TgExpandedText *expanded);

/** The byte of the source that the byte @at of the text comes from, or the macro call's. */
gsize tg_expanded_text_source(const TgExpandedText *expanded, gsize at);

/**
 * Replace the user's macros.
 *
 * @n_macros: the first bytes of @text are definitions only: their source is 0, and they yield no
 *   text
 *
 * Returns: FALSE with TG_ERROR_INPUT when the macros never come to an end
 */
gboolean tg_document_expand(const char *text, gsize len, gsize n_macros, TgExpandedText *out,
                            GError **error);

/** A formula as found. */
typedef struct {
    gsize start; /**< of the opening delimiter */
    gsize end;   /**< behind the closing one */
    const char *environment;
    gboolean display;
} TgFoundFormula;

/** An opening delimiter without its closing one. */
typedef void (*TgUnclosed)(gsize at, const char *delimiter, gpointer data);

/** Find formulas from byte @from on: an array of TgFoundFormula. Linear in @len. */
GArray *tg_document_scan(const char *text, gsize len, gsize from, TgDocumentKind kind,
                         TgUnclosed unclosed, gpointer data);
