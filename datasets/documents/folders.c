/* Folders of pages, matched with a truth: every formula of the truth with what a model has for it,
 * as JSON rows. */
#include "datasets/documents/pages.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"
#include "core/json.h"
#include "core/pipeline.h"
#include "datasets/input_names.h"

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
    GPtrArray *rows; /* of char * */
    guint n_missed, n_unused;
} Job;

typedef struct {
    const TgPagesOptions *options;
    GPtrArray *pages;  /* TgPage */
    GPtrArray *models; /* Model */
    guint64 n_faults;
} Run;

/* ---- a page ---- */

/* "3+4" */
static char *join_places(const guint *places, guint n)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "%s%u", i > 0 ? "+" : "", places[i]);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* @row: NULL for the page whose formulas are all empty */
static void add_row(Job *job, const TgPageMatch *match, const TgPageRow *row)
{
    static const TgPageRow none = {
        .gt = (char *) "\\square", .pred = (char *) "", .match_edit = 1, .pred_type = ""
    };
    g_autofree char *attributes = g_strjoinv("; ", job->page->subsets);
    g_autoptr(GString) line = g_string_new(NULL);

    row = row != NULL ? row : &none;
    const int place = row->n_gt > 0 ? (int) row->gt_idx[0] : -1;
    g_autofree char *places = join_places(row->pred_idx, row->n_pred);
    g_autofree char *id = g_strdup_printf("%s#%d", job->page->name, MAX(place, 0));
    json_t *json = json_pack(
        "{so so so so so ss so si si so so so ss ss? so so si}", "id", tg_json_text(id), "model",
        tg_json_text(job->model->name), "page", tg_json_text(job->page->name), "gt",
        tg_json_text(row->gt), "pred", tg_json_text(row->pred), "match",
        row->n_pred > 0 ? "matched" : "missed", "match_edit", tg_json_number(row->match_edit),
        "norm_distance", (int) row->edits, "norm_length", (int) row->length, "gt_idx",
        place >= 0 ? json_integer(place) : json_null(), "pred_idx", tg_json_text(places), "order",
        row->n_gt > 0 && row->order[0] != 0 ? tg_json_number(row->order[0]) : json_null(),
        "pred_type", row->pred_type, "choice", match->choice, "file", tg_json_text(job->path),
        "page_attributes", tg_json_text(attributes), "page_unused", (int) match->n_extra);
    if (job->rows->len == 0) {
        json_t *extras = json_array();

        for (guint i = 0; i < match->n_extra; i++)
            json_array_append_new(extras, tg_json_text(match->extras[i]));
        json_object_set_new(json, "page_extras", extras);
    }
    tg_json_append(line, json);
    json_decref(json);
    job->n_missed += row->n_pred == 0;
    g_ptr_array_add(job->rows, g_string_free(g_steal_pointer(&line), FALSE));
}

static gboolean is_blank(const char *text, gsize len)
{
    gsize n = 0;

    while (n < len && g_ascii_isspace(text[n]))
        n++;
    return n == len;
}

/* Any bytes; what cannot be read counts as empty. */
static char *read_page(Job *job, gsize *len)
{
    GStatBuf info;
    GError *error = NULL;
    char *text = NULL;

    *len = 0;
    if (job->path == NULL)
        return NULL;
    if (g_stat(job->path, &info) == 0 && info.st_size > TG_PAGE_MAX)
        job->fault = g_strdup_printf("%s: has more than %u bytes, and counts as empty", job->path,
                                     TG_PAGE_MAX);
    else if (!g_file_get_contents(job->path, &text, len, &error))
        job->fault = g_strdup(error->message);
    g_clear_error(&error);
    return text;
}

static void match_page(gpointer item, guint worker, gpointer data)
{
    Job *job = item;
    gsize len;
    g_autofree char *text = read_page(job, &len);

    (void) worker;
    (void) data;
    job->is[MISSING] = job->path == NULL;
    job->is[EMPTY] = job->path != NULL && is_blank(text, len);
    g_autoptr(TgPageMatch) match = tg_page_match(job->page, text != NULL ? text : "", len);
    job->is[TOO_LARGE] = match->status == TG_PAGE_TOO_LARGE;
    job->n_unused = match->n_extra;
    for (guint i = 0; i < match->rows->len; i++)
        add_row(job, match, &g_array_index(match->rows, TgPageRow, i));
    if (match->rows->len == 0 && job->page->n_formulas > 0)
        add_row(job, match, NULL);
}

static void emit_page(gpointer item, gpointer data)
{
    Job *job = item;
    Run *run = data;
    Model *model = job->model;

    for (guint i = 0; i < job->rows->len; i++)
        fprintf(run->options->rows, "%s\n", (const char *) job->rows->pdata[i]);
    model->n_pages += job->page->n_formulas > 0;
    model->n_truths += job->rows->len;
    model->n_missed += job->n_missed;
    model->n_unused += job->n_unused;
    for (guint k = 0; k < N_KINDS; k++)
        if (job->is[k])
            g_ptr_array_add(model->pages[k], job->page->name);
    if (job->fault != NULL) {
        run->n_faults++;
        if (run->options->fault != NULL)
            run->options->fault(job->fault, run->options->data);
    }
    g_ptr_array_unref(job->rows);
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
                                 ? "is no folder of pages"
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
                    " truths, %" G_GUINT64_FORMAT " without a partner; %" G_GUINT64_FORMAT
                    " predictions that no truth takes, which no score counts",
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
        job->rows = g_ptr_array_new_with_free_func(g_free);
        tg_pipeline_push(pipeline, job);
        const TgProgress begun = { .bytes_read = i + 1, .bytes_total = total };
        going = options->progress == NULL || options->progress(&begun, options->data);
    }
    tg_pipeline_finish(pipeline);
    return going || tg_fail(error, TG_ERROR_CANCELLED, "cancelled");
}

static void count_fault(const char *message, gpointer data)
{
    Run *run = data;

    run->n_faults++;
    if (run->options->fault != NULL)
        run->options->fault(message, run->options->data);
}

gboolean tg_pages_run(const TgPagesOptions *options, guint64 *n_faults, GError **error)
{
    g_autoptr(GPtrArray) models = g_ptr_array_new_with_free_func(model_free);
    Run run = { .options = options, .models = models };
    g_autoptr(GPtrArray) pages = tg_pages_load(options->truth, count_fault, &run, error);

    run.pages = pages;
    if (pages == NULL || !add_models(&run, error) || !match_all(&run, error))
        return FALSE;
    for (guint i = 0; options->note != NULL && i < models->len; i++)
        note_model(&run, models->pdata[i]);
    *n_faults = run.n_faults;
    return TRUE;
}
