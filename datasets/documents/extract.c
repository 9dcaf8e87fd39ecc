/* Formulas out of LaTeX papers and Markdown, in three steps: blank comments and code, expand
 * macros, find delimiters. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/arena.h"
#include "core/fail.h"
#include "datasets/records/formula.h"
#include "tokenizer/macros/expander.h"

/* The minimum for the limit of macro expansions, which grows with the bytes of the document. */
#define MIN_EXPANSIONS 10000u
#define MIN_TOKENS     100000u
#define EXPANSIONS     2u
#define TOKENS         8u

/* Marks the end of a line in a blanked region: it counts as a line, but does not end a
 * paragraph. */
#define OLD_LINE '\v'

static gboolean ends_line(char c)
{
    return c == '\n' || c == OLD_LINE;
}

static void blank_bytes(char *start, const char *end)
{
    for (char *p = start; p < end; p++)
        *p = ends_line(*p) ? OLD_LINE : ' ';
}

/* The end of a comment, with the end of its line unless a blank line follows, because a blank line
 * ends a paragraph. */
static const char *comment_end(const char *at)
{
    const char *end = at + strcspn(at, "\n");

    if (*end == '\0')
        return end;
    const char next = end[1 + strspn(end + 1, " \t\r")];
    return next == '\n' || next == '\0' ? end : end + 1;
}

/* The end of `\verb|...|`, or NULL. */
static const char *verb_end(const char *at)
{
    if (!g_str_has_prefix(at, "\\verb"))
        return NULL;
    at += strlen("\\verb");
    at += *at == '*';
    if (g_ascii_isalpha(*at) || *at == '\n' || *at == '\0')
        return NULL;
    const char *mark_end = g_utf8_next_char(at), *line = at + strcspn(at, "\n");
    g_autofree char *mark = g_strndup(at, (gsize) (mark_end - at));
    const char *close = g_strstr_len(mark_end, line - mark_end, mark);
    return close != NULL ? close + strlen(mark) : NULL;
}

