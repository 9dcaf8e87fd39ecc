/* A grid as LaTeX, within the margins of an article on A4. */
#pragma once

#include "eval/grid/grid_form.h"

/**
 * Append a table with booktabs. What is wider than the text of an article becomes smaller, its long
 * texts break into lines, and its numbers stand in several tables below each other; what is
 * longer than a page is a longtable.
 */
void tg_grid_append_latex(GString *out, const TgGrid *grid, const TgGridForm *form);
