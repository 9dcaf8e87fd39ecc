/* Cuts a text into the tokens of pylatexenc's LatexWalker. */
#include "metrics/cdm/tolerant/scan.h"

#include <string.h>

static gsize scan_space(const char *text, gsize at)
{
    while (text[at] != '\0' && tg_cdm_is_space(g_utf8_get_char(text + at)))
        at = (gsize) (g_utf8_next_char(text + at) - text);
    return at;
}

static gsize scan_next(const char *text, gsize at)
{
    return (gsize) (g_utf8_next_char(text + at) - text);
}

/* A letter, digit or mark that a name of an environment may have. */
static gboolean scan_is_name(gunichar c)
{
    return g_unichar_isalnum(c) || (c != 0 && c < 0x80 && strchr("_* .-", (gint) c) != NULL);
}

/* `{name}` behind `\begin`: without one, its six letters are ordinary characters. */
static void scan_environment(TgCdmScanToken *token, const char *text, TgCdmScanKind kind)
{
    const gsize open = scan_space(text, token->end);
    gsize at = open + 1;

    token->kind = TG_CDM_SCAN_CHARACTER;
    if (text[open] != '{')
        return;
    while (scan_is_name(g_utf8_get_char(text + at)))
        at = scan_next(text, at);
    if (at == open + 1 || text[at] != '}')
        return;
    token->kind = kind;
    token->name = open + 1;
    token->name_end = at;
    token->end = at + 1;
}

static gboolean scan_name_is(const TgCdmScanToken *token, const char *text, const char *name)
{
    return token->name_end - token->name == strlen(name) &&
           strncmp(text + token->name, name, strlen(name)) == 0;
}

static void scan_macro(TgCdmScanToken *token, const char *text, gboolean environments)
{
    gsize at = token->start + 1;
    const gboolean is_word = g_unichar_isalpha(g_utf8_get_char(text + at));

    do
        at = scan_next(text, at);
    while (is_word && g_unichar_isalpha(g_utf8_get_char(text + at)));
    token->kind = TG_CDM_SCAN_MACRO;
    token->name = token->start + 1;
    token->name_end = token->end = at;
    if (strchr("[]()", text[token->name]) != NULL)
        token->kind = TG_CDM_SCAN_MATH;
    else if (environments && scan_name_is(token, text, "begin"))
        scan_environment(token, text, TG_CDM_SCAN_BEGIN);
    else if (environments && scan_name_is(token, text, "end"))
        scan_environment(token, text, TG_CDM_SCAN_END);
    else if (is_word)
        token->end = scan_space(text, at);
}

/* The length of what stands at @p and belongs together; 0: nothing special. */
static gsize scan_specials(const char *p)
{
    static const char *const specials[] = { "---", "--", "``", "''", "!`", "?`", "&", "~" };

    for (guint i = 0; i < G_N_ELEMENTS(specials); i++)
        if (g_str_has_prefix(p, specials[i]))
            return strlen(specials[i]);
    return 0;
}

TgCdmScanToken tg_cdm_scan(const char *text, gsize at, gboolean brackets, gboolean environments)
{
    const gsize start = scan_space(text, at);
    const char *p = text + start;
    TgCdmScanToken token = { TG_CDM_SCAN_CHARACTER, at, start, start, 0, 0 };

    if (*p == '\0' || strcmp(p, "\\") == 0) {
        token.kind = TG_CDM_SCAN_END_OF_TEXT;
    } else if (*p == '\\') {
        scan_macro(&token, text, environments);
    } else if (*p == '{' || (brackets && *p == '[')) {
        token.kind = TG_CDM_SCAN_OPEN;
        token.end = start + 1;
    } else if (*p == '}' || (brackets && *p == ']')) {
        token.kind = TG_CDM_SCAN_CLOSE;
        token.end = start + 1;
    } else if (*p == '$') {
        token.kind = TG_CDM_SCAN_MATH;
        token.end = start + (p[1] == '$' ? 2 : 1);
    } else if (scan_specials(p) > 0) {
        token.kind = TG_CDM_SCAN_SPECIALS;
        token.end = start + scan_specials(p);
    } else {
        token.end = scan_next(text, start);
    }
    return token;
}
