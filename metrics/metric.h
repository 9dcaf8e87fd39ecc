/* What the runner needs of a metric beyond the public calls. */
#pragma once

#include <texgauge/registry.h>

/** tg_metric_new() with a label of the caller's choice, which may hold what users' labels may not.
 */
TgMetric *tg_metric_new_as(const char *spec, const char *label, GError **error);

/**
 * tg_metric_score() for a further metric of the same pair: what @env made for the ones before
 * (tokens, drawings) is used again. The caller calls tg_env_next_pair() between pairs.
 */
gboolean tg_metric_score_same_pair(const TgMetric *metric, TgEnv *env, const TgPair *pair,
                                   TgResult *out, GError **error);

/** Whether --renderer concerns @metric. */
gboolean tg_metric_prepares(const TgMetric *metric);

/** Have the formulas of pairs drawn ahead; nothing for metrics that do not want that. */
gboolean tg_metric_prepare(const TgMetric *metric, TgEnv *env, const TgPair *pairs, guint n,
                           GError **error);
