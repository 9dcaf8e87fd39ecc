/* Parameters of fonts, sizes and lengths, as the state of layout decides them. */
#include "render/typeset/layout_state.h"

#include <string.h>

/* ---- Fonts ----------------------------------------------------------------------------------- */

TgMathFonts *tg_layout_math_fonts(TgLayout *self, TgScaled size)
{
    guint i = 0;

    while (i < TG_MATH_FONT_SETS - 1 && self->sets[i] != NULL &&
           self->sets[i]->sizes.size[0] != size)
        i++;
    if (self->sets[i] == NULL)
        self->sets[i] = g_new(TgMathFonts, 1);
    else if (self->sets[i]->sizes.size[0] == size)
        return self->sets[i];
    memset(self->sets[i], 0, sizeof *self->sets[i]);
    self->sets[i]->sizes = tg_math_sizes(size);
    return self->sets[i];
}

static const TgFont *load_font(TgLayout *self, TgFontId id, TgScaled size)
{
    return tg_font_set_get(self->fonts, id, size, self->error == NULL ? &self->error : NULL);
}

const TgFont *tg_layout_font_at(TgLayout *self, guint font, TgMathSize size)
{
    const TgFont **slot = &self->math->fonts[size][font];

    if (*slot == NULL)
        *slot = load_font(self, tg_math_font_id(font), self->math->sizes.size[size]);
    return *slot;
}

const TgFont *tg_layout_font(TgLayout *self, guint font)
{
    return tg_layout_font_at(self, font, self->size);
}

static TgFontId text_font_id(TgTextFont font)
{
    static const guint8 roman[4] = { TG_FONT_ROMAN, TG_FONT_ROMAN_ITALIC, TG_FONT_ROMAN_SLANTED,
                                     TG_FONT_ROMAN_CAPS };
    static const guint8 bold[4] = { TG_FONT_BOLD, TG_FONT_BOLD_ITALIC, TG_FONT_BOLD_SLANTED,
                                    TG_FONT_ROMAN_CAPS };
    static const guint8 sans[4] = { TG_FONT_SANS, TG_FONT_SANS_SLANTED, TG_FONT_SANS_SLANTED,
                                    TG_FONT_ROMAN_CAPS };
    static const guint8 sans_bold[4] = { TG_FONT_SANS_BOLD, TG_FONT_SANS_BOLD_SLANTED,
                                         TG_FONT_SANS_BOLD_SLANTED, TG_FONT_ROMAN_CAPS };
    static const guint8 mono[4] = { TG_FONT_MONO, TG_FONT_MONO_ITALIC, TG_FONT_MONO_SLANTED,
                                    TG_FONT_MONO };
    static const guint8 *const tables[3][2] = { { roman, bold },
                                                { sans, sans_bold },
                                                { mono, NULL } };

    if (font.family == TG_FAMILY_TT && font.bold)
        return TG_FONT_MONO_BOLD;
    return tables[font.family][font.bold != 0][font.shape];
}

const TgFont *tg_layout_text_font(TgLayout *self, TgTextFont font, TgScaled size)
{
    return load_font(self, text_font_id(font), size);
}

const TgFont *tg_layout_symbol_font(TgLayout *self, TgScaled size)
{
    return load_font(self, TG_FONT_SYMBOLS, size);
}

const TgFont *tg_layout_letters_font(TgLayout *self, gboolean bold, TgScaled size)
{
    return load_font(self, bold ? TG_FONT_LETTERS_BOLD : TG_FONT_LETTERS, size);
}

const TgFont *tg_layout_companion_font(TgLayout *self, TgScaled size)
{
    return load_font(self, TG_FONT_COMPANION, size);
}

static TgScaled math_parameter(TgLayout *self, guint font, guint n, TgMathSize size)
{
    const TgFont *found = tg_layout_font_at(self, font | (self->bold ? TG_MATH_BOLD : 0u), size);

    return found != NULL ? found->metrics->params[n] : 0;
}

TgScaled tg_math_sy(TgLayout *self, guint n, TgMathSize size)
{
    return math_parameter(self, TG_MATH_SYMBOLS, n, size);
}

TgScaled tg_math_ex(TgLayout *self, guint n)
{
    return math_parameter(self, TG_MATH_LARGE, n, self->size);
}

/* ---- Styles and text
 * ------------------------------------------------------------------------------------ */

void tg_layout_set_style(TgLayout *self, int style)
{
    self->style = style;
    self->size = style < TG_SCRIPT ? TG_MATH_TEXT : (TgMathSize) ((style - TG_TEXT) / 2);
}

/* Sizes and \baselineskip of the class option 12pt (size12.clo). */
static const struct {
    TgScaled size, baselineskip;
} text_sizes[] = {
    [TG_SIZE_TINY] = { TG_PT(6), TG_PT(7) },        [TG_SIZE_SCRIPT] = { TG_PT(8), TG_PT(9.5) },
    [TG_SIZE_FOOTNOTE] = { TG_PT(10), TG_PT(12) },  [TG_SIZE_SMALL] = { TG_PT(10.95), TG_PT(13.6) },
    [TG_SIZE_NORMAL] = { TG_PT(12), TG_PT(14.5) },  [TG_SIZE_LARGE1] = { TG_PT(14.4), TG_PT(18) },
    [TG_SIZE_LARGE2] = { TG_PT(17.28), TG_PT(22) }, [TG_SIZE_LARGE3] = { TG_PT(20.74), TG_PT(25) },
    [TG_SIZE_HUGE1] = { TG_PT(24.88), TG_PT(30) },  [TG_SIZE_HUGE2] = { TG_PT(24.88), TG_PT(30) },
};

