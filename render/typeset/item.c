/* Items and boxes. */
#include "render/typeset/typeset.h"

TgItem *tg_item_new(TgLayout *self, TgItemKind kind)
{
    TgItem *item = tg_arena_alloc(&self->arena, sizeof *item);

    memset(item, 0, sizeof *item);
    item->kind = (guint8) kind;
    item->token = TG_NO_TOKEN;
    return item;
}

TgItem *tg_kern(TgLayout *self, TgScaled amount)
{
    TgItem *item = tg_item_new(self, TG_ITEM_KERN);

    item->width = amount;
    return item;
}

TgItem *tg_fil(TgLayout *self)
{
    TgItem *item = tg_item_new(self, TG_ITEM_KERN);

    item->fil = 1;
    return item;
}

static TgItem *new_ink(TgLayout *self, TgItemKind kind, TgScaled width, TgScaled height,
                       TgScaled depth, TgInk ink)
{
    TgItem *item = tg_item_new(self, kind);

    item->width = width;
    item->height = height;
    item->depth = depth;
    item->token = ink.token;
    item->color = ink.color;
    return item;
}

TgItem *tg_rule(TgLayout *self, TgScaled width, TgScaled height, TgScaled depth, TgInk ink)
{
    return new_ink(self, TG_ITEM_RULE, width, height, depth, ink);
}

TgItem *tg_stroke(TgLayout *self, TgStroke form, TgScaled width, TgScaled height, TgScaled depth,
                  TgInk ink)
{
    TgItem *item = new_ink(self, TG_ITEM_STROKE, width, height, depth, ink);

    item->code = form;
    return item;
}

TgItem *tg_char(TgLayout *self, const TgFont *font, guint slot, TgInk ink)
{
    const TgCharMetrics *metrics = &font->metrics->chars[slot & 0xFF];

    if (metrics->tag == TG_CHAR_ABSENT)
        return NULL;

    TgItem *item =
        new_ink(self, TG_ITEM_CHAR, metrics->width, metrics->height, metrics->depth, ink);
    item->font = font;
    item->code = slot;
    item->italic = metrics->italic;
    return item;
}

TgItem *tg_char_box(TgLayout *self, const TgFont *font, guint slot, TgInk ink)
{
    TgItem *item = tg_char(self, font, slot, ink);
    TgItem *box = tg_hpack(self, item);

    if (item != NULL)
        box->width += item->italic;
    return box;
}

/* Whether a character has no width: joiners and variation selectors. Combining marks have a width,
 * because they are drawn after their base. */
static gboolean is_invisible(gunichar code)
{
    return g_unichar_iszerowidth(code) &&
           (!g_unichar_ismark(code) || code == 0x34F || (code >= 0x180B && code <= 0x180F) ||
            (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF));
}

/* The box is fixed, so that layout does not depend on installed fonts. */
TgItem *tg_unicode(TgLayout *self, gunichar code, TgScaled size, TgInk ink)
{
    TgItem *item =
        is_invisible(code) ? new_ink(self, TG_ITEM_UNICODE, 0, 0, 0, ink)
        : g_unichar_iswide(code)
            ? new_ink(self, TG_ITEM_UNICODE, size, size * 88 / 100, size * 12 / 100, ink)
            : new_ink(self, TG_ITEM_UNICODE, size * 6 / 10, size * 7 / 10, size * 2 / 10, ink);

    item->code = code;
    item->italic = size; /* size for drawing */
    return item;
}

TgItem *tg_box(TgLayout *self, TgItemKind kind, TgItem *list, TgScaled width, TgScaled height,
               TgScaled depth)
{
    TgItem *box = new_ink(self, kind, width, height, depth, TG_NO_INK);

    box->list = list;
    return box;
}

TgItem *tg_empty_box(TgLayout *self, TgScaled width, TgScaled height, TgScaled depth)
{
    return tg_box(self, TG_ITEM_HBOX, NULL, width, height, depth);
}

TgItem *tg_strut(TgLayout *self, TgScaled stretch)
{
    const TgScaled height = tg_xn_over_d(self->now.text.baselineskip, 45875, 65536); /* .7 */
    const TgScaled depth = tg_xn_over_d(self->now.text.baselineskip, 19661, 65536);  /* .3 */

    return tg_empty_box(self, 0, MAX(tg_xn_over_d(height, stretch, 65536), 0),
                        MAX(tg_xn_over_d(depth, stretch, 65536), 0));
}

