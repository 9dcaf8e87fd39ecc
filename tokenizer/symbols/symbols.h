/* Tables of symbols, characters and colors: class, font, slot, Unicode. */
#pragma once

#include <glib.h>

/** Class of an atom (The TeXbook, chapter 17); the order is that of its table of spaces. */
typedef enum {
    TG_CLASS_ORD,   /**< x, 1, \alpha, a {group} */
    TG_CLASS_OP,    /**< \sum, \lim */
    TG_CLASS_BIN,   /**< + */
    TG_CLASS_REL,   /**< = */
    TG_CLASS_OPEN,  /**< ( */
    TG_CLASS_CLOSE, /**< ) */
    TG_CLASS_PUNCT, /**< , */
    TG_CLASS_INNER, /**< \left..\right, \ldots */
    TG_CLASS_NONE,  /**< no atom, or one whose class is that of its body */
} TgMathClass;

/** The fonts that mathematics takes its symbols from; the slots are those of TeX's encodings. */
typedef enum {
    TG_MATH_FAMILY_ROMAN,   /**< "operators": upright letters, digits (OT1) */
    TG_MATH_FAMILY_LETTERS, /**< math italic and lower-case Greek (OML) */
    TG_MATH_FAMILY_SYMBOLS, /**< symbols and calligraphic capitals (OMS) */
    TG_MATH_FAMILY_LARGE,   /**< "largesymbols": big operators, pieces of delimiters (OMX) */
    TG_MATH_FAMILY_AMS_A,   /**< msam */
    TG_MATH_FAMILY_AMS_B,   /**< msbm, with blackboard bold capitals */
    TG_MATH_FAMILY_EULER,   /**< eurm: upright Greek of the upgreek package */
    TG_MATH_FAMILY_STMARY,  /**< stmary, of the stmaryrd package */
    TG_MATH_FAMILY_NONE,    /**< no slot: composite and drawn symbols */
} TgMathFamily;

typedef enum {
    TG_SYMBOL_CHAR,   /**< one character of a font */
    TG_SYMBOL_ACCENT, /**< over what follows: \hat; family NONE: built from dots of text (\dddot) */
    TG_SYMBOL_OPERATOR,  /**< \sin, \lim: @latex is the body of an \operatorname */
    TG_SYMBOL_COMPOSITE, /**< stands for @latex; scripts belong to the last atom of that */
    TG_SYMBOL_DRAWN,     /**< put together by layout: \vdots, \cong */
} TgSymbolKind;

typedef enum {
    TG_SYMBOL_ALPHABETIC = 1 << 0, /**< changes with \mathbf and the like (\mathalpha in LaTeX) */
    TG_SYMBOL_NO_LIMITS = 1 << 1,  /**< scripts stay at the side in displays: \int, \sin */
    TG_SYMBOL_WIDE = 1 << 2,       /**< an accent that grows with its base: \widehat */
    TG_SYMBOL_DELIMITER = 1 << 3,  /**< may follow \left; the fields small_ and large_ count */
    TG_SYMBOL_STMARYRD = 1 << 4,   /**< of the stmaryrd package */
} TgSymbolFlags;

/** One symbol; constant, static. */
typedef struct TgSymbol {
    const char *name;  /**< of the command without backslash; of a character itself */
    guint32 codepoint; /**< the character that it shows; of an accent the combining mark; 0: none */
    guint8 kind;       /**< TgSymbolKind */
    guint8 math_class; /**< TgMathClass, of composites that of the whole */
    guint8 flags;      /**< TgSymbolFlags */
    guint8 family;     /**< TgMathFamily */
    guint8 slot;       /**< in that font, by TeX's encoding */
    guint8 small_family; /**< where \left looks first */
    guint8 small_slot;
    guint8 large_family; /**< where it looks then, followed by that font's chain of sizes */
    guint8 large_slot;
    const char *latex;                /**< of OPERATOR and COMPOSITE, else NULL */
    const struct TgSymbol *canonical; /**< draws alike and stands for it; NULL: none */
} TgSymbol;

