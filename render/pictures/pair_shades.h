/* Few colours for a picture in pixels. */
#pragma once

#include "render/paint/canvas.h"

G_BEGIN_DECLS

/**
 * Reduce the shades at the edges of ink, which are most of the bytes of a PNG; areas and lines keep
 * their colours.
 *
 * @pixels: 0x00RRGGBB or 0xFFRRGGBB, as tg_canvas_pixels() returns them
 * @steps: from none to full of a colour at an edge, 255 at most
 */
void tg_pair_reduce_shades(const TgCanvas *canvas, guint32 *pixels, guint steps);

G_END_DECLS
