/* Looking symbols up by command and by character: binary search in the generated tables. */
#include "tokenizer/symbols/symbols.h"

#include <string.h>

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

const TgSymbol *tg_symbol_find_char(gunichar code)
{
    guint low = 0, high = tg_symbol_n_typed;

    if (code < G_N_ELEMENTS(tg_symbol_characters))
        return tg_symbol_characters[code].name != NULL ? &tg_symbol_characters[code] : NULL;
    while (low < high) {
        const guint middle = low + (high - low) / 2;

        if (tg_symbol_typed[middle].code == code)
            return tg_symbol_typed[middle].symbol;
        if (code < tg_symbol_typed[middle].code)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const TgSymbol *tg_symbol_list(guint *n)
{
    *n = tg_symbol_n_commands;
    return tg_symbol_commands;
}
