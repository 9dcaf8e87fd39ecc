/* The formulas of one document, in three steps: comments and code away, macros expanded, delimiters
 * found. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/arena.h"
#include "core/fail.h"
#include "datasets/records/formula.h"
#include "tokenizer/macros/expander.h"

/* ---- what is no text ---- */

static void blank_out(char *text, gsize start, gsize end)
{
    memset(text + start, ' ', end - start);
}

static gboolean starts_with(const char *text, gsize len, gsize at, const char *word)
{
    const gsize n = strlen(word);

    return at <= len && len - at >= n && memcmp(text + at, word, n) == 0;
}

/* Where @word starts at or after @from; @len if nowhere. */
static gsize find_word(const char *text, gsize len, gsize from, const char *word)
{
    const char *at = from < len ? g_strstr_len(text + from, (gssize) (len - from), word) : NULL;

    return at != NULL ? (gsize) (at - text) : len;
}

/* Skipped regions of LaTeX, with what starts and ends them. */
static const struct {
    const char *open, *close;
} regions[] = {
    { "\\iffalse", "\\fi" },
    { "\\makeatletter", "\\makeatother" },
    { "\\begin{comment}", "\\end{comment}" },
    { "\\begin{verbatim}", "\\end{verbatim}" },
    { "\\begin{verbatim*}", "\\end{verbatim*}" },
    { "\\begin{Verbatim}", "\\end{Verbatim}" },
    { "\\begin{lstlisting}", "\\end{lstlisting}" },
    { "\\begin{minted}", "\\end{minted}" },
};

/* The end of a comment: it takes the line's end along, unless the next line is blank, which ends a
 * paragraph. */
static gsize comment_end(const char *text, gsize len, gsize at)
{
    const gsize newline = find_word(text, len, at, "\n");
    gsize next = newline + 1;

    while (next < len && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r'))
        next++;
    return next >= len || text[next] == '\n' ? newline : newline + 1;
}

/* `\verb|...|` on one line. */
static gsize verb_end(const char *text, gsize len, gsize at)
{
    gsize i = at + strlen("\\verb");

    if (i < len && text[i] == '*')
        i++;
    if (i >= len || g_ascii_isalpha(text[i]) || text[i] == '\n')
        return at;
    for (gsize end = i + 1; end < len && text[end] != '\n'; end++)
        if (text[end] == text[i])
            return end + 1;
    return at;
}

/* The end of the region skipped from @at on; @at if none starts there. A region without end is
 * text: a file that was cut off still has formulas. */
static gsize latex_region_end(const char *text, gsize len, gsize at, gboolean *missing)
{
    for (guint i = 0; i < G_N_ELEMENTS(regions); i++) {
        if (missing[i] || !starts_with(text, len, at, regions[i].open))
            continue;
        const gsize close = find_word(text, len, at, regions[i].close);
        if (close < len)
            return close + strlen(regions[i].close);
        missing[i] = TRUE; /* nor for any that follows */
    }
    return starts_with(text, len, at, "\\verb") ? verb_end(text, len, at) : at;
}

/* Overwrite with spaces what is not text: comments with the end of their line, `\iffalse` to `\fi`,
 * verbatim text, package code. Every other byte keeps its position. */
static void clean_latex(char *text, gsize len)
{
    gboolean missing[G_N_ELEMENTS(regions)] = { FALSE };

    for (gsize i = 0; i < len;) {
        gsize end = i;
        if (text[i] == '%')
            end = MIN(comment_end(text, len, i), len);
        else if (text[i] == '\\')
            end = latex_region_end(text, len, i, missing);
        if (end > i) {
            blank_out(text, i, end);
            i = end;
        } else {
            i += text[i] == '\\' && i + 1 < len ? 2 : 1;
        }
    }
}

/* The fence that starts a line: its length, 0 for none. */
static gsize fence_length(const char *text, gsize len, gsize line)
{
    gsize i = line, n = 0;

    while (i < len && text[i] == ' ' && i - line < 3)
        i++;
    if (i >= len || (text[i] != '`' && text[i] != '~'))
        return 0;
    while (i + n < len && text[i + n] == text[i])
        n++;
    return n >= 3 ? n : 0;
}

/* Code blocks between fences; one without end reaches to the end of the text, as in CommonMark,
 * but text follows a parser's stray fence, so it is left. */
static void clean_fences(char *text, gsize len)
{
    gsize open_at = 0, open_length = 0;

    for (gsize line = 0; line < len;) {
        const gsize next = MIN(find_word(text, len, line, "\n") + 1, len);
        const gsize fence = fence_length(text, len, line);
        if (fence > 0 && open_length == 0) {
            open_at = line;
            open_length = fence;
        } else if (fence >= open_length && open_length > 0) {
            blank_out(text, open_at, next);
            open_length = 0;
        }
        line = next;
    }
}

/* `code` inside a line. */
static void clean_inline_code(char *text, gsize len)
{
    for (gsize i = 0; i < len;) {
        gsize n = 0, end;
        while (i + n < len && text[i + n] == '`')
            n++;
        if (n == 0) {
            i++;
            continue;
        }
        for (end = i + n; end < len && text[end] != '\n' && text[end] != '`'; end++)
            ;
        if (end + n <= len && end < len && text[end] == '`')
            blank_out(text, i, end + n);
        i = MAX(end, i + n);
    }
}

/* The same for code, in blocks and in lines, and HTML comments. */
static void clean_markdown(char *text, gsize len)
{
    gsize open, close;

    clean_fences(text, len);
    clean_inline_code(text, len);
    for (open = find_word(text, len, 0, "<!--"); open < len;
         open = find_word(text, len, close, "<!--")) {
        close = find_word(text, len, open, "-->");
        if (close == len)
            break;
        blank_out(text, open, close + strlen("-->"));
    }
}

/* ---- the author's macros ---- */

/* What macros may yield, beside so much for each byte of the document. */
#define MIN_EXPANSIONS 10000u
#define MIN_TOKENS     100000u
#define EXPANSIONS     2u
#define TOKENS         8u

/* A text, and which byte of the source each of its parts comes from. */
typedef struct {
    GString *text;
    GArray *marks; /* Mark, increasing */
} Expanded;

typedef struct {
    gsize at;     /* in the text */
    gsize source; /* from here on, until the next mark */
} Mark;

/* The byte of the source that the byte @at of the text comes from, or the macro call's. */
static gsize source_of(const Expanded *expanded, gsize at)
{
    guint low = 0, high;

    if (expanded->marks == NULL)
        return at; /* nothing was expanded */
    high = expanded->marks->len;

    while (high - low > 1) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(expanded->marks, Mark, middle).at <= at)
            low = middle;
        else
            high = middle;
    }
    if (high == 0)
        return 0;
    const Mark *mark = &g_array_index(expanded->marks, Mark, low);
    return mark->source + (at - mark->at);
}

