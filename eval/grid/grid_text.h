/* A grid as aligned text and as Markdown. */
#pragma once

#include "eval/grid/grid_form.h"

/** Append as aligned text or Markdown. */
void tg_grid_append_aligned(GString *out, const TgGrid *grid, const TgGridForm *form);

/** Append @text and a line feed, in lines of at most @width columns (0: in one), broken at spaces;
 * further lines begin with @indent spaces. */
void tg_wrap_append(GString *out, const char *text, guint indent, guint width);
