#include "datasets/documents/document.h"

#include <string.h>

#include "core/fail.h"
#include "datasets/documents/clean.h"
#include "datasets/documents/expand.h"
#include "datasets/documents/scan.h"
#include "datasets/records/delimiters.h"

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
    TgExpandedText expanded;
    gsize counted; /* bytes of the source in which lines were counted */
    guint line;    /* of that byte */
} Document;

/* The line of a byte of the expanded text. Asked for in rising order, mostly. */
static guint line_of(Document *document, gsize at)
{
    const gsize source = tg_expanded_text_source(&document->expanded, at);

    if (source < document->counted) {
        document->counted = 0;
        document->line = 1;
    }
    for (; document->counted < source; document->counted++)
        document->line += document->source[document->counted] == '\n';
    return document->line;
}

static void report_unclosed(gsize at, const char *delimiter, gpointer data)
{
    Document *document = data;
    g_autofree char *message =
        g_strdup_printf("%s is not closed before the end of its paragraph", delimiter);

    if (document->options->fault != NULL)
        document->options->fault(line_of(document, at), message, document->options->data);
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
    tg_document_clean_latex(all, n_macros);
    tg_document_clean_latex(all + n_macros, len);
    return tg_document_expand(all, n_macros + len, n_macros, &document->expanded, error);
}

static void prepare_markdown(Document *document, gsize len)
{
    const TgDocumentMark marks[] = { { 0, 0 } };

    document->expanded.text = g_string_new_len(document->source, (gssize) len);
    document->expanded.marks = g_array_new(FALSE, FALSE, sizeof(TgDocumentMark));
    g_array_append_vals(document->expanded.marks, marks, 1);
    tg_document_clean_markdown(document->expanded.text->str, len);
}

static GArray *collect_formulas(Document *document)
{
    static const char begin_document[] = "\\begin{document}";
    const GString *text = document->expanded.text;
    const gboolean latex = document->options->kind == TG_DOCUMENT_LATEX;
    const char *begin = latex ? g_strstr_len(text->str, (gssize) text->len, begin_document) : NULL;
    const gsize from = begin != NULL ? (gsize) (begin - text->str) + strlen(begin_document) : 0;
    g_autoptr(GArray) found = tg_document_scan(text->str, text->len, from, document->options->kind,
                                               report_unclosed, document);
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgDocumentFormula));

    g_array_set_clear_func(out, clear_formula);
    for (guint i = 0; i < found->len; i++) {
        const TgFoundFormula *one = &g_array_index(found, TgFoundFormula, i);
        if (!one->display && !document->options->with_inline)
            continue;
        TgDocumentFormula formula = { tidy_formula(text->str + one->start, one->end - one->start),
                                      one->environment, 0, one->display };
        if (formula.latex[0] == '\0') {
            g_free(formula.latex);
            continue;
        }
        formula.line = line_of(document, one->start);
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

    if (len > TG_DOCUMENT_MAX) {
        tg_fail_input(error, "larger than %u MB", TG_DOCUMENT_MAX >> 20);
        return NULL;
    }
    if (!g_utf8_validate(text, (gssize) len, &bad)) {
        tg_fail_input(error, "not UTF-8 text (byte %" G_GSIZE_FORMAT ")", (gsize) (bad - text) + 1);
        return NULL;
    }
    if (options->kind == TG_DOCUMENT_MARKDOWN)
        prepare_markdown(&document, len);
    if (options->kind == TG_DOCUMENT_MARKDOWN || prepare_latex(&document, len, error))
        out = collect_formulas(&document);
    tg_expanded_text_clear(&document.expanded);
    return out;
}
