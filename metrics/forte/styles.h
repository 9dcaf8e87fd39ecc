/* Letters whose style means something, by the formula itself. */
#pragma once

#include "metrics/forte/align.h"

/**
 * Price the styles of letters that are aligned with themselves, and add the edits that this makes.
 *
 * Upright for italic, bold for plain is habit as long as it is kept: such a letter costs its font's
 * price or nothing. Where the reference has one letter in two styles, those are two symbols; a
 * hypothesis that gives both one style has lost a difference. One that gives one symbol two styles
 * has made one.
 *
 * @edits: of TgForteEdit, from left to right; stays so
 */
void tg_forte_price_styles(const GArray *ref, const GArray *hyp, GArray *edits);
