/* Slips: several edits that one mistake leaves, as a script that slid to the line. */
#pragma once

#include "metrics/forte/align.h"

/** "moved", "rows exchanged"; "" for TG_FORTE_SLIP_NONE; static. */
const char *tg_forte_slip_name(TgForteSlip slip);

/** Find the slips among the edits of an alignment, number and price them. */
void tg_forte_find_slips(const TgForteTables *tables, const GArray *ref, const GArray *hyp,
                         GArray *edits);
