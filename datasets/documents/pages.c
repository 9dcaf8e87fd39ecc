/* Folders of pages, matched with a truth in OmniDocBench's JSON: every formula of the truth with
 * what a model has for it, as JSON rows. */
#include "datasets/documents/document.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/json.h"
#include "core/pipeline.h"

/* ---- the truth ---- */

/* Categories of the truth that take part, in the order of the mixed list. Those from the sixth on
 * but the last are silent. */
static const char *const categories[] = {
    "text_block",       "title",           "code_txt",
    "code_txt_caption", "reference",       "equation_caption",
    "figure_caption",   "figure_footnote", "table_caption",
    "table_footnote",   "code_algorithm",  "code_algorithm_caption",
    "header",           "footer",          "page_footnote",
    "page_number",      TG_PAGE_FORMULA,
};

enum { FIRST_SILENT = 5, FORMULA = G_N_ELEMENTS(categories) - 1 };

#define MAX_RELATIONS 10000000u /* of a page, times its elements */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text != NULL ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* Parts of one by order; of the original's set those of one order come by id. */
static gint compare_parts(gconstpointer a, gconstpointer b)
{
    const json_t *x = *(json_t *const *) a, *y = *(json_t *const *) b;
    const char *key = number_of(x, "order") == number_of(y, "order") ? "anno_id" : "order";
    const double apart = number_of(x, key) - number_of(y, key);

    return apart != 0 ? (apart > 0) - (apart < 0)
                      : strcmp(text_of(x, "anno_id"), text_of(y, "anno_id"));
}

/* By order; those of one order by category. */
static gint compare_items(gconstpointer a, gconstpointer b)
{
    const TgPageItem *left = a, *right = b;
    const double apart = left->order - right->order;

    return apart != 0 ? (apart > 0) - (apart < 0) : (int) (left->start - right->start);
}

/* Make one of the lists in which an element has the first or the second id. */
static void join_parts(const GPtrArray *lists, const json_t *id, const json_t *other)
{
    GPtrArray *whole = NULL;

    for (guint i = 0; i < lists->len; i++) {
        GPtrArray *parts = lists->pdata[i];
        gboolean named = FALSE;
        for (guint k = 0; k < parts->len; k++) {
            const json_t *own = json_object_get(parts->pdata[k], "anno_id");
            named = named || json_equal(own, id) || json_equal(own, other);
        }
        if (named && whole != NULL) {
            g_ptr_array_extend(whole, parts, NULL, NULL);
            g_ptr_array_set_size(parts, 0);
        } else if (named) {
            whole = parts;
        }
    }
}

/* Add an element, or the parts of one unless one is ignored. */
static void add_item(TgPage *page, GPtrArray *parts)
{
    g_autoptr(GString) text = g_string_new(NULL);
    gboolean takes_part = TRUE;
    guint c = 0;

    g_ptr_array_sort(parts, compare_parts); /* stable */
    const json_t *first = parts->pdata[0];
    while (c <= FORMULA && strcmp(text_of(first, "category_type"), categories[c]) != 0)
        c++;
    for (guint i = 0; i < parts->len; i++) {
        takes_part = takes_part && !json_is_true(json_object_get(parts->pdata[i], "ignore"));
        g_string_append(text, text_of(parts->pdata[i], c == FORMULA ? "latex" : "text"));
    }
    const TgPageItem item = { .category = categories[MIN(c, FORMULA)],
                              .content = g_string_chunk_insert(page->strings, text->str),
                              .is_silent = FIRST_SILENT <= c && c != FORMULA,
                              .order = number_of(first, "order"),
                              .start = 2 * c + (parts->len > 1) }; /* those of parts last */
    if (takes_part && c <= FORMULA)
        g_array_append_val(page->truth, item);
}

static void read_elements(TgPage *page, const json_t *elements, const json_t *relations)
{
    g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func((GDestroyNotify) g_ptr_array_unref);
    json_t *element, *relation;
    size_t i;

    json_array_foreach(elements, i, element)
    {
        GPtrArray *parts = g_ptr_array_new();
        g_ptr_array_add(parts, element);
        g_ptr_array_add(lists, parts);
        page->n_formulas += !json_is_true(json_object_get(element, "ignore")) &&
                            strcmp(text_of(element, "category_type"), TG_PAGE_FORMULA) == 0;
    }
    json_array_foreach(relations, i,
                       relation) if (strcmp(text_of(relation, "relation_type"), "truncated") == 0)
        join_parts(lists, json_object_get(relation, "source_anno_id"),
                   json_object_get(relation, "target_anno_id"));
    for (i = 0; i < lists->len; i++)
        if (((GPtrArray *) lists->pdata[i])->len > 0)
            add_item(page, lists->pdata[i]);
    g_array_sort(page->truth, compare_items); /* stable */
}

