#include "tests/support/arrow_tables.h"

#include <errno.h>
#include <string.h>

#include "tests/support/test_support.h"

static gint n_live;

gint tg_test_arrow_n_live(void)
{
    return g_atomic_int_get(&n_live);
}

/* ---- schemas ---- */

static void schema_release(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children && schema->children != NULL; i++) {
        schema->children[i]->release(schema->children[i]);
        g_free(schema->children[i]);
    }
    if (schema->dictionary != NULL)
        schema->dictionary->release(schema->dictionary);
    g_free(schema->dictionary);
    g_free(schema->children);
    schema->release = NULL;
    g_atomic_int_add(&n_live, -1);
}

static struct ArrowSchema *schema_new(const TgTestColumn *column)
{
    struct ArrowSchema *schema = g_new0(struct ArrowSchema, 1);

    g_atomic_int_inc(&n_live);
    schema->name = column->name;
    schema->format = column->format;
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->n_children = column->n_children;
    schema->children = g_new0(struct ArrowSchema *, TG_TEST_MAX_CHILDREN);
    for (gint64 i = 0; i < column->n_children; i++)
        schema->children[i] = schema_new(column->children[i]);
    if (column->dictionary != NULL)
        schema->dictionary = schema_new(column->dictionary);
    schema->release = schema_release;
    return schema;
}

/* ---- arrays ---- */

static void array_release(struct ArrowArray *array)
{
    for (gint i = 0; i < TG_TEST_MAX_CHILDREN; i++) {
        if (array->children[i] != NULL && array->children[i]->release != NULL)
            array->children[i]->release(array->children[i]);
        g_free(array->children[i]);
    }
    if (array->dictionary != NULL)
        array->dictionary->release(array->dictionary);
    g_free(array->dictionary);
    g_free(array->children);
    g_free(array->private_data);
    array->release = NULL;
    g_atomic_int_add(&n_live, -1);
}

static struct ArrowArray *array_new(const TgTestColumn *column)
{
    struct ArrowArray *array = g_new0(struct ArrowArray, 1);

    g_atomic_int_inc(&n_live);
    array->length = column->length;
    array->null_count = column->null_count;
    array->offset = column->offset;
    array->n_buffers = column->n_buffers;
    array->private_data = g_memdup2(column->buffers, sizeof column->buffers);
    array->buffers = array->private_data;
    array->n_children = column->n_children;
    array->children = g_new0(struct ArrowArray *, TG_TEST_MAX_CHILDREN);
    for (gint64 i = 0; i < column->n_children; i++)
        array->children[i] = array_new(column->children[i]);
    if (column->dictionary != NULL)
        array->dictionary = array_new(column->dictionary);
    array->release = array_release;
    return array;
}

/* ---- streams ---- */

typedef struct {
    const TgTestColumn *const *batches;
    guint n, at;
    const char *failure;
} Stream;

static int stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const Stream *self = stream->private_data;
    g_autofree struct ArrowSchema *schema = schema_new(self->batches[0]);

    *out = *schema;
    return 0;
}

static int stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    Stream *self = stream->private_data;

    memset(out, 0, sizeof *out);
    if (self->at == self->n)
        return self->failure != NULL ? EIO : 0;
    g_autofree struct ArrowArray *array = array_new(self->batches[self->at++]);
    *out = *array;
    return 0;
}

static const char *stream_get_last_error(struct ArrowArrayStream *stream)
{
    return ((const Stream *) stream->private_data)->failure;
}

static void stream_release(struct ArrowArrayStream *stream)
{
    g_free(stream->private_data);
    stream->release = NULL;
    g_atomic_int_add(&n_live, -1);
}

void tg_test_arrow_stream(struct ArrowArrayStream *out, const TgTestColumn *const *batches, guint n,
                          const char *failure)
{
    Stream *stream = g_new0(Stream, 1);

    *stream = (Stream){ batches, n, 0, failure };
    *out = (struct ArrowArrayStream){
        .get_schema = stream_get_schema,
        .get_next = stream_get_next,
        .get_last_error = stream_get_last_error,
        .release = stream_release,
        .private_data = stream,
    };
    g_atomic_int_inc(&n_live);
}

void tg_assert_arrow_text(const TgArrowRows *rows, guint column, gint64 row, const char *wanted)
{
    TgArrowText found;

    assert_true(tg_arrow_rows_text(rows, column, row, &found));
    if (wanted == NULL) {
        assert_null(found.text);
        return;
    }
    assert_non_null(found.text);
    assert_int_equal(found.len, strlen(wanted));
    assert_memory_equal(found.text, wanted, found.len);
}

void tg_assert_arrow_json(const TgArrowRows *rows, guint column, gint64 row, const char *wanted)
{
    json_t *json = tg_arrow_rows_json(rows, column, row);

    assert_non_null(json);
    g_autofree char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_string_equal(text, wanted);
    json_decref(json);
}
