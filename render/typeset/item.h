/* Items of boxes: characters, kerns, rules and boxes, in lists as in TeX. */
#pragma once

#include "core/arena.h"
#include "render/fonts/font.h"

G_BEGIN_DECLS

typedef enum {
    TG_ITEM_CHAR,    /**< a character of a TeX font */
    TG_ITEM_UNICODE, /**< a character of a fallback font, in an em box */
    TG_ITEM_KERN,    /**< space; with @fil it stretches when its box is set to a width */
    TG_ITEM_RULE,    /**< a filled rectangle */
    TG_ITEM_STROKE,  /**< a line across its box: \cancel, \wideparen; @slot is a TgStroke */
    TG_ITEM_HBOX,    /**< @list side by side, on one baseline */
    TG_ITEM_VBOX,    /**< @list from top to bottom */
} TgItemKind;

typedef enum {
    TG_STROKE_UP,
    TG_STROKE_DOWN,
    TG_STROKE_ACROSS,
    TG_STROKE_ARC,   /**< from the lower corners to the middle of the upper side */
    TG_STROKE_CUP,   /**< the same upside down */
    TG_STROKE_ARROW, /**< as TG_STROKE_UP, with a head */
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
    TgScaled italic;    /**< of a CHAR its italic correction, of a space in text its factor */
    guint32 code;       /**< of a CHAR its slot, of UNICODE a code point, of STROKE a TgStroke */
    guint32 token;      /**< whose ink it is, or TG_NO_TOKEN */
    guint32 color;      /**< 0xRRGGBB */
    guint8 kind;        /**< TgItemKind */
    guint8 fil;         /**< of a KERN: order of its stretch, 0 to 3; stretch is 1 of that order */
};

/** A list being built at its end. */
typedef struct {
    TgItem *first;
    TgItem **end;
} TgItemList;

static inline void tg_item_list_init(TgItemList *list)
{
    list->first = NULL;
    list->end = &list->first;
}

/** Append @item and all that follow it. */
static inline void tg_item_list_add(TgItemList *list, TgItem *item)
{
    *list->end = item;
    while (*list->end != NULL)
        list->end = &(*list->end)->next;
}

/** A fresh item of @kind, all zero but for TG_NO_TOKEN. */
TgItem *tg_item_new(TgArena *arena, TgItemKind kind);

TgItem *tg_item_kern(TgArena *arena, TgScaled amount);

/** Space of natural size 0 that stretches: \hfil (1), \hfill (2), \hfilll (3). */
TgItem *tg_item_fil(TgArena *arena, guint order);

TgItem *tg_item_rule(TgArena *arena, TgScaled width, TgScaled height, TgScaled depth);

/** A character with the box that its font gives it, or NULL when the font lacks it. */
TgItem *tg_item_char(TgArena *arena, const TgFont *font, guint slot);

/** Put a horizontal list into a box of its natural size (TeX's hpack). */
TgItem *tg_hpack(TgArena *arena, TgItem *list);

/** The same to a given width: glue of the highest order takes up the difference. */
TgItem *tg_hpack_to(TgArena *arena, TgItem *list, TgScaled width);

/** Put a vertical list into a box; its reference point is that of the last item (TeX's vpack). */
TgItem *tg_vpack(TgArena *arena, TgItem *list);

/** The same with the reference point of the first item (\vtop). */
TgItem *tg_vtop(TgArena *arena, TgItem *list);

/** The natural width of a horizontal list. */
TgScaled tg_list_width(const TgItem *list);

G_END_DECLS