/* "KEY: VALUE; ...", of lists the entries alone. */
static char *read_attributes(const json_t *attributes, GStringChunk *strings)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const char *key;
    json_t *value, *entry;
    size_t i;

    json_object_foreach((json_t *) attributes, key, value)
    {
        if (json_is_string(value))
            g_string_append_printf(out, "; %s: %s", key, json_string_value(value));
        json_array_foreach(value, i, entry) if (json_is_string(entry) &&
                                                strstr(json_string_value(entry), "table") == NULL)
            g_string_append_printf(out, "; %s", json_string_value(entry));
    }
    return g_string_chunk_insert(strings, out->len > 0 ? out->str + 2 : "");
}

static void free_page(gpointer data)
{
    TgPage *page = data;

    g_array_unref(page->truth);
    g_string_chunk_free(page->strings);
    g_free(page);
}

GPtrArray *tg_pages_load(const char *path, TgLineFunc fault, gpointer data, GError **error)
{
    g_autoptr(GPtrArray) pages = g_ptr_array_new_with_free_func(free_page);
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    json_error_t where;
    json_t *root = json_load_file(path, 0, &where), *entry;
    size_t i;

    if (root == NULL)
        return tg_null_input(error, "%s: %s (line %d)", path, where.text, where.line);
    json_array_foreach(root, i, entry)
    {
        const json_t *info = json_object_get(entry, "page_info");
        const json_t *elements = json_object_get(entry, "layout_dets");
        const json_t *relations = json_object_get(json_object_get(entry, "extra"), "relation");
        const char *image = text_of(info, "image_path"), *slash = strrchr(image, '/');
        const char *name = slash != NULL ? slash + 1 : image;
        const gboolean is_page =
            image[0] != '\0' && json_is_array(elements) &&
            json_array_size(elements) * json_array_size(relations) <= MAX_RELATIONS;
        if (!is_page || g_hash_table_contains(names, name)) {
            g_autofree char *message =
                g_strdup_printf("%s: page %u: %s", path, (guint) i + 1,
                                is_page ? "the second of its name"
                                        : "without image_path or layout_dets, or too large");
            if (fault != NULL)
                fault(message, data);
            continue;
        }
        TgPage *page = g_new0(TgPage, 1);
        page->strings = g_string_chunk_new(4096);
        page->name = g_string_chunk_insert(page->strings, name);
        page->attributes = read_attributes(json_object_get(info, "page_attribute"), page->strings);
        page->truth = g_array_new(FALSE, TRUE, sizeof(TgPageItem));
        read_elements(page, elements, relations);
        g_hash_table_add(names, page->name);
        g_ptr_array_add(pages, page);
    }
    json_decref(root);
    return pages->len > 0 ? g_steal_pointer(&pages)
                          : tg_null_input(error, "%s: not a list of pages, or an empty list", path);
}

char *tg_page_find(const TgPage *page, const char *folder)
{
    const gsize n = strlen(page->name);
    g_autofree char *stem = g_strndup(page->name, n > 4 ? n - 4 : 0);
    g_autoptr(GString) bare = g_string_new(stem);

    g_string_replace(bare, ".pdf", "", 0);
    const char *const names[][2] = {
        { stem, ".md" }, { bare->str, ".mmd" }, { bare->str, ".md" }, { page->name, ".md" }
    };
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *file = g_strconcat(names[i][0], names[i][1], NULL);
        g_autofree char *path = g_build_filename(folder, file, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return g_steal_pointer(&path);
    }
    return NULL;
}

/* ---- a page of a model ---- */

/* What is counted of a model: pages, those of the first kinds with their names, pages with
 * formulas, rows, of these without a prediction, and predictions without a row. */
enum { MISSING, EMPTY, CUT, N_KINDS, PAGES = N_KINDS, ROWS, MISSED, UNUSED, N_COUNTS };

#define MAX_NAMED 5

