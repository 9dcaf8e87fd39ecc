/* A folder of pictures with its index, which also says what in the folder is ours. */
#pragma once

#include "eval/select/picture_page.h"

typedef struct TgPictureFolder TgPictureFolder;

/**
 * Open a folder for writing, make it where it is not there.
 *
 * Returns: (transfer full) the folder, or NULL with TG_ERROR_OUTPUT: it cannot be made or written,
 * or it holds an index that is none of ours
 */
TgPictureFolder *tg_picture_folder_open(const char *path, const TgPictureFolderInfo *info,
                                        GError **error);

/**
 * Write a picture and its entry.
 *
 * @place: its place in the order, from 0
 * @picture: NULL when the entry has a fault
 *
 * Returns: FALSE with TG_ERROR_OUTPUT: a file of this name is there and none of ours, or it cannot
 * be written
 */
gboolean tg_picture_folder_add(TgPictureFolder *folder, const TgPictureEntry *entry, guint place,
                               GBytes *picture, GError **error);

/** Write what is left of the index; FALSE with TG_ERROR_OUTPUT. */
gboolean tg_picture_folder_finish(TgPictureFolder *folder, GError **error);

void tg_picture_folder_free(TgPictureFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPictureFolder, tg_picture_folder_free)