void tg_layout_set_text_size(TgLayout *self, TgTextSize size)
{
    self->text.size = text_sizes[size].size;
    self->text.baselineskip = text_sizes[size].baselineskip;
}

TgScaled tg_text_size(TgTextSize size)
{
    return text_sizes[size].size;
}

guint32 tg_ink(const TgLayout *self, guint32 token)
{
    return self->token != TG_NO_TOKEN ? self->token : token;
}

static TgScaled text_parameter(TgLayout *self, guint n)
{
    const TgFont *font = tg_layout_text_font(self, self->text.font, self->text.size);

    return font != NULL ? font->metrics->params[n] : 0;
}

TgScaled tg_layout_em(TgLayout *self)
{
    return text_parameter(self, TG_PARAM_QUAD);
}

TgScaled tg_layout_ex(TgLayout *self)
{
    return text_parameter(self, TG_PARAM_X_HEIGHT);
}

/* ---- Lengths --------------------------------------------------------------------------------- */

/* What one unit is: a length of the font, or a fraction of points (TeX §458). */
static const struct {
    gint32 num, denom;
} physical[] = {
    [TG_UNIT_PT] = { 1, 1 },       [TG_UNIT_PC] = { 12, 1 },       [TG_UNIT_IN] = { 7227, 100 },
    [TG_UNIT_BP] = { 7227, 7200 }, [TG_UNIT_CM] = { 7227, 254 },   [TG_UNIT_MM] = { 7227, 2540 },
    [TG_UNIT_DD] = { 1238, 1157 }, [TG_UNIT_CC] = { 14856, 1157 },
};

/* @whole + @fraction / 2^16 units, as TeX's scan_dimen computes it. */
static TgScaled length_in_unit(TgLayout *self, guint unit, TgScaled whole, TgScaled fraction)
{
    TgScaled v;

    switch ((TgUnit) unit) {
    case TG_UNIT_EM:
        v = tg_layout_em(self);
        break;
    case TG_UNIT_EX:
        v = tg_layout_ex(self);
        break;
    case TG_UNIT_INTERWORD:
        v = text_parameter(self, TG_PARAM_SPACE);
        break;
    case TG_UNIT_MU:
        v = tg_layout_mu(self);
        break;
    case TG_UNIT_ITALIC:
    case TG_UNIT_WIDTH:
    case TG_UNIT_HEIGHT:
    case TG_UNIT_DEPTH:
    case TG_UNIT_TOTALHEIGHT:
        return 0;
    case TG_UNIT_SP:
        return whole * 65536 + fraction;
    default: {
        const TgScaled num = physical[unit].num, denom = physical[unit].denom;
        const TgScaled rest = whole * num % denom;
        return whole * num / denom * 65536 + (num * fraction + 65536 * rest) / denom;
    }
    }
    return whole * v + tg_xn_over_d(v, fraction, 65536);
}

TgScaled tg_layout_length(TgLayout *self, TgLength length)
{
    const TgScaled value = ABS((TgScaled) length.value);
    const TgScaled amount = length_in_unit(self, length.unit, value / 65536, value % 65536);

    return length.value < 0 ? -amount : amount;
}

TgScaled tg_layout_length_of(TgLayout *self, TgLength length, const TgItem *box)
{
    const TgScaled value = ABS((TgScaled) length.value);
    TgScaled size;

    switch (length.unit) {
    case TG_UNIT_WIDTH:
        size = box->width;
        break;
    case TG_UNIT_HEIGHT:
        size = box->height;
        break;
    case TG_UNIT_DEPTH:
        size = box->depth;
        break;
    case TG_UNIT_TOTALHEIGHT:
        size = box->height + box->depth;
        break;
    default:
        return tg_layout_length(self, length);
    }
    size = value / 65536 * size + tg_xn_over_d(size, value % 65536, 65536);
    return length.value < 0 ? -size : size;
}

/* It starts from 1 pt at 10 pt and shrinks or grows by 3 % of the rest for each half point of size
   (amsgen's \compute@ex@); never more than 1.5 pt. */
TgScaled tg_ex_at(TgLayout *self)
{
    const TgScaled size = self->text.size;
    TgScaled distance = 2 * (TG_PT(10) - size), factor = TG_PT(1);
    const gboolean smaller = distance > 0;

    if (size > TG_PT(20))
        return TG_PT(1.5);
    for (distance = ABS(distance) - 1000; distance > 0; distance -= TG_PT(1))
        factor = tg_xn_over_d(factor, 63570, 65536); /* .97 */
    return TG_PT(1) + (smaller ? -(TG_PT(1) - factor) : TG_PT(1) - factor);
}
