/* Stage 3 of the official normalizer: textual rules over tokens, and the bracing pass that ends it.
 */
#include "metrics/cdm/normalize/normalize.h"

#include <pthread.h>
#include <string.h>

#include "core/deadline.h"

/* ---- Lists of tokens, and the braces in them ------------------------------------------------- */

typedef struct {
    TgCdmRole role;
    gboolean since_2025;
    const char *names;
} RoleRow;

static const RoleRow roles[] = {
    { TG_CDM_ROLE_ONE_VISIBLE, FALSE,
      "\\Bar \\Tilde \\Vec \\bar \\breve \\check \\ddot \\dot \\hat \\mathring "
      "\\overline \\tilde \\underbrace \\underline \\vec \\widehat \\widetilde" },
    { TG_CDM_ROLE_ONE_VISIBLE, TRUE, "\\Ddot \\ddddot \\dddot" },
    { TG_CDM_ROLE_TWO_VISIBLE, FALSE, "\\binom \\frac" },
    { TG_CDM_ROLE_ONE_INVISIBLE, FALSE,
      "\\boldsymbol \\emph \\mathbb \\mathbf \\mathbin \\mathcal \\mathfrak \\mathop "
      "\\mathrm \\operatorname \\pmb \\smash \\text \\textbf \\textit \\textmd "
      "\\textnormal \\textrm \\textsc \\textsf \\texttt \\textup" },
    { TG_CDM_ROLE_TWO_INVISIBLE, FALSE, "\\overset \\stackrel \\underset" },
    { TG_CDM_ROLE_BRACKET, FALSE, "\\sqrt \\xleftarrow \\xrightarrow" },
};

/* The parts of @text between single spaces, empty ones included. */
static GPtrArray *split_tokens(const char *text)
{
    GPtrArray *tokens = g_ptr_array_new_with_free_func(g_free);
    g_autofree GStrv parts = g_strsplit(text, " ", -1);

    for (guint i = 0; parts[i] != NULL; i++)
        g_ptr_array_add(tokens, parts[i]);
    return tokens;
}

static gboolean token_is(const GPtrArray *tokens, guint at, const char *wanted)
{
    return at < tokens->len && strcmp(tokens->pdata[at], wanted) == 0;
}

/* Find where a group ends, counting @open and @close from the token at @start on: the index of the
 * closing token; FALSE when it does not end. */
static gboolean find_closing(const GPtrArray *tokens, guint start, const char *open,
                             const char *close, guint *end)
{
    gint depth = 0;

    for (guint i = start; i < tokens->len; i++) {
        if (token_is(tokens, i, open)) {
            depth++;
        } else if (token_is(tokens, i, close) && --depth == 0) {
            *end = i;
            (void) tg_deadline_spend(i - start); /* callers ask whether the time is up */
            return TRUE;
        }
    }
    (void) tg_deadline_spend(tokens->len);
    return FALSE;
}

static void insert_token(GPtrArray *tokens, guint at, const char *token)
{
    (void) tg_deadline_spend((tokens->len - at) / 16);
    g_ptr_array_insert(tokens, (gint) at, g_strdup(token));
}

/* The token at @at, whatever it is, becomes a group unless it begins one; FALSE past the end. */
static gboolean brace_token(GPtrArray *tokens, guint at)
{
    if (at >= tokens->len)
        return FALSE;
    if (!token_is(tokens, at, "{")) {
        insert_token(tokens, at + 1, "}");
        insert_token(tokens, at, "{");
    }
    return TRUE;
}

/* `\hat \bar x` becomes `\hat { \bar { x } }`: the commands of a chain are put into each other. */
static gboolean brace_chain(GPtrArray *tokens, guint at, TgCdmVocabulary vocabulary)
{
    guint content = at + 1, end;

    for (; content < tokens->len && !tg_deadline_spend(100); content++) {
        const TgCdmRole role = tg_cdm_role(tokens->pdata[content], vocabulary);

        if (role != TG_CDM_ROLE_ONE_VISIBLE && role != TG_CDM_ROLE_ONE_INVISIBLE)
            break;
    }
    if (!brace_token(tokens, content) || !find_closing(tokens, content, "{", "}", &end))
        return FALSE;
    for (guint k = content - 1; k > at; k--) {
        insert_token(tokens, ++end, "}");
        insert_token(tokens, k, "{");
        end++;
    }
    return TRUE;
}

