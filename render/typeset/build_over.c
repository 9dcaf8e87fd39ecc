/* Marks over and under a base: accents, lines, braces and arrows as wide as their base,
 * \overset; and \boldsymbol, which keeps classes as \overset does. */
#include "render/typeset/typeset.h"

/* ---- Accents --------------------------------------------------------------------------------- */

/* An accent over @nucleus, in the font that the alphabet in force gives it. */
static TgNoad *accent_noad(TgLayout *self, const TgNode *node, TgField nucleus)
{
    TgNoad *noad = tg_noad_new(self, TG_NOAD_ACCENT, nucleus);
    /* alphabets that are no text fonts have no accents (\noaccents@) */
    static const gboolean has_accents[TG_ALPHABET_FRAK + 1] = {
        [TG_ALPHABET_RM] = TRUE, [TG_ALPHABET_BF] = TRUE, [TG_ALPHABET_IT] = TRUE,
        [TG_ALPHABET_SF] = TRUE, [TG_ALPHABET_TT] = TRUE,
    };
    const TgAlphabet alphabet = has_accents[node->alphabet] ? node->alphabet : TG_ALPHABET_DEFAULT;

    const guint font = tg_symbol_font(node->u.accent.symbol, alphabet) | tg_bold(self, node);
    noad->u.accent = tg_char_field(self, font, node->u.accent.symbol->slot, node->token);
    return noad;
}

/* How many nodes below an accent are searched for another one. */
enum { MAX_VISITED = 200 };

/* Count the simple accents below @node, not those inside of others; *found is the last of them. */
static guint count_accents(const TgNode *node, const TgNode **found, guint *budget)
{
    TgChildIter iter = tg_child_iter(node);
    guint n = 0;

    for (const TgNode *child; *budget > 0 && (child = tg_child_iter_next(&iter)) != NULL;) {
        --*budget;
        if (child->kind == TG_NODE_ACCENT && child->u.accent.symbol != NULL &&
            !child->u.accent.wide && child->u.accent.symbol->family != TG_MATH_FAMILY_NONE) {
            *found = child;
            n++;
        } else {
            n += count_accents(child, found, budget);
        }
    }
    return n;
}

/* The only accent below that of @node, as \bar{x} in \hat{\bar{x}^2}; NULL when there is none, or
   more than one, which amsmath cannot tell apart. */
static const TgNode *accent_inside(const TgNode *node)
{
    const TgNode *found = NULL;
    guint budget = MAX_VISITED;

    return count_accents(node->u.accent.base, &found, &budget) == 1 && budget > 0 ? found : NULL;
}

static const TgNode *innermost(const TgNode *node)
{
    for (const TgNode *next = node; next != NULL; next = accent_inside(next))
        node = next;
    return node;
}

/* amsmath's \macc@nested: the accents stand one over the other on an empty box as wide as the
   letter and twice its skew; then comes a step back to where the letter goes. Material beside
   the inner accents is set with them. */
static TgItem *nested_accents(TgLayout *self, const TgNode *node)
{
    const int style = self->now.style & ~TG_CRAMPED;
    const TgNode *inner = innermost(node), *outer_accent = self->inner_accent;
    const TgField letter = tg_build_field(self, inner->u.accent.base);
    const TgItem *base = tg_clean_box(self, &letter, style);
    const TgScaled width = base->width + 2 * tg_skew(self, &letter);
    TgItem *outer_strut = self->inner_strut;

    self->inner_accent = inner;
    self->inner_strut = tg_empty_box(self, width, base->height, base->depth);
    const TgField pile =
        tg_list_field(accent_noad(self, node, tg_build_field(self, node->u.accent.base)));
    self->inner_accent = outer_accent;
    self->inner_strut = outer_strut;
    return tg_hbox(self, tg_clean_box(self, &pile, style), tg_kern(self, -width));
}

/* Three or four full stops above, in a box of negative height, as limits of an operator. */
static void build_dots(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgFont *font = tg_text_font(self, self->now.text.font, self->now.text.size);
    const TgScaled ex = tg_ex_at(self);
    const guint n = node->u.accent.code == 0x20DB ? 3 : 4;
    TgItemList row = { NULL, NULL };
    TgNoadList base = { NULL, NULL };

    tg_item_list_add(&row, tg_kern(self, tg_xn_over_d(tg_em(self), 10925, 65536)));
    for (guint i = 0; i < n && font != NULL; i++)
        tg_item_list_add(&row, tg_char(self, font, '.', tg_ink(self, node->token)));
    TgItem *dots = tg_vbox(self, tg_kern(self, -2 * ex), tg_hpack(self, row.first));
    dots->height = -(ex + tg_xn_over_d(ex, 26214, 65536));
    dots->depth = 0;

    tg_append_kern(self, &base, 0);
    tg_build_items(self, node->u.accent.base, &base);
    TgNoad *op = tg_limits_noad(self, tg_list_field(base.first));
    op->sup = tg_box_field(dots);
    tg_append(self, out, TG_NOAD_ORD, tg_list_field(op));
}

