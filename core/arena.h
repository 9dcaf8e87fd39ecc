/* Memory that is freed all at once: the scratch space of one pair. */
#pragma once

#include <stdarg.h>
#include <string.h>

#include <glib.h>

#define TG_ARENA_ALIGNMENT 16

/* Memory that allocations are cut from. */
struct TgArenaChunk {
    struct TgArenaChunk *older;
    gsize size;
    _Alignas(TG_ARENA_ALIGNMENT) char bytes[];
};

/** A growing pool; zero it to start. Belongs to one thread at a time. */
typedef struct {
    struct TgArenaChunk *chunk; /* the newest; it links the older ones */
    gsize used;                 /* of the newest chunk */
} TgArena;

/* Allocate @size bytes where the newest chunk has no room; called by tg_arena_alloc(). */
gpointer tg_arena_grow(TgArena *arena, gsize size);

/** @size bytes, aligned for any type, not cleared, valid until the arena is reset; never NULL. */
static inline gpointer tg_arena_alloc(TgArena *arena, gsize size)
{
    const gsize whole = (size + TG_ARENA_ALIGNMENT - 1) & ~(gsize) (TG_ARENA_ALIGNMENT - 1);
    struct TgArenaChunk *chunk = arena->chunk;

    g_assert(whole >= size);
    if (G_UNLIKELY(chunk == NULL || whole > chunk->size - arena->used))
        return tg_arena_grow(arena, whole);
    arena->used += whole;
    return chunk->bytes + arena->used - whole;
}

/** The same, filled with zeros. */
static inline gpointer tg_arena_zeros(TgArena *arena, gsize size)
{
    return memset(tg_arena_alloc(arena, size), 0, size);
}

/** Copy @array's @size bytes into room for @capacity bytes; arrays in an arena grow in this way. */
static inline gpointer tg_arena_regrow(TgArena *arena, gconstpointer array, gsize size,
                                       gsize capacity)
{
    gpointer memory = tg_arena_alloc(arena, capacity);

    if (size > 0)
        memcpy(memory, array, size);
    return memory;
}

/** A copy of the @len bytes of @text, with a zero after them. */
static inline char *tg_arena_text(TgArena *arena, const char *text, gsize len)
{
    char *copy = (char *) tg_arena_alloc(arena, len + 1);

    if (len > 0)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

/** Print a text into the arena. */
char *tg_arena_printf(TgArena *arena, const char *format, ...) G_GNUC_PRINTF(2, 3);
char *tg_arena_vprintf(TgArena *arena, const char *format, va_list args) G_GNUC_PRINTF(2, 0);

/** Free all allocations; the arena keeps a moderate amount of memory for the next ones. */
void tg_arena_reset(TgArena *arena);

/** Return all memory to the system. */
void tg_arena_clear(TgArena *arena);
