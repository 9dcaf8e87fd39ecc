/* Formulas out of LaTeX papers and Markdown. A document takes three steps: comments and code away,
 * macros expanded, delimiters found. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/arena.h"
#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "core/utf8.h"
#include "datasets/records/formula.h"
#include "tokenizer/macros/expander.h"

/* ---- a document ---- */

/* What macros may yield, beside so much for each byte of the document. */
#define MIN_EXPANSIONS 10000u
#define MIN_TOKENS     100000u
#define EXPANSIONS     2u
#define TOKENS         8u

/* Where a token stands in the text, and in the source. */
typedef struct {
    gsize at, source;
} Mark;

/* A document on its way. */
typedef struct {
    const TgDocumentOptions *options;
    const char *source;
    GString *all; /* the source after definitions from elsewhere, of so many bytes */
    gsize n_macros;
    gsize done;          /* what of this is written into the text */
    gboolean after_word; /* a control word was written last */
    GString *text;       /* macros are expanded */
    GArray *marks;       /* Mark, increasing; none: the text is the source */
    guint mark;          /* the place for which a line was asked last, */
    gsize counted;       /* in bytes of the source, */
    guint line;          /* and that line */
} Document;

/* The line of a byte of the text, which is not before the one that was asked for last. */
static guint line_of(Document *document, gsize at)
{
    const Mark *marks = (const Mark *) (gpointer) document->marks->data;
    gsize source = at;

    while (document->mark + 1 < document->marks->len && marks[document->mark + 1].at <= at)
        document->mark++;
    if (document->marks->len > 0)
        source = marks[document->mark].source + (at - marks[document->mark].at);
    if (source < document->counted) { /* an argument that stood before */
        document->counted = 0;
        document->line = 1;
    }
    for (; document->counted < source; document->counted++)
        document->line += document->source[document->counted] == '\n';
    return document->line;
}

/* Overwrite with spaces what is not text: comments with the end of their line (unless a blank line
 * follows, which ends a paragraph), `\iffalse` to `\fi`, verbatim text, package code. A region
 * without end is text: a file that was cut off still has formulas. */
static void clean_latex(GString *text)
{
    guint64 missing = 0;
    const TgRule *rule;
    TgSpans spans;

    for (gsize at = 0; tg_rule_find("latex token", text, at, spans);) {
        const char *start = text->str + spans[0];
        const char *end =
            *start == '\\' ? tg_rule_pair("latex region", start, &missing, &rule) : NULL;
        at = end != NULL ? (gsize) (end - text->str) : (gsize) spans[1];
        if (end != NULL || *start == '%' || spans[2] >= 0)
            memset(text->str + spans[0], ' ', at - (gsize) spans[0]);
    }
}

/* Write a token back as text. */
static void write_token(Document *document, const TgTexToken *token)
{
    GString *text = document->text;
    const char *gap = document->all->str + document->done;
    const gsize n_gap = token->start > document->done ? token->start - document->done : 0;

    /* Of the source before it white space stays; macro calls and braces of arguments go. */
    if (n_gap > 0 && strspn(gap, " \t\r\n\f") >= n_gap) {
        g_string_append_len(text, gap, (gssize) n_gap);
        document->after_word = FALSE;
    }
    const Mark mark = { text->len, token->start - document->n_macros };
    g_array_append_val(document->marks, mark);
    if (document->after_word && token->len > 0 && g_ascii_isalpha(token->text[0]))
        g_string_append_c(text, ' ');
    g_string_append_len(text, token->text, token->len);
    document->after_word = token->kind == TG_TOK_COMMAND && token->len > 1 &&
                           g_ascii_isalpha(token->text[token->len - 1]);
    document->done = MAX(document->done, token->end);
}

