/* Runs over documents: write the formulas of each document, or pair the formulas of references and
 * of models by the protocol of the CDM paper or by OmniDocBench's. */
#include "datasets/documents/documents.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "core/files/output.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "core/number.h"
#include "datasets/documents/document.h"
#include "datasets/input_names.h"
#include "tokenizer/macros/commands.h"

const char *const tg_document_kinds[] = { "auto", "latex", "markdown", NULL };
G_STATIC_ASSERT(G_N_ELEMENTS(tg_document_kinds) == TG_DOCUMENT_MARKDOWN + 2);

const char *const tg_document_protocols[] = { "cdm", "omnidocbench", "olmocr", NULL };
G_STATIC_ASSERT(G_N_ELEMENTS(tg_document_protocols) == TG_PROTOCOL_OLMOCR + 2);

/* The counts of a model. MISSING to UNREAD are kinds of pages, of which some are also named; then
 * pages with formulas; references, references without a prediction, and predictions without a
 * reference. */
enum {
    MISSING,
    EMPTY,
    CUT,
    UNREAD,
    N_KINDS,
    PAGES = N_KINDS,
    REFERENCES,
    MISSED,
    UNUSED,
    N_COUNTS
};

#define MAX_NAMED 5 /* pages of each kind that are named */

typedef struct {
    const TgDocumentsOptions *options;
    TgInputNames models;
    guint64 n_faults;
    const char *model; /* the model that is matched (NULL: it has no name), and its counts */
    guint counts[N_COUNTS];
    const char *names[N_KINDS][MAX_NAMED];
    double distance; /* sum over all pairs */

    GString *macros; /* text of the macro files */
    /* {NAME: FORMULAS} of a side; NULL: formulas are written, not paired */
    json_t *documents;
    json_t *refs;      /* those of the reference, while predictions are read; or NULL */
    GHashTable *begun; /* names of the documents of this input that are read */
    char *unread;      /* the first file without a formula that is_suspect(), or NULL */
    guint n_files, n_formulas, n_unread; /* so far */

    GPtrArray *pages;  /* TgPage */
    json_t *held;      /* the last row of the model so far, or NULL; see write_rows() */
    json_t *elsewhere; /* predictions on pages without a reference formula */
    json_t *displays;  /* that the protocol does not read, so far */
} Run;

static void tell_fault(Run *run, const char *message)
{
    run->n_faults++;
    if (run->options->fault != NULL)
        run->options->fault(message, run->options->data);
}

static void tell_note(const Run *run, const char *note)
{
    if (run->options->note != NULL)
        run->options->note(note, run->options->data);
}

/* Write @row, and free it. */
static void write_row(const Run *run, json_t *row)
{
    g_assert(row != NULL); /* tg_json_text() makes texts of users valid */
    g_autofree char *line = tg_json_take(row, "\n");
    fputs(line, run->options->rows);
}

/* ---- the formulas of files ---- */

static gboolean is_latex_file(const char *path)
{
    return g_str_has_suffix(path, ".tex") || g_str_has_suffix(path, ".ltx");
}

/* Whether a file is JSON or a table, which would be read as Markdown. */
static gboolean is_data_file(const char *path)
{
    static const char *const kinds[] = { ".json", ".csv", ".tsv" };
    g_autofree char *name = g_path_get_basename(path);
    gboolean found = FALSE;

    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        found = found || strstr(name, kinds[i]) != NULL; /* also .csv.gz */
    return found;
}

/* Whether Markdown in which no formula was found has marks of formulas. */
static gboolean is_suspect(const char *text)
{
    static const char *const marks[] = {
        "$$", "$`", "\\[", "<math", "```math", "```latex", "```tex"
    };
    gboolean found = FALSE;

    for (guint i = 0; i < G_N_ELEMENTS(marks); i++)
        found = found || strstr(text, marks[i]) != NULL;
    return found;
}

/* The name of a document; where the reference lacks it, the name there of which parsers make
 * NAME.jpg, NAME/NAME or NAME/auto/NAME. (transfer full) */
static char *name_document(const Run *run, const char *name)
{
    static const char *const scans[] = {
        ".jpg", ".jpeg", ".png", ".pdf", ".tif", ".tiff", ".webp"
    };
    g_autofree char *stem = g_strdup(name);
    g_autoptr(GString) path = g_string_new(NULL);

    if (run->refs == NULL || json_object_get(run->refs, name) != NULL)
        return g_steal_pointer(&stem);
    for (guint i = 0; i < G_N_ELEMENTS(scans); i++)
        if (g_str_has_suffix(name, scans[i]))
            stem[strlen(name) - strlen(scans[i])] = '\0';
    const char *slash = strrchr(stem, '/'), *last = slash != NULL ? slash + 1 : stem;
    g_auto(GStrv) parts = g_strsplit(stem, "/", -1);
    for (guint i = 0; parts[i] != NULL; i++) {
        g_string_append_printf(path, "%s%s", i > 0 ? "/" : "", parts[i]);
        if (strcmp(parts[i], last) == 0 && json_object_get(run->refs, path->str) != NULL)
            return g_string_free(g_steal_pointer(&path), FALSE);
    }
    return g_strdup(name);
}

