/* Stage 3 of the official normalizer: textual rules over tokens, and the bracing pass that ends it.
 */
#include "metrics/cdm/normalize/normalize.h"

#include <pthread.h>
#include <string.h>

#include "core/deadline.h"
#include "core/search.h"

/* ---- Tokens, which single spaces part; one may be empty -------------------------------------- */

static gsize token_end(const TgCdmText *text, gsize at)
{
    return at + strcspn(text->string->str + at, " ");
}

/* Where the token after the one at @at begins; past the end of the text after the last one. */
static gsize next_token(const TgCdmText *text, gsize at)
{
    return token_end(text, at) + 1;
}

static gboolean is_past_end(const TgCdmText *text, gsize at)
{
    return at > text->string->len;
}

static gboolean token_is(const TgCdmText *text, gsize at, const char *wanted)
{
    return !is_past_end(text, at) && token_end(text, at) - at == strlen(wanted) &&
           g_str_has_prefix(text->string->str + at, wanted);
}

/* Find where a group ends, counting @open and @close from the token at @start on: the closing
 * token; FALSE when it does not end. */
static gboolean find_closing(const TgCdmText *text, gsize start, const char *open,
                             const char *close, gsize *end)
{
    gint depth = 0;

    for (gsize at = start; !is_past_end(text, at); at = next_token(text, at)) {
        if (token_is(text, at, open)) {
            depth++;
        } else if (token_is(text, at, close) && --depth == 0) {
            *end = at;
            (void) tg_deadline_spend((at - start) / 4); /* callers ask whether the time is up */
            return TRUE;
        }
    }
    (void) tg_deadline_spend(text->string->len / 4);
    return FALSE;
}

/* ---- The braces around arguments ------------------------------------------------------------- */

static const struct Command {
    const char *token;
    TgCdmRole role;
    gboolean since_2025;
} commands[] = {
#include "cdm_commands.inc"
};

TgCdmRole tg_cdm_role(const char *token, gsize length, TgCdmVocabulary vocabulary)
{
    const struct Command *row =
        tg_row_of_text(token, length, commands, G_N_ELEMENTS(commands), sizeof commands[0]);

    if (row == NULL || (row->since_2025 && vocabulary != TG_CDM_VOCABULARY_2025))
        return TG_CDM_ROLE_NONE;
    return row->role;
}

static TgCdmRole role_at(const TgCdmText *text, gsize at, TgCdmVocabulary vocabulary)
{
    return tg_cdm_role(text->string->str + at, token_end(text, at) - at, vocabulary);
}

static void insert_text(TgCdmText *text, gsize at, const char *inserted)
{
    (void) tg_deadline_spend((text->string->len - at) / 64);
    tg_cdm_text_splice(text, at, at, inserted);
}

/* The token at @at, whatever it is, becomes a group unless it begins one; FALSE past the end. */
static gboolean brace_token(TgCdmText *text, gsize at)
{
    if (is_past_end(text, at))
        return FALSE;
    if (!token_is(text, at, "{")) {
        insert_text(text, token_end(text, at), " }");
        insert_text(text, at, "{ ");
    }
    return TRUE;
}

/* `\hat \bar x` becomes `\hat { \bar { x } }`: the commands of a chain are put into each other. */
static gboolean brace_chain(TgCdmText *text, gsize at, TgCdmVocabulary vocabulary)
{
    const gsize first = next_token(text, at);
    gsize content = first, end;
    guint n_inner = 0;

    for (; !is_past_end(text, content) && !tg_deadline_spend(100); n_inner++) {
        const TgCdmRole role = role_at(text, content, vocabulary);

        if (role != TG_CDM_ROLE_ONE_VISIBLE && role != TG_CDM_ROLE_ONE_INVISIBLE)
            break;
        content = next_token(text, content);
    }
    if (!brace_token(text, content) || !find_closing(text, content, "{", "}", &end))
        return FALSE;
    for (guint i = 0; i < n_inner; i++)
        insert_text(text, token_end(text, end), " }");
    for (gsize inner = first; n_inner > 0; n_inner--) {
        insert_text(text, inner, "{ ");
        inner = next_token(text, inner + strlen("{ "));
    }
    return TRUE;
}

static gboolean brace_arguments(TgCdmText *text, gsize at, TgCdmVocabulary vocabulary)
{
    const gsize next = next_token(text, at);
    gsize end = at;

    switch (role_at(text, at, vocabulary)) {
    case TG_CDM_ROLE_ONE_VISIBLE:
    case TG_CDM_ROLE_ONE_INVISIBLE:
        return brace_chain(text, at, vocabulary);
    case TG_CDM_ROLE_BRACKET:
        return (!token_is(text, next, "[") || find_closing(text, next, "[", "]", &end)) &&
               brace_token(text, next_token(text, end));
    case TG_CDM_ROLE_TWO_VISIBLE:
    case TG_CDM_ROLE_TWO_INVISIBLE:
        return brace_token(text, next) && find_closing(text, next, "{", "}", &end) &&
               brace_token(text, next_token(text, end));
    default:
        return TRUE;
    }
}

