/* Pictures for people: a drawing painted with Cairo, as pixels or as PNG, SVG or PDF. */
#include "render/paint/drawing.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "core/fail.h"
#include "tokenizer/tree/tree.h"

/* ---- Marks ----------------------------------------------------------------------------------- */

void tg_set_color(cairo_t *cr, guint32 rgb, double alpha)
{
    cairo_set_source_rgba(cr, (rgb >> 16) / 255.0, ((rgb >> 8) & 0xFF) / 255.0,
                          (rgb & 0xFF) / 255.0, alpha);
}

void tg_outline_path(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                     double sy)
{
    static const guint8 n_points[] = { 1, 1, 3, 0 };
    const double *p = outline->points;

    for (guint i = 0; i < outline->n_ops; p += 2 * n_points[outline->ops[i++]])
        switch ((TgPathOp) outline->ops[i]) {
        case TG_PATH_MOVE:
            cairo_move_to(cr, x + p[0] * sx, y - p[1] * sy);
            break;
        case TG_PATH_LINE:
            cairo_line_to(cr, x + p[0] * sx, y - p[1] * sy);
            break;
        case TG_PATH_CURVE:
            cairo_curve_to(cr, x + p[0] * sx, y - p[1] * sy, x + p[2] * sx, y - p[3] * sy,
                           x + p[4] * sx, y - p[5] * sy);
            break;
        case TG_PATH_CLOSE:
            cairo_close_path(cr);
            break;
        }
}

const TgOutline *tg_paint_unicode_outline(const TgDrawing *drawing, const TgMark *mark, double *x,
                                          double *y, double *stretch)
{
    const double scale = drawing->px_per_sp, size = (double) mark->size * scale;
    const double width = (double) mark->width * scale;
    TgFace *face = tg_fonts_fallback(drawing->fonts, mark->code);
    const TgOutline *outline = face != NULL ? tg_face_outline(face, mark->code, NULL) : NULL;

    if (outline == NULL || outline->n_ops == 0)
        return NULL;
    const double advance = outline->advance * size;
    /* a wider character would overlap its neighbors */
    *stretch = advance > width ? width / advance : 1;
    *x = (double) mark->x * scale + (width - advance * *stretch) / 2;
    *y = (double) mark->y * scale + size * (g_unichar_iswide(mark->code) ? 0.88 : 0.7);
    return outline;
}

char *tg_drawing_missing(const TgDrawing *drawing)
{
    enum { MOST = 40 };
    g_autoptr(GString) missing = g_string_new(NULL);
    guint n = 0;

    for (guint i = 0; i < drawing->n_marks && n < MOST; i++) {
        const TgMark *mark = &drawing->marks[i];
        double x, y, stretch;

        if (mark->kind == TG_MARK_UNICODE && g_utf8_strchr(missing->str, -1, mark->code) == NULL &&
            tg_paint_unicode_outline(drawing, mark, &x, &y, &stretch) == NULL) {
            g_string_append_unichar(missing, mark->code);
            n++;
        }
    }
    return missing->len > 0 ? g_strdup(missing->str) : NULL;
}

static void paint_mark(cairo_t *cr, const TgDrawing *drawing, const TgMark *mark)
{
    const double scale = drawing->px_per_sp, size = (double) mark->size * scale;

    switch ((TgMarkKind) mark->kind) {
    case TG_MARK_GLYPH:
        tg_outline_path(cr, mark->outline, (double) mark->x * scale, (double) mark->y * scale,
                        size * mark->x_stretch, size);
        break;
    case TG_MARK_UNICODE: {
        double at_x, at_y, stretch;
        const TgOutline *outline = tg_paint_unicode_outline(drawing, mark, &at_x, &at_y, &stretch);

        if (outline != NULL) {
            tg_outline_path(cr, outline, at_x, at_y, size * stretch, size);
            break;
        }
        /* a frame is drawn for a character that no font has */
        const TgRect box = tg_mark_ink(mark, 1);
        const double w = TG_STROKE_WIDTH * scale, x = box.x0 * scale, y = box.y0 * scale;
        const double width = (box.x1 - box.x0) * scale, height = (box.y1 - box.y0) * scale;
        cairo_rectangle(cr, x, y, width, height);
        cairo_rectangle(cr, x + width - w, y + w, 2 * w - width,
                        height - 2 * w); /* the other way */
        break;
    }
    case TG_MARK_RULE:
    case TG_MARK_STROKE: {
        const TgPolygon polygon = tg_mark_polygon(mark, scale);

        for (guint i = 0; i < polygon.n; i++)
            cairo_line_to(cr, polygon.x[i], polygon.y[i]);
        cairo_close_path(cr);
        break;
    }
    }
    cairo_fill(cr);
}

