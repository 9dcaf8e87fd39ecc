/* A model folder: a byte-pair tokenizer and the vectors of its tokens. */
#include "tokenizer/subword/subword_model.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/number.h"

/* ---- .safetensors files ---------------------------------------------------------------------- */

/* A file is the size of the header (8 bytes, little-endian), the header, which is a JSON object
 * {name: {dtype, shape, data_offsets}}, and the data. */

#define MAX_HEADER (16u << 20)
#define MAX_SIDE   (1u << 24) /* rows or columns of a matrix */

struct TgSafetensors {
    json_t *header;
    const guint8 *data;
    guint64 n_data;
};

/* A number of @n bytes, the lowest first. */
static guint64 read_number(const guint8 *bytes, guint n)
{
    guint64 number = 0;

    while (n > 0)
        number = number << 8 | bytes[--n];
    return number;
}

/* The byte range of a tensor inside the data. */
static gboolean get_range(json_t *tensor, guint64 n_data, guint64 *begin, guint64 *end)
{
    json_int_t a, b;

    if (json_unpack(tensor, "{s: [I, I!]}", "data_offsets", &a, &b) != 0 || a < 0 || b < a ||
        (guint64) b > n_data)
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
    const guint64 size = len >= 8 ? read_number(bytes, 8) : 0;
    json_error_t where;

    if (len < 8 || size > len - 8 || size > MAX_HEADER)
        return tg_null_input(error, "not a safetensors file: no header of a sensible size");
    file->header =
        json_loadb((const char *) bytes + 8, (size_t) size, JSON_REJECT_DUPLICATES, &where);
    if (file->header == NULL)
        return tg_null_input(error, "not a safetensors file: the header is not JSON: %s",
                             where.text);
    file->data = bytes + 8 + size;
    file->n_data = len - 8 - size;
    return check_header(file, error) ? g_steal_pointer(&file) : NULL;
}

