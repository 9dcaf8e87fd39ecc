/* KaTeX 0.16.21 as far as olmOCR-bench sees it: what it accepts, which characters it shows, and
 * where. */
#pragma once

#include <texgauge/types.h>

#include "core/arena.h"
#include "metrics/olmocr/verdict.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

/** The kind of a symbol in mathematics: TeX's classes of atoms, and what they do not tell apart. */
typedef enum {
    NONE, /**< not known in mathematics */
    ORD,
    OP,
    BIN,
    REL,
    OPEN,
    CLOSE,
    PUNCT,
    INNER,
    LETTER, /**< an ordinary symbol that is slanted unless a font says otherwise */
    SPACE,
    LEFTMOST, /**< of boxes only: an end of a list */
    RIGHTMOST,
} TgKatexClass;

/** The fonts whose dimensions KaTeX knows. */
typedef enum {
    MAIN,
    MATH,
    MATH_BOLD,
    BOLD,
    ITALIC,
    BOLD_ITALIC,
    AMS,
    CAL,
    FRAK,
    SCRIPT,
    SANS,
    SANS_BOLD,
    SANS_ITALIC,
    TT,
    SIZE1,
    SIZE2,
    SIZE3,
    SIZE4,
    N_OF_FONTS
} TgKatexFont;

/** A symbol by its name: a command, or a character. */
typedef struct {
    TgKatexClass class;
    TgKatexFont font;
    const char *name;
    const char *shown; /**< in mathematics; NULL: its name */
    const char *text;  /**< the character that it shows in text; NULL: not known there */
} TgKatexSymbol;

/** The row of a symbol, or NULL. Characters beyond ASCII need no row: each shows itself. */
const TgKatexSymbol *tg_katex_symbol(const char *name);

/** The character that the symbol @name shows; its name where it is none. */
const char *tg_katex_shown(const char *name, gboolean in_text);

/** A font command of mathematics without its backslash: its font, and mathvariant in MathML. */
typedef struct {
    const char *name;
    TgKatexFont font;
    const char *variant; /**< NULL: none of its own */
} TgKatexMathFont;

/** The row of a font command, or NULL. */
const TgKatexMathFont *tg_katex_math_font(const char *name);

/** Sizes of some characters of a font, in em. */
typedef struct {
    TgKatexFont font;
    float height, depth, italic, skew;
    const char *characters;
} TgKatexGlyph;

/** The dimensions of the first character of @shown in @font, or NULL. @in_text: a letter that the
 * font lacks is as large as M, because KaTeX's text mode takes it so */
const TgKatexGlyph *tg_katex_glyph(TgKatexFont font, const char *shown, gboolean in_text);

/** The width of @text in em in Times, or in the font that a browser takes instead. */
double tg_times_width(const char *text, gboolean slanted, gboolean bold);

/** Whether olmOCR-bench ignores a character: white space, or one without width. */
gboolean tg_katex_is_invisible(gunichar c);

/* ---- Reading --------------------------------------------------------------------------------- */

typedef enum {
    NODE_SYMBOL,   /**< @text is its name; @class, @in_text */
    NODE_GROUP,    /**< @list; @flag: transparent to spacing (\begingroup) */
    NODE_SCRIPTS,  /**< @parts: base, sub, sup */
    NODE_OPERATOR, /**< @text a symbol (@flag) or a name, or @list of \mathop */
    NODE_OPERATORNAME,
    NODE_FRACTION, /**< @parts: numerator, denominator; @left, @right; @flag: has a bar */
    NODE_ROOT,     /**< @parts: body, index */
    NODE_ACCENT,   /**< @text its command; @parts: base; @flag: stretches */
    NODE_UNDER_ACCENT,
    NODE_ARROW, /**< @parts: above, below */
    NODE_COLOR,
    NODE_LINE_END, /**< @size: space below */
    NODE_DELIMITER,
    NODE_LEFT_RIGHT,
    NODE_MIDDLE,
    NODE_BOX, /**< @text the command; @parts: body */
    NODE_ARRAY,
    NODE_FONT, /**< @text the font's name; @parts: body */
    NODE_KERN,
    NODE_LAP,
    NODE_CHOICE,
    NODE_CLASS,
    NODE_OVERLINE,
    NODE_UNDERLINE,
    NODE_BRACE,
    NODE_PHANTOM,
    NODE_RAISE,
    NODE_RULE,
    NODE_SIZING,
    NODE_SMASH,
    NODE_STYLE,
    NODE_TEXT,
    NODE_INFIX,
    NODE_RIGHT,
    NODE_INTERNAL, /**< nothing; as a base of scripts an error */
} TgKatexKind;

/** A length of the source. */
typedef struct {
    double number;
    char unit[3]; /**< "" for none */
} TgKatexLength;

typedef struct TgKatexNode TgKatexNode;

/** A cell of an array is a node of a row's @list; a row is a GROUP with the @size of the space
 * below, its number as @parts, a GROUP of text or NULL, and @flag where a line stands before it. */
typedef struct {
    const char *columns; /**< of l, c, r, | and :; NULL: centered */
    double stretch;
    gboolean padded;  /**< space before the first column and after the last */
    gboolean aligned; /**< columns in pairs, as in align */
    gboolean cases, jot, numbered;
    gint style;          /**< of cells: 0 display, 1 text, 2 script, or -1: that of the array */
    gboolean line_below; /**< the last row */
    guint n_rows, n_columns;
} TgKatexArray;

struct TgKatexNode {
    TgKatexKind kind;
    TgKatexClass class;
    gboolean in_text, flag, limits, always_scripts, no_shift;
    gint number; /**< style, size or variant, as the kind says */
    guint at;    /**< byte of the source where a symbol begins */
    const char *text, *left, *right;
    TgKatexNode *next;
    TgKatexNode *list; /**< the first of several, linked by @next */
    TgKatexNode *parts[4];
    TgKatexLength size, sizes[2];
    const TgKatexArray *array;
};

/** A formula as KaTeX reads it. */
typedef struct {
    TgKatexNode *list;
    TgKatexNode *tag;     /**< of \tag, a GROUP of text; NULL: none */
    char *error;          /**< why KaTeX refuses it, or NULL; with an error there is nothing else */
    guint error_at;       /**< byte of the source */
    gboolean not_modeled; /**< the error is ours: KaTeX accepts the command */
} TgKatexFormula;

/**
 * Read a formula in display mode; everything is allocated in @arena.
 *
 * Threads: any.
 */
void tg_katex_read(const char *latex, TgArena *arena, TgKatexFormula *out);

/** Whether the scripts of @base stand above and below it. NULL: there is no base */
gboolean tg_katex_takes_limits(const TgKatexNode *base, gboolean display);

/* ---- Setting --------------------------------------------------------------------------------- */

/** Set a formula: its @n (out) shown characters in document order. (transfer full) @arena: scratch
 */
TgOlmocrSymbol *tg_katex_set(TgKatexFormula *formula, TgArena *arena, guint *n);

/** Whether @name may stand after \left; the dot, which shows nothing, is no delimiter here. */
gboolean tg_katex_is_delimiter(const char *name);

/** Whether a delimiter shows nothing: NULL or a dot. */
gboolean tg_katex_is_null(const char *delimiter);

/** The MathML that KaTeX writes for it, without white space: the inside of <semantics>. (transfer
 * full) */
char *tg_katex_mathml(const TgKatexFormula *formula);