void tg_paint_drawing(cairo_t *cr, const TgDrawing *drawing, TgMarkColor color_of,
                      gconstpointer data)
{
    cairo_save(cr);
    cairo_translate(cr, drawing->frame.origin_x, drawing->frame.origin_y);
    for (guint i = 0; i < drawing->n_marks; i++) {
        tg_set_color(cr, color_of(&drawing->marks[i], data), 1);
        paint_mark(cr, drawing, &drawing->marks[i]);
    }
    cairo_restore(cr);
}

/* ---- Canvases -------------------------------------------------------------------------------- */

/* The maximum number of pixels of a raster. */
#define MAX_PIXELS (1u << 28)

static gboolean check_size(const TgCanvas *canvas, gboolean pixels, GError **error)
{
    if (canvas->width <= TG_CANVAS_MAX_SIDE && canvas->height <= TG_CANVAS_MAX_SIDE &&
        (!pixels || (guint64) canvas->width * canvas->height <= MAX_PIXELS))
        return TRUE;
    return tg_fail(error, TG_ERROR_PARSE, "the picture would be %u x %u pixels, which is too large",
                   canvas->width, canvas->height);
}

static gboolean check_status(cairo_status_t status, const char *what, GError **error)
{
    return status == CAIRO_STATUS_SUCCESS ||
           tg_fail(error, TG_ERROR_OUTPUT, "cannot %s: %s", what, cairo_status_to_string(status));
}

static gboolean paint_surface(cairo_surface_t *surface, double unit, TgCanvasPaint paint,
                              gconstpointer data, GError **error)
{
    cairo_t *cr = cairo_create(surface);

    cairo_scale(cr, unit, unit);
    paint(cr, data);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    return check_status(status, "draw", error);
}

static cairo_surface_t *surface_of(const TgCanvas *canvas, guint32 *pixels)
{
    return cairo_image_surface_create_for_data((guchar *) pixels, CAIRO_FORMAT_RGB24,
                                               (int) canvas->width, (int) canvas->height,
                                               (int) canvas->width * 4);
}

/* A white picture, painted on; its pixels belong to the caller. A large one uses large pages, which
 * are faster at first use. */
static guint32 *paint_pixels(const TgCanvas *canvas, TgCanvasPaint paint, gconstpointer data,
                             GError **error)
{
    const gsize n = (gsize) canvas->width * canvas->height;

    if (!check_size(canvas, TRUE, error))
        return NULL;
    g_autofree guint32 *pixels = g_new(guint32, n);
#ifdef MADV_HUGEPAGE
    enum { PAGE = 2 << 20 };
    const gsize before = (PAGE - (gsize) pixels % PAGE) % PAGE, size = n * sizeof *pixels;

    if (size >= 2 * (gsize) PAGE) /* as many whole large pages as it has; if they are refused, small
                                     pages are used */
        (void) madvise((char *) pixels + before, (size - before) / PAGE * PAGE, MADV_HUGEPAGE);
#endif
    memset(pixels, 0xFF, n * sizeof *pixels);
    cairo_surface_t *surface = surface_of(canvas, pixels);
    const gboolean painted = paint_surface(surface, 1, paint, data, error);
    cairo_surface_destroy(surface);
    return painted ? g_steal_pointer(&pixels) : NULL;
}