/* Writing tokens back as text. */
typedef struct {
    const char *source;
    gsize n_macros;
    gsize done;          /* of the source, in bytes */
    gboolean after_word; /* a control word was written last */
    Expanded *out;
} Writer;

static void write_token(Writer *writer, const TgTexToken *token)
{
    static const char limits_operator[] = "\\operatornamewithlimits";
    GString *text = writer->out->text;

    if (token->start < writer->n_macros && token->end <= writer->n_macros)
        return;
    /* Of the source before it white space stays; macro calls and braces of arguments go. */
    const char *gap = writer->source + writer->done;
    const gsize n_gap = token->start > writer->done ? token->start - writer->done : 0;
    gsize n_blank = 0;
    while (n_blank < n_gap && g_ascii_isspace(gap[n_blank]))
        n_blank++;
    if (n_gap > 0 && n_blank == n_gap) {
        g_string_append_len(text, gap, (gssize) n_gap);
        writer->after_word = FALSE;
    }
    const Mark mark = { text->len, token->start - writer->n_macros };
    g_array_append_val(writer->out->marks, mark);
    if (writer->after_word && token->len > 0 && g_ascii_isalpha(token->text[0]))
        g_string_append_c(text, ' ');
    /* The expander's name for \operatorname*. */
    if (token->len == strlen(limits_operator) &&
        memcmp(token->text, limits_operator, token->len) == 0)
        g_string_append(text, "\\operatorname*");
    else
        g_string_append_len(text, token->text, token->len);
    writer->after_word = token->kind == TG_TOK_COMMAND && token->len > 1 &&
                         g_ascii_isalpha(token->text[token->len - 1]);
    writer->done = MAX(writer->done, token->end);
}

