/* What an element shows, whatever its spelling: the sign, and the style that it is set in. */
#pragma once

#include "tokenizer/symbols/symbols.h"
#include "tokenizer/tree/tree.h"

/** The shape of a letter; signs that have only one shape are PLAIN. */
typedef enum {
    TG_STRICT_PLAIN,
    TG_STRICT_UPRIGHT,
    TG_STRICT_ITALIC,      /**< of mathematics */
    TG_STRICT_TEXT_ITALIC, /**< \mathit, \textit */
    TG_STRICT_SANS,
    TG_STRICT_TYPEWRITER,
    TG_STRICT_SMALL_CAPS,
    TG_STRICT_SCRIPT,
    TG_STRICT_BLACKBOARD,
    TG_STRICT_FRAKTUR,
} TgStrictFace;

/** Constructs that make ink of their own. */
typedef enum {
    TG_STRICT_FRACTION_BAR,
    TG_STRICT_RADICAL,
    TG_STRICT_RULE,
    TG_STRICT_ROW_LINE,                        /**< \hline, \cline */
    TG_STRICT_COLUMN_LINE,                     /**< `|` of a column specification */
    TG_STRICT_FRAME,                           /**< \boxed, \fbox */
    TG_STRICT_CIRCLE,                          /**< \textcircled */
    TG_STRICT_CANCEL,                          /**< plus its TgEnclosure */
    TG_STRICT_STRETCH = TG_STRICT_CANCEL + 16, /**< plus its TgStretch */
    TG_STRICT_ARROW = TG_STRICT_STRETCH + 32,  /**< plus its TgArrow */
    TG_STRICT_ELLIPSIS = TG_STRICT_ARROW + 32, /**< three dots on the baseline */
    TG_STRICT_CENTRED_ELLIPSIS,                /**< at the height of \cdot */
    TG_STRICT_ERROR,                           /**< what could not be read; equals nothing */
} TgStrictConstruct;

typedef struct {
    guint32 sign;   /**< equal for signs that draw alike */
    guint8 face;    /**< TgStrictFace */
    guint8 bold;    /**< 1 for \mathbf, \boldsymbol, \bm */
    guint8 negated; /**< 1 with the stroke of \not */
} TgStrictGlyph;

/** The likeness of two glyphs. */
typedef enum {
    TG_STRICT_OTHER,   /**< two signs, or two alphabets that mean two things */
    TG_STRICT_VARIANT, /**< one sign, and only boldness or slant differ */
    TG_STRICT_SAME,
} TgStrictLikeness;

/** Likeness; with @any_style letters of all styles are the same. Symmetric. */
TgStrictLikeness tg_strict_compare(TgStrictGlyph a, TgStrictGlyph b, gboolean any_style);

/** A SYMBOL node; as a delimiter, `<` is an angle. */
TgStrictGlyph tg_strict_symbol(const TgNode *node);

/** A character of text; of letters with an accent give the letter. */
TgStrictGlyph tg_strict_char(gunichar code, TgTextFont font);

/** An accent by its combining character. */
TgStrictGlyph tg_strict_accent(gunichar code);

TgStrictGlyph tg_strict_construct(guint construct);

/** What @n of @glyph in a row are: an ellipsis, a double line; FALSE when they are nothing special.
 */
gboolean tg_strict_join(TgStrictGlyph glyph, guint n, TgStrictGlyph *joined);
