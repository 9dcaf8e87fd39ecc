/* White canvases that a function paints on with Cairo, as pixels or as a file. */
#pragma once

#include <cairo.h>
#include <texgauge/render.h>

G_BEGIN_DECLS

/** The longest side of a picture in any format, in pixels. */
#define TG_CANVAS_MAX_SIDE 32767

/** The most pixels of a raster. */
#define TG_CANVAS_MAX_PIXELS (1u << 28)

/** How large a picture is. Vector formats are as large as it is at its resolution. */
typedef struct {
    guint width, height; /**< in pixels */
    double dpi;
} TgCanvas;

/** Paints in pixels of the canvas, from its top left corner. */
typedef void (*TgCanvasPaint)(cairo_t *cr, gconstpointer data);

/**
 * Whether a picture of this size can be made, as pixels or as a vector file.
 *
 * Returns: FALSE with @error set to TG_ERROR_PARSE
 */
gboolean tg_canvas_check(const TgCanvas *canvas, gboolean pixels, GError **error);

/**
 * Paint into pixels, 0x00RRGGBB or 0xFFRRGGBB by rows; the highest byte means nothing.
 *
 * Returns: (transfer full) [height][width] pixels, or NULL with @error set to TG_ERROR_PARSE (too
 * large) or TG_ERROR_OUTPUT
 */
guint32 *tg_canvas_pixels(const TgCanvas *canvas, TgCanvasPaint paint, gconstpointer data,
                          GError **error);

/** Pixels as a PNG, with a palette where 256 colours are enough; NULL with @error set to
 * TG_ERROR_OUTPUT. */
GBytes *tg_canvas_encode_pixels(const TgCanvas *canvas, guint32 *pixels, GError **error);

/** Paint into a file of @format; NULL with @error as for tg_canvas_pixels(). */
GBytes *tg_canvas_encode(const TgCanvas *canvas, TgPictureFormat format, TgCanvasPaint paint,
                         gconstpointer data, GError **error);

G_END_DECLS
