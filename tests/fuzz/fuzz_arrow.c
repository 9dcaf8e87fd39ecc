/*
 * Fuzz target: tables by Arrow's C interfaces. The bytes say which columns there are, and how their
 * arrays lie: buffers have the sizes that the interface lets a reader know, so that a sanitizer
 * sees any read beyond, while lengths, offsets, indices and parts may be wrong.
 */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <string.h>

#include "core/arrow/rows.h"
#include "datasets/readers/arrow.h"
#include "tests/fuzz/records.h"

#define MAX_DEPTH   6
#define MAX_COLUMNS 40
#define MAX_ROWS    16
#define MAX_TEXT    4096

/* A column of the table: its type. */
typedef struct Type Type;
struct Type {
    const char *name, *format;
    guint n_children;
    Type *children[3];
    Type *dictionary;
};

typedef struct {
    const uint8_t *data;
    size_t left;
    GPtrArray *memory; /* all that the table is made of */
    Type *root;
    guint n_columns, n_batches;
    gint n_live; /* what the reader has to release */
} Table;

static guint take(Table *table)
{
    if (table->left == 0)
        return 0;
    table->left--;
    return *table->data++;
}

/* Memory of exactly @size bytes. */
static gpointer make(Table *table, gsize size)
{
    gpointer memory = g_malloc0(MAX(size, 1));

    g_ptr_array_add(table->memory, memory);
    return memory;
}

/* ---- types ---- */

static const char *const names[] = { "gt",    "pred", "id", "model",     "subset",
                                     "score", "a",    "b",  "\xC3\x28x", NULL };
static const char *const formats[] = { "u",  "u",  "U",   "vu",    "n",          "b",   "c",
                                       "C",  "s",  "S",   "i",     "I",          "l",   "L",
                                       "e",  "f",  "g",   "+l",    "+L",         "+s",  "+s",
                                       "+w", "+w", "+w:", "+w:-1", "+w:1048576", "tdD", NULL };

static Type *type_new(Table *table, guint depth)
{
    Type *type = make(table, sizeof *type);
    const guint shape = take(table);

    type->name = names[take(table) % G_N_ELEMENTS(names)];
    type->format = formats[shape % G_N_ELEMENTS(formats)];
    if (g_strcmp0(type->format, "+w") == 0)
        type->format = shape % 2 == 0 ? "+w:2" : "+w:0";
    if (++table->n_columns >= MAX_COLUMNS || depth >= MAX_DEPTH || type->format == NULL)
        return type;
    if (type->format[0] == '+')
        type->n_children = type->format[1] == 's' ? take(table) % 4 : take(table) % 16 != 0;
    else if (strchr("cCsSiIlL", type->format[0]) != NULL && shape >= 128)
        type->dictionary = type_new(table, depth + 1);
    for (guint i = 0; i < type->n_children; i++)
        type->children[i] = type_new(table, depth + 1);
    return type;
}

static void schema_release(struct ArrowSchema *schema)
{
    (*(gint *) schema->private_data)--;
    schema->release = NULL;
}

static struct ArrowSchema *schema_new(Table *table, const Type *type)
{
    struct ArrowSchema *schema = make(table, sizeof *schema);

    *schema = (struct ArrowSchema){
        .format = type->format,
        .name = type->name,
        .flags = ARROW_FLAG_NULLABLE,
        .n_children = type->n_children,
        .children = make(table, type->n_children * sizeof(gpointer)),
        .release = schema_release,
        .private_data = &table->n_live,
    };
    for (guint i = 0; i < type->n_children; i++)
        schema->children[i] = schema_new(table, type->children[i]);
    if (type->dictionary != NULL)
        schema->dictionary = schema_new(table, type->dictionary);
    return schema;
}

/* ---- arrays ---- */

static void array_release(struct ArrowArray *array)
{
    (*(gint *) array->private_data)--;
    array->release = NULL;
}

static const guint8 *bytes_new(Table *table, gsize size)
{
    guint8 *bytes = make(table, size);

    for (gsize i = 0; i < size && table->left > 0; i++)
        bytes[i] = (guint8) take(table);
    return bytes;
}

/* @n ends of texts or items, of which one may lead anywhere. @last: (out) the last */
static gpointer ends_new(Table *table, gsize n, guint width, gint64 *last)
{
    const guint mode = take(table), wrong = take(table);
    guint8 *ends = make(table, n * width);
    gint64 end = mode % 3;

    for (gsize i = 0; i < n; i++) {
        end += take(table) % 8;
        if (mode >= 192 && i == wrong % n)
            end += (gint64) (gint8) take(table) * (mode % 2 == 0 ? 1 : G_MAXINT32 / 128);
        if (width == 4)
            memcpy(ends + i * 4, &(gint32){ (gint32) end }, 4);
        else
            memcpy(ends + i * 8, &end, 8);
    }
    *last = width == 4 ? (gint32) end : end;
    return ends;
}

