/* Superscripts and subscripts (TeX §§756-759, rules 18a to 18f). */
#include "render/typeset/layout_atom.h"

#include "render/typeset/layout_field.h"

#define SCRIPT_SPACE (TG_SP_PER_PT / 2)

static TgItem *script_box(TgLayout *self, TgField *field, int style)
{
    TgItem *box = tg_clean_box(self, field, style);

    /* the box is not shared, so it can be widened in place */
    box->width += SCRIPT_SPACE;
    return box;
}

/* How far a superscript must rise in this style. */
static TgScaled least_rise(TgLayout *self)
{
    if ((self->style & TG_CRAMPED) != 0)
        return tg_math_sy(self, TG_PARAM_SUP3, self->size);
    return tg_math_sy(self, self->style < TG_TEXT ? TG_PARAM_SUP1 : TG_PARAM_SUP2, self->size);
}

/* A subscript alone. */
static TgItem *lone_subscript(TgLayout *self, TgNoad *noad, TgScaled down)
{
    const TgScaled x_height = tg_math_sy(self, TG_PARAM_X_HEIGHT, self->size);
    TgItem *box = script_box(self, &noad->sub, tg_sub_style(self->style));

    down = MAX(down, tg_math_sy(self, TG_PARAM_SUB1, self->size));
    down = MAX(down, box->height - ABS(x_height * 4) / 5);
    box->shift = down;
    return box;
}

/* Both scripts in one box, apart by at least four rules. */
static TgItem *both_scripts(TgLayout *self, TgNoad *noad, TgItem *sup, TgScaled up, TgScaled down,
                            TgScaled delta)
{
    const TgScaled x_height = tg_math_sy(self, TG_PARAM_X_HEIGHT, self->size);
    TgItem *sub = script_box(self, &noad->sub, tg_sub_style(self->style));

    down = MAX(down, tg_math_sy(self, TG_PARAM_SUB2, self->size));
    TgScaled missing = 4 * tg_rule_thickness(self) - ((up - sup->depth) - (sub->height - down));
    if (missing > 0) {
        down += missing;
        missing = ABS(x_height * 4) / 5 - (up - sup->depth);
        if (missing > 0) {
            up += missing;
            down -= missing;
        }
    }
    sup->shift = delta; /* the superscript goes to the right of the subscript */
    sup->next = tg_item_kern(&self->arena, (up - sup->depth) - (sub->height - down));
    sup->next->next = sub;

    TgItem *box = tg_vpack(&self->arena, sup);
    box->shift = down;
    return box;
}

void tg_make_scripts(TgLayout *self, TgNoad *noad, TgScaled delta)
{
    TgScaled up = 0, down = 0;
    TgItem *box;

    if (noad->hlist == NULL || noad->hlist->kind != TG_ITEM_CHAR) {
        const TgItem *base = tg_hpack(&self->arena, noad->hlist);
        const TgMathSize size = self->style < TG_SCRIPT ? TG_MATH_SCRIPT : TG_MATH_SCRIPTSCRIPT;

        up = base->height - tg_math_sy(self, TG_PARAM_SUP_DROP, size);
        down = base->depth + tg_math_sy(self, TG_PARAM_SUB_DROP, size);
    }
    if (noad->sup.kind == TG_FIELD_EMPTY) {
        box = lone_subscript(self, noad, down);
    } else {
        const TgScaled x_height = tg_math_sy(self, TG_PARAM_X_HEIGHT, self->size);
        TgItem *sup = script_box(self, &noad->sup, tg_sup_style(self->style));

        up = MAX(up, least_rise(self));
        up = MAX(up, sup->depth + ABS(x_height) / 4);
        if (noad->sub.kind == TG_FIELD_EMPTY) {
            sup->shift = -up;
            box = sup;
        } else {
            box = both_scripts(self, noad, sup, up, down, delta);
        }
    }

    TgItem **end = &noad->hlist;
    while (*end != NULL)
        end = &(*end)->next;
    *end = box;
}
