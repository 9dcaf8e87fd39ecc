#define _GNU_SOURCE /* dladdr */
#include "core/files/datadir.h"

#include <dlfcn.h>
#include <string.h>

/* A file at the top of a build folder with the path of the source's data; never installed. */
#define BUILD_MARK "texgauge-datadir"

/* The folder of the file that holds this code: the shared library, or a program that links it
 * statically. Of a program dladdr() knows argv[0] alone, which is no path when the shell found it.
 */
static char *own_folder(void)
{
    static const char anchor = 0;
    Dl_info info;

    if (dladdr(&anchor, &info) == 0 || info.dli_fname == NULL)
        return NULL;
    g_autofree char *program = strchr(info.dli_fname, G_DIR_SEPARATOR) == NULL
                                   ? g_file_read_link("/proc/self/exe", NULL)
                                   : NULL;
    return g_path_get_dirname(program != NULL ? program : info.dli_fname);
}

/* The source's data folder when running from a build folder or up to two levels below, or NULL. */
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
