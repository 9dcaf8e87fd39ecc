/* texgauge: scores LaTeX formulas. Each command has a file of its own, cmd_NAME.c. */
#include "cli/cli.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const CliCommand commands[] = {
    { "eval", "score the pairs of files with one or more metrics", cmd_eval },
    { "score", "score one pair given on the command line", cmd_score },
    { "metrics", "list the metrics, their options and columns", cmd_metrics },
    { "tokenize", "show the tokens that a metric sees, or the formula tree", cmd_tokenize },
    { "explain", "show why forte gives a pair its score", cmd_explain },
    { "render", "draw formulas, and find the boxes of their tokens", cmd_render },
    { "cdm", "show how CDM scores one pair: scores, elements, a picture", cmd_cdm },
    { "extract", "take the formulas out of papers and parsed documents", cmd_extract },
    { "match", "pair the formulas of papers with a parser's", cmd_match },
    { "train", "learn a tokenizer or token embeddings from LaTeX text", cmd_train },
    { "compare", "compare models, or hold them against thresholds", cmd_compare },
    { "report", "make a page to look at, and tables for a paper", cmd_report },
    { "select", "pick pairs by condition, the worst, or the disputed", cmd_select },
    { "study", "compare metrics with human scores", cmd_study },
    { "merge", "combine the results of shards into one summary", cmd_merge },
};

static void print_help(FILE *to)
{
    fprintf(to, "Usage: texgauge COMMAND [OPTION...] ...\n\n"
                "Scores LaTeX formulas: model output against the truth, many metrics, one run.\n\n"
                "Commands:\n");
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
        fprintf(to, "  %-10s%s\n", commands[i].name, commands[i].summary);
    fprintf(to, "\n"
                "Examples:\n"
                "  texgauge score --metrics bleu,edit '\\frac{a}{b}' 'a/b'\n"
                "  texgauge eval --metrics bleu,edit,exprate predictions.json\n"
                "  texgauge eval --metrics chrf --gt truth.csv --pred A=a.txt --pred B=b.json\n\n"
                "'texgauge COMMAND --help' tells more; 'texgauge --version' the version.\n");
}

static const CliCommand *find_command(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* numbers stay those of the C locale */
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("texgauge %s\n", tg_version());
        return EXIT_DONE;
    }

    const CliCommand *command = find_command(argv[1]);
    if (command == NULL) {
        fprintf(stderr, "texgauge: no command '%s'\nTry 'texgauge --help'.\n", argv[1]);
        return EXIT_USAGE;
    }
    g_autofree char *name = g_strconcat("texgauge ", command->name, NULL);
    g_set_prgname(name);
    argv[1] = name;
    return command->run(argc - 1, argv + 1);
}
