/* The formula tree: the meaning of a formula's source, before layout. */
#pragma once

#include <texgauge/types.h>

#include "core/arena.h"
#include "tokenizer/symbols/symbols.h"

typedef struct TgArray TgArray;
typedef struct TgNode TgNode;

/**
 * A formula read into a tree. It owns its nodes (one arena) and a copy of the source; immutable,
 * so any thread may read it.
 *
 * How it mirrors TeX: a TG_NODE_LIST is a math list (mlist); what stands in it is, in order, its
 * noads, glue, style changes and so on. Macros are expanded, font switches resolved, arguments
 * grabbed; infix \over has closed the list before it. Nothing is measured: the tree depends on no
 * font.
 *
 * Depth is bounded (TgParseOptions.max_depth counts nested nodes), so recursion over it is safe.
 */
typedef struct TgTree TgTree;

#define TG_NO_TOKEN G_MAXUINT32

/**
 * A piece of source that makes ink: `x`, `\alpha`, `\frac` (its bar), one letter of \text{..}. Ids
 * are indices into TgTree.tokens, in source order. If the user's macro makes ink from its body,
 * the ink has the token of the call; ink from its arguments has the tokens of the arguments.
 */
typedef struct {
    guint32 start; /**< byte offset of its first byte in the source */
    guint32 end;   /**< offset after its last byte */
    guint8 flags;  /**< TgInkFlags */
} TgInkToken;

typedef enum {
    TG_INK_FENCE = 1 << 0, /**< delimiter that comes from an environment or \pmatrix{..} */
    TG_INK_RULE = 1 << 1,  /**< \hline, `|` of a column specification, \rule, frame of \boxed */
    TG_INK_ERROR = 1 << 2, /**< in place of source that could not be read */
} TgInkFlags;

/* ---- Lengths ------------------------------------------------------------------------------- */

/**
 * X(NAME, name, points): the units of lengths, and about how many points of 12 pt text each is. ND
 * is the new Didot point, NC the new cicero; PX is pdfTeX's, a big point unless \pdfpxdimen is set.
 * EM and EX are of the text font in force, not of the math style; MU is 1/18 quad of the math
 * symbol font in that style. INTERWORD is the space of the text font: `\ `, `~`, white space in
 * text. HEIGHT to WIDTH are sizes of the body of a RAISE. ITALIC is of a SPACE, 1: \/, the italic
 * correction of the character before.
 */
/* clang-format off */
#define TG_UNIT_LIST(X)                                                                            \
    X(PT, "pt", 1) X(PC, "pc", 12) X(IN, "in", 72.27) X(BP, "bp", 1.00375) X(CM, "cm", 28.4528)    \
    X(MM, "mm", 2.84528) X(DD, "dd", 1.07) X(CC, "cc", 12.84) X(ND, "nd", 1.067)                   \
    X(NC, "nc", 12.804) X(PX, "px", 1.00375) X(SP, "sp", 1) X(EM, "em", 11.75) X(EX, "ex", 5.17)   \
    X(MU, "mu", 0.653) X(INTERWORD, "interword", 3.9) X(HEIGHT, "height", 5.2)                     \
    X(DEPTH, "depth", 2.3) X(TOTAL, "totalheight", 7.5) X(WIDTH, "width", 6) X(ITALIC, "italic", 0)
/* clang-format on */

typedef enum {
#define TG_UNIT(name, text, points) TG_UNIT_##name,
    TG_UNIT_LIST(TG_UNIT)
#undef TG_UNIT
        TG_N_UNITS,
} TgUnit;

/** A length as written; the fraction is rounded to 2^-16 as TeX's round_decimals does (§102). */
typedef struct {
    gint32 value; /**< in 2^-16 of @unit; for TG_UNIT_SP in whole sp */
    guint8 unit;  /**< TgUnit */
    guint8 fil;   /**< its infinite stretch: 0 none, 1 fil, 2 fill */
} TgLength;

/** Whether @unit depends on the size of the body of \raisebox. */
static inline gboolean tg_unit_is_of_box(guint8 unit)
{
    return unit == TG_UNIT_HEIGHT || unit == TG_UNIT_DEPTH || unit == TG_UNIT_TOTAL ||
           unit == TG_UNIT_WIDTH;
}

/** \arraycolsep, \fboxsep and \fboxrule unless a formula sets them, in 2^-16 pt. */
enum { TG_ARRAY_SEP = 327680, TG_FRAME_SEP = 196608, TG_FRAME_RULE = 26214 };

/** \arraystretch in `cases`, in 2^-16. */
#define TG_CASES_STRETCH 78643 /* 1.2 */

/** The length in points, about, at 12 pt. */
double tg_length_points(TgLength length);

/** The nearest length in points. */
TgLength tg_length_of_points(double points);

/* ---- Fonts --------------------------------------------------------------------------------- */

/** Math alphabet that holds where a symbol stands; the symbol decides whether it changes. */
typedef enum {
    TG_ALPHABET_DEFAULT, /**< no switch: letters italic, digits and capital Greek upright */
    TG_ALPHABET_NORMAL,  /**< \mathnormal, \mit */
    TG_ALPHABET_RM,
    TG_ALPHABET_BF,
    TG_ALPHABET_IT,
    TG_ALPHABET_SF,
    TG_ALPHABET_TT,
    TG_ALPHABET_CAL,
    TG_ALPHABET_SCR,
    TG_ALPHABET_BB,
    TG_ALPHABET_FRAK,
} TgAlphabet;

typedef enum { TG_FAMILY_RM, TG_FAMILY_SF, TG_FAMILY_TT } TgTextFamily;
typedef enum { TG_SHAPE_UP, TG_SHAPE_IT, TG_SHAPE_SL, TG_SHAPE_SC } TgTextShape;

