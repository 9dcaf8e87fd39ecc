/* Runs of neighbouring edits. */
#pragma once

#include <glib.h>

/**
 * Number the runs of edits from 0: losses of neighbouring tokens are one (a lost sub-expression),
 * so are additions and neighbouring edits of one slip; any other edit is one by itself.
 *
 * @edits: of TgForteEdit, from left to right
 *
 * Returns: (transfer full) [edits->len] the number of each edit's run
 */
guint *tg_forte_runs(const GArray *edits);
