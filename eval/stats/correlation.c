#include "eval/stats/correlation.h"

#include <math.h>

#include "eval/stats/pairwise.h"
#include "eval/stats/special.h"

enum { KENDALL_EXACT_N = 33 };

const char *tg_correlation_name(TgCorrelationKind kind)
{
    static const char *const names[] = { "pearson", "spearman", "kendall" };

    return names[kind];
}

static double pearson(const double *x, const double *y, guint n)
{
    const double mean_x = tg_stats_mean(x, n), mean_y = tg_stats_mean(y, n);
    double xx = 0.0, yy = 0.0, xy = 0.0, norm;

    for (guint i = 0; i < n; i++) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;

        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    norm = sqrt(xx * yy); /* gives exactly 1 for equal series, but has half the range */
    if (norm == 0.0 || isinf(norm))
        norm = sqrt(xx) * sqrt(yy);
    return norm == 0.0 || isinf(norm) ? NAN : CLAMP(xy / norm, -1.0, 1.0);
}

static double kendall(const TgRanked *x, const TgRanked *y, const guint32 *rows, guint n)
{
    TgPairCounts c;
    double untied_x, untied_y;

    tg_stats_pair_counts(x, y, rows, n, 0.0, &c);
    untied_x = (double) (c.concordant + c.discordant + c.human_ties);
    untied_y = (double) (c.concordant + c.discordant + c.metric_ties);
    return CLAMP(((double) c.concordant - (double) c.discordant) / sqrt(untied_x * untied_y), -1.0,
                 1.0);
}

double tg_stats_correlation(TgCorrelationKind kind, const TgRanked *x, const TgRanked *y,
                            const guint32 *rows, guint n)
{
    g_autofree double *u = NULL;
    g_autofree double *v = NULL;

    if (n < 2 || tg_ranked_is_constant(x, rows, n) || tg_ranked_is_constant(y, rows, n))
        return NAN;
    if (kind == TG_KENDALL)
        return kendall(x, y, rows, n);
    u = g_new(double, n);
    v = g_new(double, n);
    if (kind == TG_SPEARMAN) {
        tg_ranked_mid_ranks(x, rows, n, u);
        tg_ranked_mid_ranks(y, rows, n, v);
    } else {
        for (guint i = 0; i < n; i++) {
            u[i] = tg_ranked_value(x, rows, i);
            v[i] = tg_ranked_value(y, rows, i);
        }
    }
    return pearson(u, v, n);
}

char *tg_stats_undefined(const TgRanked *x, const char *x_name, const TgRanked *y,
                         const char *y_name)
{
    if (x->n < 2)
        return g_strdup_printf("fewer than 2 items (%u)", x->n);
    if (x->n_distinct < 2)
        return g_strdup_printf("all values of %s are equal", x_name);
    if (y->n_distinct < 2)
        return g_strdup_printf("all values of %s are equal", y_name);
    return NULL;
}

/* t^2/(n - 2 + t^2) is r^2, so the p-value needs no division by 1 - r^2. */
static double pearson_p(double r, guint n)
{
    if (isnan(r) || n < 3)
        return NAN;
    return tg_special_beta((n - 2) / 2.0, 0.5, (1.0 - r) * (1.0 + r), r * r);
}

/* Over the groups of equal values, of size c. */
typedef struct {
    double pairs;   /* sum of c(c - 1)/2 */
    double triples; /* sum of c(c - 1)(c - 2) */
    double weights; /* sum of c(c - 1)(2c + 5) */
} TieSums;

static TieSums tie_sums(const TgRanked *series)
{
    g_autofree guint32 *count = g_new0(guint32, series->n_distinct);
    TieSums sums = { 0 };

    for (guint i = 0; i < series->n; i++)
        count[series->rank[i]]++;
    for (guint k = 0; k < series->n_distinct; k++) {
        const double c = count[k];

        sums.pairs += c * (c - 1) / 2;
        sums.triples += c * (c - 1) * (c - 2);
        sums.weights += c * (c - 1) * (2 * c + 5);
    }
    return sums;
}

