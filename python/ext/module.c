/* The extension module texgauge._core. */
#include "python/ext/extension.h"

#include <texgauge/registry.h>

static PyObject *name_and_summary(gsize i, gconstpointer list)
{
    const TgMetricInfo *info = ((const TgMetricInfo *const *) list)[i];

    return Py_BuildValue("ss", info->name, info->summary);
}

static PyObject *metric_names(PyObject *module, PyObject *unused)
{
    guint n;
    g_autofree const TgMetricInfo **list = tg_registry_list(&n);

    (void) module;
    (void) unused;
    return py_list(n, name_and_summary, list);
}

static PyMethodDef methods[] = {
    { "metric_names", metric_names, METH_NOARGS, NULL },
    { NULL },
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "texgauge._core",
    .m_doc = "The C library; the public interface is the package texgauge.",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    g_autoptr(PyRef) module = PyModule_Create(&definition);

    if (module == NULL || PyModule_AddStringConstant(module, "__version__", tg_version()) != 0 ||
        !py_add_errors(module) || !py_add_scorer(module) ||
        PyModule_AddFunctions(module, py_callable_methods) != 0 ||
        PyModule_AddFunctions(module, py_formula_methods) != 0 ||
        PyModule_AddFunctions(module, py_picture_methods) != 0 ||
        PyModule_AddFunctions(module, py_run_methods) != 0 ||
        PyModule_AddFunctions(module, py_study_methods) != 0)
        return NULL;
    return g_steal_pointer(&module);
}