/** LaTeX's ten size commands. */
typedef enum {
    TG_SIZE_TINY,
    TG_SIZE_SCRIPT,
    TG_SIZE_FOOTNOTE,
    TG_SIZE_SMALL,
    TG_SIZE_NORMAL,
    TG_SIZE_LARGE1, /**< \large */
    TG_SIZE_LARGE2, /**< \Large */
    TG_SIZE_LARGE3, /**< \LARGE */
    TG_SIZE_HUGE1,  /**< \huge */
    TG_SIZE_HUGE2,  /**< \Huge */
} TgTextSize;

/** Font of a character of text. */
typedef struct {
    guint8 family; /**< TgTextFamily */
    guint8 shape;  /**< TgTextShape */
    guint8 bold;   /**< 1 for \bfseries */
    guint8 size;   /**< TgTextSize */
} TgTextFont;

/* ---- Nodes --------------------------------------------------------------------------------- */

typedef enum {
    /* lists and atoms */
    TG_NODE_LIST,      /**< a math list; inside another list: a {group}, an Ord atom */
    TG_NODE_SYMBOL,    /**< one symbol or character of mathematics */
    TG_NODE_OPERATOR,  /**< \sin, \lim, \operatorname{..}: letters that make one operator */
    TG_NODE_SCRIPTS,   /**< nucleus with subscript, superscript, primes, \limits */
    TG_NODE_FRACTION,  /**< \frac, \over, \binom, \genfrac, \cfrac */
    TG_NODE_RADICAL,   /**< \sqrt */
    TG_NODE_ACCENT,    /**< \hat, \widehat; also \'e in text */
    TG_NODE_STRETCH,   /**< \overline, \underbrace, \overrightarrow: as wide as its body */
    TG_NODE_STACK,     /**< \overset, \underset, \stackrel, \buildrel */
    TG_NODE_ARROW,     /**< \xrightarrow: as wide as its labels */
    TG_NODE_DELIMITED, /**< \left..\right: an Inner atom */
    TG_NODE_MIDDLE,    /**< \middle in the body of a TG_NODE_DELIMITED */
    TG_NODE_BIG,       /**< \big( to \Biggr): a delimiter of fixed size */
    TG_NODE_CLASS,     /**< \mathop{..} to \mathinner{..} */
    TG_NODE_BOLD,      /**< \boldsymbol, \pmb: a box that keeps the class of its body */
    TG_NODE_CHOICE,    /**< \mathchoice */
    TG_NODE_ARRAY,     /**< environments, \matrix{..}, \substack */
    /* text */
    TG_NODE_TEXT, /**< \text, \mbox, \hbox, words between islands of mathematics */
    TG_NODE_CHAR, /**< a character of text */
    TG_NODE_MATH, /**< $..$ inside text */
    /* items of lists that are no atoms */
    TG_NODE_STYLE, /**< \displaystyle, to the end of its list */
    TG_NODE_SIZE,  /**< \large, to the end of its list */
    TG_NODE_COLOR, /**< \color, to the end of its list; or \textcolor with a body */
    TG_NODE_SPACE, /**< glue or kern */
    TG_NODE_BREAK, /**< \\ outside of any environment */
    TG_NODE_TAG,   /**< \tag{..}: kept for readers of the tree, but not laid out */
    /* boxes */
    TG_NODE_PHANTOM, /**< \phantom and \smash families: hides ink or dimensions */
    TG_NODE_LAP,     /**< \rlap and related commands: no width */
    TG_NODE_RAISE,   /**< \raisebox, \raise, \lower */
    TG_NODE_VCENTER, /**< \vcenter */
    TG_NODE_ENCLOSE, /**< \boxed, \fbox, \cancel, \colorbox */
    TG_NODE_RULE,    /**< \rule, \strut */
    /* faults */
    TG_NODE_ERROR, /**< source that could not be read; the source is shown */
    TG_N_NODE_KINDS,
} TgNodeKind;

/** How TG_NODE_BOLD sets its body. */
typedef enum {
    TG_BOLD_BOX,     /**< \boldsymbol: a formula of its own in bold fonts */
    TG_BOLD_POOR,    /**< \pmb: the body, drawn three times */
    TG_BOLD_SYMBOLS, /**< \bm: each symbol in bold, in its place */
} TgBoldForm;

typedef enum {
    TG_STYLE_DISPLAY,
    TG_STYLE_TEXT,
    TG_STYLE_SCRIPT,
    TG_STYLE_SCRIPTSCRIPT,
    TG_STYLE_INHERIT, /**< the style around it */
} TgStyle;

typedef enum {
    TG_LIMITS_DEFAULT, /**< as the nucleus has it: its symbol, or TG_NODE_OPERATOR.limits */
    TG_LIMITS_DISPLAY, /**< above and below in display style (\displaylimits) */
    TG_LIMITS_ON,      /**< \limits */
    TG_LIMITS_OFF,     /**< \nolimits */
} TgLimits;

/** The place of scripts; \ce sets scripts at the height of a capital letter. */
typedef enum {
    TG_SCRIPTS_PLAIN,   /**< as TeX sets them */
    TG_SCRIPTS_SUB_SUP, /**< the superscript after the subscript */
    /** scripts of the next item, with right ends above each other; no nucleus */
    TG_SCRIPTS_BEFORE,
} TgScriptsForm;

typedef enum {
    /** \frac, \dfrac, \tfrac, \genfrac: in its own group, so that it is an Ord */
    TG_FRACTION_FRAC,
    TG_FRACTION_CFRAC, /**< \cfrac: numerator with \strut, \nulldelimiterspace only at the left */
    TG_FRACTION_INFIX, /**< \over, \atop, \above: fills its list, which is the group */
} TgFractionForm;

