/* Token embeddings: co-occurrence counts, positive pointwise mutual information, SVD. */
#include "tokenizer/train/embedding_train.h"

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "tokenizer/subword/pair_table.h"
#include "tokenizer/train/svd.h"

struct TgCooccurrences {
    guint32 n_tokens;
    guint window;
    TgPairTable *right; /* (token, token after it) to weight */
};

TgCooccurrences *tg_cooccurrences_new(guint32 n_tokens, guint window)
{
    TgCooccurrences *counts = g_new0(TgCooccurrences, 1);

    counts->n_tokens = n_tokens;
    counts->window = window;
    counts->right = tg_pair_table_new();
    return counts;
}

void tg_cooccurrences_free(TgCooccurrences *counts)
{
    if (counts == NULL)
        return;
    tg_pair_table_free(counts->right);
    g_free(counts);
}

void tg_cooccurrences_add(TgCooccurrences *counts, const guint32 *ids, gsize n)
{
    for (gsize i = 0; i < n; i++)
        for (gsize d = 1; d <= counts->window && i + d < n; d++)
            *tg_pair_table_at(counts->right, tg_pair_key(ids[i], ids[i + d])) +=
                counts->window + 1 - d;
}

/* One count: a token, a context (its right neighbours, then n_tokens more for the left ones). */
typedef struct {
    guint32 token;
    guint32 context;
    guint64 weight;
} Entry;

static gint compare_entries(gconstpointer a, gconstpointer b)
{
    const Entry *x = a, *y = b;

    if (x->token != y->token)
        return x->token < y->token ? -1 : 1;
    return x->context < y->context ? -1 : x->context > y->context;
}

static GArray *sorted_entries(const TgCooccurrences *counts)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    gsize cursor = 0;
    guint64 key, weight;

    while (tg_pair_table_next(counts->right, &cursor, &key, &weight)) {
        const guint32 left = (guint32) (key >> 32), right = (guint32) key;
        const Entry after = { left, right, weight };
        const Entry before = { right, counts->n_tokens + left, weight };
        g_array_append_val(entries, after);
        g_array_append_val(entries, before);
    }
    g_array_sort(entries, compare_entries);
    return entries;
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

/* x to the power 3/4 by square roots, which IEEE 754 rounds correctly. */
static double power_three_quarters(double x)
{
    const double root = sqrt(x);

    return root * sqrt(root);
}

/* max(0, log(n(t,c) S / (n(t) n(c)^0.75))), S the sum of n(c)^0.75, as a sparse matrix. */
static void make_ppmi(const TgCooccurrences *counts, TgSparse *matrix)
{
    g_autoptr(GArray) entries = sorted_entries(counts);
    const guint32 n_contexts = 2 * counts->n_tokens;
    g_autofree double *token = g_new0(double, counts->n_tokens);
    g_autofree double *context = g_new0(double, n_contexts);
    double total = 0.0;

    for (guint i = 0; i < entries->len; i++) {
        const Entry *entry = &g_array_index(entries, Entry, i);
        token[entry->token] += (double) entry->weight;
        context[entry->context] += (double) entry->weight;
    }
    for (guint32 c = 0; c < n_contexts; c++) {
        context[c] = power_three_quarters(context[c]);
        total += context[c];
    }
    *matrix = (TgSparse){
        .n_rows = counts->n_tokens,
        .n_columns = n_contexts,
        .start = g_new0(gsize, (gsize) counts->n_tokens + 1),
        .column = g_new(guint32, entries->len + 1),
        .value = g_new(float, entries->len + 1),
    };
    gsize n = 0;
    guint i = 0;
    for (guint32 t = 0; t < counts->n_tokens; t++) {
        matrix->start[t] = n;
        for (; i < entries->len && g_array_index(entries, Entry, i).token == t; i++) {
            const Entry *entry = &g_array_index(entries, Entry, i);
            const double ratio =
                (double) entry->weight * total / (token[t] * context[entry->context]);
            if (ratio > 1.0) {
                matrix->column[n] = entry->context;
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

void tg_embedding_train(const TgCooccurrences *counts, const TgEmbeddingTraining *how, float *table)
{
    const guint rank = MIN(how->dim, counts->n_tokens);
    g_autofree double *vectors = g_new(double, (gsize) counts->n_tokens *rank);
    g_autofree double *values = g_new(double, rank);
    g_autofree double *row = g_new(double, how->dim);
    TgSparse matrix;

    make_ppmi(counts, &matrix);
    tg_svd_left(&matrix, rank, how->n_rounds, how->seed, how->progress, how->progress_data, vectors,
                values);
    tg_sparse_clear(&matrix);
    for (guint32 t = 0; t < counts->n_tokens; t++) {
        memset(row, 0, how->dim * sizeof *row);
        for (guint j = 0; j < rank; j++)
            row[j] = vectors[(gsize) t * rank + j] * sqrt(values[j]);
        finish_row(row, how->dim, how->seed, t);
        for (guint j = 0; j < how->dim; j++)
            table[(gsize) t * how->dim + j] = (float) row[j];
    }
}
