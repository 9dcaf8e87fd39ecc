/* Looking symbols up by the name of their command and by character. */
#include "tokenizer/symbols/symbols.h"

#include <string.h>

#include "tokenizer/symbols/symbols_table.h"
#include "tokenizer/symbols/unicode_math.h"

/* strcmp() of a name that does not end in NUL with a table's. */
static int compare_name(const char *name, gsize len, const char *wanted)
{
    const int order = strncmp(name, wanted, len);

    return order != 0 ? order : (wanted[len] == '\0' ? 0 : -1);
}

const TgSymbol *tg_symbol_find(const char *name, gsize len)
{
    guint low = 0, high = tg_symbol_n_commands;

    while (low < high) {
        const guint middle = low + (high - low) / 2;
        const int order = compare_name(name, len, tg_symbol_commands[middle].name);

        if (order == 0)
            return &tg_symbol_commands[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const TgSymbol *find_ascii(gunichar code)
{
    guint low = 0, high = tg_symbol_n_characters;

    while (low < high) {
        const guint middle = low + (high - low) / 2;

        if (tg_symbol_characters[middle].codepoint == code)
            return &tg_symbol_characters[middle];
        if (code < tg_symbol_characters[middle].codepoint)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const TgSymbol *tg_symbol_find_char(gunichar code)
{
    if (code < 0x80)
        return find_ascii(code);

    const char *name = tg_unicode_command(code);
    return name != NULL ? tg_symbol_find(name, strlen(name)) : NULL;
}

const TgSymbol *tg_symbol_list(guint *n)
{
    *n = tg_symbol_n_commands;
    return tg_symbol_commands;
}
