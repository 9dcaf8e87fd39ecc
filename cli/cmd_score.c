/* texgauge score: one pair from the command line, one JSON object out. */
#include "cli/cli.h"

#include "eval/run/pair.h"

static int score(const char *metrics, char **words, TgEvalOptions *options)
{
    const guint n = g_strv_length(words);
    GError *error = NULL;

    if (metrics == NULL)
        return cli_usage("score", "--metrics names what to score with");
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
    g_autofree char *metrics = NULL;
    g_autofree char *undefined = NULL;
    g_autofree char *renderer = NULL;
    g_auto(GStrv) words = NULL;
    TgEvalOptions options = { 0 };
    GError *error = NULL;
    int status;
    const GOptionEntry entries[] = {
        { "metrics", 'm', 0, G_OPTION_ARG_FILENAME, &metrics,
          "comma-separated: name, name:option=value, or label=name:...", "LIST" },
        { "detail", 0, 0, G_OPTION_ARG_NONE, &options.detail, "also what metrics know per pair",
          NULL },
        { "keep-delimiters", 0, 0, G_OPTION_ARG_NONE, &options.keep_delimiters,
          "leave outer $ $$ \\( \\[ equation ... on", NULL },
        { "undefined", 0, 0, G_OPTION_ARG_STRING, &undefined,
          "a pair that cannot be scored: worst, skip, stop (default: each metric's)", "RULE" },
        { "renderer", 0, 0, G_OPTION_ARG_STRING, &renderer,
          "what draws for cdm: native (default), pdflatex, lualatex, auto", "NAME" },
        { NULL },
    };

    if (!cli_parse(argc, argv, entries, "[--] REFERENCE... HYPOTHESIS",
                   "Scores one pair and prints its row as JSON. Several references may be given;\n"
                   "the last word is the hypothesis.",
                   "Examples:\n"
                   "  texgauge score --metrics bleu,edit '\\frac{a}{b}' 'a/b'\n"
                   "  texgauge score -m cer,exprate -- '-x' 'x'",
                   &words, &status))
        return status;
    if (undefined != NULL && !cli_parse_undefined(undefined, &options.undefined, &error))
        return cli_fail(error);
    if (renderer != NULL && !cli_parse_renderer(renderer, &options.renderer, &error))
        return cli_fail(error);
    return score(metrics, words, &options);
}
