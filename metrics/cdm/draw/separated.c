/* Commands whose arguments TeX no longer finds because the official program puts the color around
 * the command alone. */
#include <stdlib.h>
#include <string.h>

#include "metrics/cdm/draw/draw.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/symbols/symbols.h"

/* Commands that draw their sign over or under an empty argument. */
static const char *const emptied[] = {
    "\\overbrace",       "\\overrightarrow", "\\overleftarrow",       "\\overleftrightarrow",
    "\\underrightarrow", "\\underleftarrow", "\\underleftrightarrow", NULL,
};

/* Infix commands still split the list from inside a color group. Only the fraction bar gets the
 * color; a missing delimiter or thickness counts as empty. */
static const struct {
    const char *token;
    TgCdmSeparated drawn;
} infix[] = {
    { "\\over", { "@", TRUE } },
    { "\\atop", { "@", FALSE } },
    { "\\choose", { "@", FALSE } },
    { "\\brack", { "@", FALSE } },
    { "\\brace", { "@", FALSE } },
    { "\\above", { "\\atop", FALSE } },
    { "\\overwithdelims", { "\\over", TRUE } },
    { "\\atopwithdelims", { "\\atop", FALSE } },
    { "\\abovewithdelims", { "\\atop", FALSE } },
};

static const char *const undefined[] = {
#include "cdm_undefined.inc"
};

static const TgCdmSeparated itself = { "@", TRUE }, nothing = { "", FALSE };
static const TgCdmSeparated fatal = { "", FALSE, TRUE }, over_nothing = { "@{}", TRUE };

static gboolean is_control_word(const char *token)
{
    return token[0] == '\\' && g_ascii_isalpha(token[1]) &&
           strspn(token + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
               strlen(token + 1);
}

static TgCdmSeparated separated_command(const char *token, const TgCommand *command)
{
    static const TgCdmSeparated rule_of_no_element = { "@{}", FALSE };
    static const TgCdmSeparated circle = { "\\kern13pt ", FALSE }; /* in a font that is not there */
    static const TgCdmSeparated operator_space = { "\\mathop{}", FALSE };
    static const TgCdmSeparated delimiters_as_text = { "", .is_guess = TRUE };

    if (strcmp(token, "\\operatorname*") == 0)
        return operator_space;
    if (strcmp(token, "\\root") == 0)
        return fatal;
    if (strcmp(token, "\\genfrac") == 0)
        return delimiters_as_text;
    if (strcmp(token, "\\textcircled") == 0)
        return circle;
    if (strcmp(token, "\\boxed") == 0 || strcmp(token, "\\fbox") == 0 ||
        strcmp(token, "\\cfrac") == 0)
        return rule_of_no_element;
    if (g_strv_contains(emptied, token))
        return over_nothing;
    if (command == NULL)
        return nothing;
    return (command->flags & TG_COMMAND_ARGS) ? nothing : itself;
}

/* ASCII, and letters with an accent over an ASCII letter; Han only in the CJK template. */
static gboolean has_character(const char *token, gboolean is_chinese)
{
    const gunichar c = g_utf8_get_char(token);
    gunichar base, mark;

    return c < 0x80 || is_chinese || (g_unichar_decompose(c, &base, &mark) && base < 0x80);
}

TgCdmSeparated tg_cdm_separated(const char *token, gboolean is_chinese)
{
    const char *name = token + 1;

    if (strcmp(token, "\\operatorname*") != 0 && !is_control_word(token))
        return has_character(token, is_chinese) ? itself : nothing;
    if (bsearch(token, undefined, G_N_ELEMENTS(undefined), sizeof undefined[0],
                tg_cdm_compare_name) != NULL)
        return nothing;
    for (guint i = 0; i < G_N_ELEMENTS(infix); i++)
        if (strcmp(infix[i].token, token) == 0)
            return infix[i].drawn;
    const TgSymbol *symbol = tg_symbol_find(name, strlen(name));
    if (symbol == NULL)
        return separated_command(token, tg_command_find(name, strlen(name)));
    if (symbol->family == TG_MATH_FAMILY_STMARY)
        return nothing;
    return symbol->kind == TG_SYMBOL_ACCENT ? over_nothing : itself;
}
