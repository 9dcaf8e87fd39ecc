/* Things above and below: \overset, \stackrel, \sideset; and \boldsymbol, which keeps classes. */
#include "render/typeset/builders.h"

/* ---- Classes --------------------------------------------------------------------------------- */

/* Edge classes of a list, once Bin has become Ord where TeX makes it so. */
static void settle_classes(GArray *classes)
{
    guint8 before = TG_NOAD_OP;

    for (guint i = 0; i < classes->len; i++) {
        guint8 *here = &g_array_index(classes, guint8, i);
        if (*here == TG_NOAD_BIN &&
            (before == TG_NOAD_BIN || before == TG_NOAD_OP || before == TG_NOAD_REL ||
             before == TG_NOAD_OPEN || before == TG_NOAD_PUNCT))
            *here = TG_NOAD_ORD;
        if (before == TG_NOAD_BIN &&
            (*here == TG_NOAD_REL || *here == TG_NOAD_CLOSE || *here == TG_NOAD_PUNCT))
            g_array_index(classes, guint8, i - 1) = TG_NOAD_ORD;
        before = *here;
    }
    if (before == TG_NOAD_BIN)
        g_array_index(classes, guint8, classes->len - 1) = TG_NOAD_ORD;
}

/* Medium spaces count -1 and thick ones +1, thin ones nothing, as in amsmath's measurement. */
static gint sum_spaces(const GArray *classes)
{
    gint sum = 0;

    for (guint i = 1; i < classes->len; i++) {
        const TgScaled space = tg_atom_space(g_array_index(classes, guint8, i - 1),
                                             g_array_index(classes, guint8, i), TG_TEXT);
        sum += space == 4 * 65536 ? -1 : space == 5 * 65536 ? 1 : 0;
    }
    return sum;
}

/* The class that \overset and \boldsymbol give to the result for @mlist (amsmath's \binrel@). */
static TgNoadType binrel_class(const TgNoad *mlist)
{
    g_autoptr(GArray) alone = g_array_new(FALSE, FALSE, 1);
    g_autoptr(GArray) between = g_array_new(FALSE, FALSE, 1);
    const guint8 ord = TG_NOAD_ORD;

    g_array_append_val(between, ord);
    for (const TgNoad *noad = mlist; noad != NULL; noad = noad->next) {
        const guint8 class = noad->type <= TG_NOAD_INNER      ? noad->type
                             : noad->type == TG_NOAD_FRACTION ? TG_NOAD_INNER
                                                              : TG_NOAD_ORD;
        if (noad->type >= TG_NOAD_STYLE)
            continue;
        g_array_append_val(alone, class);
        g_array_append_val(between, class);
    }
    g_array_append_val(between, ord);
    settle_classes(alone);
    settle_classes(between);

    const gint difference = sum_spaces(between) - sum_spaces(alone);
    return difference < 0 ? TG_NOAD_BIN : difference > 0 ? TG_NOAD_REL : TG_NOAD_ORD;
}

/* ---- \overset and \stackrel ------------------------------------------------------------------ */

void tg_build_stack(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *op = tg_noad_new(&self->arena, TG_NOAD_OP);
    TgNoadType type = TG_NOAD_REL;

    if (node->u.stack.form == TG_STACK_OVERSET) {
        TgNoadList base;
        tg_noad_list_init(&base);
        tg_append_kern(self, &base, 0);
        tg_build_items(self, node->u.stack.base, &base);
        op->nucleus = tg_list_field(base.first);
        type = binrel_class(base.first);
    } else {
        op->nucleus = tg_build_field(self, node->u.stack.base);
    }
    op->limits = TG_LIMITS_ON;
    if (node->u.stack.over != NULL)
        op->sup = tg_build_field(self, node->u.stack.over);
    if (node->u.stack.under != NULL)
        op->sub = tg_build_field(self, node->u.stack.under);
    tg_append_noad(self, out, type, tg_list_field(op));
}

/* ---- \sideset -------------------------------------------------------------------------------- */

static TgNoad *with_scripts(TgLayout *self, TgNoadType type, TgField nucleus, const TgNode *sub,
                            const TgNode *sup)
{
    TgNoad *noad = tg_noad_new(&self->arena, type);

    noad->nucleus = nucleus;
    noad->limits = TG_LIMITS_OFF;
    if (sub != NULL)
        noad->sub = tg_build_field(self, sub);
    if (sup != NULL)
        noad->sup = tg_build_field(self, sup);
    return noad;
}

static TgItem *set_in(TgLayout *self, TgNoad *list, int style)
{
    TgItem *box = tg_hpack(&self->arena, tg_mlist_to_hlist(self, list, style));

    return box;
}

/* The last atom of @list takes scripts at its side. */
static void hang_scripts(TgLayout *self, TgNoad *list, const TgNode *sub, const TgNode *sup)
{
    TgNoad *last = list;

    while (last != NULL && last->next != NULL)
        last = last->next;
    if (last == NULL)
        return;
    last->limits = TG_LIMITS_OFF;
    if (sub != NULL)
        last->sub = tg_build_field(self, sub);
    if (sup != NULL)
        last->sup = tg_build_field(self, sup);
}

/* amsmath: scripts at the left hang on an empty box as high as the operator; all in display style.
   Returns the operator with both, and how wide the left ones are. */
