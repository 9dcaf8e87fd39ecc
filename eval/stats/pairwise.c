#include "eval/stats/pairwise.h"

#include <math.h>

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

/* Counts by rank of which any prefix is summed in O(log n): Fenwick (1994). */
static void fenwick_add(guint32 *tree, guint32 size, guint32 rank)
{
    for (guint32 i = rank + 1; i <= size; i += i & -i)
        tree[i]++;
}

/* How many were added with a smaller rank. */
static guint64 fenwick_below(const guint32 *tree, guint32 rank)
{
    guint64 sum = 0;

    for (guint32 i = rank; i > 0; i -= i & -i)
        sum += tree[i];
    return sum;
}

/*
 * Walk up the metric's values. What lies more than epsilon below the current item is `under` it,
 * what lies between is tied with it; both are counted by the human's rank.
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
        guint64 lower;

        while (value - tg_ranked_value(metric, rows, order[n_under]) > epsilon) {
            const guint32 passed = tg_ranked_rank(human, rows, order[n_under++]);

            fenwick_add(under, human->n_distinct, passed);
            under_at[passed]++;
            tied_at[passed]--;
        }
        lower = fenwick_below(under, rank);
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