typedef struct {
    const TgDocumentsOptions *options;
    GPtrArray *pages; /* TgPage */
    TgInputNames models;
    const char *model; /* that is matched, what is counted of it, and some pages' names */
    guint counts[N_COUNTS];
    const char *names[N_KINDS][MAX_NAMED];
    guint64 n_faults;
} Run;

/* A page on its way through the pipeline. */
typedef struct {
    const TgPage *page;
    char *path;    /* NULL: it has none */
    char *fault;   /* why it cannot be read */
    GString *rows; /* lines of JSON */
    guint counts[N_COUNTS];
} Job;

static void tell_fault(const char *message, gpointer data)
{
    Run *run = data;

    run->n_faults++;
    if (run->options->fault != NULL)
        run->options->fault(message, run->options->data);
}

static void add_row(Job *job, const char *model, const TgPageMatch *match, const TgPageRow *row)
{
    g_autofree char *id = g_strdup_printf("%s#%d", job->page->name, MAX(row->gt_idx, 0));
    g_autoptr(GString) places = g_string_new(NULL); /* "3+4" */

    for (guint i = 0; i < row->n_pred; i++)
        g_string_append_printf(places, "%s%u", i > 0 ? "+" : "", row->preds[i]->place);
    json_t *json = json_pack(
        "{so so so so so ss so si si so so so ss ss? so so si}", "id", tg_json_text(id), "model",
        tg_json_text(model), "page", tg_json_text(job->page->name), "gt", tg_json_text(row->gt),
        "pred", tg_json_text(row->pred), "match", row->n_pred > 0 ? "matched" : "missed",
        "match_edit", tg_json_number(row->match_edit), "norm_distance", (int) row->edits,
        "norm_length", (int) row->length, "gt_idx",
        row->gt_idx >= 0 ? json_integer(row->gt_idx) : json_null(), "pred_idx",
        tg_json_text(places->str), "order",
        row->order != 0 ? tg_json_number(row->order) : json_null(), "pred_type", row->pred_type,
        "choice", match->choice, "file", tg_json_text(job->path), "page_attributes",
        tg_json_text(job->page->attributes), "page_unused", (int) match->extras->len);
    if (job->counts[ROWS]++ == 0)
        json_object_set_new(json, "page_extras", tg_json_texts(match->extras));
    tg_json_append(job->rows, json);
    g_string_append_c(job->rows, '\n');
    json_decref(json);
    job->counts[MISSED] += row->n_pred == 0;
}

static void match_page(gpointer item, guint worker, gpointer data)
{
    static const TgPageRow all_empty = {
        .gt = "\\square", .pred = "", .gt_idx = -1, .match_edit = 1, .pred_type = ""
    };
    const Run *run = data;
    Job *job = item;
    GStatBuf info;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    gsize len = 0;

    (void) worker;
    job->counts[MISSING] = job->path == NULL;
    if (job->path != NULL && g_stat(job->path, &info) == 0 && info.st_size > TG_PAGE_MAX)
        job->fault = g_strdup_printf("%s: has more than %u bytes, and counts as empty", job->path,
                                     TG_PAGE_MAX);
    else if (job->path != NULL && !g_file_get_contents(job->path, &text, &len, &error))
        job->fault = g_strdup(error->message);
    const char *markdown = text != NULL ? text : ""; /* any bytes */
    job->counts[EMPTY] = job->path != NULL && markdown[strspn(markdown, " \t\n\v\f\r")] == '\0';
    g_autoptr(TgPageMatch) match = tg_page_match(job->page, markdown, len);
    job->counts[CUT] = match->is_cut;
    job->counts[PAGES] = job->page->n_formulas > 0;
    job->counts[UNUSED] = match->extras->len;
    job->rows = g_string_new(NULL);
    for (guint i = 0; i < match->n_rows; i++)
        add_row(job, run->model, match, &match->rows[i]);
    if (match->n_rows == 0 && job->page->n_formulas > 0)
        add_row(job, run->model, match, &all_empty);
}

static void emit_page(gpointer item, gpointer data)
{
    Job *job = item;
    Run *run = data;

    fputs(job->rows->str, run->options->rows);
    for (guint k = 0; k < N_COUNTS; k++) {
        if (k < N_KINDS && job->counts[k] > 0 && run->counts[k] < MAX_NAMED)
            run->names[k][run->counts[k]] = job->page->name;
        run->counts[k] += job->counts[k];
    }
    if (job->fault != NULL)
        tell_fault(job->fault, run);
    g_string_free(job->rows, TRUE);
    g_free(job->path);
    g_free(job->fault);
    g_free(job);
}

