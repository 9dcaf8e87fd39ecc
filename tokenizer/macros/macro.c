/* The user's macros by name, and the groups that end their definitions. */
#include "tokenizer/macros/macro.h"

/* Keys are tokens, compared by their spelling. */
static guint hash_name(gconstpointer key)
{
    const TgTexToken *token = key;
    guint32 hash = 2166136261u; /* FNV-1a */

    for (guint32 i = 0; i < token->len; i++)
        hash = (hash ^ (guchar) token->text[i]) * 16777619u;
    return hash;
}

static gboolean equal_names(gconstpointer a, gconstpointer b)
{
    const TgTexToken *left = a, *right = b;

    return left->len == right->len && memcmp(left->text, right->text, left->len) == 0;
}

/* A definition to restore at the end of the group. */
typedef struct {
    const TgTexToken *name;
    const TgTexMacro *before; /* NULL: undefined */
} Saved;

void tg_tex_macros_clear(TgTexMacros *self)
{
    g_clear_pointer(&self->by_name, g_hash_table_unref);
    g_clear_pointer(&self->saved, g_array_unref);
}

void tg_tex_macros_define(TgTexMacros *self, const TgTexToken *name, const TgTexMacro *macro)
{
    TgTexToken *key = tg_arena_alloc(self->arena, sizeof(TgTexToken));
    TgTexMacro *copy = tg_arena_alloc(self->arena, sizeof(TgTexMacro));

    *key = *name;
    *copy = *macro;
    if (self->by_name == NULL) {
        self->by_name = g_hash_table_new(hash_name, equal_names);
        self->saved = g_array_new(FALSE, FALSE, sizeof(Saved));
    }

    const Saved saved = { key, g_hash_table_lookup(self->by_name, key) };
    g_array_append_val(self->saved, saved);
    g_hash_table_replace(self->by_name, key, copy);
}

guint tg_tex_macros_open_group(const TgTexMacros *self)
{
    return self->saved != NULL ? self->saved->len : 0;
}

void tg_tex_macros_close_group(TgTexMacros *self, guint mark)
{
    while (self->saved != NULL && self->saved->len > mark) {
        const Saved *saved = &g_array_index(self->saved, Saved, self->saved->len - 1);

        if (saved->before != NULL)
            g_hash_table_replace(self->by_name, (gpointer) saved->name, (gpointer) saved->before);
        else
            g_hash_table_remove(self->by_name, saved->name);
        g_array_set_size(self->saved, self->saved->len - 1);
    }
}
