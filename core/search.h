/* Binary search in tables of rows that are sorted by their first member. */
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
