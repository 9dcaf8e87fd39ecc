/* Columns against each other and against human scores, pair by pair; their rank correlation. */
#include <math.h>

#include "eval/report/sections.h"
#include "eval/report/series.h"
#include "eval/stats/correlation.h"

enum {
    MAX_COLUMNS = 4, /* that are plotted against each other */
    MAX_HUMAN = 6,
    MAX_POINTS = 1500, /* beyond, counts on a grid are shown */
    N_CELLS = 40,
    DIGITS = 3,
};

static void add_points(const TgReport *report, TgSeriesSet *set, const double *x, const double *y)
{
    const TgTable *table = report->table;

    for (guint m = 0; m < MIN(table->models->len, TG_SERIES_MAX); m++) {
        double *px = tg_series_set_array(set, table->n_rows),
               *py = tg_series_set_array(set, table->n_rows);
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
static void add_cells(const TgReport *report, TgSeriesSet *set, const double *x, const double *y,
                      const TgPlot *plot)
{
    const guint n_cells = N_CELLS * N_CELLS;
    g_autofree guint *counts = g_new0(guint, n_cells);
    double *cx = tg_series_set_array(set, n_cells), *cy = tg_series_set_array(set, n_cells);
    double *count = tg_series_set_array(set, n_cells);
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
    g_auto(TgSeriesSet) set = { 0 };
    TgPlot plot = { .x_label = x_name, .y_label = y_name };
    guint n = 0;

    tg_series_set_init(&set);
    for (guint i = 0; i < report->table->n_rows; i++)
        n += !isnan(x[i]) && !isnan(y[i]);
    if (n == 0)
        return TRUE;
    tg_series_range(x, report->table->n_rows, &plot.x_min, &plot.x_max);
    tg_series_range(y, report->table->n_rows, &plot.y_min, &plot.y_max);
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

gboolean tg_report_add_agreement(TgReport *report, GError **error)
{
    const guint n = MIN(report->shown->len, MAX_COLUMNS);
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

gboolean tg_report_add_human_plots(TgReport *report, GError **error)
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
