/* A drawing as pixels or as a file: PNG, SVG, PDF. */
#include <texgauge/render.h>

#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "render/paint/canvas.h"
#include "render/paint/paint.h"
#include "render/paint/paint_flat.h"
#include "tokenizer/tree/tree.h"

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

guint32 tg_ink_color(const TgMark *mark, gconstpointer data)
{
    switch (*(const TgInkColors *) data) {
    case TG_INK_TOKENS:
        return token_color(mark->token);
    case TG_INK_FLAT: /* vector formats; pixels are painted by tg_paint_flat() */
        return mark->token & 0xFFFFFF;
    case TG_INK_NATURAL:
    default:
        return mark->color;
    }
}

/* ---- Pictures -------------------------------------------------------------------------------- */

typedef struct {
    const TgDrawing *drawing;
    TgInkColors colors;
} Job;

static void paint_job(cairo_t *cr, gconstpointer data)
{
    const Job *job = data;

    tg_paint_drawing(cr, job->drawing, tg_ink_color, &job->colors);
}

static TgCanvas canvas_of(const TgDrawing *drawing)
{
    return (TgCanvas){ drawing->frame.width, drawing->frame.height, drawing->dpi };
}

/* Memory for a picture; a large one in large pages, whose first touch costs little. */
static guint32 *new_pixels(gsize n)
{
    guint32 *pixels = g_new(guint32, n);
#ifdef MADV_HUGEPAGE
    enum { PAGE = 2 << 20 };
    const gsize before = (PAGE - (gsize) pixels % PAGE) % PAGE, size = n * sizeof *pixels;

    if (size >= 2 * (gsize) PAGE) /* as many whole pages as lie in it; refused: they stay small */
        (void) madvise((char *) pixels + before, (size - before) / PAGE * PAGE, MADV_HUGEPAGE);
#endif
    return pixels;
}

/* The first pixels one by one, the others as copies of them: the library copies wide words. */
static void fill_white(guint32 *pixels, gsize n)
{
    enum { BLOCK = 1024 };
    const gsize first = MIN(n, (gsize) BLOCK);

    for (gsize i = 0; i < first; i++)
        pixels[i] = 0xFFFFFF;
    for (gsize i = first; i < n; i += BLOCK)
        memcpy(pixels + i, pixels, MIN(n - i, (gsize) BLOCK) * sizeof *pixels);
}

/* A white picture with the formula on it; its pixels belong to the caller. */
static guint32 *paint_pixels(const TgDrawing *drawing, TgInkColors colors, GError **error)
{
    const TgCanvas canvas = canvas_of(drawing);
    const Job job = { drawing, colors };

    if (colors != TG_INK_FLAT)
        return tg_canvas_pixels(&canvas, paint_job, &job, error);
    if (!tg_canvas_check(&canvas, TRUE, error))
        return NULL;

    const gsize n = (gsize) canvas.width * canvas.height;
    guint32 *pixels = new_pixels(n);
    fill_white(pixels, n);
    tg_paint_flat(drawing, pixels);
    return pixels;
}

TgRaster *tg_drawing_raster(const TgDrawing *drawing, TgInkColors colors, GError **error)
{
    g_return_val_if_fail(drawing != NULL, NULL);

    guint32 *pixels = paint_pixels(drawing, colors, error);
    if (pixels == NULL)
        return NULL;

    const gsize n = (gsize) drawing->frame.width * drawing->frame.height;
    for (gsize i = 0; i < n && colors != TG_INK_FLAT; i++)
        pixels[i] &= 0xFFFFFF; /* Cairo leaves the upper byte undefined */
    TgRaster *raster = g_new(TgRaster, 1);
    *raster = (TgRaster){ drawing->frame.width, drawing->frame.height, pixels };
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

    const TgCanvas canvas = canvas_of(drawing);
    const Job job = { drawing, colors };

    if (format != TG_FORMAT_PNG)
        return tg_canvas_encode(&canvas, format, paint_job, &job, error);
    g_autofree guint32 *pixels = paint_pixels(drawing, colors, error);
    return pixels != NULL ? tg_canvas_encode_pixels(&canvas, pixels, error) : NULL;
}
