/* Accents of mathematics: \hat, nested ones, wide ones, rows of dots. */
#include "render/typeset/builders.h"

/* Slots of \widehat and \widetilde over bases wider than 2 em (amsfonts). */
enum { WIDE_HAT = 0x62, WIDER_HAT = 0x5B, WIDER_TILDE = 0x5D };

static void set_accent(TgLayout *self, TgNoad *noad, const TgNode *node, guint font, guint slot)
{
    noad->u.accent.font = (guint8) font;
    noad->u.accent.slot = (guint8) slot;
    noad->u.accent.token = tg_ink(self, node->token);
    noad->u.accent.color = self->color;
}

/* An accent over @nucleus, in the font that the alphabet in force gives it. */
static TgNoad *accent_noad(TgLayout *self, const TgNode *node, TgField nucleus)
{
    TgNoad *noad = tg_noad_new(&self->arena, TG_NOAD_ACCENT);
    guint8 slot;
    /* alphabets that are no text fonts have no accents (\noaccents@) */
    const TgAlphabet alphabet = node->alphabet >= TG_ALPHABET_RM && node->alphabet <= TG_ALPHABET_TT
                                    ? node->alphabet
                                    : TG_ALPHABET_DEFAULT;
    const guint font =
        tg_math_font_for(node->u.accent.symbol, alphabet, node->bold == 1 || self->bold, &slot);

    noad->nucleus = nucleus;
    set_accent(self, noad, node, font, slot);
    return noad;
}

/* ---- Nested accents -------------------------------------------------------------------------- */

/* How many nodes below an accent are searched for another one. */
enum { MAX_VISITED = 200 };

static gboolean is_simple_accent(const TgNode *node)
{
    return node->kind == TG_NODE_ACCENT && node->u.accent.symbol != NULL && !node->u.accent.wide &&
           node->u.accent.symbol->family != TG_MATH_FAMILY_NONE;
}

/* Count the accents below @node, not those inside of others; *found is the last of them. */
static guint count_accents(const TgNode *node, const TgNode **found, guint *budget)
{
    TgChildIter iter;
    guint n = 0;

    tg_child_iter_init(&iter, node);
    for (const TgNode *child = tg_child_iter_next(&iter); child != NULL && *budget > 0;
         child = tg_child_iter_next(&iter)) {
        --*budget;
        if (is_simple_accent(child)) {
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
    TgArena *arena = &self->arena;
    const int style = self->style & ~TG_CRAMPED;
    TgField letter = tg_build_field(self, innermost(node)->u.accent.base);
    const TgScaled skew = tg_skew(self, &letter);
    const TgItem *base = tg_clean_box(self, &letter, style);
    TgItem *strut = tg_hpack(arena, NULL);

    strut->width = base->width + 2 * skew;
    strut->height = base->height;
    strut->depth = base->depth;

    const TgHollow before = self->hollow;
    self->hollow = (TgHollow){ innermost(node), strut };
    TgField field =
        tg_list_field(accent_noad(self, node, tg_build_field(self, node->u.accent.base)));
    self->hollow = before;
    TgItem *pile = tg_clean_box(self, &field, style);
    pile->next = tg_item_kern(arena, -strut->width);
    return tg_hpack(arena, pile);
}

/* ---- Wide accents and rows of dots ----------------------------------------------------------- */

static gboolean is_wider_than_2_em(TgLayout *self, const TgNode *base)
{
    self->measuring++;
    const TgItem *box = tg_layout_formula(self, base, TG_TEXT);
    self->measuring--;
    return box->width > 2 * tg_layout_em(self);
}

static void build_wide(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgNoad *noad = accent_noad(self, node, tg_build_field(self, node->u.accent.base));

    /* accents have no width, so inside of a measurement any form will do */
    if (self->measuring == 0 && is_wider_than_2_em(self, node->u.accent.base))
        set_accent(self, noad, node, TG_MATH_AMS_B,
                   node->u.accent.symbol->slot == WIDE_HAT ? WIDER_HAT : WIDER_TILDE);
    tg_noad_list_add(out, noad);
}

/* Three or four full stops above, in a box of negative height, as limits of an operator. */
static void build_dots(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    TgArena *arena = &self->arena;
    const TgFont *font = tg_layout_text_font(self, self->text.font, self->text.size);
    const TgScaled ex = tg_ex_at(self);
    const guint n = node->u.accent.code == 0x20DB ? 3 : 4;
    TgItemList row;
    TgNoadList base;

    tg_item_list_init(&row);
    tg_item_list_add(&row, tg_item_kern(arena, tg_xn_over_d(tg_layout_em(self), 10925, 65536)));
    for (guint i = 0; i < n && font != NULL; i++) {
        TgItem *dot = tg_item_char(arena, font, '.');
        dot->token = tg_ink(self, node->token);
        dot->color = self->color;
        tg_item_list_add(&row, dot);
    }
    TgItem *kern = tg_item_kern(arena, -2 * ex);
    kern->next = tg_hpack(arena, row.first);
    TgItem *dots = tg_vpack(arena, kern);
    dots->height = -(ex + tg_xn_over_d(ex, 26214, 65536));
    dots->depth = 0;

    tg_noad_list_init(&base);
    tg_append_kern(self, &base, 0);
    tg_build_items(self, node->u.accent.base, &base);
    TgNoad *op = tg_noad_new(arena, TG_NOAD_OP);
    op->nucleus = tg_list_field(base.first);
    op->limits = TG_LIMITS_ON;
    op->sup = tg_box_field(dots);
    tg_append_noad(self, out, TG_NOAD_ORD, tg_list_field(op));
}

void tg_build_accent(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    if (node->u.accent.symbol == NULL) { /* a mark that no font of TeX has: behind its base */
        tg_append_noad(self, out, TG_NOAD_ORD, tg_build_field(self, node->u.accent.base));
        TgField mark = tg_char_field(self, TG_MATH_ROMAN, 0, node->token);
        mark.code = node->u.accent.code;
        tg_append_noad(self, out, TG_NOAD_ORD, mark);
    } else if (node->u.accent.symbol->family == TG_MATH_FAMILY_NONE) {
        build_dots(self, node, out);
    } else if (node->u.accent.wide) {
        build_wide(self, node, out);
    } else if (node == self->hollow.accent) {
        tg_noad_list_add(out, accent_noad(self, node, tg_box_field(self->hollow.strut)));
    } else if (self->hollow.accent == NULL && accent_inside(node) != NULL) {
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, nested_accents, node));
        tg_build_items(self, innermost(node)->u.accent.base, out);
    } else {
        tg_noad_list_add(out, accent_noad(self, node, tg_build_field(self, node->u.accent.base)));
    }
}
