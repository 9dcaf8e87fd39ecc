/* Scores by the length of the truth. */
#include <math.h>
#include <stdlib.h>

#include "eval/report/sections.h"
#include "eval/report/series.h"

enum { MAX_COLUMNS = 6, N_LENGTHS = 8 };

static int compare_guints(const void *a, const void *b)
{
    const guint x = *(const guint *) a, y = *(const guint *) b;

    return (x > y) - (x < y);
}

/* Lengths at which about as many truths are longer as shorter, and so on; strictly rising. */
static guint length_edges(const TgReport *report, guint edges[N_LENGTHS + 1])
{
    const guint n = report->table->n_rows;
    g_autofree guint *sorted = g_memdup2(report->length, n * sizeof *sorted);
    guint n_edges = 0;

    qsort(sorted, n, sizeof *sorted, compare_guints);
    for (guint b = 0; b <= N_LENGTHS; b++) {
        const guint edge = b == N_LENGTHS ? sorted[n - 1] + 1 : sorted[(guint64) b * n / N_LENGTHS];

        if (n_edges == 0 || edge > edges[n_edges - 1])
            edges[n_edges++] = edge;
    }
    return n_edges;
}

/* Mean score of a model's pairs with lengths in [from, to), with its 95 % interval. */
static guint mean_in(const TgReport *report, const TgTableColumn *column, guint model, guint from,
                     guint to, double *length, double *mean, double *half)
{
    double lengths = 0.0, sum = 0.0, squares = 0.0;
    guint n = 0;

    for (guint i = 0; i < report->table->n_rows; i++) {
        const double value = column->values[i];

        if (report->table->rows[i].model != model || report->length[i] < from ||
            report->length[i] >= to || isnan(value))
            continue;
        lengths += report->length[i];
        sum += value;
        squares += value * value;
        n++;
    }
    *length = n > 0 ? lengths / n : NAN;
    *mean = n > 0 ? sum / n : NAN;
    *half = n > 1 ? 1.96 * sqrt(MAX(squares - sum * sum / n, 0.0) / (n - 1) / n) : NAN;
    return n;
}

static gboolean plot_length(TgReport *report, TgReportSection *section, const TgTableColumn *column,
                            const guint *edges, guint n_edges, GError **error)
{
    g_auto(TgSeriesSet) set = { 0 };
    double low = INFINITY, high = -INFINITY, longest = 0.0;

    tg_series_set_init(&set);
    for (guint m = 0; m < MIN(report->table->models->len, TG_SERIES_MAX); m++) {
        double *x = tg_series_set_array(&set, n_edges), *y = tg_series_set_array(&set, n_edges);
        double *from = tg_series_set_array(&set, n_edges), *to = tg_series_set_array(&set, n_edges);
        guint n = 0;

        for (guint b = 0; b + 1 < n_edges; b++) {
            double half;

            if (mean_in(report, column, m, edges[b], edges[b + 1], &x[n], &y[n], &half) == 0)
                continue;
            from[n] = y[n] - half;
            to[n] = y[n] + half;
            low = MIN(low, isnan(half) ? y[n] : from[n]);
            high = MAX(high, isnan(half) ? y[n] : to[n]);
            longest = MAX(longest, x[n]);
            n++;
        }
        set.series[set.n++] = (TgPlotSeries){ .name = tg_report_model_name(report, m),
                                              .kind = TG_PLOT_LINE,
                                              .x = x,
                                              .y = y,
                                              .low = from,
                                              .high = to,
                                              .n = n };
    }
    if (longest == 0.0)
        return TRUE;
    tg_plot_range(&low, &high);
    g_autofree char *title =
        g_strdup_printf("%s by length of the truth (n = %u)", column->name, report->table->n_rows);
    g_autofree char *label = g_strdup_printf("mean %s of a pair", column->name);
    g_autofree char *alt = g_strdup_printf("%s: mean score of pairs of similar length with 95 %% "
                                           "intervals, one line per model",
                                           title);
    const TgPlot plot = { .title = title,
                          .x_label = "length of the truth, LaTeX tokens",
                          .y_label = label,
                          .x_max = longest * 1.05,
                          .y_min = low,
                          .y_max = high,
                          .series = set.series,
                          .n_series = set.n };

    return tg_report_add_plot(report, section, &plot, alt, error);
}

gboolean tg_report_add_lengths(TgReport *report, GError **error)
{
    TgReportSection *section =
        tg_report_add_section(report, "length", "Score by length",
                              "Pairs in groups of about equal size by the length of the truth.");
    guint edges[N_LENGTHS + 1];
    const guint n_edges = length_edges(report, edges);

    for (guint i = 0; i < MIN(report->shown->len, MAX_COLUMNS); i++) {
        if (!plot_length(report, section, tg_report_column(report, i), edges, n_edges, error))
            return FALSE;
    }
    return TRUE;
}
