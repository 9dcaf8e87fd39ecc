/* Glyphs, rules and strokes as paths of Cairo. */
#include "render/paint/paint.h"

#include "render/paint/glyph_font.h"
#include "render/paint/outline_path.h"

void tg_set_color(cairo_t *cr, guint32 rgb, double alpha)
{
    cairo_set_source_rgba(cr, (rgb >> 16) / 255.0, ((rgb >> 8) & 0xFF) / 255.0,
                          (rgb & 0xFF) / 255.0, alpha);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* In a document with a font its glyph, shown at once; else a path. */
static void add_glyph(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                      double sy)
{
    if (!tg_glyph_font_show(cr, outline, x, y, sx, sy))
        tg_outline_path(cr, outline, x, y, sx, sy);
}

static void add_polygon(cairo_t *cr, const TgPolygon *polygon)
{
    for (guint i = 0; i < polygon->n; i++)
        cairo_line_to(cr, polygon->x[i], polygon->y[i]);
    cairo_close_path(cr);
}

const TgOutline *tg_paint_unicode_outline(const TgDrawing *drawing, const TgMark *mark, double *x,
                                          double *y, double *stretch)
{
    const double scale = drawing->px_per_sp, size = (double) mark->size * scale;
    const double width = (double) mark->width * scale;
    TgFace *face = tg_font_set_fallback(drawing->fonts, mark->code);
    const TgOutline *outline = face != NULL ? tg_face_outline(face, mark->code, NULL) : NULL;

    if (outline == NULL || outline->n_ops == 0)
        return NULL;
    const double advance = outline->advance * size;
    *stretch = advance > width ? width / advance : 1; /* neighbours would overlap */
    *x = (double) mark->x * scale + (width - advance * *stretch) / 2;
    *y = (double) mark->y * scale + size * (g_unichar_iswide(mark->code) ? 0.88 : 0.7);
    return outline;
}

/* A character of a fallback font, centred in its em box; a frame when no font has it. */
static void add_unicode(cairo_t *cr, const TgDrawing *drawing, const TgMark *mark)
{
    const double scale = drawing->px_per_sp, size = (double) mark->size * scale;
    const TgRect box = tg_unicode_ink(mark);
    double at_x, at_y, stretch;
    const TgOutline *outline = tg_paint_unicode_outline(drawing, mark, &at_x, &at_y, &stretch);

    if (outline != NULL) {
        add_glyph(cr, outline, at_x, at_y, size * stretch, size);
        return;
    }
    const double w = TG_STROKE_WIDTH * scale;
    const double x = box.x0 * scale, y = box.y0 * scale;
    const double width = (box.x1 - box.x0) * scale, height = (box.y1 - box.y0) * scale;
    cairo_rectangle(cr, x, y, width, height);
    cairo_rectangle(cr, x + width - w, y + w, 2 * w - width, height - 2 * w); /* the other way */
}

static void paint_mark(cairo_t *cr, const TgDrawing *drawing, const TgMark *mark)
{
    const double scale = drawing->px_per_sp;

    switch ((TgMarkKind) mark->kind) {
    case TG_MARK_GLYPH: {
        const double size = (double) mark->size * scale;
        add_glyph(cr, mark->outline, (double) mark->x * scale, (double) mark->y * scale,
                  size * mark->x_stretch, size);
        break;
    }
    case TG_MARK_UNICODE:
        add_unicode(cr, drawing, mark);
        break;
    case TG_MARK_RULE:
    case TG_MARK_STROKE: {
        const TgPolygon polygon = tg_mark_polygon(mark, scale);
        add_polygon(cr, &polygon);
        break;
    }
    }
    cairo_fill(cr);
}

void tg_paint_drawing(cairo_t *cr, const TgDrawing *drawing, TgMarkColor color_of,
                      gconstpointer data)
{
    guint32 last = 0;

    cairo_save(cr);
    cairo_translate(cr, drawing->frame.origin_x, drawing->frame.origin_y);
    cairo_set_source_rgb(cr, 0, 0, 0);
    for (guint i = 0; i < drawing->n_marks; i++) {
        const TgMark *mark = &drawing->marks[i];
        const guint32 color = color_of(mark, data);

        if (color != last)
            tg_set_color(cr, color, 1);
        last = color;
        paint_mark(cr, drawing, mark);
    }
    cairo_restore(cr);
}
