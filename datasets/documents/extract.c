/* Formulas out of files and folders of documents, as JSON rows. */
#include "datasets/documents/document.h"

#include <string.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "core/utf8.h"

#define MAX_DEPTH 32 /* of folders inside folders */

typedef struct {
    const TgExtractOptions *options;
    TgExtractCounts *counts;
    char *macros; /* text of the macro files, or NULL */
    const char *file;
} Extract;

static void report_fault(const Extract *extract, const char *message)
{
    extract->counts->faults++;
    if (extract->options->fault != NULL)
        extract->options->fault(message, extract->options->data);
}

static void report_line(guint line, const char *message, gpointer data)
{
    const Extract *extract = data;
    g_autofree char *text = g_strdup_printf("%s:%u: %s", extract->file, line, message);

    report_fault(extract, text);
}

static gboolean has_suffix(const char *path, const char *const *suffixes)
{
    for (guint i = 0; suffixes[i] != NULL; i++)
        if (g_str_has_suffix(path, suffixes[i]))
            return TRUE;
    return FALSE;
}

static const char *const latex_suffixes[] = { ".tex", ".ltx", NULL };
static const char *const markdown_suffixes[] = { ".md", ".mmd", ".markdown", NULL };

static TgDocumentKind kind_of(const TgExtractOptions *options, const char *path, const char *text)
{
    if (options->kind != NULL)
        return strcmp(options->kind, "latex") == 0 ? TG_DOCUMENT_LATEX : TG_DOCUMENT_MARKDOWN;
    if (has_suffix(path, latex_suffixes))
        return TG_DOCUMENT_LATEX;
    if (has_suffix(path, markdown_suffixes))
        return TG_DOCUMENT_MARKDOWN;
    return strstr(text, "\\begin{document}") != NULL ? TG_DOCUMENT_LATEX : TG_DOCUMENT_MARKDOWN;
}

/* The path without extension, relative to the folder that was named (its length in bytes). */
static char *document_name(const char *path, gsize folder_len)
{
    const char *name = path + folder_len;
    const char *slash, *dot;

    while (*name == '/')
        name++;
    slash = strrchr(name, '/');
    dot = strrchr(slash != NULL ? slash : name, '.');
    return dot != NULL && dot != name ? g_strndup(name, (gsize) (dot - name)) : g_strdup(name);
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

static void extract_file(Extract *extract, const char *path, gsize folder_len)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *document = document_name(path, folder_len);

    extract->file = path;
    extract->counts->files++;
    g_autoptr(TgStream) stream = tg_stream_open(path, TG_DOCUMENT_MAX, &error);
    g_autoptr(GString) text =
        stream != NULL ? tg_stream_read_rest(stream, TG_DOCUMENT_MAX, &error) : NULL;
    if (text == NULL) {
        report_fault(extract, error->message);
        return;
    }
    const TgDocumentOptions options = {
        .kind = kind_of(extract->options, path, text->str),
        .with_inline = extract->options->with_inline,
        .macros = extract->macros,
        .fault = report_line,
        .data = extract,
    };
    g_autoptr(GArray) formulas = tg_document_extract(text->str, text->len, &options, &error);
    if (formulas == NULL) {
        g_autofree char *message = g_strdup_printf("%s: %s", path, error->message);
        report_fault(extract, message);
        return;
    }
    for (guint i = 0; i < formulas->len; i++)
        write_row(extract, document, i + 1, &g_array_index(formulas, TgDocumentFormula, i));
}

static void extract_folder(Extract *extract, const char *path, gsize folder_len, guint depth)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) dir = g_dir_open(path, 0, &error);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;

    if (dir == NULL || depth == MAX_DEPTH) {
        g_autofree char *message = g_strdup_printf(
            "%s: %s", path, dir == NULL ? error->message : "folders are nested too deeply");
        report_fault(extract, message);
        return;
    }
    while ((name = g_dir_read_name(dir)) != NULL)
        g_ptr_array_add(names, g_strdup(name));
    tg_texts_sort(names);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *inner = g_build_filename(path, names->pdata[i], NULL);
        const gboolean is_link = g_file_test(inner, G_FILE_TEST_IS_SYMLINK);
        if (g_file_test(inner, G_FILE_TEST_IS_DIR)) {
            if (!is_link) /* it may lead in circles */
                extract_folder(extract, inner, folder_len, depth + 1);
        } else if (g_file_test(inner, G_FILE_TEST_IS_REGULAR) &&
                   (has_suffix(inner, latex_suffixes) || has_suffix(inner, markdown_suffixes))) {
            extract_file(extract, inner, folder_len);
        }
    }
}

static gboolean read_macros(Extract *extract, GError **error)
{
    g_autoptr(GString) all = g_string_new(NULL);

    if (extract->options->macros == NULL)
        return TRUE;
    for (guint i = 0; extract->options->macros[i] != NULL; i++) {
        const char *path = extract->options->macros[i];
        g_autoptr(GError) local = NULL;
        g_autofree char *text = NULL;
        gsize len;
        if (!g_file_get_contents(path, &text, &len, &local))
            return tg_fail_input(error, "%s", local->message);
        if (len > TG_DOCUMENT_MAX || !g_utf8_validate(text, (gssize) len, NULL))
            return tg_fail_input(error, "%s: not UTF-8 text, or too large", path);
        g_string_append(all, text);
        g_string_append_c(all, '\n');
    }
    extract->macros = g_string_free(g_steal_pointer(&all), FALSE);
    return TRUE;
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
    if (!read_macros(&extract, error))
        return FALSE;
    for (guint i = 0; options->inputs[i] != NULL; i++) {
        const char *path = options->inputs[i];
        g_autofree char *folder = g_path_get_dirname(path);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            extract_folder(&extract, path, strlen(path), 0);
        else
            extract_file(&extract, path, strchr(path, '/') != NULL ? strlen(folder) : 0);
    }
    g_free(extract.macros);
    return counts->formulas > 0 || counts->faults > 0 ||
           tg_fail_input(error, "the inputs hold no formulas");
}
