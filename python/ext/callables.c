/* Metrics written in Python: descriptors whose score() calls a Python function. */
#include "core/fail.h"
#include "python/ext/extension.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include <texgauge/metric.h>
#include <texgauge/registry.h>

/* A registered metric. It stays until the process ends, as descriptors do. */
typedef struct {
    TgMetricInfo info;
    TgOption options[2];
    TgColumn *columns;
    guint n_columns;
    const char *function; /* the function's name, which stands in the signature */
    PyObject *texts;      /* owns every text of these */
    PyObject *callable;   /* guarded by the GIL */
} PyMetric;

typedef struct {
    char *function; /* the metric's only option, by whose value score() finds the metric */
    PyMetric *metric;
} Instance;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the table */
static GHashTable *metrics_by_function;

static PyMetric *find_metric(const char *function)
{
    pthread_mutex_lock(&lock);
    PyMetric *metric =
        metrics_by_function != NULL ? g_hash_table_lookup(metrics_by_function, function) : NULL;
    pthread_mutex_unlock(&lock);
    return metric;
}

static gboolean callable_init(gpointer self, GError **error)
{
    Instance *instance = self;

    instance->metric = find_metric(instance->function);
    if (instance->metric == NULL)
        tg_fail_usage(error, "no function '%s' is registered", instance->function);
    return instance->metric != NULL;
}

/* ---- scoring ---- */

/* Turn a Python exception into the error of this pair. texgauge.Error is a property of the pair;
 * any other exception is a fault of the function. */
static gboolean fail_python(const PyMetric *metric, GError **error)
{
    PyObject *type, *value, *trace;

    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value != NULL && trace != NULL)
        PyException_SetTraceback(value, trace);
    g_autoptr(PyRef) name = PyObject_GetAttrString(type, "__name__");
    g_autoptr(PyRef) text = value != NULL ? PyObject_Str(value) : NULL;
    const char *words = text != NULL ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    const char *kind = name != NULL ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;

    if (py_is_error(type))
        tg_fail(error, TG_ERROR_DATA, "%s", words != NULL ? words : "no score");
    else {
        py_keep_cause(value);
        tg_fail(error, TG_ERROR_INTERNAL, "%s() of the metric '%s' raised %s: %s", metric->function,
                metric->info.name, kind != NULL ? kind : "an exception",
                words != NULL ? words : "");
    }
    PyErr_Clear();
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return FALSE;
}

static PyObject *reference_text(gsize i, gconstpointer refs)
{
    return py_str(((const char *const *) refs)[i]);
}

/* Write one number of the outcome into a column; undefined values are None or NaN. */
static gboolean set_column(const PyMetric *metric, guint column, PyObject *number, TgResult *out,
                           GError **error)
{
    if (number == Py_None)
        return TRUE;
    const double value = PyFloat_AsDouble(number);
    if (PyErr_Occurred())
        return fail_python(metric, error);
    if (isinf(value))
        return tg_fail(error, TG_ERROR_INTERNAL, "%s() of the metric '%s' gave infinity",
                       metric->function, metric->info.name);
    if (!isnan(value))
        tg_result_set(out, column, value);
    return TRUE;
}

