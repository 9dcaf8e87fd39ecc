/* texgauge report: results files -> a page to look at, and tables for a paper. */
#include "eval/report/report.h"

#include <stdio.h>

#include "cli/scoring.h"

/* What the options say that report has alone, before it is checked. */
typedef struct {
    char **outputs;
    char *title;
    char *pictures;
    char *lower;
    gint resamples;
    gint64 seed;
} Words;

static void words_clear(Words *words)
{
    g_strfreev(words->outputs);
    g_free(words->title);
    g_free(words->pictures);
    g_free(words->lower);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Words, words_clear)

/* Every name must tell the form before any work is done. */
static gboolean check_outputs(char *const *outputs, GError **error)
{
    TgReportStyle style;

    if (outputs == NULL) {
        g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE,
                            "-o names the file to write, such as report.html");
        return FALSE;
    }
    for (guint i = 0; outputs[i] != NULL; i++) {
        if (!tg_report_style_of_file(outputs[i], &style, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean write_outputs(const TgReport *report, char *const *outputs, gboolean quiet,
                              GError **error)
{
    for (guint i = 0; outputs[i] != NULL; i++) {
        g_autofree char *text = NULL;
        GError *trouble = NULL;
        TgReportStyle style;

        if (!tg_report_style_of_file(outputs[i], &style, error))
            return FALSE;
        text = tg_report_format(report, style);
        if (!g_file_set_contents(outputs[i], text, -1, &trouble)) {
            g_set_error_literal(error, TG_ERROR, TG_ERROR_OUTPUT, trouble->message);
            g_error_free(trouble);
            return FALSE;
        }
        if (!quiet)
            fprintf(stderr, "report: %s\n", outputs[i]);
    }
    return TRUE;
}

static int report_results(const Words *words, CliScoring *scoring, char **inputs)
{
    g_auto(CliResults) results = { 0 };
    g_auto(GStrv) stored = scoring->columns != NULL ? g_strsplit(scoring->columns, ",", -1) : NULL;
    g_auto(GStrv) lower = words->lower != NULL ? g_strsplit(words->lower, ",", -1) : NULL;
    GError *error = NULL;

    if (words->resamples < 0 || words->seed < 0 || scoring->threads < 0)
        return cli_usage("report", "--resamples, --seed and --threads are not negative");
    const TgReportOptions options = {
        .title = words->title,
        .stored = (const char *const *) stored,
        .lower = (const char *const *) lower,
        .pictures = words->pictures,
        .resamples = (guint) words->resamples,
        .seed = (guint64) words->seed,
        .threads = (guint) scoring->threads,
    };
    if (!check_outputs(words->outputs, &error) ||
        !cli_results_get(&results, scoring, inputs, NULL, &error))
        return cli_fail(error);
    g_autoptr(TgReport) report =
        tg_report_new((const char *const *) results.paths, &options, &error);
    if (report == NULL || !write_outputs(report, words->outputs, scoring->quiet, &error))
        return cli_fail(error);
    return EXIT_DONE;
}

static const char summary_text[] =
    "Makes a report: values with intervals and marks, faults, distributions, metrics against each\n"
    "other, against human scores and against length, the most frequent confusions, drawn pairs,\n"
    "and a table of all pairs. The page is one file that needs no network. INPUT is a results "
    "file\n"
    "of eval (several: one model each), or with --metrics any file that eval reads.";

static const char examples_text[] =
    "Examples:\n"
    "  texgauge report results.jsonl -o report.html\n"
    "  texgauge report a.jsonl b.jsonl -o report.html -o tables.tex --title 'Two models'\n"
    "  texgauge report results.jsonl -o report.html --pictures worst:50,median:10,disputed:20\n"
    "  texgauge report predictions.json --metrics bleu,edit -o report.md\n"
    "\n"
    "The suffix says what is written: .html, .md, .csv, .json, .tex. The guide is "
    "docs/how-to/reports.md.";

int cmd_report(int argc, char **argv)
{
    g_auto(Words) w = { .seed = 1 };
    g_auto(CliScoring) scoring = { 0 };
    g_auto(GStrv) inputs = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "output", 'o', 0, G_OPTION_ARG_FILENAME_ARRAY, &w.outputs,
          "file to write (.html, .md, .csv, .json, .tex); repeat for more", "FILE" },
        { "title", 0, 0, G_OPTION_ARG_STRING, &w.title, "what stands above it", "TEXT" },
        { "pictures", 0, 0, G_OPTION_ARG_STRING, &w.pictures,
          "pairs to draw (default: worst:50,median:10,disputed:20)", "KIND:N,..." },
        { "lower", 0, 0, G_OPTION_ARG_FILENAME, &w.lower, "stored columns where lower is better",
          "F,F" },
        { "resamples", 0, 0, G_OPTION_ARG_INT, &w.resamples, "of each bootstrap (default: 1000)",
          "N" },
        { "seed", 0, 0, G_OPTION_ARG_INT64, &w.seed, "of the resampling (default: 1)", "N" },
        { NULL },
    };

    if (!cli_scoring_parse(argc, argv, entries, &scoring, "INPUT... -o FILE", summary_text,
                           examples_text, &inputs, &status))
        return status;
    return report_results(&w, &scoring, inputs);
}
