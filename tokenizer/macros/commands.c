/* Looking commands and environments up in the tables that command_tables.py writes. */
#include "tokenizer/macros/commands.h"

#include <string.h>

#include "core/search.h"

static guint name_hash(const char *name, gsize len)
{
    guint32 hash = 2166136261u; /* FNV-1a, as in command_tables.py */

    for (gsize i = 0; i < len; i++)
        hash = (hash ^ (guchar) name[i]) * 16777619u;
    return hash ^ hash >> 15;
}

const TgName *tg_name_find(const char *name, gsize len)
{
    const guint last = tg_n_name_places - 1;
    guint at = name_hash(name, len) & last;

    for (; tg_name_places[at] != 0; at = (at + 1) & last) {
        const TgName *found = &tg_names[tg_name_places[at] - 1];
        if (strncmp(found->name, name, len) == 0 && found->name[len] == '\0')
            return found;
    }
    return NULL;
}

const TgCommand *tg_command_find(const char *name, gsize len)
{
    const TgName *found = tg_name_find(name, len);
    const TgCommand *command = found != NULL ? found->command : NULL;

    return command != NULL && !tg_command_is_of_browsers(command) ? command : NULL;
}

const TgCommand *tg_command_of_text(gunichar code)
{
    for (const TgCommand *row = tg_commands; row < tg_commands + tg_n_commands; row++) {
        if ((row->action == TG_ACTION_TEXT_SYMBOL || row->action == TG_ACTION_TEXT_ACCENT ||
             row->action == TG_ACTION_CIRCLE) &&
            (gunichar) row->value == code)
            return row;
    }
    return NULL;
}

const TgEnvironmentInfo *tg_environment_find(const char *name)
{
    return tg_row_of_text(name, strlen(name), tg_environments, tg_n_environments,
                          sizeof tg_environments[0]);
}

const TgEnvironmentInfo *tg_environment_of_command(const char *name)
{
    return tg_row_of_text(name, strlen(name), tg_row_commands, tg_n_row_commands,
                          sizeof tg_row_commands[0]);
}
