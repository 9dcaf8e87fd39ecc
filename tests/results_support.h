/* Results files for tests, scored from rows of JSON lines. */
#pragma once

#include "tests/cli_support.h"
#include "tests/test_support.h"

#include <texgauge/eval.h>

/**
 * Score JSON lines into @folder/@name.jsonl and give its path, to be freed. Of @how, the metrics,
 * columns and human groups are read.
 */
static inline char *tg_results_of_lines(const char *folder, const char *name, const char *lines,
                                        const TgEvalOptions *how)
{
    g_autofree char *input_name = g_strconcat(name, ".in", NULL);
    g_autofree char *input = g_build_filename(folder, input_name, NULL);
    g_autofree char *output_name = g_strconcat(name, ".jsonl", NULL);
    char *output = g_build_filename(folder, output_name, NULL);
    const char *const inputs[] = { input, NULL };
    TgEvalOptions options = *how;
    GError *error = NULL;
    guint64 n_faults = 0;

    options.inputs = inputs;
    options.format = "jsonl";
    options.output = output;
    options.threads = 1;
    assert_true(g_file_set_contents(input, lines, -1, NULL));
    g_autoptr(TgSummary) summary = tg_eval_run(&options, &n_faults, &error);
    tg_assert_no_error(error);
    assert_non_null(summary);
    assert_int_equal(n_faults, 0);
    return output;
}
