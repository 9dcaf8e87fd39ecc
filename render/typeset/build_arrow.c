/* Arrows as wide as they must be (amsmath's \arrowfill@), and those that carry labels. */
#include "render/typeset/builders.h"

/* ---- Shafts ---------------------------------------------------------------------------------- */

/* One end of an arrow: a character, perhaps joined to another one. \relbar has no height. */
typedef struct {
    guint8 font, slot, smash;
    guint8 joined_font, joined_slot; /* at the outer side; slot 0: nothing */
} ArrowEnd;

/* An arrow: what stands at its left end, what repeats, what stands at its right end. */
typedef struct {
    ArrowEnd left, fill, right;
} ArrowParts;

#define SY TG_MATH_SYMBOLS
#define RM TG_MATH_ROMAN
#define MI TG_MATH_LETTERS

#define MINUS                                                                                      \
    {                                                                                              \
        SY, 0x00, 1, 0, 0                                                                          \
    }
#define EQUALS                                                                                     \
    {                                                                                              \
        RM, '=', 0, 0, 0                                                                           \
    }
#define TO_LEFT                                                                                    \
    {                                                                                              \
        SY, 0x20, 0, 0, 0                                                                          \
    }
#define TO_RIGHT                                                                                   \
    {                                                                                              \
        SY, 0x21, 0, 0, 0                                                                          \
    }
#define DOUBLE_LEFT                                                                                \
    {                                                                                              \
        SY, 0x28, 0, 0, 0                                                                          \
    }
#define DOUBLE_RIGHT                                                                               \
    {                                                                                              \
        SY, 0x29, 0, 0, 0                                                                          \
    }
#define HARPOON(slot)                                                                              \
    {                                                                                              \
        MI, slot, 0, 0, 0                                                                          \
    }
#define MINUS_MAPSTO                                                                               \
    {                                                                                              \
        SY, 0x00, 1, SY, 0x37                                                                      \
    }
#define MINUS_LEFT_HOOK                                                                            \
    {                                                                                              \
        SY, 0x00, 1, MI, 0x2C                                                                      \
    }
#define MINUS_RIGHT_HOOK                                                                           \
    {                                                                                              \
        SY, 0x00, 1, MI, 0x2D                                                                      \
    }

static const ArrowParts arrows[] = {
    [TG_ARROW_RIGHT] = { MINUS, MINUS, TO_RIGHT },
    [TG_ARROW_LEFT] = { TO_LEFT, MINUS, MINUS },
    [TG_ARROW_LEFTRIGHT] = { TO_LEFT, MINUS, TO_RIGHT },
    [TG_ARROW_DOUBLE_RIGHT] = { EQUALS, EQUALS, DOUBLE_RIGHT },
    [TG_ARROW_DOUBLE_LEFT] = { DOUBLE_LEFT, EQUALS, EQUALS },
    [TG_ARROW_DOUBLE_LEFTRIGHT] = { DOUBLE_LEFT, EQUALS, DOUBLE_RIGHT },
    [TG_ARROW_MAPSTO] = { MINUS_MAPSTO, MINUS, TO_RIGHT },
    [TG_ARROW_HOOK_RIGHT] = { MINUS_LEFT_HOOK, MINUS, TO_RIGHT },
    [TG_ARROW_HOOK_LEFT] = { TO_LEFT, MINUS, MINUS_RIGHT_HOOK },
    [TG_ARROW_HARPOON_RIGHT_UP] = { MINUS, MINUS, HARPOON(0x2A) },
    [TG_ARROW_HARPOON_RIGHT_DOWN] = { MINUS, MINUS, HARPOON(0x2B) },
    [TG_ARROW_HARPOON_LEFT_UP] = { HARPOON(0x28), MINUS, MINUS },
    [TG_ARROW_HARPOON_LEFT_DOWN] = { HARPOON(0x29), MINUS, MINUS },
    [TG_ARROW_EQUAL] = { EQUALS, EQUALS, EQUALS },
};

/* Arrows of which one stands above the other: upper and lower form. */
static const guint8 pairs[][2] = {
    [TG_ARROW_RIGHT_LEFT_HARPOONS] = { TG_ARROW_HARPOON_RIGHT_UP, TG_ARROW_HARPOON_LEFT_DOWN },
    [TG_ARROW_LEFT_RIGHT_HARPOONS] = { TG_ARROW_HARPOON_LEFT_UP, TG_ARROW_HARPOON_RIGHT_DOWN },
    [TG_ARROW_RIGHT_LEFT] = { TG_ARROW_RIGHT, TG_ARROW_LEFT },
};

static gboolean is_pair(guint form)
{
    return form < G_N_ELEMENTS(pairs) && pairs[form][0] != pairs[form][1];
}

/* One of its characters, with its italic correction, as $style char$ is. */
static TgItem *arrow_char(TgLayout *self, const TgNode *node, guint font, guint slot)
{
    TgField field = tg_char_field(self, font | (self->bold ? TG_MATH_BOLD : 0u), slot, node->token);

    return tg_hpack(&self->arena, tg_clean_box(self, &field, self->style));
}

