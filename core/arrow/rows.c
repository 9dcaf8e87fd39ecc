#include "core/arrow/rows.h"

#include <string.h>

#include "core/arrow/column.h"
#include "core/fail.h"

/* Values in one of JSON: lists that overlap, in lists, would be more than memory holds. */
#define MAX_VALUES (1 << 20)

struct TgArrowRows {
    struct ArrowArrayStream stream;
    struct ArrowArray batch;
    TgArrowColumn root;
    GPtrArray *columns; /* TgArrowColumn *, fields of structs behind them */
    GPtrArray *names;   /* char *, NULL last */
    gboolean *used;     /* [columns] */
};

/* ---- columns ---- */

static void list_columns(TgArrowRows *rows, TgArrowColumn *parent, const char *prefix)
{
    for (guint i = 0; i < parent->n_children; i++) {
        TgArrowColumn *column = &parent->children[i];
        char *name = g_strconcat(prefix, column->name, NULL);

        g_ptr_array_add(rows->columns, column);
        g_ptr_array_add(rows->names, name);
        if (column->kind != TG_ARROW_STRUCT)
            continue;
        g_autofree char *inner = g_strconcat(name, ".", NULL);
        list_columns(rows, column, inner);
    }
}

static gboolean fail_stream(TgArrowRows *rows, GError **error)
{
    const char *why =
        rows->stream.get_last_error != NULL ? rows->stream.get_last_error(&rows->stream) : NULL;
    g_autofree char *valid = why != NULL ? g_utf8_make_valid(why, -1) : NULL;

    return tg_fail_input(error, "the table cannot be read: %s",
                         valid != NULL ? valid : "its source does not say why");
}

static gboolean read_schema(TgArrowRows *rows, GError **error)
{
    struct ArrowSchema schema = { 0 };
    guint n_columns = 0;

    if (rows->stream.get_schema(&rows->stream, &schema) != 0)
        return fail_stream(rows, error);
    gboolean good = tg_arrow_column_init(&rows->root, &schema, 0, &n_columns, error);
    if (good && rows->root.kind != TG_ARROW_STRUCT)
        good = tg_fail_input(error, "not a table: its rows are no structs");
    if (schema.release != NULL)
        schema.release(&schema);
    return good;
}

TgArrowRows *tg_arrow_rows_open(struct ArrowArrayStream *stream, GError **error)
{
    g_autoptr(TgArrowRows) rows = g_new0(TgArrowRows, 1);

    rows->stream = *stream;
    stream->release = NULL; /* it has moved */
    rows->columns = g_ptr_array_new();
    rows->names = g_ptr_array_new_with_free_func(g_free);
    if (rows->stream.release == NULL) {
        tg_fail_input(error, "the table was read before");
        return NULL;
    }
    if (!read_schema(rows, error))
        return NULL;
    list_columns(rows, &rows->root, "");
    g_ptr_array_add(rows->names, NULL);
    rows->used = g_new0(gboolean, rows->columns->len + 1);
    return g_steal_pointer(&rows);
}

static void release_batch(TgArrowRows *rows)
{
    if (rows->batch.release != NULL)
        rows->batch.release(&rows->batch);
    memset(&rows->batch, 0, sizeof rows->batch);
}

void tg_arrow_rows_free(TgArrowRows *rows)
{
    if (rows == NULL)
        return;
    release_batch(rows);
    if (rows->stream.release != NULL)
        rows->stream.release(&rows->stream);
    tg_arrow_column_clear(&rows->root);
    g_ptr_array_unref(rows->columns);
    g_ptr_array_unref(rows->names);
    g_free(rows->used);
    g_free(rows);
}

char **tg_arrow_rows_names(const TgArrowRows *rows)
{
    return (char **) rows->names->pdata;
}

/* The column of values that @column stands for: a dictionary's. */
static const TgArrowColumn *values_of(const TgArrowColumn *column)
{
    return column->kind == TG_ARROW_DICTIONARY ? column->children : column;
}

static gboolean is_text(const TgArrowColumn *column)
{
    const TgArrowKind kind = values_of(column)->kind;

    return kind == TG_ARROW_TEXT || kind == TG_ARROW_VIEW || kind == TG_ARROW_NULL;
}

gboolean tg_arrow_rows_is_text(const TgArrowRows *rows, guint column)
{
    return is_text(rows->columns->pdata[column]);
}

gboolean tg_arrow_rows_use(TgArrowRows *rows, guint column, GError **error)
{
    const TgArrowColumn *of = rows->columns->pdata[column];

    rows->used[column] = TRUE;
    if (tg_arrow_column_is_readable(of))
        return TRUE;
    return tg_fail_usage(
        error,
        "the column '%s' has a type that is not read (Arrow's format '%s'); cast it to "
        "text or numbers",
        (char *) rows->names->pdata[column], of->format);
}

/* ---- batches ---- */

/* Bind a struct that a column stands in, after those that it stands in itself. */
static const struct ArrowArray *bind_ancestor(TgArrowColumn *column, GError **error)
{
    if (column->parent == NULL)
        return column->array; /* the root, which is bound */
    const struct ArrowArray *above = bind_ancestor(column->parent, error);
    if (above == NULL)
        return NULL;
    const gsize place = (gsize) (column - column->parent->children);
    return tg_arrow_column_bind_one(column, above->children[place], above->offset + above->length,
                                    error)
               ? column->array
               : NULL;
}

