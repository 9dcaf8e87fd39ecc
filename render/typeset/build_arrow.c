/* Arrows as wide as they must be (amsmath's \arrowfill@), and those that carry labels: \xrightarrow
 * and its kin, and the arrows of mhchem's \ce. */
#include "render/typeset/typeset.h"

/* ---- Shafts ---------------------------------------------------------------------------------- */

/* One end of an arrow: a character, perhaps joined to another one. \relbar has no height. */
typedef struct {
    guint8 font, slot, smash;
    guint8 joined_font, joined_slot; /* at the outer side; slot 0: nothing */
} ArrowEnd;

#define SY TG_MATH_SYMBOLS
#define RM TG_MATH_ROMAN
#define MI TG_MATH_LETTERS

static const ArrowEnd minus = { SY, 0x00, 1, 0, 0 };
static const ArrowEnd equals = { RM, '=' };
static const ArrowEnd to_left = { SY, 0x20 };
static const ArrowEnd to_right = { SY, 0x21 };
static const ArrowEnd double_left = { SY, 0x28 };
static const ArrowEnd double_right = { SY, 0x29 };
static const ArrowEnd harpoon_left_up = { MI, 0x28 };
static const ArrowEnd harpoon_left_down = { MI, 0x29 };
static const ArrowEnd harpoon_right_up = { MI, 0x2A };
static const ArrowEnd harpoon_right_down = { MI, 0x2B };
static const ArrowEnd minus_mapsto = { SY, 0x00, 1, SY, 0x37 };
static const ArrowEnd minus_left_hook = { SY, 0x00, 1, MI, 0x2C };
static const ArrowEnd minus_right_hook = { SY, 0x00, 1, MI, 0x2D };

/* An arrow: its left end, the repeated piece, its right end; and the space around its labels in
   amsmath, in mu: how much is set and how much is measured at each side, and a space of the text
   font at the left or right. */
typedef struct {
    const ArrowEnd *left, *fill, *right;
    guint8 set_left, set_right, measured_left, measured_right, word_left, word_right;
    guint8 pair[2]; /* instead of all that: the forms of two arrows, the upper one first */
} Arrow;

static const Arrow arrows[] = {
    [TG_ARROW_RIGHT] = { &minus, &minus, &to_right, 0, 3, 5, 9, 0, 0 },
    [TG_ARROW_LEFT] = { &to_left, &minus, &minus, 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_LEFTRIGHT] = { &to_left, &minus, &to_right, 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_DOUBLE_RIGHT] = { &equals, &equals, &double_right, 0, 0, 5, 5, 0, 1 },
    [TG_ARROW_DOUBLE_LEFT] = { &double_left, &equals, &equals, 0, 0, 5, 5, 1, 0 },
    [TG_ARROW_DOUBLE_LEFTRIGHT] = { &double_left, &equals, &double_right, 0, 0, 5, 5, 1, 1 },
    [TG_ARROW_MAPSTO] = { &minus_mapsto, &minus, &to_right, 0, 3, 9, 5, 0, 0 },
    [TG_ARROW_HOOK_RIGHT] = { &minus_left_hook, &minus, &to_right, 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_HOOK_LEFT] = { &to_left, &minus, &minus_right_hook, 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_HARPOON_RIGHT_UP] = { &minus, &minus, &harpoon_right_up, 0, 3, 5, 9, 0, 0 },
    [TG_ARROW_HARPOON_RIGHT_DOWN] = { &minus, &minus, &harpoon_right_down, 0, 3, 5, 9, 0, 0 },
    [TG_ARROW_HARPOON_LEFT_UP] = { &harpoon_left_up, &minus, &minus, 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_HARPOON_LEFT_DOWN] = { &harpoon_left_down, &minus, &minus, 3, 0, 9, 5, 0, 0 },
    [TG_ARROW_EQUAL] = { &equals, &equals, &equals, 0, 0, 9, 9, 0, 0 },
    [TG_ARROW_RIGHT_LEFT_HARPOONS] = { .pair = { TG_ARROW_HARPOON_RIGHT_UP,
                                                 TG_ARROW_HARPOON_LEFT_DOWN } },
    [TG_ARROW_LEFT_RIGHT_HARPOONS] = { .pair = { TG_ARROW_HARPOON_LEFT_UP,
                                                 TG_ARROW_HARPOON_RIGHT_DOWN } },
    [TG_ARROW_RIGHT_LEFT] = { .pair = { TG_ARROW_RIGHT, TG_ARROW_LEFT } },
};

