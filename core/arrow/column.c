/* A producer in C may hand over anything. The interface does not tell how large the buffers are,
 * but for those of views; what it does tell is checked: lengths, offsets, indices, numbers of
 * buffers and of children. */
#include "core/arrow/column.h"

#include <string.h>

#include "core/fail.h"
#include "core/half.h"

#define MAX_DEPTH   16
#define MAX_COLUMNS 100000
#define MAX_ROWS    ((gint64) 1 << 40) /* a product with a width does not overflow */
#define MAX_ITEMS   ((gint64) 1 << 20) /* of a list of fixed size */
#define VIEW_SIZE   16
#define VIEW_INLINE 12

/* ---- types ---- */

typedef struct {
    const char *format;
    TgArrowKind kind;
    guint width;
} Format;

static const Format column_formats[] = {
    { "n", TG_ARROW_NULL, 0 },   { "b", TG_ARROW_BOOL, 0 },  { "c", TG_ARROW_INT, 1 },
    { "C", TG_ARROW_UINT, 1 },   { "s", TG_ARROW_INT, 2 },   { "S", TG_ARROW_UINT, 2 },
    { "i", TG_ARROW_INT, 4 },    { "I", TG_ARROW_UINT, 4 },  { "l", TG_ARROW_INT, 8 },
    { "L", TG_ARROW_UINT, 8 },   { "e", TG_ARROW_FLOAT, 2 }, { "f", TG_ARROW_FLOAT, 4 },
    { "g", TG_ARROW_FLOAT, 8 },  { "u", TG_ARROW_TEXT, 4 },  { "U", TG_ARROW_TEXT, 8 },
    { "vu", TG_ARROW_VIEW, 0 },  { "+l", TG_ARROW_LIST, 4 }, { "+L", TG_ARROW_LIST, 8 },
    { "+s", TG_ARROW_STRUCT, 0 }
};

static void column_set_kind(TgArrowColumn *column)
{
    const char *format = column->format;
    guint64 size;

    for (guint i = 0; i < G_N_ELEMENTS(column_formats); i++)
        if (strcmp(column_formats[i].format, format) == 0) {
            column->kind = column_formats[i].kind;
            column->width = column_formats[i].width;
        }
    if (g_str_has_prefix(format, "+w:") &&
        g_ascii_string_to_unsigned(format + 3, 10, 0, MAX_ITEMS, &size, NULL)) {
        column->kind = TG_ARROW_FIXED_LIST;
        column->list_size = (gint64) size;
    }
}

/* A type that says it has other children than it needs is not read. */
static gboolean has_its_children(const TgArrowColumn *column, const struct ArrowSchema *schema)
{
    switch (column->kind) {
    case TG_ARROW_STRUCT:
        return TRUE;
    case TG_ARROW_LIST:
    case TG_ARROW_FIXED_LIST:
        return schema->n_children == 1;
    default:
        return schema->n_children == 0;
    }
}

static gboolean init_children(TgArrowColumn *column, const struct ArrowSchema *schema, guint depth,
                              guint *n_columns, GError **error)
{
    if (schema->n_children < 0 || schema->n_children > MAX_COLUMNS ||
        (schema->n_children > 0 && schema->children == NULL))
        return tg_fail_input(error, "the table's schema is broken");
    column->children = g_new0(TgArrowColumn, (gsize) schema->n_children + 1);
    column->n_children = (guint) schema->n_children;
    for (guint i = 0; i < column->n_children; i++) {
        if (!tg_arrow_column_init(&column->children[i], schema->children[i], depth + 1, n_columns,
                                  error))
            return FALSE;
        column->children[i].parent = column->kind == TG_ARROW_STRUCT ? column : NULL;
    }
    return TRUE;
}

gboolean tg_arrow_column_init(TgArrowColumn *column, const struct ArrowSchema *schema, guint depth,
                              guint *n_columns, GError **error)
{
    if (schema == NULL || schema->release == NULL || schema->format == NULL)
        return tg_fail_input(error, "the table's schema is broken");
    if (++*n_columns > MAX_COLUMNS)
        return tg_fail_input(error, "the table has more than %d columns", MAX_COLUMNS);
    column->name = g_utf8_make_valid(schema->name != NULL ? schema->name : "", -1);
    column->format = g_utf8_make_valid(schema->format, -1);
    column_set_kind(column);
    if (depth > MAX_DEPTH || !has_its_children(column, schema)) {
        column->kind = TG_ARROW_OTHER;
        return TRUE;
    }
    if (schema->dictionary == NULL)
        return init_children(column, schema, depth, n_columns, error);
    column->is_signed = column->kind == TG_ARROW_INT;
    column->kind =
        column->is_signed || column->kind == TG_ARROW_UINT ? TG_ARROW_DICTIONARY : TG_ARROW_OTHER;
    column->children = g_new0(TgArrowColumn, 1);
    column->n_children = 1;
    return tg_arrow_column_init(column->children, schema->dictionary, depth + 1, n_columns, error);
}

