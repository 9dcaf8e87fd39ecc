/* Labels of marks. */
#pragma once

#include "render/pictures/pair_parts.h"

G_BEGIN_DECLS

/** The labels of a side in one row, and how high it is; see tg_pair_labels_place(). */
typedef struct {
    GArray *labels;
    double height;
} TgPairLabels;

void tg_pair_labels_clear(TgPairLabels *labels);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgPairLabels, tg_pair_labels_clear)

/**
 * List the labels that are shown, each as near to its box as the others allow.
 *
 * Returns: FALSE with @error set as tg_renderer_draw() does
 */
gboolean tg_pair_labels_make(const TgPairLayout *layout, TgRenderer *renderer, TgPairSide side,
                             TgPairLabels *labels, GError **error);

/** Put them and their leaders on the layout. @near: the edge of the drawing beside the row */
void tg_pair_labels_place(TgPairLayout *layout, const TgPairLabels *labels, TgPairSide side,
                          double near);

G_END_DECLS
