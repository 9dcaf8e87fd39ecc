/* Exact coverage of pixels by outlines, by signed areas summed along columns. */
#include "render/paint/drawing.h"

#include <math.h>
#include <string.h>

#include "core/deadline.h"

#define LEAST_COVERAGE 0.125

/* The part of the picture that one mark touches. There are a row of cells more than of pixels above
   it, two below, and a column or some right of it: a segment leaves part of its area in the
   cell below it, and rows are summed from the one above and by fours. */
typedef struct {
    double *cells;
    gint x, y; /* of the top left pixel in the picture */
    gint width, height, stride;
    double origin_x, origin_y; /* from the marks' coordinates to the mask's */
} Mask;

/* x and y in the mask's coordinates: pixels from its top left corner, y downwards. A processor with
 * vectors computes both at once. */
typedef double Point __attribute__((vector_size(16)));
typedef gint64 PointTest __attribute__((vector_size(16)));
enum { X, Y };

/* ---- Segments -------------------------------------------------------------------------------- */

/* ceil() of what is not negative; floor() of that is a cast. The library's are calls. */
static inline gint mask_ceil(double x)
{
    const gint whole = (gint) x;

    return whole + (whole < x);
}

/* Within one column, a segment over several pixels, from @first to @last: add_in_column(). */
static void add_over_pixels(double *column, gsize stride, gint first, gint last, double top,
                            double bottom, double d)
{
    const double slope = 1 / (bottom - top); /* columns per pixel */
    const double in_first = first + 1 - top, in_last = bottom - last;
    const double area_first = 0.5 * slope * in_first * in_first;
    const double area_last = 0.5 * slope * in_last * in_last;
    double *cell = column + (gsize) first * stride;

    *cell += d * area_first;
    cell += stride;
    if (last == first + 1) {
        *cell += d * (1 - area_first - area_last);
    } else {
        const double second = slope * (0.5 + in_first);
        *cell += d * (second - area_first);
        for (gint i = first + 2; i < last; i++)
            *(cell += stride) += d * slope;
        *(cell += stride) += d * (1 - (second + (last - first - 2) * slope) - area_last);
    }
    cell[stride] += d * area_last;
}

/* Within one column of pixels, a segment from @y to @next that goes right by @d (signed by
 * direction). */
static inline void add_in_column(double *column, gsize stride, double y, double next, double d)
{
    const gint first = (gint) y, last = (gint) next;

    if (first == last) { /* most pieces of a curve are that short */
        double *cell = column + (gsize) first * stride;
        const double area = d * (0.5 * (y + next) - first); /* above the segment, in its pixel */

        cell[0] += d - area;
        cell[stride] += area;
    } else if (first < last) {
        add_over_pixels(column, stride, first, last, y, next, d);
    } else {
        add_over_pixels(column, stride, last, first, next, y, d);
    }
}

/* Add a segment that may cross columns, within the mask. */
static inline void add_in_columns(double *column, gsize stride, double y, double dydx, double left,
                                  double right, double direction)
{
    const gint last = (gint) right;
    gint x = (gint) left;

    if (x < last) {
        const double width = x + 1 - left, next = y + dydx * width;

        add_in_column(column, stride, y, next, width * direction);
        y = next;
        for (x++, column++; x < last; x++, column++) {
            const double below = y + dydx;
            add_in_column(column, stride, y, below, direction);
            y = below;
        }
        left = last;
    }
    if (left < right)
        add_in_column(column, stride, y, y + dydx * (right - left), (right - left) * direction);
}

/* Add a segment that leaves the mask. */
static void mask_add_clipped(Mask *mask, double y, double dydx, double left, double right,
                             double direction)
{
    const gint end = MIN(mask_ceil(right), mask->width);
    const double bottom = mask->height;

    if (left < 0) {
        y -= dydx * left;
        left = 0;
    }
    for (gint x = (gint) left; x < end; x++) {
        const double width = MIN((double) x + 1, right) - MAX((double) x, left);
        const double next = y + dydx * width;

        add_in_column(mask->cells + x, (gsize) mask->stride, CLAMP(y, 0, bottom),
                      CLAMP(next, 0, bottom), width * direction);
        y = next;
    }
}

/* Add a segment: in each column that it crosses, it changes the coverage below itself. */
static void mask_add_segment(Mask *mask, Point from, Point to, gboolean is_inside)
{
    const gboolean rightwards = from[X] < to[X];
    const double left = rightwards ? from[X] : to[X], right = rightwards ? to[X] : from[X];

    if (!(left < right))
        return;
    const double direction = rightwards ? 1 : -1, y = rightwards ? from[Y] : to[Y];
    const double dydx = (to[Y] - from[Y]) / (to[X] - from[X]);

    if (is_inside)
        add_in_columns(mask->cells + (gint) left, (gsize) mask->stride, y, dydx, left, right,
                       direction);
    else
        mask_add_clipped(mask, y, dydx, left, right, direction);
}

static gboolean mask_has(const Mask *mask, const Point *points, guint n)
{
    const Point least = { 0, 0 }, most = { mask->width, mask->height };
    PointTest inside = { -1, -1 };

    for (guint i = 0; i < n; i++)
        inside &= (points[i] >= least) & (points[i] <= most);
    return inside[X] != 0 && inside[Y] != 0;
}

