/* Plots of scores, and how metrics rank pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/report/sections.h"
#include "eval/stats/bootstrap.h"
#include "eval/stats/correlation.h"

enum {
    MAX_MODELS = 7, /* as many as there are colours */
    MAX_DISTRIBUTIONS = 8,
    MAX_SCATTERS = 4, /* columns that are plotted against each other */
    MAX_HUMAN = 6,
    MAX_POINTS = 1500, /* beyond, counts on a grid are shown */
    N_BINS = 20,
    N_LENGTHS = 8,
    N_QUANTILES = 200,
    N_CELLS = 40,
    DIGITS = 3,
};

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

/*
 * The range of the defined values. A few that lie far from the others (less than one in a hundred,
 * more than three times as far out) are left outside, so that the others do not merge.
 */
static void range_of(const double *values, guint n, double *low, double *high)
{
    g_autofree double *sorted = g_new(double, n);
    double inner_low, inner_high;
    guint n_defined = 0;

    *low = *high = NAN;
    for (guint i = 0; i < n; i++) {
        if (!isnan(values[i]))
            sorted[n_defined++] = values[i];
    }
    if (n_defined > 0) {
        tg_stats_sort(sorted, n_defined);
        *low = sorted[0];
        *high = sorted[n_defined - 1];
        inner_low = tg_stats_quantile(sorted, n_defined, 0.005);
        inner_high = tg_stats_quantile(sorted, n_defined, 0.995);
        if (inner_high > inner_low && *high - *low > 3 * (inner_high - inner_low)) {
            *low = inner_low;
            *high = inner_high;
        }
    }
    tg_plot_range(low, high);
}

/* Arrays that live as long as one plot. */
typedef struct {
    TgPlotSeries series[MAX_MODELS];
    guint n;
    GPtrArray *arrays;
} SeriesSet;

static void set_init(SeriesSet *set)
{
    memset(set, 0, sizeof *set);
    set->arrays = g_ptr_array_new_with_free_func(g_free);
}

static double *set_array(SeriesSet *set, guint n)
{
    double *array = g_new(double, n);

    g_ptr_array_add(set->arrays, array);
    return array;
}

static void set_clear(SeriesSet *set)
{
    g_ptr_array_unref(set->arrays);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SeriesSet, set_clear)

/* ---- distributions ---- */

