/* Files that commands write. */
#pragma once

#include "cli/cli.h"

/** Write a picture or boxes, or to stdout for "-"; FALSE with TG_ERROR_OUTPUT, also where a file of
 * another kind is there. */
gboolean cli_write_file(const char *path, const void *bytes, gsize n, GError **error);

/** The format that a name ends in, PNG for "-"; FALSE with TG_ERROR_USAGE. */
gboolean cli_picture_format(const char *path, TgPictureFormat *format, GError **error);
