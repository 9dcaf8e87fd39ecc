/* A table from pairs of ids to 64-bit values, open-addressed with linear probing. */
#include "tokenizer/subword/pair_table.h"

#include "core/hash.h"

#define NO_KEY G_MAXUINT64

typedef struct {
    guint64 key;
    guint64 value;
} Slot;

struct TgPairTable {
    Slot *slots;
    gsize n_slots; /* a power of two, at most half full */
    gsize size;
};

static Slot *new_slots(gsize n)
{
    Slot *slots = g_new(Slot, n);

    for (gsize i = 0; i < n; i++)
        slots[i] = (Slot){ NO_KEY, 0 };
    return slots;
}

TgPairTable *tg_pair_table_new(void)
{
    TgPairTable *table = g_new0(TgPairTable, 1);

    table->n_slots = 64;
    table->slots = new_slots(table->n_slots);
    return table;
}

void tg_pair_table_free(TgPairTable *table)
{
    if (table == NULL)
        return;
    g_free(table->slots);
    g_free(table);
}

/* The slot that holds @key, or the empty one where it belongs. */
static Slot *pair_table_find_slot(const TgPairTable *table, guint64 key)
{
    gsize i = tg_hash_u64(key) & (table->n_slots - 1);

    while (table->slots[i].key != key && table->slots[i].key != NO_KEY)
        i = (i + 1) & (table->n_slots - 1);
    return &table->slots[i];
}

const guint64 *tg_pair_table_find(const TgPairTable *table, guint64 key)
{
    const Slot *slot = pair_table_find_slot(table, key);

    return slot->key == key ? &slot->value : NULL;
}

static void pair_table_grow(TgPairTable *table)
{
    Slot *old = table->slots;
    const gsize n_old = table->n_slots;

    table->n_slots *= 2;
    table->slots = new_slots(table->n_slots);
    for (gsize i = 0; i < n_old; i++)
        if (old[i].key != NO_KEY)
            *pair_table_find_slot(table, old[i].key) = old[i];
    g_free(old);
}

guint64 *tg_pair_table_at(TgPairTable *table, guint64 key)
{
    Slot *slot = pair_table_find_slot(table, key);

    if (slot->key != key) {
        if (2 * (table->size + 1) > table->n_slots) {
            pair_table_grow(table);
            slot = pair_table_find_slot(table, key);
        }
        *slot = (Slot){ key, 0 };
        table->size++;
    }
    return &slot->value;
}

gsize tg_pair_table_size(const TgPairTable *table)
{
    return table->size;
}

gboolean tg_pair_table_next(const TgPairTable *table, gsize *cursor, guint64 *key, guint64 *value)
{
    for (; *cursor < table->n_slots; (*cursor)++) {
        const Slot *slot = &table->slots[*cursor];
        if (slot->key != NO_KEY) {
            *key = slot->key;
            *value = slot->value;
            (*cursor)++;
            return TRUE;
        }
    }
    return FALSE;
}
