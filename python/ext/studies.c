/* What is made from results files: comparisons, studies, reports; and formulas of documents. */
#include "python/ext/extension.h"

#include <string.h>

#include "core/files/output.h"
#include "datasets/documents/documents.h"
#include "eval/compare/compare.h"
#include "eval/report/report.h"
#include "eval/study/study.h"
#include "python/ext/forms.h"

/* ---- compare ---- */

static char *comparison_text(gconstpointer outcome, const TgGridForm *form)
{
    return tg_comparison_format(outcome, form);
}

/* compare(paths, base, stored, lower, all, resamples, trials, seed, test, level, pairs, threads) */
static PyObject *compare(PyObject *module, PyObject *args)
{
    static const char *const rules[] = { "two-sided", "sacrebleu", NULL };
    g_auto(PyTexts) paths = { 0 }, stored = { 0 }, lower = { 0 };
    PyObject *path_list, *stored_list, *lower_list;
    TgCompareOptions options = { 0 };
    TgComparison *comparison;
    unsigned long long seed;
    const char *test;
    gint test_code;
    GError *error = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "OzOOpIIKzdII", &path_list, &options.base, &stored_list,
                          &lower_list, &options.all_columns, &options.resamples, &options.trials,
                          &seed, &test, &options.level, &options.pairs, &options.threads) ||
        !py_texts_init(&paths, path_list, "a path") ||
        !py_texts_init(&stored, stored_list, "columns") ||
        !py_texts_init(&lower, lower_list, "lower") || !py_choice(test, rules, "test", &test_code))
        return NULL;
    options.stored = stored.items;
    options.lower = lower.items;
    options.seed = seed;
    options.rules = (TgTestRules) test_code;
    Py_BEGIN_ALLOW_THREADS comparison = tg_compare_run(paths.items, &options, &error);
    Py_END_ALLOW_THREADS if (comparison == NULL) return py_raise(error);
    PyObject *forms = py_all_forms(comparison, comparison_text);
    tg_comparison_free(comparison);
    return forms;
}

/* ---- study ---- */

static char *study_text(gconstpointer outcome, const TgGridForm *form)
{
    return tg_study_format(outcome, TG_STUDY_ALL, form);
}

/* study(paths, stored, lower, preferences, spellings, by, all, resamples, seed, level,
 * threads) */
static PyObject *study(PyObject *module, PyObject *args)
{
    g_auto(PyTexts) paths = { 0 }, stored = { 0 }, lower = { 0 }, preferences = { 0 };
    g_auto(PyTexts) spellings = { 0 }, by = { 0 };
    PyObject *lists[6];
    TgStudyOptions options = { 0 };
    TgStudy *outcome;
    unsigned long long seed;
    GError *error = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "OOOOOOpIKdI", &lists[0], &lists[1], &lists[2], &lists[3],
                          &lists[4], &lists[5], &options.all_columns, &options.resamples, &seed,
                          &options.level, &options.threads) ||
        !py_texts_init(&paths, lists[0], "a path") ||
        !py_texts_init(&stored, lists[1], "columns") || !py_texts_init(&lower, lists[2], "lower") ||
        !py_texts_init(&preferences, lists[3], "preferences") ||
        !py_texts_init(&spellings, lists[4], "spellings") || !py_texts_init(&by, lists[5], "by"))
        return NULL;
    options.stored = stored.items;
    options.lower = lower.items;
    options.preferences = preferences.items;
    options.spellings = spellings.items;
    options.by = by.items;
    options.seed = seed;
    Py_BEGIN_ALLOW_THREADS outcome = tg_study_run(paths.items, &options, &error);
    Py_END_ALLOW_THREADS if (outcome == NULL) return py_raise(error);
    PyObject *forms = py_all_forms(outcome, study_text);
    tg_study_free(outcome);
    return forms;
}

/* ---- report ---- */

static gboolean write_report(const TgReport *report, const char *path, GError **error)
{
    TgReportStyle style;

    if (!tg_report_style_of_file(path, &style, error))
        return FALSE;
    g_autofree char *text = tg_report_format(report, style);
    return tg_output_write(path, text, strlen(text), error);
}