/** Signs that are drawn as wide as a body. */
typedef enum {
    TG_SHAPE_OF_LINE,
    TG_SHAPE_OF_BRACE, /**< its body is in display style */
    TG_SHAPE_OF_BRACKET,
    TG_SHAPE_OF_ARROW,
} TgStretchShape;

/**
 * X(NAME, name, shape, class, under, arrow): a sign that a command draws over or under its body,
 * the class of the atom (an OP has limits, NONE is a box), and the TgArrow of an arrow. A new sign
 * needs a row here and in commands.tsv, and its shape in render/typeset/build_over.c.
 */
/* clang-format off */
#define TG_STRETCH_LIST(X)                                                                         \
    X(OVERLINE, "overline", LINE, ORD, FALSE, RIGHT)                                               \
    X(UNDERLINE, "underline", LINE, ORD, TRUE, RIGHT)                                              \
    X(OVERBRACE, "overbrace", BRACE, OP, FALSE, RIGHT)                                             \
    X(UNDERBRACE, "underbrace", BRACE, OP, TRUE, RIGHT)                                            \
    X(OVERRIGHTARROW, "overrightarrow", ARROW, NONE, FALSE, RIGHT)                                 \
    X(OVERLEFTARROW, "overleftarrow", ARROW, NONE, FALSE, LEFT)                                    \
    X(OVERLEFTRIGHTARROW, "overleftrightarrow", ARROW, NONE, FALSE, LEFTRIGHT)                     \
    X(UNDERRIGHTARROW, "underrightarrow", ARROW, NONE, TRUE, RIGHT)                                \
    X(UNDERLEFTARROW, "underleftarrow", ARROW, NONE, TRUE, LEFT)                                   \
    X(UNDERLEFTRIGHTARROW, "underleftrightarrow", ARROW, NONE, TRUE, LEFTRIGHT)                    \
    X(OVERBRACKET, "overbracket", BRACKET, OP, FALSE, RIGHT)                                       \
    X(UNDERBRACKET, "underbracket", BRACKET, OP, TRUE, RIGHT)
/* clang-format on */

typedef enum {
#define TG_STRETCH(name, text, shape, class, under, arrow) TG_STRETCH_##name,
    TG_STRETCH_LIST(TG_STRETCH)
#undef TG_STRETCH
} TgStretch;

typedef struct {
    guint8 shape;      /**< TgStretchShape */
    guint8 math_class; /**< TgMathClass */
    guint8 under;      /**< 1: under its body */
    guint8 arrow;      /**< TgArrow */
} TgStretchForm;

extern const TgStretchForm tg_stretch_forms[]; /**< by TgStretch */

typedef enum {
    /** \overset, \underset, \overunderset: the class that TeX's \binrel@ finds */
    TG_STACK_OVERSET,
    TG_STACK_REL, /**< \stackrel, \buildrel: always Rel */
} TgStackForm;

/** X(NAME, name): the arrows of \xrightarrow and similar commands; "=" is the sign of
 * \xlongequal. */
/* clang-format off */
#define TG_ARROW_LIST(X)                                                                           \
    X(RIGHT, "rightarrow") X(LEFT, "leftarrow") X(LEFTRIGHT, "leftrightarrow")                     \
    X(DOUBLE_RIGHT, "Rightarrow") X(DOUBLE_LEFT, "Leftarrow")                                      \
    X(DOUBLE_LEFTRIGHT, "Leftrightarrow") X(MAPSTO, "mapsto") X(HOOK_RIGHT, "hookrightarrow")      \
    X(HOOK_LEFT, "hookleftarrow") X(HARPOON_RIGHT_UP, "rightharpoonup")                            \
    X(HARPOON_RIGHT_DOWN, "rightharpoondown") X(HARPOON_LEFT_UP, "leftharpoonup")                  \
    X(HARPOON_LEFT_DOWN, "leftharpoondown") X(RIGHT_LEFT_HARPOONS, "rightleftharpoons")            \
    X(LEFT_RIGHT_HARPOONS, "leftrightharpoons") X(RIGHT_LEFT, "rightleftarrows") X(EQUAL, "=")
/* clang-format on */

typedef enum {
#define TG_ARROW(name, text) TG_ARROW_##name,
    TG_ARROW_LIST(TG_ARROW)
#undef TG_ARROW
} TgArrow;

/** Signs around, behind or through a body. */
typedef enum {
    TG_SHAPE_OF_FRAME,
    TG_SHAPE_OF_RING,   /**< around text */
    TG_SHAPE_OF_STROKE, /**< through the body */
    TG_SHAPE_OF_GROUND, /**< a colored background */
} TgEnclosureShape;

/**
 * X(NAME, name, shape): the commands that enclose a body. The body of BOXED is in display style;
 * FBOX (also \framebox) is a frame around text. The stroke of CANCEL goes from bottom left to top
 * right, that of STRIKE across.
 */
/* clang-format off */
#define TG_ENCLOSURE_LIST(X)                                                                       \
    X(BOXED, "boxed", FRAME) X(FBOX, "fbox", FRAME) X(CIRCLE, "textcircled", RING)                 \
    X(CANCEL, "cancel", STROKE) X(BCANCEL, "bcancel", STROKE) X(XCANCEL, "xcancel", STROKE)        \
    X(STRIKE, "sout", STROKE) X(COLORBOX, "colorbox", GROUND) X(FCOLORBOX, "fcolorbox", GROUND)
/* clang-format on */

