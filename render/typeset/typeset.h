/* Shared by the files of the typesetter: TeX's variables, math lists, items, lengths. */
#pragma once

#include "render/typeset/layout.h"
#include "tokenizer/symbols/symbols.h"

/* ---- Arithmetic with scaled points (TeX §§100-107) ------------------------------------------- */

/** x/2, rounded up for odd x. */
static inline TgScaled tg_half(TgScaled x)
{
    return (x & 1) != 0 ? (x + 1) / 2 : x / 2;
}

/** x n / d, truncated toward zero. */
static inline TgScaled tg_xn_over_d(TgScaled x, TgScaled n, TgScaled d)
{
    return x * n / d;
}

/** @amount of mu, in 2^-16, in sp. */
TgScaled tg_mu_to_sp(TgScaled mu_in_sp, TgScaled amount);

/* ---- Math fonts ------------------------------------------------------------------------------ */

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

typedef enum { TG_MATH_TEXT, TG_MATH_SCRIPT, TG_MATH_SCRIPTSCRIPT } TgMathSize;

/** Math fonts of one text size, looked up when first needed; both by TgMathSize. */
typedef struct {
    const TgScaled *size;
    const TgFont *fonts[3][2 * TG_MATH_BOLD];
} TgMathFonts;

/* ---- Math lists: atoms ("noads") with their fields, as in TeX between parsing and layout ----- */

typedef struct TgNoad TgNoad;
typedef struct TgDeferred TgDeferred;

/** The token of a mark on paper, and the color of the mark. */
typedef struct {
    guint32 token; /**< or TG_NO_TOKEN */
    guint32 color;
} TgInk;

typedef enum {
    TG_FIELD_EMPTY,
    TG_FIELD_CHAR,     /**< one character of a math font */
    TG_FIELD_LIST,     /**< a math list */
    TG_FIELD_BOX,      /**< a finished box: TeX's sub_box */
    TG_FIELD_DEFERRED, /**< a box that is made when its style is known (\mathpalette) */
} TgFieldKind;

/** Nucleus or script of an atom. */
typedef struct {
    guint8 kind;  /**< TgFieldKind */
    guint8 font;  /**< CHAR: TgMathFont */
    guint8 slot;  /**< CHAR */
    guint32 code; /**< CHAR: drawn with a fallback font when not 0 */
    TgInk ink;    /**< CHAR */
    union {
        TgNoad *list;
        TgItem *box;
        const TgDeferred *make;
    } u;
} TgField;

#define TG_NO_FIELD ((TgField){ .kind = TG_FIELD_EMPTY })

/** A delimiter: the characters to try, small forms first. */
typedef struct {
    guint8 present; /**< 0: a null delimiter */
    guint8 small_font, small_slot, large_font, large_slot;
    TgInk ink;
} TgDelimiter;

#define TG_NULL_DELIMITER_SPACE TG_PT(1.2)

/** The parts of items of a math list. */
typedef enum {
    TG_ATOM_PLAIN, /**< a nucleus and a class */
    TG_ATOM_BUILT, /**< more than that */
    TG_ATOM_FENCE, /**< \left, \middle, \right: a delimiter */
    TG_ATOM_NONE,  /**< no atom */
} TgAtomKind;

/**
 * X(NAME, class, kind): the items of a math list, and the class that decides the space around an
 * atom. The first eight equal TgMathClass. UNDER is \underline, OVER is \overline, CHOICE is
 * \mathchoice; SPACE is a kern or glue.
 */
/* clang-format off */
#define TG_NOAD_LIST(X)                                                                            \
    X(ORD, ORD, PLAIN) X(OP, OP, PLAIN) X(BIN, BIN, PLAIN) X(REL, REL, PLAIN)                      \
    X(OPEN, OPEN, PLAIN) X(CLOSE, CLOSE, PLAIN) X(PUNCT, PUNCT, PLAIN) X(INNER, INNER, BUILT)      \
    X(RADICAL, ORD, BUILT) X(FRACTION, INNER, BUILT) X(UNDER, ORD, BUILT) X(OVER, ORD, BUILT)      \
    X(ACCENT, ORD, BUILT) X(VCENTER, ORD, BUILT) X(LEFT, OPEN, FENCE) X(MIDDLE, CLOSE, FENCE)      \
    X(RIGHT, CLOSE, FENCE) X(STYLE, NONE, NONE) X(CHOICE, NONE, NONE) X(SPACE, NONE, NONE)
