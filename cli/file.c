#include "cli/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

gboolean cli_write_file(const char *path, const void *bytes, gsize n, GError **error)
{
    const gboolean to_stdout = strcmp(path, "-") == 0;
    FILE *file = to_stdout ? stdout : fopen(path, "wb");
    gboolean good = file != NULL && fwrite(bytes, 1, n, file) == n && fflush(file) == 0;

    if (file != NULL && !to_stdout)
        good = fclose(file) == 0 && good;
    if (!good)
        g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
    return good;
}

gboolean cli_picture_format(const char *path, TgPictureFormat *format, GError **error)
{
    static const char *const suffixes[] = { ".png", ".svg", ".pdf" };

    *format = TG_FORMAT_PNG;
    if (strcmp(path, "-") == 0)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(suffixes); i++)
        if (g_str_has_suffix(path, suffixes[i])) {
            *format = (TgPictureFormat) i;
            return TRUE;
        }
    g_set_error(error, TG_ERROR, TG_ERROR_USAGE, "'%s' does not end in .png, .svg or .pdf", path);
    return FALSE;
}