void tg_build_accent(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    /* \widehat and \widetilde over bases wider than 2 em (amsfonts) */
    enum { WIDE_HAT = 0x62, WIDER_HAT = 0x5B, WIDER_TILDE = 0x5D };
    const TgNode *base = node->u.accent.base;

    if (node->u.accent.symbol == NULL) { /* a mark that no font of TeX has: after its base */
        tg_append(self, out, TG_NOAD_ORD, tg_build_field(self, base));
        TgField mark = tg_char_field(self, TG_MATH_ROMAN, 0, node->token);
        mark.code = node->u.accent.code;
        tg_append(self, out, TG_NOAD_ORD, mark);
    } else if (node->u.accent.symbol->family == TG_MATH_FAMILY_NONE) {
        build_dots(self, node, out);
    } else if (node == self->inner_accent) {
        tg_noad_list_add(out, accent_noad(self, node, tg_box_field(self->inner_strut)));
    } else if (!node->u.accent.wide && self->inner_accent == NULL && accent_inside(node) != NULL) {
        tg_append(self, out, TG_NOAD_ORD, tg_deferred_field(self, nested_accents, node));
        tg_build_items(self, innermost(node)->u.accent.base, out);
    } else {
        TgNoad *noad = accent_noad(self, node, tg_build_field(self, base));
        /* accents have no width, so inside of a measurement any form will do */
        if (node->u.accent.wide && !self->measuring) {
            self->measuring = TRUE;
            const gboolean is_wider = tg_formula_box(self, base, TG_TEXT)->width > 2 * tg_em(self);
            self->measuring = FALSE;
            if (is_wider) {
                noad->u.accent.font = TG_MATH_AMS_B;
                noad->u.accent.slot =
                    node->u.accent.symbol->slot == WIDE_HAT ? WIDER_HAT : WIDER_TILDE;
            }
        }
        tg_noad_list_add(out, noad);
    }
}

/* ---- Arrows over and under ------------------------------------------------------------------- */

/* \overrightarrow: the arrow rests on its base, without a gap; 1.3 ex@ below it. */
static TgItem *make_arrow(TgLayout *self, const TgNode *node)
{
    const TgStretchForm *stretch = &tg_stretch_forms[node->u.stretch.form];
    const guint form = stretch->arrow;
    TgItem *body = tg_formula_here(self, node->u.stretch.body);
    const TgScaled width = MAX(body->width, tg_arrow_fill(self, node, form, 0)->width);
    const TgScaled ex = tg_ex_at(self);
    TgItem *arrow = tg_arrow_fill(self, node, form, width);

    body = tg_rebox(self, tg_hpack(self, body), width);
    if (!stretch->under)
        return tg_vbox(self, arrow, body);
    return tg_vtop(self, body, tg_kern(self, ex + tg_xn_over_d(ex, 19661, 65536)), arrow);
}

/* ---- Braces ---------------------------------------------------------------------------------- */

static TgItem *brace_piece(TgLayout *self, const TgNode *node, guint slot)
{
    return tg_math_char_box(self, TG_MATH_LARGE, slot, node->token, TG_TEXT);
}

/* Four pieces of the extension font joined by rules: \downbracefill over, \upbracefill under. */
static TgItem *brace_fill(TgLayout *self, const TgNode *node, gboolean over, TgScaled width)
{
    static const guint8 slots[2][4] = { { 0x7A, 0x7D, 0x7C, 0x7B }, { 0x7C, 0x7B, 0x7A, 0x7D } };
    const TgInk ink = tg_ink(self, node->token);
    const TgScaled thickness = brace_piece(self, node, 0x7A)->height;
    TgItem *pieces[4];
    TgScaled room = width;

    for (guint i = 0; i < 4; i++) {
        pieces[i] = brace_piece(self, node, slots[!over][i]);
        room -= pieces[i]->width;
    }
    room = MAX(room, 0);
    return tg_hbox(self, pieces[0], tg_rule(self, room / 2, thickness, 0, ink), pieces[1],
                   pieces[2], tg_rule(self, room - room / 2, thickness, 0, ink), pieces[3]);
}

