/* The hash of all names, made from the tables when the first name is looked up. */
#include "tokenizer/macros/names.h"

#include <string.h>

#include "core/lock.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/macros/commands_browser.h"
#include "tokenizer/macros/commands_packages.h"
#include "tokenizer/macros/commands_text.h"
#include "tokenizer/symbols/symbols.h"

#define MAX_NAMES 4096             /* half of the places stay free */
#define N_PLACES  (2u * MAX_NAMES) /* a power of two */

static TgName names[MAX_NAMES];
static guint n_names;
static guint16 places[N_PLACES]; /* 1 + the index of a name; 0: free. Collisions take the next */
static TgOnce names_once = TG_ONCE_INIT;

static guint name_hash(const char *name, gsize len)
{
    guint32 hash = 2166136261u; /* FNV-1a */

    for (gsize i = 0; i < len; i++)
        hash = (hash ^ (guchar) name[i]) * 16777619u;
    return (hash ^ hash >> 15) & (N_PLACES - 1);
}

/* Where @name stands, or the free place where it would. */
static guint16 *name_place(const char *name, gsize len)
{
    guint at = name_hash(name, len);

    for (; places[at] != 0; at = (at + 1) & (N_PLACES - 1)) {
        const char *known = names[places[at] - 1].name;
        if (strncmp(known, name, len) == 0 && known[len] == '\0')
            break;
    }
    return &places[at];
}

static TgName *name_add(const char *name)
{
    guint16 *place = name_place(name, strlen(name));

    if (*place == 0) {
        g_assert(n_names < MAX_NAMES);
        names[n_names].name = name;
        *place = (guint16) ++n_names;
    }
    return &names[*place - 1];
}

/* Rows of a table that comes behind others: only names that have no command yet. */
static void names_add_commands(const TgCommand *rows, guint n)
{
    for (guint i = 0; i < n; i++) {
        TgName *name = name_add(rows[i].name);
        if (name->command == NULL)
            name->command = &rows[i];
    }
}

static void names_make(void)
{
    guint n;
    const TgCommand *commands = tg_command_table(&n);

    names_add_commands(commands, n);
    names_add_commands(tg_text_commands, tg_n_text_commands);
    names_add_commands(tg_package_commands, tg_n_package_commands);
    for (guint i = 0; i < tg_n_package_commands; i++)
        name_add(tg_package_commands[i].name)->of_package = 1;
    for (guint i = 0; i < tg_n_browser_commands; i++)
        name_add(tg_browser_commands[i].name)->browser = &tg_browser_commands[i];

    const TgSymbol *symbols = tg_symbol_list(&n);
    for (guint i = 0; i < n; i++)
        name_add(symbols[i].name)->symbol = &symbols[i];
}

const TgName *tg_name_find(const char *name, gsize len)
{
    tg_once(&names_once, names_make);

    const guint16 place = *name_place(name, len);
    return place != 0 ? &names[place - 1] : NULL;
}

const TgCommand *tg_command_find(const char *name, gsize len)
{
    const TgName *found = tg_name_find(name, len);

    return found != NULL ? found->command : NULL;
}
