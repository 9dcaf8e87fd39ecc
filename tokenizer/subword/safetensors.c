/* Reads and writes .safetensors files. Layout: size of the header (8 bytes, little-endian), a JSON
 * object {name: {dtype, shape, data_offsets}}, the data. */
#include "tokenizer/subword/safetensors.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/number.h"

#define MAX_HEADER (16u << 20)
#define MAX_SIDE   (1u << 24) /* rows or columns of a matrix */

struct TgSafetensors {
    GMappedFile *map; /* NULL when the bytes are borrowed */
    json_t *header;
    const guint8 *data;
    guint64 n_data;
};

static guint64 read_size(const guint8 *bytes)
{
    guint64 size = 0;

    for (guint i = 8; i-- > 0;)
        size = size << 8 | bytes[i];
    return size;
}

/* The byte range of a tensor inside the data. */
static gboolean get_range(json_t *tensor, guint64 n_data, guint64 *begin, guint64 *end)
{
    json_t *offsets = json_object_get(tensor, "data_offsets");
    json_t *first = json_array_get(offsets, 0), *second = json_array_get(offsets, 1);
    const json_int_t a = json_integer_value(first), b = json_integer_value(second);

    if (json_array_size(offsets) != 2 || !json_is_integer(first) || !json_is_integer(second) ||
        a < 0 || b < a || (guint64) b > n_data)
        return FALSE;
    *begin = (guint64) a;
    *end = (guint64) b;
    return TRUE;
}

static gboolean check_header(const TgSafetensors *file, GError **error)
{
    const char *name;
    json_t *tensor;
    guint64 begin, end;

    if (!json_is_object(file->header))
        return tg_fail_input(error, "the header is not a JSON object");
    json_object_foreach(file->header, name, tensor)
    {
        if (strcmp(name, "__metadata__") == 0)
            continue;
        if (!get_range(tensor, file->n_data, &begin, &end))
            return tg_fail_input(error, "tensor '%s' does not lie inside the file", name);
    }
    return TRUE;
}

TgSafetensors *tg_safetensors_open_bytes(const guint8 *bytes, gsize len, GError **error)
{
    g_autoptr(TgSafetensors) file = g_new0(TgSafetensors, 1);
    const guint64 size = len >= 8 ? read_size(bytes) : 0;
    json_error_t where;

    if (len < 8 || size > len - 8 || size > MAX_HEADER) {
        tg_fail_input(error, "not a safetensors file: no header of a sensible size");
        return NULL;
    }
    file->header =
        json_loadb((const char *) bytes + 8, (size_t) size, JSON_REJECT_DUPLICATES, &where);
    if (file->header == NULL) {
        tg_fail_input(error, "not a safetensors file: the header is not JSON: %s", where.text);
        return NULL;
    }
    file->data = bytes + 8 + size;
    file->n_data = len - 8 - size;
    return check_header(file, error) ? g_steal_pointer(&file) : NULL;
}

TgSafetensors *tg_safetensors_open(const char *path, GError **error)
{
    g_autoptr(GError) local = NULL;
    g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, &local);

    if (map == NULL) {
        tg_fail_input(error, "%s", local->message);
        return NULL;
    }
    TgSafetensors *file = tg_safetensors_open_bytes(
        (const guint8 *) g_mapped_file_get_contents(map), g_mapped_file_get_length(map), error);
    if (file == NULL) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    tg_used_files_note(path, g_mapped_file_get_contents(map), g_mapped_file_get_length(map));
    file->map = g_steal_pointer(&map);
    return file;
}

void tg_safetensors_free(TgSafetensors *file)
{
    if (file == NULL)
        return;
    json_decref(file->header);
    if (file->map != NULL)
        g_mapped_file_unref(file->map);
    g_free(file);
}

gboolean tg_safetensors_has(const TgSafetensors *file, const char *name)
{
    return json_object_get(file->header, name) != NULL;
}

