/* What is left of a formula once it is drawn: its inked elements and where they are. */
#pragma once

#include <texgauge/types.h>

/**
 * The inked elements of one drawn formula, in the order of the element list; an element without
 * ink is not in here. Borrows everything.
 */
typedef struct {
    const char *const *tokens; /**< @n names */
    const TgRect *boxes;       /**< @n boxes, in the cropped picture */
    guint n;
    double width_px, height_px; /**< of the cropped picture; positive when @n > 0 */
} TgCdmDrawing;
