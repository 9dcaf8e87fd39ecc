/* Which formulas are not given to TeX. */
#pragma once

#include <glib.h>

/**
 * Look for commands that reach beyond the formula: into files, into the formulas after it, into
 * Lua, or that build names which cannot be looked for.
 *
 * Returns: (transfer full) why @latex is refused, or NULL
 */
char *tg_tex_refuse(const char *latex);
