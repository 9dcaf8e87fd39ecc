/* The flat list: every glyph and rule of a formula with position and token. */
#pragma once

#include "render/paint/mark.h"
#include "render/typeset/item.h"

G_BEGIN_DECLS

/**
 * Walk a formula's box and list its marks in the order of drawing, which is from left to right and
 * from top to bottom in each box.
 *
 * @marks: array of TgMark to append to
 * @arena: for outlines of glyphs that are scaled or turned, which have no face
 *
 * Returns: FALSE with @error set to TG_ERROR_FONT: an outline file is missing or broken.
 */
gboolean tg_flatten(const TgItem *box, GArray *marks, TgArena *arena, GError **error);

G_END_DECLS
