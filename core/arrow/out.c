/* Every array has its own release and its own buffers, as a consumer may move a column out of its
 * table and keep it longer. */
#include "core/arrow/out.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { MAX_BUFFERS = 3 };

/* ---- schemas ---- */

static void schema_release(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release != NULL)
            schema->children[i]->release(schema->children[i]);
        g_free(schema->children[i]);
    }
    g_free(schema->children);
    g_free((char *) schema->name);
    g_free((char *) schema->format);
    schema->release = NULL;
}

static void schema_init(struct ArrowSchema *out, const char *name, const char *format, gsize n)
{
    *out = (struct ArrowSchema){
        .format = g_strdup(format),
        .name = g_strdup(name),
        .flags = ARROW_FLAG_NULLABLE,
        .n_children = (int64_t) n,
        .children = g_new0(struct ArrowSchema *, n + 1),
        .release = schema_release,
    };
    for (gsize i = 0; i < n; i++)
        out->children[i] = g_new0(struct ArrowSchema, 1);
}

void tg_arrow_schema_make(struct ArrowSchema *out, const TgArrowField *fields, guint n)
{
    schema_init(out, "", "+s", n);
    out->flags = 0; /* a row is never null */
    for (guint i = 0; i < n; i++) {
        const gboolean is_list = strcmp(fields[i].format, "+l") == 0;

        schema_init(out->children[i], fields[i].name, fields[i].format, is_list ? 1 : 0);
        if (is_list)
            schema_init(out->children[i]->children[0], "item", "u", 0);
    }
}

/* ---- arrays ---- */

typedef struct {
    const void *buffers[MAX_BUFFERS];
    gpointer owned[MAX_BUFFERS]; /* those of the buffers that are freed with the array */
    gpointer owner;              /* of the others */
    GDestroyNotify unref;
} Storage;

static void array_release(struct ArrowArray *array)
{
    Storage *storage = array->private_data;

    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release != NULL)
            array->children[i]->release(array->children[i]);
        g_free(array->children[i]);
    }
    g_free(array->children);
    for (guint i = 0; i < MAX_BUFFERS; i++)
        g_free(storage->owned[i]);
    if (storage->unref != NULL)
        storage->unref(storage->owner);
    g_free(storage);
    array->release = NULL;
}

static Storage *array_init(struct ArrowArray *out, gsize n, gsize n_null, guint n_buffers,
                           gsize n_children)
{
    Storage *storage = g_new0(Storage, 1);

    *out = (struct ArrowArray){
        .length = (int64_t) n,
        .null_count = (int64_t) n_null,
        .n_buffers = n_buffers,
        .n_children = (int64_t) n_children,
        .buffers = storage->buffers,
        .children = g_new0(struct ArrowArray *, n_children + 1),
        .release = array_release,
        .private_data = storage,
    };
    for (gsize i = 0; i < n_children; i++)
        out->children[i] = g_new0(struct ArrowArray, 1);
    return storage;
}

static void storage_take(Storage *storage, guint buffer, gpointer memory)
{
    storage->buffers[buffer] = storage->owned[buffer] = memory;
}

void tg_arrow_array_of_doubles(struct ArrowArray *out, const double *values, gsize n,
                               gpointer owner, GDestroyNotify unref)
{
    gsize n_null = 0;

    for (gsize i = 0; i < n; i++)
        n_null += isnan(values[i]) != 0;
    Storage *storage = array_init(out, n, n_null, 2, 0);
    storage->buffers[1] = values;
    storage->owner = owner;
    storage->unref = unref;
    if (n_null == 0)
        return;
    guint8 *validity = g_malloc0(n / 8 + 1);
    for (gsize i = 0; i < n; i++)
        validity[i / 8] |= (guint8) (!isnan(values[i]) << (i % 8));
    storage_take(storage, 0, validity);
}

void tg_arrow_array_of_columns(struct ArrowArray *out, gsize n_rows,
                               const struct ArrowArray *columns, guint n_columns)
{
    array_init(out, n_rows, 0, 1, n_columns);
    for (guint i = 0; i < n_columns; i++)
        *out->children[i] = columns[i];
}

/* ---- builders ---- */

struct TgArrowBuilder {
    GByteArray *values;    /* numbers, the bytes of texts */
    GArray *offsets;       /* gint32: of texts and lists; NULL for numbers */
    GByteArray *validity;  /* a byte a value */
    TgArrowBuilder *items; /* of lists */
    gsize n_null;
};

TgArrowBuilder *tg_arrow_builder_new(const char *format)
{
    TgArrowBuilder *builder = g_new0(TgArrowBuilder, 1);

    builder->values = g_byte_array_new();
    builder->validity = g_byte_array_new();
    if (strcmp(format, "+l") == 0)
        builder->items = tg_arrow_builder_new("u");
    if (builder->items != NULL || strcmp(format, "u") == 0) {
        builder->offsets = g_array_new(FALSE, TRUE, sizeof(gint32));
        g_array_set_size(builder->offsets, 1);
    }
    return builder;
}

