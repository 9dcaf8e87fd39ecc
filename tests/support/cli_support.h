/* Running the command-line program from a test. */
#pragma once

#include "tests/support/test_support.h"

#include <glib/gstdio.h>

/** What a command left behind. */
typedef struct {
    char *out;
    char *err;
    int status; /**< exit code; 128 + n for signal n */
} CliRun;

void cli_run_clear(CliRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliRun, cli_run_clear)

/**
 * Run a shell command in which `texgauge` is the program under test, `terminal 'COMMAND'` runs a
 * command on a terminal, and $T is the scratch folder @folder, where it runs; without one (NULL),
 * $T must not be used.
 */
G_GNUC_PRINTF(2, 3)
CliRun cli_run(const char *folder, const char *format, ...);

/** Skip the test where no terminal can be made. */
void cli_need_terminal(void);

/**
 * A command, what it must exit with, and what must stand in what it writes: "=TEXT", all of it; or
 * parts with "..." between, of which "^TEXT" is its beginning, "$TEXT" its end, "!TEXT" not in it;
 * NULL: anything.
 */
typedef struct {
    const char *command;
    int status;
    const char *out, *err;
} CliCase;

/** Run the commands one by one in the scratch folder; NULL ends them. */
void cli_check(const char *folder, const CliCase *cases);

/** The same in a test: CLI_CHECK({ "COMMAND", 0, "OUT" }, ...); */
#define CLI_CHECK(...) cli_check(*state, (const CliCase[]){ __VA_ARGS__, { NULL } })

/** A test that is a table: CLI_CASES(name) = { { "COMMAND", 0, "OUT" }, ..., { NULL } }; */
#define CLI_CASES(name)                                                                            \
    extern const CliCase name##_cases[];                                                           \
    TEST(name)                                                                                     \
    {                                                                                              \
        cli_check(*state, name##_cases);                                                           \
    }                                                                                              \
    const CliCase name##_cases[]

/** A new, empty folder, to be removed with cli_scratch_free(). */
char *cli_scratch(void);

/** Remove the folder with all that is in it; frees @folder. */
void cli_scratch_free(char *folder);

/** Set-up and tear-down of a group of tests: *@state is a scratch folder. */
int cli_make_scratch(void **state);
int cli_remove_scratch(void **state);

/** Write @text to @name in the scratch folder, whose folders are made. */
void cli_write_file(void **state, const char *name, const char *text);