/* clang-format on */

typedef enum {
#define TG_NOAD(name, class, kind) TG_NOAD_##name,
    TG_NOAD_LIST(TG_NOAD)
#undef TG_NOAD
        TG_N_NOADS,
} TgNoadType;

typedef struct {
    guint8 math_class; /**< TgMathClass */
    guint8 kind;       /**< TgAtomKind */
} TgNoadForm;

extern const TgNoadForm tg_noad_forms[]; /**< by TgNoadType */

struct TgNoad {
    TgNoad *next;
    guint8 type;    /**< TgNoadType */
    guint8 limits;  /**< OP: TgLimits */
    guint8 style;   /**< STYLE: TgMathStyle */
    guint8 in_word; /**< a letter followed by one of its font: no italic correction in text fonts */
    TgField nucleus, sub, sup;
    TgItem *hlist; /**< set by the first pass */
    union {
        TgDelimiter delimiter; /**< RADICAL, LEFT, MIDDLE, RIGHT */
        TgInk line;            /**< of OVER and UNDER */
        struct {
            TgField num, den;
            TgDelimiter left, right;
            TgScaled thickness; /**< of the bar; -1: the font's default */
            TgInk ink;          /**< of the bar */
        } fraction;
        TgField accent; /**< a CHAR */
        TgNoad *choice[4];
        struct {
            TgScaled amount; /**< in sp, or with @mu in 2^-16 mu */
            guint8 mu, nonscript, fil;
        } space;
    } u;
};

/** A math list being built at its end; zero it to start. */
typedef struct {
    TgNoad *first, *last;
} TgNoadList;

static inline void tg_noad_list_add(TgNoadList *list, TgNoad *noad)
{
    if (list->last != NULL)
        list->last->next = noad;
    else
        list->first = noad;
    list->last = noad;
}

/* ---- The state of layout --------------------------------------------------------------------- */

/** Text around a piece of mathematics; it decides em, ex and the size of math fonts. */
typedef struct {
    TgTextFont font;
    TgScaled size;         /**< of the text font */
    TgScaled baselineskip; /**< decides \strut and the rows of arrays */
} TgTextState;

/** The state that groups keep in TeX: it is copied where a group begins and restored at its end. */
typedef struct {
    TgMathFonts *math; /**< fonts of the formula (or `$..$` in text) being set */
    TgTextState text;  /**< of the text around it */
    int style;         /**< cur_style */
    TgMathSize size;   /**< cur_size */
    gboolean bold;     /**< the formula is in the bold math version */
    gboolean in_bm;    /**< the symbols of a \bm are being set */
    guint32 color;     /**< 0xRRGGBB of the current color */
    guint32 token;     /**< of the composite symbol being set, or TG_NO_TOKEN */
} TgLayoutState;

#define TG_MATH_FONT_SETS 12
#define TG_MAX_PIECES     10000 /* of a delimiter or arrow of pieces */

/** Layout of one formula at a time; belongs to one thread. */
struct TgLayout {
    TgLayoutState now;
    TgFonts *fonts;
    TgArena arena; /**< noads and items of the formula, dropped with the next one */
    TgMathFonts sets[TG_MATH_FONT_SETS];
    GError *error;      /**< first failure to load a font; layout goes on without its glyphs */
    gboolean measuring; /**< a box is set only to be measured */
    /** nodes that may still be built, because some are built again to be measured */
    guint64 budget;
    GHashTable *composites; /**< TgSymbol -> TgTree of its definition */

    /* the innermost of nested accents, which is set over an empty box while they are built; NULL */
    const TgNode *inner_accent;
    TgItem *inner_strut;
};

/** Take one from the nodes and copies that may still be made; FALSE, and an error, when none is
 * left. */
gboolean tg_layout_spend(TgLayout *self);

/** Enter a style: sets style and size. */
static inline void tg_set_style(TgLayout *self, int style)
{
    self->now.style = style;
    self->now.size = style < TG_SCRIPT ? TG_MATH_TEXT : (TgMathSize) ((style - TG_TEXT) / 2);
}

static inline int tg_sup_style(int style)
{
    return 2 * (style / 4) + TG_SCRIPT + (style & 1);
}

/** Enter `$..$` in @style: the math fonts of the text in force. Returns: the state to put back. */
TgLayoutState tg_enter_math(TgLayout *self, int style);

