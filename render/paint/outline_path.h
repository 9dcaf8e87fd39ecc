/* Outlines as paths of Cairo. */
#pragma once

#include <cairo.h>

#include "render/fonts/face.h"

G_BEGIN_DECLS

/** Add an outline to the path: its origin at (x, y), @sx and @sy units per em, y downwards. */
void tg_outline_path(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                     double sy);

G_END_DECLS
