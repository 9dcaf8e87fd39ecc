/* A pair's picture with Cairo. */
#include "render/pictures/pair_brush.h"
#include "render/pictures/pair_shades.h"

#define FINE_DPI 400 /* where an eye sees less of a pixel */

typedef struct {
    TgPairBrush base;
    cairo_t *cr;
} CairoBrush;

typedef struct {
    double scale;
    TgPairPaint paint;
    gconstpointer data;
} Job;

static cairo_t *cairo_of(TgPairBrush *brush)
{
    return ((CairoBrush *) brush)->cr;
}

static void add_rectangle(cairo_t *cr, TgRect box)
{
    cairo_rectangle(cr, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
}

static void stroke(cairo_t *cr, const TgPairPen *pen)
{
    cairo_set_dash(cr, pen->dashes, (int) pen->n_dashes, 0);
    cairo_set_line_width(cr, pen->width);
    tg_set_color(cr, pen->rgb, pen->opacity);
    cairo_stroke(cr);
}

static void brush_fill(TgPairBrush *brush, TgRect box, guint32 rgb, double opacity)
{
    tg_set_color(cairo_of(brush), rgb, opacity);
    add_rectangle(cairo_of(brush), box);
    cairo_fill(cairo_of(brush));
}

static void brush_frame(TgPairBrush *brush, TgRect box, const TgPairPen *pen)
{
    add_rectangle(cairo_of(brush), box);
    stroke(cairo_of(brush), pen);
}

static void brush_line(TgPairBrush *brush, TgPairSegment segment, const TgPairPen *pen)
{
    cairo_move_to(cairo_of(brush), segment.x0, segment.y0);
    cairo_line_to(cairo_of(brush), segment.x1, segment.y1);
    stroke(cairo_of(brush), pen);
}

static void brush_ink(TgPairBrush *brush, const TgPairInk *ink)
{
    cairo_t *cr = cairo_of(brush);

    cairo_save(cr);
    cairo_translate(cr, ink->x, ink->y);
    cairo_scale(cr, ink->zoom, ink->zoom);
    if (ink->clip != NULL) {
        add_rectangle(cr, *ink->clip);
        cairo_clip(cr);
    }
    tg_paint_drawing(cr, ink->drawing, ink->color, ink->data);
    cairo_restore(cr);
}

static guint32 color_of_text(const TgMark *mark, gconstpointer data)
{
    (void) mark;
    return ((const TgPairText *) data)->rgb;
}

static void brush_text(TgPairBrush *brush, const TgPairText *text)
{
    cairo_t *cr = cairo_of(brush);
    const TgFrame frame = tg_drawing_frame(text->drawing);

    cairo_save(cr);
    cairo_translate(cr, text->x - frame.origin_x, text->y - frame.origin_y);
    tg_paint_drawing(cr, text->drawing, color_of_text, text);
    cairo_restore(cr);
}

static void paint_canvas(cairo_t *cr, gconstpointer data)
{
    const Job *job = data;
    CairoBrush brush = { { brush_fill, brush_frame, brush_line, brush_ink, brush_text }, cr };

    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_scale(cr, job->scale, job->scale);
    job->paint(&brush.base, job->data);
}

GBytes *tg_pair_brush_cairo(const TgCanvas *canvas, double scale, TgPictureFormat format,
                            TgPairPaint paint, gconstpointer data, GError **error)
{
    const Job job = { scale, paint, data };

    if (format != TG_FORMAT_PNG)
        return tg_canvas_encode(canvas, format, paint_canvas, &job, error);

    g_autofree guint32 *pixels = tg_canvas_pixels(canvas, paint_canvas, &job, error);
    if (pixels == NULL)
        return NULL;
    tg_pair_reduce_shades(canvas, pixels, canvas->dpi * scale < FINE_DPI ? 7 : 4);
    return tg_canvas_encode_pixels(canvas, pixels, error);
}
