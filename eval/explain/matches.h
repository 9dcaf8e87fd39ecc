/* The elements that CDM and cdm-strict did not accept. */
#pragma once

#include "metrics/metric.h"

/**
 * The explanation of a pair by its elements; as tg_explain_why().
 *
 * @result: of the pair, with CDM's detail
 */
char *tg_explain_matches(const TgMetric *metric, const TgPair *pair, const TgResult *result,
                         guint width, gboolean json);
