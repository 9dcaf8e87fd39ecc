/* Declarations that the files of the extension share. */
#pragma once

#ifndef Py_LIMITED_API /* meson sets it; editors and clang-tidy may not */
#define Py_LIMITED_API 0x03090000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <texgauge/metric.h>

/* Part of the limited API only from 3.10 on; 3.9 also has these functions and gets no further
 * release. */
PyAPI_FUNC(const char *) PyUnicode_AsUTF8AndSize(PyObject *text, Py_ssize_t *size);
#ifndef METH_FASTCALL
#define METH_FASTCALL 0x0080
#endif

#include "core/args.h"

/** A Python object reference that is dropped at the end of its scope. */
static inline void py_object_unref(PyObject *object)
{
    Py_XDECREF(object);
}
typedef PyObject PyRef;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PyRef, py_object_unref)

/** A NULL-terminated array of texts that Python objects own. */
typedef struct {
    const char *what;   /**< names them in errors */
    const char **items; /**< NULL where there are none */
    PyObject *owner;    /**< tuple that keeps them alive */
} PyTexts;

/** The struct of a table of options, and the memory of its values. */
typedef struct {
    const TgArg *table;
    gpointer values;
    GPtrArray *pool;
} PyOptions;

/** Raise texgauge.Error for @error and free it. Returns NULL. Needs the GIL. */
PyObject *py_raise(GError *error);

/**
 * Take a text out of a str. A formula cannot contain NUL or lone surrogates; for a str with these
 * the result is not UTF-8, so that the pair gets the status of such text.
 *
 * Returns: borrowed from @object; NULL with TypeError set
 */
const char *py_text(PyObject *object, const char *what);

/** A converter of PyArg_ParseTuple() for a PyTexts: a list of str, or None. Returns 0 with an
 * exception set. */
int py_texts(PyObject *object, gpointer texts);
void py_texts_clear(PyTexts *texts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PyTexts, py_texts_clear)

/**
 * A converter for a PyOptions: a dict from names of options to values: str, numbers, bool, or
 * sequences of str for options that can be given several times. An option with None or False counts
 * as not given.
 *
 * Returns: 0 with an exception set
 */
int py_options(PyObject *dict, gpointer options);
void py_options_clear(PyOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PyOptions, py_options_clear)

/** Begin a call that may write files; it must not write over @inputs (see core/files/output.h). */
void py_run_begin(const PyTexts *inputs);

/** The place of @name in @names; NULL: the first. Returns FALSE with an exception set. */
gboolean py_choice(const char *name, const char *const *names, const char *what, gint *out);

/** Pairs whose texts Python objects own; usable without the GIL. */
typedef struct {
    TgPair *pairs;
    gsize n;
    const char **refs; /**< of all pairs, one after the other */
    PyObject *owners;  /**< list of tuples that keep the texts alive */
} PyPairs;

/**
 * Make pairs.
 *
 * @references: sequence of str, of None (no reference), or of sequences of str
 * @predictions: sequence of str or None (no prediction), as long as @references
 *
 * Returns: FALSE with an exception set
 */
gboolean py_pairs_init(PyPairs *pairs, PyObject *references, PyObject *predictions);
gboolean py_pair_init(PyPairs *pairs, PyObject *references, PyObject *prediction);
void py_pairs_clear(PyPairs *pairs);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PyPairs, py_pairs_clear)

/** A str of UTF-8 text, or None for NULL. Bytes that are not UTF-8 become U+FFFD. */
PyObject *py_str(const char *text);

/** A list of @n objects made by @item; NULL with an exception set where @item fails. */
PyObject *py_list(gsize n, PyObject *(*item)(gsize i, gconstpointer data), gconstpointer data);

PyObject *py_str_list(const GPtrArray *texts);

/** A str of @text, which is freed; if @text is NULL, @error becomes an exception. */
PyObject *py_take_str(char *text, GError *error);

/** A bytes object of @bytes, which is freed; if @bytes is NULL, @error becomes an exception. */
PyObject *py_take_bytes(GBytes *bytes, GError *error);

/** The advice in an error about an existing file. */
#define PY_FORCE_ADVICE "overwrite it with force=True"

/** The receiver of progress while work runs without the GIL. */
typedef struct {
    PyThreadState *thread; /**< state of the calling thread while it does not hold the GIL */
    PyObject *callback;    /**< or None */
} PyWatch;

/**
 * Let Python handle signals, and call the callback with the values of @format.
 *
 * Returns: FALSE with an exception set: the work must end
 */
gboolean py_watch(PyWatch *watch, const char *format, ...);

/** How often this process was forked from another. Objects of an older generation may have locks
 * that no thread will release. */
guint py_fork_generation(void);

/** Remember an exception of a user's function: the next texgauge.Error has it as cause. An
 * exception that ends a program, such as KeyboardInterrupt, is raised instead of that error. */
void py_keep_cause(PyObject *exception);

/** Whether an exception's type is texgauge.Error. */
gboolean py_is_error(PyObject *type);

/** Types and functions of each file, added to the module. Return FALSE with an exception set. */
gboolean py_add_errors(PyObject *module);
gboolean py_add_scorer(PyObject *module);

/** The functions of the module; a comment before each says what it gets and returns. */
typedef PyObject *PyMethod(PyObject *module, PyObject *args);

PyMethod py_boxes, py_canonical, py_check_output, py_compare, py_evaluate, py_explain, py_extract,
    py_find_formula, py_format, py_olmocr_test, py_pair_picture, py_pair_row, py_rate,
    py_read_results, py_register_metric, py_render, py_report, py_study, py_tokenizer, py_tokens;
