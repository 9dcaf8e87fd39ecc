/* One pair through all metrics, with the rule for pairs that cannot be scored. */
#pragma once

#include <texgauge/scorer.h>

#include "eval/results/results.h"

/** A pair on its way to the metrics; everything is borrowed. */
typedef struct {
    TgPair pair;             /**< n_refs is 0 where there is no truth */
    gboolean has_prediction; /**< FALSE: hyp is "" because there is none */
    const char *fault;       /**< why the pair cannot be scored at all; NULL: it can */
    const char *file;        /**< where it comes from, for messages; NULL: no file */
    gsize line;
    gsize row; /**< from 1 */
} TgScoreItem;

/**
 * Score a pair with every metric of the layout.
 *
 * A pair that a metric cannot score gets a status that says why. What it counts as is decided by
 * TgScorerOptions.undefined (by default what each metric says). "Worst" means that it is scored as
 * an empty prediction; where even that fails the truth is at fault, and the pair counts nowhere.
 *
 * With TgScorerOptions.pair_timeout each metric has an equal share of the time that those before
 * left; one that exceeds it cannot score the pair: "too-long".
 *
 * @options: undefined and pair_timeout are read
 * @env: of the calling thread; the caller calls tg_env_next_pair() before
 * @results: one result per metric, made for this layout and used by one thread at a time
 *
 * Returns: FALSE with @error set when the run must stop: a fault of ours, or TG_UNDEFINED_STOP
 */
gboolean tg_score_item(const TgScoreLayout *layout, const TgScorerOptions *options,
                       const TgScoreItem *item, TgEnv *env, TgResult *const *results, TgScores *out,
                       GError **error);

/**
 * Have the formulas of @n pairs drawn by the renderer of @env before they are scored.
 *
 * Returns: FALSE with @error set when the renderer cannot draw at all
 */
gboolean tg_prepare_items(const TgScoreLayout *layout, const TgScoreItem *items, guint n,
                          TgEnv *env, GError **error);
