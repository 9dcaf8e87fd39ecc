/* Braces, brackets and arrows that are as wide as what they stand over. */
#include "render/build.h"

#include "render/layout_private.h"

#define PT(x) ((TgScaled) ((x) *TG_SP_PER_PT + 0.5))

/* ---- amsmath's length ex@ -------------------------------------------------------------------- */

/* It starts from 1 pt at 10 pt and shrinks or grows by 3 % of the rest for each half point of size
   (amsgen's \compute@ex@); never more than 1.5 pt. */
TgScaled tg_ex_at(TgLayout *self)
{
    const TgScaled size = self->text.size;
    TgScaled distance = 2 * (PT(10) - size), factor = PT(1);
    const gboolean smaller = distance > 0;

    if (size > PT(20))
        return PT(1.5);
    for (distance = ABS(distance) - 1000; distance > 0; distance -= PT(1))
        factor = tg_xn_over_d(factor, 63570, 65536); /* .97 */
    return PT(1) + (smaller ? -(PT(1) - factor) : PT(1) - factor);
}

/* ---- Arrows ---------------------------------------------------------------------------------- */

/* An arrow: what stands at its left end, what repeats, what stands at its right end. */
typedef struct {
    guint8 left_font, left_slot, fill_font, fill_slot, right_font, right_slot;
    guint8 left_smash, fill_smash, right_smash; /* \relbar has no height */
} ArrowParts;

enum {
    MINUS = 0x00,
    EQUALS = '=',
    LEFT = 0x20,
    RIGHT = 0x21,
    DOUBLE_LEFT = 0x28,
    DOUBLE_RIGHT = 0x29
};

#define SY TG_MATH_SYMBOLS
#define RM TG_MATH_ROMAN
#define MI TG_MATH_LETTERS

static const ArrowParts arrows[] = {
    [TG_ARROW_RIGHT] = { SY, MINUS, SY, MINUS, SY, RIGHT, 1, 1, 0 },
    [TG_ARROW_LEFT] = { SY, LEFT, SY, MINUS, SY, MINUS, 0, 1, 1 },
    [TG_ARROW_LEFTRIGHT] = { SY, LEFT, SY, MINUS, SY, RIGHT, 0, 1, 0 },
    [TG_ARROW_DOUBLE_RIGHT] = { RM, EQUALS, RM, EQUALS, SY, DOUBLE_RIGHT, 0, 0, 0 },
    [TG_ARROW_DOUBLE_LEFT] = { SY, DOUBLE_LEFT, RM, EQUALS, RM, EQUALS, 0, 0, 0 },
    [TG_ARROW_DOUBLE_LEFTRIGHT] = { SY, DOUBLE_LEFT, RM, EQUALS, SY, DOUBLE_RIGHT, 0, 0, 0 },
    [TG_ARROW_MAPSTO] = { SY, MINUS, SY, MINUS, SY, RIGHT, 1, 1, 0 },
    [TG_ARROW_HOOK_RIGHT] = { SY, MINUS, SY, MINUS, SY, RIGHT, 1, 1, 0 },
    [TG_ARROW_HOOK_LEFT] = { SY, LEFT, SY, MINUS, SY, MINUS, 0, 1, 1 },
    [TG_ARROW_HARPOON_RIGHT_UP] = { SY, MINUS, SY, MINUS, MI, 0x2A, 1, 1, 0 },
    [TG_ARROW_HARPOON_RIGHT_DOWN] = { SY, MINUS, SY, MINUS, MI, 0x2B, 1, 1, 0 },
    [TG_ARROW_HARPOON_LEFT_UP] = { MI, 0x28, SY, MINUS, SY, MINUS, 0, 1, 1 },
    [TG_ARROW_HARPOON_LEFT_DOWN] = { MI, 0x29, SY, MINUS, SY, MINUS, 0, 1, 1 },
    [TG_ARROW_RIGHT_LEFT_HARPOONS] = { MI, 0x29, SY, MINUS, MI, 0x2A, 0, 1, 0 },
    [TG_ARROW_LEFT_RIGHT_HARPOONS] = { MI, 0x28, SY, MINUS, MI, 0x2B, 0, 1, 0 },
    [TG_ARROW_RIGHT_LEFT] = { SY, LEFT, SY, MINUS, SY, RIGHT, 0, 1, 0 },
    [TG_ARROW_EQUAL] = { RM, EQUALS, RM, EQUALS, RM, EQUALS, 0, 0, 0 },
};

