/* Finds formulas in a text by their delimiters. */
#pragma once

#include <glib.h>

typedef enum { TG_DOCUMENT_LATEX, TG_DOCUMENT_MARKDOWN } TgDocumentKind;

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
