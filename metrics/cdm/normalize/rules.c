/* Stage 3 of the official normaliser: textual rules over tokens, and the bracing pass that ends it.
 */
#include "metrics/cdm/normalize/normalize.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/deadline.h"

/* ---- Lists of tokens, and the braces in them ------------------------------------------------- */

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

/* ---- The rules ------------------------------------------------------------------------------- */

/* Which inputs a rule is for. */
typedef enum { FORMULAS, TABLES, BOTH } Scope;

/* Which vocabularies have a rule. */
typedef enum { ANY_VOCABULARY, ONLY_2025, ONLY_2024 } Vintage;

/* What is done with the text that a pattern matches. */
typedef enum {
    REPLACE,        /* the pattern is plain text; the replacement takes its place */
    REPLACE_TOKEN,  /* as before, but whole tokens only */
    SPELL,          /* `\sin` becomes `\mathrm { s i n }` */
    DELETE,         /* it goes */
    JOIN,           /* its spaces go */
    JOIN_KEEP_END,  /* ... all but the last one */
    JOIN_PREAMBLE,  /* ... all but the one behind `\begin{array}` */
    JOIN_TO_BRACE,  /* ... and one is put before its last character */
    JOIN_IN_BRACES, /* ... all but those inside the braces around it */
    CALL,           /* a function of its own */
} Action;

typedef struct {
    Scope scope;
    Action action;
    const char *pattern;
    const char *replacement;
    void (*call)(TgCdmText *text);
    Vintage vintage;
} Rule;

/* ---- rules that are no patterns ---- */

/* Make one token of those from @from to @to. */
static void glue_tokens(GPtrArray *tokens, guint from, guint to)
{
    g_autoptr(GString) joined = g_string_new(NULL);

    for (guint i = from; i <= to; i++)
        g_string_append(joined, tokens->pdata[i]);
    g_ptr_array_remove_range(tokens, from, to - from + 1);
    g_ptr_array_insert(tokens, (gint) from, g_strdup(joined->str));
}

static void join_tokens(TgCdmText *text, const GPtrArray *tokens)
{
    g_autofree char *joined = tg_cdm_join(tokens);

    tg_cdm_text_splice(text, 0, text->string->len, joined);
}

/* The first `\begin{tabular}` and its preamble become one token. */
static void glue_table_preamble(TgCdmText *text)
{
    g_autoptr(GPtrArray) tokens = tg_cdm_split(text->string->str);
    guint end;

    for (guint i = 0; i < tokens->len; i++)
        if (tg_cdm_token_is(tokens, i, "\\begin{tabular}")) {
            if (tg_cdm_find_closing(tokens, i + 1, "{", "}", &end))
                glue_tokens(tokens, i, end);
            break;
        }
    join_tokens(text, tokens);
}

/* `\cmidrule ( l ) { 1 - 2 }` becomes one token. */
static void glue_table_lines(TgCdmText *text)
{
    g_autoptr(GPtrArray) tokens = tg_cdm_split(text->string->str);
    guint end;

    for (guint i = 0; i < tokens->len; i++) {
        guint group = i + 1;

        if (!tg_cdm_token_is(tokens, i, "\\cmidrule") && !tg_cdm_token_is(tokens, i, "\\cline"))
            continue;
        if (tg_cdm_token_is(tokens, group, "(")) {
            if (!tg_cdm_find_closing(tokens, group, "(", ")", &end))
                continue;
            group = end + 1;
        }
        if (tg_cdm_find_closing(tokens, group, "{", "}", &end))
            glue_tokens(tokens, i, end);
    }
    join_tokens(text, tokens);
}

static void pad_text(TgCdmText *text)
{
    tg_cdm_text_splice(text, 0, 0, " ");
    tg_cdm_text_splice(text, text->string->len, text->string->len, " ");
}

/* ---- the rules, in their order ---- */

#define LENGTH " \\{[ .0-9a-z]+\\}"
#define COLOUR "[ \\[\\]RGBrgb]+\\{ [A-Za-z 0-9,!]+ \\} "
/* Plain text, so of two neighbours that share a space the second stays. */
#define DOTS_2024(name)                                                                            \
    {                                                                                              \
        BOTH, REPLACE, " \\" name " ", " . . . ", NULL, ONLY_2024                                  \
    }
#define SPELLED_2024(name, letters)                                                                \
    {                                                                                              \
        BOTH, REPLACE, " \\" name " ", " \\mathrm { " letters " } ", NULL, ONLY_2024               \
    }
#define BIG "\\\\[Bb]igg?[glrm]? "

