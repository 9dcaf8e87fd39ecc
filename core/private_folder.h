/* A folder of our own for the time of a job, gone afterwards whatever happens to us. */
#pragma once

#include <texgauge/types.h>

typedef struct TgPrivateFolder TgPrivateFolder;

/**
 * Make a folder that only this user can look into. A small process watches: when ours ends in
 * whatever way, even by a signal that cannot be caught, it removes the folder.
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