static gboolean get_type(const char *dtype, TgTensorType *type)
{
    static const char *const names[] = { "F32", "F16", "BF16" };

    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_strcmp0(dtype, names[i]) == 0) {
            *type = (TgTensorType) i;
            return TRUE;
        }
    return FALSE;
}

gboolean tg_safetensors_get(const TgSafetensors *file, const char *name, TgTensor *out,
                            GError **error)
{
    json_t *tensor = json_object_get(file->header, name), *shape = json_object_get(tensor, "shape");
    const char *dtype = json_string_value(json_object_get(tensor, "dtype"));
    const json_int_t rows = json_integer_value(json_array_get(shape, 0));
    const json_int_t columns = json_integer_value(json_array_get(shape, 1));
    guint64 begin, end;

    if (tensor == NULL || strcmp(name, "__metadata__") == 0)
        return tg_fail_input(error, "no tensor '%s'", name);
    if (!get_type(dtype, &out->type))
        return tg_fail_input(error, "tensor '%s' is %s; only F32, F16 and BF16 are supported", name,
                             dtype != NULL ? dtype : "of no type");
    if (json_array_size(shape) != 2 || rows < 1 || rows > MAX_SIDE || columns < 1 ||
        columns > MAX_SIDE)
        return tg_fail_input(error, "tensor '%s' is not a matrix", name);
    const guint64 bytes = (guint64) rows * (guint64) columns * (out->type == TG_TENSOR_F32 ? 4 : 2);
    if (!get_range(tensor, file->n_data, &begin, &end) || end - begin != bytes)
        return tg_fail_input(error, "tensor '%s' has the wrong size for its shape", name);
    out->rows = (guint32) rows;
    out->columns = (guint32) columns;
    out->data = file->data + begin;
    return TRUE;
}

static guint16 read_u16(const guint8 *bytes)
{
    return (guint16) (bytes[0] | bytes[1] << 8);
}

static float read_f32(const guint8 *bytes)
{
    const guint32 bits = (guint32) bytes[0] | (guint32) bytes[1] << 8 | (guint32) bytes[2] << 16 |
                         (guint32) bytes[3] << 24;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

void tg_tensor_read(const TgTensor *tensor, float *out)
{
    const gsize n = (gsize) tensor->rows * tensor->columns;

    switch (tensor->type) {
    case TG_TENSOR_F32:
        for (gsize i = 0; i < n; i++)
            out[i] = read_f32(tensor->data + 4 * i);
        break;
    case TG_TENSOR_F16:
        for (gsize i = 0; i < n; i++)
            out[i] = tg_half_to_float(read_u16(tensor->data + 2 * i));
        break;
    case TG_TENSOR_BF16:
        for (gsize i = 0; i < n; i++)
            out[i] = tg_bfloat_to_float(read_u16(tensor->data + 2 * i));
        break;
    }
}

guint8 *tg_safetensors_write_f16(const char *name, const float *values, guint32 rows,
                                 guint32 columns, gsize *len)
{
    const gsize n = (gsize) rows * columns;
    json_t *root = json_pack("{s: {s: s, s: [I, I], s: [I, I]}}", name, "dtype", "F16", "shape",
                             (json_int_t) rows, (json_int_t) columns, "data_offsets",
                             (json_int_t) 0, (json_int_t) (2 * n));
    char *header = json_dumps(root, JSON_COMPACT);
    /* Padded with spaces so that the data are aligned. */
    const gsize size = (strlen(header) + 7) / 8 * 8;
    guint8 *bytes = g_malloc(8 + size + 2 * n);

    for (guint i = 0; i < 8; i++)
        bytes[i] = (guint8) (size >> (8 * i));
    memset(bytes + 8, ' ', size);
    memcpy(bytes + 8, header, strlen(header));
    for (gsize i = 0; i < n; i++) {
        const guint16 half = tg_half_from_float(values[i]);
        bytes[8 + size + 2 * i] = (guint8) half;
        bytes[8 + size + 2 * i + 1] = (guint8) (half >> 8);
    }
    *len = 8 + size + 2 * n;
    free(header);
    json_decref(root);
    return bytes;
}
