/* The CDM paper's protocol: the formulas of files and folders, and pairs of those of a truth and a
 * parser, document by document. */
#include "datasets/documents/document.h"

#include <errno.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/stream.h"
#include "core/json.h"
#include "core/utf8.h"

/* Pairs of the first round are closer than this, those of the second (or of an assignment) than
 * that. */
#define FIRST  0.4
#define SECOND 0.8

const char *const tg_document_kinds[] = { "auto", "latex", "markdown", NULL };

/* ---- how close two formulas are ---- */

void tg_formula_distances(const char *const *formulas, guint n_truths, guint n_predictions,
                          double *distances)
{
    const guint n = n_truths + n_predictions;
    g_autoptr(TgPairTable) numbers = tg_pair_table_new();
    TgArena texts = { 0 }, arena = { 0 };
    TgSequence *sequences = tg_arena_alloc(&texts, (n + 1) * sizeof *sequences);

    for (guint i = 0; i < n; i++) {
        g_autoptr(GString) text = tg_rule_made("wrapper", formulas[i]);
        sequences[i] = tg_number_characters(&texts, text->str, numbers);
    }
    for (guint i = 0; i < n; i++)
        sequences[i].id_bound = (guint32) tg_pair_table_size(numbers) + 1;
    for (guint i = 0; i < n_truths; i++)
        for (guint j = n_truths; j < n; j++) {
            const guint32 longer = MAX(sequences[i].n, sequences[j].n);
            tg_arena_reset(&arena);
            *distances++ =
                longer > 0 ? (double) tg_levenshtein(&arena, sequences[i], sequences[j]) / longer
                           : 0.0;
        }
    tg_arena_clear(&arena);
    tg_arena_clear(&texts);
}

void tg_match_pairs(const double *distances, guint n_truths, guint n_predictions,
                    TgMatchAssign assign, guint *partner)
{
    const gsize n = (gsize) n_truths * n_predictions;
    g_autofree gboolean *taken = g_new0(gboolean, n_predictions + 1);
    g_autofree double *cost = g_new(double, n + 1);

    for (guint i = 0; i < n_truths; i++)
        partner[i] = TG_UNASSIGNED;
    for (gsize i = 0; i < n; i++) /* a pair too far apart is no better than none */
        cost[i] = MIN(distances[i], SECOND);
    if (assign == TG_MATCH_OPTIMAL)
        tg_assignment_solve(cost, n_truths, n_predictions, partner);
    for (guint i = 0; i < n_truths && assign == TG_MATCH_OPTIMAL; i++)
        if (partner[i] != TG_UNASSIGNED && cost[(gsize) i * n_predictions + partner[i]] >= SECOND)
            partner[i] = TG_UNASSIGNED;
    for (guint i = 0; i < 2 * n_truths && assign == TG_MATCH_GREEDY; i++) { /* two rounds */
        const guint truth = i % n_truths;
        const double *row = distances + (gsize) truth * n_predictions;
        double least = i < n_truths ? FIRST : SECOND;
        if (partner[truth] != TG_UNASSIGNED)
            continue;
        for (guint j = 0; j < n_predictions; j++)
            if (!taken[j] && row[j] < least) {
                partner[truth] = j;
                least = row[j];
            }
        taken[MIN(partner[truth], n_predictions)] = TRUE;
    }
}

/* ---- the formulas of files ---- */

typedef struct {
    const TgDocumentsOptions *options;
    GString *macros;   /* text of the macro files */
    json_t *documents; /* {NAME: [TRUTHS, PREDICTIONS]}; NULL: formulas are written */
    guint side;        /* of those that are read */
    guint n_files, n_formulas, n_faults;    /* so far */
    const char *model;                      /* of the predictions; NULL: it has no name */
    guint n_truths, n_predictions, n_pairs; /* of it */
    double distance;                        /* of all its pairs */
} Run;

static void tell_fault(Run *run, const char *message)
{
    run->n_faults++;
    run->options->fault(message, run->options->data);
}

static void tell(const Run *run, const char *note)
{
    if (run->options->note != NULL)
        run->options->note(note, run->options->data);
}

