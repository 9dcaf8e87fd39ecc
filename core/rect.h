/* Rectangles of doubles and of whole pixels. */
#pragma once

#include <texgauge/types.h>

/** Whole pixels, the last ones included; all zero when there is no ink in them. */
typedef struct {
    gint x0, y0, x1, y1;
    gboolean has_ink;
} TgPixelRect;

static inline TgRect tg_rect_moved(TgRect rect, double x, double y)
{
    return (TgRect){ rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y };
}

/** Join @rect to @sum; @any tells whether @sum holds something already. */
static inline void tg_rect_join(TgRect *sum, TgRect rect, gboolean any)
{
    *sum = any ? (TgRect){ MIN(sum->x0, rect.x0), MIN(sum->y0, rect.y0), MAX(sum->x1, rect.x1),
                           MAX(sum->y1, rect.y1) }
               : rect;
}

static inline TgPixelRect tg_pixel_rect_moved(TgPixelRect rect, gint x, gint y)
{
    return (TgPixelRect){ rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y, rect.has_ink };
}

/** Join @rect to @sum; either may be without ink. */
static inline void tg_pixel_rect_join(TgPixelRect *sum, TgPixelRect rect)
{
    if (sum->has_ink && rect.has_ink)
        *sum = (TgPixelRect){ MIN(sum->x0, rect.x0), MIN(sum->y0, rect.y0), MAX(sum->x1, rect.x1),
                              MAX(sum->y1, rect.y1), TRUE };
    else if (rect.has_ink)
        *sum = rect;
}
