#define _GNU_SOURCE /* for dladdr() and realpath() */
#include "core/files/datadir.h"
#include "core/fail.h"
#include "core/files/output.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

GPtrArray *tg_folder_names(const char *path, const char *suffix, GError **error)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, error);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const char *name;

    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL)
        if (g_str_has_suffix(name, suffix))
            g_ptr_array_add(names, g_strdup(name));
    tg_texts_sort(names);
    return names;
}

/* A file at the top of a build folder with the path of the source's data; never installed. */
#define BUILD_MARK "texgauge-datadir"

/* The folder of the file that holds this code: the shared library, a Python extension module, or a
 * program that links it statically. Links are resolved, so that a link to an installed program
 * leads to the program's data. */
static char *datadir_own_folder(void)
{
    static const char anchor = 0;
    Dl_info info;

    if (dladdr(&anchor, &info) == 0 || info.dli_fname == NULL)
        return NULL;
    /* For a program, dladdr() reports argv[0], which may not be a path. */
    g_autofree char *program =
        !g_path_is_absolute(info.dli_fname) ? g_file_read_link("/proc/self/exe", NULL) : NULL;
    g_autofree char *real = realpath(program != NULL ? program : info.dli_fname, NULL);

    return real != NULL ? g_path_get_dirname(real) : NULL;
}

/* The data folder of the source tree, if this code runs from the build folder or up to two levels
 * below it; else NULL. */
static char *datadir_of_build(const char *own_folder)
{
    g_autofree char *folder = g_strdup(own_folder);

    for (guint level = 0; level < 3; level++) {
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
    /* Folders to look in, first match first: the folder of a package; PREFIX/bin and PREFIX/lib;
     * PREFIX/lib/TRIPLET. */
    static const char *const beside[] = { "data", "../share/texgauge", "../../share/texgauge" };
    g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);
    const char *chosen = g_getenv("TEXGAUGE_DATADIR");
    g_autofree char *own = chosen == NULL ? datadir_own_folder() : NULL;
    char *built = own != NULL ? datadir_of_build(own) : NULL;

    if (chosen != NULL)
        g_ptr_array_add(folders, g_strdup(chosen));
    if (built != NULL)
        g_ptr_array_add(folders, built);
    for (guint i = 0; own != NULL && built == NULL && i < G_N_ELEMENTS(beside); i++)
        g_ptr_array_add(folders, g_canonicalize_filename(beside[i], own));
    if (chosen == NULL && built == NULL)
        g_ptr_array_add(folders, g_strdup(TG_INSTALLED_DATADIR));
    g_ptr_array_add(folders, NULL);

    for (guint i = 0; g_ptr_array_index(folders, i) != NULL; i++) {
        g_autofree char *path = g_build_filename(g_ptr_array_index(folders, i), relative, NULL);
        if (g_file_test(path, G_FILE_TEST_EXISTS))
            return g_steal_pointer(&path);
    }
    g_autofree char *looked = g_strjoinv(", ", (char **) folders->pdata);
    return tg_null_input(error,
                         "no data file '%s' in %s; set TEXGAUGE_DATADIR to the folder that has it",
                         relative, looked);
}

/* ---- files that were read ---- */

#define N_DIGITS 12

static GPrivate collection =
    G_PRIVATE_INIT((GDestroyNotify) g_ptr_array_unref); /* GPtrArray of char * */

void tg_used_files_begin(void)
{
    g_private_replace(&collection, g_ptr_array_new_with_free_func(g_free));
}

void tg_used_files_note(const char *path, const void *bytes, gsize len)
{
    GPtrArray *files = g_private_get(&collection);

    tg_run_files_note(path);
    if (files == NULL)
        return;
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, len);
    g_ptr_array_add(files, g_strdup_printf("%s:%.*s", name, N_DIGITS, sum));
}

GMappedFile *tg_used_file_map(const char *path, gsize most, GError **error)
{
    g_autoptr(GError) local = NULL;
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &local);

    if (file == NULL)
        return tg_null_input(error, "%s", local->message);
    if (g_mapped_file_get_length(file) > most)
        return tg_null_input(error, "%s: larger than %u MB", path, (guint) (most >> 20));
    tg_used_files_note(path, g_mapped_file_get_contents(file), g_mapped_file_get_length(file));
    return g_steal_pointer(&file);
}

char **tg_used_files_end(void)
{
    GPtrArray *files = g_private_get(&collection);
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();

    if (files != NULL) {
        tg_texts_sort(files);
        for (guint i = 0; i < files->len; i++)
            if (i == 0 || strcmp(files->pdata[i], files->pdata[i - 1]) != 0)
                g_strv_builder_add(names, files->pdata[i]);
        g_private_replace(&collection, NULL);
    }
    return g_strv_builder_end(names);
}
