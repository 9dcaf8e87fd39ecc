/* Lines between partners. */
#pragma once

#include "render/pictures/pair_parts.h"

G_BEGIN_DECLS

/** The partners that a line joins: what did not match, and what changed places. (transfer full,
 * of TgPairLine without segments) */
GArray *tg_pair_lines_choose(const TgPairPicture *picture, const TgPairPictureOptions *options,
                             double unit);

G_END_DECLS
