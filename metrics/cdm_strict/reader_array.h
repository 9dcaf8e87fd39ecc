/* Arrays: lines of elements that know their column. */
#pragma once

#include "metrics/cdm_strict/rows.h"

/** An array with its fences; @splice puts its rows one behind the other into the open row. */
void tg_strict_read_array(TgStrictReader *self, const TgNode *node, gboolean splice);

/** Whether the array @node is lines of a text, as against entries that stand for themselves. */
gboolean tg_strict_is_lines(const TgNode *node);

/** The first or last thing in a list that makes ink, or NULL. */
const TgNode *tg_strict_first(const TgNode *list);
const TgNode *tg_strict_last(const TgNode *list);