void tg_arrow_column_clear(TgArrowColumn *column)
{
    for (guint i = 0; i < column->n_children; i++)
        tg_arrow_column_clear(&column->children[i]);
    g_free(column->children);
    g_free(column->name);
    g_free(column->format);
}

gboolean tg_arrow_column_is_readable(const TgArrowColumn *column)
{
    for (guint i = 0; i < column->n_children; i++)
        if (!tg_arrow_column_is_readable(&column->children[i]))
            return FALSE;
    return column->kind != TG_ARROW_OTHER;
}

/* ---- batches ---- */

static gint64 read_whole(gconstpointer buffer, gint64 at, guint width, gboolean is_signed)
{
    const guint8 *from = (const guint8 *) buffer + at * width;
    guint64 value = 0;

    memcpy(&value, from, width); /* as the table, numbers are of this machine's byte order */
    if (G_BYTE_ORDER == G_BIG_ENDIAN)
        value >>= 64 - 8 * width;
    if (is_signed && width < 8 && (value >> (8 * width - 1)) != 0)
        value |= G_MAXUINT64 << (8 * width);
    return (gint64) value;
}

static gint64 offset_at(const TgArrowColumn *column, gint64 i)
{
    return read_whole(column->array->buffers[1], column->array->offset + i, column->width, TRUE);
}

/* How many buffers a kind has; of views at least so many. */
static gint64 n_buffers_of(TgArrowKind kind)
{
    switch (kind) {
    case TG_ARROW_NULL:
        return 0;
    case TG_ARROW_STRUCT:
    case TG_ARROW_FIXED_LIST:
        return 1;
    case TG_ARROW_TEXT:
    case TG_ARROW_VIEW:
        return 3;
    default:
        return 2;
    }
}

static gboolean has_buffers(const TgArrowColumn *column, const struct ArrowArray *array)
{
    const gint64 n = n_buffers_of(column->kind);

    if (n == 0)
        return TRUE;
    if (array->n_buffers < n || array->buffers == NULL ||
        (column->kind != TG_ARROW_VIEW && array->n_buffers > n))
        return FALSE;
    /* where there is nothing the buffers may be missing */
    return n == 1 || array->offset + array->length == 0 || array->buffers[1] != NULL;
}

static gboolean has_parts(const TgArrowColumn *column, const struct ArrowArray *array)
{
    if (column->kind == TG_ARROW_DICTIONARY)
        return array->dictionary != NULL && array->dictionary->release != NULL;
    if (array->n_children != column->n_children || (column->n_children > 0 && !array->children))
        return FALSE;
    for (guint i = 0; i < column->n_children; i++)
        if (array->children[i] == NULL || array->children[i]->release == NULL)
            return FALSE;
    return TRUE;
}

gboolean tg_arrow_column_bind_one(TgArrowColumn *column, const struct ArrowArray *array, gint64 n,
                                  GError **error)
{
    const char *wrong = NULL;

    if (array->length < n || array->length > MAX_ROWS || array->offset < 0 ||
        array->offset > MAX_ROWS)
        wrong = "has another length than its batch";
    else if (!has_buffers(column, array))
        wrong = "lacks buffers";
    else if (!has_parts(column, array))
        wrong = "lacks parts of its type";
    if (wrong != NULL)
        return tg_fail_input(error, "the table's column '%s' %s", column->name, wrong);
    column->array = array;
    column->validity =
        array->null_count != 0 && array->n_buffers > 0 && column->kind != TG_ARROW_NULL
            ? array->buffers[0]
            : NULL;
    column->last_offset =
        column->kind == TG_ARROW_TEXT && array->length > 0 ? offset_at(column, array->length) : 0;
    return TRUE;
}

/* How many values of its children a column refers to. */
static gint64 n_values_below(const TgArrowColumn *column)
{
    const struct ArrowArray *array = column->array;

    switch (column->kind) {
    case TG_ARROW_STRUCT:
        return array->offset + array->length;
    case TG_ARROW_FIXED_LIST:
        return (array->offset + array->length) * column->list_size;
    default:
        return 0; /* each index and each offset is looked at when it is used */
    }
}

