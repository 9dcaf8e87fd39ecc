/* Scorers and batches: the public interface for pairs in memory, as two types of Python. */
#include "python/ext/extension.h"

#include <stdlib.h>

#include <texgauge/scorer.h>

#include "core/json.h"
#include "eval/options/options.h"
#include "eval/run/scorer.h"
#include "metrics/base/base.h"

typedef struct {
    PyObject_HEAD TgScorer *scorer;
    char *metrics;
    TgScorerOptions options;
    GPtrArray *pool;          /* memory of the options */
    guint generation;         /* generation of the process that made the scorer */
    PyTypeObject *score_type; /* a class of float with an attribute _parts */
    PyObject *names;          /* tuple of the columns' names */
} Scorer;

typedef struct {
    PyObject_HEAD TgBatch *batch;
    TgScorer *scorer; /* it knows the columns */
} Batch;

static PyTypeObject *batch_type;
static PyObject *parts_name;

/* ---- scorers ---- */

static gboolean scorer_make(Scorer *self)
{
    GError *error = NULL;

    self->scorer = tg_scorer_new(self->metrics, &self->options, &error);
    self->generation = py_fork_generation();
    if (self->scorer == NULL)
        py_raise(error);
    return self->scorer != NULL;
}

static PyObject *column_name(gsize c, gconstpointer scorer)
{
    return py_str(tg_scorer_column_name(scorer, (guint) c));
}

/* Scorer(metrics, options, class of scores) */
static PyObject *scorer_new(PyTypeObject *type, PyObject *args, G_GNUC_UNUSED PyObject *keywords)
{
    TgEvalOptions options = { 0 };
    g_auto(PyOptions) given = { tg_run_args, &options, NULL };
    const char *metrics;
    PyObject *score_type;

    if (!PyArg_ParseTuple(args, "sO&O!", &metrics, py_options, &given, &PyType_Type, &score_type))
        return NULL;
    allocfunc alloc = (allocfunc) PyType_GetSlot(type, Py_tp_alloc);
    g_autoptr(PyRef) object = alloc(type, 0);
    if (object == NULL)
        return NULL;
    Scorer *self = (Scorer *) object;
    self->metrics = g_strdup(metrics);
    self->pool = g_steal_pointer(&given.pool);
    self->options = tg_eval_scorer_options(&options);
    Py_INCREF(score_type);
    self->score_type = (PyTypeObject *) score_type;
    if (!scorer_make(self))
        return NULL;
    g_autoptr(PyRef) names = py_list(tg_scorer_n_columns(self->scorer), column_name, self->scorer);
    self->names = names != NULL ? PyList_AsTuple(names) : NULL;
    return self->names != NULL ? g_steal_pointer(&object) : NULL;
}

static void scorer_dealloc(PyObject *object)
{
    Scorer *self = (Scorer *) object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc) PyType_GetSlot(type, Py_tp_free);

    if (self->generation == py_fork_generation())
        tg_scorer_unref(self->scorer);
    g_free(self->metrics);
    g_ptr_array_unref(self->pool);
    Py_XDECREF(self->score_type);
    Py_XDECREF(self->names);
    release(object);
    Py_DECREF(type);
}

/* The scorer of this process. A child process makes its own scorer and does not touch its parent's,
 * because threads that the child does not have may hold its locks. */
static TgScorer *scorer_get(Scorer *self)
{
    if (self->generation != py_fork_generation() && !scorer_make(self))
        return NULL;
    return tg_scorer_ref(self->scorer);
}

/* ---- scoring ---- */

static gboolean watch_progress(gsize n_done, gsize n_pairs, gpointer data)
{
    return py_watch(data, "(nn)", (Py_ssize_t) n_done, (Py_ssize_t) n_pairs);
}

/* Parse a whole number of any size, because 2**40 must not become 0; without a number one
 * thread. */
static gboolean parse_threads(PyObject *number, guint *out)
{
    enum { MOST = 1024 };
    int overflow = 0;
    const long long n = number != NULL ? PyLong_AsLongLongAndOverflow(number, &overflow) : 1;

    if (PyErr_Occurred() != NULL)
        return FALSE;
    if (overflow != 0 || n < 0 || n > MOST) {
        PyErr_Format(PyExc_ValueError,
                     "threads must be 0 to %d, where 0 is every processor; not %S", MOST, number);
        return FALSE;
    }
    *out = (guint) n;
    return TRUE;
}

