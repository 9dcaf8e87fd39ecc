/* The pass from tree to math lists: lists, fields, and what needs no file of its own. */
#include "render/typeset/build.h"

#include <string.h>

/* ---- Noads and fields ------------------------------------------------------------------------ */

TgNoad *tg_noad_new(TgArena *arena, TgNoadType type)
{
    TgNoad *noad = tg_arena_alloc(arena, sizeof *noad);

    memset(noad, 0, sizeof *noad);
    noad->type = (guint8) type;
    return noad;
}

guint32 tg_ink(const TgLayout *self, guint32 token)
{
    return self->token != TG_NO_TOKEN ? self->token : token;
}

TgField tg_list_field(TgNoad *list)
{
    return (TgField){ .kind = TG_FIELD_LIST, .token = TG_NO_TOKEN, .u.list = list };
}

TgField tg_box_field(TgItem *box)
{
    return (TgField){ .kind = TG_FIELD_BOX, .token = TG_NO_TOKEN, .u.box = box };
}

TgField tg_char_field(TgLayout *self, guint font, guint slot, guint32 token)
{
    return (TgField){ .kind = TG_FIELD_CHAR,
                      .font = (guint8) font,
                      .slot = (guint8) slot,
                      .token = tg_ink(self, token),
                      .color = self->color };
}

/* What was in force where a MAKE field was built. */
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

static gboolean is_plain_ord(const TgNoad *noad)
{
    return noad != NULL && noad->next == NULL && noad->type == TG_NOAD_ORD &&
           noad->sub.kind == TG_FIELD_EMPTY && noad->sup.kind == TG_FIELD_EMPTY;
}

TgField tg_build_field(TgLayout *self, const TgNode *list)
{
    TgNoad *mlist = tg_build_mlist(self, list);

    return is_plain_ord(mlist) ? mlist->nucleus : tg_list_field(mlist);
}

/* A group: an Ord, but for an accent alone in it, which takes its place (TeX §1187). */
static void build_group(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *mlist = tg_build_mlist(self, node);

    if (mlist != NULL && mlist->next == NULL &&
        (mlist->type == TG_NOAD_ACCENT || is_plain_ord(mlist)))
        tg_noad_list_add(out, mlist);
    else
        tg_append_noad(self, out, TG_NOAD_ORD, tg_list_field(mlist));
}

/* LaTeX's {}: an Ord without anything, which spaces notice. */
static void append_empty(TgLayout *self, TgNoadList *out)
{
    tg_append_noad(self, out, TG_NOAD_ORD, (TgField){ .kind = TG_FIELD_EMPTY });
}

/* ---- Scripts --------------------------------------------------------------------------------- */

static gboolean is_atom(const TgNoad *noad)
{
    return noad->type < TG_NOAD_LEFT;
}

/* Whether the atom has one of the scripts already, as \bar{x}^2 in a group of its own has. */
static gboolean has_script(const TgNoad *noad, const TgNode *node)
{
    return (node->u.scripts.sub != NULL && noad->sub.kind != TG_FIELD_EMPTY) ||
           (node->u.scripts.sup != NULL && noad->sup.kind != TG_FIELD_EMPTY);
}

static gboolean is_multiple_integral(const TgNode *node)
{
    return node != NULL && node->kind == TG_NODE_SYMBOL && node->u.symbol.symbol != NULL &&
           node->u.symbol.symbol->kind == TG_SYMBOL_COMPOSITE &&
           g_str_has_prefix(node->u.symbol.symbol->latex, "\\intop");
}

/* @amount mu, and @more in display style. */
static void append_display_mu(TgLayout *self, TgNoadList *out, gint amount, gint more)
{
    TgNoad *choice = tg_noad_new(&self->arena, TG_NOAD_CHOICE);
    TgNoadList display;

    tg_append_mu(self, out, amount * 65536);
    tg_noad_list_init(&display);
    tg_append_mu(self, &display, more * 65536);
    choice->u.choice[TG_STYLE_DISPLAY] = display.first;
    tg_noad_list_add(out, choice);
}

/* \iint\limits: the integrals are one operator, with blank before them, taken back outside, that
   brings the limits to their middle (amsmath's \ints@b). */
static void build_integrals(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoadList inside;

    tg_noad_list_init(&inside);
    append_display_mu(self, &inside, 7, 2);
    tg_build_node(self, node, &inside);
    append_display_mu(self, out, -7, -2);
    tg_append_noad(self, out, TG_NOAD_OP, tg_list_field(inside.first));
}

static void build_nucleus(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgNode *nucleus = node->u.scripts.nucleus;

    if (nucleus == NULL)
        return;
    if (node->u.scripts.limits == TG_LIMITS_ON && is_multiple_integral(nucleus))
        build_integrals(self, nucleus, out);
    else
        tg_build_node(self, nucleus, out);
}

static void build_scripts(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *before = out->last;

    build_nucleus(self, node, out);
    /* several atoms (\neq is \not and =) leave them to the last; none, or space, to an empty one */
    if (out->last == before || !is_atom(out->last) || has_script(out->last, node))
        append_empty(self, out);

    TgNoad *noad = out->last;
    if (node->u.scripts.limits != TG_LIMITS_DEFAULT)
        noad->limits = node->u.scripts.limits;
    if (node->u.scripts.sub != NULL)
        noad->sub = tg_build_field(self, node->u.scripts.sub);
    if (node->u.scripts.sup != NULL)
        noad->sup = tg_build_field(self, node->u.scripts.sup);
}

