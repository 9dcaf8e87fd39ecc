/* Sums over a set of pairs, and the values that follow from them. */
#pragma once

#include "core/exact_sum.h"
#include "eval/results/scores.h"

/**
 * The sums from which a set of pairs is pooled. They are exact, so neither the order of pairs nor
 * the way they were split into shards shows.
 */
typedef struct {
    guint64 n_pairs;
    guint64 *n_defined;   /* per column: pairs with a value */
    guint64 *n_failed;    /* per metric: pairs with a status other than "ok" */
    TgExactSum *columns;  /* per column */
    TgExactSum *stats;    /* per statistic */
    guint64 *n_stat_rows; /* per metric: pairs that left statistics */
} TgPooled;

TgPooled *tg_pooled_new(const TgScoreLayout *layout);
void tg_pooled_free(TgPooled *pooled);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgPooled, tg_pooled_free)

void tg_pooled_add(TgPooled *pooled, const TgScoreLayout *layout, const TgScores *scores);

/** Add all pairs of @other. */
void tg_pooled_merge(TgPooled *pooled, const TgScoreLayout *layout, const TgPooled *other);

/** Pairs where the metric has no value and left no statistics: they count nowhere. */
guint64 tg_pooled_n_undefined(const TgPooled *pooled, const TgScoreLayout *layout, guint metric);

/** The value of every column, into @out (n_columns numbers); NaN: undefined. */
void tg_pooled_values(const TgPooled *pooled, const TgScoreLayout *layout, double *out);
