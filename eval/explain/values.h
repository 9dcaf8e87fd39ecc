/* The columns of a scored pair, as explanations begin with them. */
#pragma once

#include <jansson.h>

#include "metrics/metric.h"

/** Append the columns of a scored pair: "edit 0.9412  distance 1 ...". */
void tg_explain_append_values(GString *out, const TgMetric *metric, const TgResult *result);

/** The columns as a JSON object. (transfer full) */
json_t *tg_explain_values_json(const TgMetric *metric, const TgResult *result);