typedef enum {
#define TG_ENCLOSE(name, text, shape) TG_ENCLOSE_##name,
    TG_ENCLOSURE_LIST(TG_ENCLOSE)
#undef TG_ENCLOSE
} TgEnclosure;

extern const guint8 tg_enclosure_shapes[]; /**< TgEnclosureShape by TgEnclosure */

/** The ink and the sizes that a TG_NODE_PHANTOM takes away. */
typedef enum {
    TG_PHANTOM_NO_INK = 1 << 0,
    TG_PHANTOM_NO_WIDTH = 1 << 1,
    TG_PHANTOM_NO_HEIGHT = 1 << 2,
    TG_PHANTOM_NO_DEPTH = 1 << 3,
    TG_PHANTOM_CRAMPED = 1 << 4, /**< of mathtools' \cramped: superscripts rise less */
} TgPhantomFlags;

/** How a space between words is written. */
typedef enum {
    TG_INTERWORD_BLANK,   /**< white space: longer after the end of a sentence */
    TG_INTERWORD_CONTROL, /**< `\ ` */
    /** `~`: LaTeX puts an empty group after it, which is an atom in mathematics */
    TG_INTERWORD_TIE,
} TgInterword;

typedef enum {
    TG_LEADERS_NONE,
    TG_LEADERS_DOTS, /**< \dotfill */
    TG_LEADERS_RULE, /**< \hrulefill */
} TgLeaders;

typedef enum {
    TG_RULE_RULE,  /**< \rule with its lengths */
    TG_RULE_STRUT, /**< \strut: no width, 0.7 and 0.3 of \baselineskip */
    TG_RULE_VLINE, /**< \vline: as high as its row */
} TgRuleForm;

/** One node. A pointer is never NULL unless its comment allows NULL. */
struct TgNode {
    guint8 kind;       /**< TgNodeKind */
    guint8 alphabet;   /**< TgAlphabet in force (SYMBOL) */
    guint8 math_class; /**< TgMathClass (SYMBOL, BIG, CLASS) */
    guint8 bold;       /**< 1 inside \boldmath, \boldsymbol (SYMBOL) */
    /** source span in bytes with the arguments; for output of a macro, the span of the call */
    guint32 start;
    guint32 end;        /**< offset behind the last byte */
    guint32 token;      /**< id of the token for its own ink, or TG_NO_TOKEN */
    const TgNode *next; /**< next item of the same list, or NULL */

    union {
        struct {
            const TgNode *first; /**< NULL when empty */
            guint32 n_items;
            guint8 braced; /**< 1: written with braces or \bgroup, unlike x^2, \frac12, a cell */
        } list;

        /** SYMBOL. A delimiter is a SYMBOL, too; its math_class is the class for \left, \big.. or
         * unused. */
        struct {
            const TgSymbol *symbol; /**< NULL: a character that is not in the table */
            gunichar code;          /**< the character shown, before alphabets; 0: none */
            guint8 chemistry;       /**< 1: an arrow of \ce */
        } symbol;

        struct {
            const TgNode *body; /**< LIST of upright symbols and thin spaces (\limsup) */
            guint8 limits;      /**< TgLimits: DISPLAY for \lim, OFF for \sin */
        } op;

        struct {
            const TgNode *nucleus; /**< NULL: no nucleus, as in {}^2 written ^2 */
            const TgNode *sub;     /**< LIST or NULL */
            const TgNode *sup;     /**< LIST or NULL; begins with the primes, as in TeX */
            /** number of items at the beginning of sup that come from ' */
            guint16 n_primes;
            guint8 limits; /**< TgLimits */
            guint8 form;   /**< TgScriptsForm */
        } scripts;

        struct {
            const TgNode *num, *den;    /**< LIST */
            const TgNode *left, *right; /**< SYMBOL or NULL; null delimiters are NULL too */
            TgLength bar;               /**< thickness, if has_bar is 2 */
            guint8 has_bar;             /**< 0 no bar, 1 default thickness, 2 thickness @bar */
            guint8 style;               /**< TgStyle: INHERIT, or forced by \dfrac, \genfrac */
            guint8 form;                /**< TgFractionForm */
        } fraction;

        struct {
            const TgNode *body;  /**< LIST */
            const TgNode *index; /**< LIST or NULL */
        } radical;

        struct {
            const TgNode *base;     /**< LIST; in text a CHAR, or NULL */
            const TgSymbol *symbol; /**< row of the accent; NULL in text */
            gunichar code;          /**< the accent as combining character: U+0302 for \hat */
            guint8 wide;            /**< grows with its base: \widehat */
        } accent;

        struct {
            const TgNode *body; /**< LIST */
            guint8 form;        /**< TgStretch */
        } stretch;

        struct {
            const TgNode *base;  /**< LIST */
            const TgNode *over;  /**< LIST or NULL */
            const TgNode *under; /**< LIST or NULL */
            guint8 form;         /**< TgStackForm */
        } stack;

        struct {
            const TgNode *above; /**< LIST, may be empty */
            const TgNode *below; /**< LIST or NULL */
            guint8 form;         /**< TgArrow */
            guint8 chemistry;    /**< 1: an arrow of \ce */
            guint8 is_long;      /**< 1: \xlongrightarrow, which is longer even without labels */
        } arrow;

        struct {
            const TgNode *left, *right; /**< SYMBOL, or NULL for \left. */
            const TgNode *body;         /**< LIST */
        } delimited;

        /** MIDDLE and BIG. */
        struct {
            const TgNode *delimiter; /**< SYMBOL, or NULL for `.` */
            guint8 size;             /**< BIG: 1 \big, 2 \Big, 3 \bigg, 4 \Bigg */
        } big;