static void fill_views(Table *table, struct ArrowArray *array, gsize n)
{
    guint8 *views = make(table, n * 16);
    gint64 *sizes = make(table, sizeof *sizes);
    const gint32 size = (gint32) (take(table) % 64);

    for (gsize i = 0; i < n; i++) {
        const gint32 len = (gint32) (take(table) % 24) - 1;

        memcpy(views + i * 16, &len, 4);
        memcpy(views + i * 16 + 4, bytes_new(table, 12), 12);
        if (len > 12 && take(table) % 4 != 0) {
            memset(views + i * 16 + 8, 0, 8);
            views[i * 16 + 12] = (guint8) (take(table) % 64);
        }
    }
    *sizes = size;
    array->buffers[1] = views;
    array->buffers[2] = bytes_new(table, (gsize) size);
    array->buffers[3] = sizes;
    array->n_buffers = 4;
}

static void fill_texts(Table *table, struct ArrowArray *array, guint width, gsize n)
{
    gint64 last;

    array->buffers[1] = ends_new(table, n + 1, width, &last);
    if (last >= 0 && last <= MAX_TEXT) /* what the last offset says that there is */
        array->buffers[2] = bytes_new(table, (gsize) last);
    array->n_buffers = 3;
}

/* Returns: how many values the children have */
static gint64 fill_buffers(Table *table, struct ArrowArray *array, const char *format, gsize n)
{
    gint64 last = 0;

    array->buffers[0] = bytes_new(table, (n + 7) / 8);
    array->n_buffers = 2;
    switch (format[0]) {
    case 'u':
    case 'U':
        fill_texts(table, array, format[0] == 'u' ? 4 : 8, n);
        return 0;
    case 'v':
        fill_views(table, array, n);
        return 0;
    case '+':
        if (format[1] == 'l' || format[1] == 'L') {
            array->buffers[1] = ends_new(table, n + 1, format[1] == 'l' ? 4 : 8, &last);
            return CLAMP(last, 0, 3 * MAX_ROWS);
        }
        array->n_buffers = 1;
        return format[1] == 'w' ? 2 * (gint64) n : (gint64) n;
    default:
        array->buffers[1] = bytes_new(table, 8 * n);
        return 0;
    }
}

/* What the interface lets a reader see may be wrong; more values than buffers hold it cannot see.
 */
static void spoil(Table *table, struct ArrowArray *array)
{
    switch (take(table)) {
    case 1:
        array->length -= (gint64) take(table) % 32;
        break;
    case 2:
        array->offset = G_MAXINT64 - take(table);
        break;
    case 3:
        array->n_buffers = (gint64) take(table) - 128;
        array->n_buffers = MIN(array->n_buffers, 4);
        break;
    case 4:
        array->n_children = (gint64) take(table) - 128;
        array->n_children = MIN(array->n_children, 3);
        break;
    case 5:
        array->buffers[take(table) % 4] = NULL;
        break;
    case 6:
        array->children[take(table) % 3] = NULL;
        break;
    case 7:
        array->dictionary = NULL;
        break;
    case 8:
        array->buffers = NULL;
        break;
    default:
        break;
    }
}

static struct ArrowArray *array_new(Table *table, const Type *type, gint64 n)
{
    struct ArrowArray *array = make(table, sizeof *array);
    const gint64 offset = take(table) % 3;

    array->length = n;
    array->offset = offset;
    array->buffers = make(table, 5 * sizeof(gpointer));
    const gint64 below =
        fill_buffers(table, array, type->format != NULL ? type->format : "n", (gsize) (offset + n));
    array->null_count = (gint64) (take(table) % 3) - 1;
    array->n_children = type->n_children;
    array->children = make(table, 3 * sizeof(gpointer));
    array->release = array_release;
    array->private_data = &table->n_live;
    for (guint i = 0; i < type->n_children; i++)
        array->children[i] = array_new(table, type->children[i], below);
    if (type->dictionary != NULL)
        array->dictionary = array_new(table, type->dictionary, take(table) % MAX_ROWS);
    spoil(table, array);
    return array;
}

/* ---- the stream ---- */

static int stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    Table *table = stream->private_data;

    *out = *schema_new(table, table->root);
    table->n_live++;
    return 0;
}

