/* The edits between the tokens of a text metric. */
#pragma once

#include "metrics/metric.h"

/**
 * The explanation of a pair by the edits of one best alignment; as tg_explain_why().
 *
 * @metric: one that has a tg_metric_text_input()
 * @result: of the pair
 */
char *tg_explain_edits(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                       const TgResult *result, guint width, gboolean json, GError **error);
