/* Tables of byte strings and ids, also of pairs of ids; open-addressed. */
#include "core/vocab.h"

#include <string.h>

#include "core/hash.h"

/* ---- Byte strings and their ids: an open-addressed table over one block of bytes ------------- */

#define NO_ENTRY G_MAXUINT32

typedef struct {
    gsize start; /* in bytes */
    guint64 hash;
    guint32 len;
    guint32 slot_plus_1; /* the place of its id in slots, to clear it quickly; 0: no string */
    guint64 value;
} Entry;

static Entry *entry_at(const TgVocab *vocab, guint32 id)
{
    return &g_array_index(vocab->entries, Entry, id);
}

/* The slot that holds @text, or the empty one where it belongs. Short texts need only their hashes
 * compared, see tg_hash_bytes(). */
static guint32 vocab_find_slot(const TgVocab *vocab, guint64 hash, const char *text, gsize len)
{
    const Entry *entries = (const Entry *) (gconstpointer) vocab->entries->data;
    const guint32 mask = vocab->n_slots - 1;
    guint32 slot = (guint32) hash & mask;

    for (; vocab->slots[slot] != NO_ENTRY; slot = (slot + 1) & mask) {
        const Entry *entry = &entries[vocab->slots[slot]];
        if (entry->hash == hash && entry->len == len &&
            (len <= sizeof hash || memcmp(vocab->bytes->data + entry->start, text, len) == 0))
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
        Entry *entry = entry_at(vocab, id);
        if (entry->slot_plus_1 > 0) {
            const char *text = (const char *) vocab->bytes->data + entry->start;
            const guint32 slot = vocab_find_slot(vocab, entry->hash, text, entry->len);
            vocab->slots[slot] = id;
            entry->slot_plus_1 = slot + 1;
        }
    }
}

TgVocab *tg_vocab_new(void)
{
    TgVocab *vocab = g_new0(TgVocab, 1);

    vocab->bytes = g_byte_array_sized_new(64); /* never NULL, also with empty strings alone */
    vocab->entries = g_array_new(FALSE, TRUE, sizeof(Entry));
    vocab->n_slots = 64;
    vocab_grow(vocab);
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

void tg_vocab_reset(TgVocab *vocab)
{
    for (guint32 id = 0; id < vocab->entries->len; id++)
        if (entry_at(vocab, id)->slot_plus_1 > 0)
            vocab->slots[entry_at(vocab, id)->slot_plus_1 - 1] = NO_ENTRY;
    g_array_set_size(vocab->entries, 0);
    g_byte_array_set_size(vocab->bytes, 0);
    vocab->size = 0;
}

/* The id of @text, which is added under @id if it is not there; @id is free. */
static guint32 vocab_enter(TgVocab *vocab, const char *text, gsize len, guint32 id)
{
    const guint64 hash = tg_hash_bytes(text, len);

    if (2 * ((gsize) vocab->size + 1) > vocab->n_slots)
        vocab_grow(vocab);
    const guint32 slot = vocab_find_slot(vocab, hash, text, len);
    if (vocab->slots[slot] != NO_ENTRY)
        return vocab->slots[slot];

    if (id >= vocab->entries->len)
        g_array_set_size(vocab->entries, id + 1);
    *entry_at(vocab, id) = (Entry){ vocab->bytes->len, hash, (guint32) len, slot + 1, 0 };
    g_byte_array_append(vocab->bytes, (const guint8 *) text, (guint) len);
    vocab->slots[slot] = id;
    vocab->size++;
    return id;
}

gboolean tg_vocab_add(TgVocab *vocab, const char *text, gsize len, guint32 id)
{
    if (id < vocab->entries->len && entry_at(vocab, id)->slot_plus_1 > 0)
        return FALSE;
    return vocab_enter(vocab, text, len, id) == id;
}

gboolean tg_vocab_find(const TgVocab *vocab, const char *text, gsize len, guint32 *id)
{
    const guint32 found = vocab->slots[vocab_find_slot(vocab, tg_hash_bytes(text, len), text, len)];

    if (found == NO_ENTRY)
        return FALSE;
    *id = found;
    return TRUE;
}

guint32 tg_vocab_number(TgVocab *vocab, const char *text, gsize len)
{
    return vocab_enter(vocab, text, len, vocab->size);
}

const char *tg_vocab_text(const TgVocab *vocab, guint32 id, gsize *len)
{
    if (id >= vocab->entries->len || entry_at(vocab, id)->slot_plus_1 == 0)
        return NULL;
    *len = entry_at(vocab, id)->len;
    return (const char *) vocab->bytes->data + entry_at(vocab, id)->start;
}

guint64 *tg_vocab_value(const TgVocab *vocab, guint32 id)
{
    return &entry_at(vocab, id)->value;
}

/* ---- Pairs of ids ---------------------------------------------------------------------------- */

gint tg_pair_compare(gconstpointer a, gconstpointer b)
{
    const guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

    return x < y ? -1 : x > y;
}

const guint64 *tg_vocab_find_pair(const TgVocab *pairs, guint64 key)
{
    guint32 id;

    return tg_vocab_find(pairs, (const char *) &key, sizeof key, &id) ? tg_vocab_value(pairs, id)
                                                                      : NULL;
}

guint32 tg_vocab_number_pair(TgVocab *pairs, guint64 key)
{
    return tg_vocab_number(pairs, (const char *) &key, sizeof key);
}

guint64 *tg_vocab_pair_at(TgVocab *pairs, guint64 key)
{
    return tg_vocab_value(pairs, tg_vocab_number_pair(pairs, key));
}

TgPairValue tg_vocab_pair(const TgVocab *pairs, guint32 id)
{
    TgPairValue pair = { .value = *tg_vocab_value(pairs, id) };
    gsize len;

    memcpy(&pair.key, tg_vocab_text(pairs, id, &len), sizeof pair.key);
    return pair;
}
