/* texgauge report: results files to a report. */
#include "eval/report/report.h"

#include <stdio.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/scoring.h"

/* The values of the options that only report has, not checked yet. */
typedef struct {
    char **outputs;
    char *title;
    char *lower;
    char *mean;
    gint resamples;
    gint64 seed;
    gboolean no_drawings, force;
} CliReportArgs;

static void report_args_clear(CliReportArgs *args)
{
    g_strfreev(args->outputs);
    g_free(args->title);
    g_free(args->lower);
    g_free(args->mean);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliReportArgs, report_args_clear)

/* Reject unknown suffixes, and what holds something else than a report, before any work is done. */
static gboolean check_outputs(const CliReportArgs *args, const CliScoring *scoring,
                              char *const *inputs, GError **error)
{
    static const char *const marks[] = { "texgauge", NULL };
    char *const *outputs = args->outputs;
    TgReportStyle style;

    if (outputs == NULL) {
        g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE,
                            "-o FILE is required, such as report.html");
        return FALSE;
    }
    for (guint i = 0; outputs[i] != NULL; i++) {
        if (!tg_report_style_of_file(outputs[i], &style, error) ||
            !cli_scoring_check_output(scoring, inputs, outputs[i], error) ||
            (!args->force && !tg_output_may_replace(outputs[i], marks, CLI_FORCE_ADVICE, error)))
            return FALSE;
    }
    return TRUE;
}

static gboolean write_outputs(const TgReport *report, char *const *outputs, gboolean quiet,
                              GError **error)
{
    for (guint i = 0; outputs[i] != NULL; i++) {
        g_autofree char *text = NULL;
        TgReportStyle style;

        if (!tg_report_style_of_file(outputs[i], &style, error))
            return FALSE;
        text = tg_report_format(report, style);
        if (!tg_output_write(outputs[i], text, strlen(text), error))
            return FALSE;
        if (!quiet)
            cli_message("report: %s", outputs[i]);
    }
    return TRUE;
}

static int compare_paths(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(const char *const *) a, *(const char *const *) b);
}

/* The inputs with the `.jsonl` files of a folder in its place, by name. (transfer full) */
static char **expand_folders(char *const *inputs)
{
    GPtrArray *paths = g_ptr_array_new();

    for (guint i = 0; inputs[i] != NULL; i++) {
        g_autoptr(GDir) folder = g_dir_open(inputs[i], 0, NULL);
        g_autoptr(GPtrArray) inside = g_ptr_array_new();
        const char *name;

        if (folder == NULL)
            g_ptr_array_add(paths, g_strdup(inputs[i]));
        while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
            if (g_str_has_suffix(name, ".jsonl"))
                g_ptr_array_add(inside, g_build_filename(inputs[i], name, NULL));
        }
        g_ptr_array_sort(inside, compare_paths);
        g_ptr_array_extend_and_steal(paths, g_steal_pointer(&inside));
    }
    g_ptr_array_add(paths, NULL);
    return (char **) g_ptr_array_free(paths, FALSE);
}

static int report_results(const CliReportArgs *args, CliScoring *scoring, char **inputs)
{
    CliProgress progress = { 0 };
    g_auto(CliResults) results = { 0 };
    g_auto(GStrv) stored = cli_list(scoring->columns);
    g_auto(GStrv) lower = cli_list(args->lower);
    GError *error = NULL;

    if (args->resamples < 0 || args->seed < 0 || scoring->threads < 0)
        return cli_usage("report", "--resamples, --seed and --threads must not be negative");
    TgGridForm form;
    if (!cli_scoring_form(scoring, NULL, &form, &error))
        return cli_fail(error);
    form.width = 0;
    const TgReportOptions options = {
        .form = form,
        .title = args->title,
        .stored = (const char *const *) stored,
        .lower = (const char *const *) lower,
        .no_drawings = args->no_drawings,
        .mean = args->mean,
        .force = args->force,
        .resamples = (guint) args->resamples,
        .seed = (guint64) args->seed,
        .threads = (guint) scoring->threads,
        .listener = { cli_progress_stage, &progress },
    };
    const char *field = args->mean != NULL ? strchr(args->mean, '=') : NULL;
    const char *kept[] = { field != NULL ? field + 1 : NULL, NULL };
    if (!check_outputs(args, scoring, inputs, &error) ||
        !cli_results_get(&results, scoring, inputs, kept, &error))
        return cli_fail(error);
    cli_progress_start(&progress, scoring->quiet);
    g_autoptr(TgReport) report =
        tg_report_new((const char *const *) results.paths, &options, &error);
    cli_progress_clear(&progress);
    if (report == NULL || !write_outputs(report, args->outputs, scoring->quiet, &error))
        return cli_fail(error);
    return EXIT_DONE;
}

static const char summary_text[] =
    "Writes a report: who is better by the tests, what goes wrong, what changed between models,\n"
    "every pair with its drawing, and metrics against human scores. The HTML page is one file "
    "that\n"
    "loads nothing else. INPUT is a results file of eval (several: one model each), a folder of\n"
    "them, or with --metrics any file that eval reads.";

static const char examples_text[] =
    "Examples:\n"
    "  texgauge report results.jsonl -o report.html\n"
    "  texgauge report a.jsonl b.jsonl -o report.html -o report.md --title 'Two models'\n"
    "  texgauge report predictions.json --metrics bleu,edit -o report.md\n"
    "  texgauge report runs/ -o leaderboard.html\n"
    "\n"
    "The suffix sets the format: .html or .md. See "
    "docs/how-to/write-a-report.md.";

int cmd_report(int argc, char **argv)
{
    g_auto(CliReportArgs) w = { .seed = 1 };
    g_auto(CliScoring) scoring = { 0 };
    g_auto(GStrv) inputs = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &w.outputs,
          "file to write (.html, .md); may be repeated", "FILE" },
        { "title", 0, 0, G_OPTION_ARG_STRING, &w.title, "title of the report", "TEXT" },
        { "no-drawings", 0, 0, G_OPTION_ARG_NONE, &w.no_drawings,
          "a smaller page, with the sources of formulas alone", NULL },
        { "lower", 0, 0, G_OPTION_ARG_FILENAME, &w.lower, CLI_LOWER_HELP, "F,F" },
        { "mean", 0, 0, G_OPTION_ARG_FILENAME, &w.mean, CLI_MEAN_HELP, "MEAN" },
        { "resamples", 0, 0, G_OPTION_ARG_INT, &w.resamples,
          "resamples of each bootstrap (default: 1000)", "N" },
        { "seed", 0, 0, G_OPTION_ARG_INT64, &w.seed, "seed of the bootstrap (default: 1)", "N" },
        { "force", 0, 0, G_OPTION_ARG_NONE, &w.force,
          "also results that were not scored in the same way, and over any file", NULL },
        { NULL },
    };

    if (!cli_scoring_parse(argc, argv, entries, &scoring, "[MODEL=]INPUT... -o FILE", summary_text,
                           examples_text, &inputs, &status))
        return status;
    g_auto(GStrv) paths = expand_folders(inputs);
    return report_results(&w, &scoring, paths);
}
