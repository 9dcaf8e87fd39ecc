/* Which font a symbol comes from. */
#include "render/typeset/math_font.h"

TgMathSizes tg_math_sizes(TgScaled size)
{
    static const TgMathSizes known[] = {
        { { TG_PT(5), TG_PT(5), TG_PT(5) } },
        { { TG_PT(6), TG_PT(5), TG_PT(5) } },
        { { TG_PT(7), TG_PT(5), TG_PT(5) } },
        { { TG_PT(8), TG_PT(6), TG_PT(5) } },
        { { TG_PT(9), TG_PT(6), TG_PT(5) } },
        { { TG_PT(10), TG_PT(7), TG_PT(5) } },
        { { TG_PT(10.95), TG_PT(8), TG_PT(6) } },
        { { TG_PT(12), TG_PT(8), TG_PT(6) } },
        { { TG_PT(14.4), TG_PT(10), TG_PT(7) } },
        { { TG_PT(17.28), TG_PT(12), TG_PT(10) } },
        { { TG_PT(20.74), TG_PT(14.4), TG_PT(12) } },
        { { TG_PT(24.88), TG_PT(20.74), TG_PT(17.28) } },
    };

    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        if (known[i].size[0] == size)
            return known[i];
    }
    return (TgMathSizes){ { size, size * 7 / 10, size / 2 } };
}

TgFontId tg_math_font_id(guint font)
{
    static const guint8 ids[TG_N_MATH_FONTS][2] = {
        [TG_MATH_ROMAN] = { TG_FONT_ROMAN, TG_FONT_BOLD },
        [TG_MATH_LETTERS] = { TG_FONT_LETTERS, TG_FONT_LETTERS_BOLD },
        [TG_MATH_SYMBOLS] = { TG_FONT_SYMBOLS, TG_FONT_SYMBOLS_BOLD },
        [TG_MATH_LARGE] = { TG_FONT_LARGE, TG_FONT_LARGE },
        [TG_MATH_AMS_A] = { TG_FONT_AMS_A, TG_FONT_AMS_A },
        [TG_MATH_AMS_B] = { TG_FONT_AMS_B, TG_FONT_AMS_B },
        [TG_MATH_EULER] = { TG_FONT_EULER, TG_FONT_EULER_BOLD },
        [TG_MATH_STMARY] = { TG_FONT_STMARY, TG_FONT_STMARY },
        [TG_MATH_BF] = { TG_FONT_BOLD, TG_FONT_BOLD },
        [TG_MATH_IT] = { TG_FONT_ROMAN_ITALIC, TG_FONT_BOLD_ITALIC },
        [TG_MATH_SF] = { TG_FONT_SANS, TG_FONT_SANS_BOLD },
        [TG_MATH_TT] = { TG_FONT_MONO, TG_FONT_MONO },
        [TG_MATH_FRAK] = { TG_FONT_FRAKTUR, TG_FONT_FRAKTUR_BOLD },
        [TG_MATH_SCR] = { TG_FONT_SCRIPT, TG_FONT_SCRIPT },
    };

    return ids[font & ~(guint) TG_MATH_BOLD][(font & TG_MATH_BOLD) != 0];
}

guint tg_math_font_for(const TgSymbol *symbol, TgAlphabet alphabet, gboolean bold, guint8 *slot)
{
    static const guint8 fonts[] = {
        [TG_ALPHABET_DEFAULT] = TG_MATH_ROMAN, /* not used */
        [TG_ALPHABET_NORMAL] = TG_MATH_LETTERS, [TG_ALPHABET_RM] = TG_MATH_ROMAN,
        [TG_ALPHABET_BF] = TG_MATH_BF,          [TG_ALPHABET_IT] = TG_MATH_IT,
        [TG_ALPHABET_SF] = TG_MATH_SF,          [TG_ALPHABET_TT] = TG_MATH_TT,
        [TG_ALPHABET_CAL] = TG_MATH_SYMBOLS,    [TG_ALPHABET_SCR] = TG_MATH_SCR,
        [TG_ALPHABET_BB] = TG_MATH_AMS_B,       [TG_ALPHABET_FRAK] = TG_MATH_FRAK,
    };
    const gboolean changes =
        (symbol->flags & TG_SYMBOL_ALPHABETIC) != 0 && alphabet != TG_ALPHABET_DEFAULT;

    *slot = symbol->slot;
    return (changes ? fonts[alphabet] : symbol->family) | (bold ? TG_MATH_BOLD : 0u);
}