/* Add a line through @points. Most pieces of a curve stay within a column of pixels. */
static void mask_add_line(Mask *mask, const Point *points, guint n)
{
    const gsize stride = (gsize) mask->stride;
    const gboolean is_inside = mask_has(mask, points, n);

    for (guint i = 1; i < n; i++) {
        const Point from = points[i - 1], to = points[i];
        const gint x = (gint) to[X];

        if (is_inside && (gint) from[X] == x)
            add_in_column(mask->cells + x, stride, from[Y], to[Y], to[X] - from[X]);
        else
            mask_add_segment(mask, from, to, is_inside);
    }
}

/* ---- Paths ----------------------------------------------------------------------------------- */

enum { MAX_CHORDS = 101, MAX_POINTS = 256 };

/* The points that the pen passed, and where its contour began. */
typedef struct {
    Point points[MAX_POINTS];
    Point start;
    Mask *mask;
    guint n;
} Pen;

static void pen_flush(Pen *pen)
{
    mask_add_line(pen->mask, pen->points, pen->n);
    pen->points[0] = pen->points[pen->n - 1];
    pen->n = 1;
}

static void pen_line_to(Pen *pen, Point to)
{
    if (pen->n == MAX_POINTS)
        pen_flush(pen);
    pen->points[pen->n++] = to;
}

/* Add a cubic as chords, so many that none differs from the cubic by a tenth of a pixel. */
static void pen_curve_to(Pen *pen, Point p1, Point p2, Point p3)
{
    if (pen->n > MAX_POINTS - MAX_CHORDS)
        pen_flush(pen);
    const Point p0 = pen->points[pen->n - 1];
    const Point bend1 = p0 - 2 * p1 + p2, bend2 = p1 - 2 * p2 + p3;
    const double bend = fabs(bend1[X]) + fabs(bend2[X]) + fabs(bend1[Y]) + fabs(bend2[Y]);
    const gint n = 1 + (gint) MIN(sqrt(bend * 3), MAX_CHORDS - 1);
    /* the cubic as a polynomial in t */
    const Point c1 = 3 * (p1 - p0), c2 = 3 * (p2 - p1) - c1, c3 = p3 - p0 - c1 - c2;
    const double step = 1.0 / n;
    Point *out = pen->points + pen->n;

    for (gint i = 1; i < n; i++) {
        const double t = i * step;
        *out++ = p0 + t * (c1 + t * (c2 + t * c3));
    }
    *out = p3;
    pen->n += (guint) n;
}

static void mask_add_outline(Mask *mask, const TgOutline *outline, Point origin, Point scale)
{
    static const guint8 n_points[] = { 1, 1, 3, 0 };
    const double *in = outline->points;
    Pen pen;

    pen.mask = mask;
    pen.n = 1;
    pen.points[0] = pen.start = (Point){ 0, 0 };
    for (guint i = 0; i < outline->n_ops; i++) {
        Point p[3];
        for (guint k = 0; k < n_points[outline->ops[i]]; k++, in += 2)
            p[k] = origin + (Point){ in[0], in[1] } * scale;
        switch ((TgPathOp) outline->ops[i]) {
        case TG_PATH_MOVE:
            pen_flush(&pen);
            pen.points[0] = pen.start = p[0];
            break;
        case TG_PATH_LINE:
            pen_line_to(&pen, p[0]);
            break;
        case TG_PATH_CURVE:
            pen_curve_to(&pen, p[0], p[1], p[2]);
            break;
        case TG_PATH_CLOSE:
            pen_line_to(&pen, pen.start);
            break;
        }
    }
    pen_flush(&pen);
}

/* ---- Marks ----------------------------------------------------------------------------------- */

/* Cut 22 bits that tell a code point out of its box, in two rows: against the direction of the box.
 * The product mixes them, because an alphabet's letters differ in few of their lowest bits. */
static void mask_add_bits(Mask *mask, const TgMark *mark, double px_per_sp)
{
    enum { COLUMNS = 11, ROWS = 2 };
    const guint32 bits = mark->code * 2654435761u;
    const TgRect box = tg_mark_ink(mark, px_per_sp);
    const Point corner = { box.x0 + mask->origin_x, box.y0 + mask->origin_y };
    const Point size = { (box.x1 - box.x0) / (COLUMNS + 2), (box.y1 - box.y0) / (5 * ROWS + 1) };
    const Point down = { 0, 4 * size[Y] }, right = { size[X], 0 };

    for (guint bit = 0; bit < COLUMNS * ROWS; bit++) {
        const guint column = bit % COLUMNS, row = bit / COLUMNS;
        const Point place = { column + 1, row * 5 + 1 };
        const Point first = corner + place * size;
        const Point points[] = { first, first + down, first + down + right, first + right, first };

        if ((bits >> bit & 1) != 0)
            mask_add_line(mask, points, G_N_ELEMENTS(points));
    }
}

