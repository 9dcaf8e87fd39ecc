/* Operators, fractions, roots, delimiters: from tree to noads. */
#include "render/typeset/builders.h"

#include <string.h>

#include "render/typeset/layout_delimiter.h"

/* ---- Operators ------------------------------------------------------------------------------- */

/* In \operatorname, punctuation is text: a hyphen, not a minus (amsopn's \newmcodes@). */
static gboolean is_text_in_names(const TgNode *item)
{
    return item->kind == TG_NODE_SYMBOL && item->u.symbol.symbol != NULL &&
           item->u.symbol.symbol->name[1] == '\0' &&
           strchr("-*/:.", item->u.symbol.symbol->name[0]) != NULL;
}

static void build_name(TgLayout *self, const TgNode *body, TgNoadList *out)
{
    for (const TgNode *item = body->u.list.first; item != NULL; item = item->next) {
        if (!is_text_in_names(item)) {
            tg_build_node(self, item, out);
            continue;
        }
        const char c = item->u.symbol.symbol->name[0];
        const gboolean point = c == '.' || c == ':';
        tg_append_noad(self, out, point ? TG_NOAD_PUNCT : TG_NOAD_ORD,
                       tg_char_field(self, c == '.' ? TG_MATH_LETTERS : TG_MATH_ROMAN,
                                     c == '.' ? 0x3A : (guchar) c, item->token));
    }
}

void tg_build_operator(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoadList body;

    tg_noad_list_init(&body);
    tg_append_kern(self, &body, 0); /* so that a lone letter is not centred on the axis */
    build_name(self, node->u.op.body, &body);
    tg_append_noad(self, out, TG_NOAD_OP, tg_list_field(body.first))->limits = node->u.op.limits;
}

/* ---- Fractions ------------------------------------------------------------------------------- */

/* \cfrac: the numerator has a \strut before it and lies left, centred or right. */
static TgField cfrac_numerator(TgLayout *self, const TgNode *node)
{
    TgNoadList list;

    tg_noad_list_init(&list);
    tg_append_noad(self, &list, TG_NOAD_ORD, tg_box_field(tg_strut(self, 65536)));
    if (node->u.fraction.align == 'r') {
        tg_append_kern(self, &list, 0);
        list.last->u.space.fil = 2;
    }
    tg_build_items(self, node->u.fraction.num, &list);
    if (node->u.fraction.align == 'l') {
        tg_append_kern(self, &list, 0);
        list.last->u.space.fil = 2;
    }
    return tg_list_field(list.first);
}

static TgNoad *fraction_noad(TgLayout *self, const TgNode *node)
{
    TgNoad *noad = tg_noad_new(&self->arena, TG_NOAD_FRACTION);

    noad->u.fraction.num = node->u.fraction.form == TG_FRACTION_CFRAC
                               ? cfrac_numerator(self, node)
                               : tg_list_field(tg_build_mlist(self, node->u.fraction.num));
    noad->u.fraction.den = tg_list_field(tg_build_mlist(self, node->u.fraction.den));
    noad->u.fraction.left = tg_build_delimiter(self, node->u.fraction.left);
    noad->u.fraction.right = tg_build_delimiter(self, node->u.fraction.right);
    noad->u.fraction.thickness = node->u.fraction.has_bar == 0 ? 0
                                 : node->u.fraction.has_bar == 1
                                     ? -1
                                     : tg_layout_length(self, node->u.fraction.bar);
    noad->u.fraction.token = tg_ink(self, node->token);
    noad->u.fraction.color = self->color;
    return noad;
}

/* The style of both parts of \nicefrac. */
static int nice_style(const TgLayout *self)
{
    return self->style < TG_SCRIPT ? TG_SCRIPT : TG_SCRIPTSCRIPT;
}

static TgScaled height_of_m(TgLayout *self, TgMathSize size)
{
    const TgFont *font = tg_layout_font_at(self, TG_MATH_LETTERS, size);

    return font != NULL ? font->metrics->chars['M'].height : 0;
}

/* The numerator is raised by what capitals are higher around the fraction than in it. */
static TgItem *nice_numerator(TgLayout *self, const TgNode *node)
{
    const TgMathSize around = MIN(self->size, TG_MATH_SCRIPT);
    const TgMathSize inside = around == TG_MATH_TEXT ? TG_MATH_SCRIPT : TG_MATH_SCRIPTSCRIPT;
    TgItem *box =
        tg_hpack(&self->arena, tg_layout_formula(self, node->u.fraction.num, nice_style(self)));

    box->shift = height_of_m(self, inside) - height_of_m(self, around);
    return tg_hpack(&self->arena, box);
}

static TgItem *nice_denominator(TgLayout *self, const TgNode *node)
{
    return tg_layout_formula(self, node->u.fraction.den, nice_style(self));
}

/* As the package nicefrac has it. */
static void build_nice_fraction(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    enum { SLASH = 0x3D };

    tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, nice_numerator, node));
    tg_append_mu(self, out, -2 * 65536);
    tg_append_noad(self, out, TG_NOAD_ORD,
                   tg_char_field(self, TG_MATH_LETTERS, SLASH, node->token));
    tg_append_mu(self, out, -65536);
    tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, nice_denominator, node));
}