/* Add @row, and free it. */
static void add_formula(Run *run, json_t *row)
{
    const char *name = json_string_value(json_object_get(row, "document"));
    g_autofree char *key = name_document(run, name != NULL ? name : "");

    run->n_formulas++;
    if (run->documents == NULL) {
        write_row(run, row);
        return;
    }
    if (json_object_get(run->documents, key) == NULL)
        json_object_set_new(run->documents, key, json_array());
    json_array_append_new(
        json_object_get(run->documents, key),
        json_pack("[OO?]", json_object_get(row, "latex"), json_object_get(row, "line")));
    json_decref(row);
}

/* Read rows that an earlier run wrote without a reference. */
static gboolean read_rows(Run *run, TgStream *stream, GError **error)
{
    TgLineStatus status;
    char *line;
    gsize n;

    while ((status = tg_stream_read_line(stream, &line, &n, error)) == TG_LINE_READ ||
           status == TG_LINE_TOO_LONG) {
        json_t *row = status == TG_LINE_READ ? json_loadb(line, n, 0, NULL) : NULL;
        if (json_is_string(json_object_get(row, "latex"))) {
            add_formula(run, row);
            continue;
        }
        json_decref(row);
        if (status == TG_LINE_TOO_LONG || n > 0) {
            g_autofree char *fault =
                g_strdup_printf("%s:%" G_GSIZE_FORMAT ": not a JSON object with \"latex\"",
                                stream->name, stream->line);
            tell_fault(run, fault);
        }
    }
    return status == TG_LINE_END;
}

/* Tell which commands in the formulas of a LaTeX file have no definition that was read. */
static void note_undefined(const Run *run, const char *path, const json_t *formulas)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GString) names = g_string_new(NULL);
    const json_t *formula;
    size_t i;

    json_array_foreach(formulas, i, formula)
    {
        const char *latex = json_string_value(json_object_get(formula, "latex"));
        const int line = (int) json_integer_value(json_object_get(formula, "line"));
        const char *end;
        for (const char *at = latex != NULL ? strchr(latex, '\\') : NULL; at != NULL;
             at = strchr(end, '\\')) {
            const gsize n = strspn(at + 1, G_CSET_a_2_z G_CSET_A_2_Z);
            end = at + 1 + MAX(n, at[1] != '\0');
            if (n == 0 || tg_name_find(at + 1, n) != NULL ||
                !g_hash_table_add(seen, g_strndup(at, n + 1)))
                continue;
            if (g_hash_table_size(seen) <= MAX_NAMED)
                g_string_append_printf(names, "%s%.*s (line %d)", names->len > 0 ? ", " : "",
                                       (int) n + 1, at, line);
        }
    }
    const guint n = g_hash_table_size(seen);
    if (n > MAX_NAMED)
        g_string_append_printf(names, " and %u more", n - MAX_NAMED);
    g_autofree char *note =
        g_strdup_printf("%s: no definition was read of %s (see --macros)", path, names->str);
    if (n > 0)
        tell_note(run, note);
}

static gboolean read_file(Run *run, const char *path, const char *file, GError **error)
{
    const TgDocumentKind kind = run->options->kind;
    g_autoptr(TgStream) stream = tg_stream_open(path, TG_DOCUMENT_MAX, error);
    g_autofree char *stem = tg_without_extension(file), *name = name_document(run, stem);
    guint number = 0;
    json_t *formula;
    size_t i;

    if (stream == NULL || strstr(path, ".jsonl") != NULL)
        return stream != NULL && read_rows(run, stream, error);
    if (kind == TG_DOCUMENT_ANY && !is_latex_file(path) && !tg_is_markdown_file(path) &&
        is_data_file(path))
        return tg_fail_input(error,
                             "%s: is no document; OmniDocBench's file of pages needs --protocol "
                             "omnidocbench, and formulas one by one come as .jsonl",
                             path);
    if (!g_hash_table_add(run->begun, g_strdup(name)))
        return tg_fail_input(error, "%s: is left out, because another file is document '%s'", path,
                             name);
    g_autoptr(GString) text = tg_stream_read_rest(stream, TG_DOCUMENT_MAX, error);
    if (text == NULL)
        return FALSE;
    const gboolean markdown =
        kind != TG_DOCUMENT_ANY
            ? kind == TG_DOCUMENT_MARKDOWN
            : tg_is_markdown_file(path) ||
                  (!is_latex_file(path) && strstr(text->str, "\\begin{document}") == NULL);
    json_auto_t *formulas = tg_document_extract(text->str, text->len, markdown, run->macros->str,
                                                run->options->with_inline, error);
    if (formulas == NULL) {
        g_prefix_error(error, "%s: ", path);
        return FALSE;
    }
    if (markdown && json_array_size(formulas) == 0 && is_suspect(text->str) && run->n_unread++ == 0)
        run->unread = g_strdup(path);
    if (!markdown)
        note_undefined(run, path, formulas);
    json_array_foreach(formulas, i, formula)
    {
        if (json_object_get(formula, "latex") == NULL) {
            g_autofree char *fault =
                g_strdup_printf("%s:%d: %s is not closed before the end of its paragraph", path,
                                (int) json_integer_value(json_object_get(formula, "line")),
                                json_string_value(json_object_get(formula, "environment")));
            tell_fault(run, fault);
            continue;
        }
        g_autofree char *id = g_strdup_printf("%s#%u", name, ++number);
        json_t *row = json_pack("{so so so}", "id", tg_json_text(id), "document",
                                tg_json_text(name), "file", tg_json_text(path));
        json_object_update(row, formula);
        add_formula(run, row);
    }
    return TRUE;
}

