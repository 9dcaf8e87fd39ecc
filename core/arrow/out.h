/* Columns of our own as tables of Arrow's C interfaces. */
#pragma once

#include <texgauge/arrow.h>

/** A column of a table that is given out; all may be null. */
typedef struct {
    const char *name;
    const char *format; /**< of Arrow: "g" float64, "l" int64, "u" text, "+l" list of texts */
} TgArrowField;

/** The schema of a table with @n columns, whose names are copied. */
void tg_arrow_schema_make(struct ArrowSchema *out, const TgArrowField *fields, guint n);

/** A column that grows value by value. */
typedef struct TgArrowBuilder TgArrowBuilder;

TgArrowBuilder *tg_arrow_builder_new(const char *format);
void tg_arrow_builder_free(TgArrowBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgArrowBuilder, tg_arrow_builder_free)

/** Add a float64; NaN becomes null. */
void tg_arrow_builder_add_double(TgArrowBuilder *builder, double value);

/** Add an int64. */
void tg_arrow_builder_add_int(TgArrowBuilder *builder, gint64 value);

/** Add a text, or null for NULL; of a list: one item. */
void tg_arrow_builder_add_text(TgArrowBuilder *builder, const char *text);

/** End the list at hand, which may be empty. */
void tg_arrow_builder_end_list(TgArrowBuilder *builder);

/** Bytes that the texts of the column take so far; an array holds 2^31 - 1. */
gsize tg_arrow_builder_size(const TgArrowBuilder *builder);

/** Make the array of all that was added, and leave the builder empty. */
void tg_arrow_builder_finish(TgArrowBuilder *builder, struct ArrowArray *out);

/**
 * An array of @n values that lie in memory already, and are not copied; NaN is null.
 *
 * @owner: keeps them; freed with @unref when the array is released
 */
void tg_arrow_array_of_doubles(struct ArrowArray *out, const double *values, gsize n,
                               gpointer owner, GDestroyNotify unref);

/** A table of @n_rows rows. @columns: moved into it. */
void tg_arrow_array_of_columns(struct ArrowArray *out, gsize n_rows,
                               const struct ArrowArray *columns, guint n_columns);

/** What makes a stream. */
typedef struct {
    void (*schema)(gpointer self, struct ArrowSchema *out);
    /** The next batch; not set at the end. FALSE with @error. */
    gboolean (*next)(gpointer self, struct ArrowArray *out, GError **error);
    GDestroyNotify free;
} TgArrowSource;

/** A stream over @self, which is freed with it. @source: static */
void tg_arrow_stream_make(struct ArrowArrayStream *out, const TgArrowSource *source, gpointer self);
