#include "python/ext/forms.h"

const char *const py_undefined_names[] = { "default", "worst", "skip", "stop", NULL };

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

PyObject *py_all_forms(gconstpointer outcome, PyFormatFunc format)
{
    static const char *const names[] = { "table", "json", "csv", "md", "latex" };
    g_autoptr(PyRef) dict = PyDict_New();

    for (guint i = 0; dict != NULL && i < G_N_ELEMENTS(names); i++) {
        TgGridForm form = { 0 };

        if (!tg_grid_style_parse(names[i], &form.style, NULL))
            continue;
        g_autofree char *text = format(outcome, &form);
        g_autoptr(PyRef) str = py_str(text);
        if (str == NULL || PyDict_SetItemString(dict, names[i], str) != 0)
            return NULL;
    }
    return g_steal_pointer(&dict);
}
