/* Drawing LaTeX formulas in-process, and finding where each piece of their source has its ink. */
#pragma once

#include <texgauge/formula.h>
#include <texgauge/types.h>

G_BEGIN_DECLS

/** The font data, read once and shared by every thread; immutable to its users. */
typedef struct TgFonts TgFonts;

/** Typesets formulas one by one; belongs to one thread at a time. */
typedef struct TgRenderer TgRenderer;

/** A typeset formula: its size, the ink of its tokens, its picture. Immutable. */
typedef struct TgDrawing TgDrawing;

/**
 * Open the fonts: Latin Modern and the AMS fonts, from the folders that the environment variable
 * TEXGAUGE_FONTS names, separated by colons, or without it from `fonts` in the data folder, if that
 * is there, and from where Debian's packages lmodern and fonts-lyx install them.
 *
 * Returns: (transfer full) the fonts, or NULL with @error set to TG_ERROR_FONT, naming the package.
 */
TG_API TgFonts *tg_fonts_new(GError **error);
TG_API TgFonts *tg_fonts_ref(TgFonts *fonts);
TG_API void tg_fonts_unref(TgFonts *fonts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgFonts, tg_fonts_unref)

/** A renderer; it keeps @fonts alive. (transfer full) */
TG_API TgRenderer *tg_renderer_new(TgFonts *fonts);
TG_API void tg_renderer_free(TgRenderer *renderer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRenderer, tg_renderer_free)

/** How to set a formula; start from TG_RENDER_OPTIONS_INIT. */
typedef struct {
    gsize size;          /**< of this struct, so that it can grow */
    double size_pt;      /**< of the text, in TeX's points; layout is that of 12 pt, magnified */
    double dpi;          /**< pixels per inch, in [10, 4800] */
    double margin_px;    /**< space around box and ink, in [0, 1000] */
    gboolean text_style; /**< as inside a line of text; else as a display */
    gboolean strict;     /**< refuse a formula with a fault; else draw the rest */
} TgRenderOptions;

#define TG_RENDER_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(TgRenderOptions), .size_pt = 12, .dpi = 200, .margin_px = 4                 \
    }

/**
 * Set a formula.
 *
 * @tex: @len bytes of LaTeX, with or without dollars around it; may hold anything
 * @options: NULL for TG_RENDER_OPTIONS_INIT
 *
 * Returns: (transfer full) the drawing, or NULL with @error set to
 *   TG_ERROR_PARSE  with @strict, the first fault as a sentence with its column; in any case a
 *                   formula beyond the bounds: nested deeper than 250, longer than 1 MB, with more
 *                   than 1,000 columns
 *   TG_ERROR_FONT   a font file is missing or broken
 *   TG_ERROR_USAGE  an option is out of range
 */
TG_API TgDrawing *tg_renderer_draw(TgRenderer *renderer, const char *tex, gsize len,
                                   const TgRenderOptions *options, GError **error);
TG_API TgDrawing *tg_drawing_ref(TgDrawing *drawing);
TG_API void tg_drawing_unref(TgDrawing *drawing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgDrawing, tg_drawing_unref)

/** Width, height above and depth below the baseline as TeX has them, in sp (65,536 sp = 1 pt). */
typedef struct {
    gint64 width, height, depth;
} TgDimensions;

/** Width, height and depth of the formula's box. */
TG_API TgDimensions tg_drawing_dimensions(const TgDrawing *drawing);

/** The picture in pixels; the baseline starts at (@origin_x, @origin_y) from its top left. */
typedef struct {
    guint width, height;
    gint origin_x, origin_y;
} TgFrame;

/** Size and origin of the picture that tg_drawing_encode() writes. */
TG_API TgFrame tg_drawing_frame(const TgDrawing *drawing);

/**
 * A piece of source that makes ink: `x`, `\alpha`, the `\frac` of a fraction's bar. The box bounds
 * its ink exactly, in pixels of the picture, y downwards; all 0 when it has none.
 *
 * Characters that no TeX font has (Chinese, emoji) count as filled em boxes, whichever installed
 * font draws them, so that boxes are the same everywhere.
 */
typedef struct {
    guint32 start, end; /**< its bytes in the source */
    const char *name;   /**< those bytes, NUL-terminated */
    guint32 flags;      /**< TgTokenFlags */
    gboolean has_ink;
    TgRect box;
} TgDrawnToken;

/** The tokens in the order of the source, @n (out) of them; their index is their id. */
TG_API const TgDrawnToken *tg_drawing_tokens(const TgDrawing *drawing, guint *n);

/** The faults of the source in the order found, @n (out) of them; the rest was drawn. */
TG_API const TgFormulaFault *tg_drawing_faults(const TgDrawing *drawing, guint *n);

typedef enum { TG_FORMAT_PNG, TG_FORMAT_SVG, TG_FORMAT_PDF } TgPictureFormat;

typedef enum {
    TG_INK_NATURAL, /**< black, or as the formula says; smooth edges */
    TG_INK_TOKENS,  /**< each token in a color of its own; smooth edges */
    TG_INK_FLAT,    /**< each token in the color of its id, see tg_drawing_raster(); hard edges */
} TgInkColors;

/**
 * Write the picture.
 *
 * Returns: (transfer full) the file's bytes, or NULL with @error set to
 *   TG_ERROR_PARSE   the picture is larger than 32,767 pixels in a direction
 *   TG_ERROR_OUTPUT  it cannot be encoded
 */
TG_API GBytes *tg_drawing_encode(const TgDrawing *drawing, TgPictureFormat format,
                                 TgInkColors colors, GError **error);

/** Pixels, row by row from the top left. */
typedef struct {
    guint width, height;
    guint32 *pixels; /**< [height][width], 0xRRGGBB */
} TgRaster;

TG_API void tg_raster_free(TgRaster *raster);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRaster, tg_raster_free)

/**
 * The picture as pixels on white. With TG_INK_FLAT, which has no smooth edges, a pixel is the id of
 * its token, or 0xFFFFFF where there is none: at most 16,777,215 tokens.
 *
 * Returns: (transfer full) the pixels, or NULL with @error set to TG_ERROR_PARSE: the picture is
 * larger than 32,767 pixels in a direction or 2^28 in all.
 */
TG_API TgRaster *tg_drawing_raster(const TgDrawing *drawing, TgInkColors colors, GError **error);

G_END_DECLS