/* ---- Things of one line ---------------------------------------------------------------------- */

static void build_space(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (node->u.space.vertical)
        return;
    if (node->u.space.amount.unit == TG_UNIT_MU)
        tg_append_mu(self, out, node->u.space.amount.value);
    else
        tg_append_kern(self, out, tg_layout_length(self, node->u.space.amount));
    out->last->u.space.nonscript = node->u.space.nonscript;
    out->last->u.space.fil = node->u.space.amount.fil;
    if (node->u.space.amount.unit == TG_UNIT_INTERWORD &&
        node->u.space.interword == TG_INTERWORD_TIE)
        append_empty(self, out);
}

static void build_choice(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *noad = tg_noad_new(&self->arena, TG_NOAD_CHOICE);

    for (guint i = 0; i < 4; i++)
        noad->u.choice[i] = tg_build_mlist(self, node->u.choice.style[i]);
    tg_noad_list_add(out, noad);
}

static void build_color(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const guint32 color = self->color;

    self->color = node->u.color.rgb;
    if (node->u.color.body == NULL)
        return; /* to the end of the list */
    tg_append_noad(self, out, TG_NOAD_ORD, tg_list_field(tg_build_mlist(self, node->u.color.body)));
    self->color = color;
}

static void build_class(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    tg_append_noad(self, out, node->math_class, tg_build_field(self, node->u.body.body));
}

/* `$..$` where mathematics is already: its inside as a group. */
static void build_math(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgItem *box = tg_layout_formula(self, node->u.body.body, TG_TEXT);

    tg_append_noad(self, out, TG_NOAD_ORD, tg_box_field(box));
}

static TgItem *vcenter_body(TgLayout *self, const TgNode *node)
{
    return tg_layout_formula(self, node->u.body.body, TG_TEXT);
}

/* Takes one node from the budget; what is measured before it is set doubles with each nesting. */
static gboolean may_build(TgLayout *self)
{
    if (self->budget > 0) {
        self->budget--;
        return TRUE;
    }
    if (self->error == NULL)
        g_set_error(&self->error, TG_ERROR, TG_ERROR_PARSE,
                    "constructs that TeX sets twice to measure them are nested too deeply");
    return FALSE;
}

void tg_build_node(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (!may_build(self))
        return;
    switch ((TgNodeKind) node->kind) {
    case TG_NODE_LIST:
        build_group(self, node, out);
        break;
    case TG_NODE_SYMBOL:
        tg_build_symbol(self, node, out);
        break;
    case TG_NODE_OPERATOR:
        tg_build_operator(self, node, out);
        break;
    case TG_NODE_SCRIPTS:
        build_scripts(self, node, out);
        break;
    case TG_NODE_SIDESET:
        tg_build_sideset(self, node, out);
        break;
    case TG_NODE_FRACTION:
        tg_build_fraction(self, node, out);
        break;
    case TG_NODE_RADICAL:
        tg_build_radical(self, node, out);
        break;
    case TG_NODE_ACCENT:
        tg_build_accent(self, node, out);
        break;
    case TG_NODE_STRETCH:
        tg_build_stretch(self, node, out);
        break;
    case TG_NODE_STACK:
        tg_build_stack(self, node, out);
        break;
    case TG_NODE_ARROW:
        tg_build_arrow(self, node, out);
        break;
    case TG_NODE_DELIMITED:
    case TG_NODE_MIDDLE:
        tg_build_delimited(self, node, out);
        break;
    case TG_NODE_BIG:
        tg_build_big(self, node, out);
        break;
    case TG_NODE_CLASS:
        build_class(self, node, out);
        break;
    case TG_NODE_BOLD:
        tg_build_bold(self, node, out);
        break;
    case TG_NODE_CHOICE:
        build_choice(self, node, out);
        break;
    case TG_NODE_ARRAY:
        tg_build_array(self, node, out);
        break;
    case TG_NODE_TEXT:
    case TG_NODE_CHAR:
        tg_build_text(self, node, out);
        break;
    case TG_NODE_MATH:
        build_math(self, node, out);
        break;
    case TG_NODE_STYLE:
        tg_append_style(self, out, 2 * node->u.change.style);
        break;
    case TG_NODE_SIZE:
        tg_layout_set_text_size(self, node->u.change.style);
        break;
    case TG_NODE_COLOR:
        build_color(self, node, out);
        break;
    case TG_NODE_SPACE:
        build_space(self, node, out);
        break;
    case TG_NODE_BREAK: /* TeX sets a formula on one line; \\ leaves an empty group there */
        append_empty(self, out);
        break;
    case TG_NODE_TAG:
        break;
    case TG_NODE_VCENTER:
        tg_append_noad(self, out, TG_NOAD_VCENTER, tg_make_field(self, vcenter_body, node));
        break;
    case TG_NODE_PHANTOM:
    case TG_NODE_LAP:
    case TG_NODE_RAISE:
    case TG_NODE_ENCLOSE:
    case TG_NODE_RULE:
        tg_build_box(self, node, out);
        break;
    case TG_NODE_ERROR:
    case TG_N_NODE_KINDS:
        tg_build_error(self, node, out);
        break;
    }
}
