/* Which characters of a drawing no font has. */
#pragma once

#include <texgauge/render.h>

G_BEGIN_DECLS

/**
 * The characters of @drawing that no installed font has, each once in their order, the first 40 of
 * them; they are drawn as frames.
 *
 * Returns: (transfer full) UTF-8, or NULL when there are none
 */
char *tg_drawing_missing(const TgDrawing *drawing);

G_END_DECLS
