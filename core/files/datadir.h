/* Where the project's own data files are. */
#pragma once

#include <texgauge/types.h>

/**
 * The path of a data file: below $TEXGAUGE_DATADIR if that is set, else in the source tree when the
 * library runs from its build folder, else in the first of these that has it: the folder `data`
 * beside the file with this code (a Python package), `share/texgauge` of the prefix that it lies
 * in, wherever that was moved, and the data folder of the prefix that was configured.
 *
 * @relative: for example "samples/manifest.ini"
 *
 * Returns: (transfer full) the path, or NULL with TG_ERROR_INPUT naming the places looked at
 */
char *tg_datadir_find(const char *relative, GError **error);
