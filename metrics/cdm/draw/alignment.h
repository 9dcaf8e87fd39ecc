/* What TeX makes of alignments that are wrong, written as alignments that are right. */
#pragma once

#include <texgauge/types.h>

/**
 * Rewrite the arrays of a coloured formula that TeX does not set as they are written:
 *
 * - more cells in a row than its preamble has columns: TeX ends the row there and begins another;
 * - `\hline` inside a cell, where the official normaliser leaves it. TeX ends the array with the
 *   word "height", sets the rest of the cell as a paragraph under it, all of that as wide as the
 *   page, further cells beside it at the right margin, and further rows below the display.
 *   Where a script makes the paragraph a formula, the cells go on in it.
 *
 * @coloured: of tg_cdm_elements()
 *
 * Returns: (transfer full) the source, with the same colours, or NULL with @error set to
 *   TG_ERROR_PARSE  TeX does not come to an end, or makes no page
 */
char *tg_cdm_mend_alignments(const char *coloured, GError **error);
