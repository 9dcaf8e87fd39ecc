#include "tests/support/results_support.h"

#include "core/files/output.h"

/* Tests share lists of columns that not all their rows have; any other fault is one of the test. */
static void tg_results_fault(const char *message, gpointer data)
{
    (void) data;
    if (!g_str_has_prefix(message, "no row has a field"))
        fail_msg("%s", message);
}

char *tg_results_of_lines(const char *folder, const char *name, const char *lines,
                          const TgEvalOptions *how)
{
    g_autofree char *input_name = g_strconcat(name, ".in", NULL);
    g_autofree char *input = g_build_filename(folder, input_name, NULL);
    g_autofree char *output_name = g_strconcat(name, ".jsonl", NULL);
    char *output = g_build_filename(folder, output_name, NULL);
    const char *const inputs[] = { input, NULL };
    TgEvalOptions options = *how;
    GError *error = NULL;

    options.inputs = inputs;
    options.source.format = "jsonl";
    options.output = output;
    options.threads = 1;
    options.allow_empty = TRUE;
    options.summary.force = TRUE;
    options.fault = tg_results_fault;
    assert_true(g_file_set_contents(input, lines, -1, NULL));
    tg_run_files_begin();
    g_autoptr(TgSummary) summary = tg_eval_run(&options, NULL, &error);
    tg_assert_no_error(error);
    assert_non_null(summary);
    return output;
}

double test_summary_value(const TgSummary *summary, const char *model, const char *subset,
                          const char *column)
{
    g_autoptr(GPtrArray) rows = tg_summary_rows(summary);
    const gint at = tg_score_layout_find_column(summary->layout, column);

    for (guint i = 0; i < rows->len && at >= 0; i++) {
        const TgSummaryRow *row = rows->pdata[i];
        if (!row->is_macro && g_strcmp0(row->model, model) == 0 &&
            g_strcmp0(row->subset, subset) == 0)
            return row->values[at];
    }
    return NAN;
}