static PyObject *scorer_batch(PyObject *object, PyObject *args)
{
    PyObject *references, *predictions, *number = NULL;
    PyWatch watch = { .callback = Py_None };
    guint threads;
    g_auto(PyPairs) pairs = { 0 };
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "OO|OO", &references, &predictions, &number, &watch.callback) ||
        !parse_threads(number, &threads) || !py_pairs_init(&pairs, references, predictions))
        return NULL;
    g_autoptr(TgScorer) scorer = scorer_get((Scorer *) object);
    if (scorer == NULL)
        return NULL;
    const TgBatchOptions how = {
        .size = sizeof how, .threads = threads, .progress = watch_progress, .data = &watch
    };
    watch.thread = PyEval_SaveThread();
    TgBatch *batch = tg_scorer_score(scorer, pairs.pairs, pairs.n, &how, &error);
    PyEval_RestoreThread(watch.thread);
    if (batch == NULL) {
        if (!PyErr_Occurred())
            return py_raise(error);
        g_error_free(error); /* a signal or the callback caused the error */
        return NULL;
    }
    allocfunc alloc = (allocfunc) PyType_GetSlot(batch_type, Py_tp_alloc);
    Batch *self = (Batch *) alloc(batch_type, 0);
    if (self == NULL) {
        tg_batch_free(batch);
        return NULL;
    }
    self->batch = batch;
    self->scorer = g_steal_pointer(&scorer);
    return (PyObject *) self;
}

/* A score of the first column, whose _parts are (status, the doubles of all columns, their names).
 */
static PyObject *make_score(const Scorer *self, const TgScores *scores)
{
    const newfunc make = (newfunc) PyType_GetSlot(self->score_type, Py_tp_new);
    g_autoptr(PyRef) value = Py_BuildValue("(d)", scores->columns[0]);
    g_autoptr(PyRef) score = value != NULL ? make(self->score_type, value, NULL) : NULL;
    g_autoptr(PyRef) parts = Py_BuildValue(
        "sy#O", scores->status[0] != NULL ? scores->status[0] : "ok",
        (const char *) scores->columns,
        (Py_ssize_t) (tg_scorer_n_columns(self->scorer) * sizeof(double)), self->names);

    if (score == NULL || parts == NULL || PyObject_SetAttr(score, parts_name, parts) != 0)
        return NULL;
    return g_steal_pointer(&score);
}

/* score(*, reference, prediction) -> score, without the objects that a set of pairs needs */
static PyObject *scorer_score(PyObject *object, PyObject *const *args, Py_ssize_t n,
                              PyObject *names)
{
    static const char *const keywords[] = { "reference", "prediction" };
    const Py_ssize_t n_names = names != NULL ? PyTuple_Size(names) : 0;
    PyObject *sides[2] = { NULL, NULL };
    g_auto(PyPairs) pairs = { 0 };
    const char *reference;
    TgPair pair = { .refs = &reference, .n_refs = 1 };
    TgScoreItem item;
    PyObject *outcome = NULL;
    GError *error = NULL;

    for (Py_ssize_t i = 0; i < n_names; i++)
        for (guint k = 0; k < 2; k++)
            if (PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, i), keywords[k]) == 0)
                sides[k] = args[n + i];
    if (n > 0 || n_names != 2 || sides[0] == NULL || sides[1] == NULL) {
        g_autoptr(PyRef) module = PyImport_ImportModule("texgauge._metric");
        return module != NULL
                   ? PyObject_CallMethod(module, "refuse", "nO", n, names != NULL ? names : Py_None)
                   : NULL;
    }
    if (PyUnicode_Check(sides[0]) && PyUnicode_Check(sides[1])) { /* the usual case */
        reference = py_text(sides[0], "a reference");
        pair.hyp = py_text(sides[1], "a prediction");
        if (reference == NULL || pair.hyp == NULL)
            return NULL;
    } else {
        if (!py_pair_init(&pairs, sides[0], sides[1]))
            return NULL;
        pair = pairs.pairs[0];
    }
    g_autoptr(TgScorer) scorer = scorer_get((Scorer *) object);
    if (scorer == NULL)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    TgScorerWorker *worker = tg_scorer_take_worker(scorer);
    tg_env_next_pair(worker->env);
    tg_scorer_read_pair(scorer, worker, &pair, 1, &item);
    const gboolean good = tg_scorer_score_item(scorer, worker, &item, &worker->scores, &error);
    PyEval_RestoreThread(thread);
    if (good)
        outcome = make_score((Scorer *) object, &worker->scores);
    tg_scorer_return_worker(scorer, worker);
    return good ? outcome : py_raise(error);
}

