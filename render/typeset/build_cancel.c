/* The strokes of the package cancel. */
#include "render/typeset/builders.h"

#define SCRIPT_SPACE TG_PT(0.5)

/* The extent of the stroke over something, as the package cancel chooses it from the slopes that
   LaTeX's \line has. */
static void stroke_extent(TgScaled width, TgScaled total, TgScaled *across, TgScaled *up)
{
    static const guint8 slopes[][2] = { { 6, 1 }, { 4, 1 }, { 2, 1 }, { 4, 3 }, { 1, 1 } };
    static const TgScaled parts[] = { 10486, 16384, 32768, 49152, 65536 }; /* .16 .25 .5 .75 1 */

    width = MAX(width, TG_PT(2));
    total = MAX(total, TG_PT(6));
    if (total < width) {
        width = MAX(width, TG_PT(8));
        const guint8 *slope = slopes[MIN(total * 5 / width, 4)];
        *across = width + TG_PT(2);
        *up = *across * slope[1] / slope[0];
        return;
    }
    total = MAX(total, TG_PT(8)) + TG_PT(2);
    const TgScaled k = MIN(width * 5 / total, 4);
    *across = tg_xn_over_d(total, parts[k], 65536);
    *up = *across * slopes[k][0] / slopes[k][1];
}

/* \cancel: a line over the middle of the box. Both are centred on the axis, laid on one baseline
   and raised to where the box was; the line decides the height. */
TgItem *tg_canceled_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    static const guint8 strokes[][2] = {
        [TG_ENCLOSE_CANCEL] = { TG_STROKE_UP, TG_STROKE_UP },
        [TG_ENCLOSE_BCANCEL] = { TG_STROKE_DOWN, TG_STROKE_DOWN },
        [TG_ENCLOSE_XCANCEL] = { TG_STROKE_UP, TG_STROKE_DOWN },
    };
    TgArena *arena = &self->arena;
    const guint8 *pair = strokes[node->u.enclose.form];
    const TgScaled middle = tg_half(body->height - body->depth);
    TgScaled across, up;
    TgItemList list;

    stroke_extent(body->width, body->height + body->depth, &across, &up);
    tg_item_list_init(&list);
    for (guint i = 0; i < (pair[0] != pair[1] ? 2u : 1u); i++) {
        TgItem *stroke = tg_item_new(arena, TG_ITEM_STROKE);
        stroke->code = pair[i];
        stroke->width = across;
        stroke->height = middle + tg_half(up);
        stroke->depth = up - stroke->height;
        stroke->token = tg_ink(self, node->token);
        stroke->color = self->color;
        const TgScaled before = tg_half(body->width - across);
        tg_item_list_add(&list, tg_item_kern(arena, before));
        tg_item_list_add(&list, stroke);
        tg_item_list_add(&list, tg_item_kern(arena, -before - across));
    }
    const TgScaled axis = tg_math_sy(self, TG_PARAM_AXIS_HEIGHT, TG_MATH_TEXT);
    const TgScaled raise = middle - axis;
    const TgScaled below_axis = tg_half(body->height + body->depth);
    tg_item_list_add(&list, body);
    TgItem *box = tg_hpack(arena, list.first);
    box->height = MAX(axis + tg_half(up), 0) + raise;
    box->depth = MAX(below_axis - axis, 0) - raise;
    return box;
}

/* ---- \cancelto --------------------------------------------------------------------------------*/

/* An arrow as the package chooses it: how far in half points the value stands right of its head and
   above its middle, and its slope. */
typedef struct {
    guint8 right, up, dx, dy;
} Arrow;

/* The extent of the arrow and how far its tail is moved to the right. */
typedef struct {
    const Arrow *arrow;
    TgScaled across, moved;
} ArrowPlace;

