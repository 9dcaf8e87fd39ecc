/* Braces, brackets, arrows and lines that are as wide as their base. */
#include "render/typeset/builders.h"

/* ---- Arrows ---------------------------------------------------------------------------------- */

/* \overrightarrow: the arrow rests on its base, without a gap. */
static TgItem *over_arrow(TgLayout *self, const TgNode *node)
{
    static const guint8 forms[] = { [TG_STRETCH_OVERRIGHTARROW] = TG_ARROW_RIGHT,
                                    [TG_STRETCH_OVERLEFTARROW] = TG_ARROW_LEFT,
                                    [TG_STRETCH_OVERLEFTRIGHTARROW] = TG_ARROW_LEFTRIGHT };
    const guint form = forms[node->u.stretch.form];
    const int style = self->style & ~TG_CRAMPED;
    TgItem *body = tg_layout_formula(self, node->u.stretch.body, style);
    const TgScaled width = MAX(body->width, tg_arrow_fill(self, node, form, 0)->width);
    TgItem *arrow = tg_arrow_fill(self, node, form, width);

    arrow->next = tg_rebox(self, tg_hpack(&self->arena, body), width);
    return tg_vpack(&self->arena, arrow);
}

static TgItem *under_arrow(TgLayout *self, const TgNode *node)
{
    static const guint8 forms[] = { [TG_STRETCH_UNDERRIGHTARROW] = TG_ARROW_RIGHT,
                                    [TG_STRETCH_UNDERLEFTARROW] = TG_ARROW_LEFT,
                                    [TG_STRETCH_UNDERLEFTRIGHTARROW] = TG_ARROW_LEFTRIGHT };
    const guint form = forms[node->u.stretch.form];
    const int style = self->style & ~TG_CRAMPED;
    TgItem *body = tg_layout_formula(self, node->u.stretch.body, style);
    const TgScaled width = MAX(body->width, tg_arrow_fill(self, node, form, 0)->width);
    const TgScaled ex = tg_ex_at(self);

    body = tg_rebox(self, tg_hpack(&self->arena, body), width);
    body->next = tg_item_kern(&self->arena, ex + tg_xn_over_d(ex, 19661, 65536)); /* 1.3 ex@ */
    body->next->next = tg_arrow_fill(self, node, form, width);
    return tg_vtop(&self->arena, body);
}

/* ---- Braces and brackets --------------------------------------------------------------------- */

static TgItem *brace_piece(TgLayout *self, const TgNode *node, guint slot)
{
    TgField field = tg_char_field(self, TG_MATH_LARGE, slot, node->token);

    return tg_hpack(&self->arena, tg_clean_box(self, &field, TG_TEXT));
}

/* The x-height of the symbol font at the text's size. */
static TgScaled text_x_height(TgLayout *self)
{
    return tg_math_sy(self, TG_PARAM_X_HEIGHT, TG_MATH_TEXT);
}

static TgItem *brace_bar(TgLayout *self, const TgNode *node, TgScaled width, TgScaled height)
{
    TgItem *rule = tg_item_rule(&self->arena, width, height, 0);

    rule->token = tg_ink(self, node->token);
    rule->color = self->color;
    return rule;
}

/* Four pieces of the extension font joined by rules: \downbracefill over, \upbracefill under. */
static TgItem *brace_fill(TgLayout *self, const TgNode *node, gboolean over, TgScaled width)
{
    static const guint8 slots[2][4] = { { 0x7C, 0x7B, 0x7A, 0x7D }, { 0x7A, 0x7D, 0x7C, 0x7B } };
    const TgScaled thickness = brace_piece(self, node, 0x7A)->height;
    TgItem *pieces[4];
    TgScaled natural = 0;
    TgItemList list;

    for (guint i = 0; i < 4; i++) {
        pieces[i] = brace_piece(self, node, slots[over][i]);
        natural += pieces[i]->width;
    }
    const TgScaled room = MAX(width - natural, 0);
    tg_item_list_init(&list);
    tg_item_list_add(&list, pieces[0]);
    tg_item_list_add(&list, brace_bar(self, node, room / 2, thickness));
    tg_item_list_add(&list, pieces[1]);
    tg_item_list_add(&list, pieces[2]);
    tg_item_list_add(&list, brace_bar(self, node, room - room / 2, thickness));
    tg_item_list_add(&list, pieces[3]);
    return tg_hpack(&self->arena, list.first);
}

/* mathtools' \overbracket: a bar as thick as those of braces, with feet of .7 x-height. */
static TgItem *bracket_fill(TgLayout *self, const TgNode *node, gboolean over, TgScaled width)
{
    const TgScaled thickness = node->u.stretch.has >= 1
                                   ? tg_layout_length(self, node->u.stretch.line)
                                   : brace_piece(self, node, 0x7A)->height;
    const TgScaled foot = node->u.stretch.has >= 2
                              ? tg_layout_length(self, node->u.stretch.height)
                              : tg_xn_over_d(text_x_height(self), 45875, 65536); /* .7 */
    TgItemList list;

    tg_item_list_init(&list);
    for (guint i = 0; i < 3; i++) {
        const gboolean middle = i == 1;
        TgItem *rule = brace_bar(self, node, middle ? MAX(width - 2 * thickness, 0) : thickness, 0);
        rule->height = over ? thickness : middle ? 0 : foot;
        rule->depth = !over ? thickness : middle ? 0 : foot;
        tg_item_list_add(&list, rule);
    }
    return tg_hpack(&self->arena, list.first);
}

