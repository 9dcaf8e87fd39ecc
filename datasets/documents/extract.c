/* Formulas out of LaTeX papers and Markdown. A document takes three steps: comments and code away,
 * macros expanded, delimiters found. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/arena.h"
#include "core/fail.h"
#include "datasets/records/formula.h"
#include "tokenizer/macros/expander.h"

/* What macros may yield, beside so much for each byte of the document. */
#define MIN_EXPANSIONS 10000u
#define MIN_TOKENS     100000u
#define EXPANSIONS     2u
#define TOKENS         8u

/* What stands for the end of a line in what went away: it counts as one, but ends no paragraph. */
#define OLD_LINE '\v'

static gboolean ends_line(char c)
{
    return c == '\n' || c == OLD_LINE;
}

static void blank(char *start, const char *end)
{
    for (char *p = start; p < end; p++)
        *p = ends_line(*p) ? OLD_LINE : ' ';
}

/* Overwrite with spaces what is not text. LaTeX: comments with the end of their line (unless a
 * blank line follows, which ends a paragraph), `\iffalse` to `\fi`, verbatim text, package code.
 * Markdown: code and comments. A region without end is text: a file that was cut off still has
 * formulas. */
static void clean(GString *text, gboolean markdown)
{
    const char *token = markdown ? "markdown token" : "latex token";
    guint64 missing = 0;
    const TgRule *rule;
    TgSpans spans; /* of a token; of one that goes */

    for (gsize at = 0; tg_rule_find(token, text, at, spans);) {
        const char *end = tg_rule_pair("region", text->str + spans[0], &missing, &rule);
        at = end != NULL ? (gsize) (end - text->str) : (gsize) spans[1];
        if (end != NULL || spans[2] >= 0)
            blank(text->str + spans[0], text->str + at);
    }
}

/* Append what @source has from byte @done on with macros expanded, which are defined anywhere in
 * it: their calls, definitions and braces of arguments go, white space stays. FALSE with @error
 * when they never come to an end. */
static gboolean expand_macros(const GString *source, gsize done, GString *text, GError **error)
{
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(guint)); /* marks of open ones */
    const guint len = (guint) source->len, n_macros = (guint) done;
    gboolean after_word = FALSE; /* a control word was written last */
    TgArena arena = { 0 };
    TgParseErrors errors;
    TgExpander expander;
    TgTexToken token;

    tg_parse_errors_init(&errors, &arena, source->str, len, FALSE);
    tg_expander_init(&expander, &arena, &errors, source->str, len,
                     MIN_EXPANSIONS + EXPANSIONS * len, MIN_TOKENS + TOKENS * len);
    while ((token = tg_expander_next_user(&expander)).kind != TG_TOK_END) {
        const gboolean is_space = token.kind == TG_TOK_SPACE;
        const gsize before = text->len;
        if (tg_define(&expander, &token))
            continue;
        if (token.kind == TG_TOK_OPEN) {
            const guint mark = tg_tex_macros_open_group(&expander.macros);
            g_array_append_val(groups, mark);
        } else if (token.kind == TG_TOK_CLOSE && groups->len > 0) {
            tg_tex_macros_close_group(&expander.macros,
                                      g_array_index(groups, guint, groups->len - 1));
            g_array_set_size(groups, groups->len - 1);
        }
        if (token.end <= n_macros)
            continue;
        for (; done < (is_space ? token.end : token.start); done++)
            if (g_ascii_isspace(source->str[done]) || source->str[done] == OLD_LINE)
                g_string_append_c(text, source->str[done]);
        if (text->len == before && (is_space || (after_word && g_ascii_isalpha(token.text[0]))))
            g_string_append_c(text, ' ');
        if (!is_space)
            g_string_append_len(text, token.text, token.len);
        after_word = token.kind == TG_TOK_COMMAND && token.len > 1 &&
                     g_ascii_isalpha(token.text[token.len - 1]);
        done = MAX(done, token.end);
    }
    tg_expander_clear(&expander);
    tg_arena_clear(&arena);
    return !errors.limit || tg_fail_input(error, "the macros expand without end");
}

/* The formulas of a paragraph, whose first line is @line. Returns: the line after it. */
static guint add_formulas(json_t *out, const char *text, guint line, gboolean markdown,
                          gboolean with_inline)
{
    g_autoptr(GString) mask = tg_rule_made("escapes", text); /* these end no formula */
    const char *at = mask->str, *counted = at, *end;
    guint64 missing[2] = { 0 };
    gsize len;

    for (;; at = end) {
        const TgRule *rule = NULL;
        at += strcspn(at, "$\\");
        for (; counted < at; counted++)
            line += ends_line(*counted);
        if (*at == '\0')
            return line + 1;
        const char *close = tg_rule_pair("display", at, &missing[0], &rule);
        const gboolean display = rule != NULL;
        if (!display)
            close = tg_rule_pair("in line", at, &missing[1], &rule);
        /* Markdown's rule (Pandoc's) keeps prices apart. */
        if (rule == NULL ||
            (strcmp(rule->what, "$") == 0 &&
             (close == NULL || (markdown && (g_ascii_isspace(at[1]) || g_ascii_isspace(close[-2]) ||
                                             g_ascii_isdigit(*close)))))) {
            end = at + 1;
            continue;
        }
        end = close != NULL ? close : at + 2;
        if (close != NULL && !display && !with_inline)
            continue;
        g_autoptr(GString) name = tg_rule_made("environment name", rule->what);
        g_autoptr(GString) latex = g_string_new_len(text + (at - mask->str), end - at);
        tg_rule_apply("numbering", latex);
        const char *inner = tg_delimiters_strip(latex->str, latex->len, &len);
        if (close == NULL || len > 0)
            json_array_append_new(out, json_pack("{si ss ss so*}", "line", (int) line, "kind",
                                                 display ? "display" : "inline", "environment",
                                                 name->str, "latex",
                                                 close != NULL ? json_stringn(inner, len) : NULL));
    }
}

json_t *tg_document_extract(const char *text, gsize len, gboolean markdown, const char *macros,
                            gboolean with_inline, GError **error)
{
    const char *bad;
    g_autoptr(GString) source = g_string_new(markdown ? "" : macros);
    g_autoptr(GString) own = g_string_new_len(text, (gssize) len), out = g_string_new(NULL);
    const gsize n_macros = source->len;
    guint line = 1;

    if (!g_utf8_validate(text, (gssize) len, &bad))
        return tg_null_input(error, "not UTF-8 text (byte %" G_GSIZE_FORMAT ")",
                             (gsize) (bad - text) + 1);
    clean(source, FALSE);
    clean(own, markdown);
    g_string_append_len(source, own->str, (gssize) len);
    if (markdown)
        g_string_assign(out, own->str);
    else if (!expand_macros(source, n_macros, out, error))
        return NULL;
    const char *begin = markdown ? NULL : strstr(out->str, "\\begin{document}");
    if (begin != NULL)
        blank(out->str, begin);
    g_auto(GStrv) paragraphs = tg_rule_split("paragraph", out->str);
    json_t *formulas = json_array();
    for (guint i = 0; paragraphs[i] != NULL; i++)
        line = add_formulas(formulas, paragraphs[i], line, markdown, with_inline);
    return formulas;
}
