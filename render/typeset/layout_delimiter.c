/* Delimiters that grow (TeX §§706-715, 762; rules 19 and 15e). */
#include "render/typeset/layout_delimiter.h"

#include "render/typeset/layout_field.h"

/* \delimiterfactor and \delimitershortfall of plain TeX. */
enum { DELIMITER_FACTOR = 901 };
#define DELIMITER_SHORTFALL (5 * TG_SP_PER_PT)

typedef struct {
    const TgFont *font;
    guint slot;
    TgScaled extent; /* height plus depth of the best so far */
} Choice;

static TgScaled extent_of(const TgFont *font, guint slot)
{
    return font->metrics->chars[slot].height + font->metrics->chars[slot].depth;
}

/* Walk the chain of sizes from @slot; TRUE when one is large enough or grows without bound. */
static gboolean search_chain(const TgFont *font, guint slot, TgScaled size, Choice *best)
{
    for (;;) {
        const TgCharMetrics *metrics = &font->metrics->chars[slot];

        if (metrics->tag == TG_CHAR_ABSENT)
            return FALSE;
        if (metrics->tag == TG_CHAR_EXTENSIBLE) {
            *best = (Choice){ font, slot, size };
            return TRUE;
        }
        if (extent_of(font, slot) > best->extent) {
            *best = (Choice){ font, slot, extent_of(font, slot) };
            if (best->extent >= size)
                return TRUE;
        }
        if (metrics->tag != TG_CHAR_NEXT)
            return FALSE;
        slot = metrics->rest;
    }
}

/* The fonts of one family from the size in force up to text size. */
static gboolean search_family(TgLayout *self, guint family, guint slot, TgScaled size, Choice *best)
{
    for (gint s = (gint) self->size; s >= 0; s--) {
        const TgFont *font = tg_layout_font_at(self, family, (TgMathSize) s);

        if (font != NULL && search_chain(font, slot, size, best))
            return TRUE;
    }
    return FALSE;
}

/* ---- Characters made of pieces --------------------------------------------------------------- */

/* A pile of pieces, built upwards. */
typedef struct {
    TgLayout *layout;
    const TgFont *font;
    const TgDelimiter *delimiter;
    TgItem *top;     /* the last piece; it heads the vertical list */
    TgScaled height; /* of that piece */
} Pile;

static void stack_piece(Pile *pile, guint slot)
{
    TgItem *box =
        tg_char_box(pile->layout, pile->font, slot, pile->delimiter->token, pile->delimiter->color);

    box->next = pile->top;
    pile->top = box;
    pile->height = box->height;
}

/* Enough repetitions for @size; a font's repeated piece has some extent, but a bound is a bound. */
static guint count_repeats(const TgFont *font, const TgRecipe *recipe, TgScaled size,
                           TgScaled *total)
{
    const TgScaled unit = extent_of(font, recipe->repeat);
    TgScaled sum = 0;

    if (recipe->bottom != 0)
        sum += extent_of(font, recipe->bottom);
    if (recipe->mid != 0)
        sum += extent_of(font, recipe->mid);
    if (recipe->top != 0)
        sum += extent_of(font, recipe->top);

    const TgScaled step = recipe->mid != 0 ? 2 * unit : unit;
    TgScaled n = 0;
    if (unit > 0 && sum < size)
        n = (size - sum + step - 1) / step;
    *total = sum + n * step;
    return (guint) MIN(n, TG_MAX_PIECES);
}

static TgItem *extensible(TgLayout *self, const Choice *choice, const TgDelimiter *delimiter,
                          TgScaled size)
{
    const TgMetrics *metrics = choice->font->metrics;
    const TgRecipe *recipe = &metrics->recipes[metrics->chars[choice->slot].rest];
    Pile pile = { self, choice->font, delimiter, NULL, 0 };
    TgScaled total;
    const guint n = count_repeats(choice->font, recipe, size, &total);

    if (recipe->bottom != 0)
        stack_piece(&pile, recipe->bottom);
    for (guint i = 0; i < n; i++)
        stack_piece(&pile, recipe->repeat);
    if (recipe->mid != 0) {
        stack_piece(&pile, recipe->mid);
        for (guint i = 0; i < n; i++)
            stack_piece(&pile, recipe->repeat);
    }
    if (recipe->top != 0)
        stack_piece(&pile, recipe->top);

    const TgCharMetrics *repeat = &metrics->chars[recipe->repeat];
    TgItem *box = tg_item_new(&self->arena, TG_ITEM_VBOX);
    box->list = pile.top;
    box->width = repeat->width + repeat->italic;
    box->height = pile.height;
    box->depth = total - pile.height;
    return box;
}

/* ---- Interface ------------------------------------------------------------------------------- */

TgItem *tg_var_delimiter(TgLayout *self, const TgDelimiter *delimiter, TgScaled size)
{
    Choice best = { NULL, 0, 0 };
    TgItem *box;

    if (delimiter->present &&
        !search_family(self, delimiter->small_font, delimiter->small_slot, size, &best))
        search_family(self, delimiter->large_font, delimiter->large_slot, size, &best);

    if (best.font == NULL) {
        box = tg_item_new(&self->arena, TG_ITEM_HBOX);
        box->width = self->null_delimiter_space;
    } else if (best.font->metrics->chars[best.slot].tag == TG_CHAR_EXTENSIBLE) {
        box = extensible(self, &best, delimiter, size);
    } else {
        box = tg_char_box(self, best.font, best.slot, delimiter->token, delimiter->color);
    }
    box->shift = tg_half(box->height - box->depth) - tg_axis_height(self);
    return box;
}

TgItem *tg_left_right(TgLayout *self, const TgDelimiter *delimiter, TgScaled height, TgScaled depth)
{
    const TgScaled below = depth + tg_axis_height(self);
    const TgScaled reach = MAX(below, height + depth - below);
    const TgScaled size = MAX(reach / 500 * DELIMITER_FACTOR, reach + reach - DELIMITER_SHORTFALL);

    return tg_var_delimiter(self, delimiter, size);
}
