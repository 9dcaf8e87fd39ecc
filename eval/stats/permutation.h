/* Exact p-values of correlations of a few items, by all orders. */
#pragma once

#include "eval/stats/correlation.h"

enum { TG_MAX_PERMUTED = 9 }; /* items: 362,880 orders */

/**
 * Exact two-sided p-value of a coefficient: the share of the n! orders of @y, each equally likely
 * where there is no association, whose coefficient is at least as far from 0 as the observed one.
 * Ties are no obstacle. Source: Kendall, Gibbons (1990), Rank Correlation Methods, 5th ed., ch. 4.
 *
 * @x, @y: series of the same items, at most TG_MAX_PERMUTED of them
 *
 * Returns: the p-value, or NaN for more items, fewer than 2, or a constant series
 */
double tg_stats_permutation_p(TgCorrelationKind kind, const TgRanked *x, const TgRanked *y);
