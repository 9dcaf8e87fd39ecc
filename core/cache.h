/* Objects made from texts, kept for whoever asks next: bounded, the least recently used go first.
 */
#pragma once

#include <texgauge/env.h>

/** A table from (kind, settings, text) to objects; any thread may use it at any time. */
typedef struct TgCache TgCache;

/** @max_bytes: what all objects and their texts together may hold */
TgCache *tg_cache_new(gsize max_bytes);
TgCache *tg_cache_ref(TgCache *cache);
void tg_cache_unref(TgCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCache, tg_cache_unref)

/**
 * The object that was made of @text.
 *
 * @kind: told by address
 * @settings: how it was made
 *
 * Returns: (transfer full) the object, or NULL when there is none
 */
gpointer tg_cache_find(TgCache *cache, const TgSharedKind *kind, const char *settings,
                       const char *text);

/**
 * Keep @object, with a reference of the cache's own. Nothing happens when there is one for this key
 * already (two threads may have made it at the same time), or when it alone is beyond the bound.
 */
void tg_cache_keep(TgCache *cache, const TgSharedKind *kind, const char *settings, const char *text,
                   gpointer object);

/** What the objects and texts hold now, in bytes. */
gsize tg_cache_bytes(TgCache *cache);
