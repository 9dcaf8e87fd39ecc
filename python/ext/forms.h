/* Choices by name, and all written forms of a table. */
#pragma once

#include "python/ext/extension.h"

#include "eval/grid/grid.h"

extern const char *const py_undefined_names[]; /**< by TgUndefined, NULL last */

/** The place of @name in @names; NULL: the first. Returns FALSE with an exception set. */
gboolean py_choice(const char *name, const char *const *names, const char *what, gint *out);

/** What writes the outcome of some work in a style. (transfer full) */
typedef char *(*PyFormatFunc)(gconstpointer outcome, const TgGridForm *form);

/** Write @outcome in every style: a dict from the style's name to str. */
PyObject *py_all_forms(gconstpointer outcome, PyFormatFunc format);
