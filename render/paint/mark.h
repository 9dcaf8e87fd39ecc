/* Marks: glyphs, rules and strokes with their places. */
#pragma once

#include "render/fonts/font.h"

G_BEGIN_DECLS

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
    TgScaled width, height;   /**< of rectangles */
    TgScaled size;            /**< of the font */
    double x_stretch;         /**< of a glyph whose design differs from the metrics'; usually 1 */
    const TgOutline *outline; /**< of a GLYPH; borrowed from the font set, or without a face */
    guint32 code;             /**< UNICODE: code point; STROKE: TgStroke */
    guint32 token;
    guint32 color;
    guint8 kind; /**< TgMarkKind */
} TgMark;

G_END_DECLS