void tg_safetensors_free(TgSafetensors *file)
{
    if (file == NULL)
        return;
    json_decref(file->header);
    g_free(file);
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

/* ---- A table of vectors, and distances between them ------------------------------------------ */

/* a.b with four partial sums, which the processor can add side by side. */
static double dot_product(const float *a, const float *b, gsize n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    gsize i = 0;

    for (; i + 4 <= n; i += 4) {
        s0 += (double) a[i] * (double) b[i];
        s1 += (double) a[i + 1] * (double) b[i + 1];
        s2 += (double) a[i + 2] * (double) b[i + 2];
        s3 += (double) a[i + 3] * (double) b[i + 3];
    }
    for (; i < n; i++)
        s0 += (double) a[i] * (double) b[i];
    return (s0 + s1) + (s2 + s3);
}

/* Fill in the lengths. Returns the first row with a number that is not finite, or the number of
 * rows: a NaN or an infinity shows in the sum of squares, which floats cannot overflow. */
static guint32 measure_lengths(TgEmbedding *table)
{
    guint32 bad = table->rows;

    table->lengths = g_new(double, table->rows);
    for (guint32 i = 0; i < table->rows; i++) {
        const float *row = tg_embedding_row(table, i);
        const double square = dot_product(row, row, table->dim);
        if (!isfinite(square))
            bad = MIN(bad, i);
        table->lengths[i] = fmax(sqrt(square), 1e-8);
    }
    return bad;
}

TgEmbedding *tg_embedding_new(const TgSafetensors *file, const char *name, GError **error)
{
    enum { F32, F16, BF16 };
    static const char *const types[] = { "F32", "F16", "BF16" };
    json_t *tensor = json_object_get(file->header, name);
    const char *dtype = json_string_value(json_object_get(tensor, "dtype"));
    json_int_t rows, columns;
    guint64 begin, end;
    guint type = F32;

    if (tensor == NULL || strcmp(name, "__metadata__") == 0)
        return tg_null_input(error, "no tensor '%s'", name);
    while (type < G_N_ELEMENTS(types) && g_strcmp0(dtype, types[type]) != 0)
        type++;
    if (type == G_N_ELEMENTS(types))
        return tg_null_input(error, "tensor '%s' is %s; only F32, F16 and BF16 are supported", name,
                             dtype != NULL ? dtype : "of no type");
    if (json_unpack(tensor, "{s: [I, I!]}", "shape", &rows, &columns) != 0 || rows < 1 ||
        rows > MAX_SIDE || columns < 1 || columns > MAX_SIDE)
        return tg_null_input(error, "tensor '%s' is not a matrix", name);
    const guint64 n = (guint64) rows * (guint64) columns;
    const guint size = type == F32 ? 4 : 2;
    if (!get_range(tensor, file->n_data, &begin, &end) || end - begin != n * size)
        return tg_null_input(error, "tensor '%s' has the wrong size for its shape", name);

    g_autoptr(TgEmbedding) table = g_new0(TgEmbedding, 1);
    const guint8 *data = file->data + begin; /* little-endian, row by row */
    table->rows = (guint32) rows;
    table->dim = (guint32) columns;
    if (type == F32 && G_BYTE_ORDER == G_LITTLE_ENDIAN &&
        (gsize) data % sizeof(float) == 0) { /* the file's own bytes can be read */
        table->values = (const float *) (gconstpointer) data;
    } else {
        table->values = table->owned = g_new(float, (gsize) n);
        for (gsize i = 0; i < n; i++) {
            const guint32 bits = (guint32) read_number(data + size * i, size);

            if (type == F32)
                memcpy(&table->owned[i], &bits, sizeof bits);
            else
                table->owned[i] = type == F16 ? tg_half_to_float((guint16) bits)
                                              : tg_bfloat_to_float((guint16) bits);
        }
    }
    const guint32 bad = measure_lengths(table);
    if (bad < table->rows)
        return tg_null_input(error, "tensor '%s': row %u has a number that is not finite", name,
                             bad);
    return g_steal_pointer(&table);
}

TgEmbedding *tg_embedding_new_from_values(const float *values, guint32 rows, guint32 dim)
{
    TgEmbedding *table = g_new0(TgEmbedding, 1);

    table->rows = rows;
    table->dim = dim;
    table->values = table->owned = g_memdup2(values, (gsize) rows * dim * sizeof *values);
    measure_lengths(table);
    return table;
}

void tg_embedding_free(TgEmbedding *table)
{
    if (table == NULL)
        return;
    g_free(table->owned);
    g_free(table->lengths);
    g_free(table);
}

const float *tg_embedding_row(const TgEmbedding *table, guint32 row)
{
    return table->values + (gsize) row * table->dim;
}

double tg_embedding_cosine_distance(const TgEmbedding *table, guint32 a, guint32 b)
{
    const double product =
        dot_product(tg_embedding_row(table, a), tg_embedding_row(table, b), table->dim);

    return 1.0 - product / (table->lengths[a] * table->lengths[b]);
}

double tg_embedding_l1_distance(const TgEmbedding *table, guint32 a, guint32 b)
{
    const float *x = tg_embedding_row(table, a), *y = tg_embedding_row(table, b);
    double sum = 0.0;

    for (guint32 i = 0; i < table->dim; i++)
        sum += fabs((double) x[i] - (double) y[i]);
    return sum;
}

/* ---- A model folder: a byte-pair tokenizer and the vectors of its tokens --------------------- */

/* The table called @name, with or without the prefix that some savers put before it; one that is
 * not there is NULL where it is @optional. */
static gboolean load_table(const TgSafetensors *file, const char *name, gboolean optional,
                           TgEmbedding **out, GError **error)
{
    g_autofree char *long_name = g_strconcat("transformer.", name, NULL);

    if (json_object_get(file->header, long_name) != NULL)
        name = long_name;
    else if (optional && json_object_get(file->header, name) == NULL)
        return TRUE;
    *out = tg_embedding_new(file, name, error);
    return *out != NULL;
}

TgSubwordModel *tg_subword_model_load(const char *folder, GError **error)
{
    g_autoptr(TgSubwordModel) model = g_new0(TgSubwordModel, 1);
    g_autofree char *path = g_build_filename(folder, TG_MODEL_FILE, NULL);

    model->bpe = tg_bpe_load(folder, error);
    if (model->bpe == NULL || (model->map = tg_used_file_map(path, G_MAXSIZE, error)) == NULL)
        return NULL;
    model->file = tg_safetensors_open_bytes((const guint8 *) g_mapped_file_get_contents(model->map),
                                            g_mapped_file_get_length(model->map), error);
    if (model->file == NULL ||
        !load_table(model->file, TG_TOKEN_TENSOR, FALSE, &model->tokens, error) ||
        !load_table(model->file, TG_POSITION_TENSOR, TRUE, &model->positions, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    if (tg_bpe_id_bound(model->bpe) > model->tokens->rows)
        return tg_null_input(error, "%s: the tokenizer has ids up to %u, the table only %u rows",
                             folder, tg_bpe_id_bound(model->bpe) - 1, model->tokens->rows);
    return g_steal_pointer(&model);
}

void tg_subword_model_free(TgSubwordModel *model)
{
    if (model == NULL)
        return;
    tg_embedding_free(model->tokens);
    tg_embedding_free(model->positions);
    tg_safetensors_free(model->file);
    g_clear_pointer(&model->map, g_mapped_file_unref);
    tg_bpe_unref(model->bpe);
    g_free(model);
}
