/* The formulas of a page as olmOCR-bench finds them. */
#pragma once

#include <glib.h>

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
 * @ignore_dollars: only the first two kinds
 *
 * Returns: (transfer full) an array of TgOlmocrFormulaAt that owns its texts
 *
 * Source: allenai/olmocr at f7cfe4c, olmocr/bench/tests.py, MathTest.run()
 */
GArray *tg_olmocr_page_formulas(const char *page, gboolean ignore_dollars);
