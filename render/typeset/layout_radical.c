/* Roots (TeX §737, rule 11). */
#include "render/typeset/layout_atom.h"

#include "render/typeset/layout_delimiter.h"
#include "render/typeset/layout_field.h"

void tg_make_radical(TgLayout *self, TgNoad *noad)
{
    const TgScaled rule = tg_rule_thickness(self);
    TgItem *body = tg_clean_box(self, &noad->nucleus, tg_cramped(self->style));
    TgScaled gap = rule;

    if (self->style < TG_TEXT)
        gap += ABS(tg_math_sy(self, TG_PARAM_X_HEIGHT, self->size)) / 4;
    else
        gap += ABS(gap) / 4;

    TgItem *sign =
        tg_var_delimiter(self, &noad->u.delimiter, body->height + body->depth + gap + rule);
    const TgScaled surplus = sign->depth - (body->height + body->depth + gap);
    if (surplus > 0)
        gap += tg_half(surplus); /* the sign is larger than requested: centre the body in it */
    sign->shift = -(body->height + gap);
    /* the bar is as thick as the sign is high: TeX's fonts put the sign below its baseline */
    sign->next =
        tg_overbar(self, body, gap, sign->height, noad->u.delimiter.token, noad->u.delimiter.color);

    noad->nucleus.kind = TG_FIELD_BOX;
    noad->nucleus.u.box = tg_hpack(&self->arena, sign);
}