/* Body in display style, and the brace with 3 pt at both sides. */
static TgItem *make_brace(TgLayout *self, const TgNode *node)
{
    const gboolean over = !tg_stretch_forms[node->u.stretch.form].under;
    TgItem *body = tg_formula_box(self, node->u.stretch.body, TG_DISPLAY);
    TgItem *fill = brace_fill(self, node, over, body->width);
    TgItem *gap = tg_kern(self, TG_PT(3)), *outside = tg_kern(self, TG_PT(3));

    if (fill->width > body->width)
        body = tg_rebox(self, tg_hpack(self, body), fill->width);
    return over ? tg_vbox(self, outside, fill, gap, body) : tg_vtop(self, body, gap, fill, outside);
}

/* mathtools' bracket: a rule as thick as a brace's with ends of 0.7 ex, 0.2 ex from the body. */
static TgItem *make_bracket(TgLayout *self, const TgNode *node)
{
    const gboolean over = !tg_stretch_forms[node->u.stretch.form].under;
    const TgInk ink = tg_ink(self, node->token);
    TgItem *body = tg_formula_box(self, node->u.stretch.body, TG_DISPLAY);
    const TgScaled thick = brace_piece(self, node, 0x7A)->height;
    const TgScaled ex = tg_math_sy_at(self, TG_PARAM_X_HEIGHT, TG_MATH_TEXT);
    const TgScaled end = tg_xn_over_d(ex, 7, 10), up = over ? 0 : end, down = over ? end : 0;
    const TgScaled room = MAX(body->width - 2 * thick, 0);
    TgItem *gap = tg_kern(self, tg_xn_over_d(ex, 2, 10));
    TgItem *bracket = tg_hbox(self, tg_rule(self, thick, up, down, ink),
                              tg_rule(self, room, over ? thick : 0, over ? 0 : thick, ink),
                              tg_rule(self, thick, up, down, ink));

    return over ? tg_vbox(self, bracket, gap, body) : tg_vtop(self, body, gap, bracket);
}

