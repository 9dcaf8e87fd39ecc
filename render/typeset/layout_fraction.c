/* Fractions (TeX §§743-748, rules 15 to 15e). */
#include "render/typeset/layout_atom.h"

#include "render/typeset/layout_delimiter.h"
#include "render/typeset/layout_field.h"

/* Where numerator and denominator go: up and down from the baseline. */
typedef struct {
    TgScaled up, down;
} Shifts;

static Shifts start_shifts(TgLayout *self, TgScaled thickness)
{
    const TgMathSize size = self->size;

    if (self->style < TG_TEXT)
        return (Shifts){ tg_math_sy(self, TG_PARAM_NUM1, size),
                         tg_math_sy(self, TG_PARAM_DENOM1, size) };
    return (Shifts){ tg_math_sy(self, thickness != 0 ? TG_PARAM_NUM2 : TG_PARAM_NUM3, size),
                     tg_math_sy(self, TG_PARAM_DENOM2, size) };
}

/* Without a bar the two keep a distance from each other. */
static Shifts without_bar(TgLayout *self, Shifts shifts, const TgItem *num, const TgItem *den)
{
    const TgScaled clearance = (self->style < TG_TEXT ? 7 : 3) * tg_rule_thickness(self);
    const TgScaled missing =
        tg_half(clearance - ((shifts.up - num->depth) - (den->height - shifts.down)));

    if (missing > 0) {
        shifts.up += missing;
        shifts.down += missing;
    }
    return shifts;
}

/* With a bar each keeps its distance from the bar. */
static Shifts around_bar(TgLayout *self, Shifts shifts, TgScaled thickness, const TgItem *num,
                         const TgItem *den)
{
    const TgScaled clearance = self->style < TG_TEXT ? 3 * thickness : thickness;
    const TgScaled axis = tg_axis_height(self), half = tg_half(thickness);
    const TgScaled above = clearance - ((shifts.up - num->depth) - (axis + half));
    const TgScaled below = clearance - ((axis - half) - (den->height - shifts.down));

    shifts.up += MAX(above, 0);
    shifts.down += MAX(below, 0);
    return shifts;
}

static TgItem *fraction_box(TgLayout *self, const TgNoad *noad, TgItem *num, TgItem *den,
                            TgScaled thickness)
{
    TgArena *arena = &self->arena;
    Shifts shifts = start_shifts(self, thickness);
    TgItemList list;

    tg_item_list_init(&list);
    tg_item_list_add(&list, num);
    if (thickness == 0) {
        shifts = without_bar(self, shifts, num, den);
        tg_item_list_add(
            &list, tg_item_kern(arena, (shifts.up - num->depth) - (den->height - shifts.down)));
    } else {
        shifts = around_bar(self, shifts, thickness, num, den);
        const TgScaled axis = tg_axis_height(self), half = tg_half(thickness);
        TgItem *rule = tg_item_rule(arena, num->width, thickness, 0);
        rule->token = noad->u.fraction.token;
        rule->color = noad->u.fraction.color;
        tg_item_list_add(&list, tg_item_kern(arena, (shifts.up - num->depth) - (axis + half)));
        tg_item_list_add(&list, rule);
        tg_item_list_add(&list, tg_item_kern(arena, (axis - half) - (den->height - shifts.down)));
    }
    tg_item_list_add(&list, den);

    TgItem *box = tg_item_new(arena, TG_ITEM_VBOX);
    box->list = list.first;
    box->width = num->width;
    box->height = shifts.up + num->height;
    box->depth = den->depth + shifts.down;
    return box;
}

void tg_make_fraction(TgLayout *self, TgNoad *noad)
{
    const TgScaled thickness =
        noad->u.fraction.thickness < 0 ? tg_rule_thickness(self) : noad->u.fraction.thickness;
    const int style = self->style;
    TgItem *num = tg_clean_box(self, &noad->u.fraction.num, tg_num_style(style));
    TgItem *den = tg_clean_box(self, &noad->u.fraction.den, tg_denom_style(style));

    if (num->width < den->width)
        num = tg_rebox(self, num, den->width);
    else
        den = tg_rebox(self, den, num->width);

    TgItem *box = fraction_box(self, noad, num, den, thickness);
    const TgScaled size =
        tg_math_sy(self, style < TG_TEXT ? TG_PARAM_DELIM1 : TG_PARAM_DELIM2, self->size);
    TgItem *left = tg_var_delimiter(self, &noad->u.fraction.left, size);
    left->next = box;
    box->next = tg_var_delimiter(self, &noad->u.fraction.right, size);
    noad->hlist = tg_hpack(&self->arena, left);
}