double tg_stats_kendall_asymptotic_p(const TgRanked *x, const TgRanked *y)
{
    const TieSums tx = tie_sums(x), ty = tie_sums(y);
    const double n = x->n, m = n * (n - 1);
    TgPairCounts c;
    double variance;

    if (x->n_distinct < 2 || y->n_distinct < 2)
        return NAN;
    tg_stats_pair_counts(x, y, NULL, x->n, 0.0, &c);
    variance = (m * (2 * n + 5) - tx.weights - ty.weights) / 18 + 2 * tx.pairs * ty.pairs / m;
    if (x->n > 2)
        variance += tx.triples * ty.triples / (9 * m * (n - 2));
    return erfc(fabs((double) c.concordant - (double) c.discordant) / sqrt(2 * variance));
}

/* Pairs against the order, or in it where those are fewer. */
static guint64 fewer_pairs(const TgRanked *x, const TgRanked *y)
{
    TgPairCounts c;

    tg_stats_pair_counts(x, y, NULL, x->n, 0.0, &c);
    return MIN(c.concordant, c.discordant);
}

gboolean tg_stats_kendall_is_exact(const TgRanked *x, const TgRanked *y)
{
    return x->n > 1 && x->n_distinct == x->n && y->n_distinct == y->n &&
           (x->n <= KENDALL_EXACT_N || fewer_pairs(x, y) <= 1);
}

/*
 * Twice the share of the permutations of n that have at most k inversions. The j-th element is
 * inverted with 0 to j - 1 of those before it, each equally likely: Kendall (1970), section 5.
 */
static double kendall_exact_p(guint n, guint64 k)
{
    double share[KENDALL_EXACT_N * (KENDALL_EXACT_N - 1) / 4 + 1] = { 1.0 }, sum = 0.0;

    if (k <= 1) { /* any n: 1 or n permutations of n! */
        sum = k == 0 ? 2.0 : 2.0 * n;
        for (guint j = 2; j <= n; j++)
            sum /= j;
        return MIN(sum, 1.0);
    }
    for (guint j = 2; j <= n; j++) {
        double before[G_N_ELEMENTS(share)], window = 0.0;

        for (guint64 i = 0; i <= k; i++)
            before[i] = share[i];
        for (guint64 i = 0; i <= k; i++) {
            window = 0.0;
            for (guint64 l = i < j ? 0 : i - j + 1; l <= i; l++)
                window += before[l];
            share[i] = window / j;
        }
    }
    for (guint64 i = 0; i <= k; i++)
        sum += share[i];
    return MIN(2.0 * sum, 1.0);
}

double tg_stats_correlation_p(TgCorrelationKind kind, double coefficient, const TgRanked *x,
                              const TgRanked *y)
{
    if (kind != TG_KENDALL)
        return pearson_p(coefficient, x->n);
    if (tg_stats_kendall_is_exact(x, y))
        return kendall_exact_p(x->n, fewer_pairs(x, y));
    return tg_stats_kendall_asymptotic_p(x, y);
}

void tg_stats_correlation_interval(TgCorrelationKind kind, double coefficient, guint n,
                                   double level, double out[2])
{
    const double z = tg_special_normal_quantile(0.5 + level / 2);
    double variance = NAN;

    if (kind == TG_PEARSON && n > 3)
        variance = 1.0 / (n - 3.0);
    else if (kind == TG_SPEARMAN && n > 3)
        variance = (1.0 + coefficient * coefficient / 2) / (n - 3.0);
    else if (kind == TG_KENDALL && n > 4)
        variance = 0.437 / (n - 4.0);
    out[0] = out[1] = NAN;
    if (fabs(coefficient) < 1.0) {
        out[0] = tanh(atanh(coefficient) - z * sqrt(variance));
        out[1] = tanh(atanh(coefficient) + z * sqrt(variance));
    }
}
