/* What FORTE's edits cost: section b.5 of the specification. */
#include "metrics/forte/costs.h"

#include <math.h>
#include <string.h>

const char *tg_forte_edit_class_name(TgForteEditClass class)
{
    static const char *const names[TG_N_FORTE_EDITS + 1] = {
        "symbol",  "letter", "digit",     "operator",  "cross-kind",  "look-alike", "case",
        "variant", "accent", "structure", "delimiter", "punctuation", "style",      "none",
    };

    return names[class];
}

static TgFortePrice price(double cost, TgForteEditClass class)
{
    return (TgFortePrice){ .cost = cost, .class = class };
}

TgFortePrice tg_forte_price_of_loss(const TgForteToken *token)
{
    static const TgFortePrice losses[TG_N_FORTE_KINDS] = {
        [TG_FORTE_DIGIT] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_LATIN] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_GREEK] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_OPERATOR] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_RELATION] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_BIG] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_SYMBOL] = { 1, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_PRIME] = { 0.7, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_DOTS] = { 0.7, TG_FORTE_EDIT_SYMBOL },
        [TG_FORTE_ACCENT] = { 0.9, TG_FORTE_EDIT_ACCENT },
        [TG_FORTE_DELIMITER] = { 0.6, TG_FORTE_EDIT_DELIMITER },
        [TG_FORTE_PUNCTUATION] = { 0.4, TG_FORTE_EDIT_PUNCTUATION },
        [TG_FORTE_OPEN] = { 1, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_SCRIPT] = { 0.6, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_GRID] = { 0.5, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_ROW] = { 0.5, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_END] = { 0.3, TG_FORTE_EDIT_STRUCTURE },
        [TG_FORTE_CELL] = { 0.1, TG_FORTE_EDIT_STRUCTURE },
    };

    if (token->name == TG_FORTE_BLANK)
        return price(0.2, TG_FORTE_EDIT_PUNCTUATION);
    return losses[token->kind];
}

static TgFortePrice price_of_font(TgForteFont a, TgForteFont b)
{
    const guint other = MIN(a, b) == TG_FORTE_PLAIN ? MAX(a, b) : TG_N_FORTE_FONTS;

    if (other == TG_FORTE_BOLD || other == TG_FORTE_SANS || other == TG_FORTE_TYPEWRITER)
        return price(0.12, TG_FORTE_EDIT_STYLE);
    if (MIN(a, b) == TG_FORTE_CALLIGRAPHIC && MAX(a, b) == TG_FORTE_FRAKTUR)
        return price(0.15, TG_FORTE_EDIT_STYLE);
    return price(0.35, TG_FORTE_EDIT_STYLE);
}

/* Marks of structure and accents, which change only among themselves. */
static gboolean is_structure(guint8 kind)
{
    return kind == TG_FORTE_ACCENT || (kind >= TG_FORTE_SCRIPT && kind <= TG_FORTE_CELL);
}

static TgFortePrice price_of_structure(const TgForteToken *a, const TgForteToken *b)
{
    if (a->kind == TG_FORTE_SCRIPT && b->kind == TG_FORTE_SCRIPT)
        return price(0.8, TG_FORTE_EDIT_STRUCTURE);
    if (a->kind == TG_FORTE_END && b->kind == TG_FORTE_END)
        return price(0.3, TG_FORTE_EDIT_STRUCTURE);
    if (MIN(a->kind, b->kind) == TG_FORTE_ROW && MAX(a->kind, b->kind) == TG_FORTE_CELL)
        return price(0.5, TG_FORTE_EDIT_STRUCTURE);
    return price(INFINITY, TG_FORTE_EDIT_STRUCTURE);
}

static gboolean is_letter(guint8 kind)
{
    return kind == TG_FORTE_LATIN || kind == TG_FORTE_GREEK;
}

