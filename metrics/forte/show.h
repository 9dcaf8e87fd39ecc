/* FORTE's edits on the typeset formulas. */
#pragma once

#include <texgauge/picture.h>

#include "metrics/forte/detail.h"

/**
 * Draw both formulas and mark each run of edits with its number, where it has ink: what changed on
 * both sides, joined by a line; what was lost or added on one.
 *
 * Returns: FALSE with @error as tg_renderer_draw(), but for TG_ERROR_PARSE: such a side is left
 * without drawing
 */
gboolean tg_forte_show(TgPairPicture *picture, TgRenderer *renderer, const char *ref,
                       const char *hyp, const TgForteComparison *comparison,
                       const TgForteOutcome *outcome, GError **error);
