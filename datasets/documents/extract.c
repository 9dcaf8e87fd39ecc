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

/* The end of verbatim text in a line: `\verb|...|`, `\url{...}`; or NULL. */
static const char *verb_end(const char *at)
{
    static const struct {
        const char *command;
        gboolean has_options, has_language; /* before the text: [..], {..} */
        gboolean in_marks, in_braces;       /* around the text: the same character twice, braces */
    } commands[] = {
        { "\\verb", FALSE, FALSE, TRUE, FALSE },      { "\\Verb", TRUE, FALSE, TRUE, TRUE },
        { "\\lstinline", TRUE, FALSE, TRUE, TRUE },   { "\\mintinline", TRUE, TRUE, TRUE, TRUE },
        { "\\url", FALSE, FALSE, FALSE, TRUE },       { "\\href", TRUE, FALSE, FALSE, TRUE },
        { "\\nolinkurl", FALSE, FALSE, FALSE, TRUE }, { "\\path", FALSE, FALSE, FALSE, TRUE },
    };
    enum { MAX_VERBATIM = 4000 };
    guint i = 0, depth = 0;

    while (i < G_N_ELEMENTS(commands) && !g_str_has_prefix(at, commands[i].command))
        i++;
    if (i == G_N_ELEMENTS(commands))
        return NULL;
    at += strlen(commands[i].command);
    at += *at == '*';
    const gsize most = strnlen(at, MAX_VERBATIM);
    const char *newline = memchr(at, '\n', most), *line = newline != NULL ? newline : at + most;
    if (commands[i].has_options && *at == '[')
        at = g_strstr_len(at, line - at, "]") != NULL ? strchr(at, ']') + 1 : line;
    if (commands[i].has_language && *at == '{')
        at = g_strstr_len(at, line - at, "}") != NULL ? strchr(at, '}') + 1 : line;
    for (const char *p = at; commands[i].in_braces && *at == '{' && p < line; p++) {
        depth += *p == '{';
        if (*p == '}' && --depth == 0)
            return p + 1;
    }
    if (!commands[i].in_marks || g_ascii_isalpha(*at) || strchr("{}", *at) != NULL || at >= line)
        return NULL;
    const char *mark_end = g_utf8_next_char(at);
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
    g_autofree char *name = g_strndup(at, len);
    const TgTexToken token = tg_token_made(NULL, TG_TOK_COMMAND, name);

    return tg_token_is_condition(&token) || g_hash_table_contains(names, name);
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

/* A group that is open. Its definitions end with it. */
typedef struct {
    guint mark;
    gboolean is_brace; /* a brace ends it, and all groups in it */
} Group;

/* Open or close a group where @token does: a brace, \begingroup, an environment, a display. */
static void track_group(GArray *groups, TgTexMacros *macros, const TgTexToken *token)
{
    const guint8 action = token->command != NULL ? token->command->action : TG_ACTION_NONE;
    const gboolean is_brace = (token->kind != TG_TOK_COMMAND && token->len > 0) ||
                              action == TG_ACTION_OPEN_BRACE || action == TG_ACTION_CLOSE_BRACE;
    const Group group = { tg_tex_macros_open_group(macros), is_brace };
    guint n = groups->len;

    if (token->kind == TG_TOK_OPEN || action == TG_ACTION_BEGIN || action == TG_ACTION_OPEN_GROUP ||
        action == TG_ACTION_OPEN_BRACE || action == TG_ACTION_OPEN_MATH) {
        g_array_append_val(groups, group);
    } else if (token->kind == TG_TOK_CLOSE || action == TG_ACTION_END ||
               action == TG_ACTION_CLOSE_GROUP || action == TG_ACTION_CLOSE_BRACE ||
               action == TG_ACTION_CLOSE_MATH) {
        while (is_brace && n > 0 && !g_array_index(groups, Group, n - 1).is_brace)
            n--;
        if (n == 0 || g_array_index(groups, Group, n - 1).is_brace != is_brace)
            return;
        tg_tex_macros_close_group(macros, g_array_index(groups, Group, n - 1).mark);
        g_array_set_size(groups, n - 1);
    }
}

/* Append a token. \align and \endalign, of which the author's own environments are made, become
 * \begin{align} and \end{align}. */
static void append_token(GString *text, const TgTexToken *token)
{
    const gboolean ends = token->kind == TG_TOK_COMMAND && token->len > strlen("\\end") &&
                          g_str_has_prefix(token->text, "\\end");
    const gsize n_mark = strlen(ends ? "\\end" : "\\"), n_begin = strlen("\\begin{");
    const TgWord *word = tg_words(TG_WORDS_DISPLAYS);

    for (; token->kind == TG_TOK_COMMAND && word->list == TG_WORDS_DISPLAYS; word++)
        if (strlen(word->word) == n_begin + token->len - n_mark + 1 &&
            memcmp(word->word + n_begin, token->text + n_mark, token->len - n_mark) == 0) {
            g_string_append(text, ends ? word->with : word->word);
            return;
        }
    g_string_append_len(text, token->text, token->len);
}

/* Read in place of \begin{name} or \end{name} the author's own command for it. FALSE: a display, or
 * not the author's; all stays to be read behind @token, which is the \begin or \end. */
static gboolean replace_environment(TgExpander *in, const TgTexToken *token)
{
    const gboolean ends = tg_token_is_command(token, "end");
    const TgTexToken close = tg_token_made(token, TG_TOK_CLOSE, "");
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
        if (tg_expander_own_environment(in, token, name, ends, &own) &&
            tg_word_at(TG_WORDS_DISPLAYS, begin) == NULL &&
            tg_word_at(TG_WORDS_INLINES, begin) == NULL) {
            if (ends) /* the group ends after the author's command */
                tg_expander_unread(in, &close);
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
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(Group));
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
        if (tg_define(&expander, &token))
            continue;
        if (tg_token_is_command(&token, "begin"))
            track_group(groups, &expander.macros, &token);
        if (tg_token_is_command_of(&token, "begin end") && replace_environment(&expander, &token))
            continue;
        if (!tg_token_is_command(&token, "begin"))
            track_group(groups, &expander.macros, &token);
        if (expander.lexer.pos <= n_macros || token.len == 0)
            continue;
        for (; done < (is_space ? token.end : token.start); done++)
            if (g_ascii_isspace(source->str[done]) || source->str[done] == OLD_LINE)
                g_string_append_c(text, source->str[done]);
        if (text->len == before && (is_space || (after_word && g_ascii_isalpha(token.text[0]))))
            g_string_append_c(text, ' ');
        if (!is_space)
            append_token(text, &token);
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

/* The end of a formula: the first @close from @at on outside of braces of text, as in
 * `$a \text{ if $b$}$`; NULL where there is none. @braces: tg_closing_braces() of @text */
static const char *formula_end(const char *text, const guint *braces, const char *at,
                               const char *close)
{
    guint depth = 0;
    gsize n;

    for (; *at != '\0' && !g_str_has_prefix(at, close); at += n) {
        n = *at == '\\' ? 1 + strspn(at + 1, G_CSET_a_2_z) : 1;
        if (*at == '}' && depth-- == 0)
            return NULL;
        depth += *at == '{';
        const TgCommand *command = n > 1 ? tg_command_find(at + 1, n - 1) : NULL;
        if (command == NULL || (command->flags & TG_COMMAND_TEXT) == 0 ||
            (command->flags & TG_COMMAND_ARGS) == 0)
            continue;
        for (const char *next = tg_skip_blanks(at + n); *next == '[' || *next == '{';
             next = tg_skip_blanks(at + n)) {
            const gsize inside = strcspn(next, "]$");
            const guint end = *next == '{' ? braces[next - text] : 0;
            if (*next == '{' ? end == 0 : next[inside] != ']')
                break;
            n = (gsize) ((*next == '{' ? text + end : next + inside) + 1 - at);
        }
    }
    return *at != '\0' ? at + strlen(close) : NULL;
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
        if (escape[1] != '\0' && strchr("\\${}", escape[1]) != NULL)
            escape[0] = escape[1] = '.';
    g_autofree guint *braces = strchr(mask->str, '{') != NULL ? tg_closing_braces(mask->str) : NULL;
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
        const gsize n_word = word != NULL ? strlen(word->word) : 0;
        const gboolean in_braces = n_word > 0 && strcmp(word->with, "}") == 0;
        if (in_braces) {
            const guint brace = braces != NULL ? braces[at - mask->str + n_word - 1] : 0;
            close = brace > 0 ? mask->str + brace + 1 : NULL;
        } else if (close != NULL && braces != NULL &&
                   memchr(at, '{', (gsize) (close - at)) != NULL) {
            const char *outside = formula_end(mask->str, braces, at + n_word, word->with);
            if (outside != NULL)
                close = outside;
            else /* braces do not match here: they count no more, which also bounds the time */
                g_clear_pointer(&braces, g_free);
        }
        /* Pandoc's rule for Markdown, which keeps prices like $5 apart. */
        if (word == NULL || (in_braces && (markdown || close == NULL)) ||
            (strcmp(word->word, "$") == 0 &&
             (close == NULL || (markdown && (g_ascii_isspace(at[1]) || g_ascii_isspace(close[-2]) ||
                                             g_ascii_isdigit(*close)))))) {
            end = at + 1;
            continue;
        }
        end = close != NULL ? close : at + 2;
        if (close != NULL && !display && !with_inline)
            continue;
        const gsize n_begin = strlen("\\begin{");
        g_autofree char *name = g_str_has_prefix(word->word, "\\begin{")
                                    ? g_strndup(word->word + n_begin, n_word - n_begin - 1)
                                    : g_strndup(word->word, n_word - in_braces);
        const gsize n_around = in_braces ? n_word : 0;
        g_autoptr(GString) latex = g_string_new_len(text + (at - mask->str) + n_around,
                                                    end - at - (gssize) n_around - in_braces);
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