/** The ink of anything that is now drawn for @token, or for the composite symbol around it. */
static inline TgInk tg_ink(const TgLayout *self, guint32 token)
{
    return (TgInk){ self->now.token != TG_NO_TOKEN ? self->now.token : token, self->now.color };
}

#define TG_NO_INK ((TgInk){ TG_NO_TOKEN, 0 })

/* ---- layout.c: fonts, sizes, lengths --------------------------------------------------------- */

/** Font @font (a TgMathFont) at @size; NULL with self->error set. */
const TgFont *tg_math_font_at(TgLayout *self, guint font, TgMathSize size);

/** Any font at a size of text; NULL with self->error set. */
const TgFont *tg_layout_font(TgLayout *self, TgFontId id, TgScaled size);

/** The text font of a size; NULL with self->error set. */
const TgFont *tg_text_font(TgLayout *self, TgTextFont font, TgScaled size);

/** The size that math fonts have in the style in force. */
static inline TgScaled tg_math_size(const TgLayout *self)
{
    return self->now.math->size[self->now.size];
}

/** Parameter @n of the symbol font (TeX's mathsy) or extension font (mathex) at a size. */
TgScaled tg_math_sy_at(TgLayout *self, guint n, TgMathSize size);
TgScaled tg_math_ex(TgLayout *self, guint n);

static inline TgScaled tg_math_sy(TgLayout *self, guint n)
{
    return tg_math_sy_at(self, n, self->now.size);
}

static inline TgScaled tg_axis_height(TgLayout *self)
{
    return tg_math_sy(self, TG_PARAM_AXIS_HEIGHT);
}

static inline TgScaled tg_rule_thickness(TgLayout *self)
{
    return tg_math_ex(self, TG_PARAM_RULE_THICKNESS);
}

/** @amount of mu, in 2^-16, at the size in force; cur_mu is 1/18 quad of the symbol font. */
static inline TgScaled tg_mu(TgLayout *self, TgScaled amount)
{
    return tg_mu_to_sp(tg_math_sy(self, TG_PARAM_QUAD) / 18, amount);
}

/** The size of a LaTeX size command. */
TgScaled tg_text_size(TgTextSize size);

/** Enter one of LaTeX's text sizes. */
void tg_set_text_size(TgLayout *self, TgTextSize size);

/** A length of the source in sp. */
TgScaled tg_length(TgLayout *self, TgLength length);

/** Parameter @n of the text font in force; its em and ex. */
TgScaled tg_text_param(TgLayout *self, guint n);

static inline TgScaled tg_em(TgLayout *self)
{
    return tg_text_param(self, TG_PARAM_QUAD);
}

static inline TgScaled tg_ex(TgLayout *self)
{
    return tg_text_param(self, TG_PARAM_X_HEIGHT);
}

/** amsmath's \ex@, a length that grows with the size of the math fonts. */
TgScaled tg_ex_at(TgLayout *self);

/* ---- item.c: items and boxes ----------------------------------------------------------------- */

/** A list being built at its end; zero it to start. */
typedef struct {
    TgItem *first, *last;
} TgItemList;

/** Append @item and all that follow it; NULL: nothing. */
void tg_item_list_add(TgItemList *list, TgItem *item);

/** A fresh item of @kind, all zero but for TG_NO_TOKEN. */
TgItem *tg_item_new(TgLayout *self, TgItemKind kind);

TgItem *tg_kern(TgLayout *self, TgScaled amount);

/** Space of natural size 0 that stretches: \hfil. */
TgItem *tg_fil(TgLayout *self);

TgItem *tg_rule(TgLayout *self, TgScaled width, TgScaled height, TgScaled depth, TgInk ink);
TgItem *tg_stroke(TgLayout *self, TgStroke form, TgScaled width, TgScaled height, TgScaled depth,
                  TgInk ink);

/** A character with the box that its font gives it, or NULL when the font lacks it. */
TgItem *tg_char(TgLayout *self, const TgFont *font, guint slot, TgInk ink);

/** A character of a math font with its italic correction in the width (TeX's char_box). */
TgItem *tg_char_box(TgLayout *self, const TgFont *font, guint slot, TgInk ink);

/** A character of a fallback font in its fixed box. */
TgItem *tg_unicode(TgLayout *self, gunichar code, TgScaled size, TgInk ink);

/** The box of \strut, or of one of @stretch (2^-16) times its extent. */
TgItem *tg_strut(TgLayout *self, TgScaled stretch);

