/* texgauge score: one pair from the command line, one JSON object out. */
#include "cli/cli.h"

#include "eval/options/options.h"

static int run(CliCall *call)
{
    TgEvalOptions *options = call->values;
    const guint n = g_strv_length(call->words);
    GError *error = NULL;

    if (options->metrics == NULL)
        options->metrics = "default";
    if (n < 2)
        return cli_usage("a reference and a prediction are needed");
    cli_hint_files(call->words);
    const TgPair pair = { "", (const char *const *) call->words, n - 1, call->words[n - 1] };
    g_autofree char *row = tg_eval_pair(options, &pair, &error);
    if (row == NULL)
        return cli_fail(error);
    g_autofree char *line = g_strconcat(row, "\n", NULL);
    return cli_print(line);
}

const CliCommand cmd_score = {
    "score",
    "score one pair given on the command line",
    "[--] REFERENCE... PREDICTION",
    "Prints the scores as a JSON object. The last argument is the prediction; all others are "
    "references. Put -- before a formula that starts with a minus sign.",
    "texgauge score --metrics bleu,edit '\\frac{a}{b}' 'a/b'\n"
    "texgauge score -m cer,exprate -- '-x' 'x'",
    NULL,
    tg_score_args,
    sizeof(TgEvalOptions),
    .run = run,
};
