/* Pairs of items: which of the two does the human prefer, and does the metric agree? */
#pragma once

#include "eval/stats/ranked.h"

/** All n(n - 1)/2 pairs of items, sorted by what both sides say about them. */
typedef struct {
    guint64 concordant;  /**< both prefer the same item */
    guint64 discordant;  /**< they prefer different ones */
    guint64 human_ties;  /**< tied by the human only */
    guint64 metric_ties; /**< tied by the metric only */
    guint64 both_ties;   /**< tied by both */
} TgPairCounts;

/**
 * Count the pairs of a resample. The metric ties two items when its values differ by @epsilon or
 * less (as doubles), the human when they are equal. O(n log n) time, O(n) memory.
 *
 * @metric, @human: series of the same items
 * @rows, @n: the resample, as in tg_ranked_mid_ranks()
 * @epsilon: 0 or more
 */
void tg_stats_pair_counts(const TgRanked *metric, const TgRanked *human, const guint32 *rows,
                          guint n, double epsilon, TgPairCounts *out);

/**
 * Pairwise accuracy acc_eq: the share of pairs where the metric is right, ties included; NaN
 * without pairs. Source: Deutsch, Foster, Freitag (2023), Ties Matter: Meta-Evaluating Modern
 * Metrics with Pairwise Accuracy and Tie Calibration, EMNLP.
 */
double tg_stats_acc_eq(const TgPairCounts *counts);

/** tau_23 of the same paper, 2 acc_eq - 1: right pairs less wrong ones, in [-1, 1]. */
double tg_stats_tau23(const TgPairCounts *counts);
