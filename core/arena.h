/* Memory that is freed all at once: the scratch space of one pair. */
#pragma once

#include <glib.h>

/** A growing pool; zero it to start. Belongs to one thread at a time. */
typedef struct {
    struct TgArenaChunk *chunk; /* the newest; it links the older ones */
    gsize used;                 /* of the newest chunk */
} TgArena;

/** @size bytes, aligned for any type, not cleared, valid until the arena is reset; never NULL. */
gpointer tg_arena_alloc(TgArena *arena, gsize size);

/** Free all allocations; the arena keeps a moderate amount of memory for the next ones. */
void tg_arena_reset(TgArena *arena);

/** Return all memory to the system. */
void tg_arena_clear(TgArena *arena);
