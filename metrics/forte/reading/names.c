/* Names of unknown commands, numbered as they are met. */
#include "metrics/forte/reading/names.h"

struct TgForteNames {
    const TgForteTables *tables;
    GHashTable *numbers; /* text to number, made at the first unknown name */
    GPtrArray *texts;
};

TgForteNames *tg_forte_names_new(const TgForteTables *tables)
{
    TgForteNames *names = g_new0(TgForteNames, 1);

    names->tables = tables;
    return names;
}

void tg_forte_names_free(TgForteNames *names)
{
    if (names == NULL)
        return;
    g_clear_pointer(&names->numbers, g_hash_table_unref);
    g_clear_pointer(&names->texts, g_ptr_array_unref);
    g_free(names);
}

const TgForteTables *tg_forte_names_tables(const TgForteNames *names)
{
    return names->tables;
}

TgForteName tg_forte_names_add(TgForteNames *names, const char *text, gsize len)
{
    g_autofree char *own = g_strndup(text, len);

    if (names->numbers == NULL) {
        names->numbers = g_hash_table_new(g_str_hash, g_str_equal);
        names->texts = g_ptr_array_new_with_free_func(g_free);
    }

    const gpointer known = g_hash_table_lookup(names->numbers, own);
    if (known != NULL)
        return GPOINTER_TO_UINT(known);

    const TgForteName name = TG_FORTE_STRANGERS + names->texts->len;
    g_hash_table_insert(names->numbers, own, GUINT_TO_POINTER(name));
    g_ptr_array_add(names->texts, g_steal_pointer(&own));
    return name;
}

const char *tg_forte_names_text(const TgForteNames *names, TgForteName name,
                                char buffer[TG_FORTE_NAME_BUFFER])
{
    if (name >= TG_FORTE_STRANGERS)
        return g_ptr_array_index(names->texts, name - TG_FORTE_STRANGERS);
    if (name >= TG_FORTE_NAMES)
        return tg_forte_tables_text(names->tables, name);
    buffer[g_unichar_to_utf8(name, buffer)] = '\0';
    return buffer;
}
