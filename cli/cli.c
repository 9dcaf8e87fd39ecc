#include "cli/cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

int cli_usage(const char *message)
{
    cli_message("%s: %s\nTry '%s --help'.", g_get_prgname(), message, g_get_prgname());
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

int cli_output_open(CliOutput *output, const char *path, gboolean force)
{
    GError *error = NULL;

    if (!tg_output_check(path, NULL, force ? NULL : CLI_FORCE_ADVICE, &error))
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

guint cli_width(void)
{
    enum { USUAL_WIDTH = 80, MIN_WIDTH = 20, MAX_WIDTH = 10000 };
    const char *columns = g_getenv("COLUMNS");
    struct winsize size;
    guint64 width = 0;

    if (!isatty(STDOUT_FILENO))
        return 0;
    if (columns != NULL &&
        g_ascii_string_to_unsigned(columns, 10, MIN_WIDTH, MAX_WIDTH, &width, NULL))
        return (guint) width;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return MAX(size.ws_col, MIN_WIDTH);
}

void cli_form_complete(const CliCall *call, TgGridForm *form)
{
    form->fixed = cli_given(call, "digits");
    form->width = cli_width();
}
