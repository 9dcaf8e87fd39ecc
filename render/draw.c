/* Painting a drawing with Cairo: PNG, SVG, PDF and pixels. */
#include <texgauge/render.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <string.h>

#include "render/drawing.h"
#include "render/outline_path.h"
#include "render/paint_flat.h"
#include "tokenizer/tree.h"

#define MAX_SIDE_PX  32767
#define MAX_PIXELS   (1u << 28)
#define NO_TOKEN_RGB 0xFFFFFFu
#define PT_PER_INCH  72.0 /* of PDF and SVG */

/* ---- Colours --------------------------------------------------------------------------------- */

/* A colour for each token, far from its neighbours' and dark enough on white. */
static guint32 token_color(guint32 token)
{
    static const guint32 palette[] = {
        0x1B6CA8, 0xC8452D, 0x2F8F46, 0x8C4AA8, 0xB27300,
        0x00888A, 0xC2327A, 0x5A6B00, 0x4B55C4, 0x9A4A20,
    };

    return token == TG_NO_TOKEN ? 0 : palette[token % G_N_ELEMENTS(palette)];
}

static guint32 color_of(const TgMark *mark, TgInkColors colors)
{
    switch (colors) {
    case TG_INK_TOKENS:
        return token_color(mark->token);
    case TG_INK_FLAT: /* vector formats; pixels are painted by tg_paint_flat() */
        return mark->token & 0xFFFFFF;
    case TG_INK_NATURAL:
    default:
        return mark->color;
    }
}

