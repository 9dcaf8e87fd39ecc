/* Arrows as wide as they must be (amsmath's \arrowfill@), and those that carry labels. */
#include "render/typeset/builders.h"

/* ---- Shafts ---------------------------------------------------------------------------------- */

/* One end of an arrow: a character, perhaps joined to another one. \relbar has no height. */
typedef struct {
    guint8 font, slot, smash;
    guint8 joined_font, joined_slot; /* at the outer side; slot 0: nothing */
} ArrowEnd;

enum {
    MINUS,
    EQUALS,
    TO_LEFT,
    TO_RIGHT,
    DOUBLE_LEFT,
    DOUBLE_RIGHT,
    HARPOON_LEFT_UP,
    HARPOON_LEFT_DOWN,
    HARPOON_RIGHT_UP,
    HARPOON_RIGHT_DOWN,
    MINUS_MAPSTO,
    MINUS_LEFT_HOOK,
    MINUS_RIGHT_HOOK,
};

#define SY TG_MATH_SYMBOLS
#define RM TG_MATH_ROMAN
#define MI TG_MATH_LETTERS

static const ArrowEnd arrow_ends[] = {
    [MINUS] = { SY, 0x00, 1, 0, 0 },
    [EQUALS] = { RM, '=', 0, 0, 0 },
    [TO_LEFT] = { SY, 0x20, 0, 0, 0 },
    [TO_RIGHT] = { SY, 0x21, 0, 0, 0 },
    [DOUBLE_LEFT] = { SY, 0x28, 0, 0, 0 },
    [DOUBLE_RIGHT] = { SY, 0x29, 0, 0, 0 },
    [HARPOON_LEFT_UP] = { MI, 0x28, 0, 0, 0 },
    [HARPOON_LEFT_DOWN] = { MI, 0x29, 0, 0, 0 },
    [HARPOON_RIGHT_UP] = { MI, 0x2A, 0, 0, 0 },
    [HARPOON_RIGHT_DOWN] = { MI, 0x2B, 0, 0, 0 },
    [MINUS_MAPSTO] = { SY, 0x00, 1, SY, 0x37 },
    [MINUS_LEFT_HOOK] = { SY, 0x00, 1, MI, 0x2C },
    [MINUS_RIGHT_HOOK] = { SY, 0x00, 1, MI, 0x2D },
};

/* An arrow: its left end, the repeated piece, its right end. */
typedef struct {
    guint8 left, fill, right;
} ArrowParts;

static const ArrowParts arrow_parts[] = {
    [TG_ARROW_RIGHT] = { MINUS, MINUS, TO_RIGHT },
    [TG_ARROW_LEFT] = { TO_LEFT, MINUS, MINUS },
    [TG_ARROW_LEFTRIGHT] = { TO_LEFT, MINUS, TO_RIGHT },
    [TG_ARROW_DOUBLE_RIGHT] = { EQUALS, EQUALS, DOUBLE_RIGHT },
    [TG_ARROW_DOUBLE_LEFT] = { DOUBLE_LEFT, EQUALS, EQUALS },
    [TG_ARROW_DOUBLE_LEFTRIGHT] = { DOUBLE_LEFT, EQUALS, DOUBLE_RIGHT },
    [TG_ARROW_MAPSTO] = { MINUS_MAPSTO, MINUS, TO_RIGHT },
    [TG_ARROW_HOOK_RIGHT] = { MINUS_LEFT_HOOK, MINUS, TO_RIGHT },
    [TG_ARROW_HOOK_LEFT] = { TO_LEFT, MINUS, MINUS_RIGHT_HOOK },
    [TG_ARROW_HARPOON_RIGHT_UP] = { MINUS, MINUS, HARPOON_RIGHT_UP },
    [TG_ARROW_HARPOON_RIGHT_DOWN] = { MINUS, MINUS, HARPOON_RIGHT_DOWN },
    [TG_ARROW_HARPOON_LEFT_UP] = { HARPOON_LEFT_UP, MINUS, MINUS },
    [TG_ARROW_HARPOON_LEFT_DOWN] = { HARPOON_LEFT_DOWN, MINUS, MINUS },
    [TG_ARROW_EQUAL] = { EQUALS, EQUALS, EQUALS },
};

/* Arrows above each other: upper and lower form. */
static const guint8 arrow_pairs[][2] = {
    [TG_ARROW_RIGHT_LEFT_HARPOONS] = { TG_ARROW_HARPOON_RIGHT_UP, TG_ARROW_HARPOON_LEFT_DOWN },
    [TG_ARROW_LEFT_RIGHT_HARPOONS] = { TG_ARROW_HARPOON_LEFT_UP, TG_ARROW_HARPOON_RIGHT_DOWN },
    [TG_ARROW_RIGHT_LEFT] = { TG_ARROW_RIGHT, TG_ARROW_LEFT },
};

