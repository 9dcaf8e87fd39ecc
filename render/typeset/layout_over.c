/* Overlines, underlines and \vcenter (TeX §§734-736, rules 8 to 10). */
#include "render/typeset/layout_atom.h"

#include "render/typeset/layout_field.h"

static void set_nucleus_box(TgNoad *noad, TgItem *box)
{
    noad->nucleus.kind = TG_FIELD_BOX;
    noad->nucleus.u.box = box;
}

TgItem *tg_overbar(TgLayout *self, TgItem *box, TgScaled gap, TgScaled thickness, guint32 token,
                   guint32 color)
{
    TgArena *arena = &self->arena;
    TgItemList list;
    TgItem *rule = tg_item_rule(arena, box->width, thickness, 0);

    rule->token = token;
    rule->color = color;
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(arena, thickness));
    tg_item_list_add(&list, rule);
    tg_item_list_add(&list, tg_item_kern(arena, gap));
    tg_item_list_add(&list, box);
    return tg_vpack(arena, list.first);
}

void tg_make_over(TgLayout *self, TgNoad *noad)
{
    const TgScaled rule = tg_rule_thickness(self);
    TgItem *box = tg_clean_box(self, &noad->nucleus, tg_cramped(self->style));

    set_nucleus_box(
        noad, tg_overbar(self, box, 3 * rule, rule, noad->nucleus.token, noad->nucleus.color));
}

void tg_make_under(TgLayout *self, TgNoad *noad)
{
    TgArena *arena = &self->arena;
    const TgScaled thickness = tg_rule_thickness(self);
    TgItem *box = tg_clean_box(self, &noad->nucleus, self->style);
    TgItem *rule = tg_item_rule(arena, box->width, thickness, 0);
    TgItemList list;

    rule->token = noad->nucleus.token;
    rule->color = noad->nucleus.color;
    tg_item_list_init(&list);
    tg_item_list_add(&list, box);
    tg_item_list_add(&list, tg_item_kern(arena, 3 * thickness));
    tg_item_list_add(&list, rule);

    TgItem *out = tg_vpack(arena, list.first);
    const TgScaled total = out->height + out->depth + thickness;
    out->height = box->height;
    out->depth = total - box->height;
    set_nucleus_box(noad, out);
}

void tg_make_vcenter(TgLayout *self, TgNoad *noad)
{
    TgItem *box = tg_clean_box(self, &noad->nucleus, self->style);
    const TgScaled total = box->height + box->depth;
    TgItem *out = tg_item_new(&self->arena, TG_ITEM_VBOX);

    out->list = box;
    out->width = box->width;
    out->height = tg_axis_height(self) + tg_half(total);
    out->depth = total - out->height;
    set_nucleus_box(noad, out);
}