gboolean tg_arrow_column_bind(TgArrowColumn *column, const struct ArrowArray *array, gint64 n,
                              GError **error)
{
    if (!tg_arrow_column_bind_one(column, array, n, error))
        return FALSE;
    for (guint i = 0; i < column->n_children; i++) {
        const struct ArrowArray *part =
            column->kind == TG_ARROW_DICTIONARY ? array->dictionary : array->children[i];

        if (!tg_arrow_column_bind(&column->children[i], part, n_values_below(column), error))
            return FALSE;
    }
    return TRUE;
}

/* ---- values ---- */

gboolean tg_arrow_column_is_null(const TgArrowColumn *column, gint64 i)
{
    const gint64 at = column->array->offset + i;

    if (column->kind == TG_ARROW_NULL)
        return TRUE;
    return column->validity != NULL && (column->validity[at / 8] >> (at % 8) & 1) == 0;
}

gboolean tg_arrow_column_span(const TgArrowColumn *column, gint64 i, gint64 *from, gint64 *to)
{
    if (column->kind == TG_ARROW_FIXED_LIST) {
        *from = (column->array->offset + i) * column->list_size;
        *to = *from + column->list_size;
        return TRUE;
    }
    *from = offset_at(column, i);
    *to = offset_at(column, i + 1);
    const gint64 end =
        column->kind == TG_ARROW_LIST ? column->children[0].array->length : column->last_offset;
    return *from >= 0 && *from <= *to && *to <= end;
}

gboolean tg_arrow_column_index(const TgArrowColumn *column, gint64 i, gint64 *index)
{
    *index = read_whole(column->array->buffers[1], column->array->offset + i, column->width,
                        column->is_signed);
    return *index >= 0 && *index < column->children[0].array->length;
}

gint64 tg_arrow_column_int(const TgArrowColumn *column, gint64 i, gboolean *is_large)
{
    const gint64 value = read_whole(column->array->buffers[1], column->array->offset + i,
                                    column->width, column->kind == TG_ARROW_INT);

    *is_large = column->kind == TG_ARROW_UINT && value < 0;
    return value;
}

double tg_arrow_column_float(const TgArrowColumn *column, gint64 i)
{
    const char *from =
        (const char *) column->array->buffers[1] + (column->array->offset + i) * column->width;
    guint16 half;
    float single;
    double value;

    switch (column->width) {
    case 2:
        memcpy(&half, from, sizeof half);
        return (double) tg_half_to_float(half);
    case 4:
        memcpy(&single, from, sizeof single);
        return (double) single;
    default:
        memcpy(&value, from, sizeof value);
        return value;
    }
}

gboolean tg_arrow_column_bool(const TgArrowColumn *column, gint64 i)
{
    const gint64 at = column->array->offset + i;

    return ((const guint8 *) column->array->buffers[1])[at / 8] >> (at % 8) & 1;
}

/* Of a view: length, then the text itself, or its first bytes, a buffer and a place in it. */
static gboolean view_text(const TgArrowColumn *column, gint64 i, const char **text, gsize *len)
{
    const struct ArrowArray *array = column->array;
    const char *view = (const char *) array->buffers[1] + (array->offset + i) * VIEW_SIZE;
    const gint64 n_data = array->n_buffers - 3;
    const char *sizes = array->buffers[array->n_buffers - 1];
    gint32 n, buffer, at;
    gint64 size;

    memcpy(&n, view, sizeof n);
    memcpy(&buffer, view + 8, sizeof buffer);
    memcpy(&at, view + 12, sizeof at);
    *text = view + 4;
    *len = (gsize) n;
    if (n <= VIEW_INLINE)
        return n >= 0;
    if (buffer < 0 || buffer >= n_data || sizes == NULL || array->buffers[2 + buffer] == NULL)
        return FALSE;
    memcpy(&size, sizes + (gsize) buffer * sizeof size, sizeof size);
    if (at < 0 || (gint64) at + n > size)
        return FALSE;
    *text = (const char *) array->buffers[2 + buffer] + at;
    return TRUE;
}

gboolean tg_arrow_column_text(const TgArrowColumn *column, gint64 i, const char **text, gsize *len)
{
    gint64 from, to;

    if (column->kind == TG_ARROW_VIEW)
        return view_text(column, i, text, len);
    const char *data = column->array->buffers[2];
    if (!tg_arrow_column_span(column, i, &from, &to) || (data == NULL && to > from))
        return FALSE;
    *text = data != NULL ? data + from : "";
    *len = (gsize) (to - from);
    return TRUE;
}
