/* Truth above prediction for eyes: tokens aligned, differences marked. */
#pragma once

#include <glib.h>

/** A token, a piece of a source. */
typedef struct {
    const char *text; /**< UTF-8; need not end in NUL */
    gsize length;     /**< bytes */
} TgSideToken;

/**
 * Append both sources, one above the other in lines of at most @width columns, with ^ under what
 * differs by the smallest number of edits of tokens; white space between tokens is no difference.
 * Lines without a difference are left out but for the first, with "..." in their place. Control
 * characters become visible.
 *
 * @truth, @prediction: UTF-8; the first 10,000 tokens of each are shown
 * @width: of the page; at least 40 are used; after eight lines there is the number of tokens left
 */
void tg_side_by_side_append(GString *out, const char *truth, const char *prediction, guint width);

/** The same for tokens that are there already. @max_lines: 0 for all */
void tg_side_by_side_append_tokens(GString *out, const TgSideToken *truth, guint n_truth,
                                   const TgSideToken *prediction, guint n_prediction, guint width,
                                   guint max_lines);
