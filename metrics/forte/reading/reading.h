/* FORTE's reading: a formula as canonical tokens with marks of structure. */
#pragma once

#include <texgauge/types.h>

#include "metrics/forte/reading/names.h"

/**
 * Read a formula tolerantly: faults of the source are repaired and counted.
 *
 * @tex: UTF-8, with or without dollars
 * @tokens: of TgForteToken; emptied, then filled
 * @out: what else was met
 *
 * Returns: TRUE, or FALSE with TG_ERROR_PARSE: a bound of the parser (depth, size) was exceeded
 */
gboolean tg_forte_read(TgForteNames *names, const char *tex, GArray *tokens, TgForteReading *out,
                       GError **error);
