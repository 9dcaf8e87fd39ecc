/* Commands in a source that is not parsed, as it may be far from LaTeX. */
#pragma once

#include <glib.h>

/**
 * The end of a command with its argument, as `\tag*{1}`, of an argument that never ends that of the
 * command alone.
 *
 * @p: at the backslash
 * @never_closed: (inout) FALSE at the first call for a source; then no end is looked for in vain
 * twice
 *
 * Returns: the end, or @p where it is another command or has no group behind it
 */
const char *tg_source_command_end(const char *p, const char *command, gboolean *never_closed);