        /** CLASS, BOLD, MATH, VCENTER, TAG, and other kinds that have only a body. */
        struct {
            const TgNode *body; /**< LIST */
            guint8 flag;        /**< BOLD: TgBoldForm; MATH: 1 for $$..$$; TAG: 1 for \tag*;
                                     CLASS: 1 for \sideset */
        } body;

        struct {
            const TgNode *style[4]; /**< LIST by TgStyle */
        } choice;

        const TgArray *array;

        struct {
            const TgNode *body; /**< LIST of CHAR, SPACE, MATH, boxes, groups */
            guint8 scales;      /**< 1: size follows the math style (\text), 0: not (\mbox) */
            TgLength width;     /**< width of \makebox[..], if has_width */
            guint8 has_width;
            guint8 align;      /**< 'l' 'c' 'r' in that width */
            guint8 place;      /**< of \parbox: whose line is the text's, 't' or 'b'; 0: one line */
            const char *shape; /**< what scales or turns it, as `\scalebox{2}`; or NULL */
        } text;

        struct {
            gunichar code;
            TgTextFont font;
            /** 1: a command such as \textless or \_, because the typed sign is another one in the
             * font */
            guint8 named;
        } character;

        struct {
            guint8 style; /**< TgStyle (STYLE) or TgTextSize (SIZE) */
        } change;

        struct {
            const TgNode *body; /**< LIST, or NULL: the rest of the list around this node */
            guint32 rgb;        /**< 0xRRGGBB */
        } color;

        struct {
            TgLength amount;
            guint8 kern;      /**< 1: a kern; 0: glue */
            guint8 nonscript; /**< 1: no space in script styles (\nonscript stands before it) */
            guint8 vertical;  /**< 1: \vspace, \vskip, which have no width in a line */
            guint8 interword; /**< TgInterword, when the unit is TG_UNIT_INTERWORD */
            guint8 leaders;   /**< TgLeaders that fill it */
        } space;

        struct {
            TgLength gap; /**< the gap of \\[gap] */
        } line_break;

        struct {
            const TgNode *body; /**< LIST */
            guint8 flags;       /**< TgPhantomFlags */
        } phantom;

        struct {
            const TgNode *body; /**< LIST, or TEXT for \rlap, \llap, \clap */
            guint8 align;       /**< side of the body: 'l' left of this place (\llap), 'c', 'r' */
        } lap;

        struct {
            const TgNode *body;     /**< TEXT or LIST */
            TgLength amount;        /**< upwards; negative for \lower */
            TgLength height, depth; /**< height and depth of the whole that \raisebox sets */
            guint8 has;             /**< bits: 1 @height is set, 2 @depth is set */
        } raise;

        struct {
            const TgNode *body; /**< LIST, or TEXT for \fbox */
            guint32 rgb;        /**< background of COLORBOX */
            guint32 frame;      /**< color of FCOLORBOX's frame */
            TgLength sep, line; /**< \fboxsep and \fboxrule of BOXED and FBOX */
            guint8 form;        /**< TgEnclosure */
        } enclose;

        struct {
            TgLength width, height, raise;
            guint8 form; /**< TgRuleForm */
        } rule;

        struct {
            guint32 index;    /**< place in TgTree.errors */
            const char *text; /**< the source, which is shown in place of a node; not empty */
        } error;
    } u;
};

/* ---- Arrays: environments, \matrix{..}, \substack -------------------------------------------- */

/** The layout of an environment; its spelling is TgArray.name. */
typedef enum {
    TG_ENV_ARRAY,        /**< array, tabular: \arraycolsep at both sides, column specification */
    TG_ENV_MATRIX,       /**< matrix, pmatrix ..: no \arraycolsep at the outer sides */
    TG_ENV_SMALLMATRIX,  /**< smallmatrix, psmallmatrix: script size */
    TG_ENV_CASES,        /**< cases, dcases, rcases */
    TG_ENV_ALIGNED,      /**< align, aligned, split, flalign ..: right and left columns in turn */
    TG_ENV_ALIGNEDAT,    /**< alignat, alignedat: no space between pairs */
    TG_ENV_EQNARRAY,     /**< right, center, left, with 2 \arraycolsep between */
    TG_ENV_GATHERED,     /**< gather, gathered: centered rows */
    TG_ENV_MULTLINE,     /**< first row left, last row right, others centered */
    TG_ENV_SUBARRAY,     /**< subarray, \substack: script size, tight rows */
    TG_ENV_PLAIN_MATRIX, /**< plain TeX's \matrix{..}, \pmatrix{..}: \quad between columns */
} TgEnvironment;

typedef enum {
    TG_COLUMN_CELL, /**< a column; @align is one of l c r p m b */
    TG_COLUMN_LINE, /**< |; also arydshln's : and ;{..} */
    TG_COLUMN_AT,   /**< @{..} or !{..}: material instead of the space between columns */
} TgColumnItemKind;

/** One item of a column specification, in the order of the source; *{n}{..} is written out. */
typedef struct {
    guint8 kind;            /**< TgColumnItemKind */
    guint8 align;           /**< CELL: l c r p m b; else 0 */
    const TgNode *material; /**< LIST (AT), else NULL */
    guint32 token;          /**< LINE: its token; else TG_NO_TOKEN */
    TgLength width;         /**< of p, m and b */
    /** for > and <: used by the parser alone, because the cells contain the material */
    struct TgColumnTemplate *around;
} TgColumnItem;

typedef struct {
    const TgNode *content;       /**< LIST, may be empty; not braced */
    const TgColumnItem *columns; /**< \multicolumn's own specification, or NULL */
    guint32 n_columns;
    guint32 span; /**< number of columns that it covers, at least 1 */
    guint8 text;  /**< 1: the content is text (tabular, a column p{..}) */
} TgCell;

