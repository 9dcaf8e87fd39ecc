/* Lists, fields and formulas of the tree as math lists. */
#include "render/typeset/build.h"

#include "core/deadline.h"

/* ---- Fields and noads ------------------------------------------------------------------------ */

TgField tg_char_field(TgLayout *self, guint font, guint slot, guint32 token)
{
    return (TgField){ .kind = TG_FIELD_CHAR,
                      .font = (guint8) font,
                      .slot = (guint8) slot,
                      .token = tg_ink(self, token),
                      .color = self->color };
}

/* A MAKE field: the state of layout in which it was built. */
typedef struct {
    TgMakeNode make;
    const TgNode *node;
    TgTextState text;
    guint32 color, token;
    gboolean bold;
} Deferred;

static TgItem *make_deferred(TgLayout *self, gconstpointer data)
{
    const Deferred *deferred = data;
    const TgTextState text = self->text;
    const guint32 color = self->color, token = self->token;
    const gboolean bold = self->bold;

    self->text = deferred->text;
    self->color = deferred->color;
    self->token = deferred->token;
    self->bold = deferred->bold;
    TgItem *box = deferred->make(self, deferred->node);
    self->text = text;
    self->color = color;
    self->token = token;
    self->bold = bold;
    return box;
}

TgField tg_make_field(TgLayout *self, TgMakeNode make, const TgNode *node)
{
    Deferred *deferred = tg_arena_alloc(&self->arena, sizeof *deferred);

    *deferred = (Deferred){ make, node, self->text, self->color, self->token, self->bold };
    return (TgField){
        .kind = TG_FIELD_MAKE, .token = TG_NO_TOKEN, .u.make = make_deferred, .data = deferred
    };
}

TgNoad *tg_append_noad(TgLayout *self, TgNoadList *out, TgNoadType type, TgField nucleus)
{
    TgNoad *noad = tg_noad_new(&self->arena, type);

    noad->nucleus = nucleus;
    tg_noad_list_add(out, noad);
    return noad;
}

void tg_append_kern(TgLayout *self, TgNoadList *out, TgScaled amount)
{
    TgNoad *noad = tg_noad_new(&self->arena, TG_NOAD_SPACE);

    noad->u.space.amount = amount;
    tg_noad_list_add(out, noad);
}

void tg_append_mu(TgLayout *self, TgNoadList *out, TgScaled amount)
{
    tg_append_kern(self, out, amount);
    out->last->u.space.mu = 1;
}

void tg_append_style(TgLayout *self, TgNoadList *out, int style)
{
    TgNoad *noad = tg_noad_new(&self->arena, TG_NOAD_STYLE);

    noad->style = (guint8) style;
    tg_noad_list_add(out, noad);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Takes one node from the budget: constructs that are measured before they are set double the work
   with each level of nesting. */
static gboolean may_build(TgLayout *self)
{
    if (tg_too_long(30))
        return FALSE;
    if (self->budget > 0) {
        self->budget--;
        return TRUE;
    }
    if (self->error == NULL)
        g_set_error(&self->error, TG_ERROR, TG_ERROR_PARSE,
                    "nested too deeply: constructs that TeX typesets twice");
    return FALSE;
}

void tg_build_node(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (may_build(self))
        self->builders[node->kind](self, node, out);
}

void tg_build_items(TgLayout *self, const TgNode *list, TgNoadList *out)
{
    const TgTextState text = self->text;
    const guint32 color = self->color;

    for (const TgNode *item = list->u.list.first; item != NULL; item = item->next)
        tg_build_node(self, item, out);
    self->text = text;
    self->color = color;
}

TgNoad *tg_build_mlist(TgLayout *self, const TgNode *list)
{
    TgNoadList out;

    tg_noad_list_init(&out);
    tg_build_items(self, list, &out);
    return out.first;
}

TgField tg_build_field(TgLayout *self, const TgNode *list)
{
    TgNoad *mlist = tg_build_mlist(self, list);

    return tg_is_plain_ord(mlist) ? mlist->nucleus : tg_list_field(mlist);
}

/* ---- Formulas -------------------------------------------------------------------------------- */

/* Whether @node begins in the bold math version. */
static gboolean is_bold(const TgNode *node)
{
    TgChildIter iter;

    if (node->kind == TG_NODE_SYMBOL)
        return node->bold == 1;
    if (node->kind == TG_NODE_BOLD) /* bold inside only */
        return FALSE;
    tg_child_iter_init(&iter, node);
    const TgNode *child = tg_child_iter_next(&iter);
    return child != NULL && is_bold(child);
}

TgItem *tg_layout_formula(TgLayout *self, const TgNode *list, int style)
{
    TgMathFonts *math = self->math;
    const int kept_style = self->style;
    const gboolean bold = self->bold;

    self->math = tg_layout_math_fonts(self, self->text.size);
    self->bold = is_bold(list);
    TgItem *box =
        tg_hpack(&self->arena, tg_mlist_to_hlist(self, tg_build_mlist(self, list), style));
    self->math = math;
    self->bold = bold;
    if (math != NULL)
        tg_layout_set_style(self, kept_style);
    return box;
}

TgItem *tg_body_box(TgLayout *self, const TgNode *body, int style)
{
    TgNoadList list;

    if (body->kind == TG_NODE_LIST)
        return tg_layout_formula(self, body, style);
    tg_noad_list_init(&list);
    tg_build_node(self, body, &list);
    return tg_hpack(&self->arena, tg_set_list(self, list.first, style));
}

TgItem *tg_strut(TgLayout *self, TgScaled stretch)
{
    const TgScaled height = tg_xn_over_d(self->text.baselineskip, 45875, 65536); /* .7 */
    const TgScaled depth = tg_xn_over_d(self->text.baselineskip, 19661, 65536);  /* .3 */

    return tg_hpack(&self->arena,
                    tg_item_rule(&self->arena, 0, tg_xn_over_d(height, stretch, 65536),
                                 tg_xn_over_d(depth, stretch, 65536)));
}