/* An end or the repeated piece; @left: the joined character is at the left. */
static TgItem *arrow_end(TgLayout *self, const TgNode *node, const ArrowEnd *end, gboolean left)
{
    const guint bold = self->now.bold ? TG_MATH_BOLD : 0u;
    TgItem *box = tg_math_char_box(self, end->font | bold, end->slot, node->token, self->now.style);

    if (end->smash)
        box->height = box->depth = 0;
    if (end->joined_slot == 0)
        return box;

    TgItem *joined = tg_math_char_box(self, end->joined_font | bold, end->joined_slot, node->token,
                                      self->now.style);
    /* \joinrel; the foot of \mapsto has no width */
    TgItem *back = end->joined_font == MI ? tg_kern(self, tg_mu(self, -3 * 65536)) : NULL;
    return left ? tg_hbox(self, joined, back, box) : tg_hbox(self, box, back, joined);
}

/* Leaders (TeX's \cleaders): as many whole copies as fit, the rest at both sides. */
static TgItem *leaders(TgLayout *self, const TgNode *node, const ArrowEnd *fill, TgScaled room)
{
    const TgScaled overlap = tg_mu(self, 2 * 65536);
    const TgScaled step = arrow_end(self, node, fill, TRUE)->width - 2 * overlap;
    const TgScaled n = step > 0 && room > 0 ? MIN(room / step, TG_MAX_PIECES) : 0;
    const TgScaled rest = room - n * step;
    TgItemList list = { NULL, NULL };

    tg_item_list_add(&list, tg_kern(self, rest / 2));
    for (TgScaled i = 0; i < n; i++)
        tg_item_list_add(&list, tg_items(tg_kern(self, -overlap), arrow_end(self, node, fill, TRUE),
                                         tg_kern(self, -overlap)));
    tg_item_list_add(&list, tg_kern(self, rest - rest / 2));
    return list.first;
}

TgItem *tg_arrow_fill(TgLayout *self, const TgNode *node, guint form, TgScaled width)
{
    const Arrow *arrow = &arrows[form];
    const TgScaled overlap = tg_mu(self, 7 * 65536);
    TgItem *left = arrow_end(self, node, arrow->left, TRUE);
    TgItem *right = arrow_end(self, node, arrow->right, FALSE);
    const TgScaled natural = left->width + right->width - 2 * overlap;
    const TgScaled total = MAX(width, natural);
    TgItem *box =
        tg_hbox(self, left, tg_kern(self, -overlap),
                leaders(self, node, arrow->fill, total - natural), tg_kern(self, -overlap), right);

    box->width = total;
    return box;
}

/* ---- Arrows with labels ---------------------------------------------------------------------- */

/* The shaft of such an arrow, always in display style. */
static TgItem *shaft(TgLayout *self, const TgNode *node, guint form, TgScaled width)
{
    const int style = self->now.style;

    tg_set_style(self, TG_DISPLAY);
    TgItem *box = tg_arrow_fill(self, node, form, width);
    tg_set_style(self, style);
    return box;
}

static gboolean has_label(const TgNode *list)
{
    return list != NULL && list->u.list.first != NULL;
}

/* A label between @left and @right mu, and the spaces between words that @arrow has or NULL. */
static TgNoad *label(TgLayout *self, const TgNode *list, guint left, guint right,
                     const Arrow *arrow)
{
    TgNoadList out = { NULL, NULL };

    if (left != 0)
        tg_append_mu(self, &out, (gint) left);
    if (arrow != NULL && arrow->word_left)
        tg_append_kern(self, &out, tg_text_param(self, TG_PARAM_SPACE));
    if (list != NULL)
        tg_build_items(self, list, &out);
    if (arrow != NULL && arrow->word_right)
        tg_append_kern(self, &out, tg_text_param(self, TG_PARAM_SPACE));
    if (right != 0)
        tg_append_mu(self, &out, (gint) right);
    return out.first;
}

/* ---- \xrightarrow ---------------------------------------------------------------------------- */

static TgScaled label_width(TgLayout *self, const TgNode *list, const Arrow *arrow)
{
    if (list == NULL)
        return 0;
    TgNoad *noads = label(self, list, arrow->measured_left, arrow->measured_right, arrow);
    return tg_list_box(self, noads, TG_SCRIPT)->width;
}

/* The shaft, as wide as the wider label in script style. */
static TgItem *amsmath_shaft(TgLayout *self, const TgNode *node, guint form)
{
    const TgScaled above = label_width(self, node->u.arrow.above, &arrows[form]);
    const TgScaled below = label_width(self, node->u.arrow.below, &arrows[form]);

    TgItem *arrow = shaft(self, node, form, MAX(above, below));

    if (node->u.arrow.is_long) { /* with another line before its natural width */
        const TgScaled least = shaft(self, node, form, 0)->width +
                               arrow_end(self, node, &minus, TRUE)->width - tg_mu(self, 3 * 65536);
        if (arrow->width < least)
            arrow = shaft(self, node, form, least);
    }
    return arrow;
}

static TgItem *make_shaft(TgLayout *self, const TgNode *node)
{
    return amsmath_shaft(self, node, node->u.arrow.form);
}

/* One arrow with its labels as limits; mathtools' spaces between words make one of an empty label.
 */