static void mask_add_mark(Mask *mask, const TgMark *mark, double px_per_sp, gboolean bits)
{
    if (mark->kind == TG_MARK_GLYPH) {
        const double size = (double) mark->size * px_per_sp;
        const Point origin = { (double) mark->x * px_per_sp + mask->origin_x,
                               (double) mark->y * px_per_sp + mask->origin_y };

        mask_add_outline(mask, mark->outline, origin, (Point){ size * mark->x_stretch, -size });
    } else {
        const TgPolygon polygon = tg_mark_polygon(mark, px_per_sp);
        const Point origin = { mask->origin_x, mask->origin_y };
        Point points[TG_POLYGON_CORNERS + 1];

        for (guint i = 0; i < polygon.n; i++)
            points[i] = (Point){ polygon.x[i], polygon.y[i] } + origin;
        points[polygon.n] = points[0];
        mask_add_line(mask, points, polygon.n + 1);
        if (bits && mark->kind == TG_MARK_UNICODE)
            mask_add_bits(mask, mark, px_per_sp);
    }
}

static inline void sum_row(double *restrict row, const double *restrict above, gint n)
{
    for (gint x = 0; x < n; x++)
        row[x] += above[x];
}

/* Fill @cells with the coverage of a mark, as differences along columns; FALSE for a mark without
   extent. @bits: the box of a character that no font of TeX has shows which one it is. */
static gboolean mask_mark(const TgFrame *frame, double px_per_sp, const TgMark *mark, gboolean bits,
                          GArray *cells, Mask *mask)
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
    mask->stride = (mask->width + 4) & ~3;

    const gsize n = (gsize) mask->stride * ((gsize) mask->height + 3);
    g_array_set_size(cells, (guint) n);
    memset(cells->data, 0, n * sizeof(double));
    mask->cells = (double *) (void *) cells->data + mask->stride;
    mask_add_mark(mask, mark, px_per_sp, bits);
    return TRUE;
}

/* The coverage of a row of cells from its differences and the row above, and a row of the picture.
 * Without a branch: edges of ink are hard to predict. */
static inline void fill_flat_row(double *restrict row, const double *restrict above, gint n,
                                 guint32 id, guint32 *restrict out)
{
    for (gint x = 0; x < n; x++) {
        row[x] += above[x];
        out[x] = fabs(row[x]) >= LEAST_COVERAGE ? id : out[x];
    }
}

static void fill_flat(const Mask *mask, const TgFrame *frame, guint32 id, guint32 *pixels)
{
    const gint first = MAX(0, -mask->x), room = (gint) frame->width - mask->x;
    const gint bottom = MIN(mask->height, (gint) frame->height - mask->y);
    const gint n = MIN(mask->stride, room) - first; /* cells beyond the mask are empty */
    double *row = mask->cells + first;

    for (gint y = 0; y < bottom; y++, row += mask->stride) {
        if (mask->y + y < 0)
            sum_row(row, row - mask->stride, n);
        else
            fill_flat_row(row, row - mask->stride, n, id,
                          pixels + (gssize) (mask->y + y) * frame->width + mask->x + first);
    }
}

void tg_paint_flat_mark(const TgFrame *frame, double px_per_sp, const TgMark *mark, guint32 value,
                        guint32 *pixels)
{
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(double));
    Mask mask;

    if (mask_mark(frame, px_per_sp, mark, FALSE, cells, &mask))
        fill_flat(&mask, frame, value, pixels);
}

void tg_paint_flat(const TgDrawing *drawing, guint32 *pixels)
{
    for (guint i = 0; i < drawing->n_marks; i++)
        tg_paint_flat_mark(&drawing->frame, drawing->px_per_sp, &drawing->marks[i],
                           drawing->marks[i].token & 0xFFFFFF, pixels);
}

/* The gray of a mark: of a background that of its color, as programs for pictures convert it (ITU-R
 * BT.601). Ink is black in every color but white, so that a colored formula is the formula. */
static double gray_of(const TgMark *mark)
{
    const guint red = mark->color >> 16 & 0xFF, green = mark->color >> 8 & 0xFF;
    const guint blue = mark->color & 0xFF;

    if (mark->token != TG_NO_TOKEN)
        return mark->color == 0xFFFFFF ? 255 : 0;
    return (red * 299 + green * 587 + blue * 114) / 1000.0;
}

void tg_paint_gray(const TgDrawing *drawing, guint8 *pixels)
{
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < drawing->n_marks && !tg_deadline_spend(100); i++) {
        const TgMark *mark = &drawing->marks[i];
        const double gray = gray_of(mark);
        Mask mask;

        if (mask_mark(&drawing->frame, drawing->px_per_sp, mark, TRUE, cells, &mask))
            for (gint y = 0; y < mask.height; y++) {
                double *row = mask.cells + (gsize) y * (gsize) mask.stride;
                guint8 *out = pixels + (gsize) (mask.y + y) * drawing->frame.width + mask.x;

                sum_row(row, row - mask.stride, mask.width);
                for (gint x = 0; x < mask.width; x++) {
                    const double share = MIN(fabs(row[x]), 1.0);
                    out[x] = (guint8) (out[x] * (1 - share) + gray * share + 0.5);
                }
            }
    }
}