/**
 * The symbol of a command: "alpha" for \alpha, "{" for \{.
 *
 * @name: @len bytes without the backslash, not NUL-terminated
 *
 * Returns: static, or NULL when there is no such symbol. Threads: any.
 */
const TgSymbol *tg_symbol_find(const char *name, gsize len);

/**
 * The symbol that a character typed in mathematics shows: TeX's mathcode for ASCII, and for the
 * rest of Unicode the command with that code point (`≤` is \leq).
 *
 * Returns: static, or NULL when there is none. Threads: any.
 */
const TgSymbol *tg_symbol_find_char(gunichar code);

/** The symbol that stands for @symbol in canonical forms: the same, or one that draws alike. */
static inline const TgSymbol *tg_symbol_canonical(const TgSymbol *symbol)
{
    return symbol->canonical != NULL ? symbol->canonical : symbol;
}

/** All commands in strcmp() order, @n (out) of them; static. */
const TgSymbol *tg_symbol_list(guint *n);

/** Space between atoms of two classes (TgMathClass, not NONE), in mu (The TeXbook, chapter 18). */
guint tg_class_space(guint left, guint right, gboolean in_script);

/* ---- Characters beyond ASCII that are no single symbol --------------------------------------- */

/**
 * LaTeX source that means the same as a character which is no symbol by itself: "^{2}" for U+00B2,
 * "\frac{1}{2}" for U+00BD, "\mathbb{R}" for U+211D, "\mathbf{x}" for U+1D431.
 *
 * @buffer: room for the source, TG_UNICODE_SOURCE_MAX bytes with the NUL
 *
 * Returns: whether there is one. Threads: any.
 */
gboolean tg_unicode_source(gunichar code, char *buffer);

#define TG_UNICODE_SOURCE_MAX 64

/** Combining characters that are not treated as others. */
enum { TG_MARK_OGONEK = 0x0328 };

/** Whether @code is a number or letter in a circle, which has such a source in text, too. */
gboolean tg_unicode_is_circled(gunichar code);

/* ---- Colors --------------------------------------------------------------------------------- */

/**
 * Read a color as xcolor names and mixes them.
 *
 * @model: "rgb", "RGB", "HTML", "gray", "cmyk", "cmy"; NULL for a name or a mixture (`red!30!blue`)
 * @rgb: (out) 0xRRGGBB; black on failure
 *
 * Returns: whether it is a color that xcolor knows without further options
 */
gboolean tg_color_parse(const char *model, const char *spec, guint32 *rgb);

/**
 * The same as style sheets of browsers have it: "#f80", "#ff8800" or a name such as
 * "cornflowerblue".
 *
 * @rgb: (out) 0xRRGGBB; only set when the color is known
 */
gboolean tg_css_color_parse(const char *spec, guint32 *rgb);

/** A row of colors.tsv; in the order of their names. */
typedef struct {
    const char *name;
    guint32 css;   /**< 0xRRGGBB */
    gint32 xcolor; /**< the same; -1: not known */
} TgNamedColor;

extern const TgNamedColor tg_named_colors[];
extern const guint tg_n_named_colors;

/* ---- The tables, written by symbol_tables.py in the order of their keys --------------------- */

/** A character beyond ASCII typed in mathematics, and the command it stands for. */
typedef struct {
    guint32 code;
    const TgSymbol *symbol;
} TgTypedSymbol;

/** A character that stands for a piece of LaTeX. */
typedef struct {
    guint32 code;
    const char *latex;
} TgTypedSource;

extern const TgSymbol tg_symbol_commands[];
extern const guint tg_symbol_n_commands;

/** By ASCII code; without a name: no symbol. */
extern const TgSymbol tg_symbol_characters[128];

extern const TgTypedSymbol tg_symbol_typed[];
extern const guint tg_symbol_n_typed;

extern const TgTypedSource tg_symbol_sources[];
extern const guint tg_symbol_n_sources;
