/* Many tests at once: p-values adjusted so that they may be read one by one. */
#pragma once

#include <glib.h>

/**
 * Holm's step-down adjustment: the chance of any false finding stays below the level that the
 * adjusted values are compared with. Source: Holm (1979), Scandinavian Journal of Statistics 6.
 *
 * @p: [n] p-values; NaN (undefined tests) stay NaN and do not count
 * @adjusted: [n] may be @p
 */
void tg_stats_holm(const double *p, guint n, double *adjusted);

/**
 * Benjamini and Hochberg's step-up adjustment: bounds the share of false findings among all
 * findings of independent tests. Source: Benjamini, Hochberg (1995), JRSS B 57. Arguments as
 * tg_stats_holm().
 */
void tg_stats_benjamini_hochberg(const double *p, guint n, double *adjusted);

/** Either's adjustment of one of several tests. */
typedef struct {
    double holm, benjamini_hochberg;
} TgAdjustedP;

/** Both adjustments of @p, [n]. (transfer full) */
TgAdjustedP *tg_stats_adjust(const double *p, guint n);

/**
 * Draws that a resampling test needs so that Holm's adjustment over @n_tests of them can fall below
 * @alpha: the smallest p-value is 1/(draws + 1). At least @least; otherwise enough that up to three
 * draws may count against the best test, in whole thousands, at most @most.
 */
guint tg_stats_draws_for(guint n_tests, double alpha, guint least, guint most);
