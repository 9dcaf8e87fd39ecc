/* Texts and errors between Python and C. */
#include "python/ext/extension.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/files/output.h"
#include "core/utf8.h"

static PyObject *error_type;
static PyObject *cause; /* cause of the next texgauge.Error; guarded by the GIL */
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
        "``output``, ``internal``, ``cancelled``.\n\n"
        ">>> import texgauge\n"
        ">>> try:\n"
        "...     texgauge.Metric(\"bleu:order=99\")\n"
        "... except texgauge.Error as error:\n"
        "...     print(error.code)\n"
        "usage\n",
        PyExc_ValueError, NULL);
    pthread_atfork(NULL, NULL, fork_child);
    return error_type != NULL && PyObject_SetAttrString(module, "Error", error_type) == 0;
}

void py_keep_cause(PyObject *exception)
{
    PyObject *old = cause;

    Py_XINCREF(exception);
    cause = exception;
    Py_XDECREF(old);
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
        return "input"; /* errors of GLib on files */
    return error->code >= 0 && error->code < (gint) G_N_ELEMENTS(names) ? names[error->code]
                                                                        : "internal";
}

/* Whether an exception of the user's function must be passed on, because it ends the program
 * (Ctrl-C, sys.exit()) or says that Python has no memory left. */
static gboolean is_propagated(PyObject *exception)
{
    return !PyErr_GivenExceptionMatches(exception, PyExc_Exception) ||
           PyErr_GivenExceptionMatches(exception, PyExc_RecursionError) ||
           PyErr_GivenExceptionMatches(exception, PyExc_MemoryError);
}