/** Let @box reach around a horizontal list. */
void tg_box_grow(TgItem *box, const TgItem *list);

/** Put a horizontal list into a box of its natural size (TeX's hpack). */
TgItem *tg_hpack(TgLayout *self, TgItem *list);

/** Put a horizontal list into a box of a given width: glue of the highest order takes up the
 * difference.
 */
TgItem *tg_hpack_to(TgLayout *self, TgItem *list, TgScaled width);

/** Put a vertical list into a box; its reference point is that of the last item (TeX's vpack). */
TgItem *tg_vpack(TgLayout *self, TgItem *list);

/** Move the reference point of a vertical box to that of its first item (\vtop). */
TgItem *tg_top_aligned(TgItem *box);

/** Center a box in a wider one (TeX's rebox). */
TgItem *tg_rebox(TgLayout *self, TgItem *box, TgScaled width);

/** A box of that size around @list, or empty. @kind: HBOX, VBOX */
TgItem *tg_box(TgLayout *self, TgItemKind kind, TgItem *list, TgScaled width, TgScaled height,
               TgScaled depth);
TgItem *tg_empty_box(TgLayout *self, TgScaled width, TgScaled height, TgScaled depth);

/** @n lists in a row as one; NULLs are skipped. */
TgItem *tg_chain(TgItem *const *lists, gsize n);

/** The items that are the arguments as one list. */
#define tg_items(...)                                                                              \
    tg_chain((TgItem *const[]){ __VA_ARGS__ },                                                     \
             sizeof((TgItem *const[]){ __VA_ARGS__ }) / sizeof(TgItem *))

/** Boxes of the items that are the arguments: \hbox, \vbox, \vtop. */
#define tg_hbox(self, ...) tg_hpack(self, tg_items(__VA_ARGS__))
#define tg_vbox(self, ...) tg_vpack(self, tg_items(__VA_ARGS__))
#define tg_vtop(self, ...) tg_top_aligned(tg_vbox(self, __VA_ARGS__))

/** Interline glue, as TeX's parameters; and the depth of the box before, or -1: no glue. */
typedef struct {
    TgScaled baselineskip, lineskip, lineskiplimit;
    TgScaled depth_before;
} TgLeading;

/** Append a box to a vertical list, after glue (TeX's append_to_vlist). */
void tg_add_line(TgLayout *self, TgItemList *list, TgItem *box, TgLeading *leading);

/* ---- appendix_g.c: from math lists to boxes -------------------------------------------------- */

/** Turn a math list into a horizontal list in @style (TeX's mlist_to_hlist); the list is used up,
 * and @style, or the last one in the list, stays in force. */
TgItem *tg_mlist_to_hlist(TgLayout *self, TgNoad *mlist, int style);

/** The box of a math list in @style; the current style stays. */
TgItem *tg_list_box(TgLayout *self, TgNoad *mlist, int style);

/** A field as a box in @style (TeX's clean_box). */
TgItem *tg_clean_box(TgLayout *self, const TgField *field, int style);

/** How far an accent over the lone character @nucleus is moved: its kern with the skew character.
 */
TgScaled tg_skew(TgLayout *self, const TgField *nucleus);

/** The delimiter of \left or \right around something that reaches @height up and @depth down. */
TgItem *tg_left_right(TgLayout *self, const TgDelimiter *delimiter, TgScaled height,
                      TgScaled depth);

/** Make an Ord of a Bin among two neighboring atoms where TeX does. @before: the type of the first
 * one, or OP at the start of a list; @after: that of the second one, or RIGHT at its end */
void tg_settle_bins(guint8 *before, guint8 *after);

/* ---- build_shape.c: boxes of graphicx -------------------------------------------------------- */

/** @body scaled or turned. @shape: TgNode.u.text.shape */
TgItem *tg_shaped_box(TgLayout *self, TgItem *body, const char *shape);

/* ---- build.c: from the tree to math lists ---------------------------------------------------- */

/** A list of the tree as a math list. */
TgNoad *tg_build_mlist(TgLayout *self, const TgNode *list);

/** Append the noads of @node; a TG_NODE_LIST is a {group}. */
void tg_build_node(TgLayout *self, const TgNode *node, TgNoadList *out);

/** Append the items of @list; changes of font, size and color in it end with it. */
void tg_build_items(TgLayout *self, const TgNode *list, TgNoadList *out);