static TgNoad *amsmath_arrow(TgLayout *self, guint form, TgField fill, const TgNode *above,
                             const TgNode *below)
{
    const Arrow *arrow = &arrows[form];
    const gboolean always = arrow->word_left || arrow->word_right;
    TgNoad *op = tg_limits_noad(self, fill);

    if (has_label(above) || always)
        op->sup = tg_list_field(label(self, above, arrow->set_left, arrow->set_right, arrow));
    if (has_label(below) || always)
        op->sub = tg_list_field(label(self, below, arrow->set_left, arrow->set_right, arrow));
    return op;
}

/* Two arrows, in text style, as in a box, moved by .22 ex. */
static TgItem *make_amsmath_pair(TgLayout *self, const TgNode *node)
{
    const TgNode *above = node->u.arrow.above, *below = node->u.arrow.below;
    const TgScaled shift = tg_xn_over_d(tg_ex(self), 14418, 65536); /* .22 ex */
    TgItem *boxes[2];

    for (guint i = 0; i < 2; i++) {
        const guint form = arrows[node->u.arrow.form].pair[i];
        const Arrow *arrow = &arrows[form];
        TgNoad *op = amsmath_arrow(self, form, tg_box_field(amsmath_shaft(self, node, form)),
                                   i == 0 ? above : NULL, i == 0 ? NULL : below);
        /* the room of the other label, without its ink */
        TgItem *room = tg_list_box(
            self, label(self, i == 0 ? below : above, arrow->set_left, arrow->set_right, arrow),
            TG_SCRIPT);
        room->list = NULL;
        *(i == 0 ? &op->sub : &op->sup) = tg_box_field(room);
        boxes[i] = tg_list_box(self, op, TG_TEXT);
        boxes[i]->shift = i == 0 ? -shift : shift;
    }
    return tg_hbox(self, boxes[0], tg_kern(self, -boxes[1]->width), boxes[1]);
}

void tg_build_arrow(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const guint form = node->u.arrow.form;
    TgField field;

    if (node->u.arrow.chemistry) {
        tg_build_chemistry_arrow(self, node, out);
        return;
    }
    if (arrows[form].left == NULL)
        field = tg_deferred_field(self, make_amsmath_pair, node);
    else
        field = tg_list_field(amsmath_arrow(self, form, tg_deferred_field(self, make_shaft, node),
                                            node->u.arrow.above, node->u.arrow.below));
    tg_append(self, out, TG_NOAD_REL, field);
}

/* ---- Arrows of \ce: two em long at least, labels as boxes ------------------------------------ */

static TgItem *label_box(TgLayout *self, const TgNode *list, guint left, guint right, int style)
{
    return has_label(list) ? tg_list_box(self, label(self, list, left, right, NULL), style) : NULL;
}

/* The arrow with labels as limits, in the style in force. */
static TgItem *make_chemistry_arrow(TgLayout *self, const TgNode *node)
{
    static const struct {
        const char *symbol;
        guint8 form, left, right; /* the room of its labels in mu */
    } arrows_of_ce[] = {
        { "longrightarrow", TG_ARROW_RIGHT, 5, 9 },
        { "longleftarrow", TG_ARROW_LEFT, 9, 5 },
        { "longleftrightarrow", TG_ARROW_LEFTRIGHT, 9, 9 },
    };
    const gboolean labeled = node->kind == TG_NODE_ARROW;
    TgItem *above = NULL, *below = NULL;
    guint i = 0;

    while (labeled ? node->u.arrow.form != arrows_of_ce[i].form
                   : !g_str_equal(node->u.symbol.symbol->name, arrows_of_ce[i].symbol))
        i++;
    if (labeled) {
        const guint left = arrows_of_ce[i].left, right = arrows_of_ce[i].right;
        above = label_box(self, node->u.arrow.above, left, right, tg_sup_style(self->now.style));
        below = label_box(self, node->u.arrow.below, left, right, TG_SCRIPT);
    }
    TgScaled width = MAX(2 * tg_em(self), above != NULL ? above->width : 0);
    width = MAX(width, below != NULL ? below->width : 0);
    TgItem *line = shaft(self, node, arrows_of_ce[i].form, width);
    TgNoad *op = tg_limits_noad(self, tg_box_field(line));
    if (above != NULL)
        op->sup = tg_box_field(above);
    if (below != NULL) { /* 1.25 ex under the arrow, without height */
        below->shift = below->height - (tg_ex(self) + tg_ex(self) / 4);
        TgItem *lowered = tg_hpack(self, below);
        lowered->height = 0;
        op->sub = tg_box_field(tg_hpack(self, lowered));
    }
    return tg_list_box(self, op, self->now.style);
}

void tg_build_chemistry_arrow(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    /* {}\mathrel{..}{}: with space at both sides wherever it stands */
    tg_append_empty(self, out);
    tg_append(self, out, TG_NOAD_REL, tg_deferred_field(self, make_chemistry_arrow, node));
    tg_append_empty(self, out);
}