/* Read a file, or all files of a folder and of the folders in it. @name: path from the folder that
 * the user named; "" for that folder */
static void read_path(Run *run, const char *path, const char *name)
{
    g_autoptr(GError) error = NULL;

    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        run->n_files++;
        if (!read_file(run, path, name, &error))
            tell_fault(run, error->message);
        return;
    }
    g_autoptr(GPtrArray) entries = tg_folder_names(path, "", &error);
    if (error != NULL)
        tell_fault(run, error->message);
    for (guint i = 0; i < entries->len; i++) {
        g_autofree char *inner = g_build_filename(path, entries->pdata[i], NULL);
        g_autofree char *inner_name = g_build_filename(name, entries->pdata[i], NULL);
        if (g_file_test(inner, G_FILE_TEST_IS_DIR)
                ? !g_file_test(inner, G_FILE_TEST_IS_SYMLINK) /* links may lead in circles */
                : g_file_test(inner, G_FILE_TEST_IS_REGULAR) &&
                      (is_latex_file(inner) || tg_is_markdown_file(inner)))
            read_path(run, inner, inner_name);
    }
}

/* "1 page", "2 pages" (transfer full) */
static char *count_of(guint n, const char *name)
{
    return g_strdup_printf("%u %s%s", n, name, tg_plural(n));
}

/* All formulas of an input. */
static void read_input(Run *run, const char *path)
{
    g_autofree char *name =
        g_file_test(path, G_FILE_TEST_IS_DIR) ? NULL : g_path_get_basename(path);
    g_autoptr(GHashTable) begun = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const Run before = *run;

    run->begun = begun;
    run->n_unread = 0;
    read_path(run, path, name != NULL ? name : "");
    g_autofree char *formulas = count_of(run->n_formulas - before.n_formulas, "formula");
    g_autofree char *files = count_of(run->n_files - before.n_files, "file");
    g_autofree char *faults = count_of((guint) (run->n_faults - before.n_faults), "fault");
    g_autofree char *counts = g_strdup_printf("%s: %s in %s, %s", path, formulas, files, faults);
    tell_note(run, counts);
    if (run->n_unread > 0) {
        g_autofree char *unread = count_of(run->n_unread, "file");
        g_autofree char *note = g_strdup_printf(
            "%s: no formula is read in %s with code or markup that may hold some (first: %s)", path,
            unread, run->unread);
        tell_note(run, note);
    }
    g_clear_pointer(&run->unread, g_free);
}

/* ---- pairs by the CDM paper: Wang et al., arXiv:2409.03643, section 8 ---- */

/* The first and the second round make pairs below these distances. */
static const double limits[] = { 0.4, 0.8 };
static const char *const rounds[] = { "first", "second" };

#define MAX_CELLS 4000000u /* references times predictions of a document */

/* The LaTeX of a row that add_formula() made. */
static const char *latex_of(const json_t *formula)
{
    return formula != NULL ? json_string_value(json_array_get(formula, 0)) : "";
}

/* Delete white space and outer environments, `\begin{align*}...\end{align*}`. */
static void unwrap_environments(GString *formula)
{
    static const char begin[] = "\\begin{";

    tg_text_fold(formula, "");
    while (g_str_has_prefix(formula->str, begin)) {
        const char *name = formula->str + strlen(begin);
        const gsize n = strcspn(name, "}"), n_open = strlen(begin) + n + 1;
        const gsize n_word = n > 0 && name[n - 1] == '*' ? n - 1 : n;
        g_autofree char *close = g_strdup_printf("\\end{%.*s}", (int) n, name);
        if (name[n] != '}' || tg_word_named(TG_WORDS_WRAPPERS, name, n_word) == NULL ||
            formula->len < n_open + strlen(close) || !g_str_has_suffix(formula->str, close))
            return;
        g_string_truncate(formula, formula->len - strlen(close));
        g_string_erase(formula, 0, (gssize) n_open);
    }
}

