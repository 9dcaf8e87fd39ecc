/* Values of every model and subset, with intervals and marks. */
#include <math.h>

#include "eval/report/sections.h"
#include "eval/results/pairing.h"
#include "eval/stats/bootstrap.h"
#include "eval/stats/significance.h"

enum { DIGITS = 4 };

/* What one row of the overview is about: the pairs of a model, in a subset or in all. */
typedef struct {
    guint model;
    gint subset; /* -1: all */
    guint32 *rows;
    guint n;
} Slice;

/* A column's value in one row of the overview. */
typedef struct {
    double value;
    double half_width; /* of the 95 % bootstrap interval */
    gboolean is_best;
    gboolean is_close; /* to the best: paired bootstrap does not tell them apart */
} Value;

static guint32 *rows_of(const TgTable *table, guint model, gint subset, guint *n)
{
    guint32 *rows = g_new(guint32, table->n_rows);

    *n = 0;
    for (guint i = 0; i < table->n_rows; i++) {
        if (table->rows[i].model == model &&
            (subset < 0 || table->rows[i].subset == (guint) subset))
            rows[(*n)++] = i;
    }
    return rows;
}

static double *stats_of(const TgTablePool *pool, const guint32 *rows, guint n)
{
    double *stats = g_new(double, (gsize) n * pool->n_stats);

    for (guint i = 0; i < n; i++)
        tg_table_pool_row(pool, rows[i], stats + (gsize) i * pool->n_stats);
    return stats;
}

static void fill_value(const TgReport *report, const TgTableColumn *column, const Slice *slice,
                       Value *out)
{
    TgTablePool pool = tg_table_pool(report->table, column);
    g_autofree double *stats = stats_of(&pool, slice->rows, slice->n);
    g_autofree double *replicates = g_new(double, report->resamples);
    TgAdditive additive = { stats, slice->n, pool.n_stats, tg_table_pool_value, &pool };
    TgBootstrap bootstrap;

    *out = (Value){ .value = NAN, .half_width = NAN };
    if (slice->n == 0)
        return;
    out->value = tg_additive_statistic(NULL, slice->n, &additive);
    tg_bootstrap_replicate(tg_additive_statistic, &additive, slice->n, report->resamples, NULL,
                           report->seed, replicates);
    tg_bootstrap_intervals(out->value, replicates, report->resamples, NULL, 0, 0.95, &bootstrap);
    out->half_width = (bootstrap.percentile[1] - bootstrap.percentile[0]) / 2;
}

/* p-value of paired bootstrap between two models, on the pairs that both have; NaN for none. */
static double paired_p(const TgReport *report, const TgTableColumn *column, const Slice *a,
                       const Slice *b)
{
    TgTablePool pool = tg_table_pool(report->table, column);
    g_auto(TgPairing) pairing = { 0 };
    double *stats[2], *replicates[2], scores[2], p = NAN;
    guint n = 0;

    if (!tg_pairing_init(&pairing, report->table, a->model, b->model, NULL))
        return NAN;
    for (guint i = 0; i < pairing.n; i++) {
        if (a->subset >= 0 && report->table->rows[pairing.a[i]].subset != (guint) a->subset)
            continue;
        pairing.a[n] = pairing.a[i];
        pairing.b[n++] = pairing.b[i];
    }
    if (n == 0)
        return NAN;
    for (guint side = 0; side < 2; side++) {
        TgAdditive additive = { NULL, n, pool.n_stats, tg_table_pool_value, &pool };

        additive.rows = stats[side] = stats_of(&pool, side == 0 ? pairing.a : pairing.b, n);
        replicates[side] = g_new(double, report->resamples);
        scores[side] = tg_additive_statistic(NULL, n, &additive);
        tg_bootstrap_replicate(tg_additive_statistic, &additive, n, report->resamples, NULL,
                               report->seed, replicates[side]);
    }
    for (guint k = 0; k < report->resamples; k++)
        replicates[1][k] -= replicates[0][k];
    p = tg_bootstrap_p(scores[1] - scores[0], replicates[1], report->resamples);
    for (guint side = 0; side < 2; side++) {
        g_free(stats[side]);
        g_free(replicates[side]);
    }
    return p;
}