/* One of its characters, with its italic correction, as $style char$ is. */
static TgItem *arrow_char(TgLayout *self, const TgNode *node, guint font, guint slot,
                          gboolean smash)
{
    TgField field = tg_char_field(self, font | (self->bold ? TG_MATH_BOLD : 0u), slot, node->token);
    TgItem *box = tg_hpack(&self->arena, tg_clean_box(self, &field, self->style));

    if (smash)
        box->height = box->depth = 0;
    return box;
}

/* Leaders (TeX's \cleaders): as many whole copies as fit, centred in what is left. */
static void add_leaders(TgLayout *self, const TgNode *node, const ArrowParts *parts,
                        TgItemList *list, TgScaled room)
{
    const TgScaled overlap = tg_mu_to_sp(self->mu, 2 * 65536);
    TgItem *probe = arrow_char(self, node, parts->fill_font, parts->fill_slot, parts->fill_smash);
    const TgScaled step = probe->width - 2 * overlap;
    const TgScaled n = step > 0 && room > 0 ? MIN(room / step, TG_MAX_PIECES) : 0;
    TgScaled left = room - n * step;

    tg_item_list_add(list, tg_item_kern(&self->arena, left / 2));
    for (TgScaled i = 0; i < n; i++) {
        TgItem *piece =
            arrow_char(self, node, parts->fill_font, parts->fill_slot, parts->fill_smash);
        tg_item_list_add(list, tg_item_kern(&self->arena, -overlap));
        tg_item_list_add(list, piece);
        tg_item_list_add(list, tg_item_kern(&self->arena, -overlap));
    }
    tg_item_list_add(list, tg_item_kern(&self->arena, left - left / 2));
    if (n == 0) /* the box of a leader decides the height even when none is drawn */
        return;
}

/* \arrowfill@ in the style in force, @width wide or its natural width when that is larger. */
static TgItem *arrow_fill(TgLayout *self, const TgNode *node, guint form, TgScaled width)
{
    const ArrowParts *parts = &arrows[form];
    const TgScaled overlap = tg_mu_to_sp(self->mu, 7 * 65536);
    TgItem *left = arrow_char(self, node, parts->left_font, parts->left_slot, parts->left_smash);
    TgItem *right =
        arrow_char(self, node, parts->right_font, parts->right_slot, parts->right_smash);
    const TgScaled natural = left->width + right->width - 2 * overlap;
    const TgScaled total = MAX(width, natural);
    TgItemList list;

    tg_item_list_init(&list);
    tg_item_list_add(&list, left);
    tg_item_list_add(&list, tg_item_kern(&self->arena, -overlap));
    add_leaders(self, node, parts, &list, total - natural);
    tg_item_list_add(&list, tg_item_kern(&self->arena, -overlap));
    tg_item_list_add(&list, right);
    TgItem *box = tg_hpack(&self->arena, list.first);
    box->width = total;
    return box;
}

static TgScaled natural_arrow_width(TgLayout *self, const TgNode *node, guint form)
{
    return arrow_fill(self, node, form, 0)->width;
}

/* \overrightarrow: the arrow rests on its base, without a gap. */
static TgItem *over_arrow(TgLayout *self, const TgNode *node)
{
    static const guint8 forms[] = { [TG_STRETCH_OVERRIGHTARROW] = TG_ARROW_RIGHT,
                                    [TG_STRETCH_OVERLEFTARROW] = TG_ARROW_LEFT,
                                    [TG_STRETCH_OVERLEFTRIGHTARROW] = TG_ARROW_LEFTRIGHT };
    const guint form = forms[node->u.stretch.form];
    const int style = self->style & ~TG_CRAMPED;
    TgItem *body = tg_layout_formula(self, node->u.stretch.body, style);
    const TgScaled width = MAX(body->width, natural_arrow_width(self, node, form));
    TgItem *arrow = arrow_fill(self, node, form, width);

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
    const TgScaled width = MAX(body->width, natural_arrow_width(self, node, form));
    const TgScaled ex = tg_ex_at(self);

    body = tg_rebox(self, tg_hpack(&self->arena, body), width);
    body->next = tg_item_kern(&self->arena, ex + tg_xn_over_d(ex, 19661, 65536)); /* 1.3 ex@ */
    body->next->next = arrow_fill(self, node, form, width);
    return tg_vtop(&self->arena, body);
}

