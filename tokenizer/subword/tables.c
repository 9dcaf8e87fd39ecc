/* Tables of tokens and of pairs of ids, open-addressed. */
#include "tokenizer/subword/tables.h"

#include <string.h>

#include "core/hash.h"

/* ---- The vocabulary of a subword model: an open-addressed table over one block of bytes ------ */

#define NO_ENTRY G_MAXUINT32

typedef struct {
    gsize start; /* in bytes */
    guint32 len;
    gboolean used;
} Entry;

TgVocab *tg_vocab_new(void)
{
    TgVocab *vocab = g_new0(TgVocab, 1);

    vocab->bytes = g_byte_array_sized_new(64); /* never NULL, also with empty strings alone */
    vocab->entries = g_array_new(FALSE, TRUE, sizeof(Entry));
    vocab->n_slots = 64;
    vocab->slots = g_new(guint32, vocab->n_slots);
    memset(vocab->slots, 0xff, vocab->n_slots * sizeof *vocab->slots);
    return vocab;
}

void tg_vocab_free(TgVocab *vocab)
{
    if (vocab == NULL)
        return;
    g_byte_array_unref(vocab->bytes);
    g_array_unref(vocab->entries);
    g_free(vocab->slots);
    g_free(vocab);
}

static const Entry *entry_at(const TgVocab *vocab, guint32 id)
{
    return &g_array_index(vocab->entries, Entry, id);
}

/* The slot that holds @text, or the empty one where it belongs. */
static gsize vocab_find_slot(const TgVocab *vocab, const char *text, gsize len)
{
    gsize slot = tg_hash_bytes(text, len) & (vocab->n_slots - 1);

    for (; vocab->slots[slot] != NO_ENTRY; slot = (slot + 1) & (vocab->n_slots - 1)) {
        const Entry *entry = entry_at(vocab, vocab->slots[slot]);
        if (entry->len == len && memcmp(vocab->bytes->data + entry->start, text, len) == 0)
            break;
    }
    return slot;
}

static void vocab_grow(TgVocab *vocab)
{
    vocab->n_slots *= 2;
    vocab->slots = g_renew(guint32, vocab->slots, vocab->n_slots);
    memset(vocab->slots, 0xff, vocab->n_slots * sizeof *vocab->slots);
    for (guint32 id = 0; id < vocab->entries->len; id++) {
        const Entry *entry = entry_at(vocab, id);
        if (entry->used) {
            const char *text = (const char *) vocab->bytes->data + entry->start;
            vocab->slots[vocab_find_slot(vocab, text, entry->len)] = id;
        }
    }
}

gboolean tg_vocab_add(TgVocab *vocab, const char *text, gsize len, guint32 id)
{
    if (id < vocab->entries->len && entry_at(vocab, id)->used)
        return FALSE;
    if (2 * ((gsize) vocab->size + 1) > vocab->n_slots)
        vocab_grow(vocab);
    const gsize slot = vocab_find_slot(vocab, text, len);
    if (vocab->slots[slot] != NO_ENTRY)
        return FALSE;

    if (id >= vocab->entries->len)
        g_array_set_size(vocab->entries, id + 1);
    g_array_index(vocab->entries, Entry, id) =
        (Entry){ .start = vocab->bytes->len, .len = (guint32) len, .used = TRUE };
    if (len > 0)
        g_byte_array_append(vocab->bytes, (const guint8 *) text, (guint) len);
    vocab->slots[slot] = id;
    vocab->size++;
    return TRUE;
}

gboolean tg_vocab_find(const TgVocab *vocab, const char *text, gsize len, guint32 *id)
{
    const guint32 found = vocab->slots[vocab_find_slot(vocab, text, len)];

    if (found == NO_ENTRY)
        return FALSE;
    *id = found;
    return TRUE;
}

const char *tg_vocab_text(const TgVocab *vocab, guint32 id, gsize *len)
{
    if (id >= vocab->entries->len || !entry_at(vocab, id)->used)
        return NULL;
    *len = entry_at(vocab, id)->len;
    /* An empty string of an empty vocabulary has no bytes to point at. */
    return vocab->bytes->len > 0 ? (const char *) vocab->bytes->data + entry_at(vocab, id)->start
                                 : "";
}

/* ---- A table from pairs of ids to 64-bit values, open-addressed with linear probing ---------- */

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

guint64 *tg_pair_table_at(TgPairTable *table, guint64 key)
{
    Slot *slot = pair_table_find_slot(table, key);

    if (slot->key != key) {
        if (2 * (table->size + 1) > table->n_slots) {
            Slot *old = table->slots;
            const gsize n_old = table->n_slots;

            table->n_slots *= 2;
            table->slots = new_slots(table->n_slots);
            for (gsize i = 0; i < n_old; i++)
                if (old[i].key != NO_KEY)
                    *pair_table_find_slot(table, old[i].key) = old[i];
            g_free(old);
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