void tg_build_fraction(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoadList group;

    if (node->u.fraction.form == TG_FRACTION_NICE) {
        build_nice_fraction(self, node, out);
        return;
    }
    TgNoad *fraction = fraction_noad(self, node);
    if (node->u.fraction.form == TG_FRACTION_INFIX) {
        tg_noad_list_add(out, fraction);
        return;
    }
    tg_noad_list_init(&group);
    if (node->u.fraction.form == TG_FRACTION_CFRAC)
        tg_append_style(self, &group, TG_DISPLAY);
    else if (node->u.fraction.style != TG_STYLE_INHERIT)
        tg_append_style(self, &group, 2 * node->u.fraction.style);
    tg_append_noad(self, &group, TG_NOAD_ORD, tg_list_field(fraction));
    tg_append_noad(self, out, TG_NOAD_ORD, tg_list_field(group.first));
    if (node->u.fraction.form == TG_FRACTION_CFRAC)
        tg_append_kern(self, out, -self->null_delimiter_space);
}

/* ---- Roots ----------------------------------------------------------------------------------- */

static TgNoad *radical_noad(TgLayout *self, const TgNode *node)
{
    TgNoad *noad = tg_noad_new(&self->arena, TG_NOAD_RADICAL);
    const guint bold = self->bold ? TG_MATH_BOLD : 0u;

    noad->nucleus = tg_build_field(self, node->u.radical.body);
    noad->u.delimiter = (TgDelimiter){ .present = 1,
                                       .small_font = (guint8) (TG_MATH_SYMBOLS | bold),
                                       .small_slot = 0x70,
                                       .large_font = (guint8) (TG_MATH_LARGE | bold),
                                       .large_slot = 0x70,
                                       .token = tg_ink(self, node->token),
                                       .color = self->color };
    return noad;
}

/* The \root of plain TeX and amsmath: index in scriptscript size, raised, over the sign's tail. */
static TgItem *root_with_index(TgLayout *self, const TgNode *node)
{
    TgArena *arena = &self->arena;
    const int style = self->style & ~TG_CRAMPED;
    TgNoad *index_list = tg_build_mlist(self, node->u.radical.index);
    TgItem *index = tg_hpack(arena, tg_set_list(self, index_list, TG_SCRIPTSCRIPT));
    TgItem *root = tg_hpack(arena, tg_set_list(self, radical_noad(self, node), style));

    const TgScaled uproot =
        tg_mu_to_sp(tg_layout_mu(self), (TgScaled) node->u.radical.uproot * 65536);
    const TgScaled leftroot = (TgScaled) node->u.radical.leftroot * 65536;
    const TgScaled rise = root->height - root->depth + uproot + tg_xn_over_d(uproot, 43713, 65536);
    TgItemList list;

    index->shift = -tg_xn_over_d(rise, 39322, 65536); /* .6 of it */
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), -leftroot)));
    tg_item_list_add(&list, tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), 5 * 65536)));
    tg_item_list_add(&list, index);
    tg_item_list_add(&list, tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), -10 * 65536)));
    tg_item_list_add(&list, tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), leftroot)));
    tg_item_list_add(&list, root);
    return tg_hpack(arena, list.first);
}

void tg_build_radical(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (node->u.radical.index == NULL)
        tg_noad_list_add(out, radical_noad(self, node));
    else
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, root_with_index, node));
}

/* ---- Delimiters ------------------------------------------------------------------------------ */

void tg_append_delimiter(TgLayout *self, TgNoadList *out, TgNoadType type, const TgNode *symbol)
{
    TgNoad *noad = tg_noad_new(&self->arena, type);

    noad->u.delimiter = tg_build_delimiter(self, symbol);
    tg_noad_list_add(out, noad);
}

void tg_build_delimited(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoadList body;

    if (node->kind == TG_NODE_MIDDLE) {
        tg_append_delimiter(self, out, TG_NOAD_MIDDLE, node->u.big.delimiter);
        return;
    }
    tg_noad_list_init(&body);
    tg_append_delimiter(self, &body, TG_NOAD_LEFT, node->u.delimited.left);
    tg_build_items(self, node->u.delimited.body, &body);
    tg_append_delimiter(self, &body, TG_NOAD_RIGHT, node->u.delimited.right);
    tg_append_noad(self, out, TG_NOAD_INNER, tg_list_field(body.first));
}

/* amsmath's \big@size: 1.2 times the extent of the math font's parenthesis. */
static TgScaled big_size(TgLayout *self)
{
    const TgFont *font = tg_layout_font_at(self, TG_MATH_ROMAN, TG_MATH_TEXT);

    if (font == NULL)
        return 0;
    const TgCharMetrics *paren = &font->metrics->chars['('];
    return paren->height + tg_xn_over_d(paren->height, 13107, 65536) + paren->depth +
           tg_xn_over_d(paren->depth, 13107, 65536);
}

/* `$\left( \vcenter to f\big@size{} \right.$` in text style, without \nulldelimiterspace. */
static TgItem *big_box(TgLayout *self, const TgNode *node)
{
    static const TgScaled factors[] = { 0, 65536, 98304, 131072, 163840 };
    const int style = self->style;
    const TgScaled null_space = self->null_delimiter_space;
    const TgDelimiter delimiter = tg_build_delimiter(self, node->u.big.delimiter);

    self->null_delimiter_space = 0;
    tg_layout_set_style(self, TG_TEXT);
    const TgScaled size = tg_xn_over_d(big_size(self), factors[MIN(node->u.big.size, 4)], 65536);
    const TgScaled height = tg_axis_height(self) + tg_half(size);
    TgItem *box = tg_hpack(&self->arena, tg_left_right(self, &delimiter, height, size - height));
    box->height = MAX(box->height, height);
    box->depth = MAX(box->depth, size - height);
    self->null_delimiter_space = null_space;
    tg_layout_set_style(self, style);
    return box;
}

void tg_build_big(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    tg_append_noad(self, out, node->math_class, tg_make_field(self, big_box, node));
}