static ArrowPlace arrow_place(TgScaled width, TgScaled total)
{
    static const Arrow wide[] = {
        { 5, 4, 4, 1 }, { 5, 4, 4, 1 }, { 5, 4, 2, 1 }, { 4, 4, 4, 3 }, { 3, 6, 1, 1 }
    };
    static const Arrow tall[] = {
        { 0, 8, 1, 4 }, { 0, 8, 1, 4 }, { 1, 8, 1, 2 }, { 2, 7, 3, 4 }, { 3, 6, 1, 1 }
    };
    static const guint8 longer[] = { 5, 5, 4, 3, 2 };
    static const TgScaled parts[] = { 16384, 16384, 32768, 49152, 65536 };  /* .25 .5 .75 1 */
    static const TgScaled moved[] = { 52429, 52429, 78643, 98304, 131072 }; /* .8 1.2 1.5 2 pt */

    width = MAX(width, TG_PT(2));
    total = MAX(total, TG_PT(4));
    if (total < width) {
        const TgScaled k = MIN(total * 5 / width, 4);
        return (ArrowPlace){ &wide[k], MAX(width + TG_PT(longer[k]), TG_PT(9)) + TG_PT(1),
                             TG_PT(3) };
    }
    total += TG_PT(3);
    const TgScaled k = MIN(width * 5 / total, 4);
    return (ArrowPlace){ &tall[k], tg_xn_over_d(total + TG_PT(3), parts[k], 65536), moved[k] };
}

/* The value, of which no more than half a point is below the line that is raised. */
static TgItem *arrow_value(TgLayout *self, const TgNode *node, const Arrow *arrow)
{
    const int style = self->style < TG_TEXT     ? TG_TEXT
                      : self->style < TG_SCRIPT ? TG_SCRIPT
                                                : TG_SCRIPTSCRIPT;
    TgArena *arena = &self->arena;
    TgItem *value = tg_layout_formula(self, node->u.scripts.sup, style);
    TgItem *kern = tg_item_kern(arena, arrow->right * TG_PT(0.5) - TG_PT(1.2));
    const TgScaled below = MAX(value->depth - TG_PT(0.5), 0);

    kern->next = value;
    TgItem *box = tg_hpack(arena, kern);
    box->shift = -below - arrow->up * TG_PT(0.5);
    TgItem *line = tg_hpack(arena, box);
    line->width = -SCRIPT_SPACE; /* it has none, and the space behind a script is taken back */
    return line;
}

/* The arrow over its axis, with the value as superscript. */
static TgItem *arrow_box(TgLayout *self, const TgNode *node, const ArrowPlace *place)
{
    TgArena *arena = &self->arena;
    const TgNode *enclosure = node->u.scripts.nucleus;
    const TgScaled up = place->across * place->arrow->dy / place->arrow->dx;
    TgItem *kern = tg_item_kern(arena, place->moved);
    TgItem *strut = tg_item_rule(arena, 0, 0, place->moved * place->arrow->dy / place->arrow->dx);
    TgItem *stroke = tg_item_new(arena, TG_ITEM_STROKE);
    TgNoadList list;

    stroke->code = TG_STROKE_ARROW;
    stroke->width = place->across;
    stroke->height = up;
    stroke->token = tg_ink(self, enclosure->token);
    stroke->color = self->color;
    kern->next = strut;
    strut->next = stroke;
    tg_noad_list_init(&list);
    tg_append_noad(self, &list, TG_NOAD_VCENTER, tg_box_field(tg_hpack(arena, kern)))->sup =
        tg_box_field(arrow_value(self, node, place->arrow));
    return tg_hpack(arena, tg_set_list(self, list.first, TG_TEXT));
}

TgItem *tg_canceled_to(TgLayout *self, const TgNode *node)
{
    TgArena *arena = &self->arena;
    TgItem *body =
        tg_body_box(self, node->u.scripts.nucleus->u.enclose.body, self->style & ~TG_CRAMPED);
    const ArrowPlace place = arrow_place(body->width, body->height + body->depth);
    TgItem *arrow = arrow_box(self, node, &place);
    const TgScaled before = tg_half(body->width - arrow->width);
    const TgScaled axis = tg_math_sy(self, TG_PARAM_AXIS_HEIGHT, TG_MATH_TEXT);
    const TgScaled raise = tg_half(body->height - body->depth) - axis;
    const TgScaled height = arrow->height + raise;
    const TgScaled depth = MAX(tg_half(body->height + body->depth) - axis, 0) - raise;
    TgItemList list;

    arrow->shift = -raise;
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(arena, before));
    tg_item_list_add(&list, arrow);
    tg_item_list_add(&list, tg_item_kern(arena, -before - arrow->width));
    tg_item_list_add(&list, body);
    TgItem *box = tg_hpack(arena, list.first);
    box->width = body->width;
    box->height = height;
    box->depth = depth;
    return box;
}
