/* Where the project's own data files are. */
#pragma once

#include <texgauge/types.h>

/**
 * The path of a data file: below $TEXGAUGE_DATADIR if that is set, else in the source tree when the
 * library runs from its build folder, else in the installed data folder.
 *
 * @relative: for example "samples/manifest.ini"
 *
 * Returns: (transfer full) the path, or NULL with TG_ERROR_INPUT naming the places looked at
 */
char *tg_datadir_find(const char *relative, GError **error);