/* What cannot be written is told before any work is done. */
static gboolean check_reports(const char *const *outputs, const char *const *inputs, gboolean force,
                              GError **error)
{
    static const char *const marks[] = { "texgauge", NULL };
    TgReportStyle style;

    for (guint i = 0; outputs[i] != NULL; i++)
        if (!tg_report_style_of_file(outputs[i], &style, error) ||
            !tg_output_is_no_input(outputs[i], inputs, error) ||
            (!force && !tg_output_may_replace(outputs[i], marks, PY_FORCE_ADVICE, error)))
            return FALSE;
    return TRUE;
}

/* report(paths, outputs, title, stored, lower, drawings, mean, resamples, seed, threads, force) */
static PyObject *report(PyObject *module, PyObject *args)
{
    g_auto(PyTexts) paths = { 0 }, outputs = { 0 }, stored = { 0 }, lower = { 0 };
    PyObject *lists[4];
    TgReportOptions options = { 0 };
    unsigned long long seed;
    int force, drawings;
    GError *error = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "OOzOOpzIKIp", &lists[0], &lists[1], &options.title, &lists[2],
                          &lists[3], &drawings, &options.mean, &options.resamples, &seed,
                          &options.threads, &force) ||
        !py_texts_init(&paths, lists[0], "a path") ||
        !py_texts_init(&outputs, lists[1], "an output") ||
        !py_texts_init(&stored, lists[2], "columns") || !py_texts_init(&lower, lists[3], "lower"))
        return NULL;
    options.stored = stored.items;
    options.lower = lower.items;
    options.seed = seed;
    options.no_drawings = !drawings;
    gboolean good = check_reports(outputs.items, paths.items, force, &error);
    Py_BEGIN_ALLOW_THREADS g_autoptr(TgReport) made =
        good ? tg_report_new(paths.items, &options, &error) : NULL;
    good = made != NULL;
    for (guint i = 0; good && outputs.items[i] != NULL; i++)
        good = write_report(made, outputs.items[i], &error);
    Py_END_ALLOW_THREADS if (!good) return py_raise(error);
    Py_RETURN_NONE;
}

/* ---- documents ---- */

typedef struct {
    GPtrArray *rows, *faults;
} Lines;

static void keep_row(const char *line, gpointer data)
{
    g_ptr_array_add(((Lines *) data)->rows, g_strdup(line));
}

static void keep_fault(const char *line, gpointer data)
{
    g_ptr_array_add(((Lines *) data)->faults, g_strdup(line));
}

static PyObject *line_list(const GPtrArray *lines)
{
    g_autoptr(PyRef) list = PyList_New((Py_ssize_t) lines->len);

    for (guint i = 0; list != NULL && i < lines->len; i++) {
        PyObject *text = py_str(lines->pdata[i]);

        if (text == NULL || PyList_SetItem(list, (Py_ssize_t) i, text) != 0)
            return NULL;
    }
    return g_steal_pointer(&list);
}

/* extract(inputs, macros, kind, inline) -> (rows as JSON, faults) */
static PyObject *extract(PyObject *module, PyObject *args)
{
    g_auto(PyTexts) inputs = { 0 }, macros = { 0 };
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
    Lines lines = { rows, faults };
    TgExtractOptions options = { .row = keep_row, .fault = keep_fault, .data = &lines };
    PyObject *input_list, *macro_list;
    TgExtractCounts counts;
    gboolean good;
    GError *error = NULL;

    (void) module;
    if (!PyArg_ParseTuple(args, "OOzp", &input_list, &macro_list, &options.kind,
                          &options.with_inline) ||
        !py_texts_init(&inputs, input_list, "a path") ||
        !py_texts_init(&macros, macro_list, "macros"))
        return NULL;
    options.inputs = inputs.items;
    options.macros = macros.items;
    Py_BEGIN_ALLOW_THREADS good = tg_extract_run(&options, &counts, &error);
    Py_END_ALLOW_THREADS return good ? Py_BuildValue("NN", line_list(rows), line_list(faults))
                                     : py_raise(error);
}

PyMethodDef py_study_methods[] = {
    { "compare", compare, METH_VARARGS, NULL },
    { "study", study, METH_VARARGS, NULL },
    { "report", report, METH_VARARGS, NULL },
    { "extract", extract, METH_VARARGS, NULL },
    { NULL },
};
