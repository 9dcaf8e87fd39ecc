/* Arrows as mhchem's \ce sets them: two em long at least, with labels above and below. */
#include "render/typeset/builders.h"

/* Space at both sides of a label, in mu. */
typedef struct {
    gint8 left, right;
} LabelRoom;

/* One arrow of a pair: its labels, each perhaps only for the room that it takes. */
typedef struct {
    TgArrow form;
    TgItem *above, *below; /* or NULL */
    gint raise;            /* hundredths of an ex */
    gint shorter;          /* than two em, by so many, centred */
} ArrowHalf;

static gboolean has_items(const TgNode *list)
{
    return list != NULL && list->u.list.first != NULL;
}

/* A label with its room, in @style. */
static TgItem *label_box(TgLayout *self, const TgNode *label, LabelRoom room, int style)
{
    TgNoadList list;

    if (!has_items(label))
        return NULL;
    tg_noad_list_init(&list);
    tg_append_mu(self, &list, room.left * 65536);
    tg_build_items(self, label, &list);
    tg_append_mu(self, &list, room.right * 65536);
    return tg_hpack(&self->arena, tg_set_list(self, list.first, style));
}

/* @label for its width alone, @em wider and @mu narrower. */
static TgItem *label_room(TgLayout *self, const TgItem *label, gint em, guint mu)
{
    const int style = self->style;
    TgItem *box = tg_hpack(&self->arena, NULL);

    if (label == NULL)
        return NULL;
    tg_layout_set_style(self, TG_SCRIPT);
    box->width = label->width + em * tg_layout_em(self) -
                 tg_mu_to_sp(tg_layout_mu(self), (TgScaled) mu * 65536);
    tg_layout_set_style(self, style);
    return box;
}

/* mhchem's label below: 1.25 ex under the arrow, without height. */
static TgItem *lowered(TgLayout *self, TgItem *label)
{
    const TgScaled ex = tg_layout_ex(self);

    if (label == NULL)
        return NULL;
    label->shift = label->height - (ex + ex / 4);
    TgItem *box = tg_hpack(&self->arena, label);
    box->height = 0;
    box->depth = MAX(box->depth, 0);
    return tg_hpack(&self->arena, box);
}

