/* Objects that are made once: a cache that threads share, and the objects of one thread. */
#include "core/cache.h"

#include <pthread.h>
#include <string.h>

#include "core/hash.h"

/* ---- a hash table whose entries are also linked in order of use, the most recent first ---- */

typedef struct {
    const TgSharedKind *kind;
    const char *settings, *text;
} Key;

typedef struct {
    Key key; /* first, because a pointer to an entry is also a pointer to its key; owns its texts */
    gpointer object;
    gsize bytes;
    GList link; /* its data is the entry itself */
} Entry;

struct TgCache {
    gatomicrefcount refs;
    pthread_mutex_t lock; /* guards the members below */
    GHashTable *entries;
    GQueue by_use;
    gsize bytes, max_bytes;
};

static guint hash_key(gconstpointer data)
{
    const Key *key = data;
    const guint64 text = tg_hash_bytes(key->text, strlen(key->text));
    const guint64 settings = tg_hash_bytes(key->settings, strlen(key->settings));

    return (guint) tg_hash_u64(text ^ (settings << 1));
}

static gboolean equal_keys(gconstpointer a, gconstpointer b)
{
    const Key *x = a, *y = b;

    return x->kind == y->kind && strcmp(x->text, y->text) == 0 &&
           strcmp(x->settings, y->settings) == 0;
}

TgCache *tg_cache_new(gsize max_bytes)
{
    TgCache *cache = g_new0(TgCache, 1);

    g_atomic_ref_count_init(&cache->refs);
    pthread_mutex_init(&cache->lock, NULL);
    cache->entries = g_hash_table_new(hash_key, equal_keys);
    cache->max_bytes = max_bytes;
    return cache;
}

TgCache *tg_cache_ref(TgCache *cache)
{
    g_atomic_ref_count_inc(&cache->refs);
    return cache;
}

static void drop_entry(TgCache *cache, Entry *entry)
{
    g_hash_table_remove(cache->entries, entry);
    g_queue_unlink(&cache->by_use, &entry->link);
    cache->bytes -= entry->bytes;
    entry->key.kind->unref(entry->object);
    g_free((char *) entry->key.settings);
    g_free((char *) entry->key.text);
    g_free(entry);
}

void tg_cache_unref(TgCache *cache)
{
    if (cache == NULL || !g_atomic_ref_count_dec(&cache->refs))
        return;
    while (cache->by_use.tail != NULL)
        drop_entry(cache, cache->by_use.tail->data);
    g_hash_table_unref(cache->entries);
    pthread_mutex_destroy(&cache->lock);
    g_free(cache);
}

gpointer tg_cache_find(TgCache *cache, const TgSharedKind *kind, const char *settings,
                       const char *text)
{
    const Key key = { kind, settings, text };
    gpointer object = NULL;

    pthread_mutex_lock(&cache->lock);
    Entry *entry = g_hash_table_lookup(cache->entries, &key);
    if (entry != NULL) {
        g_queue_unlink(&cache->by_use, &entry->link);
        g_queue_push_head_link(&cache->by_use, &entry->link);
        object = kind->ref(entry->object);
    }
    pthread_mutex_unlock(&cache->lock);
    return object;
}

void tg_cache_keep(TgCache *cache, const TgSharedKind *kind, const char *settings, const char *text,
                   gpointer object)
{
    const Key key = { kind, settings, text };
    const gsize bytes = sizeof(Entry) + strlen(settings) + strlen(text) + kind->size(object);

    pthread_mutex_lock(&cache->lock);
    if (bytes <= cache->max_bytes && !g_hash_table_contains(cache->entries, &key)) {
        Entry *entry = g_new0(Entry, 1);

        entry->key = (Key){ kind, g_strdup(settings), g_strdup(text) };
        entry->object = kind->ref(object);
        entry->bytes = bytes;
        entry->link.data = entry;
        g_hash_table_add(cache->entries, entry);
        g_queue_push_head_link(&cache->by_use, &entry->link);
        cache->bytes += bytes;
        while (cache->bytes > cache->max_bytes)
            drop_entry(cache, cache->by_use.tail->data);
    }
    pthread_mutex_unlock(&cache->lock);
}

/* ---- of one thread ---- */

typedef struct {
    gpointer key;
    gpointer object;
    GDestroyNotify destroy;
} Local;

gpointer tg_locals_get(TgLocals *locals, gpointer key, gpointer (*make)(gpointer key),
                       GDestroyNotify destroy)
{
    if (locals->entries == NULL)
        locals->entries = g_array_new(FALSE, FALSE, sizeof(Local));
    for (guint i = 0; i < locals->entries->len; i++) {
        const Local *entry = &g_array_index(locals->entries, Local, i);
        if (entry->key == key)
            return entry->object;
    }
    const Local entry = { key, make(key), destroy };
    g_array_append_val(locals->entries, entry);
    return entry.object;
}

void tg_locals_clear(TgLocals *locals)
{
    if (locals->entries == NULL)
        return;
    for (guint i = 0; i < locals->entries->len; i++) {
        const Local *entry = &g_array_index(locals->entries, Local, i);
        entry->destroy(entry->object);
    }
    g_clear_pointer(&locals->entries, g_array_unref);
}
