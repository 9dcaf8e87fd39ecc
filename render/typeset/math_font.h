/* The fonts of a formula: TeX's families, in text, script and scriptscript size. */
#pragma once

#include "render/fonts/font.h"
#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

G_BEGIN_DECLS

/** A family of fonts; the first ones equal TgMathFamily. */
typedef enum {
    TG_MATH_ROMAN = TG_MATH_FAMILY_ROMAN,
    TG_MATH_LETTERS = TG_MATH_FAMILY_LETTERS,
    TG_MATH_SYMBOLS = TG_MATH_FAMILY_SYMBOLS,
    TG_MATH_LARGE = TG_MATH_FAMILY_LARGE,
    TG_MATH_AMS_A = TG_MATH_FAMILY_AMS_A,
    TG_MATH_AMS_B = TG_MATH_FAMILY_AMS_B,
    TG_MATH_EULER = TG_MATH_FAMILY_EULER,
    TG_MATH_STMARY = TG_MATH_FAMILY_STMARY,
    TG_MATH_BF, /**< \mathbf and so on */
    TG_MATH_IT,
    TG_MATH_SF,
    TG_MATH_TT,
    TG_MATH_FRAK,
    TG_MATH_SCR,
    TG_N_MATH_FONTS,
    TG_MATH_BOLD = 0x20, /**< flag: its form in LaTeX's bold math version */
} TgMathFont;

#define TG_MATH_FONT_TABLE (2 * TG_MATH_BOLD)

typedef enum { TG_MATH_TEXT, TG_MATH_SCRIPT, TG_MATH_SCRIPTSCRIPT } TgMathSize;

/** Sizes of math fonts inside text of one size (LaTeX's \DeclareMathSizes). */
typedef struct {
    TgScaled size[3]; /**< by TgMathSize */
} TgMathSizes;

/** The sizes that LaTeX uses inside text of @size; others are scaled. */
TgMathSizes tg_math_sizes(TgScaled size);

/** The font of family @font, which may have TG_MATH_BOLD. */
TgFontId tg_math_font_id(guint font);

/**
 * Font and slot of a symbol under an alphabet: \mathbf changes letters, not \alpha.
 *
 * @bold: inside \boldmath
 * @slot: (out)
 *
 * Returns: a TgMathFont, with TG_MATH_BOLD when @bold
 */
guint tg_math_font_for(const TgSymbol *symbol, TgAlphabet alphabet, gboolean bold, guint8 *slot);

G_END_DECLS
