/* Runs over files: pairs in, results.jsonl out, and summaries of results. */
#include "python/ext/extension.h"

#include <string.h>

#include "core/files/output.h"
#include "core/hash.h"
#include "eval/options/options.h"

enum { MAX_KEPT_FAULTS = 100 };

/* ---- what a run tells ---- */

/* The first messages of a run, and the metrics' results of each pair, row by row. */
typedef struct {
    PyWatch caller;
    GPtrArray *faults, *notes;
    guint n_columns, n_metrics;
    GArray *numbers;  /* double [pair][column] */
    GArray *statuses; /* guint32 [pair][metric]: places in the texts */
    GPtrArray *texts; /* each status once, "ok" first; empty before the first row */
    GHashTable *places;
} Watch;

static void watch_init(Watch *watch)
{
    watch->faults = g_ptr_array_new_with_free_func(g_free);
    watch->notes = g_ptr_array_new_with_free_func(g_free);
    watch->numbers = g_array_new(FALSE, FALSE, sizeof(double));
    watch->statuses = g_array_new(FALSE, FALSE, sizeof(guint32));
    watch->texts = g_ptr_array_new_with_free_func(g_free);
    watch->places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void watch_clear(Watch *watch)
{
    g_clear_pointer(&watch->faults, g_ptr_array_unref);
    g_clear_pointer(&watch->notes, g_ptr_array_unref);
    g_clear_pointer(&watch->numbers, g_array_unref);
    g_clear_pointer(&watch->statuses, g_array_unref);
    g_clear_pointer(&watch->places, g_hash_table_unref);
    g_clear_pointer(&watch->texts, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Watch, watch_clear)

static gboolean watch_progress(const TgProgress *progress, gpointer data)
{
    return py_watch(&((Watch *) data)->caller, "(KKK)", (unsigned long long) progress->rows,
                    (unsigned long long) progress->bytes_read,
                    (unsigned long long) progress->bytes_total);
}

static void watch_fault(const char *message, gpointer data)
{
    const Watch *watch = data;

    if (watch->faults->len < MAX_KEPT_FAULTS)
        g_ptr_array_add(watch->faults, g_strdup(message));
}

static void watch_note(const char *message, gpointer data)
{
    const Watch *watch = data;

    if (watch->notes->len < MAX_KEPT_FAULTS)
        g_ptr_array_add(watch->notes, g_strdup(message));
}

static guint32 status_place(Watch *watch, const char *status)
{
    const guint32 place = tg_hash_number(watch->places, g_strdup(status));

    if (place == watch->texts->len)
        g_ptr_array_add(watch->texts, g_strdup(status));
    return place;
}

static void watch_scores(const TgScoreLayout *layout, const TgScores *scores, gpointer data)
{
    Watch *watch = data;

    if (watch->texts->len == 0) {
        watch->n_columns = layout->n_columns;
        watch->n_metrics = layout->metrics->len;
        status_place(watch, "ok");
    }
    g_array_append_vals(watch->numbers, scores->columns, watch->n_columns);
    for (guint m = 0; m < watch->n_metrics; m++) {
        const guint32 place =
            scores->status[m] != NULL ? status_place(watch, scores->status[m]) : 0;
        g_array_append_val(watch->statuses, place);
    }
}

/* Column @i of a table as bytes; all rows have the same number of values. */
typedef struct {
    const GArray *table;
    guint width;
} Table;

static PyObject *column_bytes(gsize i, gconstpointer data)
{
    const Table *table = data;
    const gsize size = g_array_get_element_size((GArray *) table->table);
    const gsize n = table->table->len / table->width;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t) (n * size));
    char *out = bytes != NULL ? PyBytes_AsString(bytes) : NULL;

    for (gsize row = 0; out != NULL && row < n; row++)
        memcpy(out + row * size, table->table->data + (row * table->width + i) * size, size);
    return bytes;
}

static void summary_capsule_free(PyObject *capsule)
{
    tg_summary_free(PyCapsule_GetPointer(capsule, "TgSummary"));
}

/* (summary, a list of bytes with the doubles of each column, likewise the statuses of each metric
 * as places in a list, this list) */
static PyObject *take_outcome(TgSummary *summary, const Watch *watch)
{
    const Table values = { watch->numbers, watch->n_columns },
                statuses = { watch->statuses, watch->n_metrics };
    PyObject *capsule = PyCapsule_New(summary, "TgSummary", summary_capsule_free);

    if (capsule == NULL)
        tg_summary_free(summary);
    return Py_BuildValue("NNNN", capsule, py_list(watch->n_columns, column_bytes, &values),
                         py_list(watch->n_metrics, column_bytes, &statuses),
                         py_str_list(watch->texts));
}

/* ---- a run ---- */

static const TgArg run_args[] = {
    { .kind = TG_ARG_TABLE, .table = tg_run_args },
    { .kind = TG_ARG_TABLE,
      .offset = G_STRUCT_OFFSET(TgEvalOptions, summary),
      .table = tg_merge_args },
    { 0 },
};

