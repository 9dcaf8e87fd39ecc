/* Big operators and their limits (TeX §§749-751, rules 13 and 13a). */
#include "render/typeset/layout_atom.h"

#include "render/typeset/layout_field.h"

/* The nucleus of an operator that is one character: larger in displays, centred on the axis.
   Returns its italic correction. */
static TgScaled set_symbol(TgLayout *self, TgNoad *noad)
{
    const TgFont *font;
    const TgCharMetrics *metrics = tg_fetch(self, &noad->nucleus, &font);

    if (metrics == NULL)
        return 0;
    if (self->style < TG_TEXT && metrics->tag == TG_CHAR_NEXT) {
        noad->nucleus.slot = metrics->rest;
        metrics = &font->metrics->chars[metrics->rest];
    }
    const TgScaled delta = metrics->italic;
    TgItem *box = tg_clean_box(self, &noad->nucleus, self->style);
    if (noad->sub.kind != TG_FIELD_EMPTY && noad->limits != TG_LIMITS_ON)
        box->width -= delta; /* a subscript goes below the italic part */
    box->shift = tg_half(box->height - box->depth) - tg_axis_height(self);
    noad->nucleus.kind = TG_FIELD_BOX;
    noad->nucleus.u.box = box;
    return delta;
}

static void set_limits(TgLayout *self, TgNoad *noad, TgScaled delta)
{
    TgArena *arena = &self->arena;
    const int style = self->style;
    TgItem *sup = tg_clean_box(self, &noad->sup, tg_sup_style(style));
    TgItem *base = tg_clean_box(self, &noad->nucleus, style);
    TgItem *sub = tg_clean_box(self, &noad->sub, tg_sub_style(style));
    TgItem *out = tg_item_new(arena, TG_ITEM_VBOX);
    const TgScaled padding = tg_math_ex(self, TG_PARAM_BIG_OP_5);
    TgItemList list;

    out->width = MAX(base->width, MAX(sup->width, sub->width));
    sup = tg_rebox(self, sup, out->width);
    base = tg_rebox(self, base, out->width);
    sub = tg_rebox(self, sub, out->width);
    sup->shift = tg_half(delta);
    sub->shift = -sup->shift;
    out->height = base->height;
    out->depth = base->depth;
    tg_item_list_init(&list);
    if (noad->sup.kind != TG_FIELD_EMPTY) {
        const TgScaled gap = MAX(tg_math_ex(self, TG_PARAM_BIG_OP_3) - sup->depth,
                                 tg_math_ex(self, TG_PARAM_BIG_OP_1));
        tg_item_list_add(&list, tg_item_kern(arena, padding));
        tg_item_list_add(&list, sup);
        tg_item_list_add(&list, tg_item_kern(arena, gap));
        out->height += padding + sup->height + sup->depth + gap;
    }
    tg_item_list_add(&list, base);
    if (noad->sub.kind != TG_FIELD_EMPTY) {
        const TgScaled gap = MAX(tg_math_ex(self, TG_PARAM_BIG_OP_4) - sub->height,
                                 tg_math_ex(self, TG_PARAM_BIG_OP_2));
        tg_item_list_add(&list, tg_item_kern(arena, gap));
        tg_item_list_add(&list, sub);
        tg_item_list_add(&list, tg_item_kern(arena, padding));
        out->depth += padding + sub->height + sub->depth + gap;
    }
    out->list = list.first;
    noad->hlist = out;
}

TgScaled tg_make_operator(TgLayout *self, TgNoad *noad)
{
    if (noad->limits != TG_LIMITS_ON && noad->limits != TG_LIMITS_OFF)
        noad->limits = self->style < TG_TEXT ? TG_LIMITS_ON : TG_LIMITS_OFF;

    const TgScaled delta = noad->nucleus.kind == TG_FIELD_CHAR ? set_symbol(self, noad) : 0;
    if (noad->limits == TG_LIMITS_ON)
        set_limits(self, noad, delta);
    return delta;
}
