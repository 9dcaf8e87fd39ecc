/* One record through all metrics, with the rule for pairs that cannot be scored. */
#pragma once

#include "datasets/records/record.h"
#include "eval/results/scores.h"

/**
 * Score a record with every metric of the layout.
 *
 * A pair that a metric cannot score gets a status that says why. What it counts as is decided by
 * @undefined (TG_UNDEFINED_DEFAULT: what each metric says). "Worst" means that it is scored as an
 * empty prediction; where even that fails the truth is at fault, and the pair counts nowhere.
 *
 * @results: one result per metric, made for this layout and used by one thread at a time
 * @failed: (out) whether any metric's status is other than "ok"
 *
 * Returns: FALSE with @error set when the run must stop: a fault of ours, or TG_UNDEFINED_STOP
 */
gboolean tg_score_record(const TgScoreLayout *layout, TgUndefined undefined, const TgRecord *record,
                         TgEnv *env, TgResult *const *results, TgScores *out, gboolean *failed,
                         GError **error);

/** That @renderer concerns a metric of the layout; FALSE with TG_ERROR_USAGE. */
gboolean tg_check_renderer(const TgScoreLayout *layout, TgRendererChoice renderer, GError **error);

/**
 * Have the formulas of @n records drawn ahead by the renderer of @env, before they are scored.
 *
 * Returns: FALSE with @error set when the renderer cannot draw at all
 */
gboolean tg_prepare_records(const TgScoreLayout *layout, const TgRecord *records, guint n,
                            TgEnv *env, GError **error);