static gboolean is_pair(guint form)
{
    return form < G_N_ELEMENTS(arrow_pairs) && arrow_pairs[form][0] != arrow_pairs[form][1];
}

/* One of its characters, with its italic correction, as $style char$ is. */
static TgItem *arrow_char(TgLayout *self, const TgNode *node, guint font, guint slot)
{
    TgField field = tg_char_field(self, font | (self->bold ? TG_MATH_BOLD : 0u), slot, node->token);

    return tg_hpack(&self->arena, tg_clean_box(self, &field, self->style));
}

/* An end or the repeated piece; @left: the joined character is at the left. */
static TgItem *arrow_end(TgLayout *self, const TgNode *node, guint which, gboolean left)
{
    const ArrowEnd *end = &arrow_ends[which];
    TgItem *box = arrow_char(self, node, end->font, end->slot);
    TgItemList list;

    if (end->smash)
        box->height = box->depth = 0;
    if (end->joined_slot == 0)
        return box;
    TgItem *joined = arrow_char(self, node, end->joined_font, end->joined_slot);
    tg_item_list_init(&list);
    tg_item_list_add(&list, left ? joined : box);
    if (end->joined_font == MI) /* \joinrel; the foot of \mapsto has no width */
        tg_item_list_add(&list,
                         tg_item_kern(&self->arena, tg_mu_to_sp(tg_layout_mu(self), -3 * 65536)));
    tg_item_list_add(&list, left ? box : joined);
    return tg_hpack(&self->arena, list.first);
}

/* Leaders (TeX's \cleaders): as many whole copies as fit, the rest at both sides. */
static void add_leaders(TgLayout *self, const TgNode *node, const ArrowParts *parts,
                        TgItemList *list, TgScaled room)
{
    const TgScaled overlap = tg_mu_to_sp(tg_layout_mu(self), 2 * 65536);
    const TgItem *probe = arrow_end(self, node, parts->fill, TRUE);
    const TgScaled step = probe->width - 2 * overlap;
    const TgScaled n = step > 0 && room > 0 ? MIN(room / step, TG_MAX_PIECES) : 0;
    TgScaled left = room - n * step;

    tg_item_list_add(list, tg_item_kern(&self->arena, left / 2));
    for (TgScaled i = 0; i < n; i++) {
        TgItem *piece = arrow_end(self, node, parts->fill, TRUE);
        tg_item_list_add(list, tg_item_kern(&self->arena, -overlap));
        tg_item_list_add(list, piece);
        tg_item_list_add(list, tg_item_kern(&self->arena, -overlap));
    }
    tg_item_list_add(list, tg_item_kern(&self->arena, left - left / 2));
}