/* The end of a fenced block of code, whose fence stands at the start of a line; or NULL. */
static const char *fence_end(const char *line)
{
    const gsize indent = strspn(line, " ");
    const char *fence = line + indent;
    const gsize n = *fence == '`' || *fence == '~' ? strspn(fence, *fence == '`' ? "`" : "~") : 0;

    if (n < 3 || indent > 3)
        return NULL;
    for (const char *at = strchr(fence, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
        const char *close = at + 1 + strspn(at + 1, " ");
        const char kind[] = { *fence, '\0' };
        if (close - at <= 4 && strspn(close, kind) >= n) {
            const char *end = strchr(close, '\n');
            return end != NULL ? end + 1 : close + strlen(close);
        }
    }
    return NULL;
}

/* Blank the fences of a page that is nothing but one fenced block, as some models write it. */
static void unwrap_page(GString *text)
{
    static const char *const languages[] = { "markdown", "md", "html", "latex", NULL };
    char *first = text->str + strspn(text->str, " \t\r\n"), *line = first, *end;
    guint depth = 0;

    do {
        const gsize n = strspn(line, "`");
        end = line + strcspn(line, "\n");
        g_autofree char *language = g_strstrip(g_strndup(line + n, (gsize) (end - line) - n));
        if (line == first && (n < 3 || !g_strv_contains(languages, language)))
            return;
        if (n >= 3 && strchr(language, '`') == NULL)
            depth += language[0] != '\0' ? 1 : -1;
        if (depth == 0 && end[strspn(end, " \t\r\n")] == '\0') {
            blank_bytes(first, first + strcspn(first, "\n"));
            blank_bytes(line, end);
        }
        line = end + 1;
    } while (depth > 0 && *end != '\0');
}

/* The end of code of Markdown at @at, or NULL: of a fenced block, or in a line, the next run of as
 * many backquotes. */
static const char *markdown_code_end(const char *start, const char *at)
{
    const gsize n = strspn(at, "`"), inside = strcspn(at + n, "`\n");
    const char *line = at;

    while (line > start && line[-1] == ' ')
        line--;
    const char *end = line == start || line[-1] == '\n' ? fence_end(line) : NULL;
    if (end == NULL && n > 0 && inside > 0 && strspn(at + n + inside, "`") >= n)
        end = at + 2 * n + inside;
    return end;
}

/* Overwrite regions that are not text with spaces. LaTeX: comments with the end of their line
 * (unless a blank line follows, which ends a paragraph), verbatim text, package code. Markdown:
 * code and comments. A region without an end counts as text, because a file that was cut off still
 * has formulas. */
static void blank_code(GString *text, gboolean markdown)
{
    const char *marks = markdown ? "`~<" : "%\\";
    guint64 missing = 0;
    const TgWord *word;

    for (char *at = strpbrk(text->str, marks); at != NULL;) {
        const char *end = *at != '%' && *at != '`' && *at != '~'
                              ? tg_word_close(TG_WORDS_REGIONS, at, &missing, &word)
                              : NULL;
        if (end == NULL)
            end = markdown     ? markdown_code_end(text->str, at)
                  : *at == '%' ? comment_end(at)
                               : verb_end(at);
        if (end != NULL)
            blank_bytes(at, end);
        else if (markdown)
            end = at + MAX(strspn(at, "`"), 1);
        else
            end = at[1] != '\0' ? g_utf8_next_char(at + 1) : at + 1;
        at = strpbrk((char *) end, marks);
    }
}

static gboolean is_command(const char *at, gsize len, const char *command)
{
    return len == strlen(command) && strncmp(at, command, len) == 0;
}

/* A condition that has not ended. */
typedef struct {
    char *at;
    gsize len;
    gboolean has_else;
    int braces, lowest; /* the number of open braces where it begins, and the fewest since then */
} Condition;

/* Whether a command opens a condition, one of TeX's or one of @names: {COMMAND} */
static gboolean opens_condition(const char *at, gsize len, GHashTable *names)
{
    static const char *const primitives[] = { "\\if",       "\\ifcase",    "\\ifcat",
                                              "\\ifcsname", "\\ifdefined", "\\ifdim",
                                              "\\ifeof",    "\\iffalse",   "\\iffontchar",
                                              "\\ifhbox",   "\\ifhmode",   "\\ifinner",
                                              "\\ifmmode",  "\\ifnum",     "\\ifodd",
                                              "\\iftrue",   "\\ifvbox",    "\\ifvmode",
                                              "\\ifvoid",   "\\ifx",       NULL };
    g_autofree char *name = g_strndup(at, len);

    return g_strv_contains(primitives, name) || g_hash_table_contains(names, name);
}

/* The end of a command: a word, or a character. */
static char *command_end(char *at)
{
    char *end = at + 1;

    while (g_ascii_isalpha(*end))
        end++;
    return end > at + 1 || *end == '\0' ? end : end + 1;
}

/* The place behind the names in `\newif\ifa` or `\let\ifa=\iffalse`, which open no condition. The
 * first name is that of a condition from here on. @at: behind \newif, which has one name, or \let,
 * which has two */
static char *pass_new_condition(char *at, guint n_names, GHashTable *names)
{
    for (guint i = 0; i < n_names; i++) {
        char *name = at + strspn(at, i == 0 ? " " : " =");
        if (name[0] != '\\' || (i > 0 && strncmp(name, "\\if", 3) != 0))
            return at;
        at = command_end(name);
        if (i == 0 && strncmp(name, "\\if", 3) == 0)
            g_hash_table_add(names, g_strndup(name, (gsize) (at - name)));
    }
    return at;
}

/* Blank `\iffalse ... \fi`. A condition that an `\else` or the end of a definition cuts, as in
 * `\newcommand{\hide}{\iffalse}`, is left to the expansion of macros. Also blank each condition
 * without a \fi, because it would hide all text that follows. */
static void hide_conditions(GString *source)
{
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Condition));
    int braces = 0;

    for (char *at = source->str + strcspn(source->str, "\\{}"), *end; *at != '\0';
         at = end + strcspn(end, "\\{}")) {
        Condition *last = open->len > 0 ? &g_array_index(open, Condition, open->len - 1) : NULL;
        end = *at == '\\' ? command_end(at) : at + 1;
        const gsize len = (gsize) (end - at);
        braces += (*at == '{') - (*at == '}');
        if (last != NULL)
            last->lowest = MIN(last->lowest, braces);
        if (*at != '\\')
            continue;
        if (is_command(at, len, "\\newif") || is_command(at, len, "\\let")) {
            end = pass_new_condition(end, at[1] == 'n' ? 1 : 2, names);
        } else if (g_str_has_prefix(at, "\\if") && opens_condition(at, len, names)) {
            const Condition opened = { at, len, FALSE, braces, braces };
            g_array_append_val(open, opened);
        } else if (last != NULL && is_command(at, len, "\\else")) {
            last->has_else = TRUE;
        } else if (last != NULL && is_command(at, len, "\\fi")) {
            const Condition closed = *last;
            g_array_set_size(open, open->len - 1);
            if (open->len > 0)
                last[-1].lowest = MIN(last[-1].lowest, closed.lowest);
            if (is_command(closed.at, closed.len, "\\iffalse") && !closed.has_else &&
                closed.lowest == closed.braces && braces == closed.braces)
                blank_bytes(closed.at, end);
        }
    }
    for (guint i = 0; i < open->len; i++) {
        const Condition *left = &g_array_index(open, Condition, i);
        blank_bytes(left->at, left->at + left->len);
    }
}

