/* The life of a layout; fonts and their parameters, sizes and lengths, as its state decides them.
 */
#include "render/typeset/layout.h"

#include "core/deadline.h"
#include "core/fail.h"
#include "render/typeset/typeset.h"

/* Nodes that may be built beyond a multiple of the tree's nodes. */
#define SPARE_NODES 200000

TgLayout *tg_layout_new(TgFonts *fonts)
{
    TgLayout *self = g_new0(TgLayout, 1);

    self->fonts = tg_fonts_ref(fonts);
    self->composites = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify) tg_tree_free);
    return self;
}

void tg_layout_free(TgLayout *self)
{
    if (self == NULL)
        return;
    g_hash_table_unref(self->composites);
    tg_arena_clear(&self->arena);
    g_clear_error(&self->error);
    tg_fonts_unref(self->fonts);
    g_free(self);
}

const TgItem *tg_layout_tree(TgLayout *self, const TgTree *tree, int style, GError **error)
{
    tg_arena_reset(&self->arena);
    g_clear_error(&self->error);
    self->now = (TgLayoutState){ .token = TG_NO_TOKEN };
    tg_set_text_size(self, TG_SIZE_NORMAL);
    self->now.text.font.size = TG_SIZE_NORMAL;
    self->measuring = FALSE;
    self->inner_accent = NULL;
    self->budget = 4 * (guint64) tree->n_nodes + SPARE_NODES;

    const TgItem *box = tg_formula_box(self, tree->root, style);
    if (self->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&self->error));
        return NULL;
    }
    return tg_deadline_check(error) ? box : NULL;
}

gboolean tg_layout_spend(TgLayout *self)
{
    if (self->budget > 0) {
        self->budget--;
        return TRUE;
    }
    return tg_fail(self->error == NULL ? &self->error : NULL, TG_ERROR_PARSE,
                   "nested too deeply: constructs that TeX typesets twice");
}

/* ---- Fonts ----------------------------------------------------------------------------------- */

/* The sizes of math fonts inside text of each size: LaTeX's \DeclareMathSizes. No text has another
 * size: those of math fonts, which \text may take, are sizes of text, too. */
static const TgScaled math_sizes[TG_MATH_FONT_SETS][3] = {
    { TG_PT(5), TG_PT(5), TG_PT(5) },         { TG_PT(6), TG_PT(5), TG_PT(5) },
    { TG_PT(7), TG_PT(5), TG_PT(5) },         { TG_PT(8), TG_PT(6), TG_PT(5) },
    { TG_PT(9), TG_PT(6), TG_PT(5) },         { TG_PT(10), TG_PT(7), TG_PT(5) },
    { TG_PT(10.95), TG_PT(8), TG_PT(6) },     { TG_PT(12), TG_PT(8), TG_PT(6) },
    { TG_PT(14.4), TG_PT(10), TG_PT(7) },     { TG_PT(17.28), TG_PT(12), TG_PT(10) },
    { TG_PT(20.74), TG_PT(14.4), TG_PT(12) }, { TG_PT(24.88), TG_PT(20.74), TG_PT(17.28) },
};

TgLayoutState tg_enter_math(TgLayout *self, int style)
{
    const TgLayoutState before = self->now;
    guint i = 0;

    while (math_sizes[i][0] != self->now.text.size)
        i++;
    self->sets[i].size = math_sizes[i];
    self->now.math = &self->sets[i];
    self->now.in_bm = FALSE;
    tg_set_style(self, style);
    return before;
}

const TgFont *tg_layout_font(TgLayout *self, TgFontId id, TgScaled size)
{
    return tg_fonts_get(self->fonts, id, size, self->error == NULL ? &self->error : NULL);
}

const TgFont *tg_math_font_at(TgLayout *self, guint font, TgMathSize size)
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
    const TgFont **found = &self->now.math->fonts[size][font];

    if (*found == NULL) {
        const TgFontId id = ids[font & ~(guint) TG_MATH_BOLD][(font & TG_MATH_BOLD) != 0];
        *found = tg_layout_font(self, id, self->now.math->size[size]);
    }
    return *found;
}

const TgFont *tg_text_font(TgLayout *self, TgTextFont font, TgScaled size)
{
    /* by family and bold, then shape: upright, italic, slanted, small capitals */
    static const guint8 ids[3][2][4] = {
        { { TG_FONT_ROMAN, TG_FONT_ROMAN_ITALIC, TG_FONT_ROMAN_SLANTED, TG_FONT_ROMAN_CAPS },
          { TG_FONT_BOLD, TG_FONT_BOLD_ITALIC, TG_FONT_BOLD_SLANTED, TG_FONT_ROMAN_CAPS } },
        { { TG_FONT_SANS, TG_FONT_SANS_SLANTED, TG_FONT_SANS_SLANTED, TG_FONT_ROMAN_CAPS },
          { TG_FONT_SANS_BOLD, TG_FONT_SANS_BOLD_SLANTED, TG_FONT_SANS_BOLD_SLANTED,
            TG_FONT_ROMAN_CAPS } },
        { { TG_FONT_MONO, TG_FONT_MONO_ITALIC, TG_FONT_MONO_SLANTED, TG_FONT_MONO },
          { TG_FONT_MONO_BOLD, TG_FONT_MONO_BOLD, TG_FONT_MONO_BOLD, TG_FONT_MONO_BOLD } },
    };

    return tg_layout_font(self, ids[font.family][font.bold != 0][font.shape], size);
}

