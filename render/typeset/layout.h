/* Appendix G: from math lists to boxes. Shared by the passes of layout; one file a construct. */
#pragma once

#include "render/typeset/noad.h"

G_BEGIN_DECLS

/** TeX's styles; odd ones are cramped. */
typedef enum {
    TG_DISPLAY = 0,
    TG_TEXT = 2,
    TG_SCRIPT = 4,
    TG_SCRIPTSCRIPT = 6,
    TG_CRAMPED = 1,
} TgMathStyle;

/** Text in force around a piece of mathematics; decides em, ex and the size of math fonts. */
typedef struct {
    TgTextFont font;
    TgScaled size;         /**< of the text font */
    TgScaled baselineskip; /**< decides \strut and the rows of arrays */
    gboolean bold_math;    /**< \boldmath */
} TgTextState;

/** Math fonts of one text size in one math version, looked up when first needed. */
typedef struct {
    TgMathSizes sizes;
    const TgFont *fonts[3][TG_MATH_FONT_TABLE];
} TgMathFonts;

#define TG_MATH_FONT_SETS 12
#define TG_MAX_PIECES     10000 /* of a delimiter or arrow made of pieces */

/** The innermost of nested accents, which stands over an empty box while they are built. */
typedef struct {
    const TgNode *accent; /**< NULL outside of nested accents */
    TgItem *strut;
} TgHollow;

/** Layout of one formula at a time; belongs to one thread. */
struct TgLayout {
    TgFontSet *fonts;
    TgArena arena; /**< noads and items of the formula, dropped with the next one */
    TgMathFonts *sets[TG_MATH_FONT_SETS];
    GError *error; /**< first failure to load a font; layout goes on without its glyphs */

    /* where layout stands, as TeX's variables of the same names */
    TgMathFonts *math; /**< fonts of the formula (or `$..$` in text) being set */
    gboolean bold;     /**< it is in the bold math version */
    int style;         /**< cur_style */
    TgMathSize size;   /**< cur_size */
    TgScaled mu;       /**< cur_mu: 1/18 quad of the symbol font */
    TgTextState text;  /**< of the text around it */
    guint32 color;     /**< 0xRRGGBB of what is built now */
    guint32 token;     /**< whose ink a composite symbol is, or TG_NO_TOKEN */
    TgHollow hollow;
    guint measuring; /**< inside a box that is set only to be measured */
    guint64 budget;  /**< nodes that may still be built: some are built again to measure them */
    TgScaled null_delimiter_space;
    GHashTable *composites; /**< TgSymbol -> TgTree of what it stands for */
};

/* ---- Styles ---------------------------------------------------------------------------------- */

static inline int tg_cramped(int style)
{
    return style | TG_CRAMPED;
}

static inline int tg_sub_style(int style)
{
    return 2 * (style / 4) + TG_SCRIPT + TG_CRAMPED;
}

static inline int tg_sup_style(int style)
{
    return 2 * (style / 4) + TG_SCRIPT + (style & 1);
}

static inline int tg_num_style(int style)
{
    return style + 2 - 2 * (style / 6);
}

static inline int tg_denom_style(int style)
{
    return 2 * (style / 2) + TG_CRAMPED + 2 - 2 * (style / 6);
}

/** Enter a style: sets style, size and mu. */
void tg_layout_set_style(TgLayout *self, int style);

/* ---- Fonts and parameters -------------------------------------------------------------------- */

/** The fonts for text of @size. */
TgMathFonts *tg_layout_math_fonts(TgLayout *self, TgScaled size);

/** Font @font (a TgMathFont) at the size in force, or NULL with self->error set. */
const TgFont *tg_layout_font(TgLayout *self, guint font);
const TgFont *tg_layout_font_at(TgLayout *self, guint font, TgMathSize size);

/** The text font of a size; NULL with self->error set. */
const TgFont *tg_layout_text_font(TgLayout *self, TgTextFont font, TgScaled size);

/** The symbol font at a text size. */
const TgFont *tg_layout_symbol_font(TgLayout *self, TgScaled size);

