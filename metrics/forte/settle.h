/* What one formula has that counts only against the other. */
#pragma once

#include "metrics/forte/reading/token.h"

/** One side of a comparison: tokens, which may be changed, and what was read beside them. */
typedef struct {
    GArray *tokens; /**< of TgForteToken */
    const TgForteReading *reading;
} TgForteSide;

/**
 * Settle equation numbers and blanks between words before two lists are aligned.
 *
 * A number (\tag) equals the same number in brackets at the end of the other formula; against no
 * number it counts nothing, as the number is the page's; two numbers are compared. Blanks count
 * where both formulas have text: mathematics has none to lose.
 */
void tg_forte_settle(TgForteSide *ref, TgForteSide *hyp);