/**
 * A list as field. One plain Ord without scripts is taken out of its group, as TeX does (§1186),
 * so that {x} is the letter x.
 */
TgField tg_build_field(TgLayout *self, const TgNode *list);

/** `$..$` in a box: the list in @style, uncramped, with the math fonts of the text in force. */
TgItem *tg_formula_box(TgLayout *self, const TgNode *list, int style);

/** The box of a formula in the style in force. */
TgItem *tg_formula_here(TgLayout *self, const TgNode *list);

/** The box of a list, or of text. */
TgItem *tg_body_box(TgLayout *self, const TgNode *body, int style);

TgNoad *tg_noad_new(TgLayout *self, TgNoadType type, TgField nucleus);

/** A field that is one character of a math font, a math list or a box. */
TgField tg_char_field(TgLayout *self, guint font, guint slot, guint32 token);
TgField tg_list_field(TgNoad *list);
TgField tg_box_field(TgItem *box);

/** A field whose box depends on the style. @make gets @node, in the state that the layout has now,
 * and may change that state. */
typedef TgItem *TgMakeBox(TgLayout *self, const TgNode *node);
TgField tg_deferred_field(TgLayout *self, TgMakeBox *make, const TgNode *node);

struct TgDeferred {
    TgMakeBox *make;
    const TgNode *node;
    TgLayoutState state;
};

/** The box of one character of a math font, in @style. */
TgItem *tg_math_char_box(TgLayout *self, guint font, guint slot, guint32 token, int style);

/** The font (a TgMathFont) of a symbol under an alphabet: \mathbf changes letters, not \alpha. */
guint tg_symbol_font(const TgSymbol *symbol, TgAlphabet alphabet);

/** The flag of fonts in the bold math version, or 0. */
static inline guint tg_bold(const TgLayout *self, const TgNode *node)
{
    return self->now.bold || node->bold == 1 ? TG_MATH_BOLD : 0u;
}

/** Append a fresh noad of @type with @nucleus, or an empty Ord, LaTeX's {}. */
TgNoad *tg_append(TgLayout *self, TgNoadList *out, TgNoadType type, TgField nucleus);
void tg_append_empty(TgLayout *self, TgNoadList *out);

/** Append space: in sp, or in mu. */
TgNoad *tg_append_kern(TgLayout *self, TgNoadList *out, TgScaled amount);
TgNoad *tg_append_mu(TgLayout *self, TgNoadList *out, gint mu);

/** Append a LEFT, MIDDLE or RIGHT noad with the delimiter of @symbol, a SYMBOL or NULL. */
void tg_append_delimiter(TgLayout *self, TgNoadList *out, TgNoadType type, const TgNode *symbol);

/** An operator whose scripts are limits. */
TgNoad *tg_limits_noad(TgLayout *self, TgField nucleus);

/* ---- The builders of kinds of nodes ---------------------------------------------------------- */

/** Appends the noads of a node of one kind. */
typedef void TgBuildNode(TgLayout *self, const TgNode *node, TgNoadList *out);

TgBuildNode tg_build_accent, tg_build_stretch, tg_build_stack, tg_build_bold, tg_build_arrow;
TgBuildNode tg_build_rule, tg_build_array, tg_build_char, tg_build_error;
/* of mhchem's \ce: an arrow, which is an ARROW or a SYMBOL, and SCRIPTS */
TgBuildNode tg_build_chemistry_arrow, tg_build_chemistry_scripts;

/* the boxes of nodes that are one box, in the style in force */
TgMakeBox tg_make_phantom, tg_make_lap, tg_make_raised, tg_make_enclosure, tg_make_text;
/* of symbols: in \bm, without a bold version; and a sign of text from a font other than its own */
TgMakeBox tg_make_poor_symbol, tg_make_text_sign;

/** The arrow @form (a TgArrow) in the style in force, @width wide, or as wide as its ends when they
 * are wider. */
TgItem *tg_arrow_fill(TgLayout *self, const TgNode *node, guint form, TgScaled width);

/** Text as a horizontal list, without spaces at both ends, as a cell of a tabular. */
TgItem *tg_trimmed_line(TgLayout *self, const TgNode *list);

/** A Polish letter as OT1 has it: a stroke and @letter, L or l. Returns: a horizontal list. */
TgItem *tg_text_stroked(TgLayout *self, const TgFont *font, gunichar letter, guint32 token);
