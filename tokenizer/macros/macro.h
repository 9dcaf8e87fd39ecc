/* The user's macros by name, and the groups that end their definitions. */
#pragma once

#include "core/arena.h"
#include "tokenizer/macros/token.h"

#define TG_TEX_MAX_ARGS 9

/** What the user defined a command to mean. */
typedef struct {
    TgTexTokens pattern; /**< parameter text: PARAM tokens and delimiters */
    TgTexTokens preset;  /**< of the optional argument */
    TgTexTokens body;
    TgTexToken target; /**< of an alias (\let): its meaning */
    guint8 n_args;
    guint8 has_preset; /**< the first argument is optional */
    guint8 is_alias;
} TgTexMacro;

/** The definitions in force. Begins as { .arena = .. }. */
typedef struct {
    TgArena *arena;      /**< holds the definitions */
    GHashTable *by_name; /**< name token to TgTexMacro, or NULL while there are none */
    GArray *saved;       /**< definitions to restore at the end of groups */
} TgTexMacros;

void tg_tex_macros_clear(TgTexMacros *self);

/** The definition of the command @name, or NULL. */
static inline const TgTexMacro *tg_tex_macros_find(const TgTexMacros *self, const TgTexToken *name)
{
    if (self->by_name == NULL || (name->flags & TG_TOK_PRIMITIVE) != 0)
        return NULL;
    return g_hash_table_lookup(self->by_name, name);
}

/** Define the command @name, to the end of the group. */
void tg_tex_macros_define(TgTexMacros *self, const TgTexToken *name, const TgTexMacro *macro);

/** Begin a group. Returns: a mark for its end. */
guint tg_tex_macros_open_group(const TgTexMacros *self);
void tg_tex_macros_close_group(TgTexMacros *self, guint mark);