/* Distances of all references to all predictions: edit distance over code points without white
 * space and outer environments, divided by the longer length. (transfer full)
 * [n_refs][n_hyps]
 */
static double *make_distances(const json_t *refs, const json_t *hyps)
{
    const guint n = (guint) json_array_size(refs), m = (guint) json_array_size(hyps);
    g_autoptr(TgVocab) numbers = tg_vocab_new();
    TgArena texts = { 0 }, arena = { 0 };
    TgSequence *sequences = tg_arena_alloc(&texts, ((gsize) n + m + 1) * sizeof *sequences);
    double *distances = g_new(double, (gsize) n *m + 1);

    for (guint i = 0; i < n + m; i++) {
        const json_t *formula = i < n ? json_array_get(refs, i) : json_array_get(hyps, i - n);
        g_autoptr(GString) text = g_string_new(latex_of(formula));
        unwrap_environments(text);
        sequences[i] = tg_number_characters(&texts, text->str, numbers);
    }
    for (guint i = 0; i < n + m; i++)
        sequences[i].id_bound = numbers->size;
    for (guint k = 0; k < n * m; k++) {
        const TgSequence ref = sequences[k / m], hyp = sequences[n + k % m];
        const guint32 longer = MAX(ref.n, hyp.n);
        tg_arena_reset(&arena);
        distances[k] = longer > 0 ? (double) tg_levenshtein(&arena, ref, hyp) / longer : 0;
    }
    tg_arena_clear(&arena);
    tg_arena_clear(&texts);
    return distances;
}

/* Pair each reference, in order, with the closest free prediction (the first on a tie) if the
 * distance is below the limit of the round. References without a partner try again in the second
 * round, whose limit is higher. */
static gboolean match_document(Run *run, const char *name, const json_t *refs, const json_t *hyps,
                               GError **error)
{
    const guint n = (guint) json_array_size(refs), m = (guint) json_array_size(hyps);
    /* place of each reference's partner; m: none */
    g_autofree guint *partner = g_new(guint, (gsize) n + 1);
    /* the round in which each prediction was paired */
    g_autofree const char **taken = g_new0(const char *, (gsize) m + 1);

    if ((gsize) n * m > MAX_CELLS)
        return tg_fail_input(error, "document '%s': too many formulas to match, %u and %u", name, n,
                             m);
    g_autofree double *distances = make_distances(refs, hyps);
    for (guint k = 0; k < 2 * n; k++) {
        const guint i = k % n, round = k / n;
        double least = limits[round];
        if (round > 0 && partner[i] < m)
            continue;
        partner[i] = m;
        for (guint j = 0; j < m; j++)
            if (taken[j] == NULL && distances[(gsize) i * m + j] < least) {
                least = distances[(gsize) i * m + j];
                partner[i] = j;
            }
        taken[partner[i]] = rounds[round];
    }
    for (guint k = 0; k < n + m; k++) { /* references, then predictions without a partner */
        const guint j = k < n ? partner[k] : k - n;
        const json_t *ref = json_array_get(refs, k);
        const json_t *hyp = json_array_get(hyps, j);
        const gboolean is_pair = ref != NULL && hyp != NULL;
        const double distance = is_pair ? distances[(gsize) k * m + j] : NAN;
        g_autofree char *id =
            g_strdup_printf("%s%s%u", name, k < n ? "#" : "+", 1 + (k < n ? k : j));
        run->counts[REFERENCES] += ref != NULL;
        run->counts[MISSED] += hyp == NULL;
        run->counts[UNUSED] += ref == NULL && taken[j] == NULL;
        run->distance += is_pair ? distance : 0;
        if (ref == NULL && (taken[j] != NULL || run->options->drop_extras))
            continue;
        write_row(run, json_pack("{ss so* ss ss ss sO? sO? so ss}", "id", id, "model",
                                 run->model != NULL ? tg_json_text(run->model) : NULL, "document",
                                 name, "gt", latex_of(ref), "pred", latex_of(hyp), "gt_line",
                                 json_array_get(ref, 1), "pred_line", json_array_get(hyp, 1),
                                 "distance", tg_json_number(distance), "match",
                                 is_pair ? taken[j]
                                 : k < n ? "missed"
                                         : "extra"));
    }
    return TRUE;
}

/* The number of documents of @side that are not in @other, with the first one's name; NULL: none.
 * (transfer full) */
