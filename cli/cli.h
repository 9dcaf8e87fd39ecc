/* Shared by all commands: their declaration, exit codes, messages, output. */
#pragma once

#include <stdio.h>

#include <texgauge/texgauge.h>

#include "core/args.h"
#include "core/files/output.h"
#include "eval/grid/grid.h"
#include "eval/run/run.h"

/** Exit codes; the man page lists them. */
enum {
    EXIT_DONE = 0,      /**< also when pairs could not be scored: the results say so */
    EXIT_THRESHOLD = 1, /**< a threshold is not met */
    EXIT_USAGE = 2,     /**< usage error */
    EXIT_INPUT = 3,     /**< an input is missing or corrupt, or has unreadable rows */
    EXIT_INTERNAL = 4,  /**< any other error: output, fonts, internal faults */
};

typedef struct CliCommand CliCommand;

/** A command as it was called. */
typedef struct {
    const CliCommand *command;
    const TgArg *args; /**< the options of the command and of all commands, without tables inside */
    gpointer values;   /**< the struct of the command's table; what it points to lives as long */
    char **words;      /**< the arguments that are no options, NULL last, never NULL */
    guint64 given;     /**< a bit for each option that was given, by its place in @args */
    GPtrArray *pool;   /**< of g_free(), freed at the end */
} CliCall;

/** A command: `texgauge NAME ...`. All that is told of it, in --help and in documents, is here. */
struct CliCommand {
    const char *name;
    const char *summary;     /**< an imperative, as "score one pair"; --help begins with it */
    const char *usage;       /**< the arguments, as "INPUT..."; several forms with " | " between */
    const char *description; /**< the rest, one paragraph a line */
    const char *examples;    /**< one command a line, the two most useful ones first */
    const char *notes;       /**< the end of --help, one paragraph a line; NULL: none */
    const TgArg *args;
    gsize size;            /**< of the struct of @args */
    gconstpointer initial; /**< its first value; NULL: all zero */
    int (*run)(CliCall *call);
    gboolean words_are_files;       /**< the arguments that are no options are inputs */
    const CliCommand *const *parts; /**< instead of all but name and summary: `texgauge NAME PART`,
                                         NULL last */
};

extern const CliCommand cmd_compare, cmd_documents, cmd_eval, cmd_explain, cmd_metrics, cmd_rate,
    cmd_render, cmd_report, cmd_score, cmd_select, cmd_study, cmd_tokenize, cmd_train;

/** The command called @name, or NULL. @commands: NULL last */
const CliCommand *cli_find(const CliCommand *const *commands, const char *name);

/** Parse the arguments of a command, load plugins, and run it. Returns the exit code. */
int cli_run(const CliCommand *command, int argc, char **argv);

/** Print all commands with their options as JSON, of which documents are made. */
int cli_describe(const CliCommand *const *commands);

/** Whether the option was given. */
gboolean cli_given(const CliCall *call, const char *name);

/** TRUE where all options that were given act in @mode; else FALSE after the message "--NAME WHY".
 */
gboolean cli_check_mode(const CliCall *call, guint mode, const char *why);

/** Print "texgauge: MESSAGE" on stderr and free the error. Returns its exit code. */
int cli_fail(GError *error);

/** Print a usage error with a hint to --help. Returns EXIT_USAGE. */
int cli_usage(const char *message);

/** Write a remark, such as that a file was changed after its run, on stderr. */
void cli_remark(const char *message, gpointer unused);

/** Write remarks (of char *) on stderr. */
void cli_remarks(const GPtrArray *remarks);

/** Write a line on stderr; control characters are made visible. */
void cli_message(const char *format, ...) G_GNUC_PRINTF(1, 2);

/** Say so where all of @formulas, two at least, are names of files: their text is not read. */
void cli_hint_files(char **formulas);

/** Write @text to stdout; on a terminal control characters are made visible. Returns EXIT_DONE, or
 * EXIT_INTERNAL after a message. */
int cli_print(const char *text);

/** The same for text with the colors of explain, which stay. */
int cli_print_colored(const char *text);

/** The same for JSON, which is freed. @flags: of jansson */
int cli_print_json(json_t *json, gsize flags);

/** Advice in the error about an output that holds something else. */
#define CLI_FORCE_ADVICE "overwrite it with --force"

/** The option that many commands have. */
#define CLI_QUIET(Type)                                                                            \
    {                                                                                              \
        "quiet", TG_ARG_FLAG, G_STRUCT_OFFSET(Type, quiet), "print no progress and no notes",      \
            .letter = 'q', .group = "General"                                                      \
    }

/** The width of the terminal that stdout is, which COLUMNS overrides; 0 for a file or a pipe. */
guint cli_width(void);

/** Give the files of ratings among the words of a call to its option --ratings, as a shell puts
 * them there for `--ratings ratings-*.json`. */
void cli_take_ratings(CliCall *call);

/** Complete @form, whose digits are those of --digits, if that was given. */
void cli_form_complete(const CliCall *call, TgGridForm *form);

/* ---- pictures and boxes ---- */

/** Write a picture or boxes, or to stdout for "-"; FALSE with TG_ERROR_OUTPUT, also where a file of
 * another kind is there. */
gboolean cli_write_file(const char *path, const void *bytes, gsize n, GError **error);

/** The format that a name ends in, PNG for "-"; FALSE with TG_ERROR_USAGE. */
gboolean cli_picture_format(const char *path, TgPictureFormat *format, GError **error);

/* ---- formulas: arguments, or the lines of a file ---- */

/** One formula. */
typedef struct {
    char *text;  /**< bytes as they were given, followed by a NUL */
    gsize len;   /**< of @text; beyond its first NUL where there are several */
    char *place; /**< "FILE:LINE: " for messages; empty for a word of the command line */
} CliFormula;

/**
 * Collect the formulas.
 *
 * @words: formulas; "-" is all of stdin without its last line end
 * @input: a file with a formula on each line, also where it is empty; "-" is stdin; NULL: none
 *
 * Returns: (transfer full) an array of CliFormula, or NULL with @error set to
 *   TG_ERROR_USAGE  there are neither words nor an @input, or both
 *   TG_ERROR_INPUT  a file cannot be read, has more than 256 MiB, or has rows with fields
 */
GPtrArray *cli_formulas_new(char **words, const char *input, GError **error);

/** Check that @text, the beginning of the file @path, is not that of rows with fields, which would
 * be taken for formulas; if it is, fail with TG_ERROR_INPUT. */
gboolean cli_check_lines(const char *path, const char *text, gsize len, GError **error);

/* ---- the progress line of the terminal ---- */

/** Begin a long work. The line appears after a second, on a terminal only, and is wiped before each
 * message and all that cli_print() writes. */
void cli_progress_start(gboolean quiet);

/** Show how the run is going, at most ten times a second. Returns TRUE */
gboolean cli_progress_update(const TgProgress *state, gpointer unused);

/** A TgListenFunc that updates the line. */
void cli_progress_stage(const char *stage, guint64 done, guint64 total, gpointer unused);

/** Wipe the line before other output. */
void cli_progress_clear(void);
