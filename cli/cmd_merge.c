/* texgauge merge: the summary of a run from its shards. */
#include "cli/cli.h"

#include "eval/run/run.h"

int cmd_merge(int argc, char **argv)
{
    g_autofree char *style = NULL;
    g_auto(GStrv) paths = NULL;
    TgSummaryFormat format = { 0 };
    g_autofree char *mean = NULL;
    g_auto(GStrv) by = NULL;
    TgMergeOptions options = { 0 };
    gboolean percent = FALSE, csv_raw = FALSE;
    gint digits = CLI_NO_DIGITS;
    GError *error = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "summary", 0, 0, G_OPTION_ARG_STRING, &style, CLI_SUMMARY_HELP, "STYLE" },
        { "percent", 0, 0, G_OPTION_ARG_NONE, &percent,
          "show scores that are shares of 1 from 0 to 100", NULL },
        { "digits", 0, 0, G_OPTION_ARG_INT, &digits, "decimal places of scores", "N" },
        { "by", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &by, CLI_BY_HELP, "FIELD" },
        { "mean", 0, 0, G_OPTION_ARG_STRING, &mean, CLI_MEAN_HELP, "MEAN" },
        { "confidence", 0, 0, G_OPTION_ARG_NONE, &options.confidence,
          "show 95 % bootstrap intervals (1000 resamples)", NULL },
        { "csv-raw", 0, 0, G_OPTION_ARG_NONE, &csv_raw,
          "CSV: names that begin with = + - or @ without a ' before them", NULL },
        { "all", 'a', 0, G_OPTION_ARG_NONE, &format.all, CLI_ALL_HELP, NULL },
        { "force", 0, 0, G_OPTION_ARG_NONE, &options.force,
          "also shards that were not scored in the same way", NULL },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "[MODEL=]RESULTS...",
                   "Prints the summary of a run from its results files: all its shards, or one\n"
                   "complete file. Nothing is scored again.",
                   "Example:\n"
                   "  texgauge merge part1.jsonl part2.jsonl part3.jsonl --summary md",
                   &paths, &status))
        return status;
    if (*paths == NULL)
        return cli_usage("merge", "no results file given");
    options.mean = mean;
    options.by = (const char *const *) by;
    if (!cli_grid_form(style, percent, digits, csv_raw, &format.form, &error))
        return cli_fail(error);

    g_autoptr(TgSummary) summary = tg_eval_merge((const char *const *) paths, &options, &error);
    if (summary == NULL)
        return cli_fail(error);
    g_autofree char *text = tg_summary_format(summary, &format);
    return cli_print(text);
}
