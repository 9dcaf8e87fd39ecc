/* The price list of FORTE's edits. */
#include "metrics/forte/costs.h"

#include <math.h>

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

TgFortePrice tg_forte_price_of_loss(const TgForteCosts *costs, const TgForteToken *token)
{
    switch ((TgForteKind) token->kind) {
    case TG_FORTE_PRIME:
        return price(costs->lose_prime, TG_FORTE_EDIT_SYMBOL);
    case TG_FORTE_DOTS:
        return price(costs->lose_dots, TG_FORTE_EDIT_SYMBOL);
    case TG_FORTE_ACCENT:
        return price(costs->lose_accent, TG_FORTE_EDIT_ACCENT);
    case TG_FORTE_DELIMITER:
        return price(costs->lose_delimiter, TG_FORTE_EDIT_DELIMITER);
    case TG_FORTE_PUNCTUATION:
        return price(costs->lose_punctuation, TG_FORTE_EDIT_PUNCTUATION);
    case TG_FORTE_OPEN:
        return price(costs->lose_fraction, TG_FORTE_EDIT_STRUCTURE);
    case TG_FORTE_SCRIPT:
        return price(costs->lose_script, TG_FORTE_EDIT_STRUCTURE);
    case TG_FORTE_GRID:
        return price(costs->lose_grid, TG_FORTE_EDIT_STRUCTURE);
    case TG_FORTE_ROW:
        return price(costs->lose_row, TG_FORTE_EDIT_STRUCTURE);
    case TG_FORTE_END:
        return price(costs->lose_end, TG_FORTE_EDIT_STRUCTURE);
    case TG_FORTE_CELL:
        return price(costs->lose_cell, TG_FORTE_EDIT_STRUCTURE);
    default:
        return price(costs->lose_symbol, TG_FORTE_EDIT_SYMBOL);
    }
}

static TgFortePrice price_of_font(const TgForteCosts *costs, TgForteFont a, TgForteFont b)
{
    if (MIN(a, b) == TG_FORTE_PLAIN && MAX(a, b) == TG_FORTE_BOLD)
        return price(costs->bold, TG_FORTE_EDIT_STYLE);
    if (MIN(a, b) == TG_FORTE_CALLIGRAPHIC && MAX(a, b) == TG_FORTE_FRAKTUR)
        return price(costs->script_fraktur, TG_FORTE_EDIT_STYLE);
    return price(costs->font, TG_FORTE_EDIT_STYLE);
}

/* Marks of structure and accents, which change only among themselves. */
static gboolean is_structure(guint8 kind)
{
    return kind == TG_FORTE_ACCENT || (kind >= TG_FORTE_SCRIPT && kind <= TG_FORTE_CELL);
}

static TgFortePrice price_of_structure(const TgForteCosts *costs, const TgForteToken *a,
                                       const TgForteToken *b)
{
    if (a->kind == TG_FORTE_SCRIPT && b->kind == TG_FORTE_SCRIPT)
        return price(costs->sub_sup, TG_FORTE_EDIT_STRUCTURE);
    if (a->kind == TG_FORTE_END && b->kind == TG_FORTE_END)
        return price(costs->end, TG_FORTE_EDIT_STRUCTURE);
    if (MIN(a->kind, b->kind) == TG_FORTE_ROW && MAX(a->kind, b->kind) == TG_FORTE_CELL)
        return price(costs->row_cell, TG_FORTE_EDIT_STRUCTURE);
    return price(INFINITY, TG_FORTE_EDIT_STRUCTURE);
}

static gboolean is_letter(guint8 kind)
{
    return kind == TG_FORTE_LATIN || kind == TG_FORTE_GREEK;
}

/* Whether two names are one letter in two cases; Greek ones are told by their first letter. */
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

/* Two symbols of one sort, or of different sorts. */
static TgFortePrice price_of_kinds(const TgForteCosts *costs, guint8 a, guint8 b)
{
    if (a == b && a == TG_FORTE_PUNCTUATION)
        return price(costs->punctuation, TG_FORTE_EDIT_PUNCTUATION);
    if (a == b && a == TG_FORTE_DELIMITER)
        return price(costs->delimiter, TG_FORTE_EDIT_DELIMITER);
    if (a == b && a == TG_FORTE_DOTS)
        return price(costs->dots, TG_FORTE_EDIT_VARIANT);
    if (a == b && a == TG_FORTE_DIGIT)
        return price(costs->digit, TG_FORTE_EDIT_DIGIT);
    if (is_letter(a) && is_letter(b))
        return price(a == b ? costs->letter : costs->alphabet, TG_FORTE_EDIT_LETTER);
    if (is_operator(a) && is_operator(b))
        return price(costs->operator_, TG_FORTE_EDIT_OPERATOR);
    return price(costs->cross_kind, TG_FORTE_EDIT_CROSS_KIND);
}

TgFortePrice tg_forte_price_of_change(const TgForteCosts *costs, const TgForteTables *tables,
                                      const TgForteToken *a, const TgForteToken *b)
{
    if (a->name == b->name && a->kind == b->kind)
        return a->font == b->font
                   ? price(0, TG_FORTE_EDIT_NONE)
                   : price_of_font(costs, (TgForteFont) a->font, (TgForteFont) b->font);

    if ((a->name == TG_FORTE_DEN && b->name == '/') || (a->name == '/' && b->name == TG_FORTE_DEN))
        return price(costs->den_slash, TG_FORTE_EDIT_STRUCTURE);
    if (a->kind == TG_FORTE_ACCENT && b->kind == TG_FORTE_ACCENT)
        return price(costs->accent, TG_FORTE_EDIT_ACCENT);
    if (is_structure(a->kind) || is_structure(b->kind))
        return price_of_structure(costs, a, b);
    if (a->kind == TG_FORTE_OPEN || b->kind == TG_FORTE_OPEN)
        return a->kind == b->kind ? price(costs->fraction_root, TG_FORTE_EDIT_STRUCTURE)
                                  : price(INFINITY, TG_FORTE_EDIT_STRUCTURE);

    const TgFortePair pair = tg_forte_tables_pair(tables, a->name, b->name);
    if (pair == TG_FORTE_VARIANT)
        return price(costs->variant, TG_FORTE_EDIT_VARIANT);
    if (pair == TG_FORTE_LOOK_ALIKE)
        return price(costs->look_alike, TG_FORTE_EDIT_LOOK_ALIKE);
    if (differ_in_case(tables, a, b))
        return price(costs->letter_case, TG_FORTE_EDIT_CASE);
    return price_of_kinds(costs, a->kind, b->kind);
}