void tg_build_stretch(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgStretchForm *form = &tg_stretch_forms[node->u.stretch.form];

    switch ((TgStretchShape) form->shape) {
    case TG_SHAPE_OF_LINE:
        tg_append(self, out, form->under ? TG_NOAD_UNDER : TG_NOAD_OVER,
                  tg_build_field(self, node->u.stretch.body))
            ->u.line = tg_ink(self, node->token);
        break;
    case TG_SHAPE_OF_BRACE:
    case TG_SHAPE_OF_BRACKET: {
        TgMakeBox *make = form->shape == TG_SHAPE_OF_BRACE ? make_brace : make_bracket;
        tg_noad_list_add(out, tg_limits_noad(self, tg_deferred_field(self, make, node)));
        break;
    }
    case TG_SHAPE_OF_ARROW:
    default:
        tg_append(self, out, TG_NOAD_ORD, tg_deferred_field(self, make_arrow, node));
        break;
    }
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* Make Bins in a row of @n classes Ord where TeX does, and sum the spaces between all: medium ones
   count -1 and thick ones +1, thin ones nothing, as in amsmath's measurement. */
static gint sum_spaces(guint8 *classes, guint n)
{
    guint8 start = TG_NOAD_OP, end = TG_NOAD_RIGHT;
    gint sum = 0;

    for (guint i = 0; i <= n; i++)
        tg_settle_bins(i > 0 ? &classes[i - 1] : &start, i < n ? &classes[i] : &end);
    for (guint i = 1; i < n; i++) {
        const guint space = tg_class_space(classes[i - 1], classes[i], FALSE);
        sum += space == 4 ? -1 : space == 5 ? 1 : 0;
    }
    return sum;
}

/* The class that \overset and \boldsymbol give to the result for @mlist (amsmath's \binrel@): what
   space it has between two Ords tells. */
static TgNoadType binrel_class(const TgNoad *mlist)
{
    g_autoptr(GByteArray) between = g_byte_array_new();
    const guint8 ord = TG_NOAD_ORD;

    g_byte_array_append(between, &ord, 1);
    for (const TgNoad *noad = mlist; noad != NULL; noad = noad->next) {
        const TgNoadForm form = tg_noad_forms[noad->type];
        if (form.kind != TG_ATOM_NONE)
            g_byte_array_append(between, form.kind == TG_ATOM_FENCE ? &ord : &form.math_class, 1);
    }
    const guint n = between->len - 1;
    g_autofree guint8 *alone = g_memdup2(between->data + 1, n);
    g_byte_array_append(between, &ord, 1);

    const gint difference = sum_spaces(between->data, between->len) - sum_spaces(alone, n);
    return difference < 0 ? TG_NOAD_BIN : difference > 0 ? TG_NOAD_REL : TG_NOAD_ORD;
}

/* ---- \overset and \stackrel ------------------------------------------------------------------ */

void tg_build_stack(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoadType type = TG_NOAD_REL;
    TgField base;

    if (node->u.stack.form == TG_STACK_OVERSET) {
        TgNoadList list = { NULL, NULL };
        tg_append_kern(self, &list, 0);
        tg_build_items(self, node->u.stack.base, &list);
        type = binrel_class(list.first);
        base = tg_list_field(list.first);
    } else {
        base = tg_build_field(self, node->u.stack.base);
    }
    TgNoad *op = tg_limits_noad(self, base);
    if (node->u.stack.under != NULL)
        op->sub = tg_build_field(self, node->u.stack.under);
    if (node->u.stack.over != NULL)
        op->sup = tg_build_field(self, node->u.stack.over);
    tg_append(self, out, type, tg_list_field(op));
}

/* ---- \boldsymbol ----------------------------------------------------------------------------- */

/* Three copies side by side, the middle one raised. */
static TgItem *three_copies(TgLayout *self, TgItem *body, TgScaled step, TgScaled raise)
{
    const TgScaled back = step - body->width;
    TgItem *middle = tg_hpack(self, body);

    middle->shift = -raise;
    return tg_items(tg_hpack(self, body), tg_kern(self, back), middle, tg_kern(self, back),
                    tg_hpack(self, body));
}

static TgItem *make_bold(TgLayout *self, const TgNode *node)
{
    TgItem *body = tg_formula_here(self, node->u.body.body);

    if (node->u.body.flag != TG_BOLD_POOR)
        return body;

    return tg_hbox(self, tg_kern(self, tg_mu(self, -52429)),
                   three_copies(self, body, tg_mu(self, 26214), tg_mu(self, 32768)));
}

/* Make a symbol in \bm whose font has no bold version. */
TgItem *tg_make_poor_symbol(TgLayout *self, const TgNode *node)
{
    TgNoadList list = { NULL, NULL };
    const int style = self->now.style & ~TG_CRAMPED;
    const TgScaled quad = tg_math_sy_at(self, TG_PARAM_QUAD, TG_MATH_TEXT);

    self->now.in_bm = FALSE;
    tg_build_node(self, node, &list);
    TgItem *body = tg_list_box(self, list.first, style);
    TgScaled step = tg_mu_to_sp(quad / 18, 26214); /* .4 mu */
    if (style >= TG_SCRIPT)
        step = style < TG_SCRIPTSCRIPT ? tg_xn_over_d(step, 7, 10) : step / 2;
    return tg_hpack(self, three_copies(self, body, step, step + tg_half(step)));
}

/* @item alone, as a list. */
static const TgNode *list_of(TgLayout *self, const TgNode *item)
{
    TgNode *nodes = tg_arena_alloc(&self->arena, 2 * sizeof(TgNode));

    nodes[1] = *item;
    nodes[1].next = NULL;
    nodes[0] = (TgNode){ .kind = TG_NODE_LIST, .u.list = { .first = &nodes[1], .n_items = 1 } };
    return nodes;
}

/* \bm: bold symbols stay in their places; a group in braces is a box in bold fonts. */
static void build_symbols(TgLayout *self, const TgNode *body, TgNoadList *out)
{
    const TgLayoutState kept = self->now;

    self->now.in_bm = TRUE;
    for (const TgNode *item = body->u.list.first; item != NULL; item = item->next) {
        const TgNode *group = item->kind == TG_NODE_LIST       ? item
                              : item->kind == TG_NODE_FRACTION ? list_of(self, item)
                                                               : NULL;
        if (group != NULL)
            tg_append(self, out, TG_NOAD_ORD, tg_deferred_field(self, tg_formula_here, group));
        else
            tg_build_node(self, item, out);
    }
    self->now = kept;
}

void tg_build_bold(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (node->u.body.flag == TG_BOLD_SYMBOLS) {
        build_symbols(self, node->u.body.body, out);
        return;
    }
    tg_append(self, out, binrel_class(tg_build_mlist(self, node->u.body.body)),
              tg_deferred_field(self, make_bold, node));
}