/* Takes @row. */
static void write_row(const Run *run, json_t *row)
{
    g_autoptr(GString) line = g_string_new(NULL);

    tg_json_append(line, row);
    json_decref(row);
    fprintf(run->options->rows, "%s\n", line->str);
}

/* Takes @row. */
static void add_formula(Run *run, json_t *row)
{
    const char *name = json_string_value(json_object_get(row, "document"));
    const char *key = name != NULL ? name : "";

    run->n_formulas++;
    if (run->documents == NULL) {
        write_row(run, row);
        return;
    }
    if (json_object_get(run->documents, key) == NULL)
        json_object_set_new(run->documents, key, json_pack("[[][]]"));
    json_array_append_new(
        json_array_get(json_object_get(run->documents, key), run->side),
        json_pack("[OO?]", json_object_get(row, "latex"), json_object_get(row, "line")));
    json_decref(row);
}

/* Rows as tg_documents_run() writes them. */
static gboolean read_rows(Run *run, TgStream *stream, GError **error)
{
    TgLineStatus status;
    char *line;
    gsize n;

    while ((status = tg_stream_read_line(stream, &line, &n, error)) < TG_LINE_END) {
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

/* @folder_len: of the folder that was named, in bytes; the document's name is the path from there
 * on, without extension. */
static gboolean read_file(Run *run, const char *path, gsize folder_len, GError **error)
{
    const TgDocumentKind kind = run->options->kind;
    g_autoptr(TgStream) stream = tg_stream_open(path, TG_DOCUMENT_MAX, error);
    g_autoptr(GString) name = g_string_new(path + folder_len);

    if (stream == NULL || tg_rule_count("file of rows", path))
        return stream != NULL && read_rows(run, stream, error);
    g_autoptr(GString) text = tg_stream_read_rest(stream, TG_DOCUMENT_MAX, error);
    if (text == NULL)
        return FALSE;
    const gboolean markdown = kind != TG_DOCUMENT_ANY
                                  ? kind == TG_DOCUMENT_MARKDOWN
                                  : tg_rule_count("markdown file", path) ||
                                        (!tg_rule_count("latex file", path) &&
                                         strstr(text->str, "\\begin{document}") == NULL);
    g_autoptr(GArray) formulas = tg_document_extract(
        text->str, text->len, markdown, run->macros->str, run->options->with_inline, error);
    if (formulas == NULL) {
        g_prefix_error(error, "%s: ", path);
        return FALSE;
    }
    g_string_erase(name, 0, (gssize) strspn(name->str, "/"));
    tg_rule_apply("extension", name);
    for (guint i = 0, number = 0; i < formulas->len; i++) {
        const TgDocumentFormula *formula = &g_array_index(formulas, TgDocumentFormula, i);
        if (formula->latex == NULL) {
            g_autofree char *fault =
                g_strdup_printf("%s:%u: %s is not closed before the end of its paragraph", path,
                                formula->line, formula->environment);
            tell_fault(run, fault);
            continue;
        }
        g_autofree char *id = g_strdup_printf("%s#%u", name->str, ++number);
        add_formula(run, json_pack("{so so so si ss ss so}", "id", tg_json_text(id), "document",
                                   tg_json_text(name->str), "file", tg_json_text(path), "line",
                                   (int) formula->line, "kind",
                                   formula->display ? "display" : "inline", "environment",
                                   formula->environment, "latex", tg_json_text(formula->latex)));
    }
    return TRUE;
}

/* A file, or those of a folder and of the folders in it. */
static void read_path(Run *run, const char *path, gsize folder_len)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;

    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        run->n_files++;
        if (!read_file(run, path, folder_len, &error))
            tell_fault(run, error->message);
        return;
    }
    g_autoptr(GDir) dir = g_dir_open(path, 0, &error);
    if (dir == NULL) {
        tell_fault(run, error->message);
        return;
    }
    while ((name = g_dir_read_name(dir)) != NULL)
        g_ptr_array_add(names, g_strdup(name));
    tg_texts_sort(names);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *inner = g_build_filename(path, names->pdata[i], NULL);
        if (g_file_test(inner, G_FILE_TEST_IS_DIR)
                ? !g_file_test(inner, G_FILE_TEST_IS_SYMLINK) /* it may lead in circles */
                : g_file_test(inner, G_FILE_TEST_IS_REGULAR) &&
                      (tg_rule_count("latex file", inner) || tg_rule_count("markdown file", inner)))
            read_path(run, inner, folder_len);
    }
}

