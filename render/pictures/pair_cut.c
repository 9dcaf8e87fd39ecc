/* Cutting of lines at the ink that they would cross. */
#include "render/pictures/pair_cut.h"

#include <math.h>

#include "render/paint/drawing.h"

/* In pixels at 200 dpi. */
#define AROUND 4.0  /* between ink and a line's end */
#define SHORT  12.0 /* a shorter rest of a line is left out */

void tg_pair_cut_ink(const TgPairLayout *layout, TgPairSide side, GArray *boxes)
{
    const TgDrawing *drawing = layout->picture->sides[side].drawing;
    const double around = AROUND * layout->unit;

    for (guint i = 0; drawing != NULL && i < drawing->n_marks; i++) {
        const TgRect ink = tg_rect_moved(tg_mark_ink(&drawing->marks[i], drawing->px_per_sp),
                                         drawing->frame.origin_x, drawing->frame.origin_y);
        const TgRect placed = tg_pair_place_box(&layout->sides[side], ink);
        const TgRect box = { placed.x0 - around, placed.y0 - around, placed.x1 + around,
                             placed.y1 + around };

        g_array_append_val(boxes, box);
    }
}

/* From where to where on a line, 0 to 1. */
typedef struct {
    double from, to;
} Part;

/* Narrow @part to where from + t * by is between @low and @high. */
static void narrow(Part *part, double from, double by, double low, double high)
{
    if (fabs(by) < 1e-9) {
        if (from < low || from > high)
            part->to = -1;
        return;
    }
    const double a = (low - from) / by, b = (high - from) / by;
    part->from = MAX(part->from, MIN(a, b));
    part->to = MIN(part->to, MAX(a, b));
}

/* The part of a line inside a box; to <= from: none. */
static Part part_inside(TgPairSegment line, TgRect box)
{
    Part part = { 0, 1 };

    narrow(&part, line.x0, line.x1 - line.x0, box.x0, box.x1);
    narrow(&part, line.y0, line.y1 - line.y0, box.y0, box.y1);
    return part;
}

/* The ink of a mark is inside its box, but for what was put around the ink. */
static gboolean is_within(TgRect box, const TgRect *own)
{
    const double x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;

    return own != NULL && x >= own->x0 && x <= own->x1 && y >= own->y0 && y <= own->y1;
}

static gint compare_parts(gconstpointer a, gconstpointer b)
{
    const Part *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

static void append_seen(GArray *seen, double shortest, TgPairSegment line, double from, double to)
{
    const double x = line.x1 - line.x0, y = line.y1 - line.y0;
    const TgPairSegment part = { line.x0 + from * x, line.y0 + from * y, line.x0 + to * x,
                                 line.y0 + to * y };

    if (seen != NULL && hypot(part.x1 - part.x0, part.y1 - part.y0) >= shortest)
        g_array_append_val(seen, part);
}

double tg_pair_cut(TgPairSegment line, double unit, const GArray *boxes, const TgRect *own,
                   const TgRect *own_start, GArray *seen)
{
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(Part));
    const double shortest = SHORT * unit;
    double at = 0, hidden = 0;

    for (guint i = 0; i < boxes->len; i++) {
        const TgRect box = g_array_index(boxes, TgRect, i);
        const Part part = part_inside(line, box);

        if (part.to > part.from && !is_within(box, own) && !is_within(box, own_start))
            g_array_append_val(parts, part);
    }
    g_array_sort(parts, compare_parts);
    for (guint i = 0; i < parts->len; i++) {
        const Part *part = &g_array_index(parts, Part, i);

        if (part->from > at)
            append_seen(seen, shortest, line, at, part->from);
        hidden += MAX(0, part->to - MAX(at, part->from));
        at = MAX(at, part->to);
    }
    if (at < 1)
        append_seen(seen, shortest, line, at, 1);
    return hidden;
}
