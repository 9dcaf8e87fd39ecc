/* A grid as aligned text and as Markdown. */
#pragma once

#include "eval/results/grid_form.h"

/** Append as aligned text or Markdown. */
void tg_grid_append_aligned(GString *out, const TgGrid *grid, const TgGridForm *form);
