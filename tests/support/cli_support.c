#include "tests/support/cli_support.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

void cli_run_clear(CliRun *run)
{
    g_free(run->out);
    g_free(run->err);
    memset(run, 0, sizeof *run);
}

CliRun cli_run(const char *folder, const char *format, ...)
{
    CliRun run = { 0 };
    GError *error = NULL;
    va_list args;
    int wait_status = 0;

    va_start(args, format);
    g_autofree char *command = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *scratch =
        folder != NULL ? g_strdup_printf("T='%s'; cd \"$T\"", folder) : g_strdup("unset T; set -u");
    g_autofree char *script =
        g_strdup_printf("texgauge() { \"$TEXGAUGE\" \"$@\"; }\n"
                        "terminal() { python3 -c 'import pty, sys; sys.exit("
                        "pty.spawn([\"sh\", \"-c\", sys.argv[1]]) >> 8)' \"$1\"; }\n%s\n%s",
                        scratch, command);
    char *words[] = { (char *) "bash", (char *) "-c", script, NULL };
    if (!g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &run.out, &run.err,
                      &wait_status, &error))
        g_error("%s", error->message);
    run.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
    return run;
}

void cli_need_terminal(void)
{
    const int terminal = g_open("/dev/ptmx", O_RDWR | O_NOCTTY, 0);

    if (terminal < 0) {
        print_message("no pseudo-terminal here, such as in a chroot without /dev/pts\n");
        skip();
    }
    close(terminal);
}

/* Whether @got has a part of what is wanted of it, see CliCase. */
static gboolean has_part(const char *got, const char *part)
{
    switch (part[0]) {
    case '^':
        return g_str_has_prefix(got, part + 1);
    case '$':
        return g_str_has_suffix(got, part + 1);
    case '!':
        return strstr(got, part + 1) == NULL;
    default:
        return strstr(got, part) != NULL;
    }
}

static void check_stream(const CliCase *c, const char *wanted, const char *got)
{
    g_auto(GStrv) parts = g_strsplit(wanted != NULL ? wanted : "", "...", -1);

    if (wanted != NULL && *wanted == '=' && strcmp(wanted + 1, got) != 0)
        fail_msg("%s: wrote '%s', wanted is '%s'", c->command, got, wanted + 1);
    for (guint i = 0; (wanted == NULL || *wanted != '=') && parts[i] != NULL; i++)
        if (!has_part(got, parts[i]))
            fail_msg("%s: wrote '%s', wanted is '%s'", c->command, got, parts[i]);
}

void cli_check(const char *folder, const CliCase *cases)
{
    for (const CliCase *c = cases; c->command != NULL; c++) {
        g_auto(CliRun) run = cli_run(folder, "%s", c->command);

        if (run.status != c->status)
            fail_msg("%s: exit code %d, wanted %d; %s", c->command, run.status, c->status, run.err);
        check_stream(c, c->out, run.out);
        check_stream(c, c->err, run.err);
    }
}

char *cli_scratch(void)
{
    GError *error = NULL;
    char *folder = g_dir_make_tmp("texgauge-test-XXXXXX", &error);

    if (folder == NULL)
        g_error("%s", error->message);
    return folder;
}

void cli_scratch_free(char *folder)
{
    const char *command[] = { "rm", "-rf", "--", folder, NULL };

    if (!g_spawn_sync(NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                      NULL, NULL))
        g_warning("cannot remove %s", folder);
    g_free(folder);
}

int cli_make_scratch(void **state)
{
    *state = cli_scratch();
    return 0;
}

int cli_remove_scratch(void **state)
{
    cli_scratch_free(*state);
    return 0;
}

void cli_write_file(void **state, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(*state, name, NULL);
    g_autofree char *folder = g_path_get_dirname(path);

    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(g_file_set_contents(path, text, -1, NULL));
}