typedef struct {
    const TgCell *cells;
    guint32 n_cells;
    guint32 start, end; /**< source span */
    TgLength gap;       /**< gap of \\[gap] after the row; 0 pt without it */
    guint8 ended;       /**< 1: \\ or \cr follows the row */
} TgRow;

typedef enum {
    TG_BETWEEN_HLINE,
    TG_BETWEEN_CLINE, /**< from column @first to @last, counted from 1 */
    TG_BETWEEN_SPACE, /**< \noalign{\vskip ..}: @space */
} TgBetweenKind;

/** A line or space between rows, in source order; @row is n_rows below the last row. */
typedef struct {
    guint8 kind; /**< TgBetweenKind */
    guint32 row; /**< the row that follows it */
    guint32 first, last;
    TgLength space;
    guint32 token; /**< token of a line, or TG_NO_TOKEN */
} TgBetween;

struct TgArray {
    const char *name; /**< "pmatrix", "align*"; for commands without backslash: "substack" */
    const TgColumnItem *columns; /**< ARRAY, SUBARRAY; NULL for the rest */
    guint32 n_column_items;
    guint32 n_used;    /**< columns of the widest row, counting spans */
    guint32 n_columns; /**< the same; at least the number of the specification */
    const TgRow *rows;
    guint32 n_rows;
    guint32 n_between;
    const TgBetween *between;   /**< ordered by row */
    const TgNode *left, *right; /**< SYMBOL or NULL: fences; their tokens have TG_INK_FENCE */
    guint8 environment;         /**< TgEnvironment */
    guint8 align;               /**< 't', 'c' or 'b' */
    guint8 display;             /**< 1: cells in display style (aligned, dcases) */
    guint8 text;                /**< 1: tabular, \shortstack: all cells are text */
    gint32 stretch;             /**< \arraystretch in 2^-16; 65536 unless redefined */
    TgLength sep;               /**< \arraycolsep */
};

/* ---- Faults of a formula's source ------------------------------------------------------------ */

/** X(NAME, name): the kinds of faults. */
/* clang-format off */
#define TG_PARSE_ERROR_LIST(X)                                                                     \
    X(UNKNOWN_COMMAND, "unknown-command")                                                          \
    X(UNKNOWN_ENVIRONMENT, "unknown-environment")                                                  \
    X(MISSING_ARGUMENT, "missing-argument")                                                        \
    X(BRACE, "brace")              /* a brace that is not closed, or closes none */                \
    X(DELIMITER, "delimiter")      /* \left without \right, or something that is no delimiter */   \
    X(ENVIRONMENT, "environment")  /* \begin without \end, or with the \end of another */          \
    X(ALIGNMENT, "alignment")      /* misplaced &, too many columns, \hline or \cr out of place */ \
    X(SCRIPT, "script")            /* double superscript or subscript */                           \
    X(FRACTION, "fraction")        /* a second \over in one group */                               \
    X(LIMITS, "limits")            /* \limits after something that is no operator */               \
    X(LENGTH, "length")            /* a number or unit that TeX does not accept */                 \
    X(COLUMNS, "columns")          /* a column specification with unknown letters */               \
    X(MODE, "mode")                /* mathematics in text or text in mathematics */                \
    X(CHARACTER, "character")      /* a control character, bytes that are no UTF-8, a lone # */    \
    X(MACRO, "macro")              /* a definition or call that does not fit */                    \
    X(COLOR, "color")              /* an unknown color */                                          \
    X(LIMIT, "limit")              /* a bound was exceeded: reading stops, strict or not */
/* clang-format on */

typedef enum {
#define TG_PARSE_ERROR(name, text) TG_PARSE_##name,
    TG_PARSE_ERROR_LIST(TG_PARSE_ERROR)
#undef TG_PARSE_ERROR
} TgParseErrorKind;

/**
 * The packages of LaTeX whose commands a formula may use even if its document does not load them,
 * X(NAME, name). KATEX is what KaTeX and MathJax have beyond LaTeX; PLAIN what amsmath forbids of
 * plain TeX.
 */
/* clang-format off */
#define TG_PACKAGE_LIST(X)                                                                         \
    X(PHYSICS, "physics") X(SIUNITX, "siunitx") X(MHCHEM, "mhchem") X(STMARYRD, "stmaryrd")        \
    X(BRAKET, "braket") X(ESINT, "esint") X(AMSCD, "amscd") X(ARRAY, "array")                      \
    X(ARYDSHLN, "arydshln") X(BOOKTABS, "booktabs") X(MULTIROW, "multirow") X(ULEM, "ulem")        \
    X(HYPERREF, "hyperref") X(EXTARROWS, "extarrows") X(EXTPFEIL, "extpfeil")                      \
    X(DSFONT, "dsfont") X(BBM, "bbm") X(UNICODE_MATH, "unicode-math") X(SLASHED, "slashed")        \
    X(EUROSYM, "eurosym") X(GENSYMB, "gensymb") X(NICEFRAC, "nicefrac") X(XFRAC, "xfrac")          \
    X(YHMATH, "yhmath") X(ARCS, "arcs") X(PLAIN, "plain") X(KATEX, "katex")
/* clang-format on */

typedef enum {
    TG_PACKAGE_NONE, /**< every document has the command */
#define TG_PACKAGE(name, text) TG_PACKAGE_##name,
    TG_PACKAGE_LIST(TG_PACKAGE)
#undef TG_PACKAGE
        TG_N_PACKAGES,
} TgPackage;

/** A set of packages: the bit 1 << TgPackage for each. */
typedef guint32 TgPackages;

