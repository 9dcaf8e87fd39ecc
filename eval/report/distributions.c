/* Histograms and cumulative distributions of the shown columns. */
#include <math.h>

#include "eval/report/sections.h"
#include "eval/report/series.h"
#include "eval/stats/bootstrap.h"

enum { MAX_COLUMNS = 8, N_BINS = 20, N_QUANTILES = 200 };

/* The defined values of a column for one model; (transfer full). */
static double *values_of(const TgReport *report, const TgTableColumn *column, guint model, guint *n)
{
    double *values = g_new(double, report->table->n_rows);

    *n = 0;
    for (guint i = 0; i < report->table->n_rows; i++) {
        if (report->table->rows[i].model == model && !isnan(column->values[i]))
            values[(*n)++] = column->values[i];
    }
    return values;
}

/* The share of values up to each; @values are sorted by it. */
static void add_ecdf(TgSeriesSet *set, const char *name, double *values, guint n, double low,
                     double high)
{
    const guint n_points = MIN(n, N_QUANTILES);
    double *x = tg_series_set_array(set, n_points + 2), *y = tg_series_set_array(set, n_points + 2);

    tg_stats_sort(values, n);
    x[0] = low;
    y[0] = 0.0;
    for (guint i = 0; i < n_points; i++) {
        const guint at = (guint) ((guint64) (i + 1) * n / n_points) - 1;

        x[i + 1] = values[at];
        y[i + 1] = (at + 1.0) / n;
    }
    x[n_points + 1] = high; /* the last step goes on to the edge */
    y[n_points + 1] = 1.0;
    set->series[set->n++] =
        (TgPlotSeries){ .name = name, .kind = TG_PLOT_STEPS, .x = x, .y = y, .n = n_points + 2 };
}

static void add_histogram(TgSeriesSet *set, const char *name, const double *values, guint n,
                          double low, double high)
{
    double *x = tg_series_set_array(set, N_BINS + 1), *y = tg_series_set_array(set, N_BINS + 1);

    for (guint b = 0; b <= N_BINS; b++) {
        x[b] = low + (high - low) * b / N_BINS;
        y[b] = 0.0;
    }
    for (guint i = 0; i < n; i++) {
        if (values[i] >= low && values[i] < high)
            y[(guint) ((values[i] - low) / (high - low) * N_BINS)] += 1.0 / n;
    }
    set->series[set->n++] =
        (TgPlotSeries){ .name = name, .kind = TG_PLOT_STEPS, .x = x, .y = y, .n = N_BINS + 1 };
}

static gboolean plot_distribution(TgReport *report, TgReportSection *section,
                                  const TgTableColumn *column, GError **error)
{
    g_auto(TgSeriesSet) shares = { 0 };
    g_auto(TgSeriesSet) sums = { 0 };
    const guint n_models = MIN(report->table->models->len, TG_SERIES_MAX);
    double low, high, top = 0.0;
    guint n_all = 0;

    tg_series_set_init(&shares);
    tg_series_set_init(&sums);
    tg_series_range(column->values, report->table->n_rows, &low, &high);
    for (guint m = 0; m < n_models; m++) {
        guint n;
        g_autofree double *values = values_of(report, column, m, &n);

        n_all += n;
        if (n == 0)
            continue;
        add_histogram(&shares, tg_report_model_name(report, m), values, n, low, high);
        add_ecdf(&sums, tg_report_model_name(report, m), values, n, low, high);
    }
    if (n_all == 0)
        return TRUE;
    for (guint s = 0; s < shares.n; s++) {
        for (guint b = 0; b < N_BINS; b++)
            top = MAX(top, shares.series[s].y[b]);
    }
    g_autofree char *histogram = g_strdup_printf("Histogram of %s (n = %u)", column->name, n_all);
    g_autofree char *ecdf = g_strdup_printf("Distribution of %s (n = %u)", column->name, n_all);
    g_autofree char *label = g_strdup_printf("%s of a pair", column->name);
    const TgPlot first = { .title = histogram,
                           .x_label = label,
                           .y_label = "share of the model's pairs",
                           .x_min = low,
                           .x_max = high,
                           .y_max = MIN(top * 1.08, 1.0),
                           .series = shares.series,
                           .n_series = shares.n };
    const TgPlot second = { .title = ecdf,
                            .x_label = label,
                            .y_label = "share of pairs with at most this",
                            .x_min = low,
                            .x_max = high,
                            .y_max = 1.0,
                            .series = sums.series,
                            .n_series = sums.n };
    g_autofree char *alt_first =
        g_strdup_printf("%s: share of pairs in %d bins from %.3g to %.3g, one line per model",
                        histogram, N_BINS, low, high);
    g_autofree char *alt_second =
        g_strdup_printf("%s: cumulative share of pairs, one line per model", ecdf);

    return tg_report_add_plot(report, section, &first, alt_first, error) &&
           tg_report_add_plot(report, section, &second, alt_second, error);
}

gboolean tg_report_add_distributions(TgReport *report, GError **error)
{
    TgReportSection *section =
        tg_report_add_section(report, "distributions", "Distributions", NULL);

    for (guint i = 0; i < MIN(report->shown->len, MAX_COLUMNS); i++) {
        if (!plot_distribution(report, section, tg_report_column(report, i), error))
            return FALSE;
    }
    return TRUE;
}
