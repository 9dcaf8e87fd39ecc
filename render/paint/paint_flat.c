/* Exact coverage of pixels by outlines, by signed areas summed along rows. */
#include "render/paint/paint_flat.h"

#include <math.h>
#include <string.h>

#include "core/deadline.h"

#define LEAST_COVERAGE 0.125

/* The part of the picture that one mark touches. A row has two cells more than pixels: a segment
   leaves part of its area in the cell right of it. */
typedef struct {
    double *cells;
    gint x, y; /* of the top left pixel in the picture */
    gint width, height, stride;
    double origin_x, origin_y; /* from the marks' coordinates to the mask's */
} Mask;

/* ---- Segments -------------------------------------------------------------------------------- */

/* ceil() of what is not negative; floor() of that is a cast. The library's are calls. */
static inline gint mask_ceil(double x)
{
    const gint whole = (gint) x;

    return whole + (whole < x);
}

/* Within one row of pixels, a segment over several of them: mask_add_in_row(). */
static void mask_add_across(double *row, double left, double right, double d)
{
    const gint i = (gint) left, last = mask_ceil(right), n = last - i;
    const double slope = 1 / (right - left); /* rows per pixel */
    const double in_first = 1 - (left - i), in_last = right - (last - 1);
    const double area_first = 0.5 * slope * in_first * in_first;
    const double area_last = 0.5 * slope * in_last * in_last;

    row[i] += d * area_first;
    if (n == 2) {
        row[i + 1] += d * (1 - area_first - area_last);
    } else {
        const double second = slope * (0.5 + in_first);
        row[i + 1] += d * (second - area_first);
        for (gint k = 2; k < n - 1; k++)
            row[i + k] += d * slope;
        row[i + n - 1] += d * (1 - (second + (n - 3) * slope) - area_last);
    }
    row[i + n] += d * area_last;
}

/* Within one row of pixels, a segment from @x to @next that descends by @d (signed by direction).
 */
static inline void mask_add_in_row(double *row, double x, double next, double d)
{
    const double left = MIN(x, next), right = MAX(x, next);
    const gint i = (gint) left;

    if (right <= i + 1) {
        const double area = 0.5 * (x + next) - i; /* left of the segment, in its pixel */
        row[i] += d - d * area;
        row[i + 1] += d * area;
    } else {
        mask_add_across(row, left, right, d);
    }
}

/* The same for a segment over several rows, within the mask. */
static void mask_add_in_rows(double *row, gsize stride, double x, double dxdy, double top,
                             double bottom, double direction)
{
    gint y = (gint) top;
    double next = x + dxdy * (y + 1 - top);

    mask_add_in_row(row, x, next, (y + 1 - top) * direction);
    for (y++, row += stride; y + 1 <= bottom; y++, row += stride) {
        x = next;
        next = x + dxdy;
        mask_add_in_row(row, x, next, direction);
    }
    if (y < bottom)
        mask_add_in_row(row, next, next + dxdy * (bottom - y), (bottom - y) * direction);
}

/* The same for a segment that leaves the mask. */
static void mask_add_clipped(Mask *mask, double x, double dxdy, double top, double bottom,
                             double direction)
{
    const gint end = MIN(mask_ceil(bottom), mask->height);
    const double right = mask->width;

    for (gint y = MAX((gint) top, 0); y < end; y++) {
        const double height = MIN((double) y + 1, bottom) - MAX((double) y, top);
        const double next = x + dxdy * height;

        mask_add_in_row(mask->cells + (gsize) y * (gsize) mask->stride, CLAMP(x, 0, right),
                        CLAMP(next, 0, right), height * direction);
        x = next;
    }
}

