/* Which of two metrics correlates better with the same human scores? */
#pragma once

#include <glib.h>

/** A test of r12 = r13, where 1 is the human and 2, 3 are metrics on the same items. */
typedef struct {
    double statistic;   /**< positive where r12 is higher; NaN where undefined, as are both p */
    double df;          /**< degrees of freedom of t; infinite for a normal statistic */
    double p_two_sided; /**< against r12 = r13 */
    double p_one_sided; /**< against r12 <= r13 */
} TgDependentTest;

/*
 * @r12, @r13: correlation of each metric with the human; @r23: between the metrics; @n: items.
 * Undefined (NaN) for n < 4, for metrics that agree perfectly (r23 = 1), and for three numbers that
 * no data can have.
 */

/**
 * Williams (1959), The Comparison of Regression Variables, JRSS B 21; as Steiger (1980), Tests for
 * Comparing Elements of a Correlation Matrix, Psychological Bulletin 87, eq. 7. For Pearson's r.
 */
void tg_stats_williams(double r12, double r13, double r23, guint n, TgDependentTest *out);

/** Steiger (1980), eq. 14: Fisher's z with the pooled coefficient in its covariance. */
void tg_stats_steiger(double r12, double r13, double r23, guint n, TgDependentTest *out);

/** Meng, Rosenthal, Rubin (1992), Comparing Correlated Correlation Coefficients, eq. 1. */
void tg_stats_meng(double r12, double r13, double r23, guint n, TgDependentTest *out);
