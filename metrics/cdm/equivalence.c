/* The official program's canonical names of tokens: its rules; its table is synonyms.tsv. */
#include "metrics/cdm/equivalence.h"

#include <stdlib.h>
#include <string.h>

static int compare_tokens(const void *token, const void *row)
{
    return strcmp(token, ((const TgCdmSynonym *) row)->token);
}

/* @text without any occurrence of @part. */
static char *without(const char *text, const char *part)
{
    g_auto(GStrv) pieces = g_strsplit(text, part, -1);

    return g_strjoinv(NULL, pieces);
}

static gboolean holds_any(const char *text, const char *const *parts)
{
    for (; *parts != NULL; parts++)
        if (strstr(text, *parts) != NULL)
            return TRUE;
    return FALSE;
}

/* `\left(` becomes `(`; angle brackets and arrows keep their command. */
static char *strip_left_right(const char *token)
{
    static const char *const kept[] = { "arrow", "harpoon", "<", ">", NULL };

    if ((!g_str_has_prefix(token, "\\left") && !g_str_has_prefix(token, "\\right")) ||
        holds_any(token, kept))
        return g_strdup(token);
    g_autofree char *without_left = without(token, "\\left");
    return without(without_left, "\\right");
}

/* `\Big\|` becomes `\|` and `\bigl(` becomes `(`: the text after the last backslash, or else
 * the last character. */
static const char *strip_big(char *token)
{
    if (!g_str_has_prefix(token, "\\big") && !g_str_has_prefix(token, "\\Big"))
        return token;

    const char *backslash = strrchr(token + strlen("\\big"), '\\');
    if (backslash != NULL)
        return backslash;
    return g_utf8_find_prev_char(token, token + strlen(token));
}

char *tg_cdm_canonical_token(const char *token)
{
    g_autofree char *plain = strip_left_right(token);
    const char *name = strip_big(plain);

    const TgCdmSynonym *synonym =
        bsearch(name, tg_cdm_synonyms, tg_cdm_n_synonyms, sizeof *synonym, compare_tokens);
    if (synonym != NULL)
        name = synonym->canonical;
    if (g_str_has_prefix(name, "\\wide"))
        return without(name, "wide");
    if (g_str_has_prefix(name, "\\var"))
        return without(name, "var");
    if (g_str_has_prefix(name, "\\string"))
        return without(name, "\\string");
    return g_strdup(name);
}
