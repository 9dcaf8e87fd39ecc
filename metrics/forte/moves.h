/* Sub-expressions that stand elsewhere. */
#pragma once

#include "metrics/forte/groups.h"

/** Find what moved within a list, or was exchanged: also where the tokens are aligned otherwise. */
void tg_forte_find_moves(TgForteGroups *self);
