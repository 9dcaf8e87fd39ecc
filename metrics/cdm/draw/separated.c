/* Commands whose arguments TeX no longer finds because the official program puts the color around
 * the command alone. */
#include <string.h>

#include "core/search.h"
#include "metrics/cdm/draw/draw.h"
#include "tokenizer/macros/commands.h"
#include "tokenizer/symbols/symbols.h"

/* The commands that are drawn in another way than a symbol or a command of their kind. */
static const struct {
    const char *token;
    TgCdmSeparated drawn;
} drawn_as[] = {
    /* Infix commands still split the list from inside a color group. Only the fraction bar gets the
     * color; a missing delimiter or thickness counts as empty. */
    { "\\over", { "@", TRUE } },
    { "\\atop", { "@", FALSE } },
    { "\\choose", { "@", FALSE } },
    { "\\brack", { "@", FALSE } },
    { "\\brace", { "@", FALSE } },
    { "\\above", { "\\atop", FALSE } },
    { "\\overwithdelims", { "\\over", TRUE } },
    { "\\atopwithdelims", { "\\atop", FALSE } },
    { "\\abovewithdelims", { "\\atop", FALSE } },
    /* These draw their sign over or under an empty argument. */
    { "\\overbrace", { "@{}", TRUE } },
    { "\\overrightarrow", { "@{}", TRUE } },
    { "\\overleftarrow", { "@{}", TRUE } },
    { "\\overleftrightarrow", { "@{}", TRUE } },
    { "\\underrightarrow", { "@{}", TRUE } },
    { "\\underleftarrow", { "@{}", TRUE } },
    { "\\underleftrightarrow", { "@{}", TRUE } },
    /* The rule that these draw belongs to no element. */
    { "\\boxed", { "@{}", FALSE } },
    { "\\fbox", { "@{}", FALSE } },
    { "\\cfrac", { "@{}", FALSE } },
    { "\\operatorname*", { "\\mathop{}", FALSE } },
    { "\\textcircled", { "\\kern13pt ", FALSE } }, /* from a font that the template lacks */
    { "\\root", { "", .is_fatal = TRUE } },
    { "\\genfrac", { "", .is_guess = TRUE } }, /* delimiters become text */
};

static const char *const undefined[] = {
#include "cdm_undefined.inc"
};

static gboolean is_control_word(const char *token)
{
    return token[0] == '\\' && g_ascii_isalpha(token[1]) &&
           tg_cdm_command_length(token) == strlen(token);
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
    static const TgCdmSeparated itself = { "@", TRUE }, nothing = { "", FALSE };
    static const TgCdmSeparated over_nothing = { "@{}", TRUE };
    const char *name = token + 1;

    if (strcmp(token, "\\operatorname*") != 0 && !is_control_word(token))
        return has_character(token, is_chinese) ? itself : nothing;
    if (tg_row_of_text(token, strlen(token), undefined, G_N_ELEMENTS(undefined),
                       sizeof undefined[0]) != NULL)
        return nothing;
    for (guint i = 0; i < G_N_ELEMENTS(drawn_as); i++)
        if (strcmp(drawn_as[i].token, token) == 0)
            return drawn_as[i].drawn;
    const TgSymbol *symbol = tg_symbol_find(name, strlen(name));
    if (symbol != NULL && symbol->family == TG_MATH_FAMILY_STMARY)
        return nothing;
    if (symbol != NULL)
        return symbol->kind == TG_SYMBOL_ACCENT ? over_nothing : itself;
    const TgCommand *command = tg_command_find(name, strlen(name));
    return command == NULL || (command->flags & TG_COMMAND_ARGS) ? nothing : itself;
}
