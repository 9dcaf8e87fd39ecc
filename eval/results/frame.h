/* Results as a table of Arrow's, for data frames. */
#pragma once

#include <texgauge/arrow.h>

/**
 * A results file as a stream of batches. Its columns: `row` (int64); `id`, `model`, `subset`,
 * `pred` (utf8); `gt` (list of utf8); stored columns (float64 where all values are numbers or null,
 * else utf8, in which what is no text stands as JSON); every column of the metrics (float64, null
 * where undefined); `LABEL.status` of every metric (utf8).
 *
 * Memory holds one batch; with stored columns the file is read twice.
 *
 * @out: (out) to be released by the caller; the file stays open until then
 *
 * Returns: FALSE with the errors of tg_results_open() and tg_results_next()
 */
gboolean tg_results_frame(const char *path, struct ArrowArrayStream *out, GError **error);
