/* Whether elements that were paired stand in the same place of the two pictures. */
#pragma once

#include "metrics/cdm_strict/formula.h"

/** How far an element may stand above or below its row, in em: half the height of an x. */
#define TG_STRICT_RISE_EM 0.215

/** How far the cells of a column may be out of line, in em. */
#define TG_STRICT_SHIFT_EM 0.5

/**
 * Check the pairs of tg_strict_align(). A pair is in place when
 *   - both stand under the same roots, accents and frames, of those that have a partner,
 *   - they stand as high in their row as the row's other pairs do, relative to the size of the
 * font,
 *   - the cells of a grid that they are in are as much in line with their column.
 * The check is the same when the sides change places.
 *
 * @of_a, @of_b: partners of either side's elements
 * @in_place: (out) of each element of @a whether it has a partner and is in place
 */
void tg_strict_check_places(const TgStrictFormula *a, const TgStrictFormula *b, const guint32 *of_a,
                            const guint32 *of_b, gboolean *in_place);