gboolean tg_cdm_fill_braces(TgCdmText *text, TgCdmVocabulary vocabulary)
{
    for (gsize at = 0; !is_past_end(text, at); at = next_token(text, at))
        if (tg_deadline_spend(50) || !brace_arguments(text, at, vocabulary))
            return FALSE;
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

/* Make one token of those from the one at @start to the one at @last. */
static void glue_tokens(TgCdmText *text, gsize start, gsize last)
{
    const gsize end = token_end(text, last);
    g_autoptr(GString) joined = g_string_new_len(text->string->str + start, (gssize) (end - start));

    g_string_replace(joined, " ", "", 0);
    tg_cdm_text_splice(text, start, end, joined->str);
}

/* The first `\begin{tabular}` and its preamble become one token. */
static void glue_table_preamble(TgCdmText *text)
{
    gsize at = 0, end;

    while (!is_past_end(text, at) && !token_is(text, at, "\\begin{tabular}"))
        at = next_token(text, at);
    if (!is_past_end(text, at) && find_closing(text, next_token(text, at), "{", "}", &end))
        glue_tokens(text, at, end);
}

/* `\cmidrule ( l ) { 1 - 2 }` becomes one token. */
static void glue_table_lines(TgCdmText *text)
{
    gsize end;

    for (gsize at = 0; !is_past_end(text, at); at = next_token(text, at)) {
        gsize group = next_token(text, at);

        if (!token_is(text, at, "\\cmidrule") && !token_is(text, at, "\\cline"))
            continue;
        if (token_is(text, group, "(")) {
            if (!find_closing(text, group, "(", ")", &end))
                continue;
            group = next_token(text, end);
        }
        if (find_closing(text, group, "{", "}", &end))
            glue_tokens(text, at, end);
    }
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

/* Constant once they are made: the pattern of every rule that has one. */
static GRegex *regexes[G_N_ELEMENTS(rules)];

static void make_regexes(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        const gboolean whole_token = rules[i].action == REPLACE_TOKEN || rules[i].action == SPELL;
        g_autofree char *pattern =
            whole_token ? g_strdup_printf("(?<=\\s)()(?:%s)(?=\\s)", rules[i].pattern)
                        : g_strdup(rules[i].pattern);

        if (rules[i].action != REPLACE && rules[i].action != CALL)
            regexes[i] = g_regex_new(pattern, G_REGEX_DOTALL | G_REGEX_OPTIMIZE, 0, NULL);
    }
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

/* Spell operators letter by letter; all of the modulo family are `mod`. */
static void spell_tokens(TgCdmText *text, const GRegex *regex)
{
    g_autoptr(GMatchInfo) info = NULL;
    gint start, end, done = 0;

    if (!g_regex_match(regex, text->string->str, 0, &info))
        return;
    g_autoptr(TgCdmText) out = tg_cdm_text_new_like(text);
    do {
        g_match_info_fetch_pos(info, 0, &start, &end);
        const gboolean is_modulo = strncmp(text->string->str + end - 3, "mod", 3) == 0;

        tg_cdm_text_copy(out, text, (gsize) done, (gsize) start);
        tg_cdm_text_append(out, "\\mathrm {", tg_cdm_no_origin);
        for (gint i = is_modulo ? end - 3 : start + 1; i < end; i++) {
            tg_cdm_text_append(out, " ", tg_cdm_no_origin);
            tg_cdm_text_copy(out, text, (gsize) i, (gsize) i + 1);
        }
        tg_cdm_text_append(out, " }", tg_cdm_no_origin);
        done = end;
    } while (g_match_info_next(info, NULL));
    tg_cdm_text_copy(out, text, (gsize) done, text->string->len);
    tg_cdm_text_swap(text, out);
}

void tg_cdm_apply_rules(TgCdmText *tokens, gboolean is_table, TgCdmVocabulary vocabulary)
{
    const Scope scope = is_table ? TABLES : FORMULAS;
    const RuleVocabulary wanted = vocabulary == TG_CDM_VOCABULARY_2024 ? ONLY_2024 : ONLY_2025;
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make_regexes);
    tg_cdm_text_strip(tokens);
    for (guint i = 0; i < G_N_ELEMENTS(rules) && !tg_deadline_spend(tokens->string->len / 2); i++) {
        const Rule *rule = &rules[i];

        if ((rule->scope != BOTH && rule->scope != scope) ||
            (rule->vocabulary != ANY_VOCABULARY && rule->vocabulary != wanted) ||
            (rule->needs != NULL && strstr(tokens->string->str, rule->needs) == NULL))
            continue;
        if (rule->action == REPLACE)
            tg_cdm_text_replace(tokens, rule->pattern, rule->replacement, 0);
        else if (rule->action == REPLACE_TOKEN) /* the first group is empty */
            tg_cdm_text_replace_around(tokens, regexes[i], 1, "", rule->replacement);
        else if (rule->action == SPELL)
            spell_tokens(tokens, regexes[i]);
        else if (rule->action == CALL)
            rule->call(tokens);
        else
            replace_matches(tokens, rule, regexes[i]);
    }
}
