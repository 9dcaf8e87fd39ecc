/* Where the ink of tokens and elements is, from a drawing. */
#pragma once

#include <texgauge/render.h>

#include "metrics/cdm_strict/formula.h"

/** Inked parts of a drawing by token; borrows the drawing. */
typedef struct {
    const TgDrawing *drawing;
    struct TgStrictTokenInk *tokens;
    gboolean *has_ink; /**< of each token, whether something of it is seen */
    guint32 *by_token; /**< marks of the drawing, sorted by token, in the order of drawing */
} TgStrictInk;

void tg_strict_ink_init(TgStrictInk *ink, const TgDrawing *drawing);
void tg_strict_ink_clear(TgStrictInk *ink);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgStrictInk, tg_strict_ink_clear)

/** Set the spans, boxes and font sizes of a formula's elements, and the size of its picture. */
void tg_strict_ink_place(const TgStrictInk *ink, TgStrictFormula *formula);
