#include "eval/stats/ranked.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double value;
    guint32 item;
} Entry;

static int compare_entries(const void *a, const void *b)
{
    const double x = ((const Entry *) a)->value, y = ((const Entry *) b)->value;

    return (x > y) - (x < y);
}

TgRanked *tg_ranked_new(const double *values, guint n)
{
    TgRanked *series = g_new0(TgRanked, 1);
    g_autofree Entry *entries = g_new(Entry, n);

    for (guint i = 0; i < n; i++) {
        g_assert(isfinite(values[i]));
        entries[i] = (Entry){ values[i], i };
    }
    if (n > 1)
        qsort(entries, n, sizeof *entries, compare_entries); /* equal values get equal ranks */
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

gboolean tg_ranked_is_constant(const TgRanked *series, const guint32 *rows, guint n)
{
    for (guint i = 1; i < n; i++) {
        if (tg_ranked_rank(series, rows, i) != tg_ranked_rank(series, rows, 0))
            return FALSE;
    }
    return TRUE;
}
