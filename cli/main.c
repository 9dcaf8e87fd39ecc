/* texgauge: scores LaTeX formulas. Each command has a file of its own, cmd_NAME.c. */
#include "cli/cli.h"

#include "cli/build_info.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const CliCommand commands[] = {
    { "eval", "score the pairs in files with one or more metrics", cmd_eval },
    { "score", "score one pair given on the command line", cmd_score },
    { "metrics", "list the metrics with their columns and options", cmd_metrics },
    { "tokenize", "show the tokens of a formula, its tree or its canonical form", cmd_tokenize },
    { "explain", "explain the score that a metric gives a pair", cmd_explain },
    { "render", "draw formulas and locate their tokens", cmd_render },
    { "documents", "extract formulas of papers and parsers, and pair them", cmd_documents },
    { "train", "train a tokenizer or token embeddings on LaTeX text", cmd_train },
    { "compare", "compare models, or check them against thresholds", cmd_compare },
    { "report", "write a report as an HTML page, and tables for a paper", cmd_report },
    { "select", "select pairs: by condition, the worst, the disputed", cmd_select },
    { "study", "correlate metrics with human scores", cmd_study },
};

static void print_help(FILE *to)
{
    fprintf(
        to,
        "Usage: texgauge COMMAND [OPTION...] ...\n\n"
        "Scores LaTeX formulas: predictions against the truth, with many metrics in one run.\n\n"
        "Commands:\n");
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
        fprintf(to, "  %-10s%s\n", commands[i].name, commands[i].summary);
    fprintf(to, "\n"
                "Examples:\n"
                "  texgauge score --metrics bleu,edit '\\frac{a}{b}' 'a/b'\n"
                "  texgauge eval --metrics bleu,edit,exprate predictions.json\n"
                "  texgauge eval --metrics chrf --gt truth.csv --pred A=a.txt --pred B=b.json\n\n"
                "'texgauge COMMAND --help' lists the options of a command, 'texgauge --version' "
                "prints the\nversion, with --build also libraries, fonts and their checksums.\n");
}

static const CliCommand *find_command(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* A file that is opened where stderr is closed would get its number, and the messages with it. What
 * is closed becomes a device in the other direction, so that its use fails as before. */
static void fill_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            exit(EXIT_INTERNAL);
}

int main(int argc, char **argv)
{
    fill_closed_streams();
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
        if (argc > 2 && strcmp(argv[2], "--build") == 0)
            cli_print_build();
        return EXIT_DONE;
    }

    const CliCommand *command = find_command(argv[1]);
    if (command == NULL) {
        cli_message("texgauge: no command '%s'\nTry 'texgauge --help'.", argv[1]);
        return EXIT_USAGE;
    }
    g_autofree char *name = g_strconcat("texgauge ", command->name, NULL);
    g_set_prgname(name);
    argv[1] = name;
    return command->run(argc - 1, argv + 1);
}
