/* The lexer of the official program's parser. */
#include "metrics/cdm/normalize/lexer.h"

#include <string.h>

static const char spaces[] = " \t\n\r";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static gboolean begins_no_token(gunichar c)
{
    return c < 0x20 || c == 0x2028 || c == 0x2029 || (c >= 0xE000 && c <= 0xF8FF);
}

static TgCdmToken make_token(TgCdmTokenKind kind, const char *start, const char *end)
{
    return (TgCdmToken){ kind, start, end };
}

/* A backslash with the letters behind it, or with any one other character. */
static TgCdmToken lex_command(const char *input)
{
    const gsize n_letters = strspn(input + 1, letters);

    if (n_letters > 0)
        return make_token(TG_CDM_TOKEN_TEXT, input, input + 1 + n_letters);
    if (input[1] == '\0' || g_utf8_get_char(input + 1) > 0xFFFF)
        return make_token(TG_CDM_TOKEN_BAD, input, input);
    return make_token(TG_CDM_TOKEN_TEXT, input, g_utf8_next_char(input + 1));
}

TgCdmToken tg_cdm_lex(const char *input, gboolean text_mode)
{
    const gsize n_spaces = strspn(input, spaces);

    if (n_spaces > 0 && text_mode)
        return make_token(TG_CDM_TOKEN_SPACE, input, input + n_spaces);
    input += n_spaces;
    if (*input == '\0')
        return make_token(TG_CDM_TOKEN_END, input, input);
    if (*input == '\\')
        return lex_command(input);
    if (g_str_has_prefix(input, "--"))
        return make_token(TG_CDM_TOKEN_TEXT, input, input + (input[2] == '-' ? 3 : 2));
    if (begins_no_token(g_utf8_get_char(input)))
        return make_token(TG_CDM_TOKEN_BAD, input, input);
    return make_token(TG_CDM_TOKEN_TEXT, input, g_utf8_next_char(input));
}

/* Digits with or without a decimal point as a number is printed: `.50` as 0.5, `2.` as 2. */
static char *tidy_number(const char *digits, gsize length)
{
    g_autoptr(GString) text = g_string_new_len(digits, (gssize) length);

    while (text->str[0] == '0')
        g_string_erase(text, 0, 1);
    if (strchr(text->str, '.') != NULL) {
        while (g_str_has_suffix(text->str, "0"))
            g_string_truncate(text, text->len - 1);
        if (g_str_has_suffix(text->str, "."))
            g_string_truncate(text, text->len - 1);
    }
    if (text->len == 0 || text->str[0] == '.')
        g_string_prepend_c(text, '0');
    return g_strdup(text->str);
}

TgCdmToken tg_cdm_lex_size(const char *input, char **size)
{
    const char *start = input + strspn(input, spaces), *p = start;
    const gboolean minus = *p == '-';

    p += minus;
    p += strspn(p, spaces);
    const char *digits = p;
    p += strspn(p, "0123456789");
    gsize n_digits = (gsize) (p - digits);
    if (*p == '.') {
        const gsize n_decimals = strspn(p + 1, "0123456789");

        p += 1 + n_decimals;
        n_digits += n_decimals;
    }
    const char *unit = p + strspn(p, spaces);
    if (n_digits == 0 || !g_ascii_islower(unit[0]) || !g_ascii_islower(unit[1]))
        return make_token(TG_CDM_TOKEN_BAD, input, input);

    g_autofree char *number = tidy_number(digits, (gsize) (p - digits));
    const char *sign = minus && strcmp(number, "0") != 0 ? "-" : "";
    *size = g_strdup_printf("%s%s %.2s", sign, number, unit);
    return make_token(TG_CDM_TOKEN_TEXT, start, unit + 2);
}

TgCdmToken tg_cdm_lex_color(const char *input)
{
    const char *start = input + strspn(input, spaces), *p = start;

    if (*p == '#')
        for (p++; g_ascii_isalnum(*p); p++)
            ;
    else
        p += strspn(p, letters);
    return p - start > (*start == '#') ? make_token(TG_CDM_TOKEN_TEXT, start, p)
                                       : make_token(TG_CDM_TOKEN_BAD, input, input);
}
