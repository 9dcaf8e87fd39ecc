/* Boxes around things: phantoms, overlaps, frames, rules, raised text. */
#include "render/typeset/builders.h"

#include <string.h>

#include "tokenizer/tree/tree.h"

#define CIRCLE_SLOT 0x0D /* of the symbol font */
#define SLASH_SLOT  0x3D /* of the letters */

static TgItem *make_phantom(TgLayout *self, const TgNode *node)
{
    const guint flags = node->u.phantom.flags;
    TgItem *box = (flags & TG_PHANTOM_CRAMPED) != 0
                      ? tg_body_box(self, node->u.phantom.body, self->style | TG_CRAMPED)
                      : tg_body_box(self, node->u.phantom.body, self->style & ~TG_CRAMPED);

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

static TgItem *make_lap(TgLayout *self, const TgNode *node)
{
    TgItem *box = tg_body_box(self, node->u.lap.body, self->style & ~TG_CRAMPED);
    const TgScaled width = box->width;
    const TgScaled before = node->u.lap.align == 'l'   ? -width
                            : node->u.lap.align == 'c' ? -tg_half(width)
                                                       : 0;
    TgItem *kern = tg_item_kern(&self->arena, before);

    kern->next = box;
    box->next = tg_item_kern(&self->arena, -width - before);
    return tg_hpack(&self->arena, kern);
}

/* The width of an operator without its limits. */
static TgScaled width_without_limits(TgLayout *self, const TgNode *list)
{
    const TgNode *item = list->u.list.first;

    if (item == NULL || item->kind != TG_NODE_SCRIPTS || item->u.scripts.nucleus == NULL)
        return 0;
    const TgNode alone = { .kind = TG_NODE_LIST,
                           .u.list = { .first = item->u.scripts.nucleus, .n_items = 1 } };
    self->measuring++;
    const TgScaled width = tg_layout_formula(self, &alone, TG_DISPLAY)->width;
    self->measuring--;
    return width;
}

/* \smashoperator: limits that are wider than their operator lap to one side or to both. */
static TgItem *make_smashed(TgLayout *self, const TgNode *node)
{
    const guint8 sides = node->u.lap.align;
    const TgNode *first = node->u.lap.body->u.list.first;
    TgNode body = *node->u.lap.body, scripts;

    if (first != NULL && first->kind == TG_NODE_SCRIPTS) { /* limits of integrals, too */
        scripts = *first;
        scripts.u.scripts.limits = TG_LIMITS_ON;
        body.u.list.first = &scripts;
    }
    TgItem *box = tg_body_box(self, &body, tg_cramped(TG_DISPLAY)); /* for its superscripts */
    const TgScaled alone = width_without_limits(self, &body);
    const TgScaled over = alone > 0 ? tg_half(box->width - alone) : 0;
    TgItem *kern = tg_item_kern(&self->arena, sides == 'R' ? 0 : -over);

    kern->next = box;
    box->next = tg_item_kern(&self->arena, sides == 'L' ? 0 : -over);
    return tg_hpack(&self->arena, kern);
}

static TgItem *make_raised(TgLayout *self, const TgNode *node)
{
    TgItem *box = tg_body_box(self, node->u.raise.body, TG_TEXT);

    if (box->shift != 0)
        box = tg_hpack(&self->arena, box);
    const TgItem *natural = box;
    box->shift = -tg_layout_length_of(self, node->u.raise.amount, natural);
    TgItem *raised = tg_hpack(&self->arena, box);
    if ((node->u.raise.has & 1) != 0)
        raised->height = tg_layout_length_of(self, node->u.raise.height, natural);
    if ((node->u.raise.has & 2) != 0)
        raised->depth = tg_layout_length_of(self, node->u.raise.depth, natural);
    return raised;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* \fboxsep and \fboxrule. */
static TgScaled frame_length(TgLayout *self, const TgNode *node, TgSetting setting)
{
    return tg_layout_length(self, tg_setting(node->u.enclose.settings, setting));
}

static TgItem *frame_rule(TgLayout *self, const TgNode *node, TgScaled width, TgScaled height)
{
    TgItem *rule = tg_item_rule(&self->arena, width, height, 0);

    rule->token = tg_ink(self, node->token);
    rule->color =
        node->u.enclose.form == TG_ENCLOSE_FCOLORBOX ? node->u.enclose.frame : self->color;
    return rule;
}

/* \colorbox: the body on its colour; the background is no token's ink. */
static TgItem *colored_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    TgArena *arena = &self->arena;
    const TgScaled gap = frame_length(self, node, TG_SETTING_FBOXSEP);
    TgItem *ground =
        tg_item_rule(arena, body->width + 2 * gap, body->height + gap, body->depth + gap);
    TgItemList list;

    ground->color = node->u.enclose.rgb;
    tg_item_list_init(&list);
    tg_item_list_add(&list, ground);
    tg_item_list_add(&list, tg_item_kern(arena, gap - ground->width));
    tg_item_list_add(&list, tg_hpack(arena, body));
    tg_item_list_add(&list, tg_item_kern(arena, gap));
    return tg_hpack(arena, list.first);
}

/* \fbox: @beside and @gap, then lines around it. */
static TgItem *framed_box(TgLayout *self, const TgNode *node, TgItem *body, TgScaled beside,
                          TgScaled gap)
{
    TgArena *arena = &self->arena;
    const TgScaled line = frame_length(self, node, TG_SETTING_FBOXRULE);
    const TgScaled width = body->width + 2 * (beside + line);
    const TgScaled inner = body->height + body->depth + 2 * gap;
    const TgScaled height = body->height + gap + line;
    const TgScaled depth = body->depth + gap + line;
    TgItemList row, column;

    tg_item_list_init(&row);
    TgItem *pad = tg_item_kern(arena, gap);
    pad->next = tg_hpack(arena, body);
    pad->next->next = tg_item_kern(arena, gap);
    TgItem *padded = tg_vpack(arena, pad);
    padded->height += padded->depth;
    padded->depth = 0;
    tg_item_list_add(&row, frame_rule(self, node, line, inner));
    tg_item_list_add(&row, tg_item_kern(arena, beside));
    tg_item_list_add(&row, padded);
    tg_item_list_add(&row, tg_item_kern(arena, beside));
    tg_item_list_add(&row, frame_rule(self, node, line, inner));

    tg_item_list_init(&column);
    tg_item_list_add(&column, frame_rule(self, node, width, line));
    tg_item_list_add(&column, tg_hpack(arena, row.first));
    tg_item_list_add(&column, frame_rule(self, node, width, line));

    TgItem *box = tg_vpack(arena, column.first);
    box->height = height;
    box->depth = depth;
    return box;
}

/* \textcircled as LaTeX's \ooalign has it: the body a little raised over the circle, which is as
   wide as it is; the height is the body's, the depth the circle's. */
static TgItem *circled_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    TgArena *arena = &self->arena;
    const TgFont *font = tg_layout_symbol_font(self, self->text.size);
    TgItem *circle = font != NULL ? tg_item_char(arena, font, CIRCLE_SLOT) : NULL;
    TgItemList list;

    if (circle == NULL)
        return body;
    circle->token = tg_ink(self, node->token);
    circle->color = self->color;
    const TgScaled raise = tg_xn_over_d(font->metrics->params[TG_PARAM_X_HEIGHT], 4588, 65536);
    const TgScaled width = MAX(body->width, circle->width), height = body->height + raise;
    const TgScaled depth = circle->depth;
    const TgScaled before = tg_half(width - body->width);
    TgItem *raised = tg_hpack(arena, body);
    raised->shift = -raise;
    tg_item_list_init(&list);
    tg_item_list_add(&list, circle);
    tg_item_list_add(&list, tg_item_kern(arena, before - circle->width));
    tg_item_list_add(&list, raised);
    TgItem *box = tg_hpack(arena, list.first);
    box->width = width;
    box->height = height;
    box->depth = depth;
    return box;
}

