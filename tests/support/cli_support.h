/* Running the command-line program from a test. */
#pragma once

#include "tests/support/test_support.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

/** What a command left behind. */
typedef struct {
    char *out;
    char *err;
    int status; /**< exit code; 128 + n for signal n */
} CliRun;

static inline void cli_run_clear(CliRun *run)
{
    g_free(run->out);
    g_free(run->err);
    memset(run, 0, sizeof *run);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CliRun, cli_run_clear)

/** The program under test. */
static inline const char *cli_program(void)
{
    const char *path = g_getenv("TEXGAUGE");

    g_assert(path != NULL); /* set by meson */
    return path;
}

/**
 * Run a shell command in which `texgauge` is the program under test and $T the scratch folder
 * @folder (may be NULL).
 */
G_GNUC_PRINTF(2, 3)
static inline CliRun cli_run(const char *folder, const char *format, ...)
{
    CliRun run = { 0 };
    GError *error = NULL;
    va_list args;
    int wait_status = 0;

    va_start(args, format);
    g_autofree char *command = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *script = g_strdup_printf("texgauge() { \"$TEXGAUGE\" \"$@\"; }; T='%s'\n%s",
                                              folder != NULL ? folder : "/nonexistent", command);
    char *words[] = { (char *) "bash", (char *) "-c", script, NULL };
    if (!g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &run.out, &run.err,
                      &wait_status, &error))
        g_error("%s", error->message);
    run.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
    return run;
}

/** A wrong call: what it must exit with, and say on stderr. */
typedef struct {
    const char *command;
    int status;
    const char *message;
} CliWrongCall;

/** Make the calls one by one; each must write nothing on stdout. */
static inline void cli_check_wrong_calls(const char *folder, const CliWrongCall *calls, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_auto(CliRun) run = cli_run(folder, "%s", calls[i].command);

        if (run.status != calls[i].status || strstr(run.err, calls[i].message) == NULL)
            fail_msg("%s: exit code %d, %s", calls[i].command, run.status, run.err);
        assert_string_equal(run.out, "");
    }
}

/** A fresh scratch folder, to be freed with cli_scratch_free(). */
static inline char *cli_scratch(void)
{
    GError *error = NULL;
    char *folder = g_dir_make_tmp("texgauge-test-XXXXXX", &error);

    if (folder == NULL)
        g_error("%s", error->message);
    return folder;
}

/** Remove the folder and the files in it. */
static inline void cli_scratch_free(char *folder)
{
    g_autofree char *command = g_strdup_printf("rm -rf '%s'", folder);

    if (!g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL))
        g_warning("cannot remove %s", folder);
    g_free(folder);
}
