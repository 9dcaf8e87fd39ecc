/* Accents (TeX §§738-742, rule 12). */
#include "render/typeset/layout_atom.h"

#include "render/typeset/layout_field.h"

/* The widest form of the accent that is no wider than its base. */
static guint choose_form(const TgMetrics *metrics, guint slot, TgScaled width)
{
    while (metrics->chars[slot].tag == TG_CHAR_NEXT) {
        const guint larger = metrics->chars[slot].rest;

        if (metrics->chars[larger].width > width)
            break;
        slot = larger;
    }
    return slot;
}

/* Scripts of an accented letter hang on the letter, not on the accent. */
static TgItem *base_with_scripts(TgLayout *self, TgNoad *noad)
{
    TgNoad *inner = tg_noad_new(&self->arena, TG_NOAD_ORD);

    inner->nucleus = noad->nucleus;
    inner->sub = noad->sub;
    inner->sup = noad->sup;
    noad->sub = noad->sup = (TgField){ .kind = TG_FIELD_EMPTY };
    noad->nucleus.kind = TG_FIELD_LIST;
    noad->nucleus.u.list = inner;
    return tg_clean_box(self, &noad->nucleus, self->style);
}

void tg_make_accent(TgLayout *self, TgNoad *noad)
{
    TgArena *arena = &self->arena;
    const TgFont *font = tg_layout_font(self, noad->u.accent.font);

    if (font == NULL || font->metrics->chars[noad->u.accent.slot].tag == TG_CHAR_ABSENT)
        return;

    const TgScaled skew = tg_skew(self, &noad->nucleus);
    const gboolean letter = noad->nucleus.kind == TG_FIELD_CHAR;
    const TgField base = noad->nucleus;
    TgItem *box = tg_clean_box(self, &noad->nucleus, tg_cramped(self->style));
    const TgScaled width = box->width;
    TgScaled height = box->height;
    TgScaled delta = MIN(height, font->metrics->params[TG_PARAM_X_HEIGHT]);
    const guint slot = choose_form(font->metrics, noad->u.accent.slot, width);

    if (letter && (noad->sub.kind != TG_FIELD_EMPTY || noad->sup.kind != TG_FIELD_EMPTY)) {
        noad->nucleus = base;
        box = base_with_scripts(self, noad);
        delta += box->height - height;
        height = box->height;
    }

    TgItem *accent = tg_char_box(self, font, slot, noad->u.accent.token, noad->u.accent.color);
    accent->shift = skew + tg_half(width - accent->width);
    accent->width = 0;
    accent->next = tg_item_kern(arena, -delta);
    accent->next->next = box;

    TgItem *out = tg_vpack(arena, accent);
    out->width = box->width;
    if (out->height < height) {
        TgItem *kern = tg_item_kern(arena, height - out->height);
        kern->next = out->list;
        out->list = kern;
        out->height = height;
    }
    noad->nucleus.kind = TG_FIELD_BOX;
    noad->nucleus.u.box = out;
}