static char *tell_alone(json_t *side, json_t *other, const char *what)
{
    const char *name, *first = NULL;
    json_t *document;
    guint n = 0;

    json_object_foreach(side, name, document)
    {
        if (json_object_get(other, name) == NULL && n++ == 0)
            first = name;
    }
    return n > 0 ? g_strdup_printf("%u of %u document%s with %s (first: '%s')", n,
                                   (guint) json_object_size(side),
                                   tg_plural(json_object_size(side)), what, first)
                 : NULL;
}

/* Say if documents with formulas have no partner of their name; fail if none has. */
static gboolean check_documents(const Run *run, json_t *refs, json_t *hyps, GError **error)
{
    g_autofree char *of_refs = tell_alone(refs, hyps, "references have no predictions");
    g_autofree char *of_hyps = tell_alone(hyps, refs, "predictions have no references");
    const char *name;
    json_t *document;
    gboolean any = json_object_size(hyps) == 0; /* a parser may find nothing */

    json_object_foreach(hyps, name, document)
    {
        any = any || json_object_get(refs, name) != NULL;
    }
    if (of_refs == NULL && of_hyps == NULL)
        return TRUE;
    g_autofree char *text = g_strdup_printf(
        "%s%s%s%s%s", run->model != NULL ? run->model : "", run->model != NULL ? ": " : "",
        of_refs != NULL ? of_refs : "", of_refs != NULL && of_hyps != NULL ? "; " : "",
        of_hyps != NULL ? of_hyps : "");
    if (!any)
        return tg_fail_input(error, "no document has the same name on both sides: %s", text);
    tell_note(run, text);
    return TRUE;
}

/* Pair the reference with the predictions of a model, and tell how many pairs there are. */
static gboolean match_documents(Run *run, json_t *refs, json_t *hyps, GError **error)
{
    /* If both sides have one document, the two documents are the same, whatever the names of their
     * files are. */
    const gboolean is_one = json_object_size(refs) == 1 && json_object_size(hyps) == 1;
    json_t *document;
    const char *name;
    gboolean good = is_one || check_documents(run, refs, hyps, error);

    memset(run->counts, 0, sizeof run->counts);
    run->distance = 0;
    json_object_foreach(refs, name, document)
    {
        good = good && match_document(run, name, document,
                                      is_one ? json_object_iter_value(json_object_iter(hyps))
                                             : json_object_get(hyps, name),
                                      error);
    }
    json_object_foreach(hyps, name, document)
    {
        if (!is_one && json_object_get(refs, name) == NULL)
            good = good && match_document(run, name, NULL, document, error);
    }
    const guint n_pairs = run->counts[REFERENCES] - run->counts[MISSED];
    g_autofree char *pairs = count_of(n_pairs, "pair");
    g_autofree char *mean =
        n_pairs > 0 ? g_strdup_printf("%.4f", run->distance / n_pairs) : g_strdup("-");
    g_autofree char *note = g_strdup_printf(
        "%s%s%s, %u missed, %u extra, mean distance %s", run->model != NULL ? run->model : "",
        run->model != NULL ? ": " : "", pairs, run->counts[MISSED], run->counts[UNUSED], mean);
    if (good)
        tell_note(run, note);
    return good;
}

/* Pair the reference with the predictions of each model. */
static gboolean match_models(Run *run, GError **error)
{
    json_auto_t *refs = run->documents = json_object();

    read_input(run, run->options->ref);
    gboolean good = json_object_size(refs) > 0 ||
                    tg_fail_input(error, "%s: no formulas to match", run->options->ref);
    run->refs = refs;
    for (guint i = 0; good && i < run->models.n; i++) {
        json_auto_t *hyps = run->documents = json_object();
        g_autoptr(GError) fault = NULL;
        run->model = run->options->without_model ? NULL : run->models.at[i].model;
        const char *path = run->models.at[i].path;
        const guint n_before = run->n_files;
        read_input(run, path);
        if ((run->n_files > n_before ||
             tg_fail_input(&fault, "%s: has no file in .tex, .ltx, " TG_MARKDOWN_ENDINGS, path)) &&
            match_documents(run, refs, hyps, &fault))
            continue;
        if (run->models.n > 1) /* the rows of other models are good */
            tell_fault(run, fault->message);
        else
            good = tg_fail_input(error, "%s", fault->message);
    }
    return good;
}