/* A segment adds, in each row that it crosses, how much it turns on right of itself. */
static void mask_add_segment(Mask *mask, double x0, double y0, double x1, double y1)
{
    const double top = MIN(y0, y1), bottom = MAX(y0, y1);

    if (!(top < bottom))
        return;
    const gsize stride = (gsize) mask->stride;
    const gint y = (gint) top;
    const double direction = y0 < y1 ? 1 : -1, x = y0 < y1 ? x0 : x1;

    if (!(top >= 0 && bottom <= mask->height && MIN(x0, x1) >= 0 && MAX(x0, x1) <= mask->width))
        mask_add_clipped(mask, x, (x1 - x0) / (y1 - y0), top, bottom, direction);
    else if (bottom <= y + 1) /* most pieces of a curve are that short */
        mask_add_in_row(mask->cells + (gsize) y * stride, x0, x1, y1 - y0);
    else
        mask_add_in_rows(mask->cells + (gsize) y * stride, stride, x, (x1 - x0) / (y1 - y0), top,
                         bottom, direction);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* Where the pen is and where its contour began, in the mask's coordinates. */
typedef struct {
    Mask *mask;
    double x, y, start_x, start_y;
} Pen;

static void pen_line_to(Pen *pen, double x, double y)
{
    mask_add_segment(pen->mask, pen->x, pen->y, x, y);
    pen->x = x;
    pen->y = y;
}

/* A cubic as chords; enough of them that none strays from it by a tenth of a pixel. */
static void pen_curve_to(Pen *pen, const double *p)
{
    const double x0 = pen->x, y0 = pen->y;
    const double bend = fabs(x0 - 2 * p[0] + p[2]) + fabs(p[0] - 2 * p[2] + p[4]) +
                        fabs(y0 - 2 * p[1] + p[3]) + fabs(p[1] - 2 * p[3] + p[5]);
    const gint n = 1 + (gint) MIN(sqrt(bend * 3), 100);
    /* the cubic as a polynomial in t */
    const double x1 = 3 * (p[0] - x0), x2 = 3 * (p[2] - p[0]) - x1, x3 = p[4] - x0 - x1 - x2;
    const double y1 = 3 * (p[1] - y0), y2 = 3 * (p[3] - p[1]) - y1, y3 = p[5] - y0 - y1 - y2;

    for (gint i = 1; i < n; i++) {
        const double t = (double) i / n;
        pen_line_to(pen, x0 + t * (x1 + t * (x2 + t * x3)), y0 + t * (y1 + t * (y2 + t * y3)));
    }
    pen_line_to(pen, p[4], p[5]);
}

static void mask_add_outline(Mask *mask, const TgOutline *outline, double x, double y, double sx,
                             double sy)
{
    static const guint8 n_points[] = { 1, 1, 3, 0 };
    const double *in = outline->points;
    Pen pen = { mask, 0, 0, 0, 0 };

    for (guint i = 0; i < outline->n_ops; i++) {
        double p[6];
        for (guint k = 0; k < n_points[outline->ops[i]]; k++, in += 2) {
            p[2 * k] = x + in[0] * sx;
            p[2 * k + 1] = y - in[1] * sy;
        }
        switch ((TgPathOp) outline->ops[i]) {
        case TG_PATH_MOVE:
            pen = (Pen){ mask, p[0], p[1], p[0], p[1] };
            break;
        case TG_PATH_LINE:
            pen_line_to(&pen, p[0], p[1]);
            break;
        case TG_PATH_CURVE:
            pen_curve_to(&pen, p);
            break;
        case TG_PATH_CLOSE:
            pen_line_to(&pen, pen.start_x, pen.start_y);
            break;
        }
    }
}

static void mask_add_polygon(Mask *mask, const TgPolygon *polygon)
{
    for (guint i = 0; i < polygon->n; i++) {
        const guint next = (i + 1) % polygon->n;
        mask_add_segment(mask, polygon->x[i] + mask->origin_x, polygon->y[i] + mask->origin_y,
                         polygon->x[next] + mask->origin_x, polygon->y[next] + mask->origin_y);
    }
}

/* ---- Marks ----------------------------------------------------------------------------------- */

static void mask_add_mark(Mask *mask, const TgMark *mark, double px_per_sp)
{
    if (mark->kind == TG_MARK_GLYPH) {
        const double size = (double) mark->size * px_per_sp;
        mask_add_outline(mask, mark->outline, (double) mark->x * px_per_sp + mask->origin_x,
                         (double) mark->y * px_per_sp + mask->origin_y, size * mark->x_stretch,
                         size);
    } else {
        const TgPolygon polygon = tg_mark_polygon(mark, px_per_sp);
        mask_add_polygon(mask, &polygon);
    }
}

/* Fill @cells with the coverage of a mark, as differences along rows; FALSE for a mark without
   extent. */
static gboolean mask_mark(const TgFrame *frame, double px_per_sp, const TgMark *mark, GArray *cells,
                          Mask *mask)
{
    const TgRect ink = tg_mark_ink(mark, px_per_sp);

    *mask = (Mask){ .x = (gint) floor(ink.x0), .y = (gint) floor(ink.y0) };
    mask->width = (gint) ceil(ink.x1) - mask->x;
    mask->height = (gint) ceil(ink.y1) - mask->y;
    if (mask->width <= 0 || mask->height <= 0)
        return FALSE;
    mask->origin_x = -mask->x;
    mask->origin_y = -mask->y;
    mask->x += frame->origin_x;
    mask->y += frame->origin_y;
    mask->stride = mask->width + 2;

    const gsize n = (gsize) mask->stride * (gsize) mask->height;
    g_array_set_size(cells, (guint) n);
    memset(cells->data, 0, n * sizeof(double));
    mask->cells = (double *) (void *) cells->data;
    mask_add_mark(mask, mark, px_per_sp);
    return TRUE;
}

/* Without a branch: edges of ink are hard to predict. */
static inline void put_flat(guint32 *pixel, double coverage, guint32 id)
{
    *pixel = fabs(coverage) >= LEAST_COVERAGE ? id : *pixel;
}

/* The part of a row of the mask that lies in the picture's row @out. */
static void fill_row(const Mask *mask, const double *row, gint last, guint32 id, guint32 *out)
{
    double sum = 0;

    for (gint x = 0; x < last; x++) {
        sum += row[x];
        if (mask->x + x >= 0)
            put_flat(&out[mask->x + x], sum, id);
    }
}

/* Four rows side by side: each sum has to wait for the addition before it. */
static void fill_four_rows(const double *row, gsize stride, gint last, guint32 id, guint32 *out,
                           gsize width)
{
    const double *const rows[] = { row, row + stride, row + 2 * stride, row + 3 * stride };
    guint32 *const outs[] = { out, out + width, out + 2 * width, out + 3 * width };
    double a = 0, b = 0, c = 0, d = 0;

    for (gint x = 0; x < last; x++) {
        a += rows[0][x];
        b += rows[1][x];
        c += rows[2][x];
        d += rows[3][x];
        put_flat(&outs[0][x], a, id);
        put_flat(&outs[1][x], b, id);
        put_flat(&outs[2][x], c, id);
        put_flat(&outs[3][x], d, id);
    }
}

static void fill_flat(const Mask *mask, const TgFrame *frame, guint32 id, guint32 *pixels)
{
    const gint last = MIN(mask->width, (gint) frame->width - mask->x);
    const gint bottom = MIN(mask->height, (gint) frame->height - mask->y);
    gint y = MAX(0, -mask->y);

    while (y < bottom) {
        const double *row = mask->cells + (gsize) y * (gsize) mask->stride;
        guint32 *out = pixels + (gssize) (mask->y + y) * frame->width;

        if (mask->x >= 0 && y + 4 <= bottom) {
            fill_four_rows(row, (gsize) mask->stride, last, id, out + mask->x, frame->width);
            y += 4;
        } else {
            fill_row(mask, row, last, id, out);
            y++;
        }
    }
}

void tg_paint_flat_mark(const TgFrame *frame, double px_per_sp, const TgMark *mark, guint32 value,
                        guint32 *pixels)
{
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(double));
    Mask mask;

    if (mask_mark(frame, px_per_sp, mark, cells, &mask))
        fill_flat(&mask, frame, value, pixels);
}

