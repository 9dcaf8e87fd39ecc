/* From math list to horizontal list: the two passes of appendix G (TeX §§719-767). */
#include "render/typeset/mlist.h"

#include "core/deadline.h"
#include "render/typeset/layout_atom.h"
#include "render/typeset/layout_delimiter.h"
#include "render/typeset/layout_field.h"

/* How far something reaches from its baseline. */
typedef struct {
    TgScaled height, depth;
} Extent;

/* A field that is one character: the character, and a kern for its italic correction unless a
   subscript follows; *delta is then the move of a superscript to the right. */
static TgItem *char_nucleus(TgLayout *self, TgNoad *noad, TgScaled *delta)
{
    const TgField *nucleus = &noad->nucleus;
    const TgFont *font;

    *delta = 0;
    if (nucleus->code != 0)
        return tg_unicode_item(self, nucleus->code, self->math->sizes.size[self->size],
                               nucleus->token, nucleus->color);
    if (tg_fetch(self, nucleus, &font) == NULL)
        return NULL;

    TgItem *item = tg_item_char(&self->arena, font, nucleus->slot);
    item->token = nucleus->token;
    item->color = nucleus->color;
    *delta = item->italic;
    if (noad->in_word && font->metrics->params[TG_PARAM_SPACE] != 0)
        *delta = 0; /* no italic correction in mid-word of a text font */
    if (noad->sub.kind == TG_FIELD_EMPTY && *delta != 0) {
        item->next = tg_item_kern(&self->arena, *delta);
        *delta = 0;
    }
    return item;
}

/* ---- First pass ------------------------------------------------------------------------------ */

/* Letters of one font in a row: kern or join them as that font's program says (TeX's make_ord). */
static void make_ord(TgLayout *self, TgNoad *noad)
{
    TgNoad *next = noad->next;
    const TgFont *font;

    if (noad->sub.kind != TG_FIELD_EMPTY || noad->sup.kind != TG_FIELD_EMPTY ||
        noad->nucleus.kind != TG_FIELD_CHAR || noad->nucleus.code != 0 || next == NULL ||
        next->type > TG_NOAD_PUNCT || next->nucleus.kind != TG_FIELD_CHAR ||
        next->nucleus.code != 0 || next->nucleus.font != noad->nucleus.font)
        return;
    noad->in_word = 1;
    if (tg_fetch(self, &noad->nucleus, &font) == NULL)
        return;

    const TgCharPair pair = tg_metrics_pair(font->metrics, noad->nucleus.slot, next->nucleus.slot);
    if (pair.kind == TG_PAIR_KERN) {
        TgNoad *kern = tg_noad_new(&self->arena, TG_NOAD_ITEM);
        kern->u.item = tg_item_kern(&self->arena, pair.kern);
        kern->next = next;
        noad->next = kern;
    } else if (pair.kind == TG_PAIR_LIGATURE && pair.op == 0) {
        noad->nucleus.slot = pair.character;
        noad->sub = next->sub;
        noad->sup = next->sup;
        noad->next = next->next;
        noad->in_word = 0;
        make_ord(self, noad);
    }
}

static void grow_extent(Extent *extent, const TgItem *list)
{
    for (const TgItem *item = list; item != NULL; item = item->next) {
        if (item->kind == TG_ITEM_KERN)
            continue;
        extent->height = MAX(extent->height, item->height - item->shift);
        extent->depth = MAX(extent->depth, item->depth + item->shift);
    }
}

/* The nucleus as a horizontal list, scripts attached. */
static void finish_noad(TgLayout *self, TgNoad *noad, TgScaled delta)
{
    switch ((TgFieldKind) noad->nucleus.kind) {
    case TG_FIELD_CHAR:
        noad->hlist = char_nucleus(self, noad, &delta);
        break;
    case TG_FIELD_BOX:
        noad->hlist = noad->nucleus.u.box;
        break;
    case TG_FIELD_MAKE:
        noad->hlist = tg_make_box(self, &noad->nucleus, self->style);
        break;
    case TG_FIELD_LIST:
        noad->hlist = tg_hpack(&self->arena, tg_set_list(self, noad->nucleus.u.list, self->style));
        break;
    case TG_FIELD_EMPTY:
        noad->hlist = NULL;
        break;
    }
    if (noad->sub.kind != TG_FIELD_EMPTY || noad->sup.kind != TG_FIELD_EMPTY)
        tg_make_scripts(self, noad, delta);
}

/* Set one atom; the delta of an operator is its italic correction. */
static void set_atom(TgLayout *self, TgNoad *noad)
{
    TgScaled delta = 0;

    switch ((TgNoadType) noad->type) {
    case TG_NOAD_FRACTION:
        tg_make_fraction(self, noad);
        return;
    case TG_NOAD_OP:
        delta = tg_make_operator(self, noad);
        if (noad->limits == TG_LIMITS_ON)
            return;
        break;
    case TG_NOAD_ORD:
        make_ord(self, noad);
        break;
    case TG_NOAD_RADICAL:
        tg_make_radical(self, noad);
        break;
    case TG_NOAD_OVER:
        tg_make_over(self, noad);
        break;
    case TG_NOAD_UNDER:
        tg_make_under(self, noad);
        break;
    case TG_NOAD_ACCENT:
        tg_make_accent(self, noad);
        break;
    case TG_NOAD_VCENTER:
        tg_make_vcenter(self, noad);
        break;
    default:
        break;
    }
    finish_noad(self, noad, delta);
}