/* Read in place of \begin{name} or \end{name} the author's own command for it. FALSE: a display, or
 * not the author's; all stays to be read behind @token, which is the \begin or \end. */
static gboolean replace_environment(TgExpander *in, const TgTexToken *token)
{
    const guint from = in->scratch->len;
    TgTexToken next = *token;

    while (next.kind != TG_TOK_CLOSE && next.kind != TG_TOK_END) {
        next = tg_expander_raw(in);
        g_array_append_val(in->scratch, next);
        if (in->scratch->len == from + 1 ? next.kind != TG_TOK_OPEN : next.kind == TG_TOK_OPEN)
            break;
    }
    if (next.kind == TG_TOK_END)
        g_array_set_size(in->scratch, in->scratch->len - 1);
    const TgTexTokens list = tg_expander_take_scratch(in, from);
    if (next.kind == TG_TOK_CLOSE && list.n > 2) {
        const TgTexTokens name = { list.tokens + 1, list.n - 2 };
        g_autofree char *spelling = tg_tex_tokens_text(list);
        g_autofree char *begin = g_strconcat("\\begin", spelling, NULL);
        TgTexToken own;
        if (tg_expander_own_environment(in, token, name, tg_token_is_command(token, "end"), &own) &&
            tg_word_at(TG_WORDS_DISPLAYS, begin) == NULL &&
            tg_word_at(TG_WORDS_INLINES, begin) == NULL) {
            tg_expander_unread(in, &own);
            return TRUE;
        }
    }
    tg_expander_insert(in, list, 1);
    return FALSE;
}

/* Append @source from byte @done on with macros expanded, wherever in @source they are defined.
 * Calls, definitions and braces of arguments are removed, white space stays. Returns FALSE with
 * @error when the expansion does not end. */
