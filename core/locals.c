/* Objects that one thread makes once and keeps. */
#include "core/locals.h"

typedef struct {
    gpointer key;
    gpointer object;
    GDestroyNotify destroy;
} Entry;

gpointer tg_locals_get(TgLocals *locals, gpointer key, gpointer (*make)(gpointer key),
                       GDestroyNotify destroy)
{
    if (locals->entries == NULL)
        locals->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    for (guint i = 0; i < locals->entries->len; i++) {
        const Entry *entry = &g_array_index(locals->entries, Entry, i);
        if (entry->key == key)
            return entry->object;
    }
    const Entry entry = { key, make(key), destroy };
    g_array_append_val(locals->entries, entry);
    return entry.object;
}

void tg_locals_clear(TgLocals *locals)
{
    if (locals->entries == NULL)
        return;
    for (guint i = 0; i < locals->entries->len; i++) {
        const Entry *entry = &g_array_index(locals->entries, Entry, i);
        entry->destroy(entry->object);
    }
    g_clear_pointer(&locals->entries, g_array_unref);
}
