/* Token embeddings: co-occurrence counts, pointwise mutual information, and a truncated SVD of it.
 */
#include <math.h>
#include <string.h>

#include "core/random.h"
#include "core/vocab.h"
#include "tokenizer/train/train.h"

/* ---- Truncated singular value decomposition by subspace iteration ---------------------------- */

#define OVERSAMPLING 16
#define MAX_SWEEPS   60

/* out[rows][k] = matrix * x[columns][k]; @transposed: the same with rows and columns exchanged */
static void multiply(const TgSparse *m, gboolean transposed, const double *x, guint k, double *out)
{
    memset(out, 0, (gsize) (transposed ? m->n_columns : m->n_rows) * k * sizeof *out);
    for (gsize row = 0; row < m->n_rows; row++) {
        for (gsize e = m->start[row]; e < m->start[row + 1]; e++) {
            const gsize column = m->column[e];
            const double value = (double) m->value[e];
            const double *from = x + (transposed ? row : column) * k;
            double *sum = out + (transposed ? column : row) * k;

            for (guint j = 0; j < k; j++)
                sum[j] += value * from[j];
        }
    }
}

static double dot_rows(const double *a, const double *b, gsize n)
{
    double sum = 0.0;

    for (gsize i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Make the rows of x[k][n] orthonormal: Gram-Schmidt, twice for accuracy. A row that lies in the
 * span of those before it becomes zero. */
static void orthonormalize(double *x, guint k, gsize n)
{
    for (guint i = 0; i < k; i++) {
        double *row = x + i * n;
        const double before = sqrt(dot_rows(row, row, n));
        for (guint pass = 0; pass < 2; pass++)
            for (guint j = 0; j < i; j++) {
                const double *other = x + j * n;
                const double along = dot_rows(row, other, n);
                for (gsize c = 0; c < n; c++)
                    row[c] -= along * other[c];
            }
        const double length = sqrt(dot_rows(row, row, n));
        const double scale = length > 1e-12 * before && length > 0.0 ? 1.0 / length : 0.0;
        for (gsize c = 0; c < n; c++)
            row[c] *= scale;
    }
}

static void transpose(const double *from, gsize rows, gsize columns, double *to)
{
    for (gsize i = 0; i < rows; i++)
        for (gsize j = 0; j < columns; j++)
            to[j * rows + i] = from[i * columns + j];
}

/* Rotate @n pairs of numbers by the angle with cosine @c and sine @s; @stride from one to the next.
 */
static void rotate_pairs(double *x, double *y, gsize n, gsize stride, double c, double s)
{
    for (gsize i = 0; i < n * stride; i += stride) {
        const double old = x[i];
        x[i] = c * old - s * y[i];
        y[i] = s * old + c * y[i];
    }
}

/* Rotate rows and columns p and q of a so that a[p][q] becomes 0. */
static void rotate(double *a, double *vectors, gsize n, gsize p, gsize q)
{
    const double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;

    rotate_pairs(a + p, a + q, n, n, c, s);
    rotate_pairs(a + p * n, a + q * n, n, 1, c, s);
    rotate_pairs(vectors + p, vectors + q, n, n, c, s);
}

/* Sort eigenvalues downwards, their vectors along; equal ones keep their order. */
static void sort_eigen(double *vectors, double *values, guint n)
{
    for (guint i = 0; i < n; i++) {
        guint best = i;
        for (guint j = i + 1; j < n; j++)
            if (values[j] > values[best])
                best = j;
        if (best == i)
            continue;
        const double value = values[i];
        values[i] = values[best];
        values[best] = value;
        for (gsize row = 0; row < n; row++) {
            const double entry = vectors[row * n + i];
            vectors[row * n + i] = vectors[row * n + best];
            vectors[row * n + best] = entry;
        }
    }
}

void tg_symmetric_eigen(double *a, guint n, double *vectors, double *values)
{
    const double norm = sqrt(dot_rows(a, a, (gsize) n * n));

    memset(vectors, 0, (gsize) n * n * sizeof *vectors);
    for (gsize i = 0; i < n; i++)
        vectors[i * n + i] = 1.0;
    for (guint sweep = 0; sweep < MAX_SWEEPS; sweep++) {
        gboolean done = TRUE;
        for (guint p = 0; p + 1 < n; p++)
            for (guint q = p + 1; q < n; q++)
                if (fabs(a[(gsize) p * n + q]) > 1e-15 * norm) {
                    rotate(a, vectors, n, p, q);
                    done = FALSE;
                }
        if (done)
            break;
    }
    for (gsize i = 0; i < n; i++)
        values[i] = a[i * n + i];
    sort_eigen(vectors, values, n);
}

/* Flip a column so that its entry of largest magnitude (the first of equals) is positive. */
static void fix_sign(double *vectors, gsize n_rows, guint rank, guint column)
{
    double largest = 0.0;

    for (gsize i = 0; i < n_rows; i++)
        if (fabs(vectors[i * rank + column]) > fabs(largest))
            largest = vectors[i * rank + column];
    if (largest < 0.0)
        for (gsize i = 0; i < n_rows; i++)
            vectors[i * rank + column] = -vectors[i * rank + column];
}

/* Find the singular vectors inside the subspace with the orthonormal basis q[n_rows][k]. */
static void rayleigh_ritz(const TgSparse *m, const double *q, guint k, guint rank, double *vectors,
                          double *values)
{
    g_autofree double *b = g_new(double, (gsize) m->n_columns *k);
    g_autofree double *bt = g_new(double, (gsize) m->n_columns *k);
    g_autofree double *gram = g_new(double, (gsize) k *k);
    g_autofree double *w = g_new(double, (gsize) k *k);
    g_autofree double *eigen = g_new(double, k);

    multiply(m, TRUE, q, k, b);
    transpose(b, m->n_columns, k, bt);
    for (gsize i = 0; i < k; i++)
        for (gsize j = 0; j <= i; j++)
            gram[i * k + j] = gram[j * k + i] =
                dot_rows(bt + i * m->n_columns, bt + j * m->n_columns, m->n_columns);
    tg_symmetric_eigen(gram, k, w, eigen);
    for (guint j = 0; j < rank; j++)
        values[j] = eigen[j] > 0.0 ? sqrt(eigen[j]) : 0.0;
    for (gsize i = 0; i < m->n_rows; i++)
        for (guint j = 0; j < rank; j++) {
            double sum = 0.0;
            for (gsize c = 0; c < k; c++)
                sum += q[i * k + c] * w[c * k + j];
            vectors[i * rank + j] = sum;
        }
    for (guint j = 0; j < rank; j++)
        fix_sign(vectors, m->n_rows, rank, j);
}

void tg_svd_left(const TgSparse *matrix, guint rank, guint n_rounds, guint64 seed,
                 const TgListener *listener, double *vectors, double *values)
{
    const guint k = MIN(rank + OVERSAMPLING, MIN(matrix->n_rows, matrix->n_columns));
    const gsize n_rows = matrix->n_rows;
    g_autofree double *x = g_new(double, n_rows *k);
    g_autofree double *xt = g_new(double, n_rows *k);
    g_autofree double *y = g_new(double, (gsize) matrix->n_columns *k);
    TgRandom random;

    tg_random_seed(&random, seed, 0);
    for (gsize i = 0; i < n_rows * k; i++)
        xt[i] = 2.0 * tg_random_double(&random) - 1.0;
    for (guint round = 0;; round++) {
        orthonormalize(xt, k, n_rows);
        transpose(xt, k, n_rows, x);
        tg_listener_tell(listener, "decomposing", round, n_rounds);
        if (round == n_rounds)
            break;
        multiply(matrix, TRUE, x, k, y);
        multiply(matrix, FALSE, y, k, x);
        transpose(x, n_rows, k, xt);
    }
    rayleigh_ritz(matrix, x, k, rank, vectors, values);
}

/* ---- Token embeddings: co-occurrence counts, positive pointwise mutual information, SVD ------ */

void tg_cooccurrences_add(TgCooccurrences *counts, const guint32 *ids, gsize n)
{
    for (gsize i = 0; i < n; i++)
        for (gsize d = 1; d <= counts->window && i + d < n; d++)
            *tg_vocab_pair_at(counts->right, tg_pair_key(ids[i], ids[i + d])) +=
                counts->window + 1 - d;
}

/* The counts of a token and a context, in this order: contexts are its right neighbors, then
 * n_tokens more for the left ones. (element-type TgPairValue) */
static GArray *sorted_counts(const TgCooccurrences *counts)
{
    const guint n = 2 * counts->right->size;
    GArray *sorted = g_array_sized_new(FALSE, FALSE, sizeof(TgPairValue), n + 1); /* not NULL */

    for (guint32 id = 0; id < counts->right->size; id++) {
        TgPairValue pair = tg_vocab_pair(counts->right, id);
        const guint32 left = (guint32) (pair.key >> 32), right = (guint32) pair.key;
        g_array_append_val(sorted, pair);
        pair.key = tg_pair_key(right, counts->n_tokens + left);
        g_array_append_val(sorted, pair);
    }
    g_array_sort(sorted, tg_pair_compare);
    return sorted;
}

/* The natural logarithm from + - * / alone, in a fixed order: C libraries differ in its last bit.
 * x = m 2^e with m near 1, log m = 2 artanh((m - 1) / (m + 1)); the error is below 1e-15. */
static double fixed_log(double x)
{
    int e;
    double m = frexp(x, &e);

    if (m < 0.70710678118654752) {
        m *= 2.0;
        e--;
    }
    const double r = (m - 1.0) / (m + 1.0), r2 = r * r;
    double sum = 0.0;
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * r2 + 1.0 / k;
    return 2.0 * r * sum + e * 0.69314718055994531;
}

/* max(0, log(n(t,c) S / (n(t) n(c)^0.75))), S the sum of n(c)^0.75, as a sparse matrix. */
static void make_ppmi(const TgCooccurrences *counts, TgSparse *matrix)
{
    g_autoptr(GArray) sorted = sorted_counts(counts);
    const TgPairValue *pair = (const TgPairValue *) (gconstpointer) sorted->data;
    const TgPairValue *const end = pair + sorted->len;
    const guint32 n_contexts = 2 * counts->n_tokens;
    g_autofree double *token = g_new0(double, counts->n_tokens);
    g_autofree double *context = g_new0(double, n_contexts);
    double total = 0.0;

    for (const TgPairValue *one = pair; one < end; one++) {
        token[one->key >> 32] += (double) one->value;
        context[(guint32) one->key] += (double) one->value;
    }
    for (guint32 c = 0; c < n_contexts; c++) {
        const double root = sqrt(context[c]); /* to the power 3/4: IEEE 754 rounds roots right */
        context[c] = root * sqrt(root);
        total += context[c];
    }
    *matrix = (TgSparse){
        .n_rows = counts->n_tokens,
        .n_columns = n_contexts,
        .start = g_new0(gsize, (gsize) counts->n_tokens + 1),
        .column = g_new(guint32, sorted->len + 1),
        .value = g_new(float, sorted->len + 1),
    };
    gsize n = 0;
    for (guint32 t = 0; t < counts->n_tokens; t++) {
        matrix->start[t] = n;
        for (; pair < end && pair->key >> 32 == t; pair++) {
            const guint32 c = (guint32) pair->key;
            const double ratio = (double) pair->value * total / (token[t] * context[c]);
            if (ratio > 1.0) {
                matrix->column[n] = c;
                matrix->value[n++] = (float) fixed_log(ratio);
            }
        }
    }
    matrix->start[counts->n_tokens] = n;
}

/* Scale a row to length 1; a row of zeros becomes a random direction. */
static void finish_row(double *row, guint dim, guint64 seed, guint32 token)
{
    double square = 0.0;
    TgRandom random;

    for (guint j = 0; j < dim; j++)
        square += row[j] * row[j];
    if (!(square > 1e-20)) {
        tg_random_seed(&random, seed, (guint64) token + 1);
        square = 0.0;
        for (guint j = 0; j < dim; j++) {
            row[j] = tg_random_double(&random) - 0.5;
            square += row[j] * row[j];
        }
    }
    for (guint j = 0; j < dim; j++)
        row[j] /= sqrt(square);
}

void tg_embedding_train(const TgCooccurrences *counts, const TgTrainEmbeddings *how,
                        const TgListener *listener, float *table)
{
    const guint rank = MIN(how->dim, counts->n_tokens);
    g_autofree double *vectors = g_new(double, (gsize) counts->n_tokens *rank);
    g_autofree double *values = g_new(double, rank);
    g_autofree double *row = g_new(double, how->dim);
    TgSparse matrix;

    make_ppmi(counts, &matrix);
    tg_svd_left(&matrix, rank, how->rounds, how->seed, listener, vectors, values);
    g_free(matrix.start);
    g_free(matrix.column);
    g_free(matrix.value);
    for (guint32 t = 0; t < counts->n_tokens; t++) {
        memset(row, 0, how->dim * sizeof *row);
        for (guint j = 0; j < rank; j++)
            row[j] = vectors[(gsize) t * rank + j] * sqrt(values[j]);
        finish_row(row, how->dim, how->seed, t);
        for (guint j = 0; j < how->dim; j++)
            table[(gsize) t * how->dim + j] = (float) row[j];
    }
}
