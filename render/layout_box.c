/* Boxes around things: phantoms, overlaps, frames, rules, raised text. */
#include "render/build.h"

#define PT(x) ((TgScaled) ((x) *TG_SP_PER_PT + 0.5))

/* \fboxsep and \fboxrule. */
#define FRAME_GAP  PT(3)
#define FRAME_RULE PT(0.4)

/* `$style{list}$` or words, as a box. */
static TgItem *body_box(TgLayout *self, const TgNode *body, int style)
{
    TgNoadList list;

    if (body->kind == TG_NODE_LIST)
        return tg_layout_formula(self, body, style);
    tg_noad_list_init(&list);
    tg_build_node(self, body, &list);
    const int kept = self->style;
    TgItem *box = tg_hpack(&self->arena, tg_mlist_to_hlist(self, list.first, style));
    tg_layout_set_style(self, kept);
    return box;
}

static TgItem *phantom(TgLayout *self, const TgNode *node)
{
    TgItem *box = body_box(self, node->u.phantom.body, self->style & ~TG_CRAMPED);
    const guint flags = node->u.phantom.flags;

    if ((flags & TG_PHANTOM_NO_INK) != 0)
        box->list = NULL;
    if ((flags & TG_PHANTOM_NO_WIDTH) != 0)
        box->width = 0;
    if ((flags & TG_PHANTOM_NO_HEIGHT) != 0)
        box->height = 0;
    if ((flags & TG_PHANTOM_NO_DEPTH) != 0)
        box->depth = 0;
    return box;
}

static TgItem *lap(TgLayout *self, const TgNode *node)
{
    TgItem *box = body_box(self, node->u.lap.body, self->style & ~TG_CRAMPED);
    const TgScaled width = box->width;
    const TgScaled before = node->u.lap.align == 'l'   ? -width
                            : node->u.lap.align == 'c' ? -tg_half(width)
                                                       : 0;
    TgItem *kern = tg_item_kern(&self->arena, before);

    kern->next = box;
    box->next = tg_item_kern(&self->arena, -width - before);
    return tg_hpack(&self->arena, kern);
}

static TgItem *raised(TgLayout *self, const TgNode *node)
{
    TgItem *box = body_box(self, node->u.raise.body, TG_TEXT);

    if (box->shift != 0)
        box = tg_hpack(&self->arena, box);
    box->shift = -tg_layout_length(self, node->u.raise.amount);
    return tg_hpack(&self->arena, box);
}

/* ---- Frames and strokes ---------------------------------------------------------------------- */

static TgItem *frame_rule(TgLayout *self, const TgNode *node, TgScaled width, TgScaled height)
{
    TgItem *rule = tg_item_rule(&self->arena, width, height, 0);

    rule->token = tg_ink(self, node->token);
    rule->color = self->color;
    return rule;
}

static TgItem *framed(TgLayout *self, const TgNode *node, TgItem *body, gboolean ink)
{
    TgArena *arena = &self->arena;
    const TgScaled width = body->width + 2 * FRAME_GAP;
    const TgScaled inner = body->height + body->depth + 2 * FRAME_GAP;
    const TgScaled height = body->height + FRAME_GAP + FRAME_RULE;
    const TgScaled depth = body->depth + FRAME_GAP + FRAME_RULE;
    TgItemList row, column;

    tg_item_list_init(&row);
    TgItem *pad = tg_item_kern(arena, FRAME_GAP);
    pad->next = tg_hpack(arena, body);
    pad->next->next = tg_item_kern(arena, FRAME_GAP);
    TgItem *padded = tg_vpack(arena, pad);
    const TgScaled total = padded->height + padded->depth;
    padded->height = total;
    padded->depth = 0;
    if (ink)
        tg_item_list_add(&row, frame_rule(self, node, FRAME_RULE, inner));
    else
        tg_item_list_add(&row, tg_item_kern(arena, FRAME_RULE));
    tg_item_list_add(&row, tg_item_kern(arena, FRAME_GAP));
    tg_item_list_add(&row, padded);
    tg_item_list_add(&row, tg_item_kern(arena, FRAME_GAP));
    if (ink)
        tg_item_list_add(&row, frame_rule(self, node, FRAME_RULE, inner));
    else
        tg_item_list_add(&row, tg_item_kern(arena, FRAME_RULE));

    tg_item_list_init(&column);
    if (ink)
        tg_item_list_add(&column, frame_rule(self, node, width + 2 * FRAME_RULE, FRAME_RULE));
    else
        tg_item_list_add(&column, tg_item_kern(arena, FRAME_RULE));
    tg_item_list_add(&column, tg_hpack(arena, row.first));
    if (ink)
        tg_item_list_add(&column, frame_rule(self, node, width + 2 * FRAME_RULE, FRAME_RULE));
    else
        tg_item_list_add(&column, tg_item_kern(arena, FRAME_RULE));

    TgItem *box = tg_vpack(arena, column.first);
    box->height = height;
    box->depth = depth;
    return box;
}

