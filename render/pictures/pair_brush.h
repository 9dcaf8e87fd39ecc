/* What a pair's picture is painted with: Cairo for pixels and PDF, our own writer for SVG. */
#pragma once

#include "render/paint/canvas.h"
#include "render/paint/paint.h"
#include "render/pictures/pair_parts.h"

G_BEGIN_DECLS

/** How lines look; lengths in pixels of the layout. */
typedef struct {
    guint32 rgb;
    double opacity, width;
    const double *dashes; /**< on, off, ... */
    guint n_dashes;
} TgPairPen;

/** A drawing to be painted. */
typedef struct {
    const TgDrawing *drawing;
    double x, y, zoom;  /**< of its pixel (0, 0) */
    const TgRect *clip; /**< in pixels of the drawing; NULL: none */
    TgMarkColor color;
    gconstpointer data;
} TgPairInk;

typedef struct TgPairBrush TgPairBrush;
struct TgPairBrush {
    void (*fill)(TgPairBrush *self, TgRect box, guint32 rgb, double opacity);
    void (*frame)(TgPairBrush *self, TgRect box, const TgPairPen *pen);
    void (*line)(TgPairBrush *self, TgPairSegment segment, const TgPairPen *pen);
    void (*ink)(TgPairBrush *self, const TgPairInk *ink);
    void (*text)(TgPairBrush *self, const TgPairText *text);
};

typedef void (*TgPairPaint)(TgPairBrush *brush, gconstpointer data);

/** Let @paint paint a file of @canvas, whose pixels are @scale ones of the layout. */
GBytes *tg_pair_brush_cairo(const TgCanvas *canvas, double scale, TgPictureFormat format,
                            TgPairPaint paint, gconstpointer data, GError **error);

/**
 * The same as SVG: a glyph's outline stands in it once, text is text. Ids are hashes of what they
 * name, so that several pictures may stand in one page.
 */
GBytes *tg_pair_brush_svg(const TgCanvas *canvas, double scale, TgPairPaint paint,
                          gconstpointer data);

G_END_DECLS
