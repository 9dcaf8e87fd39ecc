/* Characters of text that LaTeX takes from other fonts or draws with rules. */
#include "render/typeset/text_symbol.h"

#include "render/fonts/text_encoding.h"

#define RULE_THICKNESS TG_PT(0.4) /* of \hrule and \vrule */

static TgItem *ink(const TgLayout *self, TgItem *item, guint32 token)
{
    if (item != NULL) {
        item->token = token;
        item->color = self->color;
    }
    return item;
}

static TgScaled parameter(const TgFont *font, guint n, TgScaled factor)
{
    return tg_xn_over_d(font->metrics->params[n], factor, 65536);
}

static TgItem *rule(TgLayout *self, TgScaled width, TgScaled height, guint32 token)
{
    return ink(self, tg_item_rule(&self->arena, width, height, 0), token);
}

/* .06em of space and a line of .3em; with ticks at its ends it is the visible space. */
static TgItem *underscore(TgLayout *self, const TgFont *font, gboolean ticks, guint32 token)
{
    const TgScaled tick = parameter(font, TG_PARAM_X_HEIGHT, 19661); /* .3ex */
    TgItemList list;

    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(&self->arena, parameter(font, TG_PARAM_QUAD, 3932)));
    if (ticks)
        tg_item_list_add(&list, rule(self, RULE_THICKNESS, tick, token));
    tg_item_list_add(&list,
                     rule(self, parameter(font, TG_PARAM_QUAD, 19661), RULE_THICKNESS, token));
    if (ticks)
        tg_item_list_add(&list, rule(self, RULE_THICKNESS, tick, token));
    return list.first;
}

/* Three full stops, a stretch of the font's word space behind each. */
static TgItem *ellipsis(TgLayout *self, const TgFont *font, guint32 token)
{
    TgItemList list;

    tg_item_list_init(&list);
    for (guint i = 0; i < 3; i++) {
        TgItem *stop = ink(self, tg_item_char(&self->arena, font, '.'), token);
        if (stop != NULL)
            tg_item_list_add(&list, stop);
        tg_item_list_add(&list,
                         tg_item_kern(&self->arena, font->metrics->params[TG_PARAM_STRETCH]));
    }
    return list.first;
}

/* The font that has @code when that of the text has not, and the slot there. */
static const TgFont *font_of(TgLayout *self, TgScaled size, const TgNode *node, gboolean bold,
                             gint *slot)
{
    const gunichar code = node->u.character.code;
    const gboolean named = node->u.character.named;

    *slot = (gint) code;
    if (named && (code == '<' || code == '>'))
        return tg_layout_letters_font(self, bold, size);
    if (named && code == '\'')
        return tg_layout_companion_font(self, size);
    if (code >= 0x80 && (*slot = tg_text_companion_slot(code)) >= 0)
        return tg_layout_companion_font(self, size);
    if ((*slot = tg_text_symbol_slot(code)) >= 0)
        return tg_layout_symbol_font(self, size);
    return NULL;
}

TgItem *tg_text_symbol(TgLayout *self, TgTextFont wanted, TgScaled size, const TgNode *node,
                       guint32 token)
{
    const gunichar code = node->u.character.code;
    const TgFont *font;
    gint slot;

    if (code < 0x80 && !node->u.character.named)
        return NULL;
    if (code == '_' || code == 0x2026 || code == 0x2423) {
        font = tg_layout_text_font(self, wanted, size);
        if (font == NULL)
            return NULL;
        return code == 0x2026 ? ellipsis(self, font, token)
                              : underscore(self, font, code == 0x2423, token);
    }
    font = font_of(self, size, node, wanted.bold, &slot);
    return font != NULL ? ink(self, tg_item_char(&self->arena, font, (guint) slot), token) : NULL;
}
