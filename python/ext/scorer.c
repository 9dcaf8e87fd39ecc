/* Scorers: the public interface for pairs in memory, as a type of Python. */
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

static PyObject *column_bytes(gsize c, gconstpointer batch)
{
    return PyBytes_FromStringAndSize((const char *) tg_batch_column(batch, (guint) c),
                                     (Py_ssize_t) (tg_batch_n_pairs(batch) * sizeof(double)));
}

static PyObject *pooled_value(gsize c, gconstpointer batch)
{
    return PyFloat_FromDouble(tg_batch_pooled(batch, (guint) c));
}

/* One str for each pair. Equal texts share an object, because nearly all are "ok". */
static PyObject *pair_texts(const TgBatch *batch, const char *(*get)(const TgBatch *, gsize, guint))
{
    const gsize n = tg_batch_n_pairs(batch);
    g_autoptr(PyRef) list = PyList_New((Py_ssize_t) n);
    g_autoptr(PyRef) last = NULL;
    const char *last_text = NULL;

    for (gsize i = 0; list != NULL && i < n; i++) {
        const char *text = get(batch, i, 0);

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

/* The detail of the first pair as JSON; None where there is none. */
static PyObject *first_detail(const TgBatch *batch)
{
    GVariant *detail = tg_batch_n_pairs(batch) > 0 ? tg_batch_detail(batch, 0, 0) : NULL;

    if (detail == NULL)
        Py_RETURN_NONE;
    json_auto_t *json = tg_json_variant(detail);
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    PyObject *str = py_str(text);
    free(text);
    return str;
}

/* batch(references, predictions, threads, progress) -> (a list of bytes with the doubles of each
 * column, the list of their pooled values; of the first metric a list of statuses, a list of notes
 * and the detail of the first pair) */
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
    g_autoptr(TgBatch) batch = tg_scorer_score(scorer, pairs.pairs, pairs.n, &how, &error);
    PyEval_RestoreThread(watch.thread);
    if (batch == NULL) {
        if (!PyErr_Occurred())
            return py_raise(error);
        g_error_free(error); /* a signal or the callback caused the error */
        return NULL;
    }
    const guint n = tg_scorer_n_columns(scorer);
    return Py_BuildValue("NNNNN", py_list(n, column_bytes, batch), py_list(n, pooled_value, batch),
                         pair_texts(batch, tg_batch_status), pair_texts(batch, tg_batch_note),
                         first_detail(batch));
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

/* ---- the type ---- */

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

gboolean py_add_scorer(PyObject *module)
{
    parts_name = PyUnicode_InternFromString("_parts");
    g_autoptr(PyRef) scorer_type = PyType_FromSpec(&scorer_spec);

    return parts_name != NULL && scorer_type != NULL &&
           PyObject_SetAttrString(module, "Scorer", scorer_type) == 0;
}