/* The share of values up to each; @values are sorted by it. */
static void add_ecdf(SeriesSet *set, const char *name, double *values, guint n, double low,
                     double high)
{
    const guint n_points = MIN(n, N_QUANTILES);
    double *x = set_array(set, n_points + 2), *y = set_array(set, n_points + 2);

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

static void add_histogram(SeriesSet *set, const char *name, const double *values, guint n,
                          double low, double high)
{
    double *x = set_array(set, N_BINS + 1), *y = set_array(set, N_BINS + 1);

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
    g_auto(SeriesSet) shares = { 0 };
    g_auto(SeriesSet) sums = { 0 };
    const guint n_models = MIN(report->table->models->len, MAX_MODELS);
    double low, high, top = 0.0;
    guint n_all = 0;

    set_init(&shares);
    set_init(&sums);
    range_of(column->values, report->table->n_rows, &low, &high);
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

static gboolean add_distributions(TgReport *report, GError **error)
{
    TgReportSection *section =
        tg_report_add_section(report, "distributions", "Distributions", NULL);

    for (guint i = 0; i < MIN(report->shown->len, MAX_DISTRIBUTIONS); i++) {
        if (!plot_distribution(report, section, tg_report_column(report, i), error))
            return FALSE;
    }
    return TRUE;
}

/* ---- one number against another ---- */

static void add_points(const TgReport *report, SeriesSet *set, const double *x, const double *y)
{
    const TgTable *table = report->table;

    for (guint m = 0; m < MIN(table->models->len, MAX_MODELS); m++) {
        double *px = set_array(set, table->n_rows), *py = set_array(set, table->n_rows);
        guint n = 0;

        for (guint i = 0; i < table->n_rows; i++) {
            if (table->rows[i].model != m || isnan(x[i]) || isnan(y[i]))
                continue;
            px[n] = x[i];
            py[n++] = y[i];
        }
        set->series[set->n++] = (TgPlotSeries){
            .name = table->models->len > 1 ? tg_report_model_name(report, m) : NULL,
            .kind = TG_PLOT_POINTS,
            .x = px,
            .y = py,
            .n = n,
        };
    }
}

/* N_CELLS or more for what lies outside. */
static guint cell_of(double value, double low, double high)
{
    return value >= low && value < high ? (guint) ((value - low) / (high - low) * N_CELLS)
                                        : N_CELLS;
}

/* Too many points to be seen or written: count them on a grid. */
static void add_cells(const TgReport *report, SeriesSet *set, const double *x, const double *y,
                      const TgPlot *plot)
{
    const guint n_cells = N_CELLS * N_CELLS;
    g_autofree guint *counts = g_new0(guint, n_cells);
    double *cx = set_array(set, n_cells), *cy = set_array(set, n_cells);
    double *count = set_array(set, n_cells);
    guint n = 0;

    for (guint i = 0; i < report->table->n_rows; i++) {
        const guint column = cell_of(x[i], plot->x_min, plot->x_max);
        const guint row = cell_of(y[i], plot->y_min, plot->y_max);

        if (column < N_CELLS && row < N_CELLS)
            counts[row * N_CELLS + column]++;
    }
    for (guint k = 0; k < n_cells; k++) {
        if (counts[k] == 0)
            continue;
        const guint column = k % N_CELLS, row = k / N_CELLS;
        cx[n] = plot->x_min + (column + 0.5) * plot->cell_width;
        cy[n] = plot->y_min + (row + 0.5) * plot->cell_height;
        count[n++] = counts[k];
    }
    set->series[set->n++] =
        (TgPlotSeries){ .kind = TG_PLOT_CELLS, .x = cx, .y = cy, .count = count, .n = n };
}

static gboolean plot_against(TgReport *report, TgReportSection *section, const double *x,
                             const char *x_name, const double *y, const char *y_name,
                             GError **error)
{
    g_auto(SeriesSet) set = { 0 };
    TgPlot plot = { .x_label = x_name, .y_label = y_name };
    guint n = 0;

    set_init(&set);
    for (guint i = 0; i < report->table->n_rows; i++)
        n += !isnan(x[i]) && !isnan(y[i]);
    if (n == 0)
        return TRUE;
    range_of(x, report->table->n_rows, &plot.x_min, &plot.x_max);
    range_of(y, report->table->n_rows, &plot.y_min, &plot.y_max);
    plot.cell_width = (plot.x_max - plot.x_min) / N_CELLS;
    plot.cell_height = (plot.y_max - plot.y_min) / N_CELLS;
    if (n > MAX_POINTS)
        add_cells(report, &set, x, y, &plot);
    else
        add_points(report, &set, x, y);
    g_autofree char *title = g_strdup_printf("%s against %s (n = %u)", y_name, x_name, n);
    g_autofree char *alt = g_strdup_printf("%s: one %s", title,
                                           n > MAX_POINTS ? "square for each cell with pairs, "
                                                            "darker for more of them"
                                                          : "point for each pair");
    plot.title = title;
    plot.series = set.series;
    plot.n_series = set.n;
    return tg_report_add_plot(report, section, &plot, alt, error);
}

/* ---- score against length ---- */

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
    g_auto(SeriesSet) set = { 0 };
    double low = INFINITY, high = -INFINITY, longest = 0.0;

    set_init(&set);
    for (guint m = 0; m < MIN(report->table->models->len, MAX_MODELS); m++) {
        double *x = set_array(&set, n_edges), *y = set_array(&set, n_edges);
        double *from = set_array(&set, n_edges), *to = set_array(&set, n_edges);
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

static gboolean add_lengths(TgReport *report, GError **error)
{
    TgReportSection *section =
        tg_report_add_section(report, "length", "Score by length",
                              "Pairs in groups of about equal size by the length of the truth.");
    guint edges[N_LENGTHS + 1];
    const guint n_edges = length_edges(report, edges);

    for (guint i = 0; i < MIN(report->shown->len, MAX_HUMAN); i++) {
        if (!plot_length(report, section, tg_report_column(report, i), edges, n_edges, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- rank agreement ---- */

static double correlation_of(const TgReport *report, const TgTableColumn *a, const TgTableColumn *b,
                             TgCorrelationKind kind)
{
    const guint n_rows = report->table->n_rows;
    g_autofree double *x = g_new(double, n_rows);
    g_autofree double *y = g_new(double, n_rows);
    guint n = 0;

    for (guint i = 0; i < n_rows; i++) {
        if (isnan(a->values[i]) || isnan(b->values[i]))
            continue;
        x[n] = a->lower_is_better ? -a->values[i] : a->values[i];
        y[n++] = b->lower_is_better ? -b->values[i] : b->values[i];
    }
    g_autoptr(TgRanked) ranked_x = tg_ranked_new(x, n);
    g_autoptr(TgRanked) ranked_y = tg_ranked_new(y, n);
    return tg_stats_correlation(kind, ranked_x, ranked_y, NULL, n);
}

static void add_rank_grid(const TgReport *report, TgReportSection *section, TgCorrelationKind kind,
                          const char *title)
{
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, "metric");
    for (guint i = 0; i < report->shown->len; i++)
        tg_grid_head(grid, tg_report_column(report, i)->name);
    for (guint i = 0; i < report->shown->len; i++) {
        tg_grid_put(grid, tg_report_column(report, i)->name);
        for (guint k = 0; k < report->shown->len; k++)
            tg_grid_put_number(grid,
                               correlation_of(report, tg_report_column(report, i),
                                              tg_report_column(report, k), kind),
                               DIGITS);
    }
    tg_grid_note(grid, "Over all pairs that both score; metrics where lower is better are taken "
                       "with the opposite sign.");
    g_ptr_array_add(section->grids, grid);
}

/* ---- all of them ---- */

static gboolean add_scatters(TgReport *report, GError **error)
{
    const guint n = MIN(report->shown->len, MAX_SCATTERS);
    TgReportSection *section =
        tg_report_add_section(report, "agreement", "Metric against metric", NULL);

    add_rank_grid(report, section, TG_SPEARMAN, "Spearman's rank correlation between metrics");
    add_rank_grid(report, section, TG_KENDALL, "Kendall's tau-b between metrics");
    for (guint a = 0; a < n; a++) {
        for (guint b = a + 1; b < n; b++) {
            const TgTableColumn *x = tg_report_column(report, a), *y = tg_report_column(report, b);

            if (!plot_against(report, section, x->values, x->name, y->values, y->name, error))
                return FALSE;
        }
    }
    return TRUE;
}

static gboolean add_human(TgReport *report, GError **error)
{
    TgReportSection *section;

    if (report->table->groups->len == 0)
        return TRUE;
    section = tg_report_add_section(report, "human", "Metric against human scores", NULL);
    for (guint g = 0; g < report->table->groups->len; g++) {
        const TgTableGroup *group = tg_table_group(report->table, g);
        g_autofree char *label = g_strdup_printf("mean rating of %s", group->name);

        for (guint i = 0; i < MIN(report->shown->len, MAX_HUMAN); i++) {
            const TgTableColumn *y = tg_report_column(report, i);

            if (!plot_against(report, section, group->mean, label, y->values, y->name, error))
                return FALSE;
        }
    }
    return TRUE;
}

gboolean tg_report_add_plots(TgReport *report, GError **error)
{
    if (report->table->n_rows == 0 || report->shown->len == 0)
        return TRUE;
    return add_distributions(report, error) && add_human(report, error) &&
           add_scatters(report, error) && add_lengths(report, error);
}
