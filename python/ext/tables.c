#include "python/ext/tables.h"

#include "eval/results/frame.h"

static const char capsule_name[] = "arrow_array_stream";

gboolean py_take_stream(PyObject *capsule, struct ArrowArrayStream *stream)
{
    memset(stream, 0, sizeof *stream);
    if (capsule == NULL || capsule == Py_None)
        return TRUE;
    struct ArrowArrayStream *theirs = PyCapsule_GetPointer(capsule, capsule_name);
    if (theirs == NULL)
        return FALSE;
    if (theirs->release == NULL) {
        PyErr_SetString(PyExc_ValueError, "the table was read before");
        return FALSE;
    }
    *stream = *theirs;
    theirs->release = NULL; /* it has moved; the capsule frees what is left */
    return TRUE;
}

static void release_capsule(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, capsule_name);

    if (stream == NULL)
        return;
    if (stream->release != NULL)
        stream->release(stream);
    g_free(stream);
}

/* results_frame(path) -> capsule */
static PyObject *results_frame(PyObject *module, PyObject *args)
{
    struct ArrowArrayStream stream = { 0 };
    const char *path;
    GError *error = NULL;
    gboolean good;

    (void) module;
    if (!PyArg_ParseTuple(args, "s", &path))
        return NULL;
    Py_BEGIN_ALLOW_THREADS good = tg_results_frame(path, &stream, &error);
    Py_END_ALLOW_THREADS if (!good) return py_raise(error);
    PyObject *capsule =
        PyCapsule_New(g_memdup2(&stream, sizeof stream), capsule_name, release_capsule);
    if (capsule == NULL)
        stream.release(&stream);
    return capsule;
}

PyMethodDef py_table_methods[] = {
    { "results_frame", results_frame, METH_VARARGS, NULL },
    { NULL },
};
