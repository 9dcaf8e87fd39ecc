/* Slips: several edits that one mistake leaves, as a script that slid to the line. */
#pragma once

#include "metrics/forte/align.h"

/** "moved", "rows exchanged"; "" for TG_FORTE_SLIP_NONE; static. */
const char *tg_forte_slip_name(TgForteSlip slip);

/** Find the slips among the edits of an alignment and number them: the groups of @edits. */
void tg_forte_find_slips(const GArray *ref, const GArray *hyp, GArray *edits);

/** What a slip costs whose edits cost @sum together; never more than @sum. */
double tg_forte_price_of_slip(TgForteSlip slip, double sum);