static gboolean run_papers(Run *run, GError **error)
{
    const TgDocumentsOptions *options = run->options;

    for (guint i = 0; options->macros != NULL && options->macros[i] != NULL; i++) {
        g_autofree char *text = NULL;
        gsize len;
        if (!g_file_get_contents(options->macros[i], &text, &len, error))
            return FALSE;
        if (!g_utf8_validate(text, (gssize) len, NULL))
            return tg_fail_input(error, "%s: not UTF-8 text", options->macros[i]);
        g_string_append_printf(run->macros, "%s\n", text);
    }
    if (options->ref != NULL && !match_models(run, error))
        return FALSE;
    for (guint i = 0; options->ref == NULL && options->inputs[i] != NULL; i++)
        read_input(run, options->inputs[i]);
    return run->n_formulas > 0 || run->n_faults > 0 ||
           tg_fail_input(error, "the inputs hold no formulas");
}

/* ---- pages by OmniDocBench ---- */

/* A page of a model on its way through the pipeline. */
typedef struct {
    const TgPage *page;
    const char *model;
    gboolean is_last, keep_zeros; /* the model's last page; see TgDocumentsOptions */
    const char *path;             /* NULL: the model has no file for the page */
    char *fault;                  /* the reason why the file cannot be read */
    json_t *rows;
    json_t *elsewhere; /* predictions on a page without a reference formula; or NULL */
    json_t *unread;    /* see tg_page_count_unread() */
    guint counts[N_COUNTS];
} Job;

/* A text of a page, which may have U+0000 (see TG_TEXT_NUL). */
static json_t *page_text(const Job *job, const char *text)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_auto(GStrv) parts = g_strsplit(text, TG_TEXT_NUL, -1);
    const char *zero = job->keep_zeros ? "" : "\uFFFD";

    for (guint i = 0; parts[i] != NULL; i++) {
        if (i > 0)
            g_string_append_len(out, zero, MAX((gssize) strlen(zero), 1));
        g_string_append(out, parts[i]);
    }
    return json_stringn(out->str, out->len);
}

static json_t *page_texts(const Job *job, const GPtrArray *texts)
{
    json_t *list = json_array();

    for (guint i = 0; i < texts->len; i++)
        json_array_append_new(list, page_text(job, texts->pdata[i]));
    return list;
}

static void add_row(Job *job, const TgPageMatch *match, const TgPageRow *row)
{
    g_autofree char *id = g_strdup_printf("%s#%d", job->page->name, MAX(row->ref_idx, 0));
    g_autoptr(GString) places = g_string_new(NULL); /* as "3+4" */

    for (guint i = 0; i < row->n_items; i++)
        g_string_append_printf(places, "%s%u", i > 0 ? "+" : "", row->items[i]->place);
    json_t *json = json_pack(
        "{so so so so so ss so si si so so so ss ss? so so si}", "id", tg_json_text(id), "model",
        tg_json_text(job->model), "page", tg_json_text(job->page->name), "gt",
        page_text(job, row->ref), "pred", page_text(job, row->hyp), "match",
        row->n_items > 0 ? "matched" : "missed", "match_edit", tg_json_number(row->match_edit),
        "norm_distance", (int) row->edits, "norm_length", (int) row->length, "gt_idx",
        row->ref_idx >= 0 ? json_integer(row->ref_idx) : json_null(), "pred_idx",
        tg_json_text(places->str), "order",
        row->order != 0 ? tg_json_number(row->order) : json_null(), "pred_type", row->hyp_type,
        "choice", match->choice, "file", tg_json_text(job->path), "page_attributes",
        tg_json_text(job->page->attributes), "page_unused", (int) match->extras->len);
    if (job->counts[REFERENCES]++ == 0)
        json_object_set_new(json, "page_extras", page_texts(job, match->extras));
    g_assert(json != NULL);
    json_array_append_new(job->rows, json);
    job->counts[MISSED] += row->n_items == 0;
}

static void match_page(gpointer item, guint worker, gpointer unused)
{
    static const TgPageRow all_empty = {
        .ref = "\\square", .hyp = "", .ref_idx = -1, .match_edit = 1, .hyp_type = ""
    };
    Job *job = item;
    GStatBuf info;
    g_autoptr(GString) text = NULL;

    (void) worker;
    (void) unused;
    job->counts[MISSING] = job->path == NULL;
    if (job->path != NULL && g_stat(job->path, &info) == 0 && info.st_size > TG_PAGE_MAX)
        job->fault = g_strdup_printf("%s: has more than %u bytes, and counts as empty", job->path,
                                     TG_PAGE_MAX);
    else if (job->path != NULL)
        text = tg_page_read(job->path, &job->fault);
    const char *markdown = text != NULL ? text->str : ""; /* may not be UTF-8 */
    job->counts[EMPTY] = job->path != NULL && markdown[strspn(markdown, " \t\n\v\f\r")] == '\0';
    g_autoptr(TgPageMatch) match = tg_page_match(job->page, markdown, text != NULL ? text->len : 0);
    job->unread = json_object();
    tg_page_count_unread(markdown, job->unread);
    job->counts[UNREAD] = json_object_size(job->unread) > 0;
    job->counts[CUT] = match->is_cut;
    job->counts[PAGES] = job->page->n_formulas > 0;
    job->counts[UNUSED] = match->extras->len;
    job->rows = json_array();
    for (guint i = 0; i < match->n_rows; i++)
        add_row(job, match, &match->rows[i]);
    if (match->n_rows == 0 && job->page->n_formulas > 0)
        add_row(job, match, &all_empty);
    if (json_array_size(job->rows) == 0 && match->extras->len > 0)
        job->elsewhere = json_pack("{so so so}", "page", tg_json_text(job->page->name),
                                   "page_attributes", tg_json_text(job->page->attributes), "extras",
                                   page_texts(job, match->extras));
}

