#include "eval/stats/stats.h"

#include <math.h>

#include "core/fail.h"

/* Half the number of ordered pairs of different values, divided by n. */
static double variety_of_ranks(const guint32 *ranks, guint n, guint32 *count)
{
    double equal = 0.0;

    for (guint i = 0; i < n; i++)
        equal += 2.0 * count[ranks[i]]++ + 1.0; /* up to c^2 for a value seen c times */
    for (guint i = 0; i < n; i++)
        count[ranks[i]] = 0;
    return ((double) n * n - equal) / (2.0 * n);
}

/*
 * Disagreement of a set of n values is the mean over its n(n - 1) ordered pairs of the distance,
 * 2 spread/(n - 1). Observed is the mean of the units', weighted by their number of values;
 * expected is that of all values together. The factor 2 falls out.
 */
gboolean tg_stats_krippendorff(const double *ratings, guint n_units, guint n_raters,
                               TgRatingLevel level, double *alpha, GError **error)
{
    /* the ratings of units that have two or more, unit after unit */
    g_autofree double *values = g_new(double, (gsize) n_units *n_raters);
    g_autofree guint *ends = g_new(guint, (gsize) n_units);
    guint n_used = 0, n = 0;
    double observed = 0.0, expected;

    *alpha = NAN;
    for (guint u = 0; u < n_units; u++) {
        const guint start = n;

        for (guint r = 0; r < n_raters; r++) {
            const double value = ratings[(gsize) u * n_raters + r];

            if (!isnan(value))
                values[n++] = value;
        }
        if (n < start + 2)
            n = start;
        else
            ends[n_used++] = n;
    }
    if (n_used == 0)
        return tg_fail(error, TG_ERROR_DATA, "agreement needs an item with two ratings");
    g_autoptr(TgRanked) ranked = tg_ranked_new(values, n);
    if (ranked->n_distinct == 1)
        return tg_fail(error, TG_ERROR_DATA, "agreement is undefined: all %u ratings are equal", n);
    g_autofree guint32 *count = g_new0(guint32, ranked->n_distinct);
    if (level == TG_ORDINAL)
        tg_ranked_mid_ranks(ranked, NULL, n, values);
    for (guint u = 0; u < n_used; u++) {
        const guint start = u > 0 ? ends[u - 1] : 0, own = ends[u] - start;
        const double inside = level == TG_NOMINAL
                                  ? variety_of_ranks(ranked->rank + start, own, count)
                                  : tg_stats_squared_deviations(values + start, own);

        observed += inside * own / (own - 1);
    }
    expected = level == TG_NOMINAL ? variety_of_ranks(ranked->rank, n, count)
                                   : tg_stats_squared_deviations(values, n);
    *alpha = 1.0 - observed / n / (expected / (n - 1));
    return TRUE;
}

static double share_of_whole(double part, double whole)
{
    return whole == 0.0 ? NAN : part / whole;
}

gboolean tg_stats_icc(const double *ratings, guint n_items, guint n_raters,
                      double out[TG_N_ICC_FIGURES])
{
    const double n = n_items, k = n_raters;
    const double all = tg_stats_mean(ratings, (gsize) n_items * n_raters);
    g_autofree double *column = g_new0(double, n_raters);
    double rows = 0.0, within = 0.0, columns = 0.0, residual = 0.0;
    gboolean varied = FALSE;

    for (gsize i = 0; i < (gsize) n_items * n_raters; i++) {
        if (isnan(ratings[i]))
            return FALSE;
        varied |= ratings[i] != ratings[0];
        column[i % n_raters] += ratings[i] / n;
    }
    if (!varied || n_items < 2 || n_raters < 2)
        return FALSE;
    for (guint i = 0; i < n_items; i++) {
        const double *own = ratings + (gsize) i * n_raters;
        const double row = tg_stats_mean(own, n_raters);

        rows += k * (row - all) * (row - all);
        for (guint j = 0; j < n_raters; j++) {
            within += pow(own[j] - row, 2);
            residual += pow(own[j] - row - column[j] + all, 2);
        }
    }
    for (guint j = 0; j < n_raters; j++)
        columns += n * (column[j] - all) * (column[j] - all);
    const double r = out[TG_MS_ROWS] = rows / (n - 1);
    const double w = out[TG_MS_WITHIN] = within / (n * (k - 1));
    const double c = out[TG_MS_COLUMNS] = columns / (k - 1);
    const double e = out[TG_MS_ERROR] = residual / ((n - 1) * (k - 1));
    out[TG_ICC_1_1] = share_of_whole(r - w, r + (k - 1) * w);
    out[TG_ICC_1_K] = share_of_whole(r - w, r);
    out[TG_ICC_2_1] = share_of_whole(r - e, r + (k - 1) * e + k * (c - e) / n);
    out[TG_ICC_2_K] = share_of_whole(r - e, r + (c - e) / n);
    out[TG_ICC_3_1] = share_of_whole(r - e, r + (k - 1) * e);
    out[TG_ICC_3_K] = share_of_whole(r - e, r);
    return TRUE;
}

void tg_stats_rater_against_rest(TgCorrelationKind kind, const double *ratings, guint n_items,
                                 guint n_raters, double *out)
{
    g_autofree double *own = g_new(double, n_items);
    g_autofree double *rest = g_new(double, n_items);

    for (guint rater = 0; rater < n_raters; rater++) {
        for (guint i = 0; i < n_items; i++) {
            const double *row = ratings + (gsize) i * n_raters;
            double sum = 0.0;
            guint others = 0;

            for (guint r = 0; r < n_raters; r++) {
                if (r != rater && !isnan(row[r])) {
                    sum += row[r];
                    others++;
                }
            }
            own[i] = row[rater];
            rest[i] = sum / others; /* NaN of none */
        }
        out[rater] = tg_stats_correlate(kind, own, rest, n_items, NULL);
    }
}