static TgScaled math_parameter(TgLayout *self, guint font, guint n, TgMathSize size)
{
    const TgFont *found = tg_math_font_at(self, font | (self->now.bold ? TG_MATH_BOLD : 0u), size);

    return found != NULL ? found->metrics->params[n] : 0;
}

TgScaled tg_math_sy_at(TgLayout *self, guint n, TgMathSize size)
{
    return math_parameter(self, TG_MATH_SYMBOLS, n, size);
}

TgScaled tg_math_ex(TgLayout *self, guint n)
{
    return math_parameter(self, TG_MATH_LARGE, n, self->now.size);
}

/* ---- Sizes of text --------------------------------------------------------------------------- */

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

void tg_set_text_size(TgLayout *self, TgTextSize size)
{
    self->now.text.size = text_sizes[size].size;
    self->now.text.baselineskip = text_sizes[size].baselineskip;
}

TgScaled tg_text_size(TgTextSize size)
{
    return text_sizes[size].size;
}

TgScaled tg_text_param(TgLayout *self, guint n)
{
    const TgFont *font = tg_text_font(self, self->now.text.font, self->now.text.size);

    return font != NULL ? font->metrics->params[n] : 0;
}

/* amsgen's \compute@ex@: 1 pt at 10 pt; each half point of size closes 3 % of the gap to 0 or to
   2 pt; never more than 1.5 pt. */
TgScaled tg_ex_at(TgLayout *self)
{
    const TgScaled size = self->now.text.size;
    const gboolean smaller = size < TG_PT(10);
    TgScaled gap = TG_PT(1);

    if (size > TG_PT(20))
        return TG_PT(1.5);
    for (TgScaled distance = 2 * ABS(TG_PT(10) - size) - 1000; distance > 0; distance -= TG_PT(1))
        gap = tg_xn_over_d(gap, 63570, 65536); /* .97 */
    return smaller ? gap : 2 * TG_PT(1) - gap;
}

/* ---- Lengths --------------------------------------------------------------------------------- */

/* TeX's math_glue (§716): whole and fractional mu are multiplied separately, each truncated. */
TgScaled tg_mu_to_sp(TgScaled mu_in_sp, TgScaled amount)
{
    TgScaled whole = mu_in_sp / 65536, fraction = mu_in_sp % 65536;

    if (fraction < 0) {
        whole--;
        fraction += 65536;
    }
    return whole * amount + tg_xn_over_d(amount, fraction, 65536);
}

/* Units in points, as fractions (TeX §458). */
static const struct {
    gint32 num, denom;
} physical[TG_N_UNITS] = {
    [TG_UNIT_PT] = { 1, 1 },       [TG_UNIT_PC] = { 12, 1 },       [TG_UNIT_IN] = { 7227, 100 },
    [TG_UNIT_BP] = { 7227, 7200 }, [TG_UNIT_CM] = { 7227, 254 },   [TG_UNIT_MM] = { 7227, 2540 },
    [TG_UNIT_DD] = { 1238, 1157 }, [TG_UNIT_CC] = { 14856, 1157 }, [TG_UNIT_ND] = { 685, 642 },
    [TG_UNIT_NC] = { 1370, 107 },  [TG_UNIT_PX] = { 7227, 7200 },
};

/* As TeX's scan_dimen computes it. */
TgScaled tg_length(TgLayout *self, TgLength length)
{
    const TgScaled amount = ABS((TgScaled) length.value);
    const TgScaled whole = amount / 65536, fraction = amount % 65536;
    const TgScaled num = physical[length.unit].num, denom = physical[length.unit].denom;
    TgScaled value = amount; /* in SP */

    if (denom != 0) {
        value =
            whole * num / denom * 65536 + (num * fraction + 65536 * (whole * num % denom)) / denom;
    } else if (length.unit != TG_UNIT_SP) { /* 0 for units of a box, see length_of_box() */
        const TgScaled one = length.unit == TG_UNIT_EM   ? tg_em(self)
                             : length.unit == TG_UNIT_EX ? tg_ex(self)
                             : length.unit == TG_UNIT_INTERWORD
                                 ? tg_text_param(self, TG_PARAM_SPACE)
                             : length.unit == TG_UNIT_MU ? tg_math_sy(self, TG_PARAM_QUAD) / 18
                                                         : 0;
        value = whole * one + tg_xn_over_d(one, fraction, 65536);
    }
    return length.value < 0 ? -value : value;
}