void tg_arrow_builder_free(TgArrowBuilder *builder)
{
    if (builder == NULL)
        return;
    g_byte_array_unref(builder->values);
    g_byte_array_unref(builder->validity);
    if (builder->offsets != NULL)
        g_array_unref(builder->offsets);
    tg_arrow_builder_free(builder->items);
    g_free(builder);
}

static void builder_end(TgArrowBuilder *builder, gboolean is_valid)
{
    const guint8 flag = is_valid;

    g_byte_array_append(builder->validity, &flag, 1);
    builder->n_null += !is_valid;
    if (builder->offsets == NULL)
        return;
    const gint32 end =
        (gint32) (builder->items != NULL ? builder->items->validity->len : builder->values->len);
    g_array_append_val(builder->offsets, end);
}

void tg_arrow_builder_add_double(TgArrowBuilder *builder, double value)
{
    g_byte_array_append(builder->values, (const guint8 *) &value, sizeof value);
    builder_end(builder, !isnan(value));
}

void tg_arrow_builder_add_int(TgArrowBuilder *builder, gint64 value)
{
    g_byte_array_append(builder->values, (const guint8 *) &value, sizeof value);
    builder_end(builder, TRUE);
}

void tg_arrow_builder_add_text(TgArrowBuilder *builder, const char *text)
{
    if (builder->items != NULL) {
        tg_arrow_builder_add_text(builder->items, text);
        return;
    }
    if (text != NULL)
        g_byte_array_append(builder->values, (const guint8 *) text, (guint) strlen(text));
    builder_end(builder, text != NULL);
}

void tg_arrow_builder_end_list(TgArrowBuilder *builder)
{
    builder_end(builder, TRUE);
}

gsize tg_arrow_builder_size(const TgArrowBuilder *builder)
{
    return builder->values->len + (builder->items != NULL ? builder->items->values->len : 0);
}

static guint8 *pack_validity(const TgArrowBuilder *builder)
{
    guint8 *bits = g_malloc0(builder->validity->len / 8 + 1);

    for (guint i = 0; i < builder->validity->len; i++)
        bits[i / 8] |= (guint8) (builder->validity->data[i] << (i % 8));
    return bits;
}

/* What @values holds, which is left empty. */
static gpointer take_bytes(GByteArray **values)
{
    guint8 *memory = g_byte_array_free(*values, FALSE);

    *values = g_byte_array_new();
    return memory != NULL ? memory : g_malloc0(1); /* a buffer is never NULL */
}

void tg_arrow_builder_finish(TgArrowBuilder *builder, struct ArrowArray *out)
{
    const gboolean is_list = builder->items != NULL, has_offsets = builder->offsets != NULL;
    Storage *storage = array_init(out, builder->validity->len, builder->n_null,
                                  has_offsets && !is_list ? 3 : 2, is_list ? 1 : 0);
    const gint32 none = 0;

    if (builder->n_null > 0)
        storage_take(storage, 0, pack_validity(builder));
    if (has_offsets) {
        storage_take(storage, 1, g_array_free(builder->offsets, FALSE));
        builder->offsets = g_array_new(FALSE, TRUE, sizeof(gint32));
        g_array_append_val(builder->offsets, none);
    }
    if (is_list)
        tg_arrow_builder_finish(builder->items, out->children[0]);
    else
        storage_take(storage, has_offsets ? 2 : 1, take_bytes(&builder->values));
    g_byte_array_set_size(builder->validity, 0);
    builder->n_null = 0;
}

/* ---- streams ---- */

typedef struct {
    const TgArrowSource *source;
    gpointer self;
    char *problem;
} Stream;

static int stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const Stream *self = stream->private_data;

    self->source->schema(self->self, out);
    return 0;
}

static int stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    Stream *self = stream->private_data;
    g_autoptr(GError) error = NULL;

    memset(out, 0, sizeof *out);
    if (self->source->next(self->self, out, &error))
        return 0;
    g_free(self->problem);
    self->problem = g_strdup(error->message);
    return g_error_matches(error, TG_ERROR, TG_ERROR_INPUT) ? EINVAL : EIO;
}

static const char *stream_get_last_error(struct ArrowArrayStream *stream)
{
    return ((const Stream *) stream->private_data)->problem;
}

static void stream_release(struct ArrowArrayStream *stream)
{
    Stream *self = stream->private_data;

    self->source->free(self->self);
    g_free(self->problem);
    g_free(self);
    stream->release = NULL;
}

void tg_arrow_stream_make(struct ArrowArrayStream *out, const TgArrowSource *source, gpointer self)
{
    Stream *stream = g_new0(Stream, 1);

    stream->source = source;
    stream->self = self;
    *out = (struct ArrowArrayStream){
        .get_schema = stream_get_schema,
        .get_next = stream_get_next,
        .get_last_error = stream_get_last_error,
        .release = stream_release,
        .private_data = stream,
    };
}
