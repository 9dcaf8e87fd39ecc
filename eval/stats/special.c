#include "eval/stats/stats.h"

#include <float.h>
#include <math.h>

double tg_special_normal_cdf(double z)
{
    return 0.5 * erfc(-z * M_SQRT1_2);
}

static double horner(const double *coefficients, guint n, double x)
{
    double sum = coefficients[n - 1];

    for (guint i = n - 1; i > 0; i--)
        sum = sum * x + coefficients[i - 1];
    return sum;
}

/* A ratio of two polynomials of degree 7, constant term first. */
typedef struct {
    double above[8], below[8];
} Ratio;

static double ratio(const Ratio *r, double x)
{
    return horner(r->above, 8, x) / horner(r->below, 8, x);
}

/* AS 241: the middle in terms of (p - 1/2)^2, the tails in terms of sqrt(-log p). */
static const Ratio middle = {
    { 3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
      1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
      3.3430575583588128105e4, 2.5090809287301226727e3 },
    { 1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
      2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
      5.2264952788528545610e3 },
};
static const Ratio near_tail = {
    { 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
      3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
      2.27238449892691845833e-2, 7.74545014278341407640e-4 },
    { 1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
      1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
      1.05075007164441684324e-9 },
};
static const Ratio far_tail = {
    { 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
      2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
      2.71155556874348757815e-5, 2.01033439929228813265e-7 },
    { 1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
      7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
      2.04426310338993978564e-15 },
};

double tg_special_normal_quantile(double p)
{
    const double q = p - 0.5;
    double r, z;

    if (!(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p == 0.0 || p == 1.0)
        return copysign(INFINITY, q);
    if (fabs(q) <= 0.425)
        return q * ratio(&middle, 0.180625 - q * q);
    r = sqrt(-log(q < 0.0 ? p : 1.0 - p));
    z = r <= 5.0 ? ratio(&near_tail, r - 1.6) : ratio(&far_tail, r - 5.0);
    return copysign(z, q);
}

/* log(gamma(n + 1)) - log(sqrt(2 pi n) (n/e)^n): what Stirling's formula leaves out; n > 0. */
static double stirling_error(double n)
{
    double sum = 0.0, inv, inv2;

    for (; n < 16.0; n++)
        sum += (n + 0.5) * log1p(1.0 / n) - 1.0;
    inv = 1.0 / n;
    inv2 = inv * inv;
    return sum + inv * (1.0 / 12 -
                        inv2 * (1.0 / 360 -
                                inv2 * (1.0 / 1260 - inv2 * (1.0 / 1680 - inv2 * (1.0 / 1188)))));
}

/* x log(x/m) + m - x without cancellation near x = m (Loader's bd0). */
static double deviance(double x, double m)
{
    const double v = (x - m) / (x + m);
    double term = 2.0 * x * v, sum = (x - m) * v;

    if (fabs(x - m) >= 0.1 * (x + m))
        return x * log(x / m) + m - x;
    for (guint k = 3;; k += 2) {
        double next;

        term *= v * v;
        next = sum + term / k;
        if (next == sum)
            return sum;
        sum = next;
    }
}

/* x^a y^b / B(a, b) */
static double beta_power(double a, double b, double x, double y)
{
    const double n = a + b;

    return sqrt(a * b / (2.0 * G_PI * n)) *
           exp(stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance(a, n * x) -
               deviance(b, n * y));
}

/*
 * I_x(a, b) B(a, b) / (x^a y^b) as the fraction 1/(p0 + q1/(p1 + q2/(p2 + ...))), the even part of
 * DLMF 8.17.22. It takes y beside x, so it loses no digits where x is near 1.
 */
static double beta_fraction(double a, double b, double x, double y)
{
    const double excess = a > b ? (a + b) * y - b : a - (a + b) * x;
    const double p0 = a / (a + 1) * (excess + 1);
    double c = p0, d = 0.0, value = p0;

    /* Some sqrt(max(a, b)) terms are needed; the bound is a guard for absurd arguments. */
    for (guint n = 1; n < 100000; n++) {
        const double a2 = a + 2.0 * n;
        const double q = (a + (n - 1)) * (a + b + (n - 1)) * n * (b - n) * x * x / pow(a2 - 1, 2);
        const double p =
            n + n * (b - n) * x / (a2 - 1) + (a + n) / (a2 + 1) * (excess + 1 + n * (1 + y));

        d = 1.0 / (p + q * d);
        c = p + q / c;
        value *= c * d;
        if (fabs(c * d - 1.0) <= DBL_EPSILON)
            break;
    }
    return 1.0 / value;
}

double tg_special_beta(double a, double b, double x, double y)
{
    if (!(a > 0.0 && b > 0.0 && x >= 0.0 && x <= 1.0 && y >= 0.0 && y <= 1.0))
        return NAN;
    if (x == 0.0 || y == 0.0)
        return x == 0.0 ? 0.0 : 1.0;
    if (x * (a + b + 2.0) > a + 1.0) /* the fraction of the other tail converges faster */
        return 1.0 - beta_power(a, b, x, y) * beta_fraction(b, a, y, x);
    return beta_power(a, b, x, y) * beta_fraction(a, b, x, y);
}

double tg_special_student_two_sided(double t, double df)
{
    const double t2 = t * t;

    if (isinf(t2))
        return df > 0.0 ? 0.0 : NAN;
    return tg_special_beta(df / 2.0, 0.5, df / (df + t2), t2 / (df + t2));
}

double tg_special_student_quantile(double level, double df)
{
    double low = 0.0, high = 1.0;

    if (!(level >= 0.0 && level < 1.0 && df > 0.0))
        return NAN;
    while (tg_special_student_two_sided(high, df) > 1.0 - level && isfinite(high))
        high *= 2.0;
    while (high - low > 1e-12 * high) {
        const double half_way = low + (high - low) / 2.0;

        if (tg_special_student_two_sided(half_way, df) > 1.0 - level)
            low = half_way;
        else
            high = half_way;
    }
    return high;
}

double tg_special_student_upper(double t, double df)
{
    const double tail = 0.5 * tg_special_student_two_sided(t, df);

    return t < 0.0 ? 1.0 - tail : tail;
}

double tg_stats_mean(const double *values, gsize n)
{
    double sum = 0.0;

    for (gsize i = 0; i < n; i++)
        sum += values[i];
    return sum / n;
}

double tg_stats_squared_deviations(const double *values, gsize n)
{
    const double center = tg_stats_mean(values, n);
    double sum = 0.0;

    for (gsize i = 0; i < n; i++)
        sum += (values[i] - center) * (values[i] - center);
    return sum;
}
