/* Marks that a matrix maps: what \scalebox and \rotatebox make. */
#pragma once

#include "core/arena.h"
#include "render/paint/mark.h"
#include "render/typeset/boxes/item.h"

G_BEGIN_DECLS

/**
 * Map the marks of @marks from @from on about (@x, @y) as @turned says. Each becomes a glyph with
 * an outline of its own, which has no face; only characters of fallback fonts stay what they are,
 * in the box around their turned one.
 *
 * @arena: for these outlines
 */
void tg_turn_marks(GArray *marks, guint from, const TgTurnedItem *turned, TgScaled x, TgScaled y,
                   TgArena *arena);

/** Copy the outlines of @marks that have no face to @arena, so that they live as long as it. */
void tg_keep_turned(TgMark *marks, guint n, TgArena *arena);

G_END_DECLS
