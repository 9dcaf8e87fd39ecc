#include "eval/results/pairing.h"

#include <string.h>

#include "core/fail.h"

/* What two rows have in common when they belong together. */
typedef struct {
    guint subset;
    const char *id; /* "" for none */
    guint occurrence;
} Key;

static guint key_hash(gconstpointer data)
{
    const Key *key = data;

    return g_str_hash(key->id) * 31 + key->subset * 7919 + key->occurrence;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    const Key *x = a, *y = b;

    return x->subset == y->subset && x->occurrence == y->occurrence && strcmp(x->id, y->id) == 0;
}

/* The key of @row; @counts knows how many rows of the model had this subset and id before. */
static Key *key_of(const TgTable *table, guint row, GHashTable *counts)
{
    const TgTableRow *r = &table->rows[row];
    Key *key = g_new(Key, 1);
    guint before;

    *key = (Key){ r->subset, r->id != NULL ? r->id : "", 0 };
    before = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));
    g_hash_table_replace(counts, g_memdup2(key, sizeof *key), GUINT_TO_POINTER(before + 1));
    key->occurrence = before;
    return key;
}

static GHashTable *new_counts(void)
{
    return g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
}

/* Key to row + 1 of every row of a model. */
static GHashTable *index_rows(const TgTable *table, guint model)
{
    GHashTable *rows = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
    g_autoptr(GHashTable) counts = new_counts();

    for (guint i = 0; i < table->n_rows; i++) {
        if (table->rows[i].model == model)
            g_hash_table_replace(rows, key_of(table, i, counts), GUINT_TO_POINTER(i + 1));
    }
    return rows;
}

static gboolean check_truths(const TgTable *table, guint a, guint b, GError **error)
{
    const TgTableRow *x = &table->rows[a], *y = &table->rows[b];

    if (g_strv_equal((const char *const *) x->refs, (const char *const *) y->refs))
        return TRUE;
    return tg_fail_input(
        error,
        "models '%s' and '%s' have different truths for %s '%s' (rows %" G_GUINT64_FORMAT
        " and %" G_GUINT64_FORMAT "); they were not scored on the same pairs",
        tg_table_model(table, x->model), tg_table_model(table, y->model),
        x->id != NULL ? "id" : "the same place in subset",
        x->id != NULL ? x->id : tg_table_subset(table, x->subset), x->row, y->row);
}

gboolean tg_pairing_init(TgPairing *pairing, const TgTable *table, guint model_a, guint model_b,
                         GError **error)
{
    g_autoptr(GHashTable) others = index_rows(table, model_b);
    g_autoptr(GHashTable) counts = new_counts();

    *pairing = (TgPairing){ g_new(guint32, table->n_rows), g_new(guint32, table->n_rows), 0, 0, 0 };
    for (guint i = 0; i < table->n_rows; i++) {
        g_autofree Key *key = NULL;
        guint other;

        if (table->rows[i].model != model_a)
            continue;
        key = key_of(table, i, counts);
        other = GPOINTER_TO_UINT(g_hash_table_lookup(others, key));
        if (other == 0) {
            pairing->n_only_a++;
            continue;
        }
        if (!check_truths(table, i, other - 1, error))
            return FALSE;
        pairing->a[pairing->n] = i;
        pairing->b[pairing->n++] = other - 1;
    }
    pairing->n_only_b = g_hash_table_size(others) - pairing->n;
    return TRUE;
}

void tg_pairing_clear(TgPairing *pairing)
{
    g_free(pairing->a);
    g_free(pairing->b);
    memset(pairing, 0, sizeof *pairing);
}