/* An arrow with labels as limits, in the style in force. */
static TgItem *arrow_box(TgLayout *self, const TgNode *node, const ArrowHalf *half)
{
    const int style = self->style;
    TgScaled width = (2 - half->shorter) * tg_layout_em(self);
    TgNoad *op = tg_noad_new(&self->arena, TG_NOAD_OP);

    if (half->above != NULL)
        width = MAX(width, half->above->width);
    if (half->below != NULL)
        width = MAX(width, half->below->width);
    tg_layout_set_style(self, TG_DISPLAY);
    op->nucleus = tg_box_field(tg_arrow_fill(self, node, half->form, width));
    tg_layout_set_style(self, style);
    op->limits = TG_LIMITS_ON;
    if (half->above != NULL)
        op->sup = tg_box_field(half->above);
    if (half->below != NULL)
        op->sub = tg_box_field(lowered(self, half->below));
    TgItem *box = tg_hpack(&self->arena, tg_set_list(self, op, style));
    if (half->shorter == 0)
        return box;
    TgItem *kern = tg_item_kern(&self->arena, tg_layout_em(self) / 2);
    kern->next = box;
    return tg_hpack(&self->arena, kern);
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

/* The upper arrow over the lower one; the label of one makes room in the other. */
static TgItem *stacked_halves(TgLayout *self, const TgNode *node, const ArrowHalf halves[2])
{
    const int style = self->style;
    TgItem *boxes[2];

    tg_layout_set_style(self, TG_TEXT); /* as in a \raisebox */
    for (guint i = 0; i < 2; i++) {
        boxes[i] = arrow_box(self, node, &halves[i]);
        boxes[i]->shift = -tg_layout_ex(self) * halves[i].raise / 100;
    }
    tg_layout_set_style(self, style);
    /* the longer one, or the lower, gives the width */
    const guint under = halves[1].shorter != 0;
    TgItem *back = tg_item_kern(&self->arena, -boxes[under]->width);
    boxes[under]->next = back;
    back->next = boxes[!under];
    return tg_hpack(&self->arena, boxes[under]);
}

#define HARPOONS TG_ARROW_HARPOON_RIGHT_UP, TG_ARROW_HARPOON_LEFT_DOWN

/* The forms; how many hundredths of an ex they are off the middle; by how many em each is shorter
 * than two; and how many mu it has less for the label of the other, where both have one. */
static const struct {
    const char *symbol;
    guint8 form, upper, lower, raise, upper_shorter, lower_shorter, upper_narrower, lower_narrower;
} pairs[] = {
    { "rightleftarrows", TG_ARROW_RIGHT_LEFT, TG_ARROW_RIGHT, TG_ARROW_LEFT, 44, 0, 0, 0, 0 },
    { "rightleftharpoons", TG_ARROW_RIGHT_LEFT_HARPOONS, HARPOONS, 22, 0, 0, 4, 4 },
    { "", TG_ARROW_EQUILIBRIUM_RIGHT, HARPOONS, 22, 0, 1, 0, 4 },
    { "", TG_ARROW_EQUILIBRIUM_LEFT, HARPOONS, 22, 1, 0, 4, 0 },
};

static TgItem *pair_box(TgLayout *self, const TgNode *node, guint pair, const TgNode *above,
                        const TgNode *below)
{
    const gboolean both = has_items(above) && has_items(below);
    const gboolean wide = pairs[pair].form == TG_ARROW_RIGHT_LEFT || both;
    const LabelRoom over = { wide ? 9 : 5, 9 };
    const LabelRoom under = { 9, wide ? 9 : 5 };
    TgItem *up = label_box(self, above, over, TG_SCRIPT);
    TgItem *down = label_box(self, below, under, TG_SCRIPT);
    const gint em = pairs[pair].lower_shorter - pairs[pair].upper_shorter;
    const ArrowHalf halves[2] = {
        { pairs[pair].upper, up, label_room(self, down, em, both ? pairs[pair].upper_narrower : 0),
          pairs[pair].raise, pairs[pair].upper_shorter },
        { pairs[pair].lower, label_room(self, up, -em, both ? pairs[pair].lower_narrower : 0), down,
          -(gint) pairs[pair].raise, pairs[pair].lower_shorter },
    };

    return stacked_halves(self, node, halves);
}

/* ---- All ------------------------------------------------------------------------------------- */

static const struct {
    const char *symbol;
    guint8 form, left, right; /* room of the labels */
} singles[] = {
    { "longrightarrow", TG_ARROW_RIGHT, 5, 9 },
    { "longleftarrow", TG_ARROW_LEFT, 9, 5 },
    { "longleftrightarrow", TG_ARROW_LEFTRIGHT, 9, 9 },
};

/* Whether @node is the arrow that a row of these tables is about. */
static gboolean is_arrow(const TgNode *node, guint form, const char *symbol)
{
    return node->kind == TG_NODE_ARROW ? node->u.arrow.form == form
                                       : g_str_equal(node->u.symbol.symbol->name, symbol);
}

static TgItem *chemistry_arrow(TgLayout *self, const TgNode *node)
{
    const TgNode *above = node->kind == TG_NODE_ARROW ? node->u.arrow.above : NULL;
    const TgNode *below = node->kind == TG_NODE_ARROW ? node->u.arrow.below : NULL;
    guint single = 0;

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (is_arrow(node, pairs[i].form, pairs[i].symbol))
            return pair_box(self, node, i, above, below);
    }
    for (guint i = 0; i < G_N_ELEMENTS(singles); i++) {
        if (is_arrow(node, singles[i].form, singles[i].symbol))
            single = i;
    }
    const LabelRoom room = { (gint8) singles[single].left, (gint8) singles[single].right };
    const ArrowHalf arrow = {
        .form = singles[single].form,
        .above = label_box(self, above, room, tg_sup_style(self->style)),
        .below = label_box(self, below, room, TG_SCRIPT),
    };
    return arrow_box(self, node, &arrow);
}

void tg_build_chemistry_arrow(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgField nothing = { .kind = TG_FIELD_EMPTY };

    /* {}\mathrel{..}{}: with space at both sides wherever it stands */
    tg_append_noad(self, out, TG_NOAD_ORD, nothing);
    tg_append_noad(self, out, TG_NOAD_REL, tg_make_field(self, chemistry_arrow, node));
    tg_append_noad(self, out, TG_NOAD_ORD, nothing);
}
