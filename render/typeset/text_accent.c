/* TeX's \accent, and the accents below letters that LaTeX makes with \o@lign. */
#include "render/typeset/text_accent.h"

#include "render/fonts/text_encoding.h"
#include "render/typeset/layout_field.h"

enum { TIE_SLOT = 0x1A };

static TgScaled rounded(double x)
{
    return (TgScaled) (x < 0 ? x - 0.5 : x + 0.5);
}

/* The letter under an accent: i and j lose their dots. */
static gunichar accent_base(gunichar code)
{
    return code == 'i' ? 0x131 : code == 'j' ? 0x237 : code;
}

static TgItem *char_item(TgLayout *self, const TgFont *font, gint slot, guint32 token)
{
    TgItem *item = slot >= 0 ? tg_item_char(&self->arena, font, (guint) slot) : NULL;

    if (item != NULL) {
        item->token = token;
        item->color = self->color;
    }
    return item;
}

/* TeX §1123: centred over the letter, shifted by the slant, raised by the
   excess of its height over an x. */
static TgItem *accent_above(TgLayout *self, const TgTextAccent *accent, TgItem *mark,
                            TgItem *letter)
{
    const TgScaled x_height = accent->font->metrics->params[TG_PARAM_X_HEIGHT];
    const double slant = (double) accent->font->metrics->params[TG_PARAM_SLANT] / 65536.0;
    const TgScaled width = mark->width;
    const TgScaled delta = rounded((double) (letter->width - width) / 2.0 +
                                   (double) letter->height * slant - (double) x_height * slant);
    TgItemList list;

    if (letter->height != x_height) {
        mark = tg_hpack(&self->arena, mark);
        mark->shift = x_height - letter->height;
    }
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(&self->arena, delta));
    tg_item_list_add(&list, mark);
    tg_item_list_add(&list, tg_item_kern(&self->arena, -width - delta));
    tg_item_list_add(&list, letter);
    return list.first;
}

/* LaTeX sets the ring of the letter A separately, at its left end and lower than over others. */
static TgItem *ring_over_a(TgLayout *self, const TgTextAccent *accent, TgItem *ring, TgItem *letter)
{
    const TgMetrics *metrics = accent->font->metrics;
    const TgScaled room = metrics->chars['!'].height - metrics->params[TG_PARAM_X_HEIGHT];
    TgItem *box = tg_hpack(&self->arena, ring);

    box->width = 0;
    box->shift = -tg_xn_over_d(room, 43909, 65536); /* .67 of it */
    box->next = letter;
    return box;
}

/* Under the letter: \c touches its baseline, \d and \b lie .25 ex below its lowest point. */
static TgItem *accent_below(TgLayout *self, const TgTextAccent *accent, TgItem *mark,
                            TgItem *letter)
{
    TgArena *arena = &self->arena;
    const TgScaled x_height = accent->font->metrics->params[TG_PARAM_X_HEIGHT];
    const TgScaled width = letter->width, depth = letter->depth;
    const TgScaled before = tg_half(width - mark->width);
    const TgScaled mark_width = mark->width;
    TgItemList list;

    if (accent->mark != 0x327) {
        const TgScaled top = accent->mark == 0x331 ? x_height / 5 : mark->height;
        mark = tg_hpack(arena, mark);
        mark->shift = depth + x_height / 4 + mark->height;
        mark->height = 0;
        mark->depth = top - mark->shift + depth + x_height / 4;
    }
    tg_item_list_init(&list);
    tg_item_list_add(&list, letter);
    tg_item_list_add(&list, tg_item_kern(arena, before - width));
    tg_item_list_add(&list, mark);
    tg_item_list_add(&list, tg_item_kern(arena, width - before - mark_width));
    TgItem *box = tg_hpack(arena, list.first);
    box->width = width;
    return box;
}

gboolean tg_text_accent_is_below(gunichar mark)
{
    return mark == 0x323 || mark == 0x327 || mark == 0x331;
}

/* The base of the accent; an empty box for \d{}, a box of fixed size for a letter of other scripts.
 */
static TgItem *base_item(TgLayout *self, const TgTextAccent *accent, gunichar letter)
{
    const gboolean mono = accent->font->id >= TG_FONT_MONO && accent->font->id <= TG_FONT_MONO_BOLD;

    if (accent->body != NULL)
        return accent->body;
    if (letter == 0)
        return tg_hpack(&self->arena, NULL);
    TgItem *item = char_item(self, accent->font, tg_text_slot(letter, mono), accent->letter_token);
    if (item == NULL)
        item = tg_unicode_item(self, letter, accent->font->size, accent->letter_token, self->color);
    return item;
}

static TgItem *mark_item(TgLayout *self, const TgTextAccent *accent)
{
    const TgFont *font = accent->font;
    gint slot = tg_text_accent_slot(accent->mark);

    if (accent->mark == 0x323)
        slot = '.';
    else if (accent->mark == 0x331)
        slot = tg_text_accent_slot(0x304);
    else if (accent->mark == 0x361) { /* \t: the tie of the math italics */
        font = tg_layout_companion_font(self, font->size);
        slot = TIE_SLOT;
    }
    return font != NULL ? char_item(self, font, slot, accent->mark_token) : NULL;
}

TgItem *tg_text_accent(TgLayout *self, const TgTextAccent *accent)
{
    const gboolean under = tg_text_accent_is_below(accent->mark);
    const gunichar base = under ? accent->letter : accent_base(accent->letter);
    TgItem *mark = mark_item(self, accent);

    if (mark == NULL || (accent->letter == 0 && !under)) /* \^{}: the accent as a character */
        return mark;

    TgItem *item = base_item(self, accent, base);
    if (under)
        return accent_below(self, accent, mark, item);
    if (accent->mark == 0x30A && accent->letter == 'A')
        return ring_over_a(self, accent, mark, item);
    return accent_above(self, accent, mark, item);
}

TgItem *tg_text_stroked(TgLayout *self, const TgFont *font, gunichar letter, guint32 token)
{
    TgItem *stroke = char_item(self, font, TG_TEXT_STROKE_SLOT, token);
    TgItem *item = char_item(self, font, (gint) letter, token);

    if (stroke == NULL || item == NULL)
        return item;

    const TgCharPair pair = tg_metrics_pair(font->metrics, TG_TEXT_STROKE_SLOT, (guint8) letter);
    const TgScaled kern = pair.kind == TG_PAIR_KERN ? pair.kern : 0;
    const TgScaled before = letter == 'L' ? -stroke->width - kern : 0; /* as wide as the L */
    TgItemList list;
    tg_item_list_init(&list);
    tg_item_list_add(&list, tg_item_kern(&self->arena, before));
    tg_item_list_add(&list, stroke);
    tg_item_list_add(&list, tg_item_kern(&self->arena, kern));
    tg_item_list_add(&list, item);
    return list.first;
}