/* How far the package moves the slash, in hundredths of the body's width and the slash's height. */
typedef struct {
    const char *name;
    guint8 right, down;
} SlashPlace;

static SlashPlace slash_place(const TgNode *body)
{
    static const SlashPlace places[] = {
        { "D", 8, 0 }, { "A", 10, 0 }, { "k", 0, 5 }, { "partial", 10, 0 }
    };
    const TgNode *only = body->kind == TG_NODE_LIST ? body->u.list.first : NULL;

    for (guint i = 0; i < G_N_ELEMENTS(places) && only != NULL && only->next == NULL; i++) {
        if (only->kind == TG_NODE_SYMBOL && only->u.symbol.symbol != NULL &&
            strcmp(only->u.symbol.symbol->name, places[i].name) == 0)
            return places[i];
    }
    return (SlashPlace){ NULL, 0, 0 };
}

/* \slashed: a slash over the body, both centred on each other; the height is the body's or what the
   slash needs. */
static TgItem *slashed_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    TgArena *arena = &self->arena;
    TgField field = tg_char_field(self, TG_MATH_LETTERS, SLASH_SLOT, node->token);
    TgItem *slash = tg_hpack(arena, tg_clean_box(self, &field, self->style & ~TG_CRAMPED));
    const SlashPlace place = slash_place(node->u.enclose.body);
    const TgScaled width = MAX(body->width, slash->width);
    const TgScaled before =
        tg_half(width - slash->width) + tg_xn_over_d(body->width, place.right, 100);
    TgItemList list;

    slash->shift = (slash->height - slash->depth - body->height + body->depth) / 2 +
                   tg_xn_over_d(slash->height + slash->depth, place.down, 100);
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(arena, before));
    tg_item_list_add(&list, slash);
    tg_item_list_add(&list,
                     tg_item_kern(arena, -slash->width - before + tg_half(width - body->width)));
    tg_item_list_add(&list, body);
    TgItem *box = tg_hpack(arena, list.first);
    box->width = width;
    return box;
}

