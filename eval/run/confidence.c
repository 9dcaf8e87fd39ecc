#include "eval/run/confidence.h"

#include <math.h>
#include <string.h>

#include "core/number.h"
#include "eval/stats/stats.h"
#include "metrics/metric.h"

struct TgKeptPairs {
    const TgScoreLayout *layout;
    guint width;    /* numbers of a pair: columns, statistics, whether a metric left these, row */
    GArray *values; /* double */
    gboolean pages; /* they are values of pages, and averaged */
};

TgKeptPairs *tg_kept_pairs_new(const TgScoreLayout *layout)
{
    TgKeptPairs *kept = g_new0(TgKeptPairs, 1);

    kept->layout = layout;
    kept->width = layout->n_columns + layout->n_stats + layout->metrics->len + 1;
    kept->values = g_array_new(FALSE, FALSE, sizeof(double));
    return kept;
}

void tg_kept_pairs_free(TgKeptPairs *kept)
{
    if (kept == NULL)
        return;
    g_array_unref(kept->values);
    g_free(kept);
}

void tg_kept_pairs_add(TgKeptPairs *kept, guint64 row, const TgScores *scores)
{
    const TgScoreLayout *layout = kept->layout;
    const double number = (double) row;

    g_array_append_vals(kept->values, scores->columns, layout->n_columns);
    if (layout->n_stats > 0)
        g_array_append_vals(kept->values, scores->stats, layout->n_stats);
    for (guint m = 0; m < layout->metrics->len; m++) {
        const double has = scores->has_stats[m];

        g_array_append_val(kept->values, has);
    }
    g_array_append_val(kept->values, number);
}

static guint kept_n(const TgKeptPairs *kept)
{
    return kept->values->len / kept->width;
}

static const double *kept_pair(const TgKeptPairs *kept, guint i)
{
    return &g_array_index(kept->values, double, (gsize) i * kept->width);
}

void tg_kept_pairs_add_value(TgKeptPairs *kept, const double *values)
{
    const guint n_columns = kept->layout->n_columns, at = kept->values->len;

    kept->pages = TRUE;
    g_array_set_size(kept->values, at + kept->width);
    double *page = &g_array_index(kept->values, double, at);
    memset(page, 0, kept->width * sizeof(double));
    memcpy(page, values, n_columns * sizeof(double));
}

guint tg_kept_pairs_mean(const TgKeptPairs *kept, double *out)
{
    const guint n = kept_n(kept);

    for (guint i = 0; i < kept->layout->n_columns; i++) {
        TgExactSum sum = { 0 };
        guint defined = 0;

        for (guint k = 0; k < n; k++)
            if (!isnan(kept_pair(kept, k)[i])) {
                tg_exact_sum_add(&sum, kept_pair(kept, k)[i]);
                defined++;
            }
        const double total = tg_exact_sum_value(&sum);
        out[i] = defined == 0 ? NAN
                 : tg_score_layout_column(kept->layout, i)->pooling == TG_POOL_SUM
                     ? total
                     : tg_number_round(total / defined);
    }
    return n;
}

void tg_kept_pairs_merge(TgKeptPairs *kept, const TgKeptPairs *other)
{
    g_array_append_vals(kept->values, other->values->data, other->values->len);
}

/* Sums of a resample; @defined counts the pairs where a column has a value. */
typedef struct {
    double *sums;   /* [width] */
    guint *defined; /* [n_columns] */
} Resample;

static void resample_add(const TgKeptPairs *kept, Resample *sample, guint row)
{
    const TgScoreLayout *layout = kept->layout;
    const double *pair = kept_pair(kept, row);
    const double *has_stats = pair + layout->n_columns + layout->n_stats;

    for (guint i = 0; i < layout->n_columns; i++)
        if (!isnan(pair[i])) {
            sample->sums[i] += pair[i];
            sample->defined[i]++;
        }
    for (guint m = 0; m < layout->metrics->len; m++) {
        sample->sums[layout->n_columns + layout->n_stats + m] += has_stats[m];
        for (guint i = layout->first_stat[m]; has_stats[m] > 0 && i < layout->first_stat[m + 1];
             i++)
            sample->sums[layout->n_columns + i] += pair[layout->n_columns + i];
    }
}

/* What tg_pooled_values() says of all pairs, or the mean of pages, from the sums of a resample. */
static void resample_pool(const TgKeptPairs *kept, const Resample *sample, double *out)
{
    const TgScoreLayout *layout = kept->layout;
    const double *stats = sample->sums + layout->n_columns;
    const double *n_stat_rows = stats + layout->n_stats;

    for (guint m = 0; m < layout->metrics->len; m++) {
        const guint first = layout->first_column[m], end = layout->first_column[m + 1];
        g_autofree double *pooled = g_new(double, end - first);

        for (guint i = first; i < end; i++)
            pooled[i - first] = NAN;
        if (n_stat_rows[m] > 0)
            tg_metric_pool(tg_score_layout_metric(layout, m), stats + layout->first_stat[m],
                           pooled);
        for (guint i = first; i < end; i++) {
            const TgPooling pooling = tg_score_layout_column(layout, i)->pooling;
            const gboolean is_pooled = pooling == TG_POOL_STATS && !kept->pages;

            out[i] = is_pooled                 ? pooled[i - first]
                     : sample->defined[i] == 0 ? NAN
                     : pooling == TG_POOL_SUM  ? sample->sums[i]
                                               : sample->sums[i] / sample->defined[i];
        }
    }
}

/* Order of rows; equal ones, as values of pages are, stay as they are. */
static gint by_row(gconstpointer a, gconstpointer b, gpointer data)
{
    const TgKeptPairs *kept = data;
    const guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;
    const double x = kept_pair(kept, i)[kept->width - 1], y = kept_pair(kept, k)[kept->width - 1];

    return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

void tg_kept_pairs_replicate(const TgKeptPairs *kept, guint64 seed, double *out)
{
    const guint n_columns = kept->layout->n_columns;
    const guint n = kept_n(kept);
    g_autofree guint32 *rows = g_new(guint32, MAX(n, 1)), *order = g_new(guint32, MAX(n, 1));
    Resample sample = { g_new(double, kept->width), g_new(guint, MAX(n_columns, 1)) };

    for (guint i = 0; i < n; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint) n, sizeof *order, by_row, (gpointer) kept);

    for (guint k = 0; k < TG_CONFIDENCE_RESAMPLES; k++) {
        for (guint i = 0; i < kept->width; i++)
            sample.sums[i] = 0;
        for (guint i = 0; i < n_columns; i++)
            sample.defined[i] = 0;
        tg_bootstrap_draw(seed, k, n, rows);
        for (guint i = 0; i < n; i++)
            resample_add(kept, &sample, order[rows[i]]);
        resample_pool(kept, &sample, out + (gsize) k * n_columns);
    }
    g_free(sample.sums);
    g_free(sample.defined);
}

void tg_confidence_intervals(const double *replicates, guint n_columns, double (*out)[2])
{
    double values[TG_CONFIDENCE_RESAMPLES];

    for (guint i = 0; i < n_columns; i++) {
        guint n = 0;

        for (guint k = 0; k < TG_CONFIDENCE_RESAMPLES; k++)
            if (!isnan(replicates[(gsize) k * n_columns + i]))
                values[n++] = replicates[(gsize) k * n_columns + i];
        tg_stats_sort(values, n);
        out[i][0] = n > 1 ? tg_stats_quantile(values, n, 0.025) : NAN;
        out[i][1] = n > 1 ? tg_stats_quantile(values, n, 0.975) : NAN;
    }
}