static gboolean brace_arguments(GPtrArray *tokens, guint at, TgCdmVocabulary vocabulary)
{
    guint end = at;

    switch (tg_cdm_role(tokens->pdata[at], vocabulary)) {
    case TG_CDM_ROLE_ONE_VISIBLE:
    case TG_CDM_ROLE_ONE_INVISIBLE:
        return brace_chain(tokens, at, vocabulary);
    case TG_CDM_ROLE_BRACKET:
        return (!token_is(tokens, at + 1, "[") || find_closing(tokens, at + 1, "[", "]", &end)) &&
               brace_token(tokens, end + 1);
    case TG_CDM_ROLE_TWO_VISIBLE:
    case TG_CDM_ROLE_TWO_INVISIBLE:
        return brace_token(tokens, at + 1) && find_closing(tokens, at + 1, "{", "}", &end) &&
               brace_token(tokens, end + 1);
    default:
        return TRUE;
    }
}

gboolean tg_cdm_fill_braces(TgCdmText *text, TgCdmVocabulary vocabulary)
{
    g_autoptr(GPtrArray) tokens = split_tokens(text->string->str);
    const guint n_before = tokens->len;

    for (guint at = 0; at < tokens->len; at++)
        if (tg_deadline_spend(50) || !brace_arguments(tokens, at, vocabulary))
            return FALSE;
    if (tokens->len == n_before && text->origins == NULL)
        return TRUE;

    /* braces were added, everything else stands in its old order */
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    const char *string = text->string->str, *old = string;
    for (guint i = 0; i < tokens->len; i++) {
        const char *token = tokens->pdata[i];
        const gsize length = strlen(token);

        if (i > 0)
            tg_cdm_text_append(out, " ", tg_cdm_no_origin);
        if (strcspn(old, " ") == length && strncmp(old, token, length) == 0) {
            tg_cdm_text_copy(out, text, (gsize) (old - string), (gsize) (old - string) + length);
            old += length + (old[length] == ' ');
        } else {
            tg_cdm_text_append(out, token, tg_cdm_no_origin);
        }
    }
    tg_cdm_text_swap(text, out);
    return TRUE;
}

/* ---- The rules ------------------------------------------------------------------------------- */

/* The inputs for which a rule is. */
typedef enum { FORMULAS, TABLES, BOTH } Scope;

/* The vocabularies that have a rule. */
typedef enum { ANY_VOCABULARY, ONLY_2025, ONLY_2024 } RuleVocabulary;