/* ---- Lists ----------------------------------------------------------------------------------- */

void tg_item_list_add(TgItemList *list, TgItem *item)
{
    if (item == NULL)
        return;
    if (list->last != NULL)
        list->last->next = item;
    else
        list->first = item;
    while (item->next != NULL)
        item = item->next;
    list->last = item;
}

TgItem *tg_chain(TgItem *const *lists, gsize n)
{
    TgItemList all = { NULL, NULL };

    for (gsize i = 0; i < n; i++)
        tg_item_list_add(&all, lists[i]);
    return all.first;
}

/* Give each stretch of the highest order in @list its share of @excess, so that rounding errors do
 * not add up. */
static void stretch_glue(TgItem *list, TgScaled excess)
{
    guint order = 0, n = 0, i = 0;

    for (const TgItem *item = list; item != NULL; item = item->next) {
        if (item->kind != TG_ITEM_KERN || item->fil < order || item->fil == 0)
            continue;
        n = item->fil > order ? 1 : n + 1;
        order = item->fil;
    }
    for (TgItem *item = list; item != NULL && n > 0; item = item->next) {
        if (item->kind == TG_ITEM_KERN && item->fil == order) {
            item->width += excess * (i + 1) / n - excess * i / n;
            i++;
        }
    }
}

void tg_add_line(TgLayout *self, TgItemList *list, TgItem *box, TgLeading *leading)
{
    const TgScaled gap = leading->baselineskip - leading->depth_before - box->height;

    if (leading->depth_before >= 0)
        tg_item_list_add(list,
                         tg_kern(self, gap < leading->lineskiplimit ? leading->lineskip : gap));
    tg_item_list_add(list, box);
    leading->depth_before = box->depth;
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

void tg_box_grow(TgItem *box, const TgItem *list)
{
    for (const TgItem *item = list; item != NULL; item = item->next) {
        box->width += item->width;
        if (item->kind == TG_ITEM_KERN)
            continue;
        box->height = MAX(box->height, item->height - item->shift);
        box->depth = MAX(box->depth, item->depth + item->shift);
    }
}

TgItem *tg_hpack(TgLayout *self, TgItem *list)
{
    TgItem *box = tg_box(self, TG_ITEM_HBOX, list, 0, 0, 0);

    tg_box_grow(box, list);
    return box;
}

TgItem *tg_hpack_to(TgLayout *self, TgItem *list, TgScaled width)
{
    TgItem *box = tg_hpack(self, list);

    stretch_glue(list, width - box->width);
    box->width = width;
    return box;
}

TgItem *tg_vpack(TgLayout *self, TgItem *list)
{
    TgScaled total = 0, depth = 0, width = 0;

    for (const TgItem *item = list; item != NULL; item = item->next) {
        if (item->kind == TG_ITEM_KERN) {
            total += depth + item->width;
            depth = 0;
        } else {
            total += depth + item->height;
            depth = item->depth;
            width = MAX(width, item->width + item->shift);
        }
    }
    return tg_box(self, TG_ITEM_VBOX, list, width, total, depth);
}

TgItem *tg_top_aligned(TgItem *box)
{
    const TgScaled total = box->height + box->depth;
    const TgItem *first = box->list;

    box->height = first != NULL && first->kind != TG_ITEM_KERN ? first->height : 0;
    box->depth = total - box->height;
    return box;
}

TgItem *tg_rebox(TgLayout *self, TgItem *box, TgScaled width)
{
    if (box->width == width || box->list == NULL) {
        box->width = width;
        return box;
    }
    if (box->kind == TG_ITEM_VBOX)
        box = tg_hpack(self, box);

    /* a lone character leaves its italic correction behind as a kern */
    TgItem *first = box->list;
    if (first->kind == TG_ITEM_CHAR && first->next == NULL && first->width != box->width)
        first->next = tg_kern(self, box->width - first->width);
    return tg_hpack_to(self, tg_items(tg_fil(self), first, tg_fil(self)), width);
}
