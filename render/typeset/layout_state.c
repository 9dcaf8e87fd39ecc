/* What layout asks of fonts: parameters, sizes, lengths. */
#include "render/typeset/layout_state.h"

#include <string.h>

#define PT(x) ((TgScaled) ((x) *TG_SP_PER_PT + 0.5))

/* What the budget of nodes has beside a multiple of the tree's. */
#define SPARE_NODES 200000

/* ---- Life ------------------------------------------------------------------------------------ */

TgLayout *tg_layout_new(TgFontSet *fonts)
{
    TgLayout *self = g_new0(TgLayout, 1);

    self->fonts = tg_font_set_ref(fonts);
    self->composites = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify) tg_tree_free);
    return self;
}

void tg_layout_free(TgLayout *self)
{
    if (self == NULL)
        return;
    g_hash_table_unref(self->composites);
    tg_arena_clear(&self->arena);
    for (guint i = 0; i < TG_MATH_FONT_SETS; i++)
        g_free(self->sets[i]);
    g_clear_error(&self->error);
    tg_font_set_unref(self->fonts);
    g_free(self);
}

void tg_layout_reset(TgLayout *self)
{
    tg_arena_reset(&self->arena);
    g_clear_error(&self->error);
    self->text.font = (TgTextFont){ .size = TG_SIZE_NORMAL };
    tg_layout_set_text_size(self, TG_SIZE_NORMAL);
    self->color = 0;
    self->token = TG_NO_TOKEN;
    self->bold = FALSE;
    self->measuring = 0;
    self->hollow = (TgHollow){ NULL, NULL };
    self->null_delimiter_space = PT(1.2);
}

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

static const TgFont *load(TgLayout *self, TgFontId id, TgScaled size)
{
    return tg_font_set_get(self->fonts, id, size, self->error == NULL ? &self->error : NULL);
}

const TgFont *tg_layout_font_at(TgLayout *self, guint font, TgMathSize size)
{
    const TgFont **slot = &self->math->fonts[size][font];

    if (*slot == NULL)
        *slot = load(self, tg_math_font_id(font), self->math->sizes.size[size]);
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
    return load(self, text_font_id(font), size);
}

const TgFont *tg_layout_symbol_font(TgLayout *self, TgScaled size)
{
    return load(self, TG_FONT_SYMBOLS, size);
}

const TgFont *tg_layout_companion_font(TgLayout *self, TgScaled size)
{
    return load(self, TG_FONT_COMPANION, size);
}

static TgScaled parameter(TgLayout *self, guint font, guint n, TgMathSize size)
{
    const TgFont *found = tg_layout_font_at(self, font | (self->bold ? TG_MATH_BOLD : 0u), size);

    return found != NULL ? found->metrics->params[n] : 0;
}

TgScaled tg_math_sy(TgLayout *self, guint n, TgMathSize size)
{
    return parameter(self, TG_MATH_SYMBOLS, n, size);
}

TgScaled tg_math_ex(TgLayout *self, guint n)
{
    return parameter(self, TG_MATH_LARGE, n, self->size);
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Sizes and \baselineskip of the class option 12pt (size12.clo). */
static const struct {
    TgScaled size, baselineskip;
} text_sizes[] = {
    [TG_SIZE_TINY] = { PT(6), PT(7) },        [TG_SIZE_SCRIPT] = { PT(8), PT(9.5) },
    [TG_SIZE_FOOTNOTE] = { PT(10), PT(12) },  [TG_SIZE_SMALL] = { PT(10.95), PT(13.6) },
    [TG_SIZE_NORMAL] = { PT(12), PT(14.5) },  [TG_SIZE_LARGE1] = { PT(14.4), PT(18) },
    [TG_SIZE_LARGE2] = { PT(17.28), PT(22) }, [TG_SIZE_LARGE3] = { PT(20.74), PT(25) },
    [TG_SIZE_HUGE1] = { PT(24.88), PT(30) },  [TG_SIZE_HUGE2] = { PT(24.88), PT(30) },
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
static TgScaled of_unit(TgLayout *self, guint unit, TgScaled whole, TgScaled fraction)
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
        v = self->mu;
        break;
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
    const TgScaled amount = of_unit(self, length.unit, value / 65536, value % 65536);

    return length.value < 0 ? -amount : amount;
}

TgItem *tg_strut(TgLayout *self, TgScaled stretch)
{
    const TgScaled height = tg_xn_over_d(self->text.baselineskip, 45875, 65536); /* .7 */
    const TgScaled depth = tg_xn_over_d(self->text.baselineskip, 19661, 65536);  /* .3 */

    return tg_hpack(&self->arena,
                    tg_item_rule(&self->arena, 0, tg_xn_over_d(height, stretch, 65536),
                                 tg_xn_over_d(depth, stretch, 65536)));
}

/* ---- Formulas -------------------------------------------------------------------------------- */

TgItem *tg_layout_formula(TgLayout *self, const TgNode *list, int style)
{
    TgMathFonts *math = self->math;
    const int kept_style = self->style;
    const gboolean bold = self->bold;

    self->math = tg_layout_math_fonts(self, self->text.size);
    self->bold = tg_is_bold(list);
    TgItem *box =
        tg_hpack(&self->arena, tg_mlist_to_hlist(self, tg_build_mlist(self, list), style));
    self->math = math;
    self->bold = bold;
    if (math != NULL)
        tg_layout_set_style(self, kept_style);
    return box;
}

gboolean tg_is_bold(const TgNode *node)
{
    TgChildIter iter;

    if (node->kind == TG_NODE_SYMBOL)
        return node->bold == 1;
    if (node->kind == TG_NODE_BOLD) /* bold inside only */
        return FALSE;
    tg_child_iter_init(&iter, node);
    const TgNode *child = tg_child_iter_next(&iter);
    return child != NULL && tg_is_bold(child);
}

const TgItem *tg_layout_tree(TgLayout *self, const TgTree *tree, int style, GError **error)
{
    tg_layout_reset(self);
    self->math = NULL;
    self->budget = 4 * (guint64) tg_tree_n_nodes(tree) + SPARE_NODES;

    const TgItem *box = tg_layout_formula(self, tg_tree_root(tree), style);
    if (self->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&self->error));
        return NULL;
    }
    return box;
}
