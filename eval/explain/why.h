/* Why a metric of edits or of matched elements gave a pair its score. FORTE: explain.h. */
#pragma once

#include "metrics/metric.h"

/**
 * The explanation of a pair: the metric's columns, both sources with the differences marked, and a
 * line for each edit, or for each element without a partner that counts.
 *
 * @metric: one whose texts become tokens that are edited (edit, edit-ops, exprate), or
 *   that matches elements (cdm, cdm-strict)
 * @env: of the calling thread
 * @pair: of several references the one counts that scores best
 *   Edits are those of one best alignment by Levenshtein's distance, whatever the variant
 * @width: of the page in columns; at least 40 are used
 * @json: instead one JSON object without newline
 *
 * Returns: (transfer full) UTF-8, text with a newline at its end; or NULL with @error set to
 *   TG_ERROR_USAGE  @metric does neither
 *   TG_ERROR_PARSE, TG_ERROR_DATA  the pair has no score
 */
char *tg_explain_why(const TgMetric *metric, TgEnv *env, const TgPair *pair, guint width,
                     gboolean json, GError **error);
