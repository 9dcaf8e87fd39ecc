/* Runs over files: pairs in, results.jsonl out, and summaries of results. */
#include "python/ext/extension.h"

#include <pthread.h>
#include <string.h>

#include "core/files/output.h"
#include "eval/run/run.h"
#include "python/ext/forms.h"

enum { MAX_KEPT_FAULTS = 100 };

/* ---- what a run tells ---- */

typedef struct {
    PyThreadState *thread; /* of the caller, while it does not hold the GIL */
    PyObject *callback;    /* or None */
    pthread_mutex_t lock;  /* guards what follows */
    GPtrArray *faults;     /* the first messages */
} Watch;

static gboolean watch_progress(const TgProgress *progress, gpointer data)
{
    Watch *watch = data;

    PyEval_RestoreThread(watch->thread);
    gboolean goes_on = PyErr_Occurred() == NULL && PyErr_CheckSignals() == 0;
    if (goes_on && watch->callback != Py_None) {
        g_autoptr(PyRef) result = PyObject_CallFunction(
            watch->callback, "KKK", (unsigned long long) progress->rows,
            (unsigned long long) progress->bytes_read, (unsigned long long) progress->bytes_total);
        goes_on = result != NULL;
    }
    watch->thread = PyEval_SaveThread();
    return goes_on;
}

static void watch_fault(const char *message, gpointer data)
{
    Watch *watch = data;

    pthread_mutex_lock(&watch->lock);
    if (watch->faults->len < MAX_KEPT_FAULTS)
        g_ptr_array_add(watch->faults, g_strdup(message));
    pthread_mutex_unlock(&watch->lock);
}

static PyObject *fault_list(const Watch *watch)
{
    g_autoptr(PyRef) list = PyList_New(0);

    for (guint i = 0; list != NULL && i < watch->faults->len; i++) {
        g_autoptr(PyRef) text = py_str(watch->faults->pdata[i]);

        if (text == NULL || PyList_Append(list, text) != 0)
            return NULL;
    }
    return g_steal_pointer(&list);
}

/* ---- its arguments ---- */

/* Lists of texts that the options borrow. */
typedef struct {
    PyTexts inputs, truths, predictions, maps, human, columns, by;
} RunTexts;

static void run_texts_clear(RunTexts *texts)
{
    py_texts_clear(&texts->inputs);
    py_texts_clear(&texts->truths);
    py_texts_clear(&texts->predictions);
    py_texts_clear(&texts->maps);
    py_texts_clear(&texts->human);
    py_texts_clear(&texts->columns);
    py_texts_clear(&texts->by);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunTexts, run_texts_clear)

/* A list of a dict; empty ones are as good as none, but for columns, where that keeps none. */
static gboolean get_texts(PyObject *dict, const char *key, PyTexts *texts, const char *const **out)
{
    if (!py_texts_init(texts, PyDict_GetItemString(dict, key), key))
        return FALSE;
    const gboolean any = texts->items != NULL && texts->items[0] != NULL;
    *out = any || strcmp(key, "columns") == 0 ? texts->items : NULL;
    return TRUE;
}

static gboolean get_flag(PyObject *dict, const char *key, gboolean *out)
{
    PyObject *value = PyDict_GetItemString(dict, key);
    const int truth = value != NULL ? PyObject_IsTrue(value) : 0;

    *out = truth > 0;
    return truth >= 0;
}

static gboolean get_number(PyObject *dict, const char *key, guint *out)
{
    PyObject *value = PyDict_GetItemString(dict, key);
    const unsigned long number = value != NULL ? PyLong_AsUnsignedLong(value) : 0;

    if (PyErr_Occurred())
        return FALSE;
    if (number > 1u << 20)
        PyErr_Format(PyExc_ValueError, "%s is too large", key);
    *out = (guint) number;
    return number <= 1u << 20;
}

static gboolean get_seconds(PyObject *dict, const char *key, double *out)
{
    PyObject *value = PyDict_GetItemString(dict, key);

    *out = value != NULL ? PyFloat_AsDouble(value) : 0;
    return PyErr_Occurred() == NULL;
}

static gboolean fill_lists(PyObject *dict, RunTexts *texts, TgEvalOptions *options)
{
    return get_texts(dict, "inputs", &texts->inputs, &options->inputs) &&
           get_texts(dict, "truths", &texts->truths, &options->truths) &&
           get_texts(dict, "predictions", &texts->predictions, &options->predictions) &&
           get_texts(dict, "maps", &texts->maps, &options->maps) &&
           get_texts(dict, "human", &texts->human, &options->human) &&
           get_texts(dict, "columns", &texts->columns, &options->columns) &&
           get_texts(dict, "by", &texts->by, &options->by);
}

