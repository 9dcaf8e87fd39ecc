/* The extension module texgauge._core. */
#include "python/ext/extension.h"

#include <texgauge/registry.h>

static PyObject *name_and_summary(gsize i, gconstpointer list)
{
    const TgMetricInfo *info = ((const TgMetricInfo *const *) list)[i];

    return Py_BuildValue("ss", info->name, info->summary);
}

static PyObject *metric_names(G_GNUC_UNUSED PyObject *module, G_GNUC_UNUSED PyObject *unused)
{
    guint n;
    g_autofree const TgMetricInfo **list = tg_registry_list(&n);

    return py_list(n, name_and_summary, list);
}

static PyMethodDef methods[] = {
    { "metric_names", metric_names, METH_NOARGS, NULL },
    { "boxes", py_boxes, METH_VARARGS, NULL },
    { "canonical", py_canonical, METH_VARARGS, NULL },
    { "check_output", py_check_output, METH_VARARGS, NULL },
    { "compare", py_compare, METH_VARARGS, NULL },
    { "evaluate", py_evaluate, METH_VARARGS, NULL },
    { "explain", py_explain, METH_VARARGS, NULL },
    { "extract", py_extract, METH_VARARGS, NULL },
    { "find_formula", py_find_formula, METH_VARARGS, NULL },
    { "format", py_format, METH_VARARGS, NULL },
    { "olmocr_test", py_olmocr_test, METH_VARARGS, NULL },
    { "pair_picture", py_pair_picture, METH_VARARGS, NULL },
    { "pair_row", py_pair_row, METH_VARARGS, NULL },
    { "rate", py_rate, METH_VARARGS, NULL },
    { "read", py_read_results, METH_VARARGS, NULL },
    { "register_metric", py_register_metric, METH_VARARGS, NULL },
    { "render", py_render, METH_VARARGS, NULL },
    { "report", py_report, METH_VARARGS, NULL },
    { "study", py_study, METH_VARARGS, NULL },
    { "tokenizer", py_tokenizer, METH_VARARGS, NULL },
    { "tokens", py_tokens, METH_VARARGS, NULL },
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
        !py_add_errors(module) || !py_add_scorer(module))
        return NULL;
    return g_steal_pointer(&module);
}
