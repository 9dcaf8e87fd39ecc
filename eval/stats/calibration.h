/* Tie calibration: how far apart must two values of a metric be to count as different? */
#pragma once

#include <glib.h>

/** What tie calibration finds. */
typedef struct {
    double epsilon; /**< smallest threshold with the highest accuracy; values so close are tied */
    double acc_eq;  /**< that accuracy: the mean over the groups that have pairs */
} TgTieCalibration;

/**
 * The threshold whose ties agree best with the human's, among 0 and every difference between two
 * values of the metric, by acc_eq (see tg_stats_acc_eq()). Source: Deutsch, Foster, Freitag (2023),
 * Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration, EMNLP.
 *
 * Time O(n^2) for a group of n items, about a second for 25,000, a few times that when many
 * thresholds are nearly as good as the best; memory O(n) and 16 MiB, whatever n is.
 *
 * @metric, @human: finite values, group after group; only items of one group are compared
 * @starts: [n_groups + 1] the first item of each group, then the number of items
 *
 * Returns: FALSE, with NaN in @out, when no group has two items or when the metric's values lie
 * further apart than a double can say
 */
gboolean tg_stats_calibrate_ties(const double *metric, const double *human, const guint *starts,
                                 guint n_groups, TgTieCalibration *out);