/* All formulas of an input. */
static void read_input(Run *run, const char *path)
{
    const char *slash =
        g_file_test(path, G_FILE_TEST_IS_DIR) ? path + strlen(path) : strrchr(path, '/');
    const Run before = *run;

    read_path(run, path, slash != NULL ? (gsize) (slash - path) : 0);
    const guint n_files = run->n_files - before.n_files;
    g_autofree char *counts = g_strdup_printf(
        "%s: %u formulas in %u file%s, %u faults", path, run->n_formulas - before.n_formulas,
        n_files, n_files == 1 ? "" : "s", run->n_faults - before.n_faults);
    tell(run, counts);
}

/* ---- pairs ---- */

/* @truth, @prediction: as add_formula() has them; NULL: none */
static void write_pair(const Run *run, const char *document, guint number, const json_t *truth,
                       const json_t *prediction, double distance, const char *how)
{
    g_autofree char *id = g_strdup_printf("%s%s%u", document, truth != NULL ? "#" : "+", number);
    const char *gt = json_string_value(json_array_get(truth, 0));
    const char *pred = json_string_value(json_array_get(prediction, 0));

    write_row(run, json_pack("{ss ss* ss ss ss sO? sO? so ss}", "id", id, "model", run->model,
                             "document", document, "gt", gt != NULL ? gt : "", "pred",
                             pred != NULL ? pred : "", "gt_line", json_array_get(truth, 1),
                             "pred_line", json_array_get(prediction, 1), "distance",
                             gt != NULL && pred != NULL ? tg_json_number(distance) : json_null(),
                             "match", how));
}

static gboolean match_document(Run *run, const char *name, const json_t *document, GError **error)
{
    const TgDocumentsOptions *options = run->options;
    const json_t *truths = json_array_get(document, 0), *predictions = json_array_get(document, 1);
    const guint n = (guint) json_array_size(truths), m = (guint) json_array_size(predictions);
    const gsize n_cells = (gsize) n * m;

    if (n_cells > TG_MATCH_MAX_CELLS)
        return tg_fail_input(error, "document '%s': too many formulas to match, %u and %u", name, n,
                             m);
    g_autofree const char **formulas = g_new(const char *, (gsize) n + m + 1);
    g_autofree double *distances = g_new(double, n_cells + 1);
    g_autofree guint *partner = g_new(guint, (gsize) n + 1);
    g_autofree gboolean *taken = g_new0(gboolean, (gsize) m + 1);

    for (guint i = 0; i < n + m; i++)
        formulas[i] = json_string_value(json_array_get(
            i < n ? json_array_get(truths, i) : json_array_get(predictions, i - n), 0));
    tg_formula_distances(formulas, n, m, distances);
    tg_match_pairs(distances, n, m, options->assign, partner);
    run->n_truths += n;
    run->n_predictions += m;
    for (guint i = 0; i < n; i++) {
        const guint j = MIN(partner[i], m);
        const double distance = j < m ? distances[(gsize) i * m + j] : 0;
        run->n_pairs += j < m;
        run->distance += distance;
        taken[j] = TRUE;
        write_pair(run, name, i + 1, json_array_get(truths, i), json_array_get(predictions, j),
                   distance,
                   j == m                                ? "missed"
                   : options->assign == TG_MATCH_OPTIMAL ? "optimal"
                   : distance < FIRST                    ? "first"
                                                         : "second");
    }
    for (guint j = 0; j < m && !options->drop_extras; j++)
        if (!taken[j])
            write_pair(run, name, j + 1, NULL, json_array_get(predictions, j), 0, "extra");
    return TRUE;
}

