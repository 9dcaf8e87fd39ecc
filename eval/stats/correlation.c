/* Correlation: ranks, pairs of items, coefficients, their p-values and comparisons. */
#include "eval/stats/stats.h"

#include <math.h>
#include <stdlib.h>

#include "core/random.h"

/* ---- ranks ---- */

typedef struct {
    double value;
    guint32 item;
} Entry;

TgRanked *tg_ranked_new(const double *values, guint n)
{
    TgRanked *series = g_new0(TgRanked, 1);
    g_autofree Entry *entries = g_new(Entry, n);

    for (guint i = 0; i < n; i++) {
        g_assert(isfinite(values[i]));
        entries[i] = (Entry){ values[i], i };
    }
    if (n > 1)
        qsort(entries, n, sizeof *entries, tg_stats_compare); /* equal values get equal ranks */
    series->n = n;
    series->rank = g_new(guint32, n);
    series->value = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        if (i == 0 || entries[i].value > entries[i - 1].value)
            series->value[series->n_distinct++] = entries[i].value;
        series->rank[entries[i].item] = series->n_distinct - 1;
    }
    return series;
}

void tg_ranked_free(TgRanked *series)
{
    if (series == NULL)
        return;
    g_free(series->rank);
    g_free(series->value);
    g_free(series);
}

void tg_ranked_mid_ranks(const TgRanked *series, const guint32 *rows, guint n, double *out)
{
    g_autofree guint32 *count = g_new0(guint32, series->n_distinct);
    g_autofree double *mid = g_new(double, series->n_distinct);
    double below = 0.0;

    for (guint i = 0; i < n; i++)
        count[tg_ranked_rank(series, rows, i)]++;
    for (guint k = 0; k < series->n_distinct; k++) {
        mid[k] = below + (count[k] + 1) / 2.0;
        below += count[k];
    }
    for (guint i = 0; i < n; i++)
        out[i] = mid[tg_ranked_rank(series, rows, i)];
}

/* Whether a resample has one value only, or none. */
static gboolean is_constant(const TgRanked *series, const guint32 *rows, guint n)
{
    for (guint i = 1; i < n; i++) {
        if (tg_ranked_rank(series, rows, i) != tg_ranked_rank(series, rows, 0))
            return FALSE;
    }
    return TRUE;
}

/* ---- pairs of items ---- */

/* Items of a resample in ascending order of the metric, by counting; (transfer full). */
static guint32 *order_by_rank(const TgRanked *series, const guint32 *rows, guint n)
{
    g_autofree guint32 *next = g_new0(guint32, series->n_distinct + 1);
    guint32 *order = g_new(guint32, n);

    for (guint i = 0; i < n; i++)
        next[tg_ranked_rank(series, rows, i) + 1]++;
    for (guint k = 0; k < series->n_distinct; k++)
        next[k + 1] += next[k];
    for (guint i = 0; i < n; i++)
        order[next[tg_ranked_rank(series, rows, i)]++] = i;
    return order;
}

/*
 * Walk up the metric's values. What lies more than epsilon below the current item is `under` it,
 * what lies between is tied with it; both are counted by the human's rank. The counts `under` are
 * a tree of which any prefix is summed in O(log n): Fenwick (1994).
 */
void tg_stats_pair_counts(const TgRanked *metric, const TgRanked *human, const guint32 *rows,
                          guint n, double epsilon, TgPairCounts *out)
{
    g_autofree guint32 *order = order_by_rank(metric, rows, n);
    g_autofree guint32 *under = g_new0(guint32, human->n_distinct + 1);
    g_autofree guint32 *under_at = g_new0(guint32, human->n_distinct);
    g_autofree guint32 *tied_at = g_new0(guint32, human->n_distinct);
    guint n_under = 0;

    *out = (TgPairCounts){ 0 };
    for (guint i = 0; i < n; i++) {
        const guint32 rank = tg_ranked_rank(human, rows, order[i]);
        const double value = tg_ranked_value(metric, rows, order[i]);
        guint64 lower = 0;

        while (value - tg_ranked_value(metric, rows, order[n_under]) > epsilon) {
            const guint32 passed = tg_ranked_rank(human, rows, order[n_under++]);

            for (guint32 k = passed + 1; k <= human->n_distinct; k += k & -k)
                under[k]++;
            under_at[passed]++;
            tied_at[passed]--;
        }
        for (guint32 k = rank; k > 0; k -= k & -k)
            lower += under[k];
        out->concordant += lower;
        out->human_ties += under_at[rank];
        out->discordant += n_under - lower - under_at[rank];
        out->both_ties += tied_at[rank];
        out->metric_ties += i - n_under - tied_at[rank];
        tied_at[rank]++;
    }
}

