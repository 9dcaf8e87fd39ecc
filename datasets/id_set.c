/* The set of ids as 128-bit FNV-1a hashes, and how well the ids of two sides fit. */
#include "datasets/id_set.h"

#include <string.h>

#include "datasets/records/fields.h"

G_GNUC_EXTENSION typedef unsigned __int128 Hash;

/* A million are kept: 24 bytes, which malloc rounds up to 32. */
typedef struct {
    guint64 high, low;
    guint64 file : 24, line : 40;
} Entry;

static guint fold_hash(gconstpointer entry)
{
    return (guint) ((const Entry *) entry)->low;
}

static gboolean equal_hashes(gconstpointer a, gconstpointer b)
{
    const Entry *x = a, *y = b;

    return x->high == y->high && x->low == y->low;
}

TgIdSet *tg_id_set_new(void)
{
    return g_hash_table_new_full(fold_hash, equal_hashes, g_free, NULL);
}

/* Fowler, Noll, Vo: FNV-1a with 128 bits, over @text and its NUL. */
static Hash hash_text(Hash hash, const char *text)
{
    const Hash prime = ((Hash) 1 << 88) + 0x13B;
    const char *end = text + strlen(text);

    for (; text <= end; text++)
        hash = (hash ^ (guchar) *text) * prime;
    return hash;
}

gboolean tg_id_set_add(TgIdSet *set, const char *model, const char *subset, const char *id,
                       TgPlace place, TgPlace *first)
{
    const Hash basis = (Hash) 0x6C62272E07BB0142u << 64 | 0x62B821756295C58Du;
    const Hash of_model = hash_text(basis, model != NULL ? model : "");
    const Hash hash = hash_text(hash_text(of_model, subset != NULL ? subset : ""), id);
    const Entry made = { (guint64) (hash >> 64), (guint64) hash, place.file, place.line };
    const Entry *known = g_hash_table_lookup(set, &made);

    if (known != NULL) {
        *first = (TgPlace){ known->file, known->line };
        return FALSE;
    }
    return g_hash_table_add(set, g_memdup2(&made, sizeof made));
}

/* ---- ids of two sides ---- */

const char *const tg_id_level_names[] = { "", "without their extensions", "without their folders",
                                          "without folders and extensions" };
G_STATIC_ASSERT(G_N_ELEMENTS(tg_id_level_names) == TG_N_ID_LEVELS);

char *tg_id_key(guint level, const char *id)
{
    if (level == TG_ID_WITHOUT_FOLDER || level == TG_ID_NAME_ALONE) {
        const char *slash = strrchr(id, '/');
        if (slash == NULL && tg_look_stem(id, strlen(id)) < strlen(id))
            slash = strrchr(id, '\\'); /* a path of Windows */
        id = slash != NULL && slash[1] != '\0' ? slash + 1 : id;
    }
    const gsize n = strlen(id);
    if (level == TG_ID_WITHOUT_SUFFIX && n > 2 && strspn(id, "0123456789") == n - 2 &&
        strcmp(id + n - 2, ".0") == 0) /* a whole number as pandas writes it beside empty cells */
        return g_strndup(id, n - 2);
    if (level == TG_ID_WITHOUT_SUFFIX || level == TG_ID_NAME_ALONE)
        return g_strndup(id, tg_look_stem(id, strlen(id)));
    return g_strdup(id);
}

/* The ids of @ids by their keys; two of one key are told in @a and @b (borrowed). */
static GHashTable *keyed_ids(const GPtrArray *ids, guint level, const char **a, const char **b)
{
    GHashTable *keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    *a = *b = NULL;
    for (guint i = 0; i < ids->len; i++) {
        char *key = tg_id_key(level, ids->pdata[i]);
        const char *other = g_hash_table_lookup(keys, key);

        if (other != NULL && *a == NULL && strcmp(other, ids->pdata[i]) != 0) {
            *a = other;
            *b = ids->pdata[i];
        }
        if (other == NULL)
            g_hash_table_insert(keys, key, ids->pdata[i]);
        else
            g_free(key);
    }
    return keys;
}

TgIdFit tg_ids_fit(const GPtrArray *refs, const GPtrArray *hyps)
{
    TgIdFit fit = { 0 };

    for (fit.level = TG_ID_WHOLE; fit.level < TG_N_ID_LEVELS; fit.level++) {
        const char *a, *b;
        g_autoptr(GHashTable) keys = keyed_ids(refs, fit.level, &fit.a, &fit.b);
        g_autoptr(GHashTable) others = keyed_ids(hyps, fit.level, &a, &b);
        GHashTableIter iter;
        gpointer key;

        g_hash_table_iter_init(&iter, others);
        while (g_hash_table_iter_next(&iter, &key, NULL))
            fit.n_met += g_hash_table_contains(keys, key);
        if (fit.a == NULL) {
            fit.a = a;
            fit.b = b;
        }
        if (fit.n_met == 0)
            continue;
        fit.total =
            fit.a == NULL && fit.n_met == MIN(g_hash_table_size(keys), g_hash_table_size(others));
        return fit;
    }
    return fit;
}