static void expand_document(TgExpander *expander, Writer *writer)
{
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(guint)); /* marks of open ones */
    TgTexToken token;

    while ((token = tg_expander_next_user(expander)).kind != TG_TOK_END) {
        if (tg_define(expander, &token)) {
            writer->done = MAX(writer->done, expander->end);
            continue;
        }
        if (token.kind == TG_TOK_OPEN) {
            const guint mark = tg_tex_macros_open_group(&expander->macros);

            g_array_append_val(groups, mark);
        } else if (token.kind == TG_TOK_CLOSE && groups->len > 0) {
            tg_tex_macros_close_group(&expander->macros,
                                      g_array_index(groups, guint, groups->len - 1));
            g_array_set_size(groups, groups->len - 1);
        }
        write_token(writer, &token);
    }
}

/* Replace the author's macros. The first @n_macros bytes of @text are definitions only: their
 * source is 0, and they yield no text. FALSE with @error when the macros never come to an end. */
static gboolean expand_macros(const char *text, gsize len, gsize n_macros, Expanded *out,
                              GError **error)
{
    TgArena arena = { 0 };
    TgParseErrors errors;
    TgExpander expander;
    Writer writer = { .source = text, .n_macros = n_macros, .done = n_macros, .out = out };

    out->text = g_string_sized_new(len);
    out->marks = g_array_new(FALSE, FALSE, sizeof(Mark));
    tg_parse_errors_init(&errors, &arena, text, len, FALSE);
    tg_expander_init(&expander, &arena, &errors, text, len,
                     MIN_EXPANSIONS + EXPANSIONS * (guint) len, MIN_TOKENS + TOKENS * (guint) len);
    expand_document(&expander, &writer);
    const gboolean limit = errors.limit;
    tg_expander_clear(&expander);
    tg_arena_clear(&arena);
    return !limit || tg_fail_input(error, "the macros expand without end");
}

/* ---- delimiters ---- */

/* Environments that are formulas, each also with a star. */
static const char *const environments[] = {
    "equation", "align",       "gather", "multline",     "flalign", "alignat",
    "eqnarray", "displaymath", "dmath",  "IEEEeqnarray", "math",
};

static const struct {
    const char *open, *close;
    gboolean display;
} delimiters[] = { { "$$", "$$", TRUE }, { "\\[", "\\]", TRUE }, { "\\(", "\\)", FALSE } };

/* A formula as found, or an opening delimiter that nothing closes. */
typedef struct {
    gsize start; /* of the opening delimiter */
    gsize end;   /* after the closing one; 0: there is none */
    const char *environment;
    gboolean display;
} Found;

typedef struct {
    const char *text;
    gsize len;
    TgDocumentKind kind;
    gsize next_blank_line; /* the first at or after what was asked for last */
    /* No such closing delimiter is left in the text. */
    gboolean missing[G_N_ELEMENTS(delimiters) + 2 * G_N_ELEMENTS(environments)];
} Scanner;

