/* What made the numbers of a table, beside it: signatures of metrics. */
#pragma once

#include "eval/grid/grid.h"
#include "eval/results/scores.h"

/** An object with the whole signature of each metric by its label. (transfer full) */
json_t *tg_signatures_json(const TgScoreLayout *layout);

/** Add a note to @grid: each metric with the options that are not its presets, and its version.
 * Checksums of files are in the JSON alone. */
void tg_signatures_note(TgGrid *grid, const TgScoreLayout *layout);
