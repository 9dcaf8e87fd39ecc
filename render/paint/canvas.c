/* Surfaces of Cairo for each format, with the same bytes at every run. */
#include "render/paint/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <png.h>
#include <string.h>

#include "core/fail.h"
#include "render/paint/glyph_font.h"

#define PT_PER_INCH 72.0 /* of PDF and SVG */

gboolean tg_canvas_check(const TgCanvas *canvas, gboolean pixels, GError **error)
{
    if (canvas->width <= TG_CANVAS_MAX_SIDE && canvas->height <= TG_CANVAS_MAX_SIDE &&
        (!pixels || (guint64) canvas->width * canvas->height <= TG_CANVAS_MAX_PIXELS))
        return TRUE;
    return tg_fail(error, TG_ERROR_PARSE, "the picture would be %u x %u pixels, which is too large",
                   canvas->width, canvas->height);
}

static gboolean check_status(cairo_status_t status, const char *what, GError **error)
{
    if (status != CAIRO_STATUS_SUCCESS)
        g_set_error(error, TG_ERROR, TG_ERROR_OUTPUT, "cannot %s: %s", what,
                    cairo_status_to_string(status));
    return status == CAIRO_STATUS_SUCCESS;
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

/* ---- Pixels ---------------------------------------------------------------------------------- */

static cairo_surface_t *surface_of(const TgCanvas *canvas, guint32 *pixels)
{
    return cairo_image_surface_create_for_data((guchar *) pixels, CAIRO_FORMAT_RGB24,
                                               (int) canvas->width, (int) canvas->height,
                                               (int) canvas->width * 4);
}

guint32 *tg_canvas_pixels(const TgCanvas *canvas, TgCanvasPaint paint, gconstpointer data,
                          GError **error)
{
    if (!tg_canvas_check(canvas, TRUE, error))
        return NULL;

    const gsize n = (gsize) canvas->width * canvas->height;
    g_autofree guint32 *pixels = g_new(guint32, n);
    memset(pixels, 0xFF, n * sizeof *pixels);
    cairo_surface_t *surface = surface_of(canvas, pixels);
    const gboolean painted = paint_surface(surface, 1, paint, data, error);
    cairo_surface_destroy(surface);
    return painted ? g_steal_pointer(&pixels) : NULL;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static cairo_status_t append_bytes(void *closure, const guchar *data, guint length)
{
    g_byte_array_append(closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

static GBytes *encode_all_colors(const TgCanvas *canvas, guint32 *pixels, GError **error)
{
    g_autoptr(GByteArray) out = g_byte_array_new();
    cairo_surface_t *surface = surface_of(canvas, pixels);
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append_bytes, out);

    cairo_surface_destroy(surface);
    if (!check_status(status, "write PNG", error))
        return NULL;
    return g_byte_array_free_to_bytes(g_steal_pointer(&out));
}

#define RGB 0xFFFFFFu

/* The colours of a picture, as long as a palette holds them. */
typedef struct {
    guint32 colors[256];
    guint n;
    GHashTable *numbers; /* of colour to number + 1 */
} Palette;

static gboolean palette_find(Palette *palette, guint32 color, guint8 *number)
{
    const gpointer key = GUINT_TO_POINTER(color);
    guint known = GPOINTER_TO_UINT(g_hash_table_lookup(palette->numbers, key));

    if (known == 0) {
        if (palette->n == G_N_ELEMENTS(palette->colors))
            return FALSE;
        palette->colors[palette->n] = color;
        known = ++palette->n;
        g_hash_table_insert(palette->numbers, key, GUINT_TO_POINTER(known));
    }
    *number = (guint8) (known - 1);
    return TRUE;
}

/* The number of each pixel's colour; NULL: there are too many. (transfer full) */
static guint8 *palette_fill(Palette *palette, const guint32 *pixels, gsize n)
{
    g_autofree guint8 *numbers = g_new(guint8, n);

    for (gsize i = 0; i < n; i++) {
        if (i > 0 && ((pixels[i] ^ pixels[i - 1]) & RGB) == 0)
            numbers[i] = numbers[i - 1];
        else if (!palette_find(palette, pixels[i] & RGB, &numbers[i]))
            return NULL;
    }
    return g_steal_pointer(&numbers);
}

static void append_png(png_structp png, png_bytep data, png_size_t length)
{
    g_byte_array_append(png_get_io_ptr(png), data, (guint) length);
}

static void flush_nothing(png_structp png)
{
    (void) png;
}

/* FALSE where libpng jumps back because of an error. */
static gboolean write_palette(png_structp png, png_infop info, const TgCanvas *canvas,
                              const Palette *palette, const guint8 *numbers)
{
    const guint n = palette->n;
    const int bits = n <= 2 ? 1 : n <= 4 ? 2 : n <= 16 ? 4 : 8;
    png_color map[256];

    if (setjmp(png_jmpbuf(png)) != 0)
        return FALSE;
    for (guint i = 0; i < n; i++) {
        const guint32 rgb = palette->colors[i];
        map[i] = (png_color){ (guint8) (rgb >> 16), (guint8) (rgb >> 8), (guint8) rgb };
    }
    png_set_IHDR(png, info, canvas->width, canvas->height, bits, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, map, (int) n);
    png_set_compression_level(png, 9); /* a tenth less than the default */
    png_write_info(png, info);
    png_set_packing(png);
    for (guint y = 0; y < canvas->height; y++)
        png_write_row(png, numbers + (gsize) y * canvas->width);
    png_write_end(png, NULL);
    return TRUE;
}

static GBytes *encode_palette(const TgCanvas *canvas, const Palette *palette, const guint8 *numbers,
                              GError **error)
{
    g_autoptr(GByteArray) out = g_byte_array_new();
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    gboolean written = FALSE;

    if (info != NULL) {
        png_set_write_fn(png, out, append_png, flush_nothing);
        written = write_palette(png, info, canvas, palette, numbers);
    }
    png_destroy_write_struct(&png, &info);
    if (written)
        return g_byte_array_free_to_bytes(g_steal_pointer(&out));
    g_set_error_literal(error, TG_ERROR, TG_ERROR_OUTPUT, "cannot write PNG");
    return NULL;
}

GBytes *tg_canvas_encode_pixels(const TgCanvas *canvas, guint32 *pixels, GError **error)
{
    Palette palette = { .numbers = g_hash_table_new(NULL, NULL) };
    g_autofree guint8 *numbers =
        palette_fill(&palette, pixels, (gsize) canvas->width * canvas->height);

    g_hash_table_unref(palette.numbers);
    return numbers != NULL ? encode_palette(canvas, &palette, numbers, error)
                           : encode_all_colors(canvas, pixels, error);
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

/* Cairo writes six decimals of a coordinate in points, more than an eye or a printer sees. */
#define SVG_DECIMALS 3

static void append_shortened(GString *out, const char *path, gsize len)
{
    for (gsize i = 0; i < len; i++) {
        gsize n = 0;

        g_string_append_c(out, path[i]);
        if (path[i] != '.')
            continue;
        while (i + 1 + n < len && g_ascii_isdigit(path[i + 1 + n]))
            n++;
        g_string_append_len(out, path + i + 1, (gssize) MIN(n, SVG_DECIMALS));
        i += n;
    }
}

/* Cut the decimals in every d="...". */
static GBytes *shorten_paths(const GByteArray *svg)
{
    static const char attribute[] = " d=\"";
    GString *out = g_string_sized_new(svg->len);
    const char *at = (const char *) svg->data, *end = at + svg->len, *found;

    while ((found = g_strstr_len(at, end - at, attribute)) != NULL) {
        const char *path = found + strlen(attribute);
        const char *close = memchr(path, '"', (gsize) (end - path));

        if (close == NULL)
            break;
        g_string_append_len(out, at, path - at);
        append_shortened(out, path, (gsize) (close - path));
        at = close;
    }
    g_string_append_len(out, at, end - at);
    return g_string_free_to_bytes(out);
}

/* A PDF has one font with the glyphs of its picture, which is painted once before to learn them. */
static gboolean paint_pdf(cairo_surface_t *surface, double unit, TgCanvasPaint paint,
                          gconstpointer data, GError **error)
{
    cairo_surface_t *sketch = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);

    tg_glyph_font_collect(sketch);
    const gboolean painted = paint_surface(sketch, unit, paint, data, error);
    tg_glyph_font_use(surface, sketch);
    cairo_surface_destroy(sketch);
    /* the same bytes whenever it is written */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
    return painted && paint_surface(surface, unit, paint, data, error);
}

static GBytes *encode_vector(const TgCanvas *canvas, TgPictureFormat format, TgCanvasPaint paint,
                             gconstpointer data, GError **error)
{
    const double unit = PT_PER_INCH / canvas->dpi;
    const double width = canvas->width * unit, height = canvas->height * unit;
    g_autoptr(GByteArray) out = g_byte_array_new();

    if (!tg_canvas_check(canvas, FALSE, error))
        return NULL;
    cairo_surface_t *surface =
        format == TG_FORMAT_PDF
            ? cairo_pdf_surface_create_for_stream(append_bytes, out, width, height)
            : cairo_svg_surface_create_for_stream(append_bytes, out, width, height);
    const gboolean painted = format == TG_FORMAT_PDF
                                 ? paint_pdf(surface, unit, paint, data, error)
                                 : paint_surface(surface, unit, paint, data, error);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (!painted)
        return NULL;
    if (format == TG_FORMAT_PDF)
        return g_byte_array_free_to_bytes(g_steal_pointer(&out));
    drop_surface_id(out);
    return shorten_paths(out);
}

GBytes *tg_canvas_encode(const TgCanvas *canvas, TgPictureFormat format, TgCanvasPaint paint,
                         gconstpointer data, GError **error)
{
    if (format != TG_FORMAT_PNG)
        return encode_vector(canvas, format, paint, data, error);

    g_autofree guint32 *pixels = tg_canvas_pixels(canvas, paint, data, error);
    return pixels != NULL ? tg_canvas_encode_pixels(canvas, pixels, error) : NULL;
}