static guint64 all_pairs(const TgPairCounts *c)
{
    return c->concordant + c->discordant + c->human_ties + c->metric_ties + c->both_ties;
}

double tg_stats_acc_eq(const TgPairCounts *counts)
{
    const guint64 all = all_pairs(counts);

    return all == 0 ? NAN : (double) (counts->concordant + counts->both_ties) / (double) all;
}

double tg_stats_tau23(const TgPairCounts *counts)
{
    const guint64 all = all_pairs(counts), right = counts->concordant + counts->both_ties;

    return all == 0 ? NAN : ((double) right - (double) (all - right)) / (double) all;
}

static int compare_sizes(const void *a, const void *b)
{
    const double x = fabs(*(const double *) a), y = fabs(*(const double *) b);

    return (x > y) - (x < y);
}

/*
 * The accuracy changes where the threshold passes a difference between two values of the metric: to
 * the better where people have the two tied, to the worse where the metric has their order. A step
 * is the difference, negative where it is to the worse.
 */
double tg_stats_calibrate_ties(const TgRanked *metric, const TgRanked *human)
{
    const guint n = metric->n;
    const guint64 all = (guint64) n * (MAX(n, 1) - 1) / 2;
    const guint n_steps = (guint) MIN(all, TG_MAX_CALIBRATED);
    g_autofree double *steps = g_new(double, n_steps);
    double found = 0.0;
    gint sum = 0, best = 0;
    guint used = 0, i = 0, j = 0;
    TgRandom random;

    if (n < 2 || !isfinite(metric->value[metric->n_distinct - 1] - metric->value[0]))
        return NAN;
    tg_random_seed(&random, 0, 0);
    for (guint k = 0; k < n_steps; k++) {
        if (n_steps < all) {
            i = tg_random_below(&random, n);
            j = tg_random_below(&random, n);
        } else if (++j >= n) {
            j = ++i + 1;
        }
        const double x = tg_ranked_value(metric, NULL, i) - tg_ranked_value(metric, NULL, j);
        const double y = tg_ranked_value(human, NULL, i) - tg_ranked_value(human, NULL, j);

        if (x != 0.0 && (y == 0.0 || (x > 0) == (y > 0)))
            steps[used++] = y == 0.0 ? fabs(x) : -fabs(x);
    }
    qsort(steps, used, sizeof *steps, compare_sizes);
    for (guint k = 0; k < used; k++) {
        sum += steps[k] > 0 ? 1 : -1;
        if (sum > best && (k + 1 == used || fabs(steps[k + 1]) > fabs(steps[k]))) {
            best = sum;
            found = fabs(steps[k]);
        }
    }
    return found;
}

/* ---- coefficients ---- */

enum { KENDALL_EXACT_N = 33 };

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

