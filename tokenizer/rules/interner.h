/* Byte strings numbered by first appearance, so that tokens compare as integers. */
#pragma once

#include <glib.h>

typedef struct {
    const char *bytes;
    guint32 len;
    guint32 slot; /* index of its slot, to clear it quickly */
} TgInternedString;

/** A set of byte strings; zero it to start. Borrows the strings until the next reset. */
typedef struct {
    struct TgInternSlot *slots; /* open addressing, at most half full */
    guint32 n_slots;            /* a power of two */
    TgInternedString *strings;
    guint32 n;
} TgInterner;

/** The number of a string: 0 for the first, and the same for equal strings. */
guint32 tg_interner_number(TgInterner *self, const char *bytes, guint32 len);

/** Remove all strings. */
void tg_interner_reset(TgInterner *self);

void tg_interner_clear(TgInterner *self);
