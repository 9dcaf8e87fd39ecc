#include "eval/stats/permutation.h"

#include <math.h>

/* Two series of scores; coefficients of their orders differ by a constant factor only. */
typedef struct {
    guint n;
    gboolean by_pairs; /* Kendall: signs of differences; else products */
    double a[TG_MAX_PERMUTED], b[TG_MAX_PERMUTED];
    double observed;
    guint64 n_orders, n_beyond;
} Permuted;

static double sign_of(double difference)
{
    return (difference > 0) - (difference < 0);
}

static double association(const Permuted *p)
{
    double sum = 0.0;

    for (guint i = 0; i < p->n; i++) {
        if (!p->by_pairs)
            sum += p->a[i] * p->b[i];
        for (guint j = i + 1; p->by_pairs && j < p->n; j++)
            sum += sign_of(p->a[i] - p->a[j]) * sign_of(p->b[i] - p->b[j]);
    }
    return fabs(sum);
}

static void swap(double *a, double *b)
{
    const double kept = *a;

    *a = *b;
    *b = kept;
}

/* Every order of the items from @first on. */
static void permute(Permuted *p, guint first)
{
    if (first + 1 >= p->n) {
        p->n_orders++;
        p->n_beyond += association(p) >= p->observed * (1 - 1e-9);
        return;
    }
    for (guint i = first; i < p->n; i++) {
        swap(&p->b[first], &p->b[i]);
        permute(p, first + 1);
        swap(&p->b[first], &p->b[i]);
    }
}

/* Values or mid-ranks, less their mean. */
static void fill_scores(TgCorrelationKind kind, const TgRanked *series, double *out)
{
    double mean = 0.0;

    tg_ranked_mid_ranks(series, NULL, series->n, out);
    for (guint i = 0; i < series->n; i++) {
        if (kind == TG_PEARSON)
            out[i] = tg_ranked_value(series, NULL, i);
        mean += out[i] / series->n;
    }
    for (guint i = 0; i < series->n; i++)
        out[i] -= mean;
}

double tg_stats_permutation_p(TgCorrelationKind kind, const TgRanked *x, const TgRanked *y)
{
    Permuted p = { .n = x->n, .by_pairs = kind == TG_KENDALL };

    g_return_val_if_fail(x->n == y->n, NAN);
    if (x->n > TG_MAX_PERMUTED || x->n_distinct < 2 || y->n_distinct < 2)
        return NAN;
    fill_scores(kind, x, p.a);
    fill_scores(kind, y, p.b);
    p.observed = association(&p);
    permute(&p, 0);
    return (double) p.n_beyond / (double) p.n_orders;
}
