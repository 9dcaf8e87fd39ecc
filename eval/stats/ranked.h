/* A series of numbers with its ranks, prepared so that any resample of it is ranked in O(n). */
#pragma once

#include <glib.h>

/** A series; constant once made, so any thread may read it. */
typedef struct {
    guint n;          /**< items */
    guint n_distinct; /**< different values among them */
    guint32 *rank;    /**< [n] dense rank of each item, 0 for the smallest value */
    double *value;    /**< [n_distinct] the values, ascending */
} TgRanked;

/** Rank @n finite @values; they are copied. O(n log n). (transfer full) */
TgRanked *tg_ranked_new(const double *values, guint n);
void tg_ranked_free(TgRanked *series);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgRanked, tg_ranked_free)

/**
 * Mid-ranks, from 1, of a resample: equal values share the mean of the ranks they take up.
 *
 * @rows: [n] items by index, repeats allowed; NULL for items 0 to n - 1
 * @out: [n] ranks in the order of @rows
 */
void tg_ranked_mid_ranks(const TgRanked *series, const guint32 *rows, guint n, double *out);

/** Whether a resample has one value only (or none); @rows as in tg_ranked_mid_ranks(). */
gboolean tg_ranked_is_constant(const TgRanked *series, const guint32 *rows, guint n);

/** The dense rank of the @i-th item of a resample. */
static inline guint32 tg_ranked_rank(const TgRanked *series, const guint32 *rows, guint i)
{
    return series->rank[rows != NULL ? rows[i] : i];
}

/** The value of the @i-th item of a resample. */
static inline double tg_ranked_value(const TgRanked *series, const guint32 *rows, guint i)
{
    return series->value[tg_ranked_rank(series, rows, i)];
}