/* Expand the author's macros. FALSE with @error when they never come to an end. */
static gboolean expand_macros(Document *document, GError **error)
{
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(guint)); /* marks of open ones */
    const guint len = (guint) document->all->len;
    TgArena arena = { 0 };
    TgParseErrors errors;
    TgExpander expander;
    TgTexToken token;

    tg_parse_errors_init(&errors, &arena, document->all->str, len, FALSE);
    tg_expander_init(&expander, &arena, &errors, document->all->str, len,
                     MIN_EXPANSIONS + EXPANSIONS * len, MIN_TOKENS + TOKENS * len);
    while ((token = tg_expander_next_user(&expander)).kind != TG_TOK_END) {
        if (tg_define(&expander, &token)) {
            document->done = MAX(document->done, expander.end);
            continue;
        }
        if (token.kind == TG_TOK_OPEN) {
            const guint mark = tg_tex_macros_open_group(&expander.macros);
            g_array_append_val(groups, mark);
        } else if (token.kind == TG_TOK_CLOSE && groups->len > 0) {
            tg_tex_macros_close_group(&expander.macros,
                                      g_array_index(groups, guint, groups->len - 1));
            g_array_set_size(groups, groups->len - 1);
        }
        if (token.end > document->n_macros)
            write_token(document, &token);
    }
    const gboolean limit = errors.limit;
    tg_expander_clear(&expander);
    tg_arena_clear(&arena);
    return !limit || tg_fail_input(error, "the macros expand without end");
}

/* A formula without numbering and outer delimiters, on one line. */
static char *tidy_formula(const char *text, gsize len)
{
    g_autoptr(GString) line = g_string_new_len(text, (gssize) len);

    tg_rule_apply("numbering", line);
    tg_page_fold(line, " ");
    const char *inner = tg_delimiters_strip(line->str, line->len, &len);
    return g_strndup(inner, len);
}

static void clear_formula(gpointer formula)
{
    g_free(((TgDocumentFormula *) formula)->latex);
}

/* The text, in which no escaped character can end a formula, and none reaches over a blank line. */
static char *mask_escapes(const char *text)
{
    char *out = g_strdup(text);
    const gsize len = strlen(text);

    for (char *p = out; p < out + len; p++) {
        p += strcspn(p, "\\\n");
        if (*p == '\n' && p[1 + strspn(p + 1, " \t\r")] == '\n')
            *p = '\0';
        else if (*p == '\\' && (p[1] == '\\' || p[1] == '$'))
            p = (char *) memset(p, '.', 2) + 1;
    }
    return out;
}

static GArray *collect_formulas(Document *document)
{
    const TgDocumentOptions *options = document->options;
    const gboolean markdown = options->kind == TG_DOCUMENT_MARKDOWN;
    const char *text = document->text->str;
    const char *begin = markdown ? NULL : strstr(text, "\\begin{document}");
    g_autofree char *mask = mask_escapes(text);
    const char *at = mask + (begin != NULL ? begin - text : 0), *end;
    guint64 missing[2] = { 0 };
    GArray *out = g_array_new(FALSE, FALSE, sizeof(TgDocumentFormula));

    g_array_set_clear_func(out, clear_formula);
    for (; (at += strcspn(at, "$\\")) < mask + document->text->len; at = end) {
        const TgRule *rule = NULL;
        const gsize place = (gsize) (at - mask);
        end = at + 1;
        if (*at == '\0') { /* the end of a paragraph */
            missing[0] = missing[1] = 0;
            continue;
        }
        const char *close = tg_rule_pair("display", at, &missing[0], &rule);
        const gboolean display = rule != NULL;
        if (!display)
            close = tg_rule_pair("in line", at, &missing[1], &rule);
        /* Markdown's rule (Pandoc's) keeps prices apart. */
        if (rule == NULL ||
            (strcmp(rule->what, "$") == 0 &&
             (close == NULL || (markdown && (g_ascii_isspace(at[1]) || g_ascii_isspace(close[-2]) ||
                                             g_ascii_isdigit(*close))))))
            continue;
        g_autofree char *name = g_str_has_prefix(rule->what, "\\begin{")
                                    ? g_strndup(rule->what + 7, strlen(rule->what) - 8)
                                    : g_strdup(rule->what);
        if (close == NULL && options->fault != NULL) {
            g_autofree char *message =
                g_strdup_printf("%s is not closed before the end of its paragraph", name);
            options->fault(line_of(document, place), message, options->data);
        }
        end = close != NULL ? close : at + 2;
        if (close == NULL || (!display && !options->with_inline))
            continue;
        const TgDocumentFormula formula = { tidy_formula(text + place, (gsize) (end - at)),
                                            g_intern_string(name), line_of(document, place),
                                            display };
        g_array_append_val(out, formula);
        if (formula.latex[0] == '\0')
            g_array_set_size(out, out->len - 1);
    }
    return out;
}