static int stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    Table *table = stream->private_data;

    memset(out, 0, sizeof *out);
    if (table->n_batches == 0 || table->left == 0)
        return table->n_batches % 2 == 0 ? 0 : EIO;
    table->n_batches--;
    *out = *array_new(table, table->root, take(table) % MAX_ROWS);
    table->n_live++;
    return 0;
}

static const char *stream_get_last_error(struct ArrowArrayStream *stream)
{
    return stream->private_data != NULL ? "no more \xFF" : NULL;
}

static void stream_release(struct ArrowArrayStream *stream)
{
    ((Table *) stream->private_data)->n_live--;
    stream->release = NULL;
}

static struct ArrowArrayStream table_open(Table *table, const uint8_t *data, size_t size)
{
    *table =
        (Table){ .data = data, .left = size, .memory = g_ptr_array_new_with_free_func(g_free) };
    table->n_batches = take(table) % 4;
    table->root = type_new(table, 0);
    table->n_live = 1;
    if (table->n_batches != 3) { /* mostly a table */
        table->root->format = "+s";
        table->root->dictionary = NULL;
    }
    return (struct ArrowArrayStream){ stream_get_schema, stream_get_next, stream_get_last_error,
                                      stream_release, table };
}

static void table_close(Table *table, const GError *error)
{
    g_assert_true(error == NULL || g_error_matches(error, TG_ERROR, TG_ERROR_INPUT) ||
                  g_error_matches(error, TG_ERROR, TG_ERROR_USAGE));
    g_assert_cmpint(table->n_live, ==, 0);
    g_ptr_array_unref(table->memory);
}

/* ---- readers ---- */

static void read_cell(const TgArrowRows *rows, guint column, gint64 row)
{
    TgArrowText text;

    if (tg_arrow_rows_is_text(rows, column) && tg_arrow_rows_text(rows, column, row, &text))
        for (gsize i = 0; text.text != NULL && i < text.len; i++)
            g_assert_cmpint(((const volatile char *) text.text)[i], <=, G_MAXUINT8);
    json_decref(tg_arrow_rows_json(rows, column, row));
}

/* Every cell of every column that can be read. */
static void try_cells(const uint8_t *data, size_t size)
{
    Table table;
    struct ArrowArrayStream stream = table_open(&table, data, size);
    g_autoptr(GError) error = NULL;
    TgArrowRows *rows = tg_arrow_rows_open(&stream, &error);
    g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(guint));
    gint64 n = 0;

    for (guint i = 0; rows != NULL && tg_arrow_rows_names(rows)[i] != NULL; i++)
        if (tg_arrow_rows_use(rows, i, NULL))
            g_array_append_val(used, i);
    while (rows != NULL && tg_arrow_rows_next(rows, &n, &error) && n > 0)
        for (gint64 row = 0; row < n; row++)
            for (guint i = 0; i < used->len; i++)
                read_cell(rows, g_array_index(used, guint, i), row);
    tg_arrow_rows_free(rows);
    table_close(&table, error);
}

/* The rows of pairs, as `evaluate` takes them. */
static void try_records(const uint8_t *data, size_t size)
{
    static const char *const columns[] = { "a.b,score", NULL };
    g_autoptr(TgFieldMap) fields = tg_field_map_new(NULL, NULL, columns, NULL);
    Table table;
    struct ArrowArrayStream stream = table_open(&table, data, size);
    g_autoptr(GError) error = NULL;
    g_auto(TgRecord) record = { 0 };
    TgReader *reader = tg_reader_open_table(&stream, "fuzz", fields, size % 2 == 1, &error);

    while (reader != NULL && tg_reader_next(reader, &record, &error))
        check_record(&record, TG_FILE_PAIRS);
    tg_reader_free(reader);
    table_close(&table, error);
}

/* A table in, its scores as a table out. */
static void try_scores(TgScorer *scorer, const uint8_t *data, size_t size)
{
    Table table;
    struct ArrowArrayStream stream = table_open(&table, data, size), out = { 0 };
    struct ArrowArray batch = { 0 };
    g_autoptr(GError) error = NULL;

    if (tg_scorer_score_table(scorer, &stream, NULL, &out, &error)) {
        while (out.get_next(&out, &batch) == 0 && batch.release != NULL) {
            g_assert_cmpint(batch.length, >, 0);
            batch.release(&batch);
        }
        out.release(&out);
    }
    table_close(&table, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static TgScorer *scorer;

    if (scorer == NULL)
        scorer = tg_scorer_new("exprate", NULL, NULL);
    try_cells(data, size);
    try_records(data, size);
    try_scores(scorer, data, size);
    return 0;
}