static const Rule rules[] = {
    { BOTH, REPLACE, "\\pmatrix", "\\mypmatrix", NULL },
    { BOTH, REPLACE, "\\matrix", "\\mymatrix", NULL },
    { BOTH, REPLACE, "\\raggedright", "", NULL },
    { BOTH, REPLACE, "\\arraybackslash", "", NULL },
    { BOTH, REPLACE, "\\lowercase", "", NULL },
    { BOTH, REPLACE, "\\uppercase", "", NULL },
    { FORMULAS, JOIN, "\\\\[hv]space \\{ [.0-9a-z ]+ \\}", NULL, NULL },
    { TABLES, DELETE, "\\\\[hv]space \\{ [.0-9a-z ]+ \\}", NULL, NULL },
    { TABLES, REPLACE, "\\begin {tabular}", "\\begin{tabular}", NULL },
    { TABLES, REPLACE, "\\end {tabular}", "\\end{tabular}", NULL },
    { TABLES, REPLACE, "\\begin {array}", "\\begin{array}", NULL },
    { TABLES, REPLACE, "\\end {array}", "\\end{array}", NULL },
    { TABLES, CALL, NULL, NULL, glue_table_preamble },
    { TABLES, CALL, NULL, NULL, glue_table_lines },
    { BOTH, JOIN_PREAMBLE, "\\\\begin\\{array\\} \\{ [lrc ]+ \\}", NULL, NULL },
    { BOTH, CALL, NULL, NULL, pad_text },
    { BOTH, REPLACE_TOKEN, "--", "- -", NULL, ONLY_2025 },
    { BOTH, REPLACE_TOKEN, "---", "- - -", NULL, ONLY_2025 },
    { BOTH, REPLACE_TOKEN,
      "…|\\\\(?:ldots|hdots|cdots|dddot|dots|dotsc|dotsi|dotsm|dotso|dotsb|mathellipsis)", ". . .",
      NULL, ONLY_2025 },
    { BOTH, SPELL,
      "\\\\(?:ex|ln|lg|cot|mod|bmod|pmod|min|max|ker|hom|sec|scs|csc|deg|arg|log|dim|exp|sin|cos|"
      "tan|"
      "tanh|cosh|sinh|coth|arcsin|arccos|arctan)",
      NULL, NULL, ONLY_2025 },
    DOTS_2024("ldots"),
    DOTS_2024("cdots"),
    DOTS_2024("dots"),
    DOTS_2024("dotsb"),
    SPELLED_2024("log", "l o g"),
    SPELLED_2024("exp", "e x p"),
    SPELLED_2024("sin", "s i n"),
    SPELLED_2024("cos", "c o s"),
    SPELLED_2024("tan", "t a n"),
    SPELLED_2024("tanh", "t a n h"),
    SPELLED_2024("cosh", "c o s h"),
    SPELLED_2024("sinh", "s i n h"),
    { BOTH, JOIN, "\\\\not [<>+=-]", NULL, NULL, ONLY_2024 },
    { BOTH, JOIN_KEEP_END, "\\\\not \\\\[^ ]+ ", NULL, NULL, ONLY_2024 },
    { BOTH, JOIN_KEEP_END, "\\\\string [^ ]+ ", NULL, NULL, ONLY_2025 },
    { BOTH, JOIN_KEEP_END, BIG "[(){}|\\[\\]] ", NULL, NULL },
    { BOTH, JOIN_KEEP_END, BIG "\\\\.*? ", NULL, NULL },
    { BOTH, REPLACE, "\\operatorname *", "\\operatorname", NULL },
    { BOTH, REPLACE, "\\lefteqn", "", NULL },
    { BOTH, REPLACE, "\\footnote ", "^ ", NULL },
    { BOTH, JOIN_KEEP_END, "\\\\' [^{] ", NULL, NULL },
    { TABLES, JOIN, "\\[ [-.0-9 ]+[exptcm ]+ \\]", NULL, NULL },
    { BOTH, JOIN, "\\\\parbox \\{[^{]+\\}", NULL, NULL },
    { BOTH, JOIN_TO_BRACE, "\\\\raisebox \\{[^{]+\\} [\\[\\]0-9 exptcm]+\\{", NULL, NULL },
    { BOTH, JOIN_IN_BRACES, "\\{ \\\\char[0-9' ]+\\}", NULL, NULL },
    { BOTH, JOIN, "\\\\rule" LENGTH LENGTH, NULL, NULL, ONLY_2025 },
    { BOTH, JOIN, "\\\\specialrule" LENGTH LENGTH LENGTH, NULL, NULL },
    { BOTH, DELETE,
      "\\\\colorbox" COLOUR "|\\\\color" COLOUR "|\\\\textcolor" COLOUR "|\\\\cellcolor" COLOUR,
      NULL, NULL },
};

/* The pattern of every rule that has one, compiled once and constant from then on. */
static GRegex *regexes[G_N_ELEMENTS(rules)];

