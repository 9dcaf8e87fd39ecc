/* Exact boxes of the ink of marks and tokens, without drawing anything. */
#include "render/paint/drawing.h"

TgRect tg_mark_ink(const TgMark *mark, double px_per_sp)
{
    const double x = (double) mark->x, y = (double) mark->y;
    TgRect box = { x, y, (double) (mark->x + mark->width), (double) (mark->y + mark->height) };

    if (mark->kind == TG_MARK_GLYPH) {
        const TgOutline *outline = mark->outline;
        const double size = (double) mark->size;
        box = (TgRect){ x + outline->x_min * size * mark->x_stretch, y - outline->y_max * size,
                        x + outline->x_max * size * mark->x_stretch, y - outline->y_min * size };
    } else if (mark->kind == TG_MARK_UNICODE) {
        /* a little smaller than its box, so that neighbors do not touch */
        const double inset = (double) mark->size / 16;
        box = (TgRect){ box.x0 + inset, box.y0 + inset, box.x1 - inset, box.y1 - inset };
    }
    return (TgRect){ box.x0 * px_per_sp, box.y0 * px_per_sp, box.x1 * px_per_sp,
                     box.y1 * px_per_sp };
}

static TgPolygon rectangle_polygon(double x0, double y0, double x1, double y1)
{
    return (TgPolygon){ 4, { x0, x1, x1, x0 }, { y0, y0, y1, y1 } };
}

/* The corners of a stroke that stays inside its rectangle. */
static TgPolygon stroke_polygon(const TgMark *mark, const TgRect *box, double width)
{
    if (mark->code == TG_STROKE_ACROSS) {
        const double middle = (box->y0 + box->y1) / 2;
        return rectangle_polygon(box->x0, middle - width / 2, box->x1, middle + width / 2);
    }
    const double from = mark->code == TG_STROKE_UP ? box->y1 : box->y0;
    const double to = mark->code == TG_STROKE_UP ? box->y0 : box->y1;
    const double w = MIN(width, box->x1 - box->x0);
    const double h = MIN(width, box->y1 - box->y0) * (to > from ? 1 : -1);
    return (TgPolygon){ 6,
                        { box->x0, box->x0, box->x1 - w, box->x1, box->x1, box->x0 + w },
                        { from, from + h, to, to, to - h, from } };
}

TgPolygon tg_mark_polygon(const TgMark *mark, double px_per_sp)
{
    const TgRect box = tg_mark_ink(mark, px_per_sp);

    if (mark->kind == TG_MARK_STROKE)
        return stroke_polygon(mark, &box, TG_STROKE_WIDTH * px_per_sp);
    return rectangle_polygon(box.x0, box.y0, box.x1, box.y1);
}

gboolean tg_locate_all(const TgMark *marks, guint n_marks, double px_per_sp, TgRect *box)
{
    for (guint i = 0; i < n_marks; i++) {
        const TgRect ink = tg_mark_ink(&marks[i], px_per_sp);
        tg_rect_join(box, ink, i > 0);
    }
    return n_marks > 0;
}
