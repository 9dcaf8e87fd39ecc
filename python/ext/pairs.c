#include "python/ext/extension.h"

#include <math.h>

static PyObject *type_name(PyObject *object)
{
    return PyObject_GetAttrString((PyObject *) Py_TYPE(object), "__name__");
}

/* Whether an object is None, or NaN or NA, which pandas uses for None. */
static gboolean is_missing(PyObject *object)
{
    if (object == Py_None || (PyFloat_Check(object) && isnan(PyFloat_AsDouble(object))))
        return TRUE;
    if (PySequence_Check(object))
        return FALSE;
    g_autoptr(PyRef) name = type_name(object);
    if (name == NULL)
        PyErr_Clear();
    return name != NULL && PyUnicode_CompareWithASCIIString(name, "NAType") == 0;
}

/* A sequence as a tuple that @pairs keeps. str and set are refused: a str is a sequence of letters,
 * and a set has no order. */
static PyObject *keep_tuple(PyPairs *pairs, PyObject *sequence, const char *what)
{
    if (PyUnicode_Check(sequence))
        return PyErr_Format(PyExc_TypeError, "%s must be a sequence of str, not one str", what);
    if (PyAnySet_Check(sequence) || PyDict_Check(sequence))
        return PyErr_Format(PyExc_TypeError, "%s must be in an order, as in a list: not a %s", what,
                            PyDict_Check(sequence) ? "dict" : "set");
    if (PyBytes_Check(sequence) || PyByteArray_Check(sequence) ||
        (!PySequence_Check(sequence) && !PyObject_HasAttrString(sequence, "__iter__"))) {
        g_autoptr(PyRef) name = type_name(sequence);
        return PyErr_Format(PyExc_TypeError, "%s must be a sequence of str, not %U", what, name);
    }
    g_autoptr(PyRef) tuple = PySequence_Tuple(sequence);
    if (tuple == NULL || PyList_Append(pairs->owners, tuple) != 0)
        return NULL;
    return tuple; /* borrowed: the list owns it */
}

/* Add one text to @refs, the list of the references of all pairs. */
static gboolean add_reference(GPtrArray *refs, PyObject *object)
{
    const char *text = py_text(object, "a reference");

    if (text == NULL)
        return FALSE;
    g_ptr_array_add(refs, (gpointer) text);
    return TRUE;
}

/* Add the references of one pair: none, one, or several. */
static gboolean add_references(PyPairs *pairs, GPtrArray *refs, PyObject *object)
{
    if (is_missing(object))
        return TRUE;
    if (PyUnicode_Check(object))
        return add_reference(refs, object);
    PyObject *tuple = keep_tuple(pairs, object, "a reference that is no str");
    if (tuple == NULL)
        return FALSE;
    for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); i++)
        if (!add_reference(refs, PyTuple_GetItem(tuple, i)))
            return FALSE;
    return TRUE;
}

static gboolean fill_pairs(PyPairs *pairs, GPtrArray *refs, PyObject *references,
                           PyObject *predictions)
{
    for (gsize i = 0; i < pairs->n; i++) {
        PyObject *prediction = PyTuple_GetItem(predictions, (Py_ssize_t) i);
        const guint before = refs->len;

        if (!add_references(pairs, refs, PyTuple_GetItem(references, (Py_ssize_t) i)))
            return FALSE;
        pairs->pairs[i].n_refs = refs->len - before;
        if (is_missing(prediction))
            continue;
        pairs->pairs[i].hyp = py_text(prediction, "a prediction");
        if (pairs->pairs[i].hyp == NULL)
            return FALSE;
    }
    return TRUE;
}

gboolean py_pairs_init(PyPairs *pairs, PyObject *references, PyObject *predictions)
{
    *pairs = (PyPairs){ .owners = PyList_New(0) };
    if (pairs->owners == NULL)
        return FALSE;
    PyObject *refs = keep_tuple(pairs, references, "references");
    PyObject *hyps = refs != NULL ? keep_tuple(pairs, predictions, "predictions") : NULL;

    if (hyps == NULL)
        return FALSE;
    if (PyTuple_Size(refs) != PyTuple_Size(hyps)) {
        py_raise(g_error_new(TG_ERROR, TG_ERROR_USAGE,
                             "%" G_GSSIZE_FORMAT " references, but %" G_GSSIZE_FORMAT
                             " predictions",
                             (gssize) PyTuple_Size(refs), (gssize) PyTuple_Size(hyps)));
        return FALSE;
    }
    pairs->n = (gsize) PyTuple_Size(refs);
    pairs->pairs = g_new0(TgPair, MAX(pairs->n, 1));
    g_autoptr(GPtrArray) texts = g_ptr_array_sized_new((guint) pairs->n);
    const gboolean good = fill_pairs(pairs, texts, refs, hyps);
    pairs->refs = (const char **) g_ptr_array_free(g_steal_pointer(&texts), FALSE);
    for (gsize i = 0, first = 0; i < pairs->n; first += pairs->pairs[i++].n_refs)
        /* only now, because @refs no longer grows and moves */
        pairs->pairs[i].refs = pairs->refs + first;
    return good;
}

gboolean py_pair_init(PyPairs *pairs, PyObject *references, PyObject *prediction)
{
    g_autoptr(PyRef) left = PyTuple_Pack(1, references);
    g_autoptr(PyRef) right = PyTuple_Pack(1, prediction);

    return left != NULL && right != NULL && py_pairs_init(pairs, left, right);
}

void py_pairs_clear(PyPairs *pairs)
{
    g_clear_pointer(&pairs->pairs, g_free);
    g_clear_pointer(&pairs->refs, g_free);
    Py_CLEAR(pairs->owners);
}
