/* The inner parts of a drawing: marks with their places, the ink of tokens, and painting. */
#pragma once

#include <cairo.h>
#include <texgauge/render.h>

#include "core/arena.h"
#include "core/rect.h"
#include "render/fonts/font.h"
#include "render/typeset/layout.h"

/* ---- Marks ----------------------------------------------------------------------------------- */

typedef enum {
    TG_MARK_GLYPH,   /**< an outline */
    TG_MARK_UNICODE, /**< a character of a fallback font, in its fixed box */
    TG_MARK_RULE,    /**< a filled rectangle */
    TG_MARK_STROKE,  /**< a line between opposite corners or sides of a rectangle */
} TgMarkKind;

/**
 * One thing with ink. Lengths in sp, from the left end of the formula's baseline, y downwards.
 * The position of a glyph is its reference point, of other marks the upper left corner.
 */
typedef struct {
    TgScaled x, y;
    TgScaled width, height; /**< of rectangles */
    TgScaled size;          /**< of the font */
    /** horizontal scale of a glyph whose design differs from the metrics'; usually 1 */
    double x_stretch;
    const TgOutline *outline; /**< of a GLYPH; borrowed from the font set, or without a face */
    guint32 code;             /**< UNICODE: code point; STROKE: TgStroke */
    guint32 token;
    guint32 color;
    guint8 kind; /**< TgMarkKind */
} TgMark;

/**
 * Walk a formula's box and list its marks in the order of drawing, which is from left to right and
 * from top to bottom in each box.
 *
 * @marks: array of TgMark to append to
 *
 * Returns: FALSE with @error set to TG_ERROR_FONT: an outline file is missing or broken.
 */
gboolean tg_flatten(const TgItem *box, GArray *marks, GError **error);

/* ---- Drawings -------------------------------------------------------------------------------- */

struct TgDrawing {
    gatomicrefcount refs;
    TgFonts *fonts; /**< owns the outlines of the marks */
    TgArena arena;  /**< everything below */
    TgDimensions dimensions;
    TgFrame frame;
    double px_per_sp, dpi;
    TgMark *marks;
    guint n_marks;
    TgDrawnToken *tokens;
    guint n_tokens;
    TgFormulaFault *faults;
    guint n_faults;
};

typedef struct TgTree TgTree;

/** A formula that is set; the renderer owns its lists until it sets the next formula. */
typedef struct {
    const TgMark *marks;
    const TgRect *inks; /**< of each mark, see tg_mark_ink() */
    guint n_marks;
    TgDimensions dimensions;
    TgFrame frame;
    double px_per_sp;
} TgSetFormula;

/** Do the work of tg_renderer_draw() for a parsed formula, without making a drawing. */
gboolean tg_renderer_set(TgRenderer *renderer, const TgTree *tree, const TgRenderOptions *options,
                         TgSetFormula *out, GError **error);

/**
 * A drawing of marks that the caller has placed; everything is copied.
 *
 * @tokens: with boxes, names and all
 * @frame: its origin is where the marks' coordinates begin
 */
TgDrawing *tg_drawing_new_placed(TgFonts *fonts, const GArray *marks, const TgDrawnToken *tokens,
                                 guint n_tokens, TgFrame frame, double dpi);

/**
 * The characters of @drawing that no installed font has, each once in their order, the first 40 of
 * them; they are drawn as frames. (transfer full) UTF-8, or NULL when there are none
 */
char *tg_drawing_missing(const TgDrawing *drawing);

/* ---- Ink ------------------------------------------------------------------------------------- */

/** The ink of one mark, exactly, in pixels relative to the start of the baseline. */
TgRect tg_mark_ink(const TgMark *mark, double px_per_sp);

/** The box around all ink; FALSE when there is none. */
gboolean tg_locate_all(const TgMark *marks, guint n_marks, double px_per_sp, TgRect *box);

#define TG_POLYGON_CORNERS 6

/** A mark with straight sides, in pixels relative to the start of the baseline. */
typedef struct {
    guint n;
    double x[TG_POLYGON_CORNERS], y[TG_POLYGON_CORNERS];
} TgPolygon;

/** The corners of a rule or stroke, or of the em box of a character of a fallback font. */
TgPolygon tg_mark_polygon(const TgMark *mark, double px_per_sp);

/** The width of \cancel's stroke, in sp. */
#define TG_STROKE_WIDTH 26214 /* .4 pt, LaTeX's \thinlines */

/* ---- Pixels for scores ----------------------------------------------------------------------- */

/**
 * Paint a drawing on @pixels, which are as large as its frame and white.
 *
 * A pixel belongs to a token when its ink covers an eighth of it or more; of several, the one drawn
 * last has it. So strokes thinner than a pixel are not lost, as they are when only the middles of
 * pixels count, and the pixels of a token fill the box that its marks' inks make.
 * The arithmetic of both is plain and in double precision: the same bytes on every machine.
 */
void tg_paint_flat(const TgDrawing *drawing, guint32 *pixels);

/** Paint one mark on a picture in the same way: its pixels become @value, those beyond the edges
 * are dropped. */
void tg_paint_flat_mark(const TgFrame *frame, double px_per_sp, const TgMark *mark, guint32 value,
                        guint32 *pixels);

/**
 * Paint a drawing on @pixels, which are as large as its frame and white (255): each mark moves a
 * pixel to its gray by the share of it that its ink covers. Ink is black, or white; backgrounds
 * have the gray of their color. In the box of a character that no font of TeX has, a pattern
 * of its code point is left out.
 */
void tg_paint_gray(const TgDrawing *drawing, guint8 *pixels);

/* ---- Pictures for people, by Cairo ----------------------------------------------------------- */

/** The color of a mark, 0xRRGGBB. */
typedef guint32 (*TgMarkColor)(const TgMark *mark, gconstpointer data);

/** Set Cairo's color, 0xRRGGBB. */
void tg_set_color(cairo_t *cr, guint32 rgb, double alpha);

/** Append an outline to Cairo's path: @x and @y are its reference point, @sx and @sy the size of an
 * em. */
void tg_outline_path(cairo_t *cr, const TgOutline *outline, double x, double y, double sx,
                     double sy);

/**
 * The outline of a character of a fallback font, centered in its em box, which a wider one is
 * narrowed to.
 *
 * @x, @y: (out) its reference point, in pixels from the start of the baseline
 * @stretch: (out) of its width, at most 1
 *
 * Returns: NULL when no font has it
 */
const TgOutline *tg_paint_unicode_outline(const TgDrawing *drawing, const TgMark *mark, double *x,
                                          double *y, double *stretch);

/** Paint a drawing, in its pixels, with the top left corner of its picture at (0, 0). */
void tg_paint_drawing(cairo_t *cr, const TgDrawing *drawing, TgMarkColor color, gconstpointer data);

/** The longest side of a picture in any format, in pixels. */
#define TG_CANVAS_MAX_SIDE 32767

/** The size of a picture. Pictures in vector formats have the physical size that follows from the
 * resolution. */
typedef struct {
    guint width, height; /**< in pixels */
    double dpi;
} TgCanvas;

/** Paints in pixels of the canvas, from its top left corner. */
typedef void (*TgCanvasPaint)(cairo_t *cr, gconstpointer data);

/**
 * Paint on white, into a file of @format.
 *
 * Returns: (transfer full) NULL with @error set to TG_ERROR_PARSE (too large) or TG_ERROR_OUTPUT
 */
GBytes *tg_canvas_encode(const TgCanvas *canvas, TgPictureFormat format, TgCanvasPaint paint,
                         gconstpointer data, GError **error);
