/* Objects that are made once: a cache of objects made from texts, which is bounded in size and
 * drops the least recently used ones; and the objects of one thread, such as buffers, encoders and
 * renderers. */
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
 * Add @object, of which the cache takes a reference. Nothing happens if the cache has the key,
 * because two threads may make an object at the same time, or if the object alone exceeds the
 * bound.
 */
void tg_cache_keep(TgCache *cache, const TgSharedKind *kind, const char *settings, const char *text,
                   gpointer object);

/** A few objects by key; zero it to start. */
typedef struct {
    GArray *entries;
} TgLocals;

/**
 * The object of @key, made by @make at first use. Keys are compared by identity, so the object must
 * hold a reference to @key, or @key must outlive the locals.
 */
gpointer tg_locals_get(TgLocals *locals, gpointer key, gpointer (*make)(gpointer key),
                       GDestroyNotify destroy);

/** Destroy all objects. */
void tg_locals_clear(TgLocals *locals);