/* ---- Braces and brackets --------------------------------------------------------------------- */

static TgItem *piece(TgLayout *self, const TgNode *node, guint slot)
{
    TgField field = tg_char_field(self, TG_MATH_LARGE, slot, node->token);

    return tg_hpack(&self->arena, tg_clean_box(self, &field, TG_TEXT));
}

static TgItem *bar(TgLayout *self, const TgNode *node, TgScaled width, TgScaled height)
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
    const TgScaled thickness = piece(self, node, 0x7A)->height;
    TgItem *pieces[4];
    TgScaled natural = 0;
    TgItemList list;

    for (guint i = 0; i < 4; i++) {
        pieces[i] = piece(self, node, slots[over][i]);
        natural += pieces[i]->width;
    }
    const TgScaled room = MAX(width - natural, 0);
    tg_item_list_init(&list);
    tg_item_list_add(&list, pieces[0]);
    tg_item_list_add(&list, bar(self, node, room / 2, thickness));
    tg_item_list_add(&list, pieces[1]);
    tg_item_list_add(&list, pieces[2]);
    tg_item_list_add(&list, bar(self, node, room - room / 2, thickness));
    tg_item_list_add(&list, pieces[3]);
    return tg_hpack(&self->arena, list.first);
}

/* \overbracket and \overparen of mathtools and amssymb's kin: a bar with two short feet. */
static TgItem *bracket_fill(TgLayout *self, const TgNode *node, gboolean over, TgScaled width)
{
    const TgScaled thickness = piece(self, node, 0x7A)->height;
    const TgScaled foot = PT(3);
    TgItemList list;

    tg_item_list_init(&list);
    for (guint i = 0; i < 3; i++) {
        TgItem *rule = bar(self, node, i == 1 ? MAX(width - 2 * thickness, 0) : thickness,
                           i == 1 ? thickness : foot);
        if (i == 1 && over) {
            rule->height = foot;
            rule->depth = thickness - foot;
        }
        tg_item_list_add(&list, rule);
    }
    return tg_hpack(&self->arena, list.first);
}

/* How a form is drawn. */
static gboolean is_over(guint form)
{
    return form == TG_STRETCH_OVERBRACE || form == TG_STRETCH_OVERBRACKET ||
           form == TG_STRETCH_OVERPAREN;
}

static gboolean is_brace(guint form)
{
    return form == TG_STRETCH_OVERBRACE || form == TG_STRETCH_UNDERBRACE ||
           form == TG_STRETCH_OVERPAREN || form == TG_STRETCH_UNDERPAREN;
}

/* Body in display style, 3 pt, brace, 3 pt above it. */
static TgItem *braced(TgLayout *self, const TgNode *node)
{
    TgArena *arena = &self->arena;
    const gboolean over = is_over(node->u.stretch.form);
    TgItem *body = tg_layout_formula(self, node->u.stretch.body, TG_DISPLAY);
    const gboolean brace = is_brace(node->u.stretch.form);
    TgItem *fill = brace ? brace_fill(self, node, over, body->width)
                         : bracket_fill(self, node, over, body->width);
    TgItemList list;

    if (fill->width > body->width)
        body = tg_rebox(self, tg_hpack(arena, body), fill->width);
    tg_item_list_init(&list);
    if (over) {
        tg_item_list_add(&list, tg_item_kern(arena, PT(3)));
        tg_item_list_add(&list, fill);
        tg_item_list_add(&list, tg_item_kern(arena, PT(3)));
        tg_item_list_add(&list, body);
        return tg_vpack(arena, list.first);
    }
    tg_item_list_add(&list, body);
    tg_item_list_add(&list, tg_item_kern(arena, PT(3)));
    tg_item_list_add(&list, fill);
    tg_item_list_add(&list, tg_item_kern(arena, PT(3)));
    return tg_vtop(arena, list.first);
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
        if (nucleus.kind == TG_FIELD_CHAR) { /* a field has room for one token only: the line's */
            TgNoad *letter = tg_noad_new(&self->arena, TG_NOAD_ORD);
            letter->nucleus = nucleus;
            nucleus = tg_list_field(letter);
        }
        nucleus.token = tg_ink(self, node->token);
        nucleus.color = self->color;
        tg_append_noad(self, out, type, nucleus);
        break;
    }
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
        noad = tg_append_noad(self, out, TG_NOAD_OP, tg_make_field(self, braced, node));
        noad->limits = TG_LIMITS_ON;
        break;
    }
}

