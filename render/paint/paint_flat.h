/* Painting without Cairo: the flat picture, whose pixels are token ids, and the grey one. */
#pragma once

#include "render/paint/drawing.h"

/**
 * Paint a drawing on @pixels, which are as large as its frame and white.
 *
 * A pixel belongs to a token when its ink covers an eighth of it or more; of several, the one drawn
 * last has it. So strokes thinner than a pixel are not lost, as they are when only the middles of
 * pixels count, and the pixels of a token fill the box that tg_locate_tokens() gives it.
 * The arithmetic of both is plain and in double precision: the same bytes on every machine.
 */
void tg_paint_flat(const TgDrawing *drawing, guint32 *pixels);

/** Paint one mark on a picture in the same way: its pixels become @value, those beyond the edges
 * are dropped. */
void tg_paint_flat_mark(const TgFrame *frame, double px_per_sp, const TgMark *mark, guint32 value,
                        guint32 *pixels);

/**
 * Paint a drawing on @pixels, which are as large as its frame and white (255): each mark darkens
 * a pixel by the share of it that its ink covers.
 */
void tg_paint_grey(const TgDrawing *drawing, guint8 *pixels);