static void set_color(cairo_t *cr, guint32 rgb)
{
    cairo_set_source_rgb(cr, (rgb >> 16) / 255.0, ((rgb >> 8) & 0xFF) / 255.0,
                         (rgb & 0xFF) / 255.0);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static void add_polygon(cairo_t *cr, const TgPolygon *polygon)
{
    for (guint i = 0; i < polygon->n; i++)
        cairo_line_to(cr, polygon->x[i], polygon->y[i]);
    cairo_close_path(cr);
}

/* A character of a fallback font, centred in its em box; a frame when no font has it. */
static void add_unicode(cairo_t *cr, const TgDrawing *drawing, const TgMark *mark)
{
    const double scale = drawing->px_per_sp, size = (double) mark->size * scale;
    TgFace *face = tg_font_set_fallback(drawing->fonts, mark->code);
    const TgOutline *outline = face != NULL ? tg_face_outline(face, mark->code, NULL) : NULL;
    const TgInkBox box = tg_unicode_ink(mark);

    if (outline != NULL && outline->n_ops > 0) {
        const double room = (double) mark->width * scale - outline->advance * size;
        const double baseline =
            (double) mark->y * scale + size * (g_unichar_iswide(mark->code) ? 0.88 : 0.7);
        tg_outline_path(cr, outline, (double) mark->x * scale + room / 2, baseline, size, size);
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
        tg_outline_path(cr, mark->outline, (double) mark->x * scale, (double) mark->y * scale,
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

static void paint(cairo_t *cr, const TgDrawing *drawing, TgInkColors colors)
{
    guint32 last = 0;

    cairo_translate(cr, drawing->picture.origin_x, drawing->picture.origin_y);
    cairo_set_source_rgb(cr, 0, 0, 0);
    for (guint i = 0; i < drawing->n_marks; i++) {
        const TgMark *mark = &drawing->marks[i];
        const guint32 color = color_of(mark, colors);

        if (color != last)
            set_color(cr, color);
        last = color;
        paint_mark(cr, drawing, mark);
    }
}

/* ---- Pixels ---------------------------------------------------------------------------------- */

static gboolean check_size(const TgDrawing *drawing, gboolean pixels, GError **error)
{
    const TgPicture *picture = &drawing->picture;

    if (picture->width <= MAX_SIDE_PX && picture->height <= MAX_SIDE_PX &&
        (!pixels || (guint64) picture->width * picture->height <= MAX_PIXELS))
        return TRUE;
    g_set_error(error, TG_ERROR, TG_ERROR_PARSE,
                "the picture would be %u x %u pixels, which is too large", picture->width,
                picture->height);
    return FALSE;
}

static gboolean paint_surface(const TgDrawing *drawing, cairo_surface_t *surface, double unit,
                              TgInkColors colors, GError **error)
{
    cairo_t *cr = cairo_create(surface);

    cairo_scale(cr, unit, unit);
    paint(cr, drawing, colors);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "cannot draw: %s",
                    cairo_status_to_string(status));
    return status == CAIRO_STATUS_SUCCESS;
}

/* A white picture with the formula on it; its pixels belong to the caller. */
static guint32 *paint_pixels(const TgDrawing *drawing, TgInkColors colors, GError **error)
{
    const TgPicture *picture = &drawing->picture;

    if (!check_size(drawing, TRUE, error))
        return NULL;

    const gsize n = (gsize) picture->width * picture->height;
    g_autofree guint32 *pixels = g_new(guint32, n);
    memset(pixels, 0xFF, n * sizeof *pixels);
    if (colors == TG_INK_FLAT) {
        tg_paint_flat(drawing, pixels);
        return g_steal_pointer(&pixels);
    }
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (guchar *) pixels, CAIRO_FORMAT_RGB24, (int) picture->width, (int) picture->height,
        (int) picture->width * 4);
    const gboolean drawn = paint_surface(drawing, surface, 1, colors, error);
    cairo_surface_destroy(surface);
    return drawn ? g_steal_pointer(&pixels) : NULL;
}

TgRaster *tg_drawing_raster(const TgDrawing *drawing, TgInkColors colors, GError **error)
{
    g_return_val_if_fail(drawing != NULL, NULL);

    guint32 *pixels = paint_pixels(drawing, colors, error);
    if (pixels == NULL)
        return NULL;

    const gsize n = (gsize) drawing->picture.width * drawing->picture.height;
    for (gsize i = 0; i < n; i++)
        pixels[i] &= 0xFFFFFF;
    TgRaster *raster = g_new(TgRaster, 1);
    *raster = (TgRaster){ drawing->picture.width, drawing->picture.height, pixels };
    return raster;
}

void tg_raster_free(TgRaster *raster)
{
    if (raster == NULL)
        return;
    g_free(raster->pixels);
    g_free(raster);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static cairo_status_t append_bytes(void *closure, const guchar *data, guint length)
{
    g_byte_array_append(closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

static gboolean encode_png(const TgDrawing *drawing, TgInkColors colors, GByteArray *out,
                           GError **error)
{
    g_autofree guint32 *pixels = paint_pixels(drawing, colors, error);
    if (pixels == NULL)
        return FALSE;

    const TgPicture *picture = &drawing->picture;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (guchar *) pixels, CAIRO_FORMAT_RGB24, (int) picture->width, (int) picture->height,
        (int) picture->width * 4);
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append_bytes, out);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "cannot write PNG: %s",
                    cairo_status_to_string(status));
    return status == CAIRO_STATUS_SUCCESS;
}

/* Some versions of Cairo number the surfaces of a process in the SVG; take that out again. */
static void drop_surface_id(GByteArray *svg)
{
    static const char attribute[] = " id=\"surface";
    const char *text = (const char *) svg->data;
    const char *start = g_strstr_len(text, svg->len, attribute);
    const char *end = start != NULL ? memchr(start + strlen(attribute), '"',
                                             svg->len - (gsize) (start - text) - strlen(attribute))
                                    : NULL;

    if (end != NULL)
        g_byte_array_remove_range(svg, (guint) (start - text), (guint) (end + 1 - start));
}

/* Vector formats: one pixel of the picture is as large as at its resolution. */
static gboolean encode_vector(const TgDrawing *drawing, TgPictureFormat format, TgInkColors colors,
                              GByteArray *out, GError **error)
{
    const double unit = PT_PER_INCH / drawing->dpi;
    const double width = drawing->picture.width * unit, height = drawing->picture.height * unit;
    cairo_surface_t *surface =
        format == TG_FORMAT_PDF
            ? cairo_pdf_surface_create_for_stream(append_bytes, out, width, height)
            : cairo_svg_surface_create_for_stream(append_bytes, out, width, height);
    if (!check_size(drawing, FALSE, error)) {
        cairo_surface_destroy(surface);
        return FALSE;
    }
    if (format == TG_FORMAT_PDF) /* the same bytes whenever it is written */
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                       "1970-01-01T00:00:00Z");
    const gboolean drawn = paint_surface(drawing, surface, unit, colors, error);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (format == TG_FORMAT_SVG)
        drop_surface_id(out);
    return drawn;
}

GBytes *tg_drawing_encode(const TgDrawing *drawing, TgPictureFormat format, TgInkColors colors,
                          GError **error)
{
    g_return_val_if_fail(drawing != NULL, NULL);

    g_autoptr(GByteArray) out = g_byte_array_new();
    const gboolean done = format == TG_FORMAT_PNG
                              ? encode_png(drawing, colors, out, error)
                              : encode_vector(drawing, format, colors, out, error);
    return done ? g_byte_array_free_to_bytes(g_steal_pointer(&out)) : NULL;
}