/* Where the first blank line at or after @from starts; formulas do not reach over it. */
static gsize blank_line(Scanner *scanner, gsize from)
{
    const char *text = scanner->text;

    if (scanner->next_blank_line >= from && scanner->next_blank_line > 0)
        return scanner->next_blank_line;
    for (gsize i = from; i < scanner->len; i++) {
        if (text[i] != '\n')
            continue;
        gsize end = i + 1;
        while (end < scanner->len && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r'))
            end++;
        if (end < scanner->len && text[end] == '\n')
            return scanner->next_blank_line = i;
        i = end - 1;
    }
    return scanner->next_blank_line = scanner->len;
}

/* Where @word starts, @from on and before @stop; a backslash and what follows it belong together.
 * @stop if nowhere. */
static gsize find_closing(const Scanner *scanner, gsize from, gsize stop, const char *word)
{
    for (gsize i = from; i < stop; i++) {
        if (starts_with(scanner->text, scanner->len, i, word))
            return i;
        if (scanner->text[i] == '\\')
            i++;
    }
    return stop;
}

/* The end of a formula whose inside starts at @from: after @word. 0 if it is not closed. */
static gsize close_at(Scanner *scanner, gsize from, guint closer, const char *word)
{
    if (scanner->missing[closer])
        return 0;
    const gsize stop = blank_line(scanner, from);
    const gsize at = find_closing(scanner, from, stop, word);
    if (at < stop)
        return at + strlen(word);
    if (stop == scanner->len)
        scanner->missing[closer] = TRUE;
    return 0;
}

/* `$...$`: FALSE if this dollar opens nothing. Markdown's rule (Pandoc's) keeps prices apart: no
 * space inside the dollars, no digit after them. */
static gboolean scan_dollar(Scanner *scanner, gsize at, Found *found)
{
    const char *text = scanner->text;
    const gsize stop = blank_line(scanner, at);
    const gsize close = find_closing(scanner, at + 1, stop, "$");

    if (close == stop || close == at + 1)
        return FALSE;
    if (scanner->kind == TG_DOCUMENT_MARKDOWN &&
        (g_ascii_isspace(text[at + 1]) || g_ascii_isspace(text[close - 1]) ||
         (close + 1 < scanner->len && g_ascii_isdigit(text[close + 1]))))
        return FALSE;
    *found = (Found){ at, close + 1, "$", FALSE };
    return TRUE;
}

/* The formula, or the delimiter that nothing closes, that starts at @at. FALSE: no delimiter. */
static gboolean scan_opening(Scanner *scanner, gsize at, Found *found)
{
    static const char begin[] = "\\begin{";

    for (guint i = 0; i < G_N_ELEMENTS(delimiters); i++)
        if (starts_with(scanner->text, scanner->len, at, delimiters[i].open)) {
            *found = (Found){ at, close_at(scanner, at + 2, i, delimiters[i].close),
                              delimiters[i].open, delimiters[i].display };
            return TRUE;
        }
    if (!starts_with(scanner->text, scanner->len, at, begin))
        return FALSE;
    for (guint i = 0; i < 2 * G_N_ELEMENTS(environments); i++) {
        g_autofree char *name = g_strconcat(environments[i / 2], i % 2 == 1 ? "*}" : "}", NULL);
        const gsize inside = at + strlen(begin) + strlen(name);

        if (!starts_with(scanner->text, scanner->len, at + strlen(begin), name))
            continue;
        g_autofree char *close = g_strconcat("\\end{", name, NULL);
        name[strlen(name) - 1] = '\0';
        *found = (Found){ at, close_at(scanner, inside, G_N_ELEMENTS(delimiters) + i, close),
                          g_intern_string(name), strcmp(environments[i / 2], "math") != 0 };
        return TRUE;
    }
    return FALSE;
}

/* The next formula from *@at on, which moves after it; FALSE at the end. */
static gboolean scan_next(Scanner *scanner, gsize *at, Found *found)
{
    while (*at < scanner->len) {
        const char c = scanner->text[*at];

        if ((c == '$' || c == '\\') &&
            (scan_opening(scanner, *at, found) || (c == '$' && scan_dollar(scanner, *at, found)))) {
            *at = found->end > 0 ? found->end : *at + 2;
            return TRUE;
        }
        *at += c == '\\' ? 2 : 1;
    }
    return FALSE;
}

/* ---- a document ---- */

static void clear_formula(gpointer formula)
{
    g_free(((TgDocumentFormula *) formula)->latex);
}

/* The end of `{...}` at @at, braces balanced; @at if it is not closed or does not start there. */
static gsize group_end(const char *text, gsize len, gsize at)
{
    guint depth = 0;

    if (at >= len || text[at] != '{')
        return at;
    for (gsize i = at; i < len; i++) {
        if (text[i] == '\\')
            i++;
        else if (text[i] == '{')
            depth++;
        else if (text[i] == '}' && --depth == 0)
            return i + 1;
    }
    return at;
}

/* Commands that number an equation: with an argument, or without. */
static const struct {
    const char *name;
    gboolean argument;
} numbering[] = {
    { "\\label", TRUE },  { "\\tag*", TRUE },      { "\\tag", TRUE },
    { "\\notag", FALSE }, { "\\nonumber", FALSE },
};

/* The end of a numbering command at @at; @at if there is none. */
static gsize numbering_end(const char *text, gsize len, gsize at)
{
    for (guint i = 0; i < G_N_ELEMENTS(numbering); i++) {
        const gsize n = strlen(numbering[i].name);
        gsize end = at + n;
        if (len - at < n || memcmp(text + at, numbering[i].name, n) != 0 ||
            (end < len && g_ascii_isalpha(text[end])))
            continue;
        if (!numbering[i].argument)
            return end;
        while (end < len && g_ascii_isspace(text[end]))
            end++;
        const gsize group = group_end(text, len, end);
        if (group > end)
            return group;
    }
    return at;
}

/* A formula without numbering, on one line, without outer delimiters. */
static char *tidy_formula(const char *text, gsize len)
{
    g_autoptr(GString) line = g_string_sized_new(len);
    gsize inner_len;

    for (gsize i = 0; i < len;) {
        const gsize end = text[i] == '\\' ? numbering_end(text, len, i) : i;
        if (end > i) {
            i = end;
        } else if (g_ascii_isspace(text[i])) {
            if (line->len > 0 && line->str[line->len - 1] != ' ')
                g_string_append_c(line, ' ');
            i++;
        } else {
            const gsize n = text[i] == '\\' && i + 1 < len && !g_ascii_isspace(text[i + 1]) ? 2 : 1;
            g_string_append_len(line, text + i, (gssize) n);
            i += n;
        }
    }
    const char *inner = tg_delimiters_strip(line->str, line->len, &inner_len);
    return g_strndup(inner, inner_len);
}

/* A document on its way. */
typedef struct {
    const TgDocumentOptions *options;
    const char *source;
    Expanded expanded;
    gsize counted; /* bytes of the source in which lines were counted */
    guint line;    /* of that byte */
} Document;

/* The line of a byte of the expanded text. Asked for in rising order, mostly. */
static guint line_of(Document *document, gsize at)
{
    const gsize source = source_of(&document->expanded, at);

    if (source < document->counted) {
        document->counted = 0;
        document->line = 1;
    }
    for (; document->counted < source; document->counted++)
        document->line += document->source[document->counted] == '\n';
    return document->line;
}

/* LaTeX: definitions given beside the document, then the document, cleaned and expanded. */
static gboolean prepare_latex(Document *document, gsize len, GError **error)
{
    const char *macros = document->options->macros;
    const gsize n_macros = macros != NULL ? strlen(macros) : 0;
    g_autofree char *all = g_malloc(n_macros + len + 1);

    if (n_macros > 0)
        memcpy(all, macros, n_macros);
    memcpy(all + n_macros, document->source, len);
    clean_latex(all, n_macros);
    clean_latex(all + n_macros, len);
    return expand_macros(all, n_macros + len, n_macros, &document->expanded, error);
}

static GArray *collect_formulas(Document *document)
{
    static const char begin_document[] = "\\begin{document}";
    const TgDocumentOptions *options = document->options;
    const GString *text = document->expanded.text;
    Scanner scanner = { .text = text->str, .len = text->len, .kind = options->kind };
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgDocumentFormula));
    const char *begin = options->kind == TG_DOCUMENT_LATEX
                            ? g_strstr_len(text->str, (gssize) text->len, begin_document)
                            : NULL;
    gsize at = begin != NULL ? (gsize) (begin - text->str) + strlen(begin_document) : 0;
    Found found;

    g_array_set_clear_func(out, clear_formula);
    while (scan_next(&scanner, &at, &found)) {
        if (found.end == 0 && options->fault != NULL) {
            g_autofree char *message = g_strdup_printf(
                "%s is not closed before the end of its paragraph", found.environment);
            options->fault(line_of(document, found.start), message, options->data);
        }
        if (found.end == 0 || (!found.display && !options->with_inline))
            continue;
        g_autofree char *latex = tidy_formula(text->str + found.start, found.end - found.start);
        if (latex[0] == '\0')
            continue;
        const TgDocumentFormula formula = { g_steal_pointer(&latex), found.environment,
                                            line_of(document, found.start), found.display };
        g_array_append_val(out, formula);
    }
    return out;
}

GArray *tg_document_extract(const char *text, gsize len, const TgDocumentOptions *options,
                            GError **error)
{
    Document document = { .options = options, .source = text, .line = 1 };
    GArray *out = NULL;
    const char *bad;

    if (len > TG_DOCUMENT_MAX)
        return tg_null_input(error, "larger than %u MB", TG_DOCUMENT_MAX >> 20);
    if (!g_utf8_validate(text, (gssize) len, &bad))
        return tg_null_input(error, "not UTF-8 text (byte %" G_GSIZE_FORMAT ")",
                             (gsize) (bad - text) + 1);
    if (options->kind == TG_DOCUMENT_MARKDOWN) {
        document.expanded.text = g_string_new_len(text, (gssize) len);
        clean_markdown(document.expanded.text->str, len);
    }
    if (options->kind == TG_DOCUMENT_MARKDOWN || prepare_latex(&document, len, error))
        out = collect_formulas(&document);
    g_string_free(document.expanded.text, TRUE);
    g_clear_pointer(&document.expanded.marks, g_array_unref);
    return out;
}
