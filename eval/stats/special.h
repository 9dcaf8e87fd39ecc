/* The functions that p-values and intervals need: special ones, and means. */
#pragma once

#include <glib.h>

/**
 * P(Z <= @z) for a standard normal Z. Relative error below 1e-14 where the result is above 1e-300
 * (as good as the C library's erfc).
 */
double tg_special_normal_cdf(double z);

/**
 * The z with P(Z <= z) = @p; -inf for 0, +inf for 1, NaN outside [0, 1]. Relative error below
 * 1e-15 or so. Source: Wichura (1988), Algorithm AS 241 (PPND16), Applied Statistics 37(3).
 */
double tg_special_normal_quantile(double p);

/**
 * The regularised incomplete beta function I_x(a, b), DLMF 8.17.2.
 *
 * @a, @b: positive
 * @x: in [0, 1]
 * @y: 1 - @x, which callers often know better than the subtraction gives it
 *
 * Returns: the value, in [0, 1]; NaN for arguments outside. The smaller of it and its complement
 * has relative error below 1e-12 for a and b from 0.5 to 1e6, while it is above 1e-290.
 * Source: continued fraction of Didonato and Morris (1992), Algorithm 708, ACM TOMS 18(3), eq. 9,
 * by the method of Lentz; its factor after Loader (2000), Fast and Accurate Computation of Binomial
 * Probabilities, which does not lose digits as a difference of log-gammas does.
 */
double tg_special_beta(double a, double b, double x, double y);

/** P(|T| >= |@t|) for Student's t with @df > 0 degrees of freedom; NaN if @t is. */
double tg_special_student_two_sided(double t, double df);

/**
 * The t with P(|T| <= t) = @level for Student's t with @df > 0 degrees of freedom, by bisection to
 * 12 digits; NaN for a level outside [0, 1).
 */
double tg_special_student_quantile(double level, double df);

/** P(T >= @t) for Student's t with @df > 0 degrees of freedom; NaN if @t is. */
double tg_special_student_upper(double t, double df);

/** P(F >= @f) for Fisher's F with @df1, @df2 > 0 degrees of freedom, @f >= 0. */
double tg_special_f_upper(double f, double df1, double df2);

double tg_stats_mean(const double *values, gsize n);

/** The sum of squared differences from the mean: half of that over all ordered pairs, by @n. */
double tg_stats_squared_deviations(const double *values, gsize n);
