/* Comparisons, studies and reports of results files; and formulas of documents. */
#include "python/ext/extension.h"

#include <string.h>

#include "core/files/output.h"
#include "datasets/documents/documents.h"
#include "eval/options/options.h"
#include "eval/run/olmocr.h"

/* A function that writes the outcome of some work in a style. (transfer full) */
typedef char *FormatFunc(gconstpointer outcome, const TgGridForm *form);

/* The outcome in every style: a dict from the style's name to str. */
static PyObject *all_forms(gconstpointer outcome, FormatFunc *format)
{
    g_autoptr(PyRef) dict = PyDict_New();

    for (guint i = 0; dict != NULL && tg_grid_styles[i] != NULL; i++) {
        const TgGridForm form = { .style = (TgGridStyle) i };
        g_autofree char *text = format(outcome, &form);
        g_autoptr(PyRef) str = py_str(text);
        if (str == NULL || PyDict_SetItemString(dict, tg_grid_styles[i], str) != 0)
            return NULL;
    }
    return g_steal_pointer(&dict);
}

static char *comparison_text(gconstpointer outcome, const TgGridForm *form)
{
    return tg_comparison_format(outcome, form);
}

/* compare(paths, options) -> forms */
PyObject *py_compare(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyTexts) paths = { .what = "a path" };
    TgCompareOptions options = { 0 };
    g_auto(PyOptions) given = { tg_compare_args, &options, NULL };
    TgComparison *comparison;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "O&O&", py_texts, &paths, py_options, &given))
        return NULL;
    Py_BEGIN_ALLOW_THREADS comparison = tg_compare_run(paths.items, &options, &error);
    Py_END_ALLOW_THREADS if (comparison == NULL) return py_raise(error);
    PyObject *forms = all_forms(comparison, comparison_text);
    tg_comparison_free(comparison);
    return forms;
}

static char *study_text(gconstpointer outcome, const TgGridForm *form)
{
    return tg_study_format(outcome, NULL, form);
}

/* study(paths, options) -> forms */
PyObject *py_study(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyTexts) paths = { .what = "a path" };
    TgStudyOptions options = { 0 };
    g_auto(PyOptions) given = { tg_study_args, &options, NULL };
    TgStudy *outcome;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "O&O&", py_texts, &paths, py_options, &given))
        return NULL;
    Py_BEGIN_ALLOW_THREADS outcome = tg_study_run(paths.items, &options, &error);
    Py_END_ALLOW_THREADS if (outcome == NULL) return py_raise(error);
    PyObject *forms = all_forms(outcome, study_text);
    tg_study_free(outcome);
    return forms;
}

/* rate(paths, output, options) -> number of pairs */
PyObject *py_rate(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    static const char *const marks[] = { "texgauge", NULL };
    g_auto(PyTexts) paths = { .what = "a path" };
    TgRateOptions options = { 0 };
    g_auto(PyOptions) given = { tg_rate_args, &options, NULL };
    const char *output;
    char *page = NULL;
    gboolean good;
    int force;
    guint n_pairs = 0;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "O&spO&", py_texts, &paths, &output, &force, py_options, &given))
        return NULL;
    options.table.force = force;
    py_run_begin(&paths);
    good = tg_output_check(output, marks, force ? NULL : PY_FORCE_ADVICE, &error);
    Py_BEGIN_ALLOW_THREADS page =
        good ? tg_rate_page(paths.items, &options, &n_pairs, &error) : NULL;
    good = page != NULL && tg_output_write(output, page, strlen(page), &error);
    g_free(page);
    Py_END_ALLOW_THREADS return good ? PyLong_FromUnsignedLong(n_pairs) : py_raise(error);
}

/* ---- report ---- */

/* report(paths, outputs, options) */
PyObject *py_report(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyTexts) paths = { .what = "a path" }, outputs = { .what = "an output" };
    TgReportOptions options = { 0 };
    g_auto(PyOptions) given = { tg_report_args, &options, NULL };
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "O&O&O&", py_texts, &paths, py_texts, &outputs, py_options, &given))
        return NULL;
    py_run_begin(&paths);
    gboolean good = tg_report_check_outputs(outputs.items,
                                            options.table.force ? NULL : PY_FORCE_ADVICE, &error);
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgReport) made =
        good ? tg_report_new(paths.items, &options, &error) : NULL;
    good = made != NULL;
    for (guint i = 0; good && outputs.items[i] != NULL; i++)
        good = tg_report_write(made, outputs.items[i], &error);
    Py_END_ALLOW_THREADS if (!good) return py_raise(error);
    Py_RETURN_NONE;
}

/* ---- documents ---- */

static void keep_fault(const char *line, gpointer faults)
{
    g_ptr_array_add(faults, g_strdup(line));
}

/* extract(inputs, macros, kind, inline) -> (rows as lines of JSON, faults) */
PyObject *py_extract(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    g_auto(PyTexts) inputs = { .what = "a path" }, macros = { .what = "macros" };
    g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
    TgDocumentsOptions options = { .fault = keep_fault, .data = faults };
    const char *kind;
    char *rows = NULL;
    gsize n_rows;
    guint64 n_faults;
    gint choice;
    gboolean good;
    GError *error = NULL;

    if (!PyArg_ParseTuple(args, "O&O&zp", py_texts, &inputs, py_texts, &macros, &kind,
                          &options.with_inline) ||
        !py_choice(kind, tg_document_kinds, "kind", &choice))
        return NULL;
    options.kind = (TgDocumentKind) choice;
    options.inputs = inputs.items;
    options.macros = macros.items;
    options.rows = open_memstream(&rows, &n_rows);
    Py_BEGIN_ALLOW_THREADS good = tg_documents_run(&options, &n_faults, &error);
    fclose(options.rows);
    Py_END_ALLOW_THREADS PyObject *text = py_take_str(rows, NULL);
    if (!good)
        Py_CLEAR(text);
    return good ? Py_BuildValue("NN", text, py_str_list(faults)) : py_raise(error);
}

/* olmocr_test(math, markdown, ignore_dollars) -> (passes by, formula, line, why) */
PyObject *py_olmocr_test(G_GNUC_UNUSED PyObject *module, PyObject *args)
{
    const char *math, *markdown;
    Py_ssize_t length;
    int ignore_dollars;
    g_auto(TgOlmocrResult) result = { 0 };

    if (!PyArg_ParseTuple(args, "ss#p", &math, &markdown, &length, &ignore_dollars))
        return NULL;
    g_autoptr(TgOlmocrPage) page = tg_olmocr_page_new(markdown, (gsize) length);
    Py_BEGIN_ALLOW_THREADS tg_olmocr_page_test(page, math, NULL, ignore_dollars, &result);
    Py_END_ALLOW_THREADS return Py_BuildValue(
        "szIz",
        result.outcome.verdict != TG_OLMOCR_FAIL ? tg_olmocr_verdicts[result.outcome.verdict] : "",
        result.formula, result.line, result.why);
}
