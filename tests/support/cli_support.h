/* Running the command-line program from a test. */
#pragma once

#include "tests/support/test_support.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

/** What a command left behind. */
typedef struct {
    char *out;
    char *err;
    int status; /**< exit code; 128 + n for signal n */
} CliRun;

void cli_run_clear(CliRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliRun, cli_run_clear)

/** The program under test. */
const char *cli_program(void);

/**
 * Run a shell command in which `texgauge` is the program under test, `terminal 'COMMAND'` runs a
 * command on a terminal, and $T is the scratch folder @folder; without one (NULL), $T must not be
 * used.
 */
G_GNUC_PRINTF(2, 3)
CliRun cli_run(const char *folder, const char *format, ...);

/** Skip the test where no terminal can be made. */
void cli_need_terminal(void);

/** A wrong call: what it must exit with, and say on stderr. */
typedef struct {
    const char *command;
    int status;
    const char *message;
} CliWrongCall;

/** Make the calls one by one; each must write nothing on stdout. */
void cli_check_wrong_calls(const char *folder, const CliWrongCall *calls, gsize n);

/** A new, empty folder, to be removed with cli_scratch_free(). */
char *cli_scratch(void);

/** Remove the folder with all that is in it; frees @folder. */
void cli_scratch_free(char *folder);

/** Set-up and tear-down of a group of tests: *@state is a scratch folder. */
int cli_make_scratch(void **state);
int cli_remove_scratch(void **state);

/** Write @text to @name in the scratch folder, whose folders are made. */
void cli_write_file(void **state, const char *name, const char *text);
