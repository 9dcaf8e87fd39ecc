/* The variables of layout; fonts, sizes and lengths that depend on them. */
#pragma once

#include "render/typeset/math_font.h"
#include "render/typeset/math_style.h"
#include "render/typeset/noad.h"
#include "render/typeset/scaled.h"
#include "render/typeset/spacing.h"

G_BEGIN_DECLS

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
#define TG_MAX_PIECES     10000 /* of a delimiter or arrow of pieces */

/** The innermost of nested accents, which is set over an empty box while they are built. */
typedef struct {
    const TgNode *accent; /**< NULL outside of nested accents */
    TgItem *strut;
} TgHollow;

/* The two recursive passes. The files of single constructs call them through the layout, so that
   none of them depends on the files that dispatch on kinds. */

/** Turns a math list into a horizontal list. */
typedef TgItem *(*TgSetMlist)(TgLayout *self, TgNoad *mlist, int style);

/** Appends the noads of a node of one kind. */
typedef void (*TgBuildNode)(TgLayout *self, const TgNode *node, TgNoadList *out);

/** Layout of one formula at a time; belongs to one thread. */
struct TgLayout {
    TgFontSet *fonts;
    TgSetMlist set_mlist;
    const TgBuildNode *builders; /**< by TgNodeKind */
    TgArena arena;               /**< noads and items of the formula, dropped with the next one */
    TgMathFonts *sets[TG_MATH_FONT_SETS];
    GError *error; /**< first failure to load a font; layout goes on without its glyphs */

    /* the current state, as TeX's variables of the same names */
    TgMathFonts *math; /**< fonts of the formula (or `$..$` in text) being set */
    gboolean bold;     /**< it is in the bold math version */
    int style;         /**< cur_style */
    TgMathSize size;   /**< cur_size */
    TgTextState text;  /**< of the text around it */
    guint32 color;     /**< 0xRRGGBB of the current color */
    guint32 token;     /**< whose ink a composite symbol is, or TG_NO_TOKEN */
    TgHollow hollow;
    guint measuring; /**< inside a box that is set only to be measured */
    guint64 budget;  /**< nodes that may still be built: some are built again to measure them */
    TgScaled null_delimiter_space;
    GHashTable *composites; /**< TgSymbol -> TgTree of its definition */
};

/** Enter a style: sets style, size and mu. */
void tg_layout_set_style(TgLayout *self, int style);

/** The token whose ink is drawn now: @token, or that of the composite symbol around it. */
guint32 tg_ink(const TgLayout *self, guint32 token);

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

/** The math italic font at a text size. */
const TgFont *tg_layout_letters_font(TgLayout *self, gboolean bold, TgScaled size);

/** The companion font of text, upright, at a text size. */
const TgFont *tg_layout_companion_font(TgLayout *self, TgScaled size);

/** Parameter @n of the symbol font (TeX's mathsy) or extension font (mathex) at a size. */
TgScaled tg_math_sy(TgLayout *self, guint n, TgMathSize size);

/** TeX's cur_mu: 1/18 quad of the symbol font. */
static inline TgScaled tg_layout_mu(TgLayout *self)
{
    return tg_math_sy(self, TG_PARAM_QUAD, self->size) / 18;
}
TgScaled tg_math_ex(TgLayout *self, guint n);

static inline TgScaled tg_axis_height(TgLayout *self)
{
    return tg_math_sy(self, TG_PARAM_AXIS_HEIGHT, self->size);
}

static inline TgScaled tg_rule_thickness(TgLayout *self)
{
    return tg_math_ex(self, TG_PARAM_RULE_THICKNESS);
}

/* ---- Text and lengths ------------------------------------------------------------------------ */

/** The size of a LaTeX size command. */
TgScaled tg_text_size(TgTextSize size);

/** Enter one of LaTeX's text sizes. */
void tg_layout_set_text_size(TgLayout *self, TgTextSize size);

/** A length of the source in sp. */
TgScaled tg_layout_length(TgLayout *self, TgLength length);

/** The same for @box: \width is its width. */
TgScaled tg_layout_length_of(TgLayout *self, TgLength length, const TgItem *box);

/** em and ex of the text font in force, in sp. */
TgScaled tg_layout_em(TgLayout *self);
TgScaled tg_layout_ex(TgLayout *self);

/** amsmath's \ex@, a length that grows with the size of the math fonts. */
TgScaled tg_ex_at(TgLayout *self);

G_END_DECLS