/* ---- properties of a scorer ---- */

static PyObject *column_dict(gsize c, gconstpointer scorer)
{
    static const char *const pooling[] = { "mean", "sum", "stats" };
    const TgColumn *column = tg_scorer_column(scorer, (guint) c);

    return Py_BuildValue(
        "{s:s,s:O,s:d,s:d,s:s,s:s}", "name", tg_scorer_column_name(scorer, (guint) c),
        "higher_is_better", column->direction == TG_HIGHER_IS_BETTER ? Py_True : Py_False, "min",
        column->min, "max", column->max, "pooling", pooling[column->pooling], "help", column->help);
}

static PyObject *scorer_columns(PyObject *object, G_GNUC_UNUSED PyObject *unused)
{
    const TgScorer *scorer = ((Scorer *) object)->scorer;

    return py_list(tg_scorer_n_columns(scorer), column_dict, scorer);
}

static PyObject *metric_dict(gsize m, gconstpointer scorer)
{
    const TgMetric *metric = tg_scorer_metric(scorer, (guint) m);

    return Py_BuildValue("{s:s,s:s}", "name", tg_metric_info(metric)->name, "signature",
                         tg_metric_signature(metric));
}

static PyObject *scorer_metrics(PyObject *object, G_GNUC_UNUSED PyObject *unused)
{
    const TgScorer *scorer = ((Scorer *) object)->scorer;

    return py_list(tg_scorer_n_metrics(scorer), metric_dict, scorer);
}

/* ---- batches ---- */

static void batch_dealloc(PyObject *object)
{
    Batch *self = (Batch *) object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc) PyType_GetSlot(type, Py_tp_free);

    tg_batch_free(self->batch);
    tg_scorer_unref(self->scorer);
    release(object);
    Py_DECREF(type);
}

static gboolean parse_index(PyObject *args, guint n, const char *what, guint *out)
{
    if (!PyArg_ParseTuple(args, "I", out))
        return FALSE;
    if (*out >= n)
        PyErr_Format(PyExc_IndexError, "no %s %u", what, *out);
    return *out < n;
}

static PyObject *batch_column(PyObject *object, PyObject *args)
{
    const Batch *self = (Batch *) object;
    guint column;

    if (!parse_index(args, tg_scorer_n_columns(self->scorer), "column", &column))
        return NULL;
    return PyBytes_FromStringAndSize((const char *) tg_batch_column(self->batch, column),
                                     (Py_ssize_t) (tg_batch_n_pairs(self->batch) * sizeof(double)));
}

static PyObject *batch_pooled(PyObject *object, PyObject *args)
{
    const Batch *self = (Batch *) object;
    guint column;

    if (!parse_index(args, tg_scorer_n_columns(self->scorer), "column", &column))
        return NULL;
    return PyFloat_FromDouble(tg_batch_pooled(self->batch, column));
}

/* One str for each pair. Equal texts share an object, because nearly all are "ok". */
static PyObject *batch_texts(PyObject *object, PyObject *args,
                             const char *(*get)(const TgBatch *, gsize, guint))
{
    const Batch *self = (Batch *) object;
    const gsize n = tg_batch_n_pairs(self->batch);
    g_autoptr(PyRef) last = NULL;
    const char *last_text = NULL;
    guint metric;

    if (!parse_index(args, tg_scorer_n_metrics(self->scorer), "metric", &metric))
        return NULL;
    g_autoptr(PyRef) list = PyList_New((Py_ssize_t) n);
    for (gsize i = 0; list != NULL && i < n; i++) {
        const char *text = get(self->batch, i, metric);

        if (last == NULL || g_strcmp0(text, last_text) != 0) {
            Py_XDECREF(last);
            last = py_str(text);
            last_text = text;
        }
        if (last == NULL)
            return NULL;
        Py_INCREF(last);
        /* steals the reference, and cannot fail here */
        PyList_SetItem(list, (Py_ssize_t) i, last);
    }
    return g_steal_pointer(&list);
}

