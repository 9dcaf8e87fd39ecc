/* The typesetter as an object, which is made once and sets one formula after the other; and its
 * boxes: characters, kerns, rules and boxes, in lists as in TeX. */
#pragma once

#include "core/arena.h"
#include "render/fonts/font.h"
#include "tokenizer/tree/tree.h"

typedef enum {
    TG_ITEM_CHAR,    /**< a character of a TeX font */
    TG_ITEM_UNICODE, /**< a character of a fallback font, in an em box */
    TG_ITEM_KERN,    /**< space; with @fil it stretches when its box is set to a width */
    TG_ITEM_RULE,    /**< a filled rectangle */
    TG_ITEM_STROKE,  /**< a line across its box: \cancel; @code is a TgStroke */
    TG_ITEM_HBOX,    /**< @list side by side, on one baseline */
    TG_ITEM_VBOX,    /**< @list from top to bottom */
} TgItemKind;

typedef enum {
    TG_STROKE_UP,
    TG_STROKE_DOWN,
    TG_STROKE_ACROSS,
} TgStroke;

/**
 * One item. In a horizontal list its reference point follows the widths of the items before it, and
 * @shift lowers a box; in a vertical list kerns have their amount in @width, boxes and rules take
 * height and depth, and @shift moves a box to the right.
 */
typedef struct TgItem TgItem;
struct TgItem {
    TgItem *next;
    TgItem *list; /**< of a box; NULL when empty */
    TgScaled width, height, depth, shift;
    const TgFont *font; /**< of a CHAR */
    TgScaled italic;    /**< of a CHAR its italic correction, of UNICODE the size to draw it at */
    guint32 code;       /**< of a CHAR its slot, of UNICODE a code point, of STROKE a TgStroke */
    guint32 token;      /**< the token that this ink belongs to, or TG_NO_TOKEN */
    guint32 color;      /**< 0xRRGGBB */
    guint8 kind;        /**< TgItemKind */
    guint8 fil;         /**< of a KERN: order of its stretch, 0 to 3; stretch is 1 of that order */
};

/** Display, text, script and scriptscript style; with TG_CRAMPED superscripts rise less. */
typedef enum {
    TG_DISPLAY = 0,
    TG_TEXT = 2,
    TG_SCRIPT = 4,
    TG_SCRIPTSCRIPT = 6,
    TG_CRAMPED = 1,
} TgMathStyle;

typedef struct TgLayout TgLayout;

/** @fonts: kept alive by the layout */
TgLayout *tg_layout_new(TgFonts *fonts);
void tg_layout_free(TgLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgLayout, tg_layout_free)

/**
 * Set a whole formula, as TeX sets `\hbox{$\displaystyle ..$}` in 12 pt.
 *
 * @style: TG_DISPLAY or TG_TEXT
 *
 * Returns: (transfer none) its box, valid until the next one; NULL with @error set to
 *   TG_ERROR_FONT   a font file is missing or broken
 *   TG_ERROR_PARSE  constructs that have to be measured before they are set are nested too deeply
 */
const TgItem *tg_layout_tree(TgLayout *self, const TgTree *tree, int style, GError **error);
