/* Texts and errors between Python and C. */
#include "python/ext/extension.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static PyObject *error_type;
static atomic_uint fork_generation;

static void fork_child(void)
{
    atomic_fetch_add(&fork_generation, 1);
}

guint py_fork_generation(void)
{
    return atomic_load(&fork_generation);
}

gboolean py_add_errors(PyObject *module)
{
    error_type = PyErr_NewExceptionWithDoc(
        "texgauge.Error",
        "What the library reports; `code` says what kind of thing went wrong.\n\n"
        "``code`` is one of ``usage``, ``input``, ``data``, ``parse``, ``font``, ``plugin``,\n"
        "``output``, ``internal``, ``cancelled``.",
        PyExc_ValueError, NULL);
    pthread_atfork(NULL, NULL, fork_child);
    return error_type != NULL && PyModule_AddObjectRef(module, "Error", error_type) == 0;
}

gboolean py_is_error(PyObject *type)
{
    return type != NULL && PyErr_GivenExceptionMatches(type, error_type);
}

static const char *code_name(const GError *error)
{
    static const char *const names[] = { "usage",  "input",  "data",     "parse",    "font",
                                         "plugin", "output", "internal", "cancelled" };

    if (error->domain != TG_ERROR)
        return "input"; /* GLib's own, of files */
    return error->code >= 0 && error->code < (gint) G_N_ELEMENTS(names) ? names[error->code]
                                                                        : "internal";
}

PyObject *py_raise(GError *error)
{
    g_autoptr(PyRef) message = py_str(error->message);
    g_autoptr(PyRef) code = py_str(code_name(error));

    g_error_free(error);
    if (message == NULL || code == NULL)
        return NULL;
    g_autoptr(PyRef) exception = PyObject_CallFunctionObjArgs(error_type, message, NULL);
    if (exception != NULL && PyObject_SetAttrString(exception, "code", code) == 0)
        PyErr_SetObject(error_type, exception);
    return NULL;
}

const char *py_text(PyObject *object, const char *what)
{
    static const char *const not_utf8 = "\xff";
    Py_ssize_t n;

    if (!PyUnicode_Check(object)) {
        g_autoptr(PyRef) type = PyObject_GetAttrString((PyObject *) Py_TYPE(object), "__name__");
        PyErr_Format(PyExc_TypeError, "%s must be str, not %U", what, type);
        return NULL;
    }
    const char *text = PyUnicode_AsUTF8AndSize(object, &n);
    if (text != NULL)
        return strlen(text) == (size_t) n ? text : not_utf8;
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return NULL;
    PyErr_Clear();
    return not_utf8;
}

gboolean py_option(PyObject *object, const char *what, const char **out)
{
    Py_ssize_t n;

    *out = NULL;
    if (object == NULL || object == Py_None)
        return TRUE;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be str or None", what);
        return FALSE;
    }
    *out = PyUnicode_AsUTF8AndSize(object, &n);
    if (*out != NULL && strlen(*out) != (size_t) n) {
        PyErr_Format(PyExc_ValueError, "%s must not hold NUL", what);
        *out = NULL;
    }
    return *out != NULL;
}

gboolean py_texts_init(PyTexts *texts, PyObject *object, const char *what)
{
    *texts = (PyTexts){ 0 };
    if (object == NULL || object == Py_None)
        return TRUE;
    texts->owner = PySequence_Tuple(object);
    if (texts->owner == NULL)
        return FALSE;
    const Py_ssize_t n = PyTuple_Size(texts->owner);
    texts->items = g_new0(const char *, (gsize) n + 1);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!py_option(PyTuple_GetItem(texts->owner, i), what, &texts->items[i]))
            return FALSE;
        if (texts->items[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s must hold str", what);
            return FALSE;
        }
    }
    return TRUE;
}

void py_texts_clear(PyTexts *texts)
{
    g_clear_pointer(&texts->items, g_free);
    Py_CLEAR(texts->owner);
}

PyObject *py_str(const char *text)
{
    if (text == NULL)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t) strlen(text), "replace");
}

PyObject *py_take_str(char *text, GError *error)
{
    PyObject *str = error != NULL ? py_raise(error) : py_str(text);

    g_free(text);
    return str;
}

PyObject *py_take_bytes(GBytes *bytes, GError *error)
{
    gsize n;

    if (bytes == NULL)
        return py_raise(error);
    const void *data = g_bytes_get_data(bytes, &n);
    PyObject *object = PyBytes_FromStringAndSize(data, (Py_ssize_t) n);
    g_bytes_unref(bytes);
    return object;
}
