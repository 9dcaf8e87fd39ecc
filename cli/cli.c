#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/fail.h"
#include "core/utf8.h"
#include "eval/grid/grid.h"

void cli_message(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *visible = tg_visible(text, "\n\t");
    fprintf(stderr, "%s\n", visible);
}

int cli_fail(GError *error)
{
    int status = EXIT_INTERNAL;

    if (error->domain == G_OPTION_ERROR)
        status = EXIT_USAGE;
    else if (error->domain == TG_ERROR)
        switch ((TgErrorCode) error->code) {
        case TG_ERROR_USAGE:
        case TG_ERROR_PLUGIN:
            status = EXIT_USAGE;
            break;
        case TG_ERROR_INPUT:
        case TG_ERROR_DATA:
        case TG_ERROR_PARSE:
            status = EXIT_INPUT;
            break;
        case TG_ERROR_FONT:
        case TG_ERROR_OUTPUT:
        case TG_ERROR_INTERNAL:
        case TG_ERROR_CANCELLED:
            break;
        }
    cli_message("texgauge: %s", error->message);
    g_error_free(error);
    return status;
}

int cli_usage(const char *command, const char *message)
{
    cli_message("texgauge %s: %s\nTry 'texgauge %s --help'.", command, message, command);
    return EXIT_USAGE;
}

static int put_stdout(const char *text)
{
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return EXIT_DONE;
    fprintf(stderr, "texgauge: stdout: %s\n", g_strerror(errno));
    return EXIT_INTERNAL;
}

int cli_print(const char *text)
{
    g_autofree char *visible = isatty(STDOUT_FILENO) ? tg_visible(text, "\n\t") : NULL;

    return put_stdout(visible != NULL ? visible : text);
}

/* How long the colour is that @text begins with; 0: none. */
static gsize color_length(const char *text)
{
    static const char *const colors[] = { "\033[0m", "\033[1m", "\033[31m", "\033[33m",
                                          "\033[36m" };

    for (guint i = 0; i < G_N_ELEMENTS(colors); i++)
        if (g_str_has_prefix(text, colors[i]))
            return strlen(colors[i]);
    return 0;
}

int cli_print_colored(const char *text)
{
    g_autoptr(GString) visible = g_string_new(NULL);

    if (!isatty(STDOUT_FILENO))
        return put_stdout(text);
    while (*text != '\0') {
        const gsize color = color_length(text);
        const gsize n = color > 0 ? color : 1 + strcspn(text + 1, "\033");
        g_autofree char *part = g_strndup(text, n);

        if (color > 0)
            g_string_append(visible, part);
        else
            tg_visible_append(visible, part, "\n\t");
        text += n;
    }
    return put_stdout(visible->str);
}

int cli_output_open(CliOutput *output, const char *path, char *const *inputs, gboolean force)
{
    GError *error = NULL;

    if (!tg_output_is_no_input(path, (const char *const *) inputs, &error) ||
        (!force && !tg_output_may_replace(path, NULL, CLI_FORCE_ADVICE, &error)))
        return cli_fail(error);
    output->to = tg_output_open(path, &error);
    return output->to != NULL ? EXIT_DONE : cli_fail(error);
}

void cli_output_line(const char *line, gpointer output)
{
    fprintf(tg_output_file(((CliOutput *) output)->to), "%s\n", line);
}

int cli_output_close(CliOutput *output, GError *error)
{
    g_autoptr(TgOutput) to = g_steal_pointer(&output->to);

    return error == NULL && tg_output_finish(to, &error) ? EXIT_DONE : cli_fail(error);
}

static gboolean load_plugins(char **paths, GError **error)
{
    if (!tg_registry_load_environment(error))
        return FALSE;
    for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
        if (!tg_registry_load_plugin(paths[i], error))
            return FALSE;
    return TRUE;
}

enum { EXAMPLE_INDENT = 2 }; /* of commands in help */

