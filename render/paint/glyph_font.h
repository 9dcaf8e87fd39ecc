/* The glyphs of a document as one font, for formats that hold fonts. */
#pragma once

#include <cairo.h>

#include "render/fonts/face.h"

G_BEGIN_DECLS

/**
 * Begin a font for the glyphs of a document: all that is painted on @surface is only collected,
 * in order to be painted again on the document's own surface.
 */
void tg_glyph_font_collect(cairo_surface_t *surface);

/**
 * Make the font of what was painted on @collected, and use it for what is painted on @surface. A
 * document with one small font has a fraction of the bytes of one with every face at every size.
 */
void tg_glyph_font_use(cairo_surface_t *surface, cairo_surface_t *collected);

/**
 * Show a glyph in Cairo's colour as text.
 *
 * @sx, @sy: size of the font, in pixels
 *
 * Returns: FALSE where the surface has no font with the glyph; nothing is painted then
 */
gboolean tg_glyph_font_show(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                            double sy);

G_END_DECLS
