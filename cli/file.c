#include "cli/cli.h"

#include <string.h>

#include "core/fail.h"
#include "core/files/output.h"

static const char *const kinds[] = { ".png", ".svg", ".pdf" };

gboolean cli_write_file(const char *path, const void *bytes, gsize n, GError **error)
{
    /* A picture takes the place of one of its format, boxes that of boxes. */
    static const char *const marks[] = { "\x89PNG",      "<svg",       "%PDF-",
                                         "\"picture\":", "\"error\":", NULL };
    gsize kind = 0;

    while (kind < 3 && !g_str_has_suffix(path, kinds[kind]))
        kind++;
    const char *const mine[] = { marks[kind], kind == 3 ? marks[4] : NULL, NULL };
    return tg_output_check(path, mine, "remove it or choose another name", error) &&
           tg_output_write(path, bytes, n, error);
}

gboolean cli_picture_format(const char *path, TgPictureFormat *format, GError **error)
{
    *format = TG_FORMAT_PNG;
    if (strcmp(path, "-") == 0)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (g_str_has_suffix(path, kinds[i])) {
            *format = (TgPictureFormat) i;
            return TRUE;
        }
    return tg_fail_usage(error, "'%s' does not end in .png, .svg or .pdf", path);
}