/* Whether two names are one letter in two cases; Greek ones differ in their first letter. */
static gboolean differ_in_case(const TgForteTables *tables, const TgForteToken *a,
                               const TgForteToken *b)
{
    if (a->kind != b->kind || !is_letter(a->kind))
        return FALSE;
    if (a->name < TG_FORTE_NAMES && b->name < TG_FORTE_NAMES)
        return g_unichar_tolower(a->name) == g_unichar_tolower(b->name);
    if (a->name < TG_FORTE_NAMES || b->name < TG_FORTE_NAMES)
        return FALSE;
    return g_ascii_strcasecmp(tg_forte_tables_text(tables, a->name),
                              tg_forte_tables_text(tables, b->name)) == 0;
}

static gboolean is_operator(guint8 kind)
{
    return kind == TG_FORTE_OPERATOR || kind == TG_FORTE_RELATION || kind == TG_FORTE_BIG;
}

/* Two symbols of the same kind, or of different kinds. */
static TgFortePrice price_of_kinds(guint8 a, guint8 b)
{
    if (a == b && a == TG_FORTE_PUNCTUATION)
        return price(0.3, TG_FORTE_EDIT_PUNCTUATION);
    if (a == b && a == TG_FORTE_DELIMITER)
        return price(0.7, TG_FORTE_EDIT_DELIMITER);
    if (a == b && a == TG_FORTE_DOTS)
        return price(0.3, TG_FORTE_EDIT_VARIANT);
    if (a == b && a == TG_FORTE_DIGIT)
        return price(1.6, TG_FORTE_EDIT_DIGIT);
    if (is_letter(a) && is_letter(b))
        return price(a == b ? 1 : 1.15, TG_FORTE_EDIT_LETTER);
    if (is_operator(a) && is_operator(b))
        return price(1.2, TG_FORTE_EDIT_OPERATOR);
    /* a wrong number, as by a wrong digit */
    if (a == TG_FORTE_DIGIT || b == TG_FORTE_DIGIT)
        return price(1.6, TG_FORTE_EDIT_CROSS_KIND);
    return price(1.3, TG_FORTE_EDIT_CROSS_KIND);
}

static gboolean is_pi(const TgForteTables *tables, const TgForteToken *token)
{
    return token->kind == TG_FORTE_GREEK && token->name >= TG_FORTE_NAMES &&
           token->name < TG_FORTE_STRANGERS &&
           strcmp(tg_forte_tables_text(tables, token->name), "pi") == 0;
}

TgFortePrice tg_forte_price_of_change(const TgForteTables *tables, const TgForteToken *a,
                                      const TgForteToken *b)
{
    if (a->name == b->name && a->kind == b->kind)
        return a->font == b->font ? price(0, TG_FORTE_EDIT_NONE)
                                  : price_of_font((TgForteFont) a->font, (TgForteFont) b->font);

    if ((a->name == TG_FORTE_DEN && b->name == '/') || (a->name == '/' && b->name == TG_FORTE_DEN))
        return price(0.3, TG_FORTE_EDIT_STRUCTURE);
    if (a->kind == TG_FORTE_ACCENT && b->kind == TG_FORTE_ACCENT)
        return price(0.7, TG_FORTE_EDIT_ACCENT);
    if (is_structure(a->kind) || is_structure(b->kind))
        return price_of_structure(a, b);
    if (a->kind == TG_FORTE_OPEN || b->kind == TG_FORTE_OPEN)
        return a->kind == b->kind ? price(1.2, TG_FORTE_EDIT_STRUCTURE)
                                  : price(INFINITY, TG_FORTE_EDIT_STRUCTURE);

    const TgFortePair pair = tg_forte_tables_pair(tables, a->name, b->name);
    if (pair == TG_FORTE_VARIANT)
        return price(0.25, TG_FORTE_EDIT_VARIANT);
    if (pair == TG_FORTE_LOOK_ALIKE)
        return price(0.5, TG_FORTE_EDIT_LOOK_ALIKE);
    if (differ_in_case(tables, a, b))
        return price(0.5, TG_FORTE_EDIT_CASE);
    if (is_letter(a->kind) && is_letter(b->kind) && (is_pi(tables, a) || is_pi(tables, b)))
        return price(1.6, TG_FORTE_EDIT_LETTER); /* a number, too */
    return price_of_kinds(a->kind, b->kind);
}
