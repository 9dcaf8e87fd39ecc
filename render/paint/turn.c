/* Scaled and rotated marks, as outlines of their own. */
#include "render/paint/turn.h"

#include <math.h>
#include <string.h>

#include "core/deadline.h"
#include "render/paint/drawing.h"

static const guint8 points_of[] = {
    [TG_PATH_MOVE] = 1, [TG_PATH_LINE] = 1, [TG_PATH_CURVE] = 3, [TG_PATH_CLOSE] = 0
};

static guint n_points(const TgOutline *outline)
{
    guint n = 0;

    for (guint i = 0; i < outline->n_ops; i++)
        n += points_of[outline->ops[i]];
    return n;
}

static gpointer turn_copy(TgArena *arena, gconstpointer from, gsize size)
{
    return memcpy(tg_arena_alloc(arena, MAX(size, 1)), from, size);
}

/* A copy that belongs to no face. */
static TgOutline *copy_outline(const TgOutline *outline, TgArena *arena)
{
    TgOutline *copy = turn_copy(arena, outline, sizeof *outline);

    copy->ops = turn_copy(arena, outline->ops, outline->n_ops);
    copy->points = turn_copy(arena, outline->points, n_points(outline) * 2 * sizeof(double));
    copy->face = NULL;
    copy->measured = NULL;
    return copy;
}

/* The sides of a rule or stroke as an outline at 1 sp. */
static TgOutline *outline_of_polygon(const TgMark *mark, TgArena *arena)
{
    const TgPolygon polygon = tg_mark_polygon(mark, 1);
    TgOutline *outline = tg_arena_alloc(arena, sizeof *outline);

    *outline = (TgOutline){ .n_ops = polygon.n + 1 };
    outline->ops = tg_arena_alloc(arena, outline->n_ops);
    outline->points = tg_arena_alloc(arena, polygon.n * 2 * sizeof(double));
    for (guint i = 0; i < polygon.n; i++) {
        outline->ops[i] = i == 0 ? TG_PATH_MOVE : TG_PATH_LINE;
        outline->points[2 * i] = polygon.x[i] - (double) mark->x;
        outline->points[2 * i + 1] = (double) mark->y - polygon.y[i];
    }
    outline->ops[polygon.n] = TG_PATH_CLOSE;
    return outline;
}

/* ---- Extent ---------------------------------------------------------------------------------- */

static void extend(double *least, double *most, double value)
{
    *least = MIN(*least, value);
    *most = MAX(*most, value);
}

/* A coordinate of a cubic where it turns back between its ends. */
static void extend_by_cubic(double *least, double *most, double p0, double p1, double p2, double p3)
{
    const double a = -p0 + 3 * p1 - 3 * p2 + p3, b = 2 * (p0 - 2 * p1 + p2), c = p1 - p0;
    const double root = b * b - 4 * a * c;
    double t[2] = { -1, -1 };

    if (fabs(a) < 1e-12) {
        t[0] = b != 0 ? -c / b : -1;
    } else if (root >= 0) {
        t[0] = (-b + sqrt(root)) / (2 * a);
        t[1] = (-b - sqrt(root)) / (2 * a);
    }
    for (guint i = 0; i < 2; i++) {
        const double u = t[i], s = 1 - u;
        if (u > 0 && u < 1)
            extend(least, most,
                   s * s * s * p0 + 3 * s * s * u * p1 + 3 * s * u * u * p2 + u * u * u * p3);
    }
}

static void find_extent(TgOutline *outline)
{
    const double *p = outline->points, *last = p;

    outline->x_min = outline->y_min = G_MAXDOUBLE;
    outline->x_max = outline->y_max = -G_MAXDOUBLE;
    for (guint i = 0; i < outline->n_ops; i++) {
        const guint n = points_of[outline->ops[i]];
        if (n == 0)
            continue;
        if (n == 3) {
            extend_by_cubic(&outline->x_min, &outline->x_max, last[0], p[0], p[2], p[4]);
            extend_by_cubic(&outline->y_min, &outline->y_max, last[1], p[1], p[3], p[5]);
        }
        last = p + 2 * (n - 1);
        p += 2 * n;
        extend(&outline->x_min, &outline->x_max, last[0]);
        extend(&outline->y_min, &outline->y_max, last[1]);
    }
}

/* ---- Marks ----------------------------------------------------------------------------------- */

/* Boxes in boxes may ask for any factor: nothing gets further away than TeX's largest length. */
static double turn_clamp(double length)
{
    const double most = 1U << 30;

    return CLAMP(length, -most, most);
}

/* @size: of the font in sp */
static void turn_outline(TgOutline *outline, const TgTurnedItem *turned, double x_stretch,
                         double size)
{
    const guint n = n_points(outline);

    for (guint i = 0; i < n; i++) {
        const double x = outline->points[2 * i] * x_stretch, y = outline->points[2 * i + 1];
        outline->points[2 * i] = turn_clamp((turned->xx * x + turned->xy * y) * size) / size;
        outline->points[2 * i + 1] = turn_clamp((turned->yx * x + turned->yy * y) * size) / size;
    }
    find_extent(outline);
}

static TgScaled turn_round(double value)
{
    return (TgScaled) floor(turn_clamp(value) + 0.5);
}

/* The box around the turned box of a character of a fallback font. */
static void turn_box(TgMark *mark, const TgTurnedItem *turned)
{
    const double width = (double) mark->width, height = (double) mark->height;
    const double x = turned->xx * width, y = turned->yx * width;
    const double dx = -turned->xy * height, dy = -turned->yy * height; /* from its upper corners */

    mark->x += turn_round(MIN(x, 0) + MIN(dx, 0));
    mark->y -= turn_round(MAX(y, 0) + MAX(dy, 0));
    mark->width = turn_round(fabs(x) + fabs(dx));
    mark->height = turn_round(fabs(y) + fabs(dy));
    mark->size = turn_round((double) mark->size *
                            sqrt(fabs(turned->xx * turned->yy - turned->xy * turned->yx)));
}

void tg_turn_marks(GArray *marks, guint from, const TgTurnedItem *turned, TgScaled x, TgScaled y,
                   TgArena *arena)
{
    for (guint i = from; i < marks->len && !tg_too_long(20); i++) {
        TgMark *mark = &g_array_index(marks, TgMark, i);
        const double right = (double) (mark->x - x), up = (double) (y - mark->y);
        TgOutline *outline = NULL;

        if (mark->kind == TG_MARK_GLYPH)
            outline = mark->outline->face != NULL ? copy_outline(mark->outline, arena)
                                                  : (TgOutline *) mark->outline; /* ours */
        else if (mark->kind != TG_MARK_UNICODE)
            outline = outline_of_polygon(mark, arena);
        mark->x = x + turn_round(turned->xx * right + turned->xy * up);
        mark->y = y - turn_round(turned->yx * right + turned->yy * up);
        if (outline == NULL) {
            turn_box(mark, turned);
            continue;
        }
        mark->size = mark->kind == TG_MARK_GLYPH ? mark->size : 1;
        turn_outline(outline, turned, mark->x_stretch, (double) mark->size);
        mark->kind = TG_MARK_GLYPH;
        mark->x_stretch = 1;
        mark->width = mark->height = 0;
        mark->outline = outline;
    }
}

void tg_keep_turned(TgMark *marks, guint n, TgArena *arena)
{
    for (guint i = 0; i < n; i++) {
        if (marks[i].kind == TG_MARK_GLYPH && marks[i].outline->face == NULL)
            marks[i].outline = copy_outline(marks[i].outline, arena);
    }
}
