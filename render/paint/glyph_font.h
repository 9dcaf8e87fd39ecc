/* Glyphs of fonts, for formats that hold fonts. */
#pragma once

#include <cairo.h>

#include "render/fonts/face.h"

G_BEGIN_DECLS

/**
 * Show a glyph in Cairo's colour as text in its font, so that a PDF has the font and not a path.
 *
 * @sx, @sy: size of the font, in pixels
 *
 * Returns: FALSE where Cairo cannot use the font; nothing is painted then
 */
gboolean tg_glyph_font_show(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                            double sy);

G_END_DECLS