static gboolean expand_macros(const GString *source, gsize done, GString *text, GError **error)
{
    /* marks of the groups that are open */
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(guint));
    const guint len = (guint) source->len, n_macros = (guint) done;
    gboolean after_word = FALSE; /* the last token written is a control word */
    TgArena arena = { 0 };
    TgParseErrors errors = { &arena, source->str, len, FALSE };
    TgExpander expander;
    TgTexToken token;

    tg_expander_init(&expander, &arena, &errors, source->str, len,
                     MIN_EXPANSIONS + EXPANSIONS * len, MIN_TOKENS + TOKENS * len);
    while ((token = tg_expander_next_user(&expander)).kind != TG_TOK_END) {
        const gboolean is_space = token.kind == TG_TOK_SPACE;
        const gsize before = text->len;
        if (tg_define(&expander, &token) ||
            (tg_token_is_command_of(&token, "begin end") && replace_environment(&expander, &token)))
            continue;
        if (token.kind == TG_TOK_OPEN) {
            const guint mark = tg_tex_macros_open_group(&expander.macros);
            g_array_append_val(groups, mark);
        } else if (token.kind == TG_TOK_CLOSE && groups->len > 0) {
            tg_tex_macros_close_group(&expander.macros,
                                      g_array_index(groups, guint, groups->len - 1));
            g_array_set_size(groups, groups->len - 1);
        }
        if (expander.lexer.pos <= n_macros)
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

/* Behind the group that opens at a place, or NULL: `{a\}b}`. */
static const char *group_end(const char *at)
{
    guint depth = 0;

    if (*at != '{')
        return NULL;
    for (; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] != '\0')
            at++;
        else if (*at == '{')
            depth++;
        else if (*at == '}' && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Take labels and numbers out of a formula: `\label{a}`, `\tag*{1}`, `\nonumber`. */
static void delete_numbering(GString *latex)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (const char *at = latex->str, *next; *at != '\0'; at = next) {
        const gsize n = *at == '\\' ? 1 + strspn(at + 1, G_CSET_a_2_z G_CSET_A_2_Z) : 0;
        const gboolean is_tag = is_command(at, n, "\\tag");
        next = NULL;
        if (is_tag || is_command(at, n, "\\label"))
            next = group_end(tg_skip_blanks(at + n + (is_tag && at[n] == '*')));
        else if (is_command(at, n, "\\notag") || is_command(at, n, "\\nonumber"))
            next = at + n;
        if (next == NULL) {
            next = at + 1 + (at[0] == '\\' && at[1] == '\\');
            g_string_append_len(out, at, next - at);
        }
    }
    g_string_assign(latex, out->str);
    tg_text_replace(latex, "\\operatornamewithlimits", "\\operatorname*");
    tg_text_fold(latex, " ");
}

/* The number of quotes that a line of Markdown stands in: 2 for `> 1. > $$`. */
static guint count_quotes(const char *line)
{
    guint n = 0;

    for (;; line++) {
        line += strspn(line, " \t");
        const gsize digits = strspn(line, G_CSET_DIGITS);
        const char *mark = line + digits;
        n += *line == '>';
        if (*line != '>' &&
            (*mark == '\0' || strchr(digits > 0 ? ".)" : "-*+", *mark) == NULL || mark[1] != ' '))
            return n;
        line = mark;
    }
}

/* In Markdown, blank what the lines of a formula have beside it: the marks of the quotes that it
 * stands in, and comments, which would hide the lines that are joined behind them. */
static void blank_margins(GString *latex, guint n_quotes)
{
    char *last = strrchr(latex->str, '\n');

    for (char *at = latex->str; last != NULL && at <= last; at++) {
        if (*at == '\\' && at < last && !ends_line(at[1]))
            at++;
        else if (*at == '%')
            while (!ends_line(*at))
                *at++ = ' ';
        char *mark = at + 1;
        for (guint i = 0; ends_line(*at) && i < n_quotes; i++) {
            mark += strspn(mark, " \t");
            if (*mark != '>')
                break;
            *mark = ' ';
        }
    }
}

/* Append the formulas of a paragraph, whose first line is number @line. Returns the number of the
 * line after it. */
static guint add_formulas(json_t *out, const char *text, guint line, gboolean markdown,
                          gboolean with_inline)
{
    /* the text with escapes blanked, because an escaped dollar ends no formula */
    g_autoptr(GString) mask = g_string_new(text);
    const char *at = mask->str, *counted = at, *end;
    guint64 missing[2] = { 0 };
    guint n_quotes = count_quotes(text);
    gsize len;

    for (char *escape = strchr(mask->str, '\\'); escape != NULL; escape = strchr(escape + 1, '\\'))
        if (escape[1] == '\\' || escape[1] == '$')
            escape[0] = escape[1] = '.';
    for (;; at = end) {
        const TgWord *word = NULL;
        at += strcspn(at, "$\\");
        for (; counted < at; counted++)
            if (ends_line(*counted)) {
                line++;
                n_quotes = count_quotes(text + (counted + 1 - mask->str));
            }
        if (*at == '\0')
            return line + 1;
        const char *close = tg_word_close(TG_WORDS_DISPLAYS, at, &missing[0], &word);
        const gboolean display = word != NULL;
        if (!display)
            close = tg_word_close(TG_WORDS_INLINES, at, &missing[1], &word);
        /* Pandoc's rule for Markdown, which keeps prices like $5 apart. */
        if (word == NULL ||
            (strcmp(word->word, "$") == 0 &&
             (close == NULL || (markdown && (g_ascii_isspace(at[1]) || g_ascii_isspace(close[-2]) ||
                                             g_ascii_isdigit(*close)))))) {
            end = at + 1;
            continue;
        }
        end = close != NULL ? close : at + 2;
        if (close != NULL && !display && !with_inline)
            continue;
        const gsize n_begin = strlen("\\begin{"), n_word = strlen(word->word);
        g_autofree char *name = g_str_has_prefix(word->word, "\\begin{")
                                    ? g_strndup(word->word + n_begin, n_word - n_begin - 1)
                                    : g_strdup(word->word);
        g_autoptr(GString) latex = g_string_new_len(text + (at - mask->str), end - at);
        if (markdown)
            blank_margins(latex, n_quotes);
        delete_numbering(latex);
        const char *inner = tg_delimiters_strip(latex->str, latex->len, &len);
        if (close == NULL || len > 0)
            json_array_append_new(out, json_pack("{si ss ss so*}", "line", (int) line, "kind",
                                                 display ? "display" : "inline", "environment",
                                                 name, "latex",
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
    blank_code(source, FALSE);
    if (markdown)
        unwrap_page(own);
    blank_code(own, markdown);
    g_string_append_len(source, own->str, (gssize) len);
    if (markdown) {
        g_string_assign(out, own->str);
    } else {
        hide_conditions(source);
        if (!expand_macros(source, n_macros, out, error))
            return NULL;
    }
    const char *begin = markdown ? NULL : strstr(out->str, "\\begin{document}");
    if (begin != NULL)
        blank_bytes(out->str, begin);
    const char *end = markdown ? NULL : strstr(begin != NULL ? begin : out->str, "\\end{document}");
    if (end != NULL)
        g_string_truncate(out, (gsize) (end - out->str)); /* TeX reads no further */
    json_t *formulas = json_array();
    for (char *paragraph = out->str, *next; paragraph != NULL; paragraph = next) {
        next = strchr(paragraph, '\n');
        while (next != NULL && next[1 + strspn(next + 1, " \t\r")] != '\n')
            next = strchr(next + 1, '\n');
        if (next != NULL)
            *next++ = '\0';
        line = add_formulas(formulas, paragraph, line, markdown, with_inline);
    }
    return formulas;
}
