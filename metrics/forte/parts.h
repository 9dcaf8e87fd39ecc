/* Parts in another order: rows, columns, numerator and denominator, sub- and superscript. */
#pragma once

#include "metrics/forte/groups.h"

/** Find the constructs that are aligned with each other and whose parts are in another order. */
void tg_forte_find_parts(TgForteGroups *self);