/* Whether a Bin behind an atom of type @before cannot be one. */
static gboolean bin_is_ord_after(guint before)
{
    switch (before) {
    case TG_NOAD_BIN:
    case TG_NOAD_OP:
    case TG_NOAD_REL:
    case TG_NOAD_OPEN:
    case TG_NOAD_PUNCT:
    case TG_NOAD_LEFT:
        return TRUE;
    default:
        return FALSE;
    }
}

static gboolean bin_is_ord_before(guint after)
{
    return after == TG_NOAD_REL || after == TG_NOAD_CLOSE || after == TG_NOAD_PUNCT ||
           after == TG_NOAD_RIGHT || after == TG_NOAD_MIDDLE;
}

/* Put the alternative of a \mathchoice in its place. */
static void splice_choice(TgLayout *self, TgNoad *choice)
{
    TgNoad *list = choice->u.choice[self->style / 2];
    TgNoad **end = &list;

    while (*end != NULL)
        end = &(*end)->next;
    *end = choice->next;
    choice->next = list;
}

/* Glue and kerns become kerns; in math units they depend on the style. */
static TgItem *space_item(TgLayout *self, const TgNoad *noad)
{
    if (noad->u.space.nonscript && self->size != TG_MATH_TEXT)
        return NULL;

    TgItem *item = tg_item_kern(
        &self->arena, noad->u.space.mu ? tg_mu_to_sp(tg_layout_mu(self), noad->u.space.amount)
                                       : noad->u.space.amount);
    item->fil = noad->u.space.fil;
    return item;
}

static Extent first_pass(TgLayout *self, TgNoad *mlist)
{
    Extent extent = { 0, 0 };
    TgNoad *before = NULL;
    guint before_type = TG_NOAD_OP;

    for (TgNoad *noad = mlist; noad != NULL && !tg_too_long(30); noad = noad->next) {
        switch ((TgNoadType) noad->type) {
        case TG_NOAD_STYLE:
            tg_layout_set_style(self, noad->style);
            continue;
        case TG_NOAD_CHOICE:
            splice_choice(self, noad);
            continue;
        case TG_NOAD_SPACE:
            noad->hlist = space_item(self, noad);
            continue;
        case TG_NOAD_ITEM:
            noad->hlist = noad->u.item;
            grow_extent(&extent, noad->hlist);
            continue;
        default:
            break;
        }
        if (noad->type == TG_NOAD_BIN && bin_is_ord_after(before_type))
            noad->type = TG_NOAD_ORD;
        if (before_type == TG_NOAD_BIN && bin_is_ord_before(noad->type))
            before->type = TG_NOAD_ORD;
        if (noad->type < TG_NOAD_LEFT || noad->type > TG_NOAD_RIGHT) {
            set_atom(self, noad);
            grow_extent(&extent, noad->hlist);
        }
        before = noad;
        before_type = noad->type;
    }
    if (before_type == TG_NOAD_BIN)
        before->type = TG_NOAD_ORD;
    return extent;
}

/* ---- Second pass ----------------------------------------------------------------------------- */

/* The class that decides the space around an atom, 0 to 7. */
static guint spacing_class(const TgNoad *noad)
{
    switch ((TgNoadType) noad->type) {
    case TG_NOAD_FRACTION:
        return TG_CLASS_INNER;
    case TG_NOAD_LEFT:
        return TG_CLASS_OPEN;
    case TG_NOAD_MIDDLE:
    case TG_NOAD_RIGHT:
        return TG_CLASS_CLOSE;
    default:
        return noad->type <= TG_NOAD_INNER ? noad->type : (guint) TG_CLASS_ORD;
    }
}

static TgItem *second_pass(TgLayout *self, TgNoad *mlist, int style, Extent extent)
{
    TgItemList out;
    gint before = -1;

    tg_item_list_init(&out);
    tg_layout_set_style(self, style);
    for (TgNoad *noad = mlist; noad != NULL && !tg_too_long(10); noad = noad->next) {
        switch ((TgNoadType) noad->type) {
        case TG_NOAD_STYLE:
            tg_layout_set_style(self, noad->style);
            continue;
        case TG_NOAD_CHOICE:
            continue;
        case TG_NOAD_SPACE:
        case TG_NOAD_ITEM:
            tg_item_list_add(&out, noad->hlist);
            continue;
        case TG_NOAD_LEFT:
        case TG_NOAD_MIDDLE:
        case TG_NOAD_RIGHT: {
            /* the delimiters take the size of the style that their list began in */
            const int here = self->style;
            tg_layout_set_style(self, style);
            noad->hlist = tg_left_right(self, &noad->u.delimiter, extent.height, extent.depth);
            tg_layout_set_style(self, here);
            break;
        }
        default:
            break;
        }
        const guint class = spacing_class(noad);
        if (before >= 0) {
            const TgScaled space = tg_atom_space((guint) before, class, self->style);
            if (space != 0)
                tg_item_list_add(
                    &out, tg_item_kern(&self->arena, tg_mu_to_sp(tg_layout_mu(self), space)));
        }
        tg_item_list_add(&out, noad->hlist);
        before = (gint) class;
    }
    return out.first;
}

TgItem *tg_set_mlist(TgLayout *self, TgNoad *mlist, int style)
{
    tg_layout_set_style(self, style);
    const Extent extent = first_pass(self, mlist);

    return second_pass(self, mlist, style, extent);
}
