/* Characters, fields and boxes: shared by the constructs of appendix G. */
#include "render/typeset/layout_field.h"

/* ---- Characters ------------------------------------------------------------------------------ */

const TgCharMetrics *tg_fetch(TgLayout *self, const TgField *field, const TgFont **font)
{
    *font = tg_layout_font(self, field->font);
    if (*font == NULL || (*font)->metrics->chars[field->slot].tag == TG_CHAR_ABSENT)
        return NULL;
    return &(*font)->metrics->chars[field->slot];
}

/* Characters of fallback fonts have fixed boxes, so that layout does not depend on installed fonts.
 */
/* Joiners and selectors of variants have no width; marks do, as they stand beside their base. */
static gboolean is_invisible(gunichar code)
{
    return g_unichar_iszerowidth(code) &&
           (!g_unichar_ismark(code) || code == 0x34F || (code >= 0x180B && code <= 0x180F) ||
            (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF));
}

TgItem *tg_unicode_item(TgLayout *self, gunichar code, TgScaled size, guint32 token, guint32 color)
{
    TgItem *item = tg_item_new(&self->arena, TG_ITEM_UNICODE);
    const gboolean wide = g_unichar_iswide(code);

    item->code = code;
    item->token = token;
    item->color = color;
    item->italic = size; /* the size to draw it at */
    if (is_invisible(code))
        return item;
    item->width = wide ? size : size * 6 / 10;
    item->height = wide ? size * 88 / 100 : size * 7 / 10;
    item->depth = wide ? size * 12 / 100 : size * 2 / 10;
    return item;
}

TgItem *tg_char_box(TgLayout *self, const TgFont *font, guint slot, guint32 token, guint32 color)
{
    TgItem *item = tg_item_char(&self->arena, font, slot);

    if (item != NULL) {
        item->token = token;
        item->color = color;
    }
    TgItem *box = tg_hpack(&self->arena, item);
    if (item != NULL)
        box->width += item->italic;
    return box;
}

TgScaled tg_skew(TgLayout *self, const TgField *nucleus)
{
    const TgFont *font;

    if (nucleus->kind != TG_FIELD_CHAR || nucleus->code != 0 ||
        tg_fetch(self, nucleus, &font) == NULL || font->skewchar < 0)
        return 0;

    const TgCharPair pair = tg_metrics_pair(font->metrics, nucleus->slot, (guint8) font->skewchar);
    return pair.kind == TG_PAIR_KERN ? pair.kern : 0;
}

/* ---- Fields ---------------------------------------------------------------------------------- */

TgItem *tg_mlist_to_hlist(TgLayout *self, TgNoad *mlist, int style)
{
    return self->set_mlist(self, mlist, style);
}

TgItem *tg_set_list(TgLayout *self, TgNoad *list, int style)
{
    const int kept = self->style;
    TgItem *items = tg_mlist_to_hlist(self, list, style);

    tg_layout_set_style(self, kept);
    return items;
}

TgItem *tg_make_box(TgLayout *self, const TgField *field, int style)
{
    const int kept = self->style;

    tg_layout_set_style(self, style);
    TgItem *box = field->u.make(self, field->data);
    tg_layout_set_style(self, kept);
    return box;
}

TgItem *tg_clean_box(TgLayout *self, TgField *field, int style)
{
    TgItem *list = NULL;

    switch ((TgFieldKind) field->kind) {
    case TG_FIELD_CHAR: {
        TgNoad *noad = tg_noad_new(&self->arena, TG_NOAD_ORD);
        noad->nucleus = *field;
        list = tg_set_list(self, noad, style);
        break;
    }
    case TG_FIELD_LIST:
        list = tg_set_list(self, field->u.list, style);
        break;
    case TG_FIELD_BOX:
        list = field->u.box;
        break;
    case TG_FIELD_MAKE:
        list = tg_make_box(self, field, style);
        break;
    case TG_FIELD_EMPTY:
        break;
    }

    const gboolean is_box =
        list != NULL && (list->kind == TG_ITEM_HBOX || list->kind == TG_ITEM_VBOX);
    TgItem *box =
        is_box && list->next == NULL && list->shift == 0 ? list : tg_hpack(&self->arena, list);
    /* simplify a trivial box: a character keeps its italic correction in the width only */
    TgItem *first = box->list;
    if (first != NULL && first->kind == TG_ITEM_CHAR && first->next != NULL &&
        first->next->kind == TG_ITEM_KERN && first->next->next == NULL)
        first->next = NULL;
    return box;
}

TgItem *tg_rebox(TgLayout *self, TgItem *box, TgScaled width)
{
    TgArena *arena = &self->arena;

    if (box->width == width || box->list == NULL) {
        box->width = width;
        return box;
    }
    if (box->kind == TG_ITEM_VBOX)
        box = tg_hpack(arena, box);

    TgItemList list;
    TgItem *first = box->list;
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_fil(arena, 1));
    /* a lone character leaves its italic correction behind as a kern */
    if (first->kind == TG_ITEM_CHAR && first->next == NULL && first->width != box->width)
        first->next = tg_item_kern(arena, box->width - first->width);
    tg_item_list_add(&list, first);
    tg_item_list_add(&list, tg_item_fil(arena, 1));
    return tg_hpack_to(arena, list.first, width);
}
