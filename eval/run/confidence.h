/* Confidence intervals of pooled values: the pairs of a set, drawn again. */
#pragma once

#include "eval/results/results.h"

/** Pairs of a set, as far as pooling them again needs. */
typedef struct TgKeptPairs TgKeptPairs;

TgKeptPairs *tg_kept_pairs_new(const TgScoreLayout *layout);
void tg_kept_pairs_free(TgKeptPairs *kept);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgKeptPairs, tg_kept_pairs_free)

/** @row: the pair's number in the input; resamples do not depend on the order of adding. */
void tg_kept_pairs_add(TgKeptPairs *kept, guint64 row, const TgScores *scores);

/** Add a page by its value in each column, instead of pairs. */
void tg_kept_pairs_add_value(TgKeptPairs *kept, const double *values);

/** The mean of the pages' values in each column, sums for columns of counts. Returns their number.
 */
guint tg_kept_pairs_mean(const TgKeptPairs *kept, double *out);

/** Add all pairs of @other. */
void tg_kept_pairs_merge(TgKeptPairs *kept, const TgKeptPairs *other);

/** How values are resampled. */
enum { TG_CONFIDENCE_RESAMPLES = 1000 };

/**
 * The values of resamples of the pairs, as tg_pooled_values() has those of all.
 *
 * @out: [TG_CONFIDENCE_RESAMPLES][n_columns]
 */
void tg_kept_pairs_replicate(const TgKeptPairs *kept, guint64 seed, double *out);

/**
 * Percentile intervals at 95 %, NaN where fewer than two resamples are defined.
 *
 * @out: [n_columns]
 */
void tg_confidence_intervals(const double *replicates, guint n_columns, double (*out)[2]);
