/* The author's macros in a document, replaced by what they stand for. */
#pragma once

#include <glib.h>

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
