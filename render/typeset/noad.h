/* Math lists: atoms ("noads") with their fields, as in TeX between parsing and layout. */
#pragma once

#include "render/typeset/item.h"
#include "render/typeset/math_font.h"
#include "tokenizer/tree/tree.h"

G_BEGIN_DECLS

typedef struct TgLayout TgLayout;
typedef struct TgNoad TgNoad;

typedef enum {
    TG_FIELD_EMPTY,
    TG_FIELD_CHAR, /**< one character of a math font */
    TG_FIELD_LIST, /**< a math list */
    TG_FIELD_BOX,  /**< a finished box: TeX's sub_box */
    TG_FIELD_MAKE, /**< a box that depends on the style: made when the style is known */
} TgFieldKind;

/** Makes the box of a TG_FIELD_MAKE field in the style in force (TeX's \mathpalette). */
typedef TgItem *(*TgMakeBox)(TgLayout *layout, gconstpointer data);

/** Nucleus or script of an atom. */
typedef struct {
    guint8 kind;  /**< TgFieldKind */
    guint8 font;  /**< CHAR: TgMathFont */
    guint8 slot;  /**< CHAR */
    guint32 code; /**< CHAR: drawn with a fallback font when not 0 */
    guint32 token;
    guint32 color;
    union {
        TgNoad *list;
        TgItem *box;
        TgMakeBox make;
    } u;
    gconstpointer data; /**< of @make */
} TgField;

/** A delimiter: where to look for it, small forms first. */
typedef struct {
    guint8 present; /**< 0: a null delimiter */
    guint8 small_font, small_slot, large_font, large_slot;
    guint32 token;
    guint32 color;
} TgDelimiter;

/** The first eight are the classes of atoms and equal TgMathClass. */
typedef enum {
    TG_NOAD_ORD,
    TG_NOAD_OP,
    TG_NOAD_BIN,
    TG_NOAD_REL,
    TG_NOAD_OPEN,
    TG_NOAD_CLOSE,
    TG_NOAD_PUNCT,
    TG_NOAD_INNER,
    TG_NOAD_RADICAL,
    TG_NOAD_FRACTION,
    TG_NOAD_UNDER, /**< \underline */
    TG_NOAD_OVER,  /**< \overline */
    TG_NOAD_ACCENT,
    TG_NOAD_VCENTER,
    TG_NOAD_LEFT,
    TG_NOAD_MIDDLE,
    TG_NOAD_RIGHT,
    /* not atoms: */
    TG_NOAD_STYLE,
    TG_NOAD_CHOICE, /**< \mathchoice */
    TG_NOAD_SPACE,  /**< kern or glue */
    TG_NOAD_ITEM,   /**< a horizontal item, passed through unchanged */
} TgNoadType;

struct TgNoad {
    TgNoad *next;
    guint8 type;    /**< TgNoadType */
    guint8 limits;  /**< OP: TgLimits */
    guint8 style;   /**< STYLE: TgStyle */
    guint8 in_word; /**< a letter followed by one of its font: no italic correction in text fonts */
    TgField nucleus, sub, sup;
    TgItem *hlist; /**< set by the first pass */
    union {
        TgDelimiter delimiter; /**< RADICAL, LEFT, MIDDLE, RIGHT */
        struct {
            TgField num, den;
            TgDelimiter left, right;
            TgScaled thickness;   /**< of the bar; -1: the font's default */
            guint32 token, color; /**< of the bar */
        } fraction;
        struct {
            guint8 font, slot;
            guint32 token, color;
        } accent;
        TgNoad *choice[4];
        struct {
            TgScaled amount; /**< in sp, or with @mu in 2^-16 mu */
            guint8 mu, nonscript, fil;
        } space;
        TgItem *item;
    } u;
};

/** A math list being built at its end. */
typedef struct {
    TgNoad *first;
    TgNoad **end;
    TgNoad *last;
} TgNoadList;

static inline void tg_noad_list_init(TgNoadList *list)
{
    list->first = list->last = NULL;
    list->end = &list->first;
}

static inline void tg_noad_list_add(TgNoadList *list, TgNoad *noad)
{
    *list->end = noad;
    list->end = &noad->next;
    list->last = noad;
}

/** A fresh noad of @type, all zero. */
TgNoad *tg_noad_new(TgArena *arena, TgNoadType type);

/** A math list or a box as a field. */
TgField tg_list_field(TgNoad *list);
TgField tg_box_field(TgItem *box);

/** Whether @mlist is one Ord without scripts. */
gboolean tg_is_plain_ord(const TgNoad *mlist);

G_END_DECLS