/* The action on the text that a pattern matches. */
typedef enum {
    REPLACE,        /* the pattern is plain text; the replacement takes its place */
    REPLACE_TOKEN,  /* as before, but whole tokens only */
    SPELL,          /* `\sin` becomes `\mathrm { s i n }` */
    DELETE,         /* the match is deleted */
    JOIN,           /* its spaces are deleted */
    JOIN_KEEP_END,  /* ... all but the last one */
    JOIN_PREAMBLE,  /* ... all but the one after `\begin{array}` */
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
    RuleVocabulary vocabulary;
    const char *needs; /* where this is missing, nothing matches: found faster */
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

/* The text becomes @tokens with single spaces between, which end in NULL from then on. */
static void join_tokens(TgCdmText *text, GPtrArray *tokens)
{
    g_ptr_array_add(tokens, NULL);
    g_autofree char *joined = g_strjoinv(" ", (char **) tokens->pdata);
    tg_cdm_text_splice(text, 0, text->string->len, joined);
}

/* The first `\begin{tabular}` and its preamble become one token. */
static void glue_table_preamble(TgCdmText *text)
{
    g_autoptr(GPtrArray) tokens = split_tokens(text->string->str);
    guint end;

    for (guint i = 0; i < tokens->len; i++)
        if (token_is(tokens, i, "\\begin{tabular}")) {
            if (find_closing(tokens, i + 1, "{", "}", &end))
                glue_tokens(tokens, i, end);
            break;
        }
    join_tokens(text, tokens);
}

/* `\cmidrule ( l ) { 1 - 2 }` becomes one token. */
static void glue_table_lines(TgCdmText *text)
{
    g_autoptr(GPtrArray) tokens = split_tokens(text->string->str);
    guint end;

    for (guint i = 0; i < tokens->len; i++) {
        guint group = i + 1;

        if (!token_is(tokens, i, "\\cmidrule") && !token_is(tokens, i, "\\cline"))
            continue;
        if (token_is(tokens, group, "(")) {
            if (!find_closing(tokens, group, "(", ")", &end))
                continue;
            group = end + 1;
        }
        if (find_closing(tokens, group, "{", "}", &end))
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

static const Rule rules[] = {
#include "cdm_rules.inc"
};

/* Constant once they are made: the pattern of every rule that has one, and rows of roles. */
static GRegex *regexes[G_N_ELEMENTS(rules)];
static GHashTable *roles_by_name;

static void make_tables(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        const gboolean whole_token = rules[i].action == REPLACE_TOKEN || rules[i].action == SPELL;
        g_autofree char *pattern = whole_token
                                       ? g_strdup_printf("(?<=\\s)(?:%s)(?=\\s)", rules[i].pattern)
                                       : g_strdup(rules[i].pattern);

        if (rules[i].action != REPLACE && rules[i].action != CALL)
            regexes[i] = g_regex_new(pattern, G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    }
    for (guint i = 0; i < G_N_ELEMENTS(roles); i++)
        tg_cdm_add_names(&roles_by_name, roles[i].names, &roles[i]);
}

static void need_tables(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_tables);
}

TgCdmRole tg_cdm_role(const char *token, TgCdmVocabulary vocabulary)
{
    if (*token != '\\')
        return TG_CDM_ROLE_NONE;
    need_tables();
    const RoleRow *row = g_hash_table_lookup(roles_by_name, token);
    if (row == NULL || (row->since_2025 && vocabulary != TG_CDM_VOCABULARY_2025))
        return TG_CDM_ROLE_NONE;
    return row->role;
}

/* ---- applying them ---- */

static char *replacement_for(Action action, const char *match)
{
    static const char begin[] = "\\begin{array}";
    g_autoptr(GString) joined = g_string_new(action == DELETE ? "" : match);

    g_string_replace(joined, " ", "", 0);
    switch (action) {
    case JOIN_KEEP_END:
        g_string_append_c(joined, ' ');
        break;
    case JOIN_PREAMBLE:
        g_string_insert_c(joined, (gssize) strlen(begin), ' ');
        break;
    case JOIN_TO_BRACE:
        g_string_insert_c(joined, (gssize) joined->len - 1, ' ');
        joined->str[joined->len - 1] = '{';
        break;
    case JOIN_IN_BRACES:
        g_string_insert_c(joined, 1, ' ');
        g_string_insert_c(joined, (gssize) joined->len - 1, ' ');
        break;
    default:
        break;
    }
    return g_strdup(joined->str);
}

/* Replace every text that matches wherever it occurs, also inside other tokens. */
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
    for (guint i = 0; i < matches->len && !tg_deadline_spend(text->string->len / 8); i++) {
        g_autofree char *replacement = replacement_for(rule->action, matches->pdata[i]);
        tg_cdm_text_replace(text, matches->pdata[i], replacement, 0);
    }
}

/* Append the operator at @start to @end letter by letter; all of the modulo family are `mod`. */
static void put_spelled(TgCdmText *out, const TgCdmText *text, gsize start, gsize end)
{
    const gboolean is_modulo = strncmp(text->string->str + end - 3, "mod", 3) == 0;

    tg_cdm_text_append(out, "\\mathrm {", tg_cdm_no_origin);
    for (gsize i = is_modulo ? end - 3 : start + 1; i < end; i++) {
        tg_cdm_text_append(out, " ", tg_cdm_no_origin);
        tg_cdm_text_copy(out, text, i, i + 1);
    }
    tg_cdm_text_append(out, " }", tg_cdm_no_origin);
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

void tg_cdm_apply_rules(TgCdmText *tokens, gboolean is_table, TgCdmVocabulary vocabulary)
{
    const Scope scope = is_table ? TABLES : FORMULAS;
    const RuleVocabulary wanted = vocabulary == TG_CDM_VOCABULARY_2024 ? ONLY_2024 : ONLY_2025;

    need_tables();
    tg_cdm_text_strip(tokens);
    for (guint i = 0; i < G_N_ELEMENTS(rules) && !tg_deadline_spend(tokens->string->len / 2); i++) {
        const Rule *rule = &rules[i];

        if ((rule->scope != BOTH && rule->scope != scope) ||
            (rule->vocabulary != ANY_VOCABULARY && rule->vocabulary != wanted) ||
            (rule->needs != NULL && strstr(tokens->string->str, rule->needs) == NULL))
            continue;
        if (rule->action == REPLACE)
            tg_cdm_text_replace(tokens, rule->pattern, rule->replacement, 0);
        else if (rule->action == REPLACE_TOKEN || rule->action == SPELL)
            replace_tokens(tokens, rule, regexes[i]);
        else if (rule->action == CALL)
            rule->call(tokens);
        else
            replace_matches(tokens, rule, regexes[i]);
    }
}
