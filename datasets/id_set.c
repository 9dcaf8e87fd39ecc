/* The ids that occurred: an open-addressing table of 128-bit FNV-1a hashes. */
#include "datasets/id_set.h"

#include <string.h>

G_GNUC_EXTENSION typedef unsigned __int128 Hash;

typedef struct {
    guint64 high, low; /* both 0: free */
    guint64 place;     /* file << 48 | line */
} Entry;

struct TgIdSet {
    Entry *entries;
    gsize capacity; /* a power of two */
    gsize n;
};

#define FIRST_CAPACITY 1024

TgIdSet *tg_id_set_new(void)
{
    TgIdSet *self = g_new(TgIdSet, 1);

    *self = (TgIdSet){ g_new0(Entry, FIRST_CAPACITY), FIRST_CAPACITY, 0 };
    return self;
}

void tg_id_set_free(TgIdSet *self)
{
    if (self == NULL)
        return;
    g_free(self->entries);
    g_free(self);
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

/* The entry of a hash, or the free one where it belongs. */
static Entry *find_entry(Entry *entries, gsize capacity, guint64 high, guint64 low)
{
    for (gsize i = low & (capacity - 1);; i = (i + 1) & (capacity - 1)) {
        Entry *entry = &entries[i];
        if ((entry->high == high && entry->low == low) || (entry->high | entry->low) == 0)
            return entry;
    }
}

static void grow_id_set(TgIdSet *self)
{
    const gsize capacity = 2 * self->capacity;
    Entry *entries = g_new0(Entry, capacity);

    for (gsize i = 0; i < self->capacity; i++) {
        const Entry *entry = &self->entries[i];
        if ((entry->high | entry->low) != 0)
            *find_entry(entries, capacity, entry->high, entry->low) = *entry;
    }
    g_free(self->entries);
    self->entries = entries;
    self->capacity = capacity;
}

gboolean tg_id_set_add(TgIdSet *self, const char *model, const char *subset, const char *id,
                       TgPlace place, TgPlace *first)
{
    const Hash basis = (Hash) 0x6C62272E07BB0142u << 64 | 0x62B821756295C58Du;
    const Hash of_model = hash_text(basis, model != NULL ? model : "");
    const Hash hash = hash_text(hash_text(of_model, subset != NULL ? subset : ""), id);
    const guint64 high = (guint64) (hash >> 64), low = (guint64) hash | 1;

    if (4 * self->n >= 3 * self->capacity)
        grow_id_set(self);
    Entry *entry = find_entry(self->entries, self->capacity, high, low);
    if ((entry->high | entry->low) != 0) {
        *first = (TgPlace){ (guint) (entry->place >> 48),
                            (gsize) (entry->place & (((guint64) 1 << 48) - 1)) };
        return FALSE;
    }
    *entry = (Entry){ high, low, (guint64) MIN(place.file, 0xFFFF) << 48 | place.line };
    self->n++;
    return TRUE;
}
