/* The inside of a drawing, for the files that make and paint it. */
#pragma once

#include <texgauge/render.h>

#include "core/arena.h"
#include "core/rect.h"
#include "render/paint/mark.h"

G_BEGIN_DECLS

struct TgDrawing {
    gatomicrefcount refs;
    TgFontSet *fonts; /**< owns the outlines of the marks */
    TgArena arena;    /**< everything below */
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

/** The ink of one mark, exactly, in pixels relative to the start of the baseline. */
TgRect tg_mark_ink(const TgMark *mark, double px_per_sp);

/**
 * A drawing of marks that the caller has placed; everything is copied.
 *
 * @tokens: with boxes, names and all
 * @frame: its origin is where the marks' coordinates begin
 */
TgDrawing *tg_drawing_new_placed(TgFontSet *fonts, const GArray *marks, const TgDrawnToken *tokens,
                                 guint n_tokens, TgFrame frame, double dpi);

/** Each token's box from the marks, in pixels of the picture. */
void tg_locate_tokens(TgDrawing *drawing);

/** The box around all ink; FALSE when there is none. */
gboolean tg_locate_all(const TgMark *marks, guint n_marks, double px_per_sp, TgRect *box);

#define TG_POLYGON_CORNERS 18

/** A mark with straight sides, in pixels relative to the start of the baseline. */
typedef struct {
    guint n;
    double x[TG_POLYGON_CORNERS], y[TG_POLYGON_CORNERS];
} TgPolygon;

/** The corners of a rule or stroke, or of the em box of a character of a fallback font. */
TgPolygon tg_mark_polygon(const TgMark *mark, double px_per_sp);

/** The em box drawn for a character of a fallback font, in sp. */
TgRect tg_unicode_ink(const TgMark *mark);

/** How thick the stroke of \cancel is, in sp. */
#define TG_STROKE_WIDTH 26214 /* .4 pt, LaTeX's \thinlines */

G_END_DECLS