/* A line over the box that leaves its size alone (the package cancel adds nothing either). */
static TgItem *struck(TgLayout *self, const TgNode *node, TgItem *body)
{
    static const guint8 strokes[][2] = {
        [TG_ENCLOSE_CANCEL] = { TG_STROKE_UP, TG_STROKE_UP },
        [TG_ENCLOSE_BCANCEL] = { TG_STROKE_DOWN, TG_STROKE_DOWN },
        [TG_ENCLOSE_XCANCEL] = { TG_STROKE_UP, TG_STROKE_DOWN },
        [TG_ENCLOSE_STRIKE] = { TG_STROKE_ACROSS, TG_STROKE_ACROSS },
    };
    TgArena *arena = &self->arena;
    const guint8 *pair = strokes[node->u.enclose.form];
    TgItemList list;

    tg_item_list_init(&list);
    for (guint i = 0; i < (pair[0] != pair[1] ? 2u : 1u); i++) {
        TgItem *stroke = tg_item_new(arena, TG_ITEM_STROKE);
        stroke->code = pair[i];
        stroke->width = body->width;
        stroke->height = body->height;
        stroke->depth = body->depth;
        stroke->token = tg_ink(self, node->token);
        stroke->color = self->color;
        tg_item_list_add(&list, stroke);
        tg_item_list_add(&list, tg_item_kern(arena, -body->width));
    }
    tg_item_list_add(&list, body);
    return tg_hpack(arena, list.first);
}

static TgItem *enclose(TgLayout *self, const TgNode *node)
{
    const guint form = node->u.enclose.form;
    const gboolean strikes = form >= TG_ENCLOSE_CANCEL && form <= TG_ENCLOSE_STRIKE;
    const int style = form == TG_ENCLOSE_BOXED ? TG_DISPLAY
                      : strikes                ? self->style & ~TG_CRAMPED
                                               : TG_TEXT;
    TgItem *body = body_box(self, node->u.enclose.body, style);

    if (strikes)
        return struck(self, node, body);
    return framed(self, node, body, form != TG_ENCLOSE_COLORBOX);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static TgItem *rule_box(TgLayout *self, const TgNode *node)
{
    if (node->u.rule.form == TG_RULE_STRUT)
        return tg_strut(self, 65536);

    const TgScaled raise_by = tg_layout_length(self, node->u.rule.raise);
    TgItem *rule = tg_item_rule(&self->arena, tg_layout_length(self, node->u.rule.width),
                                tg_layout_length(self, node->u.rule.height) + raise_by, -raise_by);
    rule->token = tg_ink(self, node->token);
    rule->color = self->color;
    return tg_hpack(&self->arena, rule);
}

void tg_build_box(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgField field;

    switch ((TgNodeKind) node->kind) {
    case TG_NODE_PHANTOM:
        field = tg_make_field(self, phantom, node);
        break;
    case TG_NODE_LAP:
        field = tg_make_field(self, lap, node);
        break;
    case TG_NODE_RAISE:
        field = tg_make_field(self, raised, node);
        break;
    case TG_NODE_ENCLOSE:
        field = tg_make_field(self, enclose, node);
        break;
    default:
        field = tg_box_field(rule_box(self, node));
        break;
    }
    tg_append_noad(self, out, TG_NOAD_ORD, field);
}
