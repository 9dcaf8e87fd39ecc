/* Tables of Arrow's C interface, laid out by hand, that count what is not released. */
#pragma once

#include <texgauge/arrow.h>

#include "core/arrow/rows.h"

enum { TG_TEST_MAX_BUFFERS = 6, TG_TEST_MAX_CHILDREN = 3 };

/** A column as its schema and its array say; children and dictionary are columns again. */
typedef struct TgTestColumn TgTestColumn;
struct TgTestColumn {
    const char *name, *format;
    gint64 length, null_count, offset, n_buffers;
    const void *buffers[TG_TEST_MAX_BUFFERS];
    gint64 n_children;
    const TgTestColumn *children[TG_TEST_MAX_CHILDREN];
    const TgTestColumn *dictionary;
};

/**
 * A stream of @n batches, each a column of format "+s", the first of which gives the schema.
 *
 * @failure: NULL, or what the stream says when it fails behind the last batch
 */
void tg_test_arrow_stream(struct ArrowArrayStream *out, const TgTestColumn *const *batches, guint n,
                          const char *failure);

/** How many streams, schemas and arrays, each with all in it, have not been released. */
gint tg_test_arrow_n_live(void);

/** @row of @column is the text @wanted (NULL: null). */
void tg_assert_arrow_text(const TgArrowRows *rows, guint column, gint64 row, const char *wanted);

/** @row of @column is @wanted as compact JSON. */
void tg_assert_arrow_json(const TgArrowRows *rows, guint column, gint64 row, const char *wanted);
