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
#include "datasets/input_names.h"

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

#define FIRST_SILENT  5
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

/* By order; of the original's set those of one order come by id. */
static gint compare_parts(gconstpointer a, gconstpointer b)
{
    const json_t *left = *(json_t *const *) a, *right = *(json_t *const *) b;
    const char *key = number_of(left, "order") == number_of(right, "order") ? "anno_id" : "order";
    const double x = number_of(left, key), y = number_of(right, key);

    return x != y ? (x > y) - (x < y) : strcmp(text_of(left, key), text_of(right, key));
}

/* By order; those of one order by category. */
static gint compare_units(gconstpointer a, gconstpointer b)
{
    const TgPageUnit *left = a, *right = b;
    const double x = left->order, y = right->order;

    return x != y ? (x > y) - (x < y) : (int) (left->start - right->start);
}

/* Give elements that are truncated parts of each other a group, those united last the last number.
 */
static guint group_elements(const json_t *elements, const json_t *relations, guint *group)
{
    guint n_groups = 0;
    json_t *relation, *element;
    size_t i, k;

    json_array_foreach(relations, i, relation)
    {
        if (strcmp(text_of(relation, "relation_type"), "truncated") != 0)
            continue;
        n_groups++;
        json_array_foreach(elements, k, element)
        {
            const json_t *id = json_object_get(element, "anno_id");
            const guint old = group[k];
            if (!json_equal(id, json_object_get(relation, "source_anno_id")) &&
                !json_equal(id, json_object_get(relation, "target_anno_id")))
                continue;
            /* each group is taken over once: else a relation costs elements squared */
            for (size_t m = 0; m < json_array_size(elements) && old > 0 && old < n_groups; m++)
                group[m] = group[m] == old ? n_groups : group[m];
            group[k] = n_groups;
        }
    }
    return n_groups;
}

/* Add one element, or the parts of one, unless one is ignored, and forget them. */
static void add_unit(TgPage *page, GPtrArray *parts)
{
    g_autoptr(GString) text = g_string_new(NULL);
    gboolean takes_part = parts->len > 0;
    guint c = 0;

    g_ptr_array_sort(parts, compare_parts); /* stable */
    const json_t *first = parts->len > 0 ? parts->pdata[0] : NULL;
    while (c < G_N_ELEMENTS(categories) &&
           strcmp(text_of(first, "category_type"), categories[c]) != 0)
        c++;
    const gboolean is_formula = c + 1 == G_N_ELEMENTS(categories);
    for (guint i = 0; i < parts->len; i++) {
        takes_part = takes_part && !json_is_true(json_object_get(parts->pdata[i], "ignore"));
        g_string_append(text, text_of(parts->pdata[i], is_formula ? "latex" : "text"));
    }
    g_ptr_array_set_size(parts, 0);
    if (!takes_part || c == G_N_ELEMENTS(categories))
        return;
    const char *fine = text_of(first, "fine_category_type");
    const TgPageUnit unit = {
        .text = g_string_chunk_insert_const(page->strings, text->str),
        .kind = fine[0] != '\0' ? g_string_chunk_insert_const(page->strings, fine) : categories[c],
        .is_formula = is_formula,
        .is_silent = c >= FIRST_SILENT && !is_formula,
        .order = number_of(first, "order"),
        .start = c,
        .source = G_MAXUINT,
    };
    g_array_append_val(page->truth, unit);
}

static void read_elements(TgPage *page, const json_t *elements, const json_t *relations)
{
    g_autofree guint *group = g_new0(guint, json_array_size(elements) + 1);
    const guint n_groups = group_elements(elements, relations, group);
    g_autoptr(GPtrArray) parts = g_ptr_array_new();
    json_t *element;
    size_t i;

    for (guint g = 0; g <= n_groups; g++) {
        json_array_foreach(elements, i, element)
        {
            page->n_formulas += g == 0 && !json_is_true(json_object_get(element, "ignore")) &&
                                strcmp(text_of(element, "category_type"), TG_PAGE_FORMULA) == 0;
            if (group[i] == g)
                g_ptr_array_add(parts, element);
            if (g == 0)
                add_unit(page, parts);
        }
        add_unit(page, parts);
    }
    g_array_sort(page->truth, compare_units); /* stable */
}

