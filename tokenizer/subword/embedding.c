/* A table of vectors, and distances between them. */
#include "tokenizer/subword/embedding.h"

#include <math.h>
#include <string.h>

struct TgEmbedding {
    guint32 rows;
    guint32 dim;
    const float *values;
    float *owned;    /* NULL when values is the file's */
    double *lengths; /* max(|row|, 1e-8) */
};

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

/* Whether the file's own bytes can be read as floats. */
static gboolean can_map(const TgTensor *tensor)
{
    return tensor->type == TG_TENSOR_F32 && G_BYTE_ORDER == G_LITTLE_ENDIAN &&
           (gsize) tensor->data % sizeof(float) == 0;
}

TgEmbedding *tg_embedding_new(const TgSafetensors *file, const char *name, GError **error)
{
    TgTensor tensor;

    if (!tg_safetensors_get(file, name, &tensor, error))
        return NULL;

    g_autoptr(TgEmbedding) table = g_new0(TgEmbedding, 1);
    const gsize n = (gsize) tensor.rows * tensor.columns;
    table->rows = tensor.rows;
    table->dim = tensor.columns;
    if (can_map(&tensor)) {
        table->values = (const float *) (gconstpointer) tensor.data;
    } else {
        table->values = table->owned = g_new(float, n);
        tg_tensor_read(&tensor, table->owned);
    }
    const guint32 bad = measure_lengths(table);
    if (bad < table->rows) {
        g_set_error(error, TG_ERROR, TG_ERROR_INPUT,
                    "tensor '%s': row %u has a number that is not finite", name, bad);
        return NULL;
    }
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

guint32 tg_embedding_rows(const TgEmbedding *table)
{
    return table->rows;
}

guint32 tg_embedding_dim(const TgEmbedding *table)
{
    return table->dim;
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