static gboolean bind_column(TgArrowColumn *column, GError **error)
{
    const struct ArrowArray *above = bind_ancestor(column->parent, error);
    const gsize place = (gsize) (column - column->parent->children);

    return above != NULL && tg_arrow_column_bind(column, above->children[place],
                                                 above->offset + above->length, error);
}

gboolean tg_arrow_rows_next(TgArrowRows *rows, gint64 *n, GError **error)
{
    *n = 0;
    do {
        release_batch(rows);
        if (rows->stream.get_next(&rows->stream, &rows->batch) != 0) {
            rows->batch.release = NULL; /* nothing was made */
            return fail_stream(rows, error);
        }
    } while (rows->batch.release != NULL && rows->batch.length == 0);
    if (rows->batch.release == NULL)
        return TRUE;
    if (!tg_arrow_column_bind_one(&rows->root, &rows->batch, 1, error))
        return FALSE;
    for (guint i = 0; i < rows->columns->len; i++)
        if (rows->used[i] && !bind_column(rows->columns->pdata[i], error))
            return FALSE;
    *n = rows->batch.length;
    return TRUE;
}

/* ---- values ---- */

/* The place of @row in a column, which depends on the offsets of the structs around it; FALSE where
 * one of these is null. */
static gboolean find_place(const TgArrowColumn *column, gint64 row, gint64 *place)
{
    gint64 above;

    if (column->parent == NULL) {
        *place = row;
        return TRUE;
    }
    if (!find_place(column->parent, row, &above) || tg_arrow_column_is_null(column->parent, above))
        return FALSE;
    *place = column->parent->array->offset + above;
    return TRUE;
}

static gboolean text_at(const TgArrowColumn *column, gint64 i, TgArrowText *out)
{
    *out = (TgArrowText){ NULL, 0 };
    if (tg_arrow_column_is_null(column, i))
        return TRUE;
    if (column->kind != TG_ARROW_DICTIONARY)
        return tg_arrow_column_text(column, i, &out->text, &out->len);
    gint64 index;
    return tg_arrow_column_index(column, i, &index) && text_at(column->children, index, out);
}

gboolean tg_arrow_rows_text(const TgArrowRows *rows, guint column, gint64 row, TgArrowText *out)
{
    const TgArrowColumn *of = rows->columns->pdata[column];
    gint64 place;

    *out = (TgArrowText){ NULL, 0 };
    return !find_place(of, row, &place) || text_at(of, place, out);
}

static json_t *value_json(const TgArrowColumn *column, gint64 i, guint *n_values);

static json_t *text_json(const TgArrowColumn *column, gint64 i)
{
    TgArrowText value;

    if (!text_at(column, i, &value))
        return NULL;
    json_t *json = json_stringn(value.text, value.len);
    if (json != NULL)
        return json;
    g_autofree char *valid = g_utf8_make_valid(value.text, (gssize) value.len);
    return json_string(valid);
}

static json_t *number_json(const TgArrowColumn *column, gint64 i)
{
    if (column->kind == TG_ARROW_FLOAT) {
        json_t *real = json_real(tg_arrow_column_float(column, i));
        return real != NULL ? real : json_null(); /* NaN, infinity */
    }
    gboolean is_large;
    const gint64 value = tg_arrow_column_int(column, i, &is_large);
    return is_large ? json_real((double) (guint64) value) : json_integer(value);
}

static json_t *list_json(const TgArrowColumn *column, gint64 i, guint *n_values)
{
    gint64 from, to;

    if (!tg_arrow_column_span(column, i, &from, &to))
        return NULL;
    json_t *list = json_array();
    for (; from < to && list != NULL; from++)
        if (json_array_append_new(list, value_json(column->children, from, n_values)) != 0)
            g_clear_pointer(&list, json_decref);
    return list;
}

static json_t *struct_json(const TgArrowColumn *column, gint64 i, guint *n_values)
{
    json_t *object = json_object();

    for (guint k = 0; k < column->n_children && object != NULL; k++) {
        const TgArrowColumn *field = &column->children[k];

        if (json_object_set_new(object, field->name,
                                value_json(field, column->array->offset + i, n_values)) != 0)
            g_clear_pointer(&object, json_decref);
    }
    return object;
}

/* NULL where the batch is broken; jansson then refuses what it should become a part of. */
static json_t *value_json(const TgArrowColumn *column, gint64 i, guint *n_values)
{
    gint64 index;

    if (++*n_values > MAX_VALUES)
        return NULL;
    if (tg_arrow_column_is_null(column, i))
        return json_null();
    switch (column->kind) {
    case TG_ARROW_BOOL:
        return json_boolean(tg_arrow_column_bool(column, i));
    case TG_ARROW_INT:
    case TG_ARROW_UINT:
    case TG_ARROW_FLOAT:
        return number_json(column, i);
    case TG_ARROW_TEXT:
    case TG_ARROW_VIEW:
        return text_json(column, i);
    case TG_ARROW_LIST:
    case TG_ARROW_FIXED_LIST:
        return list_json(column, i, n_values);
    case TG_ARROW_STRUCT:
        return struct_json(column, i, n_values);
    case TG_ARROW_DICTIONARY:
        return tg_arrow_column_index(column, i, &index)
                   ? value_json(column->children, index, n_values)
                   : NULL;
    default:
        return json_null();
    }
}

json_t *tg_arrow_rows_json(const TgArrowRows *rows, guint column, gint64 row)
{
    const TgArrowColumn *of = rows->columns->pdata[column];
    guint n_values = 0;
    gint64 place;

    return find_place(of, row, &place) ? value_json(of, place, &n_values) : json_null();
}
