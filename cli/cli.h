/* Declarations shared by all commands: exit codes, option parsing, messages, output. */
#pragma once

#include <stdio.h>

#include <texgauge/texgauge.h>

#include "core/files/output.h"
#include "eval/grid/grid.h"

/** Exit codes; the man page lists them. */
enum {
    EXIT_DONE = 0,      /**< also when pairs could not be scored: the results say so */
    EXIT_THRESHOLD = 1, /**< a threshold is not met */
    EXIT_USAGE = 2,     /**< usage error */
    EXIT_INPUT = 3,     /**< an input is missing or corrupt, or has unreadable rows */
    EXIT_INTERNAL = 4,  /**< any other error: output, fonts, internal faults */
};

/** A command: `texgauge NAME ...`. */
typedef struct {
    const char *name;
    const char *summary;               /**< one line for `texgauge --help` */
    int (*run)(int argc, char **argv); /**< argv[0] is "texgauge NAME" */
} CliCommand;

int cmd_compare(int argc, char **argv);
int cmd_documents(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_render(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_score(int argc, char **argv);
int cmd_select(int argc, char **argv);
int cmd_study(int argc, char **argv);
int cmd_tokenize(int argc, char **argv);
int cmd_train(int argc, char **argv);

/**
 * Parse a command's options, --plugin among them, and load the plugins.
 *
 * @usage: the arguments for the usage line, as "INPUT..."
 * @summary: one or two sentences
 * @examples: the end of --help: examples, exit status, further rules
 * @rest: (out) (transfer full) the remaining arguments, NULL-terminated, never NULL
 *
 * Returns: TRUE, or FALSE with @status set to the exit code; the message is printed
 */
gboolean cli_parse(int argc, char **argv, const GOptionEntry *entries, const char *usage,
                   const char *summary, const char *examples, char ***rest, int *status);

/** Print "texgauge: MESSAGE" on stderr and free the error. Returns its exit code. */
int cli_fail(GError *error);

/** Print a usage error with a hint to --help. Returns EXIT_USAGE. */
int cli_usage(const char *command, const char *message);

/** Write a line on stderr; what of it steers a terminal is shown instead. */
void cli_message(const char *format, ...) G_GNUC_PRINTF(1, 2);

/** Write @text to stdout; on a terminal, what of it steers that is shown instead. Returns
 * EXIT_DONE, or EXIT_INTERNAL after a message. */
int cli_print(const char *text);

/** The same for text with the colours of explain: they stay, and all else that steers a terminal
 * becomes visible. */
int cli_print_colored(const char *text);

/** What options of several commands do, for --help. */
#define CLI_SUMMARY_HELP "table, json, csv, md or latex (default: table)"
#define CLI_ALL_HELP     "show every column, not only each metric's first"
#define CLI_LOWER_HELP   "stored columns where lower is better"
#define CLI_FORCE_HELP   "also results that were not scored in the same way"

/** What may be done about an output that holds something else. */
#define CLI_FORCE_ADVICE "overwrite it with --force"

/** The texts between commas; NULL for NULL. (transfer full) */
char **cli_list(const char *text);

/** Whether --level is a level; FALSE with TG_ERROR_USAGE. */
gboolean cli_check_level(double level, GError **error);

/** What --mean does, for --help. */
#define CLI_MEAN_HELP                                                                              \
    "values are means over pairs (default), pages or subsets; pages=FIELD names them by a field"

/** What --by does, for --help. */
#define CLI_BY_HELP "also show the pairs by the values of this field; may be repeated"

/** What --clean does, for --help. */
#define CLI_CLEAN_HELP                                                                             \
    "take off: fences, dollars, brackets, parens, tags, labels, nonumber, punctuation; all, "      \
    "omnidocbench (default: none)"

/** The value of --digits where it is not given. */
#define CLI_NO_DIGITS (-1)

/** How tables are written, by --summary (NULL: table), --percent and --digits; see cli_width(). */
gboolean cli_grid_form(const char *style, gboolean percent, gint digits, TgGridForm *form,
                       GError **error);

/** The width of the terminal that stdout is, which COLUMNS overrides; 0 for a file or a pipe. */
guint cli_width(void);

/** Where a command writes its lines: a file, or stdout. */
typedef struct {
    TgOutput *to;
} CliOutput;

/**
 * Open @path, or stdout where it is NULL.
 *
 * @inputs: files that it must not be, NULL last
 * @force: overwrite what it holds
 *
 * Returns: EXIT_DONE, or the exit code after a message
 */
int cli_output_open(CliOutput *output, const char *path, char *const *inputs, gboolean force);

/** Write a line, for callbacks: @output is a CliOutput. */
void cli_output_line(const char *line, gpointer output);

/**
 * Close the file, or flush stdout.
 *
 * @error: (transfer full) why writing ended early, or NULL
 *
 * Returns: EXIT_DONE, or the exit code after a message
 */
int cli_output_close(CliOutput *output, GError *error);

/** Read "default", "worst", "skip" or "stop". */
gboolean cli_parse_undefined(const char *name, TgUndefined *out, GError **error);
