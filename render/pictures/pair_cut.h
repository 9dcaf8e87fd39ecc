/* Lines that pass behind ink: what is seen of them. */
#pragma once

#include "render/pictures/pair_parts.h"

G_BEGIN_DECLS

/** Append the boxes (TgRect) of a side's ink, as the drawing is placed now, to @boxes. */
void tg_pair_cut_ink(const TgPairLayout *layout, TgPairSide side, GArray *boxes);

/**
 * Take out of a line what lies in a box, but for boxes of the mark that it belongs to.
 *
 * @unit: of the layout; what is left in short pieces is left out
 * @own: box of that mark at the line's end
 * @own_start: box of the mark at the line's start, or NULL
 * @seen: appended: TgPairSegment, from the start on; NULL: not wanted
 *
 * Returns: how much is taken out, as a share of the line
 */
double tg_pair_cut(TgPairSegment line, double unit, const GArray *boxes, const TgRect *own,
                   const TgRect *own_start, GArray *seen);

G_END_DECLS
