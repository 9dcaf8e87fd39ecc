/* Memory that is freed all at once: the scratch space of one pair. */
#include "core/arena.h"

#include "core/deadline.h"

/* below glibc's threshold, above which each free() would trim the heap */
#define MIN_CHUNK (32u << 10)
/* memory that a reset keeps, so that one huge pair does not hold memory for ever */
#define MAX_KEPT  (4u << 20)
#define MAX_CHUNK (16u << 20)

typedef struct TgArenaChunk Chunk;

gpointer tg_arena_grow(TgArena *arena, gsize size)
{
    const gsize next = arena->chunk != NULL ? 2 * arena->chunk->size : MIN_CHUNK;
    const gsize room = MAX(size, MIN(next, MAX_CHUNK));
    Chunk *chunk = g_malloc(sizeof(Chunk) + room);

    tg_deadline_count_memory((gint64) room);
    chunk->older = arena->chunk;
    chunk->size = room;
    *arena = (TgArena){ chunk, size };
    return chunk->bytes;
}

char *tg_arena_vprintf(TgArena *arena, const char *format, va_list args)
{
    g_autofree char *text = g_strdup_vprintf(format, args);

    return tg_arena_text(arena, text, strlen(text));
}

char *tg_arena_printf(TgArena *arena, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = tg_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

/* The newest chunk is the largest, so after a few pairs a single one serves all. */
void tg_arena_reset(TgArena *arena)
{
    Chunk *keep = arena->chunk != NULL && arena->chunk->size <= MAX_KEPT ? arena->chunk : NULL;
    TgArena rest = { keep != NULL ? keep->older : arena->chunk, 0 };

    tg_arena_clear(&rest);
    if (keep != NULL)
        keep->older = NULL;
    *arena = (TgArena){ keep, 0 };
}

void tg_arena_clear(TgArena *arena)
{
    while (arena->chunk != NULL) {
        Chunk *older = arena->chunk->older;
        tg_deadline_count_memory(-(gint64) arena->chunk->size);
        g_free(arena->chunk);
        arena->chunk = older;
    }
    arena->used = 0;
}