/** Packages whose notation people and language models write without naming the package. */
#define TG_PACKAGES_PRESET                                                                         \
    (1u << TG_PACKAGE_PHYSICS | 1u << TG_PACKAGE_SIUNITX | 1u << TG_PACKAGE_MHCHEM |               \
     1u << TG_PACKAGE_STMARYRD)

extern const char *const tg_package_names[]; /**< "physics", by TgPackage; NULL at the end */

/** The option packages=: names with + between them, or none. */
#define TG_PACKAGES_PRESET_TEXT "physics+siunitx+mhchem+stmaryrd"
#define TG_PACKAGES_HELP                                                                           \
    "packages whose commands count as known beside amsmath, amssymb, mathtools and "               \
    "xcolor, with + between them; katex: what KaTeX has; none"

/** Parse a text such as TG_PACKAGES_PRESET_TEXT; FALSE with TG_ERROR_USAGE for an unknown name. */
gboolean tg_packages_parse(const char *text, TgPackages *packages, GError **error);

/** One fault of the source. */
typedef struct {
    guint8 kind; /**< TgParseErrorKind */
    /** TgPackage without which a document refuses the source; NONE for other faults */
    guint8 package;
    guint32 start, end;  /**< source span in bytes of the faulty part */
    guint32 column;      /**< column of @start, in code points from 1 */
    const char *message; /**< plain sentence without full stop, column not included */
} TgParseError;

extern const char *const tg_parse_error_names[]; /**< "unknown-command", by TgParseErrorKind */

/* ---- The tree -------------------------------------------------------------------------------- */

struct TgTree {
    TgArena arena; /**< nodes, arrays, messages, the source */
    const char *source;
    gsize len;
    const TgNode *root; /**< the whole formula: a LIST, not braced */
    TgInkToken *tokens; /**< of ink, in source order */
    guint n_tokens;
    TgParseError *errors; /**< in the order met; none in a strict tree */
    guint n_errors;
    TgParseError *refusals; /**< places where LaTeX stops although the meaning is clear */
    guint n_refusals;
    guint n_nodes;
    gboolean refers; /**< it has \ref, \eqref, \pageref or \cite: TeX prints ink that no node has */
};

/** A tree without nodes that holds a copy of the source. (transfer full) */
TgTree *tg_tree_new(const char *tex, gsize len);
void tg_tree_free(TgTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgTree, tg_tree_free)

/**
 * The first place at which LaTeX stops in a display of a document with amsmath, amssymb, mathtools
 * and xcolor: a fault, or a refusal that none of @packages cancels; NULL when LaTeX sets the
 * formula.
 */
const TgParseError *tg_tree_refusal(const TgTree *tree, TgPackages packages);

/* ---- Fields of each kind of node: the table by which trees are walked, copied and printed ---- */

/** The role of a child in its parent. */
typedef enum {
    TG_ROLE_ITEM, /**< of a list */
    TG_ROLE_NUCLEUS,
    TG_ROLE_SUB,
    TG_ROLE_SUP,
    TG_ROLE_NUM,
    TG_ROLE_DEN,
    TG_ROLE_LEFT,  /**< delimiter or fence */
    TG_ROLE_RIGHT, /**< delimiter or fence */
    TG_ROLE_BODY,
    TG_ROLE_INDEX, /**< of a root */
    TG_ROLE_OVER,
    TG_ROLE_UNDER,
    TG_ROLE_DELIMITER, /**< of \big, \middle */
    TG_ROLE_DISPLAY,   /**< alternatives of \mathchoice, in the order of TgStyle */
    TG_ROLE_TEXT,
    TG_ROLE_SCRIPT,
    TG_ROLE_SCRIPTSCRIPT,
    TG_ROLE_COLUMN, /**< material of a column specification */
    TG_ROLE_CELL,
} TgRole;

/** The contents of a child, and the style in which TeX sets the child. */
typedef enum {
    TG_CONTENT_MATH,         /**< LIST in the style around it */
    TG_CONTENT_SMALLER,      /**< LIST as a script: \scriptstyle, then \scriptscriptstyle */
    TG_CONTENT_PART,         /**< LIST as a numerator or denominator */
    TG_CONTENT_SCRIPT,       /**< LIST in \scriptstyle */
    TG_CONTENT_SCRIPTSCRIPT, /**< LIST in \scriptscriptstyle */
    TG_CONTENT_CHOICE,       /**< LIST in the style that its role names */
    TG_CONTENT_WORDS,        /**< LIST of text */
    TG_CONTENT_BOX,          /**< TEXT, or LIST in the style around it */
    TG_CONTENT_NUCLEUS,      /**< any node */
    TG_CONTENT_DELIMITER,    /**< SYMBOL */
} TgContent;

typedef enum {
    TG_NODE_FIELD_END,       /**< after the last field */
    TG_NODE_FIELD_CHILD,     /**< const TgNode *, may be NULL */
    TG_NODE_FIELD_FLAG,      /**< guint8 */
    TG_NODE_FIELD_NUMBER,    /**< guint8 */
    TG_NODE_FIELD_COUNT,     /**< guint16; not printed when 0 */
    TG_NODE_FIELD_ENUM,      /**< guint8, an index into .names */
    TG_NODE_FIELD_BITS,      /**< guint8, each bit with its name in .names */
    TG_NODE_FIELD_ALIGN,     /**< guint8: 'l', 'c' or 'r' */
    TG_NODE_FIELD_LENGTH,    /**< TgLength */
    TG_NODE_FIELD_GAP,       /**< TgLength; not printed when 0 */
    TG_NODE_FIELD_CHARACTER, /**< gunichar, 0 for none */
    TG_NODE_FIELD_SYMBOL,    /**< const TgSymbol *, may be NULL */
    TG_NODE_FIELD_COLOR,     /**< guint32: 0xRRGGBB */
    TG_NODE_FIELD_STRING,    /**< const char * */
} TgNodeFieldType;