static TgItem *side_set(TgLayout *self, const TgNode *node, TgScaled *left_width)
{
    TgArena *arena = &self->arena;
    const int style = TG_DISPLAY;
    const TgItem *bare = set_in(self, tg_build_mlist(self, node->u.sideset.base), style);
    TgItem *strut = tg_hpack(arena, NULL);

    strut->height = bare->height;
    strut->depth = bare->depth;
    TgItem *left = set_in(self,
                          with_scripts(self, TG_NOAD_ORD, tg_box_field(strut),
                                       node->u.sideset.pre_sub, node->u.sideset.pre_sup),
                          style);
    TgNoad *base = tg_build_mlist(self, node->u.sideset.base);
    hang_scripts(self, base, node->u.sideset.post_sub, node->u.sideset.post_sup);
    left->next = set_in(self, base, style);
    *left_width = left->width + bare->width - left->next->width;
    return left;
}

/* \hbox to w{}\mathop{\kern-w ..}: the part at the left does not count for limits. */
static void build_sideset(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgScaled width;
    TgNoadList body;
    const int style = self->style;
    TgMathFonts *math = self->math;

    self->math = tg_layout_math_fonts(self, self->text.size);
    TgItem *items = side_set(self, node, &width);
    self->math = math;
    if (math != NULL)
        tg_layout_set_style(self, style);
    TgItem *right = items->next;
    items->next = NULL;

    TgItem *skip = tg_hpack(&self->arena, NULL);
    skip->width = width;
    tg_append_noad(self, out, TG_NOAD_ORD, tg_box_field(skip));
    tg_noad_list_init(&body);
    tg_append_kern(self, &body, -width);
    tg_append_noad(self, &body, TG_NOAD_ORD, tg_box_field(items));
    tg_append_noad(self, &body, TG_NOAD_ORD, tg_box_field(right));
    tg_append_noad(self, out, TG_NOAD_OP, tg_list_field(body.first));
}

/* One of the scripts of \prescript, at the right of a box as wide as the wider one. */
static TgItem *pre_script(TgLayout *self, const TgNode *node, gboolean sup)
{
    const TgNode *lists[] = { node->u.sideset.pre_sub, node->u.sideset.pre_sup };
    const int style = self->style;
    TgItem *boxes[2] = { NULL, NULL };
    TgScaled width = 0;

    for (guint i = 0; i < G_N_ELEMENTS(boxes); i++) {
        if (lists[i] == NULL)
            continue;
        boxes[i] = tg_layout_formula(self, lists[i], style & ~TG_CRAMPED);
        width = MAX(width, boxes[i]->width);
    }
    TgItem *blank = tg_item_kern(&self->arena, width - boxes[sup]->width);
    blank->next = tg_hpack(&self->arena, boxes[sup]);
    return tg_hpack(&self->arena, blank);
}

static TgItem *pre_sub(TgLayout *self, const TgNode *node)
{
    return pre_script(self, node, FALSE);
}

static TgItem *pre_sup(TgLayout *self, const TgNode *node)
{
    return pre_script(self, node, TRUE);
}

/* As high and deep as the base of \prescript, without width. */
static TgItem *base_strut(TgLayout *self, const TgNode *node)
{
    TgItem *box = tg_layout_formula(self, node->u.sideset.base, self->style & ~TG_CRAMPED);

    box->list = NULL;
    box->width = 0;
    return box;
}

/* mathtools: \mathop{}\mathopen{\vphantom{base}} with the scripts, then the base. */
static void build_prescript(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    tg_append_noad(self, out, TG_NOAD_OP, tg_list_field(NULL));
    TgNoad *open = tg_append_noad(self, out, TG_NOAD_OPEN, tg_make_field(self, base_strut, node));
    if (node->u.sideset.pre_sub != NULL)
        open->sub = tg_make_field(self, pre_sub, node);
    if (node->u.sideset.pre_sup != NULL)
        open->sup = tg_make_field(self, pre_sup, node);
    tg_build_items(self, node->u.sideset.base, out);
}

void tg_build_sideset(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (node->u.sideset.limits_base)
        build_sideset(self, node, out);
    else
        build_prescript(self, node, out);
}

/* ---- \boldsymbol ----------------------------------------------------------------------------- */

static TgItem *bold_body(TgLayout *self, const TgNode *node)
{
    TgArena *arena = &self->arena;
    const int style = self->style & ~TG_CRAMPED;

    if (!node->u.body.flag)
        return tg_layout_formula(self, node->u.body.body, style);

    /* \pmb: three copies, side by side */
    TgItem *body = tg_layout_formula(self, node->u.body.body, style);
    const TgScaled raise = tg_mu_to_sp(tg_layout_mu(self), 32768);
    TgItemList list;
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), -52429)));
    tg_item_list_add(&list, tg_hpack(arena, body));
    tg_item_list_add(&list,
                     tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), 26214) - body->width));
    TgItem *middle = tg_hpack(arena, body);
    middle->shift = -raise;
    tg_item_list_add(&list, middle);
    tg_item_list_add(&list,
                     tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), 26214) - body->width));
    tg_item_list_add(&list, tg_hpack(arena, body));
    return tg_hpack(arena, list.first);
}

void tg_build_bold(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    tg_append_noad(self, out, binrel_class(tg_build_mlist(self, node->u.body.body)),
                   tg_make_field(self, bold_body, node));
}