/* The best of several models' values of one column, and which are as good. */
static void mark_best(const TgReport *report, const TgTableColumn *column, const Slice *slices,
                      Value *values, guint n)
{
    const double sign = column->lower_is_better ? -1 : 1;
    guint best = n;

    for (guint i = 0; i < n; i++) {
        if (!isnan(values[i].value) &&
            (best == n || sign * values[i].value > sign * values[best].value))
            best = i;
    }
    if (best == n || n < 2 || column->pooling == TG_POOL_SUM)
        return;
    for (guint i = 0; i < n; i++) {
        values[i].is_best = values[i].value == values[best].value;
        if (!values[i].is_best && !isnan(values[i].value))
            values[i].is_close = paired_p(report, column, &slices[best], &slices[i]) >= 0.05;
    }
}

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

static void put_row(const TgReport *report, TgGrid *grid, const char *subset, const Slice *slice,
                    const Value *values)
{
    if (subset != NULL)
        tg_grid_put(grid, subset);
    tg_grid_put(grid, tg_report_model_name(report, slice->model));
    tg_grid_put_count(grid, slice->n);
    for (guint i = 0; i < report->shown->len; i++) {
        tg_grid_put_number(grid, values[i].value, DIGITS);
        tg_grid_mark(grid, values[i].is_best, values[i].is_close ? "=" : NULL);
        tg_grid_put_number(grid, values[i].half_width, DIGITS);
    }
}

/* One block of the overview: every model over one subset, or over all pairs. */
static void put_block(const TgReport *report, TgGrid *grid, gint subset, gboolean with_subset,
                      double *macro)
{
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    g_autofree Slice *slices = g_new(Slice, n_models);
    g_autofree Value *by_column = g_new(Value, n_models);
    g_autofree Value *values = g_new(Value, (gsize) n_models * n_columns);

    for (guint m = 0; m < n_models; m++) {
        slices[m] = (Slice){ .model = m, .subset = subset };
        slices[m].rows = rows_of(report->table, m, subset, &slices[m].n);
    }
    for (guint c = 0; c < n_columns; c++) {
        const TgTableColumn *column = tg_report_column(report, c);

        for (guint m = 0; m < n_models; m++)
            fill_value(report, column, &slices[m], &by_column[m]);
        mark_best(report, column, slices, by_column, n_models);
        for (guint m = 0; m < n_models; m++) {
            values[m * n_columns + c] = by_column[m];
            if (subset >= 0)
                macro[m * n_columns + c] += by_column[m].value / report->table->subsets->len;
        }
    }
    for (guint m = 0; m < n_models; m++) {
        put_row(report, grid,
                !with_subset  ? NULL
                : subset >= 0 ? tg_report_subset_name(report, (guint) subset)
                              : "all",
                &slices[m], values + (gsize) m * n_columns);
        g_free(slices[m].rows);
    }
}

/* The plain mean over the subsets. */
static void put_macro(const TgReport *report, TgGrid *grid, const double *macro)
{
    const guint n_columns = report->shown->len;
    g_autofree Value *values = g_new(Value, n_columns);

    for (guint m = 0; m < report->table->models->len; m++) {
        Slice slice = { .model = m };

        slice.rows = rows_of(report->table, m, -1, &slice.n);
        for (guint c = 0; c < n_columns; c++)
            values[c] = (Value){ .value = macro[m * n_columns + c], .half_width = NAN };
        put_row(report, grid, "mean of subsets", &slice, values);
        g_free(slice.rows);
    }
}

static void add_values(TgReport *report)
{
    const TgTable *table = report->table;
    const gboolean with_subset = table->subsets->len > 1;
    TgReportSection *section = tg_report_add_section(report, "overview", "Overview",
                                                     "Pooled over all pairs, as eval does.");
    TgGrid *grid = new_grid(report, with_subset);
    g_autofree double *macro = g_new0(double, (gsize) table->models->len * report->shown->len);

    g_ptr_array_add(section->grids, grid);
    if (table->n_rows == 0) {
        tg_grid_note(grid, "These results hold no pairs.");
        return;
    }
    put_block(report, grid, -1, with_subset, macro);
    for (guint s = 0; with_subset && s < table->subsets->len; s++)
        put_block(report, grid, (gint) s, TRUE, macro);
    if (with_subset)
        put_macro(report, grid, macro);
    tg_grid_note(grid,
                 "±: half the 95 %% bootstrap interval, %u resamples, seed %" G_GUINT64_FORMAT ".",
                 report->resamples, report->seed);
    if (table->models->len > 1)
        tg_grid_note(grid, "Bold: the best model; =: paired bootstrap does not tell it from the "
                           "best (p ≥ 0.05).");
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
