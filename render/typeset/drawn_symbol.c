/* \vdots, \ddots, \cong and \notin as LaTeX's kernel builds them. */
#include "render/typeset/drawn_symbol.h"

#include <string.h>

/* One of the parts, as `$style symbol$`. */
static TgItem *symbol_box(TgLayout *self, const TgNode *node, guint font, guint slot,
                          TgScaled mu_before)
{
    TgNoadList list;

    tg_noad_list_init(&list);
    if (mu_before != 0)
        tg_append_mu(self, &list, mu_before);
    tg_append_noad(self, &list, TG_NOAD_ORD,
                   tg_char_field(self, font | (self->bold || node->bold == 1 ? TG_MATH_BOLD : 0u),
                                 slot, node->token));
    return tg_hpack(&self->arena, tg_set_list(self, list.first, self->style & ~TG_CRAMPED));
}

/* A full stop of the text font. */
static TgItem *text_dot(TgLayout *self, const TgNode *node)
{
    const TgFont *font = tg_layout_text_font(self, self->text.font, self->text.size);

    if (font == NULL)
        return tg_hpack(&self->arena, NULL);

    TgItem *box = tg_char_box(self, font, '.', tg_ink(self, node->token), self->color);
    box->width -= box->list != NULL ? box->list->italic : 0;
    return box;
}

/* \vbox{\baselineskip4pt \kern6pt \hbox{.}\hbox{.}\hbox{.}} */
static TgItem *vdots(TgLayout *self, const TgNode *node)
{
    TgItemList list;

    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(&self->arena, TG_PT(6)));
    for (guint i = 0; i < 3; i++) {
        TgItem *dot = text_dot(self, node);
        if (i > 0)
            tg_item_list_add(&list,
                             tg_item_kern(&self->arena, TG_PT(4) - dot->depth - dot->height));
        tg_item_list_add(&list, dot);
    }
    return tg_vpack(&self->arena, list.first);
}

/* \mkern1mu \raise7pt\vbox{\kern7pt\hbox{.}} \mkern2mu \raise4pt. \mkern2mu \raise1pt. \mkern1mu */
static TgItem *ddots(TgLayout *self, const TgNode *node)
{
    static const struct {
        TgScaled mu_before, raise;
    } dots[] = { { 1, 7 }, { 2, 4 }, { 2, 1 } };
    TgArena *arena = &self->arena;
    TgItemList list;

    tg_item_list_init(&list);
    for (guint i = 0; i < G_N_ELEMENTS(dots); i++) {
        TgItem *dot = text_dot(self, node);
        if (i == 0) {
            TgItem *above = tg_item_kern(arena, TG_PT(7));
            above->next = dot;
            dot = tg_vpack(arena, above);
        }
        dot->shift = -TG_PT(dots[i].raise);
        tg_item_list_add(
            &list, tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), TG_PT(dots[i].mu_before))));
        tg_item_list_add(&list, dot);
    }
    tg_item_list_add(&list, tg_item_kern(arena, tg_mu_to_sp(tg_layout_mu(self), TG_PT(1))));
    return tg_hpack(arena, list.first);
}

/* \lower.5pt\vbox{\lineskip-.5pt ~ over =} */
static TgItem *cong(TgLayout *self, const TgNode *node)
{
    TgArena *arena = &self->arena;
    TgItem *sim = symbol_box(self, node, TG_MATH_SYMBOLS, 0x18, 0);
    TgItem *equals = symbol_box(self, node, TG_MATH_ROMAN, '=', 0);
    const TgScaled width = MAX(sim->width, equals->width);

    sim = tg_rebox(self, sim, width);
    equals = tg_rebox(self, equals, width);
    sim->next = tg_item_kern(arena, -TG_PT(1) / 2);
    sim->next->next = equals;

    TgItem *box = tg_vpack(arena, sim);
    box->shift = TG_PT(1) / 2;
    return tg_hpack(arena, box);
}

/* \ooalign{\hfil$\mkern1mu/$\hfil\crcr$\in$}: the second row lies on the first. */
static TgItem *notin(TgLayout *self, const TgNode *node)
{
    TgArena *arena = &self->arena;
    TgItem *slash = symbol_box(self, node, TG_MATH_LETTERS, '=', TG_PT(1));
    TgItem *in = symbol_box(self, node, TG_MATH_SYMBOLS, 0x32, 0);
    const TgScaled width = MAX(slash->width, in->width);
    const TgScaled height = slash->height, depth = in->depth;

    slash = tg_rebox(self, slash, width);
    in = tg_hpack_to(arena, in, width);
    slash->next = tg_item_kern(arena, -width);
    slash->next->next = in;

    TgItem *box = tg_hpack(arena, slash);
    box->height = height;
    box->depth = depth;
    return box;
}

TgItem *tg_drawn_symbol(TgLayout *self, const TgNode *node)
{
    const char *name = node->u.symbol.symbol->name;

    if (strcmp(name, "vdots") == 0)
        return vdots(self, node);
    if (strcmp(name, "ddots") == 0)
        return ddots(self, node);
    return strcmp(name, "cong") == 0 ? cong(self, node) : notin(self, node);
}