/** The companion font of text, upright, at a text size. */
const TgFont *tg_layout_companion_font(TgLayout *self, TgScaled size);

/** Parameter @n of the symbol font (TeX's mathsy) or extension font (mathex) at a size. */
TgScaled tg_math_sy(TgLayout *self, guint n, TgMathSize size);
TgScaled tg_math_ex(TgLayout *self, guint n);

static inline TgScaled tg_axis_height(TgLayout *self)
{
    return tg_math_sy(self, TG_PARAM_AXIS_HEIGHT, self->size);
}

static inline TgScaled tg_rule_thickness(TgLayout *self)
{
    return tg_math_ex(self, TG_PARAM_RULE_THICKNESS);
}

/* ---- Arithmetic (TeX §§100-107) -------------------------------------------------------------- */

/** x/2, rounded up for odd x. */
static inline TgScaled tg_half(TgScaled x)
{
    return (x & 1) != 0 ? (x + 1) / 2 : x / 2;
}

/** x n / d, truncated towards zero. */
static inline TgScaled tg_xn_over_d(TgScaled x, TgScaled n, TgScaled d)
{
    return x * n / d;
}

/** An amount of mu, in 2^-16, in sp. */
TgScaled tg_mu_to_sp(TgScaled mu_in_sp, TgScaled amount);

/** A length of the source in sp. */
TgScaled tg_layout_length(TgLayout *self, TgLength length);

/** Enter one of LaTeX's text sizes. */
void tg_layout_set_text_size(TgLayout *self, TgTextSize size);

/** em and ex of the text font in force, in sp. */
TgScaled tg_layout_em(TgLayout *self);
TgScaled tg_layout_ex(TgLayout *self);

/* ---- The passes ------------------------------------------------------------------------------ */

/** Turn a math list into a horizontal list in @style (TeX's mlist_to_hlist); the list is used up.
 */
TgItem *tg_mlist_to_hlist(TgLayout *self, TgNoad *mlist, int style);

/** A field as a box in @style (TeX's clean_box). */
TgItem *tg_clean_box(TgLayout *self, TgField *field, int style);

/** `$..$` in a box: the list in @style, uncramped, with the math fonts of the text in force. */
TgItem *tg_layout_formula(TgLayout *self, const TgNode *list, int style);

/* The constructs: each sets noad->hlist, or changes its nucleus and leaves the rest to the pass. */
TgScaled tg_make_operator(TgLayout *self, TgNoad *noad);
void tg_make_scripts(TgLayout *self, TgNoad *noad, TgScaled delta);
void tg_make_fraction(TgLayout *self, TgNoad *noad);
void tg_make_radical(TgLayout *self, TgNoad *noad);
void tg_make_accent(TgLayout *self, TgNoad *noad);
void tg_make_over(TgLayout *self, TgNoad *noad);
void tg_make_under(TgLayout *self, TgNoad *noad);
void tg_make_vcenter(TgLayout *self, TgNoad *noad);

/** A character of a math font with its italic correction in the width (TeX's char_box). */
TgItem *tg_char_box(TgLayout *self, const TgFont *font, guint slot, guint32 token, guint32 color);

/** A delimiter of at least height plus depth @size, centred on the axis (TeX's var_delimiter). */
TgItem *tg_var_delimiter(TgLayout *self, const TgDelimiter *delimiter, TgScaled size);

/** The delimiter of \left or \right around something that reaches @height up and @depth down. */
TgItem *tg_left_right(TgLayout *self, const TgDelimiter *delimiter, TgScaled height,
                      TgScaled depth);

/** The overlined box of TeX's overbar: rule of @thickness, @gap above the box. */
TgItem *tg_overbar(TgLayout *self, TgItem *box, TgScaled gap, TgScaled thickness, guint32 token,
                   guint32 color);

/** Centre a box in a wider one (TeX's rebox). */
TgItem *tg_rebox(TgLayout *self, TgItem *box, TgScaled width);

/** Space between atoms of two classes in a style, in 2^-16 mu; 0 where there is none. */
TgScaled tg_atom_space(guint left, guint right, int style);

G_END_DECLS
