/* Painting a drawing's marks with Cairo, each in a colour that the caller decides. */
#pragma once

#include <cairo.h>

#include "render/paint/drawing.h"

G_BEGIN_DECLS

/** The colour of a mark, 0xRRGGBB. */
typedef guint32 (*TgMarkColor)(const TgMark *mark, gconstpointer data);

/** A TgMarkColor; @data is a TgInkColors. */
guint32 tg_ink_color(const TgMark *mark, gconstpointer data);

/** Set Cairo's colour, 0xRRGGBB. */
void tg_set_color(cairo_t *cr, guint32 rgb, double alpha);

/**
 * The outline of a character of a fallback font, centred in its em box, which a wider one is
 * narrowed to.
 *
 * @x, @y: (out) its reference point, in pixels from the start of the baseline
 * @stretch: (out) of its width, at most 1
 *
 * Returns: NULL when no font has it
 */
const TgOutline *tg_paint_unicode_outline(const TgDrawing *drawing, const TgMark *mark, double *x,
                                          double *y, double *stretch);

/** Paint a drawing, in its pixels, with the top left corner of its picture at (0, 0). */
void tg_paint_drawing(cairo_t *cr, const TgDrawing *drawing, TgMarkColor color, gconstpointer data);

G_END_DECLS