static cairo_status_t append_bytes(void *closure, const guchar *data, guint length)
{
    g_byte_array_append(closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

GBytes *tg_canvas_encode(const TgCanvas *canvas, TgPictureFormat format, TgCanvasPaint paint,
                         gconstpointer data, GError **error)
{
    g_autoptr(GByteArray) out = g_byte_array_new();

    if (format == TG_FORMAT_PNG) {
        g_autofree guint32 *pixels = paint_pixels(canvas, paint, data, error);

        if (pixels == NULL)
            return NULL;
        cairo_surface_t *image = surface_of(canvas, pixels);
        const cairo_status_t status = cairo_surface_write_to_png_stream(image, append_bytes, out);
        cairo_surface_destroy(image);
        return check_status(status, "write PNG", error)
                   ? g_byte_array_free_to_bytes(g_steal_pointer(&out))
                   : NULL;
    }
    if (!check_size(canvas, FALSE, error))
        return NULL;

    const double unit = 72 / canvas->dpi; /* points of PDF and SVG */
    const double width = canvas->width * unit, height = canvas->height * unit;
    cairo_surface_t *surface =
        format == TG_FORMAT_PDF
            ? cairo_pdf_surface_create_for_stream(append_bytes, out, width, height)
            : cairo_svg_surface_create_for_stream(append_bytes, out, width, height);
    if (format == TG_FORMAT_PDF) /* the same bytes whenever it is written */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                       "1970-01-01T00:00:00Z");
    const gboolean painted = paint_surface(surface, unit, paint, data, error);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (!painted)
        return NULL;
    if (format == TG_FORMAT_SVG) {
        /* Cairo 1.16 numbers the surfaces of a process in the SVG: take that out, for the same
         * bytes */
        static const char attribute[] = " id=\"surface";
        const char *text = (const char *) out->data;
        const char *start = g_strstr_len(text, out->len, attribute);
        const char *end = start != NULL
                              ? memchr(start + strlen(attribute), '"',
                                       out->len - (gsize) (start - text) - strlen(attribute))
                              : NULL;

        if (end != NULL)
            g_byte_array_remove_range(out, (guint) (start - text), (guint) (end + 1 - start));
    }
    return g_byte_array_free_to_bytes(g_steal_pointer(&out));
}

/* ---- Single formulas ------------------------------------------------------------------------- */

/* A TgMarkColor; @data is a TgInkColors. */
static guint32 ink_color(const TgMark *mark, gconstpointer data)
{
    /* colors that differ from their neighbors' and are dark on white */
    static const guint32 palette[] = {
        0x1B6CA8, 0xC8452D, 0x2F8F46, 0x8C4AA8, 0xB27300,
        0x00888A, 0xC2327A, 0x5A6B00, 0x4B55C4, 0x9A4A20,
    };

    const TgInkColors colors = *(const TgInkColors *) data;

    if (colors == TG_INK_TOKENS)
        return mark->token == TG_NO_TOKEN ? 0 : palette[mark->token % G_N_ELEMENTS(palette)];
    return colors == TG_INK_FLAT ? mark->token & 0xFFFFFF : mark->color;
}

typedef struct {
    const TgDrawing *drawing;
    TgInkColors colors;
} Formula;

static void paint_formula(cairo_t *cr, gconstpointer data)
{
    const Formula *formula = data;
    /* Cairo would smooth the edges; a vector format has no pixels */
    guchar *pixels = cairo_image_surface_get_data(cairo_get_target(cr));

    if (formula->colors == TG_INK_FLAT && pixels != NULL)
        tg_paint_flat(formula->drawing, (guint32 *) (gpointer) pixels);
    else
        tg_paint_drawing(cr, formula->drawing, ink_color, &formula->colors);
}

TgRaster *tg_drawing_raster(const TgDrawing *drawing, TgInkColors colors, GError **error)
{
    g_return_val_if_fail(drawing != NULL, NULL);

    const TgCanvas canvas = { drawing->frame.width, drawing->frame.height, drawing->dpi };
    const Formula formula = { drawing, colors };
    guint32 *pixels = paint_pixels(&canvas, paint_formula, &formula, error);
    if (pixels == NULL)
        return NULL;

    const gsize n = (gsize) canvas.width * canvas.height;
    for (gsize i = 0; i < n; i++)
        pixels[i] &= 0xFFFFFF; /* the upper byte is undefined */
    TgRaster *raster = g_new(TgRaster, 1);
    *raster = (TgRaster){ canvas.width, canvas.height, pixels };
    return raster;
}

void tg_raster_free(TgRaster *raster)
{
    if (raster == NULL)
        return;
    g_free(raster->pixels);
    g_free(raster);
}

GBytes *tg_drawing_encode(const TgDrawing *drawing, TgPictureFormat format, TgInkColors colors,
                          GError **error)
{
    g_return_val_if_fail(drawing != NULL, NULL);

    const TgCanvas canvas = { drawing->frame.width, drawing->frame.height, drawing->dpi };
    const Formula formula = { drawing, colors };

    return tg_canvas_encode(&canvas, format, paint_formula, &formula, error);
}
