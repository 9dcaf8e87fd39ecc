/* Edits in words. */
#pragma once

#include "metrics/forte/detail.h"

/**
 * What a run of edits does, for people: "lost superscript 2", "2 read as Z (look-alike)".
 *
 * @first, @end: the run among the edits; see tg_forte_runs()
 *
 * Returns: (transfer full) one line, of a bounded length
 */
char *tg_forte_words(const TgForteComparison *comparison, guint first, guint end);

/** Whether the token at @at ends or divides a construct, as `)` and `|den|` do. */
gboolean tg_forte_is_end(const GArray *tokens, guint at);
