/* What is known of a symbol of LaTeX mathematics: class, font, slot, Unicode. */
#pragma once

#include <glib.h>

#include "tokenizer/symbols/math_class.h"

G_BEGIN_DECLS

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
} TgSymbolFlags;

/** One symbol; constant, static. */
typedef struct TgSymbol {
    const char *name;    /**< of the command without backslash; of a character itself */
    guint32 codepoint;   /**< what it shows in Unicode; of an accent the combining mark; 0: none */
    guint8 kind;         /**< TgSymbolKind */
    guint8 math_class;   /**< TgMathClass, of composites that of the whole */
    guint8 flags;        /**< TgSymbolFlags */
    guint8 family;       /**< TgMathFamily */
    guint8 slot;         /**< in that font, by TeX's encoding */
    guint8 small_family; /**< where \left looks first */
    guint8 small_slot;
    guint8 large_family; /**< where it looks then, followed by that font's chain of sizes */
    guint8 large_slot;
    const char *latex;                /**< of OPERATOR and COMPOSITE, else NULL */
    const struct TgSymbol *canonical; /**< draws alike and stands for it; NULL: none */
} TgSymbol;

G_END_DECLS
