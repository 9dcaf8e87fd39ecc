/* Truth above prediction for eyes: tokens aligned, differences marked. */
#pragma once

#include <glib.h>

/**
 * Append both sources, one above the other in lines of at most @width columns, with ^ under what
 * differs by the smallest number of edits of tokens; white space between tokens is no difference.
 * Lines without a difference are left out but for the first, with "..." in their place. Control
 * characters become visible.
 *
 * @truth, @prediction: UTF-8; formulas of more than 2000 differing tokens are not aligned
 * @width: of the page; at least 40 are used
 */
void tg_side_by_side_append(GString *out, const char *truth, const char *prediction, guint width);