static void tell_counts(const Run *run)
{
    g_autofree char *displays = tg_page_unread_text(run->displays);
    g_autofree char *without = g_strconcat("read without ", displays, NULL);
    const char *const kinds[] = { "missing", "empty", "too large to be matched whole", without };
    g_autofree char *pages = count_of(run->pages->len, "page");
    g_autofree char *refs = count_of(run->counts[REFERENCES], "reference");
    g_autofree char *unused = count_of(run->counts[UNUSED], "prediction");
    g_autoptr(GString) note = g_string_new(NULL);

    g_string_printf(note,
                    "%s: %s, %u with formulas; %s, %u without a prediction; %s without a "
                    "reference, which no score counts",
                    run->model, pages, run->counts[PAGES], refs, run->counts[MISSED], unused);
    tell_note(run, note->str);
    for (guint k = 0; k < N_KINDS; k++) {
        const guint n = run->counts[k];
        g_autofree char *some = count_of(n, "page");
        g_string_printf(note, "%s: %s %s %s:", run->model, some, n == 1 ? "is" : "are", kinds[k]);
        for (guint i = 0; i < MIN(n, MAX_NAMED); i++)
            g_string_append_printf(note, "%s %s", i > 0 ? "," : "", run->names[k][i]);
        if (n > MAX_NAMED)
            g_string_append_printf(note, " and %u more", n - MAX_NAMED);
        if (n > 0)
            tell_note(run, note->str);
    }
}

/* Write the rows of a page, except for the last row of the model so far. Pages without a reference
 * formula have no row of their own, so that the last row of the model lists their predictions.
 */
static void write_rows(Run *run, const Job *job)
{
    json_t *row;
    size_t i;

    json_array_foreach(job->rows, i, row)
    {
        if (run->held != NULL)
            write_row(run, run->held);
        run->held = json_incref(row);
    }
    if (job->elsewhere != NULL)
        json_array_append(run->elsewhere, job->elsewhere);
    if (!job->is_last)
        return;
    if (run->held != NULL) {
        if (json_array_size(run->elsewhere) > 0)
            json_object_set(run->held, "page_elsewhere", run->elsewhere);
        write_row(run, g_steal_pointer(&run->held));
    }
    json_array_clear(run->elsewhere);
}

static void emit_page(gpointer item, gpointer data)
{
    Job *job = item;
    Run *run = data;

    write_rows(run, job);
    for (guint k = 0; k < N_COUNTS; k++) {
        if (k < N_KINDS && job->counts[k] > 0 && run->counts[k] < MAX_NAMED)
            run->names[k][run->counts[k]] = job->page->name;
        run->counts[k] += job->counts[k];
    }
    tg_page_add_unread(run->displays, job->unread);
    if (job->fault != NULL)
        tell_fault(run, job->fault);
    if (job->is_last) {
        run->model = job->model;
        tell_counts(run);
        memset(run->counts, 0, sizeof run->counts);
        json_object_clear(run->displays);
    }
    json_decref(job->rows);
    json_decref(job->elsewhere);
    json_decref(job->unread);
    g_free(job->fault);
    g_free(job);
}

/* Say which files of a model's folder are not read. @taken: the files of pages; @several: the
 * number of pages with several ones, the first of which are @choice */
static void tell_other_files(const Run *run, const TgInputName *model, GHashTable *taken,
                             guint several, const char *choice)
{
    g_autoptr(GPtrArray) files = tg_pages_markdown(model->path);
    const char *first = NULL;
    guint n = 0;

    for (guint i = 0; i < files->len; i++)
        if (!g_hash_table_contains(taken, files->pdata[i]) && n++ == 0)
            first = files->pdata[i];
    g_autofree char *pages = count_of(several, "page"), *others = count_of(n, "Markdown file");
    g_autofree char *chosen =
        g_strdup_printf("%s: %s with several files (first read: %s)", model->model, pages, choice);
    g_autofree char *unread = g_strdup_printf("%s: %s of no page, not read (first: %s)",
                                              model->model, others, first != NULL ? first : "");
    if (several > 0)
        tell_note(run, chosen);
    if (n > 0)
        tell_note(run, unread);
}

