/* Labels of marks. */
#pragma once

#include "render/pictures/pair_parts.h"

G_BEGIN_DECLS

enum { TG_ROW_ABOVE, TG_ROW_BELOW, TG_N_ROWS };

/** The labels of a side in rows above and below the drawing; see tg_pair_labels_place(). */
typedef struct {
    GArray *labels[TG_N_ROWS];
    double height[TG_N_ROWS]; /**< 0: no label */
} TgPairLabels;

void tg_pair_labels_clear(TgPairLabels *labels);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgPairLabels, tg_pair_labels_clear)

/**
 * List the labels that are shown, each in the row to which the way is free, and there as near to
 * its box as the others allow. Where both ways are free: above the truth, below the prediction.
 *
 * Returns: FALSE with @error set as tg_renderer_draw() does
 */
gboolean tg_pair_labels_make(const TgPairLayout *layout, TgRenderer *renderer, TgPairSide side,
                             TgPairLabels *labels, GError **error);

/** Put them and their leaders on the layout. @top, @bottom: the edges of the drawing */
void tg_pair_labels_place(TgPairLayout *layout, const TgPairLabels *labels, TgPairSide side,
                          double top, double bottom);

G_END_DECLS