static char **read_subsets(const json_t *attributes)
{
    GPtrArray *out = g_ptr_array_new();
    const char *key;
    json_t *value, *entry;
    size_t i;

    json_object_foreach((json_t *) attributes, key, value)
    {
        if (json_is_string(value))
            g_ptr_array_add(out, g_strdup_printf("%s: %s", key, json_string_value(value)));
        json_array_foreach(value, i, entry) if (json_is_string(entry) &&
                                                strstr(json_string_value(entry), "table") == NULL)
            g_ptr_array_add(out, g_strdup(json_string_value(entry)));
    }
    g_ptr_array_add(out, NULL);
    return (char **) g_ptr_array_free(out, FALSE);
}

static void free_page(gpointer data)
{
    TgPage *page = data;

    g_array_unref(page->truth);
    g_string_chunk_free(page->strings);
    g_strfreev(page->subsets);
    g_free(page->name);
    g_free(page);
}

static TgPage *read_page(const json_t *entry)
{
    const json_t *info = json_object_get(entry, "page_info");
    const json_t *elements = json_object_get(entry, "layout_dets");
    const json_t *relations = json_object_get(json_object_get(entry, "extra"), "relation");
    const char *path = text_of(info, "image_path");
    TgPage *page;

    if (path[0] == '\0' || !json_is_array(elements) ||
        json_array_size(elements) * json_array_size(relations) > MAX_RELATIONS)
        return NULL;
    page = g_new0(TgPage, 1);
    page->name = g_strdup(strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path);
    page->subsets = read_subsets(json_object_get(info, "page_attribute"));
    page->strings = g_string_chunk_new(4096);
    page->truth = g_array_new(FALSE, TRUE, sizeof(TgPageUnit));
    read_elements(page, elements, relations);
    return page;
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
        TgPage *page = read_page(entry);
        if (page != NULL && g_hash_table_add(names, page->name)) {
            g_ptr_array_add(pages, page);
            continue;
        }
        g_autofree char *message =
            g_strdup_printf("%s: page %u: %s", path, (guint) i + 1,
                            page != NULL ? "the second of its name"
                                         : "without image_path or layout_dets, or too large");
        if (fault != NULL)
            fault(message, data);
        if (page != NULL)
            free_page(page);
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

/* ---- models ---- */

/* What the notes of a model name pages for. */
enum { MISSING, EMPTY, TOO_LARGE, N_KINDS };

typedef struct {
    char *name, *folder;
    guint64 n_pages; /* with formulas */
    guint64 n_truths, n_missed, n_unused;
    GPtrArray *pages[N_KINDS]; /* borrowed names */
} Model;

/* A page of a model on its way through the pipeline. */
typedef struct {
    const TgPage *page;
    Model *model;
    char *path;  /* NULL: it has none */
    char *fault; /* why it cannot be read */
    gboolean is[N_KINDS];
    GString *rows; /* lines of JSON */
    guint n_rows, n_missed, n_unused;
} Job;

typedef struct {
    const TgPagesOptions *options;
    GPtrArray *pages;  /* TgPage */
    GPtrArray *models; /* Model */
    guint64 n_faults;
} Run;

static void tell_fault(const char *message, gpointer data)
{
    Run *run = data;

    run->n_faults++;
    if (run->options->fault != NULL)
        run->options->fault(message, run->options->data);
}

/* ---- a page ---- */

static void add_row(Job *job, const TgPageMatch *match, const TgPageRow *row)
{
    g_autofree char *attributes = g_strjoinv("; ", job->page->subsets);
    g_autofree char *id = g_strdup_printf("%s#%d", job->page->name, MAX(row->gt_idx, 0));
    g_autoptr(GString) places = g_string_new(NULL); /* "3+4" */

    for (guint i = 0; i < row->n_pred; i++)
        g_string_append_printf(places, "%s%u", i > 0 ? "+" : "", row->pred_idx[i]);
    json_t *json = json_pack(
        "{so so so so so ss so si si so so so ss ss? so so si}", "id", tg_json_text(id), "model",
        tg_json_text(job->model->name), "page", tg_json_text(job->page->name), "gt",
        tg_json_text(row->gt), "pred", tg_json_text(row->pred), "match",
        row->n_pred > 0 ? "matched" : "missed", "match_edit", tg_json_number(row->match_edit),
        "norm_distance", (int) row->edits, "norm_length", (int) row->length, "gt_idx",
        row->gt_idx >= 0 ? json_integer(row->gt_idx) : json_null(), "pred_idx",
        tg_json_text(places->str), "order",
        row->order != 0 ? tg_json_number(row->order) : json_null(), "pred_type", row->pred_type,
        "choice", match->choice, "file", tg_json_text(job->path), "page_attributes",
        tg_json_text(attributes), "page_unused", (int) match->n_extra);
    if (job->n_rows++ == 0) {
        json_t *extras = json_array();

        for (guint i = 0; i < match->n_extra; i++)
            json_array_append_new(extras, tg_json_text(match->extras[i]));
        json_object_set_new(json, "page_extras", extras);
    }
    tg_json_append(job->rows, json);
    g_string_append_c(job->rows, '\n');
    json_decref(json);
    job->n_missed += row->n_pred == 0;
}

static void match_page(gpointer item, guint worker, gpointer data)
{
    static const TgPageRow all_empty = {
        .gt = "\\square", .pred = "", .gt_idx = -1, .match_edit = 1, .pred_type = ""
    };
    Job *job = item;
    GStatBuf info;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    gsize len = 0;

    (void) worker;
    (void) data;
    job->is[MISSING] = job->path == NULL;
    if (job->path != NULL && g_stat(job->path, &info) == 0 && info.st_size > TG_PAGE_MAX)
        job->fault = g_strdup_printf("%s: has more than %u bytes, and counts as empty", job->path,
                                     TG_PAGE_MAX);
    else if (job->path != NULL && !g_file_get_contents(job->path, &text, &len, &error))
        job->fault = g_strdup(error->message);
    const char *markdown = text != NULL ? text : ""; /* any bytes */
    job->is[EMPTY] = job->path != NULL && markdown[strspn(markdown, " \t\n\v\f\r")] == '\0';
    g_autoptr(TgPageMatch) match = tg_page_match(job->page, markdown, len);
    job->is[TOO_LARGE] = match->status == TG_PAGE_TOO_LARGE;
    job->n_unused = match->n_extra;
    job->rows = g_string_new(NULL);
    for (guint i = 0; i < match->rows->len; i++)
        add_row(job, match, &g_array_index(match->rows, TgPageRow, i));
    if (match->rows->len == 0 && job->page->n_formulas > 0)
        add_row(job, match, &all_empty);
}

static void emit_page(gpointer item, gpointer data)
{
    Job *job = item;
    Run *run = data;
    Model *model = job->model;

    fputs(job->rows->str, run->options->rows);
    model->n_pages += job->page->n_formulas > 0;
    model->n_truths += job->n_rows;
    model->n_missed += job->n_missed;
    model->n_unused += job->n_unused;
    for (guint k = 0; k < N_KINDS; k++)
        if (job->is[k])
            g_ptr_array_add(model->pages[k], job->page->name);
    if (job->fault != NULL)
        tell_fault(job->fault, run);
    g_string_free(job->rows, TRUE);
    g_free(job->path);
    g_free(job->fault);
    g_free(job);
}

/* ---- models ---- */

static void model_free(gpointer data)
{
    Model *model = data;

    for (guint k = 0; k < N_KINDS; k++)
        g_ptr_array_unref(model->pages[k]);
    g_free(model->name);
    g_free(model->folder);
    g_free(model);
}

/* A folder without any of the pages is another one than the user thinks. No output may take the
 * place of a page. */
static gboolean check_folder(const Run *run, const Model *model, GError **error)
{
    gboolean any = FALSE;

    if (!g_file_test(model->folder, G_FILE_TEST_IS_DIR))
        return tg_fail_input(error, "%s: %s", model->folder,
                             g_file_test(model->folder, G_FILE_TEST_EXISTS)
                                 ? "is not a folder of pages"
                                 : g_strerror(ENOENT));
    for (guint i = 0; i < run->pages->len; i++) {
        g_autofree char *path = tg_page_find(run->pages->pdata[i], model->folder);

        any |= path != NULL;
        if (path != NULL)
            tg_run_files_note(path);
    }
    return any || tg_fail_input(error, "%s: has none of the %u page%s of %s (first: %s)",
                                model->folder, run->pages->len, run->pages->len == 1 ? "" : "s",
                                run->options->truth, ((const TgPage *) run->pages->pdata[0])->name);
}

static gboolean add_models(Run *run, GError **error)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new();

    for (guint i = 0; run->options->folders[i] != NULL; i++) {
        Model *model = g_new0(Model, 1);

        tg_input_split(run->options->folders[i], &model->name, &model->folder);
        for (guint k = 0; k < N_KINDS; k++)
            model->pages[k] = g_ptr_array_new();
        g_ptr_array_add(run->models, model);
        g_ptr_array_add(paths, model->folder);
    }
    g_ptr_array_add(paths, NULL);
    g_auto(GStrv) parts = tg_input_parts((const char *const *) paths->pdata);
    for (guint i = 0; i < run->models->len; i++) {
        Model *model = run->models->pdata[i];

        if (model->name == NULL)
            model->name = g_strdup(parts != NULL ? parts[i] : model->folder);
        for (guint k = 0; k < i; k++)
            if (strcmp(((Model *) run->models->pdata[k])->name, model->name) == 0)
                return tg_fail_usage(error, "model '%s' is named twice: %s and %s", model->name,
                                     ((Model *) run->models->pdata[k])->folder, model->folder);
        if (!check_folder(run, model, error))
            return FALSE;
    }
    return run->models->len > 0 || tg_fail_usage(error, "no folder of pages given");
}