static gboolean fill_words(PyObject *dict, TgEvalOptions *options)
{
    const char *undefined;
    gint undefined_code;

    if (!py_option(PyDict_GetItemString(dict, "metrics"), "metrics", &options->metrics) ||
        !py_option(PyDict_GetItemString(dict, "format"), "format", &options->format) ||
        !py_option(PyDict_GetItemString(dict, "model"), "model", &options->model) ||
        !py_option(PyDict_GetItemString(dict, "output"), "output", &options->output) ||
        !py_option(PyDict_GetItemString(dict, "mean"), "mean", &options->mean) ||
        !py_option(PyDict_GetItemString(dict, "clean"), "clean", &options->clean) ||
        !py_option(PyDict_GetItemString(dict, "undefined"), "undefined", &undefined) ||
        !py_choice(undefined, py_undefined_names, "undefined", &undefined_code))
        return FALSE;
    options->undefined = (TgUndefined) undefined_code;
    return TRUE;
}

static gboolean fill_numbers(PyObject *dict, TgEvalOptions *options)
{
    return get_flag(dict, "keep_delimiters", &options->keep_delimiters) &&
           get_flag(dict, "token_ids", &options->token_ids) &&
           get_flag(dict, "allow_duplicates", &options->allow_duplicates) &&
           get_flag(dict, "detail", &options->detail) &&
           get_flag(dict, "resume", &options->resume) &&
           get_seconds(dict, "pair_timeout", &options->pair_timeout) &&
           get_number(dict, "threads", &options->threads) &&
           get_number(dict, "shard", &options->shard) &&
           get_number(dict, "n_shards", &options->n_shards);
}

/* evaluate(options, progress) -> (number of faulty rows, the first messages) */
static PyObject *evaluate(PyObject *module, PyObject *args)
{
    g_auto(RunTexts) texts = { 0 };
    TgEvalOptions options = { .progress = watch_progress, .fault = watch_fault };
    Watch watch = { 0 };
    PyObject *dict, *faults = NULL;
    guint64 n_faults = 0;
    GError *error = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &dict, &watch.callback) ||
        !fill_lists(dict, &texts, &options) || !fill_words(dict, &options) ||
        !fill_numbers(dict, &options))
        return NULL;
    options.data = &watch;
    watch.faults = g_ptr_array_new_with_free_func(g_free);
    pthread_mutex_init(&watch.lock, NULL);
    watch.thread = PyEval_SaveThread();
    g_autoptr(TgSummary) summary = tg_eval_run(&options, &n_faults, &error);
    PyEval_RestoreThread(watch.thread);
    if (summary != NULL)
        faults = fault_list(&watch);
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

/* summary(paths, style, percent, digits, all, mean, by, confidence) -> str; digits below 0: those
 * of the style */
static PyObject *summary(PyObject *module, PyObject *args)
{
    g_auto(PyTexts) paths = { 0 }, by = { 0 };
    TgSummaryFormat format = { 0 };
    TgSummaryOptions how = { 0 };
    const char *style;
    PyObject *list, *by_list;
    int percent, digits, all;
    GError *error = NULL;
    char *text = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "OspipzOp", &list, &style, &percent, &digits, &all, &how.mean,
                          &by_list, &how.confidence) ||
        !py_texts_init(&paths, list, "a path") || !py_texts_init(&by, by_list, "by"))
        return NULL;
    how.by = by.items;
    if (!tg_grid_style_parse(style, &format.form.style, &error))
        return py_raise(error);
    format.form.percent = percent;
    format.form.fixed = digits >= 0;
    format.form.digits = CLAMP(digits, 0, 15);
    format.all = all;
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgSummary) merged = tg_eval_merge(paths.items, &how, &error);
    if (merged != NULL)
        text = tg_summary_format(merged, &format);
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
    if (!tg_output_is_no_input(path, inputs.items, &error) ||
        (!force && !tg_output_may_replace(path, marks, PY_FORCE_ADVICE, &error)))
        return py_raise(error);
    Py_RETURN_NONE;
}

PyMethodDef py_run_methods[] = {
    { "check_output", check_output, METH_VARARGS, NULL },
    { "evaluate", evaluate, METH_VARARGS, NULL },
    { "summary", summary, METH_VARARGS, NULL },
    { NULL },
};
