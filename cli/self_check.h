/* Whether this installation scores as the official programs of CDM do. */
#pragma once

#include <texgauge/types.h>

/**
 * Score the bundled pairs of every dialect of `cdm`, and print what differs from the official
 * scores and a line of counts for each dialect.
 *
 * @all_equal: (out) whether none differs
 *
 * Returns: FALSE with @error set when they cannot be read, scored or printed
 */
gboolean cli_self_check(gboolean *all_equal, GError **error);
