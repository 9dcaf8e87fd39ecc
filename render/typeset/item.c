/* Items and boxes. */
#include "render/typeset/item.h"

#include <string.h>

#include "tokenizer/tree/tree.h"

TgItem *tg_item_new(TgArena *arena, TgItemKind kind)
{
    TgItem *item = tg_arena_alloc(arena, sizeof *item);

    memset(item, 0, sizeof *item);
    item->kind = (guint8) kind;
    item->token = TG_NO_TOKEN;
    return item;
}

TgItem *tg_item_kern(TgArena *arena, TgScaled amount)
{
    TgItem *item = tg_item_new(arena, TG_ITEM_KERN);

    item->width = amount;
    return item;
}

TgItem *tg_item_fil(TgArena *arena, guint order)
{
    TgItem *item = tg_item_new(arena, TG_ITEM_KERN);

    item->fil = (guint8) order;
    return item;
}

TgItem *tg_item_rule(TgArena *arena, TgScaled width, TgScaled height, TgScaled depth)
{
    TgItem *item = tg_item_new(arena, TG_ITEM_RULE);

    item->width = width;
    item->height = height;
    item->depth = depth;
    return item;
}

TgItem *tg_item_char(TgArena *arena, const TgFont *font, guint slot)
{
    const TgCharMetrics *metrics = &font->metrics->chars[slot & 0xFF];

    if (metrics->tag == TG_CHAR_ABSENT)
        return NULL;

    TgItem *item = tg_item_new(arena, TG_ITEM_CHAR);
    item->font = font;
    item->code = slot;
    item->width = metrics->width;
    item->height = metrics->height;
    item->depth = metrics->depth;
    item->italic = metrics->italic;
    return item;
}

TgScaled tg_list_width(const TgItem *list)
{
    TgScaled width = 0;

    for (const TgItem *item = list; item != NULL; item = item->next)
        width += item->width;
    return width;
}

TgItem *tg_hpack(TgArena *arena, TgItem *list)
{
    TgItem *box = tg_item_new(arena, TG_ITEM_HBOX);

    box->list = list;
    for (const TgItem *item = list; item != NULL; item = item->next) {
        box->width += item->width;
        if (item->kind == TG_ITEM_KERN)
            continue;
        box->height = MAX(box->height, item->height - item->shift);
        box->depth = MAX(box->depth, item->depth + item->shift);
    }
    return box;
}

/* Give each item of the highest order its share of @excess; rounding errors do not add up. */
static void distribute_stretch(TgItem *list, TgScaled excess)
{
    guint order = 0, n = 0, i = 0;

    for (const TgItem *item = list; item != NULL; item = item->next) {
        if (item->kind != TG_ITEM_KERN || item->fil < order || item->fil == 0)
            continue;
        n = item->fil > order ? 1 : n + 1;
        order = item->fil;
    }
    if (n == 0)
        return;
    for (TgItem *item = list; item != NULL; item = item->next) {
        if (item->kind == TG_ITEM_KERN && item->fil == order) {
            item->width += excess * (i + 1) / n - excess * i / n;
            i++;
        }
    }
}

TgItem *tg_hpack_to(TgArena *arena, TgItem *list, TgScaled width)
{
    const TgScaled natural = tg_list_width(list);

    if (natural != width)
        distribute_stretch(list, width - natural);

    TgItem *box = tg_hpack(arena, list);
    box->width = width;
    return box;
}

TgItem *tg_vpack(TgArena *arena, TgItem *list)
{
    TgItem *box = tg_item_new(arena, TG_ITEM_VBOX);
    TgScaled total = 0, depth = 0;

    box->list = list;
    for (const TgItem *item = list; item != NULL; item = item->next) {
        if (item->kind == TG_ITEM_KERN) {
            total += depth + item->width;
            depth = 0;
        } else {
            total += depth + item->height;
            depth = item->depth;
            box->width = MAX(box->width, item->width + item->shift);
        }
    }
    box->height = total;
    box->depth = depth;
    return box;
}

TgItem *tg_vtop(TgArena *arena, TgItem *list)
{
    TgItem *box = tg_vpack(arena, list);
    const TgScaled total = box->height + box->depth;

    box->height = list != NULL && list->kind != TG_ITEM_KERN ? list->height : 0;
    box->depth = total - box->height;
    return box;
}
