/* Symbols: characters, composites such as \neq. */
#include "render/typeset/builders.h"

#include <string.h>

#include "core/deadline.h"
#include "render/fonts/text_encoding.h"
#include "render/typeset/drawn_symbol.h"
#include "render/typeset/text_accent.h"
#include "render/typeset/text_symbol.h"
#include "tokenizer/latex/parse.h"

/* ---- One character --------------------------------------------------------------------------- */

static gboolean has_letter(TgAlphabet alphabet, const TgSymbol *symbol)
{
    if (alphabet == TG_ALPHABET_SCR)
        return g_ascii_isupper((gchar) symbol->slot); /* rsfs has capitals only */
    if (alphabet == TG_ALPHABET_FRAK)
        return g_ascii_isalnum((gchar) symbol->slot);
    return TRUE;
}

static TgField symbol_field(TgLayout *self, const TgNode *node, const TgSymbol *symbol)
{
    TgAlphabet alphabet = node->alphabet;
    guint8 slot;

    if (!has_letter(alphabet, symbol))
        alphabet = TG_ALPHABET_DEFAULT;
    const guint font = tg_math_font_for(symbol, alphabet, node->bold == 1 || self->bold, &slot);
    return tg_char_field(self, font, slot, node->token);
}

static void build_char(TgLayout *self, const TgNode *node, const TgSymbol *symbol, TgNoadList *out)
{
    TgNoad *noad = tg_append_noad(self, out, node->math_class, symbol_field(self, node, symbol));

    if ((symbol->flags & TG_SYMBOL_NO_LIMITS) != 0)
        noad->limits = TG_LIMITS_OFF;
}

/* Whether text takes @code from another font than its own. */
static gboolean has_text_symbol(gunichar code)
{
    if (code < 0x80)
        return strchr("'<>_{|}\\", (int) code) != NULL;
    return code == 0x2026 || code == 0x2423 || tg_text_companion_slot(code) >= 0;
}

/* A sign of text in the style in force, or NULL. */
static TgItem *make_text_symbol(TgLayout *self, const TgNode *node)
{
    const TgNode sign = { .kind = TG_NODE_CHAR,
                          .u.character = { .code = node->u.symbol.code, .named = 1 } };
    TgItem *list = tg_text_symbol(self, sign.u.character.font, self->math->sizes.size[self->size],
                                  &sign, tg_ink(self, node->token));

    return tg_hpack(&self->arena, list);
}

/* A character without a symbol: a letter of the roman text font, or one that no TeX font has. */
static void build_unicode(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const gunichar code = node->u.symbol.code;
    const gint slot = tg_text_slot(code, FALSE);
    const guint bold = node->bold == 1 || self->bold ? TG_MATH_BOLD : 0u;

    if (code == 0x142) { /* \l: the stroke is lost in mathematics */
        tg_append_noad(self, out, TG_NOAD_ORD,
                       tg_char_field(self, TG_MATH_LETTERS | bold, 'l', node->token));
        return;
    }
    if (code == 0x141) {
        const TgFont *font = tg_layout_text_font(self, self->text.font, self->text.size);
        TgItem *items =
            font != NULL ? tg_text_stroked(self, font, 'L', tg_ink(self, node->token)) : NULL;
        tg_append_noad(self, out, TG_NOAD_ORD, tg_box_field(tg_hpack(&self->arena, items)));
        return;
    }
    if (node->alphabet == TG_ALPHABET_RM && has_text_symbol(code)) {
        tg_append_noad(self, out, TG_NOAD_ORD, tg_make_field(self, make_text_symbol, node));
        return;
    }
    TgField field = tg_char_field(self, TG_MATH_ROMAN | bold, (guint) MAX(slot, 0), node->token);
    if (slot < 0)
        field.code = code;
    tg_append_noad(self, out, TG_NOAD_ORD, field);
}

/* ---- Composites ------------------------------------------------------------------------------ */

/* The tree of a composite's definition; parsed once for the life of the layout. */
static const TgNode *composite_root(TgLayout *self, const TgSymbol *symbol)
{
    TgTree *tree = g_hash_table_lookup(self->composites, symbol);

    if (tree == NULL) {
        const TgParseOptions options = { .source = TG_SOURCE_MATH };
        tg_deadline_suspend(); /* it is kept */
        tree = tg_tree_parse(symbol->latex, strlen(symbol->latex), &options, NULL);
        tg_deadline_resume();
        g_return_val_if_fail(tree != NULL, NULL);
        g_hash_table_insert(self->composites, (gpointer) symbol, tree);
    }
    return tg_tree_root(tree);
}

static void build_composite(TgLayout *self, const TgNode *node, const TgSymbol *symbol,
                            TgNoadList *out)
{
    const TgNode *root = composite_root(self, symbol);
    const guint32 token = self->token;
    const gboolean bold = self->bold;

    if (root == NULL)
        return;
    const guint64 budget = self->budget;
    self->token = tg_ink(self, node->token);
    self->bold = self->bold || node->bold == 1;
    tg_build_items(self, root, out);
    self->budget = budget; /* the whole is one node of the formula */
    self->token = token;
    self->bold = bold;
}

/* ---- Interface ------------------------------------------------------------------------------- */

void tg_build_symbol(TgLayout *self, const TgNode *node, TgNoadList *out)
{
    const TgSymbol *symbol = node->u.symbol.symbol;

    if (symbol == NULL) {
        build_unicode(self, node, out);
    } else if (node->u.symbol.chemistry) {
        tg_build_chemistry_sign(self, node, out);
    } else if (symbol->kind == TG_SYMBOL_COMPOSITE) {
        build_composite(self, node, symbol, out);
    } else if (symbol->kind == TG_SYMBOL_DRAWN) {
        tg_append_noad(self, out, symbol->math_class, tg_make_field(self, tg_drawn_symbol, node));
    } else if (symbol->kind == TG_SYMBOL_CHAR) {
        build_char(self, node, symbol, out);
    }
}

TgDelimiter tg_build_delimiter(TgLayout *self, const TgNode *node)
{
    const TgSymbol *symbol = node != NULL ? node->u.symbol.symbol : NULL;

    if (symbol == NULL || (symbol->flags & TG_SYMBOL_DELIMITER) == 0)
        return (TgDelimiter){ .token = TG_NO_TOKEN };

    const guint bold = node->bold == 1 || self->bold ? TG_MATH_BOLD : 0u;
    return (TgDelimiter){ .present = 1,
                          .small_font = (guint8) (symbol->small_family | bold),
                          .small_slot = symbol->small_slot,
                          .large_font = (guint8) (symbol->large_family | bold),
                          .large_slot = symbol->large_slot,
                          .token = tg_ink(self, node->token),
                          .color = self->color };
}
