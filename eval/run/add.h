/* More metrics for finished results, without scoring the others again. */
#pragma once

#include "eval/run/run.h"

/**
 * Score the pairs of a complete results file with further metrics, by the rules in its header, and
 * write it anew with both.
 *
 * @metrics: as for tg_metric_new_list(); none of them may be in the file
 * @threads: 0: one per processor; the output does not depend on it
 * @output: the file to write; it may be @path, and is replaced only when all is done
 *
 * Returns: (transfer full) the summary of all metrics, or NULL with TG_ERROR_INPUT (not results, or
 * interrupted), TG_ERROR_USAGE (a metric that is there already), TG_ERROR_OUTPUT
 */
TgSummary *tg_eval_add(const char *path, const char *metrics, const char *output,
                       const TgMergeOptions *options, guint threads, GError **error);
