/* The options of all commands that score: metrics, files and how to read them. */
#pragma once

#include "cli/cli.h"

#include "eval/run/run.h"

/** Values of these options. Zero it, parse with cli_scoring_parse(), free with the clear function.
 */
typedef struct {
    char *metrics;
    char **truths;
    char **predictions;
    char *format;
    char **maps;
    char **human;
    char *ratings;
    char *columns;
    char *model;
    char *delimiters;
    char *clean;
    char *tokens;
    char *undefined;
    gdouble pair_timeout;
    gint threads;
    gint digits; /* -1: as the table has them */
    gboolean percent, allow_duplicates, quiet;
    char **kept; /* the names in columns, made by cli_scoring_fill() */
} CliScoring;

void cli_scoring_clear(CliScoring *scoring);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliScoring, cli_scoring_clear)

/** cli_parse() of a command that has these options beside @entries. */
gboolean cli_scoring_parse(int argc, char **argv, const GOptionEntry *entries, CliScoring *scoring,
                           const char *usage, const char *summary, const char *examples,
                           char ***rest, int *status);

/**
 * Check the options and write them into @options, which borrows from @scoring and @inputs.
 *
 * Returns: FALSE with TG_ERROR_USAGE
 */
gboolean cli_scoring_fill(CliScoring *scoring, char **inputs, TgEvalOptions *options,
                          GError **error);

/**
 * How tables are written: --percent, --digits, @style as in --summary (NULL: table), and the width
 * of the terminal where stdout is one.
 *
 * Returns: FALSE with TG_ERROR_USAGE
 */
gboolean cli_scoring_form(const CliScoring *scoring, const char *style, TgGridForm *form,
                          GError **error);

/** tg_eval_run() with a progress line, and faults on stderr. */
TgSummary *cli_scoring_run(const CliScoring *scoring, TgEvalOptions *options, guint64 *n_faults,
                           GError **error);

/** FALSE with TG_ERROR_USAGE where an option is given that acts only while pairs are scored. */
gboolean cli_scoring_check_unused(const CliScoring *scoring, GError **error);

/**
 * List the rows that cannot be read and the truths that cannot be set, with file, line and reason.
 *
 * Returns: EXIT_DONE where there are none, EXIT_INPUT, or the exit code after a message
 */
int cli_check_truths(char *const *inputs, const CliScoring *scoring);

/** FALSE with TG_ERROR_USAGE where @path is the same file as one that is read. */
gboolean cli_scoring_check_output(const CliScoring *scoring, char *const *inputs, const char *path,
                                  GError **error);

/** An empty results file to score into; a signal that ends the program removes it. (transfer full)
 * its path */
char *cli_temporary_results(GError **error);
void cli_temporary_remove(const char *path); /**< NULL does nothing */

/** Results files for a command that works from them. Zero it to start. */
typedef struct {
    char **paths;    /* NULL last */
    char *temporary; /* scored for this command, removed at the end; NULL: none */
} CliResults;

/**
 * The results that a command works from: its @inputs, or with --metrics the inputs scored now.
 *
 * @also_kept: stored fields to keep beside those of --columns, NULL last; NULL for none
 *
 * Returns: FALSE with @error; rows that could not be read as pairs are no error
 */
gboolean cli_results_get(CliResults *results, CliScoring *scoring, char **inputs,
                         const char *const *also_kept, GError **error);
void cli_results_clear(CliResults *results);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliResults, cli_results_clear)