/* Read the outcome: one number for the first column, or a mapping from names of columns. */
static gboolean take_outcome(const PyMetric *metric, PyObject *outcome, TgResult *out,
                             GError **error)
{
    if (outcome == Py_None || (PyFloat_Check(outcome) && isnan(PyFloat_AsDouble(outcome))))
        return tg_fail(error, TG_ERROR_DATA, "no score");
    if (!PyMapping_Check(outcome))
        return set_column(metric, 0, outcome, out, error);
    for (guint c = 0; c < metric->n_columns; c++) {
        g_autoptr(PyRef) number = PyMapping_GetItemString(outcome, metric->columns[c].name);

        if (number == NULL)
            return fail_python(metric, error);
        if (!set_column(metric, c, number, out, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean callable_score(gconstpointer self, G_GNUC_UNUSED TgEnv *env, const TgPair *pair,
                               TgResult *out, GError **error)
{
    const PyMetric *metric = ((const Instance *) self)->metric;
    const PyGILState_STATE state = PyGILState_Ensure();
    gboolean good;

    PyObject *references = py_list(pair->n_refs, reference_text, pair->refs);
    PyObject *prediction = py_str(pair->hyp);
    PyObject *outcome =
        references != NULL && prediction != NULL
            ? PyObject_CallFunctionObjArgs(metric->callable, references, prediction, NULL)
            : NULL;
    good = outcome != NULL ? take_outcome(metric, outcome, out, error) : fail_python(metric, error);
    Py_XDECREF(outcome);
    Py_XDECREF(prediction);
    Py_XDECREF(references);
    PyGILState_Release(state);
    return good;
}

/* ---- registration ---- */

/* A tuple (name, higher is better, min, max, pooling, help). */
static gboolean fill_column(TgColumn *column, PyObject *tuple)
{
    static const char *const pooling_names[] = { "mean", "sum", NULL };
    const char *pooling_name;
    int higher;
    gint pooling;

    if (!PyArg_ParseTuple(tuple, "spddss", &column->name, &higher, &column->min, &column->max,
                          &pooling_name, &column->help) ||
        !py_choice(pooling_name, pooling_names, "pooling", &pooling))
        return FALSE;
    column->direction = higher ? TG_HIGHER_IS_BETTER : TG_LOWER_IS_BETTER;
    column->min = isinf(column->min) ? -G_MAXDOUBLE : column->min;
    column->max = isinf(column->max) ? G_MAXDOUBLE : column->max;
    column->pooling = (TgPooling) pooling;
    return TRUE;
}

static gboolean same_columns(const PyMetric *a, const PyMetric *b)
{
    gboolean same = a->n_columns == b->n_columns && strcmp(a->info.version, b->info.version) == 0;

    for (guint i = 0; same && i < a->n_columns; i++)
        same = strcmp(a->columns[i].name, b->columns[i].name) == 0 &&
               a->columns[i].direction == b->columns[i].direction &&
               a->columns[i].min == b->columns[i].min && a->columns[i].max == b->columns[i].max &&
               a->columns[i].pooling == b->columns[i].pooling;
    return same;
}

static void metric_free(PyMetric *metric)
{
    g_free(metric->columns);
    Py_XDECREF(metric->texts);
    Py_XDECREF(metric->callable);
    g_free(metric);
}

static PyMetric *metric_make(const char *name, const char *version, const char *summary,
                             const char *function, PyObject *callable)
{
    PyMetric *metric = g_new0(PyMetric, 1);

    metric->function = function;
    Py_INCREF(callable);
    metric->callable = callable;
    metric->options[0] = (TgOption) TG_OPTION_STRING(Instance, function, "function",
                                                     metric->function, "the function of Python's");
    /* so that signatures name the option although it has its default value */
    metric->options[0].min = 1;
    metric->info = (TgMetricInfo){
        .abi = TG_METRIC_ABI,
        .name = name,
        .version = version,
        .summary = summary,
        .citation = metric->function,
        .options = metric->options,
        .instance_size = sizeof(Instance),
        .init = callable_init,
        .score = callable_score,
    };
    return metric;
}

/* Replace the function of the registered metric with the same name and function name, because a
 * cell of a notebook was run again. */
static gboolean replace_callable(PyMetric *old, PyMetric *metric, GError **error)
{
    if (strcmp(old->info.name, metric->info.name) != 0 || !same_columns(old, metric))
        return tg_fail_usage(
            error,
            "'%s' is registered with another name, version or other columns; take another "
            "name for the function and the metric",
            metric->function);
    PyObject *callable = old->callable;
    old->callable = metric->callable;
    metric->callable = callable;
    return TRUE;
}

static gboolean metric_register(PyMetric *metric, GError **error)
{
    metric->info.columns = metric->columns; /* the array of columns no longer moves */
    if (!tg_registry_add(&metric->info, error))
        return FALSE;
    pthread_mutex_lock(&lock);
    if (metrics_by_function == NULL)
        metrics_by_function = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(metrics_by_function, (gpointer) metric->function, metric);
    pthread_mutex_unlock(&lock);
    return TRUE;
}

/* register_metric(name, version, summary, function, callable, columns) */
PyObject *py_register_metric(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    const char *name, *version, *summary, *function;
    PyObject *callable, *columns;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "ssssOO!", &name, &version, &summary, &function, &callable,
                          &PyTuple_Type, &columns))
        return NULL;
    PyMetric *metric = metric_make(name, version, summary, function, callable);
    metric->texts = Py_BuildValue("NO", PyTuple_GetSlice(args, 0, 4), columns);
    metric->n_columns = (guint) PyTuple_Size(columns);
    metric->columns = g_new0(TgColumn, metric->n_columns + 1);
    gboolean good = metric->texts != NULL;
    for (guint i = 0; good && i < metric->n_columns; i++)
        good = fill_column(&metric->columns[i], PyTuple_GetItem(columns, (Py_ssize_t) i));
    if (!good) {
        metric_free(metric);
        return NULL;
    }
    PyMetric *old = find_metric(function);
    good = old != NULL ? replace_callable(old, metric, &error) : metric_register(metric, &error);
    if (!good || old != NULL)
        metric_free(metric);
    if (!good)
        return py_raise(error);
    Py_RETURN_NONE;
}
