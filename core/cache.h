/* A cache of objects made from texts: bounded in size, the least recently used go first. */
#pragma once

#include <texgauge/env.h>

/** A table from (kind, settings, text) to objects; any thread may use it at any time. */
typedef struct TgCache TgCache;

/** @max_bytes: bound on the size of all objects and texts */
TgCache *tg_cache_new(gsize max_bytes);
TgCache *tg_cache_ref(TgCache *cache);
void tg_cache_unref(TgCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCache, tg_cache_unref)

/**
 * Find the object that was made from @text.
 *
 * @kind: compared by identity
 * @settings: everything else that the object depends on
 *
 * Returns: (transfer full) the object, or NULL when there is none
 */
gpointer tg_cache_find(TgCache *cache, const TgSharedKind *kind, const char *settings,
                       const char *text);

/**
 * Add @object, of which the cache takes a reference. Nothing happens if the key is there already
 * (two threads may have made the object at the same time), or if the object alone exceeds the
 * bound.
 */
void tg_cache_keep(TgCache *cache, const TgSharedKind *kind, const char *settings, const char *text,
                   gpointer object);
