/* texgauge score: one pair from the command line, one JSON object out. */
#include "cli/cli.h"

#include "eval/run/run.h"

static int score(const char *metrics, char **words, TgEvalOptions *options)
{
    const guint n = g_strv_length(words);
    GError *error = NULL;

    if (metrics == NULL)
        return cli_usage("score", "--metrics is required; 'texgauge metrics' lists the metrics");
    if (n < 2)
        return cli_usage("score", "a truth and a prediction are needed");
    const TgPair pair = { "", (const char *const *) words, n - 1, words[n - 1] };
    options->metrics = metrics;
    g_autofree char *row = tg_eval_pair(options, &pair, &error);
    if (row == NULL)
        return cli_fail(error);
    g_autofree char *line = g_strconcat(row, "\n", NULL);
    return cli_print(line);
}

int cmd_score(int argc, char **argv)
{
    g_auto(GStrv) metrics = NULL;
    g_autofree char *undefined = NULL;
    g_autofree char *clean = NULL;
    g_auto(GStrv) words = NULL;
    TgEvalOptions options = { 0 };
    GError *error = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "metrics", 'm', 0, G_OPTION_ARG_FILENAME_ARRAY, &metrics,
          "metrics, comma-separated: NAME, NAME:OPTION=VALUE or LABEL=NAME:...; may be repeated",
          "LIST" },
        { "detail", 0, 0, G_OPTION_ARG_NONE, &options.detail,
          "print the details that metrics have on the pair, too", NULL },
        { "keep-delimiters", 0, 0, G_OPTION_ARG_NONE, &options.keep_delimiters,
          "do not strip outer $ $$ \\( \\[ equation ...", NULL },
        { "clean", 0, 0, G_OPTION_ARG_STRING, &clean, CLI_CLEAN_HELP, "RULES" },
        { "undefined", 0, 0, G_OPTION_ARG_STRING, &undefined,
          "a pair that cannot be scored: worst, skip or stop (default: set by the metric)",
          "RULE" },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "[--] TRUTH... PREDICTION",
                   "Scores one pair and prints its row as JSON. There may be several truths; the\n"
                   "last argument is the prediction.",
                   "Examples:\n"
                   "  texgauge score --metrics bleu,edit '\\frac{a}{b}' 'a/b'\n"
                   "  texgauge score -m cer,exprate -- '-x' 'x'",
                   &words, &status))
        return status;
    if (undefined != NULL && !cli_parse_undefined(undefined, &options.undefined, &error))
        return cli_fail(error);
    options.clean = clean;
    g_autofree char *list = metrics != NULL ? g_strjoinv(",", metrics) : NULL;
    return score(list, words, &options);
}