double tg_stats_correlation(TgCorrelationKind kind, const TgRanked *x, const TgRanked *y,
                            const guint32 *rows, guint n)
{
    if (n < 2 || is_constant(x, rows, n) || is_constant(y, rows, n))
        return NAN;
    if (kind == TG_KENDALL) {
        TgPairCounts c;

        tg_stats_pair_counts(x, y, rows, n, 0.0, &c);
        const double untied_x = (double) (c.concordant + c.discordant + c.human_ties);
        const double untied_y = (double) (c.concordant + c.discordant + c.metric_ties);
        const double less = (double) c.concordant - (double) c.discordant;
        return CLAMP(less / sqrt(untied_x * untied_y), -1.0, 1.0);
    }
    g_autofree double *u = g_new(double, n), *v = g_new(double, n);
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

double tg_stats_correlate(TgCorrelationKind kind, const double *x, const double *y, guint n,
                          guint *n_both)
{
    g_autofree double *u = g_new(double, n), *v = g_new(double, n);
    guint n_kept = 0;

    for (guint i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        u[n_kept] = x[i];
        v[n_kept++] = y[i];
    }
    if (n_both != NULL)
        *n_both = n_kept;
    g_autoptr(TgRanked) a = tg_ranked_new(u, n_kept), b = tg_ranked_new(v, n_kept);
    return tg_stats_correlation(kind, a, b, NULL, n_kept);
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

/* Sums over the groups of equal values; c is the size of a group. */
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
    TgPairCounts c;

    /* t^2/(n - 2 + t^2) is r^2, so the p-value needs no division by 1 - r^2 */
    if (kind != TG_KENDALL)
        return isnan(coefficient) || x->n < 3
                   ? NAN
                   : tg_special_beta((x->n - 2) / 2.0, 0.5,
                                     (1.0 - coefficient) * (1.0 + coefficient),
                                     coefficient * coefficient);
    tg_stats_pair_counts(x, y, NULL, x->n, 0.0, &c);
    const guint64 fewer = MIN(c.concordant, c.discordant); /* against the order, or in it */
    const gboolean has_ties = x->n_distinct < x->n || y->n_distinct < y->n;
    if (x->n > 1 && !has_ties && (x->n <= KENDALL_EXACT_N || fewer <= 1))
        return kendall_exact_p(x->n, fewer);
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

/* ---- exact p-values of few items ---- */

static double sign_of(double difference)
{
    return (difference > 0) - (difference < 0);
}

/* Of two series of ranks; coefficients of their orders differ from it by a constant factor only.
 * @by_pairs: Kendall's, from signs of differences; else from products */
static double association(const double *a, const double *b, guint n, gboolean by_pairs)
{
    double sum = 0.0;

    for (guint i = 0; i < n; i++) {
        if (!by_pairs)
            sum += a[i] * b[i];
        for (guint j = i + 1; by_pairs && j < n; j++)
            sum += sign_of(a[i] - a[j]) * sign_of(b[i] - b[j]);
    }
    return fabs(sum);
}

double tg_stats_permutation_p(TgCorrelationKind kind, const TgRanked *x, const TgRanked *y)
{
    const gboolean by_pairs = kind == TG_KENDALL;
    double a[TG_MAX_PERMUTED], b[TG_MAX_PERMUTED];
    guint turns[TG_MAX_PERMUTED] = { 0 };
    guint64 n_orders = 1, n_beyond = 1; /* the observed order itself */

    g_return_val_if_fail(x->n == y->n, NAN);
    if (x->n > TG_MAX_PERMUTED || x->n_distinct < 2 || y->n_distinct < 2)
        return NAN;
    tg_ranked_mid_ranks(x, NULL, x->n, a);
    tg_ranked_mid_ranks(y, NULL, y->n, b);
    for (guint i = 0; i < x->n; i++) /* all sums are exact: of halves, and of their products */
        a[i] -= (x->n + 1) / 2.0;
    const double observed = association(a, b, x->n, by_pairs);
    /* every other order, each by an exchange of two items: Heap (1963) */
    for (guint i = 1; i < x->n;) {
        if (turns[i] == i) {
            turns[i++] = 0;
            continue;
        }
        const guint other = i % 2 == 1 ? turns[i] : 0;
        const double kept = b[other];

        b[other] = b[i];
        b[i] = kept;
        turns[i]++;
        i = 1;
        n_orders++;
        n_beyond += association(a, b, x->n, by_pairs) >= observed;
    }
    return (double) n_beyond / (double) n_orders;
}

/* ---- correlations that share a variable ---- */

void tg_stats_williams(double r12, double r13, double r23, guint n, TgDependentTest *out)
{
    /* the determinant of the correlation matrix; negative for numbers that no data can have,
     * such as r12 or r13 beyond 1 */
    const double det = 1 - r12 * r12 - r13 * r13 - r23 * r23 + 2 * r12 * r13 * r23;
    const double k = MAX(det, 0.0), sum = r12 + r13, df = n - 3.0;
    const double t = (r12 - r13) * sqrt((n - 1.0) * (1 + r23)) /
                     sqrt(2 * k * (n - 1.0) / df + sum * sum / 4 * pow(1 - r23, 3));

    *out = (TgDependentTest){ NAN, NAN, NAN, NAN };
    if (n > 3 && fabs(r23) < 1 && det > -1e-12 && !isnan(t))
        *out = (TgDependentTest){
            .statistic = t,
            .df = df,
            .p_two_sided = tg_special_student_two_sided(t, df),
            .p_one_sided = tg_special_student_upper(t, df),
        };
}
