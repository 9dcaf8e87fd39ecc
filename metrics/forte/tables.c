/* Look-up of names in FORTE's tables, and names that only a formula has. */
#include "metrics/forte/forte.h"

#include <string.h>

#include "core/search.h"

#define N_ASCII 128

static const TgForteTables *const tables = &tg_forte_tables;

const char *const tg_forte_font_names[TG_N_FORTE_FONTS] = {
    "", "b", "bb", "cal", "fr", "sf", "tt"
};

/* ---- Looking up ---- */

TgForteName tg_forte_map(const TgForteMap *map, guint32 from)
{
    const TgForteMapRow *row = tg_row_of_number(from, map->rows, map->n, sizeof *row);

    return row != NULL ? row->to : 0;
}

static TgForteName look_up_text(const TgForteNamed *rows, guint n, const char *text, gsize len)
{
    const TgForteNamed *row = tg_row_of_text(text, len, rows, n, sizeof *rows);

    return row != NULL ? row->name : 0;
}

const TgForteSpelling *tg_forte_command(const char *name, gsize len)
{
    const TgForteCommand *row =
        tg_row_of_text(name, len, tables->commands, tables->n_commands, sizeof *row);

    return row != NULL ? &row->spelling : NULL;
}

const TgForteSpelling *tg_forte_character(gunichar code)
{
    const TgForteCharacter *row =
        code < N_ASCII
            ? &tables->characters[code]
            : tg_row_of_number(code, tables->characters, tables->n_characters, sizeof *row);

    return row != NULL ? &row->spelling : NULL;
}

const TgForteSpelling *tg_forte_symbol(const TgSymbol *symbol)
{
    guint n;
    const TgSymbol *list = tg_symbol_list(&n);

    if (symbol >= list && symbol < list + n)
        return &tables->commands[tables->symbols[symbol - list]].spelling;
    /* all others are characters of ASCII */
    return tg_forte_character(symbol->codepoint % N_ASCII);
}

TgForteName tg_forte_accent(const char *command)
{
    return look_up_text(tables->accents, tables->n_accents, command, strlen(command));
}

TgForteKind tg_forte_kind(TgForteName name)
{
    if (name < N_ASCII)
        return (TgForteKind) tables->ascii_kinds[name];
    if (name >= TG_FORTE_NAMES)
        return name < TG_FORTE_UNKNOWN ? (TgForteKind) tables->kinds[name - TG_FORTE_NAMES]
                                       : TG_FORTE_SYMBOL;
    if (!g_unichar_isalpha(name))
        return TG_FORTE_SYMBOL;
    return g_unichar_get_script(name) == G_UNICODE_SCRIPT_GREEK ? TG_FORTE_GREEK : TG_FORTE_LATIN;
}

TgFortePair tg_forte_pair(TgForteName a, TgForteName b)
{
    const TgForteName first = MIN(a, b), second = MAX(a, b);
    guint at = (first * 31 + second) % TG_FORTE_PAIR_SLOTS;

    while (tables->pairs[at].b != 0 &&
           (tables->pairs[at].a != first || tables->pairs[at].b != second))
        at = (at + 1) % TG_FORTE_PAIR_SLOTS;
    return tables->pairs[at].b != 0 ? tables->pairs[at]
                                    : (TgFortePair){ .change = TG_N_FORTE_TYPES };
}

TgForteName tg_forte_find(const char *name, gsize len)
{
    const gunichar code = g_utf8_get_char_validated(name, (gssize) len);

    if (len > 0 && code != (gunichar) -1 && code != (gunichar) -2 &&
        g_utf8_next_char(name) == name + len)
        return code;
    return look_up_text(tables->names, tables->n_names, name, len);
}

/* ---- Names that the tables do not have ---- */

TgForteName tg_forte_unknown_name(TgVocab *names, const char *text, gsize len)
{
    g_autofree char *own = g_strndup(text, len);

    return TG_FORTE_UNKNOWN + tg_vocab_number(names, own, len + 1); /* with its NUL */
}

const char *tg_forte_name_text(const TgVocab *names, TgForteName name,
                               char buffer[TG_FORTE_NAME_BUFFER])
{
    gsize len;

    if (name >= TG_FORTE_UNKNOWN)
        return tg_vocab_text(names, name - TG_FORTE_UNKNOWN, &len);
    if (name >= TG_FORTE_NAMES)
        return tables->texts[name - TG_FORTE_NAMES];
    buffer[g_unichar_to_utf8(name, buffer)] = '\0';
    return buffer;
}
