/* The official programs' canonical names of tokens: the rules; their tables are synonyms*.tsv. */
#include <string.h>

#include "core/search.h"
#include "metrics/cdm/draw/draw.h"

static void delete_all(GString *name, const char *part)
{
    g_string_replace(name, part, "", 0);
}

static const char *find_synonym(const char *token, const TgCdmSynonym *table, guint n)
{
    const TgCdmSynonym *synonym = tg_row_of_text(token, strlen(token), table, n, sizeof *table);

    return synonym != NULL ? synonym->canonical : token;
}

/* `\left(` becomes `(`. */
static void delete_side(GString *name)
{
    if (!g_str_has_prefix(name->str, "\\left") && !g_str_has_prefix(name->str, "\\right"))
        return;
    delete_all(name, "\\left");
    delete_all(name, "\\right");
}

/* `\Big\|` becomes `\|` and `\bigl(` becomes `(`: the text after the last backslash, or else
 * the last character. */
static void delete_size(GString *name)
{
    const char *token = name->str;

    if (!g_str_has_prefix(token, "\\big") && !g_str_has_prefix(token, "\\Big"))
        return;
    const char *backslash = strrchr(token + strlen("\\big"), '\\');
    const char *rest =
        backslash != NULL ? backslash : g_utf8_find_prev_char(token, token + name->len);
    g_string_erase(name, 0, rest - token);
}

/* Angle brackets and arrows keep their side. */
static void rename_2025(GString *name)
{
    if (strstr(name->str, "arrow") == NULL && strstr(name->str, "harpoon") == NULL &&
        strpbrk(name->str, "<>") == NULL)
        delete_side(name);
    delete_size(name);
    g_string_assign(name, find_synonym(name->str, tg_cdm_synonyms, tg_cdm_n_synonyms));
    if (g_str_has_prefix(name->str, "\\wide"))
        delete_all(name, "wide");
    else if (g_str_has_prefix(name->str, "\\var"))
        delete_all(name, "var");
    else if (g_str_has_prefix(name->str, "\\string"))
        delete_all(name, "\\string");
}

/* The table comes first, and arrows lose their side, too: `\to`, `\rightarrow` and `\leftarrow`
 * are one symbol. `\varphi` becomes `phi`, which is not `\phi`. */
static void rename_2024(GString *name)
{
    static const TgCdmSynonym others[] = {
        { "\\Vert", "\\|" }, { "\\geq", "\\ge" },  { "\\lVert", "\\|" }, { "\\leq", "\\le" },
        { "\\lvert", "|" },  { "\\rVert", "\\|" }, { "\\rvert", "|" },   { "\\vert", "|" },
    };

    g_string_assign(name, find_synonym(name->str, tg_cdm_synonyms_2024, tg_cdm_n_synonyms_2024));
    delete_side(name);
    delete_size(name);
    g_string_assign(name, find_synonym(name->str, others, G_N_ELEMENTS(others)));
    if (g_str_has_suffix(name->str, "rightarrow"))
        g_string_assign(name, "\\rightarrow");
    else if (g_str_has_suffix(name->str, "leftarrow"))
        g_string_assign(name, "\\leftarrow");
    else if (g_str_has_prefix(name->str, "\\wide"))
        delete_all(name, "wide");
    else if (g_str_has_prefix(name->str, "\\var"))
        delete_all(name, "\\var");
}

const char *tg_cdm_canonical_token(const char *token, TgCdmVocabulary vocabulary, GPtrArray *others)
{
    GString *name = g_string_new(token);

    (vocabulary == TG_CDM_VOCABULARY_2024 ? rename_2024 : rename_2025)(name);
    char *canonical = g_string_free(name, FALSE);
    if (strcmp(canonical, token) == 0) {
        g_free(canonical);
        return token;
    }
    g_ptr_array_add(others, canonical);
    return canonical;
}
