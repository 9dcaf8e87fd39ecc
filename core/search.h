/* Binary search in tables of rows that are sorted by their first member, and lists of words. */
#pragma once

#include <glib.h>

/**
 * The row whose first member, a const char *, is the @len bytes at @text.
 *
 * @rows: @n rows of @size bytes each, in strcmp() order
 *
 * Returns: the row, or NULL
 */
gconstpointer tg_row_of_text(const char *text, gsize len, gconstpointer rows, gsize n, gsize size);

/** The row whose first member, a guint32, is @number; NULL: none. @rows: in its order */
gconstpointer tg_row_of_number(guint32 number, gconstpointer rows, gsize n, gsize size);

/** Whether the @len bytes at @text (-1: up to its zero) are one of @words, between which there is a
 * space each. */
gboolean tg_is_one_of(const char *text, gssize len, const char *words);
