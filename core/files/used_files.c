#include "core/files/used_files.h"

#include <string.h>

#define N_DIGITS 12

static void used_files_free(gpointer data)
{
    g_ptr_array_unref(data);
}

static GPrivate collection = G_PRIVATE_INIT(used_files_free); /* GPtrArray of char * */

void tg_used_files_begin(void)
{
    g_private_replace(&collection, g_ptr_array_new_with_free_func(g_free));
}

void tg_used_files_note(const char *path, const void *bytes, gsize len)
{
    GPtrArray *files = g_private_get(&collection);

    if (files == NULL)
        return;
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, len);
    g_ptr_array_add(files, g_strdup_printf("%s:%.*s", name, N_DIGITS, sum));
}

static int used_files_compare(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

char **tg_used_files_end(void)
{
    GPtrArray *files = g_private_get(&collection);
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();

    if (files != NULL) {
        g_ptr_array_sort(files, used_files_compare);
        for (guint i = 0; i < files->len; i++)
            if (i == 0 || strcmp(files->pdata[i], files->pdata[i - 1]) != 0)
                g_strv_builder_add(names, files->pdata[i]);
        g_private_replace(&collection, NULL);
    }
    return g_strv_builder_end(names);
}
