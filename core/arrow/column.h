/* One column of a table of Arrow's: its type, and its part of the batch at hand. */
#pragma once

#include <texgauge/arrow.h>

typedef enum {
    TG_ARROW_OTHER, /**< a type that is not read */
    TG_ARROW_NULL,
    TG_ARROW_BOOL,
    TG_ARROW_INT,
    TG_ARROW_UINT,
    TG_ARROW_FLOAT,
    TG_ARROW_TEXT, /**< offsets of 4 or 8 bytes */
    TG_ARROW_VIEW,
    TG_ARROW_LIST, /**< offsets of 4 or 8 bytes */
    TG_ARROW_FIXED_LIST,
    TG_ARROW_STRUCT,
    TG_ARROW_DICTIONARY,
} TgArrowKind;

typedef struct TgArrowColumn TgArrowColumn;

struct TgArrowColumn {
    TgArrowKind kind;
    gboolean is_signed; /**< of the indices into a dictionary */
    guint width;        /**< bytes of a number, an index, or an offset */
    gint64 list_size;   /**< of a TG_ARROW_FIXED_LIST */
    char *name;
    char *format;
    TgArrowColumn *parent; /**< the struct that it is a field of, or NULL; not so for lists */
    guint n_children;
    TgArrowColumn *children; /**< fields, items, or the texts of a dictionary */

    const struct ArrowArray *array; /**< of the batch at hand */
    const guint8 *validity;         /**< NULL: no value is null */
    gint64 last_offset;             /**< of a TG_ARROW_TEXT */
};

/**
 * Read a type.
 *
 * @n_columns: how many there are so far, counted on
 *
 * Returns: FALSE with TG_ERROR_INPUT: too many columns, or a schema without format
 */
gboolean tg_arrow_column_init(TgArrowColumn *column, const struct ArrowSchema *schema, guint depth,
                              guint *n_columns, GError **error);
void tg_arrow_column_clear(TgArrowColumn *column);

/** Whether the column and all in it are of kinds that are read. */
gboolean tg_arrow_column_is_readable(const TgArrowColumn *column);

/**
 * Check a column's part of a batch, and all in it, and keep it.
 *
 * @n: values it must have at least, from the array's offset on
 *
 * Returns: FALSE with TG_ERROR_INPUT
 */
gboolean tg_arrow_column_bind(TgArrowColumn *column, const struct ArrowArray *array, gint64 n,
                              GError **error);

/** The same for the column alone, without its children. */
gboolean tg_arrow_column_bind_one(TgArrowColumn *column, const struct ArrowArray *array, gint64 n,
                                  GError **error);

/** Whether value number @i, counted from the array's offset, is null. */
gboolean tg_arrow_column_is_null(const TgArrowColumn *column, gint64 i);

/** Where the texts or items of value @i lie; FALSE where that is broken. */
gboolean tg_arrow_column_span(const TgArrowColumn *column, gint64 i, gint64 *from, gint64 *to);

/** The index into the dictionary's values; FALSE where there is no such one. */
gboolean tg_arrow_column_index(const TgArrowColumn *column, gint64 i, gint64 *index);

/** A whole number; @is_large: (out) it is 2^63 or more, and stands there modulo 2^64. */
gint64 tg_arrow_column_int(const TgArrowColumn *column, gint64 i, gboolean *is_large);

double tg_arrow_column_float(const TgArrowColumn *column, gint64 i);

gboolean tg_arrow_column_bool(const TgArrowColumn *column, gint64 i);

/** The bytes of a text that is not null; FALSE where they are broken. */
gboolean tg_arrow_column_text(const TgArrowColumn *column, gint64 i, const char **text, gsize *len);