/* Where the explanation in a line of help begins, or its text where it has none. */
static guint help_indent(const char *line)
{
    guint start = (guint) strspn(line, " "), at = start;

    while (line[at] != '\0' && !(line[at] == ' ' && line[at + 1] == ' '))
        at++;
    return line[at] != '\0' ? at + (guint) strspn(line + at, " ") : start;
}

/* A line of a paragraph, not of a list or an example. */
static gboolean is_prose(const char *line)
{
    return line != NULL && *line != '\0' && *line != ' ';
}

/* A command that may be copied: a shell takes a backslash at the end of a line. */
static void append_example(GString *out, const char *line)
{
    g_autoptr(GString) wrapped = g_string_new(NULL);

    tg_wrap_append(wrapped, line, 2 * EXAMPLE_INDENT, cli_width() - 2);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(wrapped->str), "\n", -1);
    g_autofree char *joined = g_strjoinv(" \\\n", lines);
    g_string_append_printf(out, "%s\n", joined);
}

/* Help in the width of the terminal; GLib writes a line for each option, however long. */
static void print_help(GOptionContext *context)
{
    g_autofree char *help = g_option_context_get_help(context, TRUE, NULL);
    g_auto(GStrv) lines = g_strsplit(help, "\n", -1);
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; lines[i] != NULL && lines[i + 1] != NULL; i++) {
        g_autoptr(GString) line = g_string_new(lines[i]);

        while (is_prose(lines[i]) && is_prose(lines[i + 1]))
            g_string_append_printf(line, " %s", lines[++i]);
        const guint indent = help_indent(line->str);
        if (indent == 0 || indent > EXAMPLE_INDENT)
            tg_wrap_append(out, line->str, indent, cli_width());
        else
            append_example(out, line->str);
    }
    cli_print(out->str);
}

static gboolean asks_for_help(char **argv)
{
    for (guint i = 1; argv[i] != NULL && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return TRUE;
    return FALSE;
}

gboolean cli_parse(int argc, char **argv, const GOptionEntry *entries, const char *usage,
                   const char *summary, const char *examples, char ***rest, int *status)
{
    g_auto(GStrv) plugins = NULL;
    GError *error = NULL;
    const GOptionEntry common[] = {
        { "plugin", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &plugins,
          "load the metrics of a shared object (see also TEXGAUGE_PLUGINS)", "FILE" },
        { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, rest, NULL, NULL },
        { NULL },
    };
    g_autoptr(GOptionContext) context = g_option_context_new(usage);

    *rest = NULL;
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, common, NULL);
    g_option_context_set_summary(context, summary);
    g_option_context_set_description(context, examples);
    if (cli_width() > 0 && asks_for_help(argv)) {
        print_help(context);
        *status = EXIT_DONE;
        return FALSE;
    }
    if (!g_option_context_parse(context, &argc, &argv, &error) || !load_plugins(plugins, &error)) {
        const gboolean wrong_option = error->domain == G_OPTION_ERROR;

        *status = cli_fail(error);
        if (wrong_option)
            fprintf(stderr, "Try '%s --help'.\n", g_get_prgname());
        g_clear_pointer(rest, g_strfreev);
        return FALSE;
    }
    if (*rest == NULL)
        *rest = g_new0(char *, 1);
    return TRUE;
}

gboolean cli_parse_undefined(const char *name, TgUndefined *out, GError **error)
{
    static const char *const names[] = { "default", "worst", "skip", "stop", NULL };

    for (guint i = 0; names[i] != NULL; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (TgUndefined) i;
            return TRUE;
        }
    return tg_fail_usage(error, "--undefined must be one of default, worst, skip, stop, not '%s'",
                         name);
}

char **cli_list(const char *text)
{
    return text != NULL ? g_strsplit(text, ",", -1) : NULL;
}

gboolean cli_check_level(double level, GError **error)
{
    if (level > 0 && level < 1) /* false for NaN */
        return TRUE;
    g_set_error_literal(error, TG_ERROR, TG_ERROR_USAGE, "--level lies between 0 and 1");
    return FALSE;
}