/* The error together with the first messages on rows, which the program prints above the error. */
static GError *with_reasons(GError *error, const GPtrArray *faults)
{
    enum { SHOWN = 3 };
    g_autoptr(GString) message = g_string_new(error->message);

    for (guint i = 0; i < MIN(faults->len, SHOWN); i++)
        g_string_append_printf(message, "%s %s", i == 0 ? ":" : ";",
                               (const char *) faults->pdata[i]);
    if (faults->len > SHOWN)
        g_string_append_printf(message, "; and %u more", faults->len - SHOWN);
    GError *full = g_error_new_literal(error->domain, error->code, message->str);
    g_error_free(error);
    return full;
}

/* evaluate(inputs, pairs, options, progress) -> (outcome, the first messages on faulty rows, notes)
 * where @pairs is None, or (references, predictions) in the place of inputs */
PyObject *py_evaluate(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyTexts) inputs = { .what = "a path" };
    g_auto(PyPairs) pairs = { 0 };
    TgEvalOptions options = { .progress = watch_progress,
                              .fault = watch_fault,
                              .note = watch_note };
    g_auto(PyOptions) given = { run_args, &options, NULL };
    g_auto(Watch) watch = { 0 };
    PyObject *both;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "O&OO&O", py_texts, &inputs, &both, py_options, &given,
                          &watch.caller.callback) ||
        (both != Py_None &&
         !py_pairs_init(&pairs, PyTuple_GetItem(both, 0), PyTuple_GetItem(both, 1))))
        return NULL;
    options.inputs = inputs.items != NULL && inputs.items[0] != NULL ? inputs.items : NULL;
    options.source.pairs = pairs.pairs;
    options.source.n_pairs = pairs.n;
    options.data = options.summary.data = &watch;
    options.summary.each = watch_scores;
    watch_init(&watch);
    py_run_begin(&inputs);
    watch.caller.thread = PyEval_SaveThread();
    TgSummary *summary = tg_eval_run(&options, NULL, &error);
    PyEval_RestoreThread(watch.caller.thread);
    if (summary != NULL)
        return Py_BuildValue("NNN", take_outcome(summary, &watch), py_str_list(watch.faults),
                             py_str_list(watch.notes));
    if (error != NULL && !PyErr_Occurred())
        return py_raise(with_reasons(error, watch.faults));
    g_clear_error(&error); /* a signal or the callback caused the error */
    return NULL;
}

/* ---- summaries ---- */

/* read(paths, options) -> outcome */
PyObject *py_read_results(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyTexts) paths = { .what = "a path" };
    g_auto(Watch) watch = { 0 };
    TgSummaryOptions options = { .each = watch_scores, .data = &watch };
    g_auto(PyOptions) given = { tg_merge_args, &options, NULL };
    TgSummary *summary;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "O&O&", py_texts, &paths, py_options, &given))
        return NULL;
    watch_init(&watch);
    Py_BEGIN_ALLOW_THREADS summary = tg_eval_merge(paths.items, &options, &error);
    Py_END_ALLOW_THREADS return summary != NULL ? take_outcome(summary, &watch) : py_raise(error);
}

static const TgArg format_args[] = {
    { .kind = TG_ARG_TABLE,
      .offset = G_STRUCT_OFFSET(TgSummaryFormat, form),
      .table = tg_style_args },
    { "all", TG_ARG_FLAG, G_STRUCT_OFFSET(TgSummaryFormat, all) },
    { 0 },
};

/* format(summary, options) -> str */
PyObject *py_format(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    TgSummaryFormat how = { 0 };
    g_auto(PyOptions) given = { format_args, &how, NULL };
    PyObject *capsule, *dict;

    if (!PyArg_ParseTuple(args, "OO!", &capsule, &PyDict_Type, &dict) || !py_options(dict, &given))
        return NULL;
    PyObject *digits = PyDict_GetItemString(dict, "digits");
    how.form.fixed = digits != NULL && digits != Py_None;
    const TgSummary *summary = PyCapsule_GetPointer(capsule, "TgSummary");
    return summary != NULL ? py_take_str(tg_summary_format(summary, &how), NULL) : NULL;
}

/* ---- files to be written ---- */

/* check_output(path, inputs, mark, force): raises where @path is one of the inputs, or a file
 * without @mark that @force does not allow to replace */
PyObject *py_check_output(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyTexts) inputs = { .what = "an input" };
    const char *path, *marks[2] = { NULL, NULL };
    int force;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "sO&yp", &path, py_texts, &inputs, &marks[0], &force))
        return NULL;
    py_run_begin(&inputs);
    if (!tg_output_check(path, marks, force ? NULL : PY_FORCE_ADVICE, &error))
        return py_raise(error);
    Py_RETURN_NONE;
}
