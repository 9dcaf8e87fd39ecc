/* The table of builders, and those that are too short for a file of their own. */
#include "render/typeset/build_formula.h"

#include "render/typeset/builders.h"

/* A group: an Ord, but for an accent alone in it, which takes its place (TeX §1187). */
static void build_group(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *mlist = tg_build_mlist(self, node);

    if (mlist != NULL && mlist->next == NULL &&
        (mlist->type == TG_NOAD_ACCENT || tg_is_plain_ord(mlist)))
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

/* \iint\limits: the integrals are one operator, with space before them, taken back outside, that
   centres the limits (amsmath's \ints@b). */
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

/* amsmath's arrows over and under something are a \mathchoice, which takes no scripts. */
static gboolean takes_no_scripts(const TgNode *nucleus)
{
    return nucleus != NULL && nucleus->kind == TG_NODE_STRETCH &&
           nucleus->u.stretch.form >= TG_STRETCH_OVERRIGHTARROW &&
           nucleus->u.stretch.form <= TG_STRETCH_UNDERLEFTRIGHTARROW;
}

/* Whether the value of \cancelto is the superscript, and nothing else is a script. */
static gboolean is_canceled_to(const TgNode *node)
{
    const TgNode *nucleus = node->u.scripts.nucleus;

    return nucleus != NULL && nucleus->kind == TG_NODE_ENCLOSE && nucleus->u.enclose.arrow != 0 &&
           node->u.scripts.sub == NULL && node->u.scripts.sup != NULL;
}

static void build_scripts(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *before = out->last;

    if (is_canceled_to(node)) {
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, tg_canceled_to, node));
        return;
    }
    build_nucleus(self, node, out);
    if (node->u.scripts.form != TG_SCRIPTS_PLAIN) {
        tg_build_chemistry_scripts(self, node, out);
        return;
    }
    /* of several atoms (\neq is \not and =) the last has them; without an atom an empty one */
    if (out->last == before || !is_atom(out->last) || has_script(out->last, node) ||
        takes_no_scripts(node->u.scripts.nucleus))
        append_empty(self, out);

    TgNoad *noad = out->last;
    if (node->u.scripts.limits != TG_LIMITS_DEFAULT)
        noad->limits = node->u.scripts.limits;
    if (node->u.scripts.sub != NULL)
        noad->sub = tg_build_field(self, node->u.scripts.sub);
    if (node->u.scripts.sup != NULL)
        noad->sup = tg_build_field(self, node->u.scripts.sup);
}

/* An arrow; those of chemistry have other lengths and labels. */
static void build_any_arrow(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (node->u.arrow.chemistry == 1 || node->u.arrow.form == TG_ARROW_EQUILIBRIUM_RIGHT ||
        node->u.arrow.form == TG_ARROW_EQUILIBRIUM_LEFT)
        tg_build_chemistry_arrow(self, node, out);
    else
        tg_build_arrow(self, node, out);
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

static void build_vcenter(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    tg_append_noad(self, out, TG_NOAD_VCENTER, tg_make_field(self, vcenter_body, node));
}

static void build_style(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    tg_append_style(self, out, 2 * node->u.change.style);
}

static void build_size(TgLayout *self, const TgNode *node, G_GNUC_UNUSED TgNoadList *out)
{
    tg_layout_set_text_size(self, node->u.change.style);
}

/* TeX sets a formula on one line; \\ leaves an empty group there. */
static void build_break(TgLayout *self, G_GNUC_UNUSED const TgNode *node, TgNoadList *out)
{
    append_empty(self, out);
}

static void build_nothing(G_GNUC_UNUSED TgLayout *self, G_GNUC_UNUSED const TgNode *node,
                          G_GNUC_UNUSED TgNoadList *out)
{
}

/* ---- All kinds ------------------------------------------------------------------------------- */

const TgBuildNode tg_builders[TG_N_NODE_KINDS] = {
    [TG_NODE_LIST] = build_group,
    [TG_NODE_SYMBOL] = tg_build_symbol,
    [TG_NODE_OPERATOR] = tg_build_operator,
    [TG_NODE_SCRIPTS] = build_scripts,
    [TG_NODE_SIDESET] = tg_build_sideset,
    [TG_NODE_FRACTION] = tg_build_fraction,
    [TG_NODE_RADICAL] = tg_build_radical,
    [TG_NODE_ACCENT] = tg_build_accent,
    [TG_NODE_STRETCH] = tg_build_stretch,
    [TG_NODE_STACK] = tg_build_stack,
    [TG_NODE_ARROW] = build_any_arrow,
    [TG_NODE_DELIMITED] = tg_build_delimited,
    [TG_NODE_MIDDLE] = tg_build_delimited,
    [TG_NODE_BIG] = tg_build_big,
    [TG_NODE_CLASS] = build_class,
    [TG_NODE_BOLD] = tg_build_bold,
    [TG_NODE_CHOICE] = build_choice,
    [TG_NODE_ARRAY] = tg_build_array,
    [TG_NODE_TEXT] = tg_build_text,
    [TG_NODE_CHAR] = tg_build_text,
    [TG_NODE_MATH] = build_math,
    [TG_NODE_STYLE] = build_style,
    [TG_NODE_SIZE] = build_size,
    [TG_NODE_COLOR] = build_color,
    [TG_NODE_SPACE] = build_space,
    [TG_NODE_BREAK] = build_break,
    [TG_NODE_TAG] = build_nothing,
    [TG_NODE_VCENTER] = build_vcenter,
    [TG_NODE_PHANTOM] = tg_build_box,
    [TG_NODE_LAP] = tg_build_box,
    [TG_NODE_RAISE] = tg_build_box,
    [TG_NODE_ENCLOSE] = tg_build_box,
    [TG_NODE_RULE] = tg_build_box,
    [TG_NODE_ERROR] = tg_build_error,
};
