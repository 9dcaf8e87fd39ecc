/* The rows of a table that comes by Arrow's C stream interface. Nothing is copied. */
#pragma once

#include <jansson.h>
#include <texgauge/arrow.h>

typedef struct TgArrowRows TgArrowRows;

/** A text, not ended by NUL, as the table has it: unchecked bytes. */
typedef struct {
    const char *text; /**< NULL: the value is null */
    gsize len;
} TgArrowText;

/**
 * Read the schema of @stream, which is taken over, with success and without.
 *
 * Returns: (transfer full), or NULL with TG_ERROR_INPUT
 */
TgArrowRows *tg_arrow_rows_open(struct ArrowArrayStream *stream, GError **error);
void tg_arrow_rows_free(TgArrowRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgArrowRows, tg_arrow_rows_free)

/** The names of all columns, NULL last; the field b of a struct a is one called "a.b". Borrowed. */
char **tg_arrow_rows_names(const TgArrowRows *rows);

/** Whether a column is of text, or of nothing but nulls. */
gboolean tg_arrow_rows_is_text(const TgArrowRows *rows, guint column);

/**
 * Say that a column will be read, before the first batch; only those are looked at.
 *
 * Returns: FALSE with TG_ERROR_USAGE for a type that is not supported
 */
gboolean tg_arrow_rows_use(TgArrowRows *rows, guint column, GError **error);

/**
 * Go on to the next batch that has rows, and check it.
 *
 * @n: (out) its rows; 0 at the end
 *
 * Returns: FALSE with TG_ERROR_INPUT
 */
gboolean tg_arrow_rows_next(TgArrowRows *rows, gint64 *n, GError **error);

/**
 * A value of a column of text in the batch at hand. Any thread may ask.
 *
 * Returns: FALSE where the batch is broken at this place
 */
gboolean tg_arrow_rows_text(const TgArrowRows *rows, guint column, gint64 row, TgArrowText *out);

/**
 * A value of any column as JSON: null, true and false, numbers (NaN is null), texts (what is not
 * UTF-8 in them replaced), lists, objects. (transfer full); NULL where the batch is broken, or
 * the value holds more than 2^20 others.
 */
json_t *tg_arrow_rows_json(const TgArrowRows *rows, guint column, gint64 row);