TgItem *tg_arrow_fill(TgLayout *self, const TgNode *node, guint form, TgScaled width)
{
    const ArrowParts *parts = &arrow_parts[form];
    const TgScaled overlap = tg_mu_to_sp(tg_layout_mu(self), 7 * 65536);
    TgItem *left = arrow_end(self, node, parts->left, TRUE);
    TgItem *right = arrow_end(self, node, parts->right, FALSE);
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

/* ---- \xrightarrow ---------------------------------------------------------------------------- */

/* Space around the labels, in mu: how much is set and how much is measured at each side; and a
   space of the text font at the left or right. */
typedef struct {
    guint8 set_left, set_right, measured_left, measured_right, word_left, word_right;
} LabelSpace;

static const LabelSpace label_spaces[] = {
    [TG_ARROW_RIGHT] = { 0, 3, 5, 9, 0, 0 },
    [TG_ARROW_LEFT] = { 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_LEFTRIGHT] = { 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_DOUBLE_RIGHT] = { 0, 0, 5, 5, 0, 1 },
    [TG_ARROW_DOUBLE_LEFT] = { 0, 0, 5, 5, 1, 0 },
    [TG_ARROW_DOUBLE_LEFTRIGHT] = { 0, 0, 5, 5, 1, 1 },
    [TG_ARROW_MAPSTO] = { 0, 3, 9, 5, 0, 0 },
    [TG_ARROW_HOOK_RIGHT] = { 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_HOOK_LEFT] = { 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_HARPOON_RIGHT_UP] = { 0, 3, 5, 9, 0, 0 },
    [TG_ARROW_HARPOON_RIGHT_DOWN] = { 0, 3, 5, 9, 0, 0 },
    [TG_ARROW_HARPOON_LEFT_UP] = { 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_HARPOON_LEFT_DOWN] = { 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_EQUAL] = { 0, 0, 9, 9, 0, 0 },
};

static void append_interword(TgLayout *self, TgNoadList *out)
{
    const TgLength blank = { .value = 65536, .unit = TG_UNIT_INTERWORD };

    tg_append_kern(self, out, tg_layout_length(self, blank));
}

/* A label between @left and @right mu. */
static TgNoad *arrow_label(TgLayout *self, const TgNode *list, const LabelSpace *space, guint left,
                           guint right)
{
    TgNoadList out;

    tg_noad_list_init(&out);
    if (left != 0)
        tg_append_mu(self, &out, (TgScaled) left * 65536);
    if (space->word_left)
        append_interword(self, &out);
    tg_build_items(self, list, &out);
    if (space->word_right)
        append_interword(self, &out);
    if (right != 0)
        tg_append_mu(self, &out, (TgScaled) right * 65536);
    return out.first;
}

static gboolean is_empty(const TgNode *list)
{
    return list == NULL || list->u.list.first == NULL;
}

static TgScaled label_width(TgLayout *self, const TgNode *list, const LabelSpace *space)
{
    if (list == NULL)
        return 0;
    TgNoad *noads = arrow_label(self, list, space, space->measured_left, space->measured_right);
    return tg_list_width(tg_set_list(self, noads, TG_SCRIPT));
}

/* The shaft, as wide as the wider label in script style; always in display style. */
static TgItem *arrow_shaft(TgLayout *self, const TgNode *node, guint form)
{
    const LabelSpace *space = &label_spaces[form];
    const int style = self->style;

    TgScaled width = label_width(self, node->u.arrow.above, space);
    width = MAX(width, label_width(self, node->u.arrow.below, space));
    tg_layout_set_style(self, TG_DISPLAY);
    TgItem *box = tg_arrow_fill(self, node, form, width);
    tg_layout_set_style(self, style);
    return box;
}

static TgItem *single_shaft(TgLayout *self, const TgNode *node)
{
    return arrow_shaft(self, node, node->u.arrow.form);
}

/* One arrow with its labels as limits. */
static TgNoad *labelled_arrow(TgLayout *self, const TgNode *node, guint form, TgField fill,
                              gboolean above, gboolean below)
{
    const LabelSpace *space = &label_spaces[form];
    TgNoad *op = tg_noad_new(&self->arena, TG_NOAD_OP);

    op->nucleus = fill;
    op->limits = TG_LIMITS_ON;
    if (above && !is_empty(node->u.arrow.above))
        op->sup = tg_list_field(
            arrow_label(self, node->u.arrow.above, space, space->set_left, space->set_right));
    if (below && !is_empty(node->u.arrow.below))
        op->sub = tg_list_field(
            arrow_label(self, node->u.arrow.below, space, space->set_left, space->set_right));
    return op;
}

/* One of two arrows, moved by .22 ex; in text style, as in a box. */
static TgItem *half_pair(TgLayout *self, const TgNode *node, gboolean upper)
{
    const guint form = arrow_pairs[node->u.arrow.form][!upper];
    const TgScaled shift = tg_xn_over_d(tg_layout_ex(self), 14418, 65536); /* .22 ex */
    TgField fill = tg_box_field(arrow_shaft(self, node, form));
    TgNoad *op = labelled_arrow(self, node, form, fill, upper, !upper);
    TgItem *box = tg_hpack(&self->arena, tg_set_list(self, op, TG_TEXT));

    box->shift = upper ? -shift : shift;
    return box;
}

static TgItem *arrow_pair(TgLayout *self, const TgNode *node)
{
    TgItem *upper = half_pair(self, node, TRUE), *lower = half_pair(self, node, FALSE);

    upper->next = tg_item_kern(&self->arena, -lower->width);
    upper->next->next = lower;
    return tg_hpack(&self->arena, upper);
}

/* ---- amscd ----------------------------------------------------------------------------------- */

/* The shaft in a diagram: a part of it is measured beyond its labels. */
void tg_build_arrow(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const guint form = node->u.arrow.form;

    if (is_pair(form)) {
        tg_append_noad(self, out, TG_NOAD_REL, tg_make_field(self, arrow_pair, node));
        return;
    }
    TgNoad *op =
        labelled_arrow(self, node, form, tg_make_field(self, single_shaft, node), TRUE, TRUE);
    tg_append_noad(self, out, TG_NOAD_REL, tg_list_field(op));
}