static void note_model(const Run *run, const Model *model)
{
    static const char *const kinds[] = { "missing", "empty", "too large to be matched whole" };
    enum { MAX_NAMED = 5 };
    g_autoptr(GString) note = g_string_new(NULL);

    if (run->options->note == NULL)
        return;
    g_string_printf(note,
                    "%s: %u pages, %" G_GUINT64_FORMAT " with formulas; %" G_GUINT64_FORMAT
                    " references, %" G_GUINT64_FORMAT " without a prediction; %" G_GUINT64_FORMAT
                    " predictions without a reference, which no score counts",
                    model->name, run->pages->len, model->n_pages, model->n_truths, model->n_missed,
                    model->n_unused);
    run->options->note(note->str, run->options->data);
    for (guint k = 0; k < N_KINDS; k++) {
        const GPtrArray *pages = model->pages[k];

        if (pages->len == 0)
            continue;
        g_string_printf(note, "%s: %u page%s %s:", model->name, pages->len,
                        pages->len == 1 ? " is" : "s are", kinds[k]);
        for (guint i = 0; i < MIN(pages->len, MAX_NAMED); i++)
            g_string_append_printf(note, "%s %s", i > 0 ? "," : "", (char *) pages->pdata[i]);
        if (pages->len > MAX_NAMED)
            g_string_append_printf(note, " and %u more", pages->len - MAX_NAMED);
        run->options->note(note->str, run->options->data);
    }
}

