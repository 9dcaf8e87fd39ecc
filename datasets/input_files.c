#include "datasets/input_files.h"

#include <glob.h>
#include <string.h>

#include "core/fail.h"

gboolean tg_input_is_pattern(const char *path)
{
    return strpbrk(path, "*?[") != NULL && !g_file_test(path, G_FILE_TEST_EXISTS);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

static GPtrArray *files_in_folder(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    const char *name;

    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        char *file = g_build_filename(path, name, NULL);

        if (*name != '.' && !g_file_test(file, G_FILE_TEST_IS_DIR))
            g_ptr_array_add(files, file);
        else
            g_free(file);
    }
    return files;
}

static GPtrArray *files_of_pattern(const char *pattern)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    glob_t found = { 0 };

    if (glob(pattern, 0, NULL, &found) == 0)
        for (gsize i = 0; i < found.gl_pathc; i++)
            if (!g_file_test(found.gl_pathv[i], G_FILE_TEST_IS_DIR))
                g_ptr_array_add(files, g_strdup(found.gl_pathv[i]));
    globfree(&found);
    return files;
}

char **tg_input_files(const char *path, GError **error)
{
    const gboolean is_pattern = tg_input_is_pattern(path);
    const char *const alone[] = { path, NULL };

    if (!is_pattern && !g_file_test(path, G_FILE_TEST_IS_DIR))
        return g_strdupv((char **) alone);
    g_autoptr(GPtrArray) files = is_pattern ? files_of_pattern(path) : files_in_folder(path);
    if (files->len == 0) {
        tg_fail_input(error, is_pattern ? "%s: matches no file" : "%s: the folder has no files",
                      path);
        return NULL;
    }
    g_ptr_array_sort(files, by_name); /* whatever the locale, and the order on the disk */
    g_ptr_array_add(files, NULL);
    return (char **) g_ptr_array_steal(files, NULL);
}
