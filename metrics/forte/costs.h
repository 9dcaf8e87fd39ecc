/* What an edit costs in FORTE, and the class that it is reported as. */
#pragma once

#include "metrics/forte/tables.h"

/** Classes of edits, in the order of the report. */
typedef enum {
    TG_FORTE_EDIT_SYMBOL, /**< lost or added */
    TG_FORTE_EDIT_LETTER,
    TG_FORTE_EDIT_DIGIT,
    TG_FORTE_EDIT_OPERATOR,
    TG_FORTE_EDIT_CROSS_KIND,
    TG_FORTE_EDIT_LOOK_ALIKE,
    TG_FORTE_EDIT_CASE,
    TG_FORTE_EDIT_VARIANT,
    TG_FORTE_EDIT_ACCENT,
    TG_FORTE_EDIT_STRUCTURE,
    TG_FORTE_EDIT_DELIMITER,
    TG_FORTE_EDIT_PUNCTUATION,
    TG_FORTE_EDIT_STYLE,
    TG_N_FORTE_EDITS,
    TG_FORTE_EDIT_NONE = TG_N_FORTE_EDITS, /**< equal tokens */
} TgForteEditClass;

/** "symbol", "cross-kind"; static. */
const char *tg_forte_edit_class_name(TgForteEditClass class);

/**
 * Every cost: member, name of the option, default, meaning.
 * Source: docs/metrics/forte.md, set by hand on 100 rated pairs.
 */
#define TG_FORTE_COSTS(X)                                                                          \
    X(lose_symbol, "lose-symbol", "1", "losing or adding a letter, digit, operator, symbol")       \
    X(lose_prime, "lose-prime", "0.7", "losing or adding a prime")                                 \
    X(lose_dots, "lose-dots", "0.7", "losing or adding dots")                                      \
    X(lose_accent, "lose-accent", "0.9", "losing or adding an accent")                             \
    X(lose_delimiter, "lose-delimiter", "0.6", "losing or adding a delimiter")                     \
    X(lose_punctuation, "lose-punctuation", "0.4", "losing or adding a comma, stop, semicolon")    \
    X(lose_fraction, "lose-fraction", "1", "losing or adding a fraction or root")                  \
    X(lose_script, "lose-script", "0.6", "losing or adding the mark of a script")                  \
    X(lose_grid, "lose-grid", "0.5", "losing or adding the mark of a grid")                        \
    X(lose_row, "lose-row", "0.5", "losing or adding a row break")                                 \
    X(lose_end, "lose-end", "0.3", "losing or adding the end of a structure")                      \
    X(lose_cell, "lose-cell", "0.1", "losing or adding a cell break")                              \
    X(bold, "bold", "0.12", "bold for plain")                                                      \
    X(script_fraktur, "script-fraktur", "0.15", "script for fraktur")                              \
    X(font, "font", "0.35", "any other font for another")                                          \
    X(variant, "variant-pair", "0.25", "a pair of variants")                                       \
    X(accent, "accent", "0.7", "one accent for another")                                           \
    X(den_slash, "den-slash", "0.3", "a slash for a fraction's bar")                               \
    X(sub_sup, "sub-sup", "0.8", "a subscript for a superscript")                                  \
    X(end, "end", "0.3", "one end of a structure for another")                                     \
    X(row_cell, "row-cell", "0.5", "a row break for a cell break")                                 \
    X(fraction_root, "fraction-root", "1.2", "a fraction for a root")                              \
    X(look_alike, "look-alike", "0.5", "a pair of look-alikes")                                    \
    X(letter_case, "case", "0.5", "a letter in the other case")                                    \
    X(punctuation, "punctuation", "0.3", "one punctuation mark for another")                       \
    X(delimiter, "delimiter", "0.7", "one delimiter for another")                                  \
    X(dots, "dots", "0.3", "dots for dots in another direction")                                   \
    X(digit, "digit", "1.2", "one digit for another")                                              \
    X(letter, "letter", "1", "one letter for another of the same alphabet")                        \
    X(alphabet, "alphabet", "1.15", "a Latin letter for a Greek one")                              \
    X(operator_, "operator", "1.2", "one operator, relation or big operator for another")          \
    X(cross_kind, "cross-kind", "1.3", "any other symbol for another")

typedef struct {
#define X(member, name, preset, help) double member;
    TG_FORTE_COSTS(X)
#undef X
} TgForteCosts;

/** An edit's price and class. */
typedef struct {
    double cost; /**< infinite: the two may not be aligned */
    TgForteEditClass class;
} TgFortePrice;

/** Losing or adding @token. */
TgFortePrice tg_forte_price_of_loss(const TgForteCosts *costs, const TgForteToken *token);

/** Putting one token for another; symmetric. */
TgFortePrice tg_forte_price_of_change(const TgForteCosts *costs, const TgForteTables *tables,
                                      const TgForteToken *a, const TgForteToken *b);
