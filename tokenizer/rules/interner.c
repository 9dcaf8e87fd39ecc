/* Byte strings numbered by first appearance, so that tokens compare as integers. */
#include "tokenizer/rules/interner.h"

#include <string.h>

#define MIN_SLOTS 128u

typedef struct TgInternSlot {
    guint32 hash;
    guint32 number_plus_1; /* 0: free */
} Slot;

static guint64 hash_mix(guint64 h, guint64 word)
{
    h = (h ^ word) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15);
    return h ^ h >> 32;
}

static guint32 hash_bytes(const char *bytes, guint32 len)
{
    guint64 h = len, word = 0;

    for (; len >= sizeof word; len -= (guint32) sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = hash_mix(h, word);
    }
    for (word = 0; len > 0; len--)
        word = word << 8 | (guchar) *bytes++;
    return (guint32) hash_mix(h, word);
}

/* The slot of @bytes, or the free one where it belongs. */
static guint32 interner_find_slot(const TgInterner *self, const char *bytes, guint32 len,
                                  guint32 hash)
{
    const guint32 mask = self->n_slots - 1;
    guint32 i = hash & mask;

    for (; self->slots[i].number_plus_1 != 0; i = (i + 1) & mask) {
        const TgInternedString *string = &self->strings[self->slots[i].number_plus_1 - 1];
        if (self->slots[i].hash == hash && string->len == len &&
            memcmp(string->bytes, bytes, len) == 0)
            break;
    }
    return i;
}

static void grow_slots(TgInterner *self)
{
    g_autofree Slot *old = self->slots;
    const guint32 mask = MAX(self->n_slots * 2, MIN_SLOTS) - 1;

    self->slots = g_new0(Slot, mask + 1);
    self->strings = g_renew(TgInternedString, self->strings, (mask + 1) / 2);
    for (guint32 k = 0; k < self->n; k++) {
        const Slot slot = old[self->strings[k].slot];
        guint32 i = slot.hash & mask;

        while (self->slots[i].number_plus_1 != 0)
            i = (i + 1) & mask;
        self->slots[i] = slot;
        self->strings[k].slot = i;
    }
    self->n_slots = mask + 1;
}

guint32 tg_interner_number(TgInterner *self, const char *bytes, guint32 len)
{
    if (2 * self->n >= self->n_slots)
        grow_slots(self);

    const guint32 hash = hash_bytes(bytes, len);
    const guint32 i = interner_find_slot(self, bytes, len, hash);
    if (self->slots[i].number_plus_1 == 0) {
        self->strings[self->n] = (TgInternedString){ bytes, len, i };
        self->slots[i] = (Slot){ hash, ++self->n };
    }
    return self->slots[i].number_plus_1 - 1;
}

void tg_interner_reset(TgInterner *self)
{
    for (guint32 k = 0; k < self->n; k++)
        self->slots[self->strings[k].slot] = (Slot){ 0, 0 };
    self->n = 0;
}

void tg_interner_clear(TgInterner *self)
{
    g_free(self->slots);
    g_free(self->strings);
    *self = (TgInterner){ 0 };
}