/** One member of TgNode that a kind uses. */
typedef struct {
    guint8 type;      /**< TgNodeFieldType */
    guint8 role;      /**< CHILD: TgRole */
    guint8 content;   /**< CHILD: TgContent */
    guint8 unset;     /**< ENUM: the default, which is not printed; TG_NO_UNSET: no default */
    guint16 offset;   /**< in TgNode */
    const char *name; /**< for a CHILD the name of its role */
    const char *const *names;
} TgNodeField;

#define TG_NO_UNSET 255

/** The name and the fields of a kind of nodes. */
typedef struct {
    const char *name; /**< "list", "symbol" */
    /** up to a TG_NODE_FIELD_END, children last; none for lists and arrays */
    TgNodeField fields[7];
    /** of a kind whose LaTeX is a command with the children as arguments; names of ENUM fields end
     * the command ("math" and "rel"). NULL: the kind is written in another way */
    const char *command;
} TgNodeKindInfo;

extern const TgNodeKindInfo tg_node_kinds[TG_N_NODE_KINDS];

static inline const TgNode *tg_node_child(const TgNode *node, const TgNodeField *field)
{
    return *(const TgNode *const *) (gconstpointer) ((const guint8 *) node + field->offset);
}

/** Walks over the children of one node, in the order of the tree's fields; arrays row by row. */
typedef struct {
    TgRole role;       /**< (out) role of the child just given */
    TgContent content; /**< (out) its contents; MATH for parts of lists and arrays */
    /*< private >*/
    const TgNode *parent, *item;
    const TgNodeField *field;
    TgRole part; /**< of an array: the part that is given, with material of @columns before @item */
    const TgColumnItem *columns;
    guint32 n_columns, row, cell;
} TgChildIter;

TgChildIter tg_child_iter(const TgNode *parent);

/** The next child, or NULL at the end; absent children are left out. */
const TgNode *tg_child_iter_next(TgChildIter *iter);

/* ---- Names --------------------------------------------------------------------------------- */

extern const char *const tg_role_names[]; /**< "item", by TgRole */

/* Names of values as LaTeX has them, by enumeration. */
extern const char *const tg_stretch_names[];   /**< "overline", by TgStretch */
extern const char *const tg_arrow_names[];     /**< "rightarrow", by TgArrow */
extern const char *const tg_enclosure_names[]; /**< "boxed", by TgEnclosure */
extern const char *const tg_size_names[];      /**< "tiny", by TgTextSize */
extern const char *const tg_unit_names[];      /**< "pt", by TgUnit */

/* ---- Rules of TeX that all readers of the tree share: styles, classes, limits, what is seen -- */

/** The style of scripts in @style, both TgStyle. */
static inline guint8 tg_style_of_scripts(guint8 style)
{
    return style == TG_STYLE_DISPLAY || style == TG_STYLE_TEXT ? TG_STYLE_SCRIPT
                                                               : TG_STYLE_SCRIPTSCRIPT;
}

/** The style in which @parent, which stands in @style, sets a child. */
guint8 tg_style_of_child(const TgNode *parent, TgContent content, TgRole role, guint8 style);

guint8 tg_style_of_cells(const TgArray *array);

/**
 * The class of the atom that @node makes by its kind, before TeX turns a Bin without operands into
 * an Ord. TG_CLASS_NONE: no atom, a box, an atom with the class of its body (\overset), or \big and
 * its family, which count as delimiters whatever their class is.
 */
TgMathClass tg_node_class(const TgNode *node);

/** Whether the scripts of the SCRIPTS @node stand above and below in @style. */
gboolean tg_scripts_are_limits(const TgNode *node, guint8 style);

/** Whether @node, which may be NULL, is the symbol @name: "prime", "not". */
gboolean tg_node_is_symbol(const TgNode *node, const char *name);

/** Whether TeX sets the parts of a node as separate formulas, so that an alphabet around the node
 * does not reach them. */
static inline gboolean tg_node_starts_formula(const TgNode *node)
{
    return node->kind == TG_NODE_BOLD || node->kind == TG_NODE_PHANTOM ||
           node->kind == TG_NODE_LAP || node->kind == TG_NODE_ENCLOSE ||
           node->kind == TG_NODE_ARRAY ||
           (node->kind == TG_NODE_STRETCH &&
            tg_stretch_forms[node->u.stretch.form].shape != TG_SHAPE_OF_LINE);
}

/** The item of @list if it has only one and that is of @kind; else NULL. */
static inline const TgNode *tg_list_only(const TgNode *list, TgNodeKind kind)
{
    const TgNode *first = list->u.list.first;

    return first != NULL && first->next == NULL && first->kind == kind ? first : NULL;
}

/** Whether @node, which may be NULL, is white space between words. */
static inline gboolean tg_node_is_blank(const TgNode *node)
{
    return node != NULL && node->kind == TG_NODE_SPACE &&
           node->u.space.amount.unit == TG_UNIT_INTERWORD &&
           node->u.space.interword == TG_INTERWORD_BLANK;
}

/** The number of integral signs of the symbol (2 for \iint); 0 for other symbols and for \int. */
guint tg_symbol_n_integrals(const TgSymbol *symbol);

/**
 * Whether a child is drawn when @parent stands in @style: the children of \phantom and \tag are
 * not, and only one alternative of \mathchoice is.
 */
gboolean tg_child_is_seen(const TgNode *parent, TgRole role, guint8 style);