PyObject *py_raise(GError *error)
{
    if (cause != NULL && g_error_matches(error, TG_ERROR, TG_ERROR_INTERNAL) &&
        is_propagated(cause)) {
        g_autoptr(PyRef) exception = g_steal_pointer(&cause);
        PyErr_SetObject((PyObject *) Py_TYPE(exception), exception);
        g_error_free(error);
        return NULL;
    }
    /* only the traceback is shown */
    g_autofree char *visible = tg_visible(error->message, "\n\t");
    g_autoptr(PyRef) module = PyImport_ImportModule("texgauge._names");
    g_autoptr(PyRef) message =
        module != NULL ? PyObject_CallMethod(module, "in_python", "s", visible) : NULL;
    g_autoptr(PyRef) code = py_str(code_name(error));
    g_autoptr(PyRef) reason = g_steal_pointer(&cause);
    const gboolean has_reason = g_error_matches(error, TG_ERROR, TG_ERROR_INTERNAL);

    g_error_free(error);
    if (message == NULL || code == NULL)
        return NULL;
    g_autoptr(PyRef) exception = PyObject_CallFunctionObjArgs(error_type, message, NULL);
    if (exception != NULL && reason != NULL && has_reason)
        PyException_SetCause(exception, g_steal_pointer(&reason));
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

/* An option that is a str without NUL, or None. Returns FALSE with an exception set. */
static gboolean read_text(PyObject *object, const char *what, const char **out)
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

int py_texts(PyObject *object, gpointer out)
{
    PyTexts *texts = out;

    if (object == NULL || object == Py_None)
        return TRUE;
    texts->owner = PySequence_Tuple(object);
    if (texts->owner == NULL)
        return FALSE;
    const Py_ssize_t n = PyTuple_Size(texts->owner);
    texts->items = g_new0(const char *, (gsize) n + 1);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!read_text(PyTuple_GetItem(texts->owner, i), texts->what, &texts->items[i]))
            return FALSE;
        if (texts->items[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s must hold str", texts->what);
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

void py_run_begin(const PyTexts *inputs)
{
    tg_run_files_begin();
    for (guint i = 0; inputs->items != NULL && inputs->items[i] != NULL; i++)
        tg_run_files_note(inputs->items[i]);
}

gboolean py_choice(const char *name, const char *const *names, const char *what, gint *out)
{
    for (gint i = 0; names[i] != NULL; i++)
        if (name == NULL || g_strcmp0(name, names[i]) == 0) {
            *out = i;
            return TRUE;
        }
    g_autofree char *all = g_strjoinv(", ", (char **) (gpointer) names);
    PyErr_Format(PyExc_ValueError, "%s must be one of %s; not '%s'", what, all, name);
    return FALSE;
}

static gboolean set_option(const TgArg *arg, gpointer values, PyObject *value, GPtrArray *pool)
{
    g_autoptr(PyRef) text = value == Py_True ? NULL : PyObject_Str(value);
    const char *bytes = NULL;
    GError *error = NULL;

    if (value != Py_True && (text == NULL || !read_text(text, arg->name, &bytes)))
        return FALSE;
    if (!tg_arg_set(arg, values, bytes, pool, &error))
        py_raise(error);
    return PyErr_Occurred() == NULL;
}

/* Set an option to the texts of a list. */
static gboolean set_texts(const TgArg *arg, gpointer values, PyObject *value, GPtrArray *pool)
{
    g_auto(PyTexts) texts = { .what = arg->name };
    GError *error = NULL;

    if (!py_texts(value, &texts))
        return FALSE;
    if (texts.items[0] == NULL && arg->kind == TG_ARG_NAMES)
        /* an empty list, which differs from an option that is not given */
        return tg_arg_set(arg, values, "", pool, NULL);
    for (guint i = 0; texts.items[i] != NULL; i++)
        if (!tg_arg_set(arg, values, texts.items[i], pool, &error)) {
            py_raise(error);
            return FALSE;
        }
    return TRUE;
}

int py_options(PyObject *dict, gpointer out)
{
    PyOptions *options = out;
    g_autofree TgArg *rows = tg_args_flatten(options->table);
    gpointer values = options->values;
    PyObject *key, *value;
    Py_ssize_t at = 0;

    options->pool = g_ptr_array_new_with_free_func(g_free);
    tg_args_preset(rows, values, options->pool);
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *name = py_text(key, "an option");
        const TgArg *arg = rows;

        if (name == NULL)
            return FALSE;
        while (arg->kind != TG_ARG_END && strcmp(arg->name, name) != 0)
            arg++;
        if (arg->kind == TG_ARG_END) {
            PyErr_Format(PyExc_TypeError, "no option '%s'", name);
            return FALSE;
        }
        if (value == Py_None || value == Py_False)
            continue;
        const gboolean is_list =
            !PyUnicode_Check(value) &&
            (arg->kind == TG_ARG_LIST || arg->kind == TG_ARG_NAMES || arg->kind == TG_ARG_JOINED);
        if (is_list ? !set_texts(arg, values, value, options->pool)
                    : !set_option(arg, values, value, options->pool))
            return FALSE;
    }
    return TRUE;
}

void py_options_clear(PyOptions *options)
{
    g_clear_pointer(&options->pool, g_ptr_array_unref);
}

PyObject *py_str(const char *text)
{
    if (text == NULL)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t) strlen(text), "replace");
}

PyObject *py_list(gsize n, PyObject *(*item)(gsize i, gconstpointer data), gconstpointer data)
{
    g_autoptr(PyRef) list = PyList_New((Py_ssize_t) n);

    for (gsize i = 0; list != NULL && i < n; i++) {
        PyObject *object = item(i, data);

        if (object == NULL || PyList_SetItem(list, (Py_ssize_t) i, object) != 0)
            return NULL;
    }
    return g_steal_pointer(&list);
}

static PyObject *str_item(gsize i, gconstpointer texts)
{
    return py_str(((const GPtrArray *) texts)->pdata[i]);
}

PyObject *py_str_list(const GPtrArray *texts)
{
    return py_list(texts->len, str_item, texts);
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

gboolean py_watch(PyWatch *watch, const char *format, ...)
{
    va_list values;

    PyEval_RestoreThread(watch->thread);
    gboolean goes_on = PyErr_Occurred() == NULL && PyErr_CheckSignals() == 0;
    if (goes_on && watch->callback != Py_None) {
        va_start(values, format);
        g_autoptr(PyRef) tuple = Py_VaBuildValue(format, values);
        va_end(values);
        g_autoptr(PyRef) result =
            tuple != NULL ? PyObject_CallObject(watch->callback, tuple) : NULL;
        goes_on = result != NULL;
    }
    watch->thread = PyEval_SaveThread();
    return goes_on;
}
