#include "render/paint/outline_path.h"

void tg_outline_path(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                     double sy)
{
    const double *p = outline->points;

    for (guint i = 0; i < outline->n_ops; i++) {
        switch ((TgPathOp) outline->ops[i]) {
        case TG_PATH_MOVE:
            cairo_move_to(cr, x + p[0] * sx, y - p[1] * sy);
            p += 2;
            break;
        case TG_PATH_LINE:
            cairo_line_to(cr, x + p[0] * sx, y - p[1] * sy);
            p += 2;
            break;
        case TG_PATH_CURVE:
            cairo_curve_to(cr, x + p[0] * sx, y - p[1] * sy, x + p[2] * sx, y - p[3] * sy,
                           x + p[4] * sx, y - p[5] * sy);
            p += 6;
            break;
        case TG_PATH_CLOSE:
            cairo_close_path(cr);
            break;
        }
    }
}