/* Find the model's file of each page (NULL where there is none) and append it to @files. A folder
 * without any page is an error, because the user meant another folder. No output may replace a
 * page. */
static gboolean find_files(const Run *run, const TgInputName *model, GPtrArray *files,
                           GError **error)
{
    g_autoptr(GHashTable) taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *choice = g_strdup("");
    guint several = 0;

    if (!g_file_test(model->path, G_FILE_TEST_IS_DIR))
        return tg_fail_input(error, "%s: is not a folder of pages", model->path);
    for (guint i = 0; i < run->pages->len; i++) {
        g_autoptr(GPtrArray) found = tg_page_find(run->pages->pdata[i], model->path);
        g_ptr_array_add(files, found->len > 0 ? g_strdup(found->pdata[0]) : NULL);
        for (guint k = 0; k < found->len; k++)
            g_hash_table_add(taken, g_strdup(found->pdata[k]));
        if (found->len > 0)
            tg_run_files_note(found->pdata[0]);
        if (found->len > 1 && several++ == 0) {
            g_free(choice);
            choice =
                g_strdup_printf("%s, not %s", (char *) found->pdata[0], (char *) found->pdata[1]);
        }
    }
    if (g_hash_table_size(taken) == 0)
        return tg_pages_fail_to_find(run->pages, model->path, run->options->ref, error);
    tell_other_files(run, model, taken, several, choice);
    return TRUE;
}

static gboolean run_pages(Run *run, GError **error)
{
    const TgDocumentsOptions *options = run->options;
    const guint n = options->threads > 0 ? options->threads : g_get_num_processors();
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    gboolean going = TRUE;

    if (run->models.n == 0)
        return tg_fail_usage(error, "no folder of pages given");
    for (guint i = 0; i < run->models.n; i++)
        if (!find_files(run, &run->models.at[i], files, error))
            return FALSE;
    TgPipeline *pipeline = tg_pipeline_new(n, 4 * n, match_page, emit_page, run, error);
    if (pipeline == NULL)
        return FALSE;
    for (guint i = 0; i < files->len && going; i++) {
        const guint page = i % run->pages->len;
        const TgProgress begun = { .bytes_read = i + 1, .bytes_total = files->len };
        Job *job = g_new0(Job, 1);
        job->page = run->pages->pdata[page];
        job->model = run->models.at[i / run->pages->len].model;
        job->is_last = page == run->pages->len - 1;
        job->keep_zeros = options->keep_zeros;
        job->path = files->pdata[i];
        tg_pipeline_push(pipeline, job);
        going = options->progress == NULL || options->progress(&begun, options->data);
    }
    tg_pipeline_finish(pipeline);
    return going || tg_fail(error, TG_ERROR_CANCELLED, "cancelled");
}

/* ---- both protocols ---- */

/* Name the models. Their paths must exist, and their names must differ. */
static gboolean name_models(Run *run, GError **error)
{
    TgInputNames *models = &run->models;

    if (!tg_input_name_all(models, run->options->inputs, NULL, error))
        return FALSE;
    for (guint i = 0; i < models->n; i++) {
        if (strcmp(models->at[i].path, "-") != 0 &&
            !g_file_test(models->at[i].path, G_FILE_TEST_EXISTS))
            return tg_fail_input(error, "%s: %s", models->at[i].path, g_strerror(ENOENT));
        for (guint k = 0; k < i; k++)
            if (strcmp(models->at[k].model, models->at[i].model) == 0)
                return tg_fail_usage(error, "model '%s' is named twice: %s and %s",
                                     models->at[i].model, models->at[k].path, models->at[i].path);
    }
    return TRUE;
}

gboolean tg_documents_run(const TgDocumentsOptions *options, guint64 *n_faults, GError **error)
{
    const gboolean pages = options->protocol == TG_PROTOCOL_OMNIDOCBENCH;
    g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) macros = g_string_new(NULL);
    json_auto_t *elsewhere = json_array(), *displays = json_object();
    Run run = {
        .options = options, .macros = macros, .elsewhere = elsewhere, .displays = displays
    };

    run.pages = pages ? tg_pages_load(options->ref, faults, notes, error) : NULL;
    for (guint i = 0; i < faults->len; i++)
        tell_fault(&run, faults->pdata[i]);
    for (guint i = 0; i < notes->len; i++)
        tell_note(&run, notes->pdata[i]);
    const gboolean good = (!pages || run.pages != NULL) &&
                          (options->ref == NULL || name_models(&run, error)) &&
                          (pages ? run_pages : run_papers)(&run, error);
    json_decref(run.held); /* of a run that was cancelled */
    g_clear_pointer(&run.pages, g_ptr_array_unref);
    tg_input_names_clear(&run.models);
    *n_faults = run.n_faults;
    return good;
}
