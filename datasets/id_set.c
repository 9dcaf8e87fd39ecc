/* The ids that occurred: 128-bit FNV-1a hashes, so that memory does not depend on their length. */
#include "datasets/id_set.h"

#include <string.h>

G_GNUC_EXTENSION typedef unsigned __int128 Hash;

typedef struct {
    Hash hash;
    TgPlace place;
} Entry;

static guint fold_hash(gconstpointer entry)
{
    return (guint) ((const Entry *) entry)->hash;
}

static gboolean equal_hashes(gconstpointer a, gconstpointer b)
{
    return ((const Entry *) a)->hash == ((const Entry *) b)->hash;
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
    const Entry *known = g_hash_table_lookup(set, &(Entry){ .hash = hash });

    if (known != NULL) {
        *first = known->place;
        return FALSE;
    }
    Entry *entry = g_new(Entry, 1);
    *entry = (Entry){ hash, place };
    return g_hash_table_add(set, entry);
}
