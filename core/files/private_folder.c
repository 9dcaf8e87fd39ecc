/* A temporary folder, and the process that outlives ours to remove it. */
#include "core/files/private_folder.h"

#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

struct TgPrivateFolder {
    char *path;
    GPid watcher;
    gint pipe; /* closed when this process ends, for which the watcher waits */
};

static gboolean start_watcher(TgPrivateFolder *folder, GError **error)
{
    const char *argv[] = { "/bin/sh", "-c",
                           "trap '' INT TERM HUP QUIT PIPE; read -r line; rm -rf -- \"$0\"",
                           folder->path, NULL };

    return g_spawn_async_with_pipes("/", (char **) argv, NULL,
                                    G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                                        G_SPAWN_STDERR_TO_DEV_NULL,
                                    NULL, NULL, &folder->watcher, &folder->pipe, NULL, NULL, error);
}

TgPrivateFolder *tg_private_folder_new(GError **error)
{
    GError *cause = NULL;
    TgPrivateFolder *folder = g_new0(TgPrivateFolder, 1);

    folder->path = g_dir_make_tmp("texgauge-XXXXXX", &cause);
    if (folder->path != NULL && start_watcher(folder, &cause))
        return folder;
    g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "no temporary folder: %s", cause->message);
    g_error_free(cause);
    if (folder->path != NULL)
        g_rmdir(folder->path);
    g_free(folder->path);
    g_free(folder);
    return NULL;
}

const char *tg_private_folder_path(const TgPrivateFolder *folder)
{
    return folder->path;
}

void tg_private_folder_empty(TgPrivateFolder *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder->path, 0, NULL);
    const char *name;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *file = g_build_filename(folder->path, name, NULL);

        g_unlink(file); /* fails on folders */
    }
}

void tg_private_folder_free(TgPrivateFolder *folder)
{
    if (folder == NULL)
        return;
    close(folder->pipe); /* now the watcher removes everything */
    waitpid(folder->watcher, NULL, 0);
    g_spawn_close_pid(folder->watcher);
    g_free(folder->path);
    g_free(folder);
}
