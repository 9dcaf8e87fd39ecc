/* Looking symbols up by command and by character; characters that stand for a piece of LaTeX: the
 * table of characters.tsv, alphabets by rule. */
#include "tokenizer/symbols/symbols.h"

#include <string.h>

#include "core/search.h"

/* ---- Symbols --------------------------------------------------------------------------------- */

const TgSymbol *tg_symbol_find(const char *name, gsize len)
{
    return tg_row_of_text(name, len, tg_symbol_commands, tg_symbol_n_commands,
                          sizeof tg_symbol_commands[0]);
}

const TgSymbol *tg_symbol_find_char(gunichar code)
{
    if (code < 128)
        return tg_symbol_characters[code].name != NULL ? &tg_symbol_characters[code] : NULL;

    const TgTypedSymbol *found =
        tg_row_of_number(code, tg_symbol_typed, tg_symbol_n_typed, sizeof tg_symbol_typed[0]);
    return found != NULL ? found->symbol : NULL;
}

const TgSymbol *tg_symbol_list(guint *n)
{
    *n = tg_symbol_n_commands;
    return tg_symbol_commands;
}

guint tg_class_space(guint left, guint right, gboolean in_script)
{
    /* thin, medium and thick (k) space; lower case only in display and text styles; * cannot occur,
     * because Bin has become Ord there */
    static const char spaces[8][9] = {
        /*            Ord Op Bin Rel Open Close Punct Inner */
        /* Ord   */ "0Tmk000t",
        /* Op    */ "TT*k000t",
        /* Bin   */ "mm**m**m",
        /* Rel   */ "kk*0k00k",
        /* Open  */ "00*00000",
        /* Close */ "0Tmk000t",
        /* Punct */ "tt*ttttt",
        /* Inner */ "tTmkt0tt",
    };
    const char space = spaces[left][right];

    if (in_script && space != 'T')
        return 0;
    return space == 'T' || space == 't' ? 3 : space == 'm' ? 4 : space == 'k' ? 5 : 0;
}

/* ---- Characters that stand for a piece of LaTeX ---------------------------------------------- */

/* The alphabets of the block Mathematical Alphanumeric Symbols, in its order. */
static const char *const latin_alphabets[] = {
    "\\mathbf{%s}",   "%s",           "\\boldsymbol{%s}", "\\mathscr{%s}", "\\mathscr{%s}",
    "\\mathfrak{%s}", "\\mathbb{%s}", "\\mathfrak{%s}",   "\\mathsf{%s}",  "\\mathsf{%s}",
    "\\mathsf{%s}",   "\\mathsf{%s}", "\\mathtt{%s}",
};
static const char *const greek_alphabets[] = {
    "\\boldsymbol{%s}", "%s", "\\boldsymbol{%s}", "\\boldsymbol{%s}", "\\boldsymbol{%s}",
};
static const char *const digit_alphabets[] = {
    "\\mathbf{%s}", "\\mathbb{%s}", "\\mathsf{%s}", "\\mathsf{%s}", "\\mathtt{%s}",
};

enum {
    LATIN_FIRST = 0x1D400,
    LATIN_LAST = 0x1D6A3,
    GREEK_FIRST = 0x1D6A8,
    GREEK_LAST = 0x1D7C9,
    DIGIT_FIRST = 0x1D7CE,
    DIGIT_LAST = 0x1D7FF,
    CIRCLED_NUMBER = 0x2460,
    CIRCLED_LATIN = 0x24B6,
    CIRCLED_ZERO = 0x24EA,
    N_CIRCLED_NUMBERS = 20,
    N_LATIN = 52, /* A to Z, a to z */
    N_GREEK = 58, /* capitals with theta symbol and nabla, small letters with their variants */
    N_DIGITS = 10
};

/* Letter @i of a Greek alphabet in that block, as a character of the Greek block. */
static gunichar greek_letter(guint i)
{
    static const gunichar rest[] = { 0x2202, 0x03F5, 0x03D1, 0x03F0, 0x03D5, 0x03F1, 0x03D6 };

    if (i < 25)
        return i == 17 ? 0x03F4 : 0x0391 + i;
    if (i == 25)
        return 0x2207;
    return i < 51 ? 0x03B1 + (i - 26) : rest[i - 51];
}

static void put_letter(char *buffer, const char *alphabet, const char *letter)
{
    const char *place = strstr(alphabet, "%s");

    g_snprintf(buffer, TG_UNICODE_SOURCE_MAX, "%.*s%s%s", (int) (place - alphabet), alphabet,
               letter, place + 2);
}

static gboolean greek_source(guint i, char *buffer)
{
    const gunichar letter = greek_letter(i % N_GREEK);
    const TgSymbol *symbol = tg_symbol_find_char(letter);
    char name[TG_UNICODE_SOURCE_MAX];

    if (symbol != NULL)
        g_snprintf(name, sizeof name, "\\%s ", symbol->name);
    else if (!tg_unicode_source(letter, name))
        return FALSE;
    put_letter(buffer, greek_alphabets[i / N_GREEK], name);
    return TRUE;
}

gboolean tg_unicode_is_circled(gunichar code)
{
    return (code >= CIRCLED_NUMBER && code < CIRCLED_NUMBER + N_CIRCLED_NUMBERS) ||
           (code >= CIRCLED_LATIN && code <= CIRCLED_ZERO);
}

gboolean tg_unicode_source(gunichar code, char *buffer)
{
    const TgTypedSource *source =
        tg_row_of_number(code, tg_symbol_sources, tg_symbol_n_sources, sizeof tg_symbol_sources[0]);

    if (source != NULL) {
        g_strlcpy(buffer, source->latex, TG_UNICODE_SOURCE_MAX);
        return TRUE;
    }
    if (tg_unicode_is_circled(code)) {
        const guint number = code == CIRCLED_ZERO ? 0 : code - CIRCLED_NUMBER + 1;
        const guint letter = code - CIRCLED_LATIN;

        if (number <= N_CIRCLED_NUMBERS)
            g_snprintf(buffer, TG_UNICODE_SOURCE_MAX, "\\textcircled{%u}", number);
        else
            g_snprintf(buffer, TG_UNICODE_SOURCE_MAX, "\\textcircled{%c}",
                       (char) (letter < 26 ? 'A' + letter : 'a' + letter - 26));
        return TRUE;
    }
    if (code >= GREEK_FIRST && code <= GREEK_LAST)
        return greek_source(code - GREEK_FIRST, buffer);

    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const gboolean latin = code >= LATIN_FIRST && code <= LATIN_LAST;
    if (!latin && !(code >= DIGIT_FIRST && code <= DIGIT_LAST))
        return FALSE;
    const guint i = code - (latin ? LATIN_FIRST : DIGIT_FIRST);
    const char letter[] = { latin ? letters[i % N_LATIN] : (char) ('0' + i % N_DIGITS), '\0' };
    put_letter(buffer, latin ? latin_alphabets[i / N_LATIN] : digit_alphabets[i / N_DIGITS],
               letter);
    return TRUE;
}
