/* Positions in the picture of a pair: drawings, captions, labels, lines, notes, legend. */
#pragma once

#include "render/pictures/pair_parts.h"

G_BEGIN_DECLS

/**
 * Lay a picture out; borrows @picture and @options.
 *
 * Returns: FALSE with @error set as tg_renderer_draw() does
 */
gboolean tg_pair_layout_init(TgPairLayout *layout, const TgPairPicture *picture,
                             TgRenderer *renderer, const TgPairPictureOptions *options,
                             GError **error);
void tg_pair_layout_clear(TgPairLayout *layout);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgPairLayout, tg_pair_layout_clear)

G_END_DECLS
