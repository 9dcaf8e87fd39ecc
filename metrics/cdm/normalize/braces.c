/* The bracing pass that ends stage 3: commands get a brace group for every argument. */
#include "metrics/cdm/normalize/braces.h"

#include <stdlib.h>
#include <string.h>

#include "core/deadline.h"

typedef struct {
    const char *token;
    TgCdmRole role;
    gboolean since_2025;
} Role;

/* Sorted by strcmp(). */
static const Role roles[] = {
    { "\\Bar", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\Ddot", TG_CDM_ROLE_ONE_VISIBLE, TRUE },
    { "\\Tilde", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\Vec", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\bar", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\binom", TG_CDM_ROLE_TWO_VISIBLE, FALSE },
    { "\\boldsymbol", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\breve", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\check", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\ddddot", TG_CDM_ROLE_ONE_VISIBLE, TRUE },
    { "\\dddot", TG_CDM_ROLE_ONE_VISIBLE, TRUE },
    { "\\ddot", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\dot", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\emph", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\frac", TG_CDM_ROLE_TWO_VISIBLE, FALSE },
    { "\\hat", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\mathbb", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\mathbf", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\mathbin", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\mathcal", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\mathfrak", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\mathop", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\mathring", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\mathrm", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\operatorname", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\overline", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\overset", TG_CDM_ROLE_TWO_INVISIBLE, FALSE },
    { "\\pmb", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\smash", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\sqrt", TG_CDM_ROLE_BRACKET, FALSE },
    { "\\stackrel", TG_CDM_ROLE_TWO_INVISIBLE, FALSE },
    { "\\text", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\textbf", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\textit", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\textmd", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\textnormal", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\textrm", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\textsc", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\textsf", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\texttt", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\textup", TG_CDM_ROLE_ONE_INVISIBLE, FALSE },
    { "\\tilde", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\underbrace", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\underline", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\underset", TG_CDM_ROLE_TWO_INVISIBLE, FALSE },
    { "\\vec", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\widehat", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\widetilde", TG_CDM_ROLE_ONE_VISIBLE, FALSE },
    { "\\xleftarrow", TG_CDM_ROLE_BRACKET, FALSE },
    { "\\xrightarrow", TG_CDM_ROLE_BRACKET, FALSE },
};

static int compare_role(const void *token, const void *row)
{
    return strcmp(token, ((const Role *) row)->token);
}

TgCdmRole tg_cdm_role(const char *token, TgCdmVocabulary vocabulary)
{
    if (*token != '\\')
        return TG_CDM_ROLE_NONE;
    const Role *row = bsearch(token, roles, G_N_ELEMENTS(roles), sizeof roles[0], compare_role);
    if (row == NULL || (row->since_2025 && vocabulary != TG_CDM_VOCABULARY_2025))
        return TG_CDM_ROLE_NONE;
    return row->role;
}

GPtrArray *tg_cdm_split(const char *text)
{
    GPtrArray *tokens = g_ptr_array_new_with_free_func(g_free);

    for (;;) {
        const gsize length = strcspn(text, " ");

        g_ptr_array_add(tokens, g_strndup(text, length));
        if (text[length] == '\0')
            return tokens;
        text += length + 1;
    }
}

char *tg_cdm_join(const GPtrArray *tokens)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < tokens->len; i++) {
        if (i > 0)
            g_string_append_c(out, ' ');
        g_string_append(out, tokens->pdata[i]);
    }
    return g_strdup(out->str);
}

gboolean tg_cdm_token_is(const GPtrArray *tokens, guint at, const char *wanted)
{
    return at < tokens->len && strcmp(tokens->pdata[at], wanted) == 0;
}

gboolean tg_cdm_find_closing(const GPtrArray *tokens, guint start, const char *open,
                             const char *close, guint *end)
{
    gint depth = 0;

    for (guint i = start; i < tokens->len; i++) {
        if (tg_cdm_token_is(tokens, i, open)) {
            depth++;
        } else if (tg_cdm_token_is(tokens, i, close) && --depth == 0) {
            *end = i;
            (void) tg_too_long(i - start); /* counted for those that call */
            return TRUE;
        }
    }
    (void) tg_too_long(tokens->len);
    return FALSE;
}

static void insert_token(GPtrArray *tokens, guint at, const char *token)
{
    (void) tg_too_long((tokens->len - at) / 16);
    g_ptr_array_insert(tokens, (gint) at, g_strdup(token));
}

/* The token at @at, whatever it is, becomes a group unless it begins one; FALSE past the end. */
static gboolean brace_token(GPtrArray *tokens, guint at)
{
    if (at >= tokens->len)
        return FALSE;
    if (!tg_cdm_token_is(tokens, at, "{")) {
        insert_token(tokens, at + 1, "}");
        insert_token(tokens, at, "{");
    }
    return TRUE;
}

static gboolean takes_one(const char *token, TgCdmVocabulary vocabulary)
{
    const TgCdmRole role = tg_cdm_role(token, vocabulary);

    return role == TG_CDM_ROLE_ONE_VISIBLE || role == TG_CDM_ROLE_ONE_INVISIBLE;
}

/* `\hat \bar x` becomes `\hat { \bar { x } }`: the commands of a chain are put into each other. */
static gboolean brace_chain(GPtrArray *tokens, guint at, TgCdmVocabulary vocabulary)
{
    guint content = at + 1, end;

    while (content < tokens->len && !tg_too_long(100) &&
           takes_one(tokens->pdata[content], vocabulary))
        content++;
    if (!brace_token(tokens, content) || !tg_cdm_find_closing(tokens, content, "{", "}", &end))
        return FALSE;
    for (guint k = content - 1; k > at; k--) {
        insert_token(tokens, ++end, "}");
        insert_token(tokens, k, "{");
        end++;
    }
    return TRUE;
}

static gboolean brace_after_brackets(GPtrArray *tokens, guint at)
{
    guint end = at;

    if (tg_cdm_token_is(tokens, at + 1, "[") &&
        !tg_cdm_find_closing(tokens, at + 1, "[", "]", &end))
        return FALSE;
    return brace_token(tokens, end + 1);
}

static gboolean brace_two(GPtrArray *tokens, guint at)
{
    guint end;

    return brace_token(tokens, at + 1) && tg_cdm_find_closing(tokens, at + 1, "{", "}", &end) &&
           brace_token(tokens, end + 1);
}

static gboolean brace_arguments(GPtrArray *tokens, guint at, TgCdmVocabulary vocabulary)
{
    switch (tg_cdm_role(tokens->pdata[at], vocabulary)) {
    case TG_CDM_ROLE_ONE_VISIBLE:
    case TG_CDM_ROLE_ONE_INVISIBLE:
        return brace_chain(tokens, at, vocabulary);
    case TG_CDM_ROLE_BRACKET:
        return brace_after_brackets(tokens, at);
    case TG_CDM_ROLE_TWO_VISIBLE:
    case TG_CDM_ROLE_TWO_INVISIBLE:
        return brace_two(tokens, at);
    default:
        return TRUE;
    }
}

/* The new @tokens become the text. Braces were added, everything else stands in its old order. */
static void assign_tokens(TgCdmText *text, const GPtrArray *tokens)
{
    const TgCdmRange none = { 0, 0 };
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    const char *string = text->string->str, *old = string;

    for (guint i = 0; i < tokens->len; i++) {
        const char *token = tokens->pdata[i];
        const gsize length = strlen(token);

        if (i > 0)
            tg_cdm_text_append(out, " ", none);
        if (strcspn(old, " ") == length && strncmp(old, token, length) == 0) {
            tg_cdm_text_copy(out, text, (gsize) (old - string), (gsize) (old - string) + length);
            old += length + (old[length] == ' ');
        } else {
            tg_cdm_text_append(out, token, none);
        }
    }
    tg_cdm_text_swap(text, out);
}

gboolean tg_cdm_fill_braces(TgCdmText *text, TgCdmVocabulary vocabulary)
{
    g_autoptr(GPtrArray) tokens = tg_cdm_split(text->string->str);

    for (guint at = 0; at < tokens->len; at++)
        if (tg_too_long(50) || !brace_arguments(tokens, at, vocabulary))
            return FALSE;
    assign_tokens(text, tokens);
    return TRUE;
}
