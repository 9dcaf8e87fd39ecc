/* A temporary folder that is removed however the process ends. */
#pragma once

#include <texgauge/types.h>

typedef struct TgPrivateFolder TgPrivateFolder;

/**
 * Make a folder that only this user can read. A small process removes it when ours ends, even by a
 * signal that cannot be caught.
 *
 * Returns: (transfer full) the folder, or NULL with TG_ERROR_OUTPUT
 */
TgPrivateFolder *tg_private_folder_new(GError **error);

const char *tg_private_folder_path(const TgPrivateFolder *folder);

/** Remove the files in it, but not folders. */
void tg_private_folder_empty(TgPrivateFolder *folder);

/** Remove it with all that is in it. */
void tg_private_folder_free(TgPrivateFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPrivateFolder, tg_private_folder_free)
