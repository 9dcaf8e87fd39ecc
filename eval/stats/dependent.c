#include "eval/stats/dependent.h"

#include <math.h>

#include "eval/stats/special.h"

/* The determinant of the correlation matrix; negative for numbers that no data can have. */
static double determinant(double r12, double r13, double r23)
{
    return 1 - r12 * r12 - r13 * r13 - r23 * r23 + 2 * r12 * r13 * r23;
}

static gboolean is_defined(double r12, double r13, double r23, guint n)
{
    return n > 3 && fabs(r12) <= 1 && fabs(r13) <= 1 && fabs(r23) < 1 &&
           determinant(r12, r13, r23) > -1e-12;
}

static void set_undefined(TgDependentTest *out)
{
    *out = (TgDependentTest){ NAN, NAN, NAN, NAN };
}

static void set_normal(TgDependentTest *out, double z)
{
    *out = (TgDependentTest){
        .statistic = z,
        .df = isnan(z) ? NAN : INFINITY,
        .p_two_sided = 2 * tg_special_normal_cdf(-fabs(z)),
        .p_one_sided = tg_special_normal_cdf(-z),
    };
}

void tg_stats_williams(double r12, double r13, double r23, guint n, TgDependentTest *out)
{
    const double k = MAX(determinant(r12, r13, r23), 0.0), sum = r12 + r13, df = n - 3.0;
    double t;

    set_undefined(out);
    if (!is_defined(r12, r13, r23, n))
        return;
    t = (r12 - r13) * sqrt((n - 1.0) * (1 + r23)) /
        sqrt(2 * k * (n - 1.0) / df + sum * sum / 4 * pow(1 - r23, 3));
    if (isnan(t))
        return;
    *out = (TgDependentTest){
        .statistic = t,
        .df = df,
        .p_two_sided = tg_special_student_two_sided(t, df),
        .p_one_sided = tg_special_student_upper(t, df),
    };
}

void tg_stats_steiger(double r12, double r13, double r23, guint n, TgDependentTest *out)
{
    const double pooled = (r12 + r13) / 2, square = pooled * pooled;
    const double covariance =
        (r23 * (1 - 2 * square) - square * (1 - 2 * square - r23 * r23) / 2) / pow(1 - square, 2);

    set_undefined(out);
    if (is_defined(r12, r13, r23, n))
        set_normal(out, (atanh(r12) - atanh(r13)) * sqrt((n - 3.0) / (2 - 2 * covariance)));
}

void tg_stats_meng(double r12, double r13, double r23, guint n, TgDependentTest *out)
{
    const double square = (r12 * r12 + r13 * r13) / 2;
    const double f = MIN(1.0, (1 - r23) / (2 * (1 - square)));
    const double h = (1 - f * square) / (1 - square);

    set_undefined(out);
    if (is_defined(r12, r13, r23, n))
        set_normal(out, (atanh(r12) - atanh(r13)) * sqrt((n - 3.0) / (2 * (1 - r23) * h)));
}
