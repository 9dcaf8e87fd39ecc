/* The official programs' canonical names of tokens: the rules; their tables are synonyms*.tsv. */
#include <string.h>

#include "core/search.h"
#include "metrics/cdm/draw/draw.h"

/* @text without any occurrence of @part. */
static char *without_part(const char *text, const char *part)
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

static const char *find_synonym(const char *token, const TgCdmSynonym *table, guint n)
{
    const TgCdmSynonym *synonym = tg_row_of_text(token, strlen(token), table, n, sizeof *table);

    return synonym != NULL ? synonym->canonical : token;
}

static char *without_left_and_right(const char *token)
{
    g_autofree char *without_left = without_part(token, "\\left");

    return without_part(without_left, "\\right");
}

static gboolean begins_with_left_or_right(const char *token)
{
    return g_str_has_prefix(token, "\\left") || g_str_has_prefix(token, "\\right");
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

/* `\left(` becomes `(`; angle brackets and arrows keep their command. */
static char *canonical_2025(const char *token)
{
    static const char *const kept[] = { "arrow", "harpoon", "<", ">", NULL };
    g_autofree char *plain = begins_with_left_or_right(token) && !holds_any(token, kept)
                                 ? without_left_and_right(token)
                                 : g_strdup(token);
    const char *name = find_synonym(strip_big(plain), tg_cdm_synonyms, tg_cdm_n_synonyms);

    if (g_str_has_prefix(name, "\\wide"))
        return without_part(name, "wide");
    if (g_str_has_prefix(name, "\\var"))
        return without_part(name, "var");
    if (g_str_has_prefix(name, "\\string"))
        return without_part(name, "\\string");
    return g_strdup(name);
}

/* The table comes first, and arrows lose their side, too: `\to`, `\rightarrow` and `\leftarrow`
 * are one symbol. `\varphi` becomes `phi`, which is not `\phi`. */
static char *canonical_2024(const char *token)
{
    const char *known = find_synonym(token, tg_cdm_synonyms_2024, tg_cdm_n_synonyms_2024);
    g_autofree char *plain =
        begins_with_left_or_right(known) ? without_left_and_right(known) : g_strdup(known);
    const char *name = strip_big(plain);

    if (strcmp(name, "\\leq") == 0 || strcmp(name, "\\geq") == 0)
        return g_strndup(name, strlen(name) - 1);
    if (strcmp(name, "\\Vert") == 0 || strcmp(name, "\\lVert") == 0 || strcmp(name, "\\rVert") == 0)
        return g_strdup("\\|");
    if (strcmp(name, "\\vert") == 0 || strcmp(name, "\\lvert") == 0 || strcmp(name, "\\rvert") == 0)
        return g_strdup("|");
    if (g_str_has_suffix(name, "rightarrow"))
        return g_strdup("\\rightarrow");
    if (g_str_has_suffix(name, "leftarrow"))
        return g_strdup("\\leftarrow");
    if (g_str_has_prefix(name, "\\wide"))
        return without_part(name, "wide");
    return g_str_has_prefix(name, "\\var") ? without_part(name, "\\var") : g_strdup(name);
}

/* Whether a token can only be changed by the table: it is no command that has a size, a side or a
 * variant, and no chunk that ends like one. */
static gboolean is_plain(const char *token, TgCdmVocabulary vocabulary)
{
    if (vocabulary == TG_CDM_VOCABULARY_2025)
        return token[0] != '\\' || strchr("lrbBwvs", token[1]) == NULL;
    return token[0] != '\\' && strstr(token, "arrow") == NULL;
}

const char *tg_cdm_canonical_token(const char *token, TgCdmVocabulary vocabulary,
                                   GPtrArray **others)
{
    const gboolean is_2024 = vocabulary == TG_CDM_VOCABULARY_2024;
    const char *known = is_2024 ? find_synonym(token, tg_cdm_synonyms_2024, tg_cdm_n_synonyms_2024)
                                : find_synonym(token, tg_cdm_synonyms, tg_cdm_n_synonyms);

    if (known == token && is_plain(token, vocabulary))
        return token;
    char *canonical = is_2024 ? canonical_2024(token) : canonical_2025(token);
    if (*others == NULL)
        *others = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(*others, canonical);
    return canonical;
}