/* ---- Strokes --------------------------------------------------------------------------------- */

/* \sout: a line through the box. */
static TgItem *struck_box(TgLayout *self, const TgNode *node, TgItem *body)
{
    TgArena *arena = &self->arena;
    TgItem *stroke = tg_item_new(arena, TG_ITEM_STROKE);

    stroke->code = TG_STROKE_ACROSS;
    stroke->width = body->width;
    stroke->height = body->height;
    stroke->depth = body->depth;
    stroke->token = tg_ink(self, node->token);
    stroke->color = self->color;
    stroke->next = tg_item_kern(arena, -body->width);
    stroke->next->next = body;
    return tg_hpack(arena, stroke);
}

/* \framebox[width]: as wide as asked for with its frame; the space beside the text begins at the
   outer edge of the lines. */
static TgItem *framed_to_width(TgLayout *self, const TgNode *node)
{
    const TgNode *text = node->u.enclose.body;
    const TgScaled gap = frame_length(self, node, TG_SETTING_FBOXSEP);
    TgNode natural = *text;

    natural.u.text.has_width = 0;
    TgItem *body = tg_text_to_width(self, text, tg_body_box(self, &natural, TG_TEXT), 2 * gap);
    return framed_box(self, node, body, gap - frame_length(self, node, TG_SETTING_FBOXRULE), gap);
}

static TgItem *make_enclosure(TgLayout *self, const TgNode *node)
{
    const guint form = node->u.enclose.form;
    const gboolean strikes = form >= TG_ENCLOSE_SLASHED && form <= TG_ENCLOSE_STRIKE;
    const int style = form == TG_ENCLOSE_BOXED ? TG_DISPLAY
                      : strikes                ? self->style & ~TG_CRAMPED
                                               : TG_TEXT;

    if (form == TG_ENCLOSE_FBOX && node->u.enclose.body->kind == TG_NODE_TEXT &&
        node->u.enclose.body->u.text.has_width)
        return framed_to_width(self, node);

    const TgScaled gap = frame_length(self, node, TG_SETTING_FBOXSEP);
    TgItem *body = tg_body_box(self, node->u.enclose.body, style);

    switch ((TgEnclosure) form) {
    case TG_ENCLOSE_CANCEL:
    case TG_ENCLOSE_BCANCEL:
    case TG_ENCLOSE_XCANCEL:
        return tg_canceled_box(self, node, body);
    case TG_ENCLOSE_CIRCLE:
        return circled_box(self, node, body);
    case TG_ENCLOSE_SLASHED:
        return slashed_box(self, node, body);
    case TG_ENCLOSE_STRIKE:
        return struck_box(self, node, body);
    case TG_ENCLOSE_COLORBOX:
        return colored_box(self, node, body);
    case TG_ENCLOSE_FCOLORBOX:
        return framed_box(self, node, colored_box(self, node, body), 0, 0);
    case TG_ENCLOSE_BOXED:
    case TG_ENCLOSE_FBOX:
    default:
        return framed_box(self, node, body, gap, gap);
    }
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static TgItem *make_rule(TgLayout *self, const TgNode *node)
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
        field = tg_make_field(self, make_phantom, node);
        break;
    case TG_NODE_LAP:
        if (g_ascii_isupper((char) node->u.lap.align)) {
            tg_append_style(self, out, TG_DISPLAY);
            tg_append_noad(self, out, TG_NOAD_OP, tg_make_field(self, make_smashed, node))->limits =
                TG_LIMITS_OFF;
            return;
        }
        field = tg_make_field(self, make_lap, node);
        break;
    case TG_NODE_RAISE:
        field = tg_make_field(self, make_raised, node);
        break;
    case TG_NODE_ENCLOSE:
        field = tg_make_field(self, make_enclosure, node);
        break;
    default:
        field = tg_box_field(make_rule(self, node));
        break;
    }
    tg_append_noad(self, out, TG_NOAD_ORD, field);
}
