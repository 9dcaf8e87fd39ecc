/* The values of every model and subset as a table, with marks; what was run. */
#include <math.h>

#include "eval/report/sections.h"

enum { DIGITS = 4 };

static TgGrid *new_grid(const TgReport *report, gboolean with_subset)
{
    TgGrid *grid = tg_grid_new("Values", with_subset ? 2 : 1);

    if (with_subset)
        tg_grid_head(grid, "subset");
    tg_grid_head(grid, "model");
    tg_grid_head(grid, "pairs");
    for (guint i = 0; i < report->shown->len; i++) {
        const TgTableColumn *column = tg_report_column(report, i);

        tg_grid_head(grid, column->name);
        tg_grid_column_scores(grid, column->is_share,
                              column->pooling == TG_POOL_SUM ? NULL
                              : column->lower_is_better      ? "↓"
                                                             : "↑");
        tg_grid_head(grid, "±");
        tg_grid_column_scores(grid, column->is_share, NULL);
    }
    return grid;
}

static void put_row(const TgReport *report, TgGrid *grid, const char *subset, guint model, guint n,
                    const TgReportValue *values)
{
    if (subset != NULL)
        tg_grid_put(grid, subset);
    tg_grid_put(grid, tg_report_model_name(report, model));
    tg_grid_put_count(grid, n);
    for (guint i = 0; i < report->shown->len; i++) {
        const TgReportValue *value = &values[i];

        tg_grid_put_number(grid, value->value, DIGITS);
        tg_grid_mark(grid, value->is_best,
                     value->is_tested && !tg_report_is_behind(value) ? "=" : NULL);
        tg_grid_put_number(grid, (value->interval[1] - value->interval[0]) / 2, DIGITS);
    }
}

static void put_block(const TgReport *report, TgGrid *grid, const TgReportBlock *block,
                      gboolean with_subset)
{
    const char *subset = !with_subset         ? NULL
                         : block->subset >= 0 ? tg_report_subset_name(report, (guint) block->subset)
                                              : "all";

    for (guint m = 0; m < report->table->models->len; m++)
        put_row(report, grid, subset, m, block->n[m], tg_report_value(report, block, m, 0));
}

/* The plain mean of a value over the subsets, which are all blocks but the first. */
static double mean_of(const TgReport *report, guint model, guint column)
{
    const GPtrArray *blocks = report->blocks;
    double mean = 0;

    for (guint b = 1; b < blocks->len; b++)
        mean += tg_report_value(report, blocks->pdata[b], model, column)->value / (blocks->len - 1);
    return mean;
}

static void put_macro(const TgReport *report, TgGrid *grid)
{
    const guint n_columns = report->shown->len;
    const TgReportBlock *all = report->blocks->pdata[0];
    g_autofree TgReportValue *values = g_new(TgReportValue, n_columns);

    for (guint m = 0; m < report->table->models->len; m++) {
        for (guint c = 0; c < n_columns; c++)
            values[c] = (TgReportValue){ .value = mean_of(report, m, c), .interval = { NAN, NAN } };
        put_row(report, grid, "mean of subsets", m, all->n[m], values);
    }
}

static void add_values(TgReport *report)
{
    const TgTable *table = report->table;
    const gboolean with_subset = table->subsets->len > 1;
    const TgMeanOver over = report->mean.mean.over;
    g_autofree char *text = over == TG_MEAN_PAIRS
                                ? g_strdup("Pooled over all pairs, as eval does.")
                                : g_strdup_printf("Means over %s, as eval --mean %s has them.",
                                                  tg_mean_name(over), tg_mean_name(over));
    TgReportSection *section = tg_report_add_section(report, "overview", "Overview", text);
    TgGrid *grid = new_grid(report, with_subset);

    g_ptr_array_add(section->grids, grid);
    if (table->n_rows == 0) {
        tg_grid_note(grid, "These results hold no pairs.");
        return;
    }
    tg_report_measure(report);
    for (guint i = 0; i < report->blocks->len; i++)
        put_block(report, grid, report->blocks->pdata[i], with_subset);
    if (with_subset && over != TG_MEAN_SUBSETS)
        put_macro(report, grid);
    tg_grid_note(grid,
                 "±: half the 95 %% bootstrap interval, %u resamples, seed %" G_GUINT64_FORMAT ".",
                 report->resamples, report->seed);
    if (table->models->len > 1)
        tg_grid_note(grid, "Bold: the best model; =: not told apart from the best by paired "
                           "randomisation (p ≥ 0.05 by Holm's method, for all tests over "
                           "all pairs, and for all those of the subsets).");
}

static TgGrid *metrics_grid(const TgScoreLayout *layout)
{
    TgGrid *grid = tg_grid_new("Metrics", 2);

    tg_grid_heads(grid, (const char *const[]){ "metric", "signature", NULL });
    for (guint m = 0; m < layout->metrics->len; m++) {
        tg_grid_put(grid, tg_metric_label(tg_score_layout_metric(layout, m)));
        tg_grid_put(grid, tg_metric_signature(tg_score_layout_metric(layout, m)));
    }
    return grid;
}

static void put_text(TgGrid *grid, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    tg_grid_put(grid, text != NULL ? text : "-");
}

static TgGrid *inputs_grid(const json_t *inputs)
{
    TgGrid *grid = tg_grid_new("Data", 3);

    tg_grid_heads(grid, (const char *const[]){ "file", "format", "sha256", NULL });
    for (guint i = 0; i < json_array_size(inputs); i++) {
        const json_t *input = json_array_get(inputs, i);

        put_text(grid, input, "file");
        put_text(grid, input, "format");
        put_text(grid, input, "sha256");
    }
    return grid;
}

static void add_run(TgReport *report)
{
    TgReportSection *section = tg_report_add_section(report, "run", "What was run", NULL);

    g_ptr_array_add(section->grids, metrics_grid(report->table->layout));
    g_ptr_array_add(section->grids, inputs_grid(report->table->inputs));
}

void tg_report_add_overview(TgReport *report)
{
    add_values(report);
    add_run(report);
}