static void make_regexes(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        const gboolean whole_token = rules[i].action == REPLACE_TOKEN || rules[i].action == SPELL;
        g_autofree char *pattern = whole_token
                                       ? g_strdup_printf("(?<=\\s)(?:%s)(?=\\s)", rules[i].pattern)
                                       : g_strdup(rules[i].pattern);

        if (rules[i].action != REPLACE && rules[i].action != CALL)
            regexes[i] = g_regex_new(pattern, G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    }
}

static const GRegex *compiled(guint rule)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_regexes);
    return regexes[rule];
}

/* ---- applying them ---- */

static char *without_spaces(const char *text, gsize length)
{
    g_autoptr(GString) out = g_string_new_len(text, (gssize) length);

    g_string_replace(out, " ", "", 0);
    return g_strdup(out->str);
}

static char *replacement_for(const Rule *rule, const char *match)
{
    static const char begin[] = "\\begin{array}";
    const gsize length = strlen(match);
    g_autofree char *joined = without_spaces(match, length);

    switch (rule->action) {
    case JOIN:
        return g_steal_pointer(&joined);
    case JOIN_KEEP_END:
        return g_strconcat(joined, " ", NULL);
    case JOIN_PREAMBLE:
        return g_strconcat(begin, " ", joined + strlen(begin), NULL);
    case JOIN_TO_BRACE:
        joined[strlen(joined) - 1] = '\0';
        return g_strconcat(joined, " {", NULL);
    case JOIN_IN_BRACES:
        joined[strlen(joined) - 1] = '\0';
        return g_strconcat("{ ", joined + 1, " }", NULL);
    default:
        return g_strdup("");
    }
}

/* Every occurrence of every text that matches, also where it stands inside something else. */
static void replace_matches(TgCdmText *text, const Rule *rule, const GRegex *regex)
{
    g_autoptr(GPtrArray) matches = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GMatchInfo) info = NULL;

    g_regex_match(regex, text->string->str, 0, &info);
    while (g_match_info_matches(info)) {
        g_ptr_array_add(matches, g_match_info_fetch(info, 0));
        if (!g_match_info_next(info, NULL))
            break;
    }
    for (guint i = 0; i < matches->len && !tg_too_long(text->string->len / 8); i++) {
        g_autofree char *replacement = replacement_for(rule, matches->pdata[i]);
        tg_cdm_text_replace(text, matches->pdata[i], replacement, 0);
    }
}

/* The operator at @start to @end, letter by letter; the modulo family is all one. */
static void put_spelled(TgCdmText *out, const TgCdmText *text, gsize start, gsize end)
{
    const TgCdmRange none = { 0, 0 };
    const gboolean is_modulo = strncmp(text->string->str + end - 3, "mod", 3) == 0;

    tg_cdm_text_append(out, "\\mathrm {", none);
    for (gsize i = is_modulo ? end - 3 : start + 1; i < end; i++) {
        tg_cdm_text_append(out, " ", none);
        tg_cdm_text_copy(out, text, i, i + 1);
    }
    tg_cdm_text_append(out, " }", none);
}

static void replace_tokens(TgCdmText *text, const Rule *rule, const GRegex *regex)
{
    g_autoptr(GMatchInfo) info = NULL;
    gint start, end, done = 0;

    if (!g_regex_match(regex, text->string->str, 0, &info))
        return;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    do {
        g_match_info_fetch_pos(info, 0, &start, &end);
        tg_cdm_text_copy(out, text, (gsize) done, (gsize) start);
        if (rule->action == SPELL)
            put_spelled(out, text, (gsize) start, (gsize) end);
        else
            tg_cdm_text_put(out, rule->replacement, text, (gsize) start, (gsize) end);
        done = end;
    } while (g_match_info_next(info, NULL));
    tg_cdm_text_copy(out, text, (gsize) done, text->string->len);
    tg_cdm_text_swap(text, out);
}

static void apply_rule(TgCdmText *text, guint i)
{
    const Rule *rule = &rules[i];

    switch (rule->action) {
    case REPLACE:
        tg_cdm_text_replace(text, rule->pattern, rule->replacement, 0);
        break;
    case REPLACE_TOKEN:
    case SPELL:
        replace_tokens(text, rule, compiled(i));
        break;
    case CALL:
        rule->call(text);
        break;
    default:
        replace_matches(text, rule, compiled(i));
    }
}

void tg_cdm_apply_rules(TgCdmText *tokens, gboolean is_table, TgCdmVocabulary vocabulary)
{
    const Scope scope = is_table ? TABLES : FORMULAS;
    const Vintage vintage = vocabulary == TG_CDM_VOCABULARY_2024 ? ONLY_2024 : ONLY_2025;

    tg_cdm_text_strip(tokens);
    for (guint i = 0; i < G_N_ELEMENTS(rules) && !tg_too_long(tokens->string->len / 2); i++)
        if ((rules[i].scope == BOTH || rules[i].scope == scope) &&
            (rules[i].vintage == ANY_VOCABULARY || rules[i].vintage == vintage))
            apply_rule(tokens, i);
}