/* ---- \xrightarrow ---------------------------------------------------------------------------- */

/* Space around the labels, in mu: how much is measured and how much is set at each side. */
typedef struct {
    gint8 set_left, set_right, measured_left, measured_right;
} LabelSpace;

static LabelSpace label_space(guint form)
{
    switch ((TgArrow) form) {
    case TG_ARROW_LEFT:
    case TG_ARROW_DOUBLE_LEFT:
    case TG_ARROW_HOOK_LEFT:
    case TG_ARROW_HARPOON_LEFT_UP:
    case TG_ARROW_HARPOON_LEFT_DOWN:
        return (LabelSpace){ 3, 0, 9, 5 };
    case TG_ARROW_RIGHT:
    case TG_ARROW_MAPSTO:
    case TG_ARROW_HOOK_RIGHT:
    case TG_ARROW_HARPOON_RIGHT_UP:
    case TG_ARROW_HARPOON_RIGHT_DOWN:
    case TG_ARROW_DOUBLE_RIGHT:
        return (LabelSpace){ 0, 3, 5, 9 };
    default:
        return (LabelSpace){ 3, 3, 9, 9 };
    }
}

static TgField label(TgLayout *self, const TgNode *list, LabelSpace space)
{
    TgNoadList out;

    tg_noad_list_init(&out);
    if (space.set_left != 0)
        tg_append_mu(self, &out, space.set_left * 65536);
    tg_build_items(self, list, &out);
    if (space.set_right != 0)
        tg_append_mu(self, &out, space.set_right * 65536);
    return tg_list_field(out.first);
}

static TgScaled label_width(TgLayout *self, const TgNode *list, LabelSpace space)
{
    if (list == NULL)
        return 0;

    const TgItem *box = tg_layout_formula(self, list, TG_SCRIPT);
    const int style = self->style;
    tg_layout_set_style(self, TG_SCRIPT);
    const TgScaled width = box->width + tg_mu_to_sp(self->mu, space.measured_left * 65536) +
                           tg_mu_to_sp(self->mu, space.measured_right * 65536);
    tg_layout_set_style(self, style);
    return width;
}

/* The shaft, as wide as the wider label in script style; always in display style. */
static TgItem *shaft(TgLayout *self, const TgNode *node)
{
    const LabelSpace space = label_space(node->u.arrow.form);
    const int style = self->style;

    tg_layout_set_style(self, TG_DISPLAY);
    TgScaled width = label_width(self, node->u.arrow.above, space);
    width = MAX(width, label_width(self, node->u.arrow.below, space));
    TgItem *box = arrow_fill(self, node, node->u.arrow.form, width);
    tg_layout_set_style(self, style);
    return box;
}

void tg_build_arrow(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const LabelSpace space = label_space(node->u.arrow.form);
    TgNoad *op = tg_noad_new(&self->arena, TG_NOAD_OP);

    op->nucleus = tg_make_field(self, shaft, node);
    op->limits = TG_LIMITS_ON;
    if (node->u.arrow.above->u.list.first != NULL)
        op->sup = label(self, node->u.arrow.above, space);
    if (node->u.arrow.below != NULL && node->u.arrow.below->u.list.first != NULL)
        op->sub = label(self, node->u.arrow.below, space);
    tg_append_noad(self, out, TG_NOAD_REL, tg_list_field(op));
}
