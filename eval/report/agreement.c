/* Rank correlations of the metrics with each other. */
#include <math.h>

#include "eval/report/sections.h"
#include "eval/stats/stats.h"

enum { DIGITS = 3 };

static double correlation_of(const TgReport *report, const TgTableColumn *a, const TgTableColumn *b)
{
    const guint n_rows = report->table->n_rows;
    g_autofree double *x = g_new(double, n_rows), *y = g_new(double, n_rows);
    guint n = 0;

    for (guint i = 0; i < n_rows; i++) {
        if (isnan(a->values[i]) || isnan(b->values[i]))
            continue;
        x[n] = a->lower_is_better ? -a->values[i] : a->values[i];
        y[n++] = b->lower_is_better ? -b->values[i] : b->values[i];
    }
    g_autoptr(TgRanked) ranked_x = tg_ranked_new(x, n);
    g_autoptr(TgRanked) ranked_y = tg_ranked_new(y, n);
    return tg_stats_correlation(TG_SPEARMAN, ranked_x, ranked_y, NULL, n);
}

void tg_report_add_agreement(TgReport *report)
{
    const guint n = report->shown->len;
    TgReportSection *section;
    TgGrid *grid;

    if (report->table->n_rows == 0 || n < 2)
        return;
    section = tg_report_add_section(report, "agreement", "Metric against metric", NULL);
    grid = tg_grid_new("Spearman's rank correlation between metrics", 1);
    tg_grid_head(grid, "metric");
    for (guint i = 0; i < n; i++)
        tg_grid_head(grid, tg_report_column(report, i)->name);
    for (guint i = 0; i < n; i++) {
        tg_grid_put(grid, tg_report_column(report, i)->name);
        for (guint k = 0; k < n; k++) {
            if (k > i)
                tg_grid_put(grid, "");
            else
                tg_grid_put_number(grid,
                                   correlation_of(report, tg_report_column(report, i),
                                                  tg_report_column(report, k)),
                                   DIGITS);
        }
    }
    tg_grid_note(grid, "Over all pairs that both score; metrics where lower is better are taken "
                       "with the opposite sign.");
    g_ptr_array_add(section->grids, grid);
}