GArray *tg_document_extract(const char *text, gsize len, const TgDocumentOptions *options,
                            GError **error)
{
    const gboolean markdown = options->kind == TG_DOCUMENT_MARKDOWN;
    const char *macros = options->macros != NULL && !markdown ? options->macros : "", *bad;
    g_autoptr(GString) all = g_string_new(macros), out = g_string_new(NULL);
    g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(Mark));
    Document document = { .options = options,
                          .source = text,
                          .all = all,
                          .n_macros = all->len,
                          .done = all->len,
                          .text = out,
                          .marks = marks,
                          .line = 1 };

    if (len > TG_DOCUMENT_MAX)
        return tg_null_input(error, "larger than %u MB", TG_DOCUMENT_MAX >> 20);
    if (!g_utf8_validate(text, (gssize) len, &bad))
        return tg_null_input(error, "not UTF-8 text (byte %" G_GSIZE_FORMAT ")",
                             (gsize) (bad - text) + 1);
    g_string_append_len(out, text, (gssize) len);
    if (markdown) {
        tg_rule_blank("markdown code", out);
    } else {
        clean_latex(out);
        g_string_append_len(all, out->str, (gssize) len);
        g_string_truncate(out, 0);
        if (!expand_macros(&document, error))
            return NULL;
    }
    return collect_formulas(&document);
}

/* ---- files and folders ---- */

#define MAX_DEPTH 32 /* of folders inside folders */

typedef struct {
    const TgExtractOptions *options;
    TgExtractCounts *counts;
    char *macros; /* text of the macro files, or NULL */
    const char *file;
} Extract;

/* @message is about @file, and about @line of it unless that is 0. */
static void report_fault(const Extract *extract, const char *file, guint line, const char *message)
{
    g_autofree char *text = line > 0       ? g_strdup_printf("%s:%u: %s", file, line, message)
                            : file != NULL ? g_strdup_printf("%s: %s", file, message)
                                           : g_strdup(message);

    extract->counts->faults++;
    if (extract->options->fault != NULL)
        extract->options->fault(text, extract->options->data);
}

static void report_line(guint line, const char *message, gpointer data)
{
    report_fault(data, ((Extract *) data)->file, line, message);
}

static void write_row(const Extract *extract, const char *document, guint number,
                      const TgDocumentFormula *formula)
{
    g_autofree char *id = g_strdup_printf("%s#%u", document, number);
    g_autoptr(GString) line = g_string_new(NULL);
    json_t *row =
        json_pack("{so so so si ss ss so}", "id", tg_json_text(id), "document",
                  tg_json_text(document), "file", tg_json_text(extract->file), "line",
                  (int) formula->line, "kind", formula->display ? "display" : "inline",
                  "environment", formula->environment, "latex", tg_json_text(formula->latex));
    tg_json_append(line, row);
    json_decref(row);
    extract->counts->formulas++;
    extract->options->row(line->str, extract->options->data);
}

/* @folder_len: of the folder that was named, in bytes; the document's name is the path from there
 * on, without extension. */
