/* What an edit costs in FORTE, and the class that it is reported as. */
#pragma once

#include "metrics/forte/reading/tables.h"

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

/** An edit's price and class. */
typedef struct {
    double cost; /**< infinite: the two may not be aligned */
    TgForteEditClass class;
} TgFortePrice;

/** Losing or adding @token. The prices were set by hand on 100 rated pairs (docs: forte). */
TgFortePrice tg_forte_price_of_loss(const TgForteToken *token);

/** Putting one token for another; symmetric. */
TgFortePrice tg_forte_price_of_change(const TgForteTables *tables, const TgForteToken *a,
                                      const TgForteToken *b);