static PyObject *batch_status(PyObject *object, PyObject *args)
{
    return batch_texts(object, args, tg_batch_status);
}

static PyObject *batch_notes(PyObject *object, PyObject *args)
{
    return batch_texts(object, args, tg_batch_note);
}

/* The detail of the first pair and metric as JSON; None where there is none. */
static PyObject *batch_detail(PyObject *object, G_GNUC_UNUSED PyObject *unused)
{
    const Batch *self = (Batch *) object;

    if (tg_batch_n_pairs(self->batch) == 0)
        return PyErr_Format(PyExc_IndexError, "no pair 0");
    GVariant *detail = tg_batch_detail(self->batch, 0, 0);
    if (detail == NULL)
        Py_RETURN_NONE;
    json_t *json = tg_json_variant(detail);
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(json);
    PyObject *str = py_str(text);
    free(text);
    return str;
}

static Py_ssize_t batch_length(PyObject *object)
{
    return (Py_ssize_t) tg_batch_n_pairs(((Batch *) object)->batch);
}

/* ---- the types ---- */

static PyMethodDef scorer_methods[] = {
    { "batch", scorer_batch, METH_VARARGS, NULL },
    { "score", (PyCFunction) (gpointer) scorer_score, METH_FASTCALL | METH_KEYWORDS,
      "score($self, *, reference, prediction)\n--\n\n"
      "Score one pair; see texgauge.Metric.score." },
    { "columns", scorer_columns, METH_NOARGS, NULL },
    { "metrics", scorer_metrics, METH_NOARGS, NULL },
    { NULL },
};

static PyType_Slot scorer_slots[] = {
    { Py_tp_new, scorer_new },
    { Py_tp_dealloc, scorer_dealloc },
    { Py_tp_methods, scorer_methods },
    { Py_tp_doc, (gpointer) "Metrics with their options, and the rules for what they are given." },
    { 0 },
};

static PyType_Spec scorer_spec = { "texgauge._core.Scorer", sizeof(Scorer), 0, Py_TPFLAGS_DEFAULT,
                                   scorer_slots };

static PyMethodDef batch_methods[] = {
    { "column", batch_column, METH_VARARGS, NULL }, { "pooled", batch_pooled, METH_VARARGS, NULL },
    { "status", batch_status, METH_VARARGS, NULL }, { "notes", batch_notes, METH_VARARGS, NULL },
    { "detail", batch_detail, METH_NOARGS, NULL },  { NULL },
};

/* Py_TPFLAGS_DISALLOW_INSTANTIATION says nothing to Python 3.9. */
static PyObject *batch_new(G_GNUC_UNUSED PyTypeObject *type, G_GNUC_UNUSED PyObject *args,
                           G_GNUC_UNUSED PyObject *keywords)
{
    PyErr_SetString(PyExc_TypeError, "cannot create 'texgauge._core.Batch' instances");
    return NULL;
}

static PyType_Slot batch_slots[] = {
    { Py_tp_new, batch_new },
    { Py_tp_dealloc, batch_dealloc },
    { Py_tp_methods, batch_methods },
    { Py_sq_length, batch_length },
    { Py_tp_doc, (gpointer) "The scores of a set of pairs." },
    { 0 },
};

static PyType_Spec batch_spec = { "texgauge._core.Batch", sizeof(Batch), 0, Py_TPFLAGS_DEFAULT,
                                  batch_slots };

gboolean py_add_scorer(PyObject *module)
{
    parts_name = PyUnicode_InternFromString("_parts");
    batch_type = (PyTypeObject *) PyType_FromSpec(&batch_spec);
    g_autoptr(PyRef) scorer_type = PyType_FromSpec(&scorer_spec);

    return parts_name != NULL && batch_type != NULL && scorer_type != NULL &&
           PyObject_SetAttrString(module, "Batch", (PyObject *) batch_type) == 0 &&
           PyObject_SetAttrString(module, "Scorer", scorer_type) == 0;
}