static void extract_file(Extract *extract, const char *path, gsize folder_len)
{
    const char *kind = extract->options->kind;
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) name = g_string_new(path + folder_len);

    g_string_erase(name, 0, (gssize) strspn(name->str, "/"));
    tg_rule_apply("extension", name);
    extract->file = path;
    extract->counts->files++;
    g_autoptr(TgStream) stream = tg_stream_open(path, TG_DOCUMENT_MAX, &error);
    g_autoptr(GString) text =
        stream != NULL ? tg_stream_read_rest(stream, TG_DOCUMENT_MAX, &error) : NULL;
    if (text == NULL) {
        report_fault(extract, NULL, 0, error->message);
        return;
    }
    const gboolean latex = kind != NULL ? strcmp(kind, "latex") == 0
                                        : tg_rule_has("latex file", path) ||
                                              (!tg_rule_has("markdown file", path) &&
                                               strstr(text->str, "\\begin{document}") != NULL);
    const TgDocumentOptions options = {
        .kind = latex ? TG_DOCUMENT_LATEX : TG_DOCUMENT_MARKDOWN,
        .with_inline = extract->options->with_inline,
        .macros = extract->macros,
        .fault = report_line,
        .data = extract,
    };
    g_autoptr(GArray) formulas = tg_document_extract(text->str, text->len, &options, &error);
    if (formulas == NULL)
        report_fault(extract, path, 0, error->message);
    for (guint i = 0; formulas != NULL && i < formulas->len; i++)
        write_row(extract, name->str, i + 1, &g_array_index(formulas, TgDocumentFormula, i));
}

static void extract_folder(Extract *extract, const char *path, gsize folder_len, guint depth)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) dir = g_dir_open(path, 0, &error);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;

    if (dir == NULL || depth == MAX_DEPTH) {
        report_fault(extract, path, 0,
                     dir == NULL ? error->message : "folders are nested too deeply");
        return;
    }
    while ((name = g_dir_read_name(dir)) != NULL)
        g_ptr_array_add(names, g_strdup(name));
    tg_texts_sort(names);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *inner = g_build_filename(path, names->pdata[i], NULL);
        if (g_file_test(inner, G_FILE_TEST_IS_DIR)) {
            if (!g_file_test(inner, G_FILE_TEST_IS_SYMLINK)) /* it may lead in circles */
                extract_folder(extract, inner, folder_len, depth + 1);
        } else if (g_file_test(inner, G_FILE_TEST_IS_REGULAR) &&
                   (tg_rule_has("latex file", inner) || tg_rule_has("markdown file", inner))) {
            extract_file(extract, inner, folder_len);
        }
    }
}

/* The text of the macro files; NULL with @error. */
static char *read_macros(const char *const *files, GError **error)
{
    g_autoptr(GString) all = g_string_new(NULL);

    for (guint i = 0; files != NULL && files[i] != NULL; i++) {
        g_autoptr(GError) local = NULL;
        g_autofree char *text = NULL;
        gsize len;
        if (!g_file_get_contents(files[i], &text, &len, &local))
            return tg_null_input(error, "%s", local->message);
        if (len > TG_DOCUMENT_MAX || !g_utf8_validate(text, (gssize) len, NULL))
            return tg_null_input(error, "%s: not UTF-8 text, or too large", files[i]);
        g_string_append_printf(all, "%s\n", text);
    }
    clean_latex(all);
    return g_string_free(g_steal_pointer(&all), FALSE);
}

gboolean tg_extract_run(const TgExtractOptions *options, TgExtractCounts *counts, GError **error)
{
    Extract extract = { .options = options, .counts = counts };

    *counts = (TgExtractCounts){ 0 };
    if (options->kind != NULL && strcmp(options->kind, "latex") != 0 &&
        strcmp(options->kind, "markdown") != 0)
        return tg_fail_usage(error,
                             "unknown kind of document '%s'; the kinds are latex and markdown",
                             options->kind);
    g_autofree char *macros = extract.macros = read_macros(options->macros, error);
    if (macros == NULL)
        return FALSE;
    for (guint i = 0; options->inputs[i] != NULL; i++) {
        const char *path = options->inputs[i], *slash = strrchr(path, '/');
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            extract_folder(&extract, path, strlen(path), 0);
        else
            extract_file(&extract, path, slash != NULL ? (gsize) (slash - path) : 0);
    }
    return counts->formulas > 0 || counts->faults > 0 ||
           tg_fail_input(error, "the inputs hold no formulas");
}