static gboolean is_over(guint form)
{
    return form == TG_STRETCH_OVERBRACE || form == TG_STRETCH_OVERBRACKET;
}

static gboolean is_brace(guint form)
{
    return form == TG_STRETCH_OVERBRACE || form == TG_STRETCH_UNDERBRACE;
}

/* Body in display style, a gap, and the brace or bracket; braces have 3 pt at both sides. */
static TgItem *make_brace(TgLayout *self, const TgNode *node)
{
    TgArena *arena = &self->arena;
    const gboolean over = is_over(node->u.stretch.form);
    TgItem *body = tg_layout_formula(self, node->u.stretch.body, TG_DISPLAY);
    const gboolean brace = is_brace(node->u.stretch.form);
    TgItem *fill = brace ? brace_fill(self, node, over, body->width)
                         : bracket_fill(self, node, over, body->width);
    const TgScaled gap =
        brace ? TG_PT(3) : tg_xn_over_d(text_x_height(self), 13107, 65536); /* .2 */
    const TgScaled outside = brace ? TG_PT(3) : 0;
    TgItemList list;

    if (fill->width > body->width)
        body = tg_rebox(self, tg_hpack(arena, body), fill->width);
    tg_item_list_init(&list);
    if (over) {
        tg_item_list_add(&list, tg_item_kern(arena, outside));
        tg_item_list_add(&list, fill);
        tg_item_list_add(&list, tg_item_kern(arena, gap));
        tg_item_list_add(&list, body);
        return tg_vpack(arena, list.first);
    }
    tg_item_list_add(&list, body);
    tg_item_list_add(&list, tg_item_kern(arena, gap));
    tg_item_list_add(&list, fill);
    tg_item_list_add(&list, tg_item_kern(arena, outside));
    return tg_vtop(arena, list.first);
}

/* \wideparen, \overparen: an arc over the body or under it, about as high as yhmath's. */
static TgItem *make_paren(TgLayout *self, const TgNode *node)
{
    TgArena *arena = &self->arena;
    const gboolean over = node->u.stretch.form == TG_STRETCH_OVERPAREN;
    const TgScaled em = self->math->sizes.size[self->size];
    TgItem *body = tg_layout_formula(self, node->u.stretch.body, self->style);
    TgItem *arc = tg_item_new(arena, TG_ITEM_STROKE), *gap = tg_item_kern(arena, em / 12);

    arc->code = over ? TG_STROKE_ARC : TG_STROKE_CUP;
    arc->width = body->width;
    arc->height = MIN(em * 22 / 100 + body->width / 33, em * 2 / 3);
    arc->token = tg_ink(self, node->token);
    arc->color = self->color;
    if (over) {
        arc->next = gap;
        gap->next = body;
        return tg_vpack(arena, arc);
    }
    body->next = gap;
    gap->next = arc;
    return tg_vtop(arena, body);
}

void tg_build_stretch(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *noad;

    switch ((TgStretch) node->u.stretch.form) {
    case TG_STRETCH_OVERLINE:
    case TG_STRETCH_UNDERLINE: {
        TgField nucleus = tg_build_field(self, node->u.stretch.body);
        const TgNoadType type =
            node->u.stretch.form == TG_STRETCH_OVERLINE ? TG_NOAD_OVER : TG_NOAD_UNDER;
        if (nucleus.kind == TG_FIELD_CHAR) { /* the field's token is that of the line */
            TgNoad *letter = tg_noad_new(&self->arena, TG_NOAD_ORD);
            letter->nucleus = nucleus;
            nucleus = tg_list_field(letter);
        }
        nucleus.token = tg_ink(self, node->token);
        nucleus.color = self->color;
        tg_append_noad(self, out, type, nucleus);
        break;
    }
    case TG_STRETCH_OVERPAREN:
    case TG_STRETCH_UNDERPAREN:
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, make_paren, node));
        break;
    case TG_STRETCH_OVERRIGHTARROW:
    case TG_STRETCH_OVERLEFTARROW:
    case TG_STRETCH_OVERLEFTRIGHTARROW:
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, over_arrow, node));
        break;
    case TG_STRETCH_UNDERRIGHTARROW:
    case TG_STRETCH_UNDERLEFTARROW:
    case TG_STRETCH_UNDERLEFTRIGHTARROW:
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, under_arrow, node));
        break;
    default:
        noad = tg_append_noad(self, out, TG_NOAD_OP, tg_make_field(self, make_brace, node));
        noad->limits = TG_LIMITS_ON;
        break;
    }
}
