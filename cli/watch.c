#include "cli/watch.h"

#include <glib/gstdio.h>
#include <string.h>

static int compare_paths(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(const char *const *) a, *(const char *const *) b);
}

static void add_folder(GPtrArray *paths, const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const char *name;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (g_str_has_suffix(name, ".jsonl"))
            g_ptr_array_add(names, g_build_filename(folder, name, NULL));
    }
    g_ptr_array_sort(names, compare_paths);
    g_ptr_array_extend_and_steal(paths, g_steal_pointer(&names));
}

char **cli_watch_expand(char *const *inputs)
{
    GPtrArray *paths = g_ptr_array_new();

    for (guint i = 0; inputs[i] != NULL; i++) {
        if (g_file_test(inputs[i], G_FILE_TEST_IS_DIR))
            add_folder(paths, inputs[i]);
        else
            g_ptr_array_add(paths, g_strdup(inputs[i]));
    }
    g_ptr_array_add(paths, NULL);
    return (char **) g_ptr_array_free(paths, FALSE);
}

char *cli_watch_state(char *const *paths)
{
    GString *state = g_string_new(NULL);

    for (guint i = 0; paths[i] != NULL; i++) {
        const char *equals = strchr(paths[i], '=');
        const char *path = equals != NULL && !g_file_test(paths[i], G_FILE_TEST_EXISTS)
                               ? equals + 1 /* MODEL=FILE */
                               : paths[i];
        GStatBuf info = { 0 };

        if (g_stat(path, &info) == 0)
            g_string_append_printf(state, "%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", path,
                                   (gint64) info.st_size, (gint64) info.st_mtime);
    }
    return g_string_free(state, FALSE);
}

static char *state_of(char *const *inputs)
{
    g_auto(GStrv) paths = cli_watch_expand(inputs);

    return cli_watch_state(paths);
}

void cli_watch_wait(char *const *inputs, const char *state)
{
    g_autofree char *before = g_strdup(state);

    while (TRUE) {
        g_usleep(G_USEC_PER_SEC);
        g_autofree char *now = state_of(inputs);

        if (g_strcmp0(now, state) != 0 && g_strcmp0(now, before) == 0)
            return;
        g_free(before);
        before = g_steal_pointer(&now);
    }
}
