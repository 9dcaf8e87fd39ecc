/* Memory that is given back all at once: the scratch space of one pair. */
#pragma once

#include <glib.h>

/** A growing pool; zero it to start. Belongs to one thread at a time. */
typedef struct {
    struct TgArenaChunk *chunk; /* the newest; older ones behind it */
    gsize used;                 /* of the newest chunk */
} TgArena;

/** @size bytes, aligned for any type, not cleared, valid until the arena is reset; never NULL. */
gpointer tg_arena_alloc(TgArena *arena, gsize size);

/** Give everything back to the arena, which keeps a moderate amount of memory for what follows. */
void tg_arena_reset(TgArena *arena);

/** Give everything back to the system. */
void tg_arena_clear(TgArena *arena);