/* An end or the repeated piece; @left: what is joined stands at the left. */
static TgItem *arrow_end(TgLayout *self, const TgNode *node, const ArrowEnd *end, gboolean left)
{
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
        tg_item_list_add(&list, tg_item_kern(&self->arena, tg_mu_to_sp(self->mu, -3 * 65536)));
    tg_item_list_add(&list, left ? box : joined);
    return tg_hpack(&self->arena, list.first);
}

/* Leaders (TeX's \cleaders): as many whole copies as fit, centred in what is left. */
static void add_leaders(TgLayout *self, const TgNode *node, const ArrowParts *parts,
                        TgItemList *list, TgScaled room)
{
    const TgScaled overlap = tg_mu_to_sp(self->mu, 2 * 65536);
    const TgItem *probe = arrow_end(self, node, &parts->fill, TRUE);
    const TgScaled step = probe->width - 2 * overlap;
    const TgScaled n = step > 0 && room > 0 ? MIN(room / step, TG_MAX_PIECES) : 0;
    TgScaled left = room - n * step;

    tg_item_list_add(list, tg_item_kern(&self->arena, left / 2));
    for (TgScaled i = 0; i < n; i++) {
        TgItem *piece = arrow_end(self, node, &parts->fill, TRUE);
        tg_item_list_add(list, tg_item_kern(&self->arena, -overlap));
        tg_item_list_add(list, piece);
        tg_item_list_add(list, tg_item_kern(&self->arena, -overlap));
    }
    tg_item_list_add(list, tg_item_kern(&self->arena, left - left / 2));
}

TgItem *tg_arrow_fill(TgLayout *self, const TgNode *node, guint form, TgScaled width)
{
    const ArrowParts *parts = &arrows[form];
    const TgScaled overlap = tg_mu_to_sp(self->mu, 7 * 65536);
    TgItem *left = arrow_end(self, node, &parts->left, TRUE);
    TgItem *right = arrow_end(self, node, &parts->right, FALSE);
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
   blank of the text font at the left or right. */
typedef struct {
    guint8 set_left, set_right, measured_left, measured_right, blank_left, blank_right;
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

static void append_blank(TgLayout *self, TgNoadList *out)
{
    const TgLength blank = { .value = 65536, .unit = TG_UNIT_INTERWORD };

    tg_append_kern(self, out, tg_layout_length(self, blank));
}

/* A label between @left and @right mu. */
static TgNoad *label(TgLayout *self, const TgNode *list, const LabelSpace *space, guint left,
                     guint right)
{
    TgNoadList out;

    tg_noad_list_init(&out);
    if (left != 0)
        tg_append_mu(self, &out, (TgScaled) left * 65536);
    if (space->blank_left)
        append_blank(self, &out);
    tg_build_items(self, list, &out);
    if (space->blank_right)
        append_blank(self, &out);
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
    const int style = self->style;

    if (list == NULL)
        return 0;
    TgNoad *noads = label(self, list, space, space->measured_left, space->measured_right);
    const TgScaled width = tg_list_width(tg_mlist_to_hlist(self, noads, TG_SCRIPT));
    tg_layout_set_style(self, style);
    return width;
}

/* The shaft, as wide as the wider label in script style; always in display style. */
static TgItem *shaft(TgLayout *self, const TgNode *node, guint form)
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
    return shaft(self, node, node->u.arrow.form);
}

/* One arrow with its labels as limits. */
static TgNoad *arrow(TgLayout *self, const TgNode *node, guint form, TgField fill, gboolean above,
                     gboolean below)
{
    const LabelSpace *space = &label_spaces[form];
    TgNoad *op = tg_noad_new(&self->arena, TG_NOAD_OP);

    op->nucleus = fill;
    op->limits = TG_LIMITS_ON;
    if (above && !is_empty(node->u.arrow.above))
        op->sup = tg_list_field(
            label(self, node->u.arrow.above, space, space->set_left, space->set_right));
    if (below && !is_empty(node->u.arrow.below))
        op->sub = tg_list_field(
            label(self, node->u.arrow.below, space, space->set_left, space->set_right));
    return op;
}

/* One of two arrows, moved by .22 ex; in text style, as in a box. */
static TgItem *half_pair(TgLayout *self, const TgNode *node, gboolean upper)
{
    const guint form = pairs[node->u.arrow.form][!upper];
    const TgScaled shift = tg_xn_over_d(tg_layout_ex(self), 14418, 65536); /* .22 ex */
    const int style = self->style;

    TgField fill = tg_box_field(shaft(self, node, form));
    TgItem *items = tg_mlist_to_hlist(self, arrow(self, node, form, fill, upper, !upper), TG_TEXT);
    TgItem *box = tg_hpack(&self->arena, items);
    tg_layout_set_style(self, style);
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

void tg_build_arrow(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const guint form = node->u.arrow.form;

    if (is_pair(form)) {
        tg_append_noad(self, out, TG_NOAD_REL, tg_make_field(self, arrow_pair, node));
        return;
    }
    TgNoad *op = arrow(self, node, form, tg_make_field(self, single_shaft, node), TRUE, TRUE);
    tg_append_noad(self, out, TG_NOAD_REL, tg_list_field(op));
}