/* Pair the documents of both sides, and note how many pairs there are. */
static gboolean match_documents(Run *run, GError **error)
{
    json_t *documents = run->documents, *document;
    const char *name;

    if (json_object_size(documents) == 2) {
        /* One on either side is the same, whatever the files are called. */
        void *truth = json_object_iter(documents);
        json_t *none = json_array_get(json_object_iter_value(truth), 1);
        document = json_object_iter_value(json_object_iter_next(documents, truth));
        if (json_array_size(none) == 0 && json_array_size(json_array_get(document, 0)) == 0) {
            json_array_extend(none, json_array_get(document, 1));
            json_array_clear(json_array_get(document, 1));
        }
    }
    run->n_truths = run->n_predictions = run->n_pairs = 0;
    run->distance = 0;
    json_object_foreach(documents, name, document)
    {
        if (!match_document(run, name, document, error))
            return FALSE;
    }
    g_autofree char *counts = g_strdup_printf(
        "%s%s%u pairs, %u missed, %u extra, mean distance %.4f",
        run->model != NULL ? run->model : "", run->model != NULL ? ": " : "", run->n_pairs,
        run->n_truths - run->n_pairs, run->n_predictions - run->n_pairs,
        run->n_pairs > 0 ? run->distance / run->n_pairs : 0.0);
    tell(run, counts);
    return TRUE;
}

gboolean tg_document_models(const char *const *inputs, TgInputNames *models, GError **error)
{
    if (!tg_input_name_all(models, inputs, NULL, error))
        return FALSE;
    for (guint i = 0; i < models->n; i++) {
        if (strcmp(models->paths[i], "-") != 0 &&
            !g_file_test(models->paths[i], G_FILE_TEST_EXISTS))
            return tg_fail_input(error, "%s: %s", models->paths[i], g_strerror(ENOENT));
        for (guint k = 0; k < i; k++)
            if (strcmp(models->models[k], models->models[i]) == 0)
                return tg_fail_usage(error, "model '%s' is named twice: %s and %s",
                                     models->models[i], models->paths[k], models->paths[i]);
    }
    return TRUE;
}

/* Pair the truth with the predictions of each model. */
static gboolean match_models(Run *run, GError **error)
{
    const char *const single[] = { run->options->prediction, NULL };
    json_t *truth = run->documents = json_object(), *document;
    const char *name;
    g_auto(TgInputNames) models = { 0 };
    gboolean good =
        tg_document_models(single[0] != NULL ? single : run->options->inputs, &models, error);

    if (good) {
        read_input(run, run->options->truth);
        good = json_object_size(truth) > 0 ||
               tg_fail_input(error, "%s: no formulas to match", run->options->truth);
    }
    run->side = 1;
    for (guint i = 0; good && i < models.n; i++) {
        run->documents = json_object();
        json_object_foreach(truth, name, document)
        {
            json_object_set_new(run->documents, name,
                                json_pack("[O[]]", json_array_get(document, 0)));
        }
        run->model = single[0] != NULL ? NULL : models.models[i];
        read_input(run, models.paths[i]);
        good = match_documents(run, error);
        json_decref(run->documents);
    }
    json_decref(truth);
    return good;
}

gboolean tg_documents_run(const TgDocumentsOptions *options, guint64 *n_faults, GError **error)
{
    g_autoptr(GString) macros = g_string_new(NULL);
    Run run = { .options = options, .macros = macros };
    gboolean good = TRUE;

    for (guint i = 0; options->macros != NULL && options->macros[i] != NULL; i++) {
        g_autoptr(TgStream) stream = tg_stream_open(options->macros[i], TG_DOCUMENT_MAX, error);
        g_autoptr(GString) text =
            stream != NULL ? tg_stream_read_rest(stream, TG_DOCUMENT_MAX, error) : NULL;
        if (text == NULL)
            return FALSE;
        if (!g_utf8_validate(text->str, (gssize) text->len, NULL))
            return tg_fail_input(error, "%s: not UTF-8 text", options->macros[i]);
        g_string_append_printf(macros, "%s\n", text->str);
    }
    if (options->truth != NULL)
        good = match_models(&run, error);
    for (guint i = 0; options->truth == NULL && options->inputs[i] != NULL; i++)
        read_input(&run, options->inputs[i]);
    *n_faults = run.n_faults;
    return good && (run.n_formulas > 0 || run.n_faults > 0 ||
                    tg_fail_input(error, "the inputs hold no formulas"));
}