/* ---- a run ---- */

static gboolean match_all(Run *run, GError **error)
{
    const TgPagesOptions *options = run->options;
    const guint total = run->pages->len * run->models->len;
    const guint n = options->threads > 0 ? options->threads : g_get_num_processors();
    TgPipeline *pipeline = tg_pipeline_new(n, 4 * n, match_page, emit_page, run, error);
    gboolean going = TRUE;

    if (pipeline == NULL)
        return FALSE;
    for (guint i = 0; i < total && going; i++) {
        Job *job = g_new0(Job, 1);

        job->page = run->pages->pdata[i % run->pages->len];
        job->model = run->models->pdata[i / run->pages->len];
        job->path = tg_page_find(job->page, job->model->folder);
        tg_pipeline_push(pipeline, job);
        const TgProgress begun = { .bytes_read = i + 1, .bytes_total = total };
        going = options->progress == NULL || options->progress(&begun, options->data);
    }
    tg_pipeline_finish(pipeline);
    return going || tg_fail(error, TG_ERROR_CANCELLED, "cancelled");
}

gboolean tg_pages_run(const TgPagesOptions *options, guint64 *n_faults, GError **error)
{
    g_autoptr(GPtrArray) models = g_ptr_array_new_with_free_func(model_free);
    Run run = { .options = options, .models = models };
    g_autoptr(GPtrArray) pages = tg_pages_load(options->truth, tell_fault, &run, error);

    run.pages = pages;
    if (pages == NULL || !add_models(&run, error) || !match_all(&run, error))
        return FALSE;
    for (guint i = 0; options->note != NULL && i < models->len; i++)
        note_model(&run, models->pdata[i]);
    *n_faults = run.n_faults;
    return TRUE;
}
