/* The ids that occurred: 128-bit FNV-1a hashes, so that memory does not depend on their length. */
#include "datasets/id_set.h"

#include <string.h>

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
