/* How commands write tables. */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/fail.h"

enum { USUAL_WIDTH = 80, MIN_WIDTH = 20, MAX_WIDTH = 10000, MAX_DIGITS = 15 };

guint cli_width(void)
{
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

gboolean cli_grid_form(const char *style, gboolean percent, gint digits, TgGridForm *form,
                       GError **error)
{
    *form = (TgGridForm){
        .percent = percent, .fixed = digits != CLI_NO_DIGITS, .digits = digits, .width = cli_width()
    };
    if (digits < CLI_NO_DIGITS || digits > MAX_DIGITS)
        return tg_fail_usage(error, "--digits takes 0 to %d", MAX_DIGITS);
    return style == NULL || tg_grid_style_parse(style, &form->style, error);
}
