/* Runs over files: pairs in, results.jsonl out, and summaries of results. */
#include "python/ext/extension.h"

#include <pthread.h>
#include <string.h>

#include "core/files/output.h"
#include "eval/options/options.h"

enum { MAX_KEPT_FAULTS = 100 };

/* ---- what a run tells ---- */

typedef struct {
    PyWatch caller;
    pthread_mutex_t lock; /* guards what follows */
    GPtrArray *faults;    /* the first messages */
} Watch;

static gboolean watch_progress(const TgProgress *progress, gpointer data)
{
    return py_watch(&((Watch *) data)->caller, "(KKK)", (unsigned long long) progress->rows,
                    (unsigned long long) progress->bytes_read,
                    (unsigned long long) progress->bytes_total);
}

static void watch_fault(const char *message, gpointer data)
{
    Watch *watch = data;

    pthread_mutex_lock(&watch->lock);
    if (watch->faults->len < MAX_KEPT_FAULTS)
        g_ptr_array_add(watch->faults, g_strdup(message));
    pthread_mutex_unlock(&watch->lock);
}

/* ---- a run ---- */

typedef struct {
    TgEvalOptions run;
    TgSummaryOptions summary;
} Run;

static const TgArg run_args[] = {
    { .kind = TG_ARG_TABLE, .offset = G_STRUCT_OFFSET(Run, run), .table = tg_run_args },
    { .kind = TG_ARG_TABLE, .offset = G_STRUCT_OFFSET(Run, summary), .table = tg_merge_args },
    { 0 },
};

/* evaluate(inputs, options, progress) -> (number of faulty rows, the first messages) */
static PyObject *evaluate(PyObject *module, PyObject *args)
{
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);
    g_auto(PyTexts) inputs = { 0 };
    Run run = { .run = { .progress = watch_progress, .fault = watch_fault } };
    TgEvalOptions *options = &run.run;
    Watch watch = { 0 };
    PyObject *list, *dict, *faults = NULL;
    guint64 n_faults = 0;
    GError *error = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "OO!O", &list, &PyDict_Type, &dict, &watch.caller.callback) ||
        !py_texts_init(&inputs, list, "a path") || !py_options_fill(dict, run_args, &run, pool))
        return NULL;
    options->inputs = inputs.items != NULL && inputs.items[0] != NULL ? inputs.items : NULL;
    options->mean = run.summary.mean;
    options->by = run.summary.by;
    options->edited = run.summary.edited;
    options->data = &watch;
    watch.faults = g_ptr_array_new_with_free_func(g_free);
    pthread_mutex_init(&watch.lock, NULL);
    py_run_begin(&inputs);
    watch.caller.thread = PyEval_SaveThread();
    g_autoptr(TgSummary) summary = tg_eval_run(options, &n_faults, &error);
    PyEval_RestoreThread(watch.caller.thread);
    if (summary != NULL)
        faults = py_str_list(watch.faults);
    pthread_mutex_destroy(&watch.lock);
    g_ptr_array_unref(watch.faults);
    if (faults != NULL)
        return Py_BuildValue("KN", (unsigned long long) n_faults, faults);
    if (error != NULL && !PyErr_Occurred())
        return py_raise(error);
    g_clear_error(&error); /* it was a signal, or the callback */
    return NULL;
}

/* ---- summaries ---- */

typedef struct {
    TgSummaryFormat format;
    TgSummaryOptions how;
} Summary;

#define AT(member) G_STRUCT_OFFSET(Summary, member)

static const TgArg summary_args[] = {
    { .kind = TG_ARG_TABLE, .offset = AT(format.form), .table = tg_style_args },
    { .kind = TG_ARG_TABLE, .offset = AT(format.form), .table = tg_form_args },
    { "all", TG_ARG_FLAG, AT(format.all) },
    { .kind = TG_ARG_TABLE, .offset = AT(how), .table = tg_merge_args },
    { 0 },
};

/* summary(paths, options) -> str */
static PyObject *summary(PyObject *module, PyObject *args)
{
    g_autoptr(GPtrArray) pool = g_ptr_array_new_with_free_func(g_free);
    g_auto(PyTexts) paths = { 0 };
    Summary w = { 0 };
    PyObject *list, *dict;
    GError *error = NULL;
    char *text = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "OO!", &list, &PyDict_Type, &dict) ||
        !py_texts_init(&paths, list, "a path") || !py_options_fill(dict, summary_args, &w, pool))
        return NULL;
    PyObject *digits = PyDict_GetItemString(dict, "digits");
    w.format.form.fixed = digits != NULL && digits != Py_None;
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgSummary) merged = tg_eval_merge(paths.items, &w.how, &error);
    if (merged != NULL)
        text = tg_summary_format(merged, &w.format);
    Py_END_ALLOW_THREADS return py_take_str(text, error);
}

/* ---- files to be written ---- */

/* check_output(path, inputs, mark, force): raises where @path is one of the inputs, or holds
 * anything without @mark */
static PyObject *check_output(PyObject *module, PyObject *args)
{
    g_auto(PyTexts) inputs = { 0 };
    const char *path, *marks[2] = { NULL, NULL };
    PyObject *list;
    int force;
    GError *error = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "sOyp", &path, &list, &marks[0], &force) ||
        !py_texts_init(&inputs, list, "an input"))
        return NULL;
    py_run_begin(&inputs);
    if (!tg_output_check(path, marks, force ? NULL : PY_FORCE_ADVICE, &error))
        return py_raise(error);
    Py_RETURN_NONE;
}

PyMethodDef py_run_methods[] = {
    { "check_output", check_output, METH_VARARGS, NULL },
    { "evaluate", evaluate, METH_VARARGS, NULL },
    { "summary", summary, METH_VARARGS, NULL },
    { NULL },
};