/* ---- models ---- */

/* A folder without any of the pages is another one than the user thinks. No output may take the
 * place of a page. */
static gboolean check_folder(const Run *run, const char *folder, GError **error)
{
    gboolean any = FALSE;

    if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
        return tg_fail_input(error, "%s: %s", folder,
                             g_file_test(folder, G_FILE_TEST_EXISTS) ? "is not a folder of pages"
                                                                     : g_strerror(ENOENT));
    for (guint i = 0; i < run->pages->len; i++) {
        g_autofree char *path = tg_page_find(run->pages->pdata[i], folder);
        any |= path != NULL;
        if (path != NULL)
            tg_run_files_note(path);
    }
    return any || tg_fail_input(error, "%s: has none of the %u page%s of %s (first: %s)", folder,
                                run->pages->len, run->pages->len == 1 ? "" : "s",
                                run->options->truth, ((const TgPage *) run->pages->pdata[0])->name);
}

static void note_model(const Run *run)
{
    static const char *const kinds[] = { "missing", "empty", "too large to be matched whole" };
    const TgDocumentsOptions *options = run->options;
    g_autoptr(GString) note = g_string_new(NULL);

    g_string_printf(note,
                    "%s: %u pages, %u with formulas; %u references, %u without a prediction; %u "
                    "predictions without a reference, which no score counts",
                    run->model, run->pages->len, run->counts[PAGES], run->counts[ROWS],
                    run->counts[MISSED], run->counts[UNUSED]);
    options->note(note->str, options->data);
    for (guint k = 0; k < N_KINDS; k++) {
        const guint n = run->counts[k];
        g_string_printf(note, "%s: %u page%s %s:", run->model, n, n == 1 ? " is" : "s are",
                        kinds[k]);
        for (guint i = 0; i < MIN(n, MAX_NAMED); i++)
            g_string_append_printf(note, "%s %s", i > 0 ? "," : "", run->names[k][i]);
        if (n > MAX_NAMED)
            g_string_append_printf(note, " and %u more", n - MAX_NAMED);
        if (n > 0)
            options->note(note->str, options->data);
    }
}

static gboolean match_model(Run *run, guint number, GError **error)
{
    const TgDocumentsOptions *options = run->options;
    const guint n = options->threads > 0 ? options->threads : g_get_num_processors();
    const guint n_pages = run->pages->len;
    TgPipeline *pipeline = tg_pipeline_new(n, 4 * n, match_page, emit_page, run, error);
    gboolean going = TRUE;

    if (pipeline == NULL)
        return FALSE;
    run->model = run->models.models[number];
    memset(run->counts, 0, sizeof run->counts);
    for (guint i = 0; i < n_pages && going; i++) {
        Job *job = g_new0(Job, 1);
        const TgProgress begun = { .bytes_read = number * n_pages + i + 1,
                                   .bytes_total = run->models.n * n_pages };
        job->page = run->pages->pdata[i];
        job->path = tg_page_find(job->page, run->models.paths[number]);
        tg_pipeline_push(pipeline, job);
        going = options->progress == NULL || options->progress(&begun, options->data);
    }
    tg_pipeline_finish(pipeline);
    if (going && options->note != NULL)
        note_model(run);
    return going || tg_fail(error, TG_ERROR_CANCELLED, "cancelled");
}

gboolean tg_pages_run(const TgDocumentsOptions *options, guint64 *n_faults, GError **error)
{
    Run run = { .options = options };
    g_autoptr(GPtrArray) pages = tg_pages_load(options->truth, tell_fault, &run, error);

    run.pages = pages;
    gboolean good = pages != NULL && tg_document_models(options->inputs, &run.models, error) &&
                    (run.models.n > 0 || tg_fail_usage(error, "no folder of pages given"));
    for (guint i = 0; i < run.models.n && good; i++)
        good = check_folder(&run, run.models.paths[i], error);
    for (guint i = 0; i < run.models.n && good; i++)
        good = match_model(&run, i, error);
    tg_input_names_clear(&run.models);
    *n_faults = run.n_faults;
    return good;
}
