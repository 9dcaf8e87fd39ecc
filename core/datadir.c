#define _GNU_SOURCE /* dladdr */
#include "core/datadir.h"

#include <dlfcn.h>

/* Stands in the top of a build folder, holds the path of the source's data, is never installed. */
#define BUILD_MARK "texgauge-datadir"

/* The folder that this very code was loaded from: the library's, or the test program's. */
static char *own_folder(void)
{
    static const char anchor = 0;
    Dl_info info;

    if (dladdr(&anchor, &info) == 0 || info.dli_fname == NULL)
        return NULL;
    return g_path_get_dirname(info.dli_fname);
}

/* The source's data folder when running from a build folder (or up to two levels below), else NULL.
 */
static char *build_datadir(void)
{
    g_autofree char *folder = own_folder();

    for (guint level = 0; level < 3 && folder != NULL; level++) {
        g_autofree char *mark = g_build_filename(folder, BUILD_MARK, NULL);
        char *path = NULL;

        if (g_file_get_contents(mark, &path, NULL, NULL))
            return g_strchomp(path);
        char *up = g_path_get_dirname(folder);
        g_free(folder);
        folder = up;
    }
    return NULL;
}

char *tg_datadir_find(const char *relative, GError **error)
{
    const char *chosen = g_getenv("TEXGAUGE_DATADIR");
    g_autofree char *built = chosen == NULL ? build_datadir() : NULL;
    const char *folder = chosen != NULL ? chosen : built != NULL ? built : TG_INSTALLED_DATADIR;
    g_autofree char *path = g_build_filename(folder, relative, NULL);

    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return g_steal_pointer(&path);
    g_set_error(error, TG_ERROR, TG_ERROR_INPUT,
                "data file '%s' is not there; set TEXGAUGE_DATADIR to the folder that has it",
                path);
    return NULL;
}