void tg_paint_flat(const TgDrawing *drawing, guint32 *pixels)
{
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < drawing->n_marks; i++) {
        const TgMark *mark = &drawing->marks[i];
        Mask mask;

        if (mask_mark(&drawing->frame, drawing->px_per_sp, mark, cells, &mask))
            fill_flat(&mask, &drawing->frame, mark->token & 0xFFFFFF, pixels);
    }
}

static void fill_grey(const Mask *mask, guint8 *pixels, guint picture_width)
{
    for (gint y = 0; y < mask->height; y++) {
        const double *row = mask->cells + (gsize) y * (gsize) mask->stride;
        guint8 *out = pixels + (gsize) (mask->y + y) * picture_width + mask->x;
        double sum = 0;

        for (gint x = 0; x < mask->width; x++) {
            sum += row[x];
            out[x] = (guint8) (out[x] * (1 - MIN(fabs(sum), 1.0)) + 0.5);
        }
    }
}

void tg_paint_grey(const TgDrawing *drawing, guint8 *pixels)
{
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < drawing->n_marks && !tg_too_long(100); i++) {
        Mask mask;

        if (mask_mark(&drawing->frame, drawing->px_per_sp, &drawing->marks[i], cells, &mask))
            fill_grey(&mask, pixels, drawing->frame.width);
    }
}
