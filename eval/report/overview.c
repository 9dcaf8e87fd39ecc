/* Values of every model and subset, with intervals and marks. */
#include <math.h>

#include "eval/report/sections.h"
#include "eval/results/pairing.h"
#include "eval/stats/bootstrap.h"
#include "eval/stats/multiple.h"
#include "eval/stats/significance.h"

enum { DIGITS = 4, TRIALS = 2000, MAX_TRIALS = 1000000 };
#define ALPHA 0.05

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

static TgAdditive additive_of(TgTableSample *sample)
{
    return (TgAdditive){ sample->rows, sample->n, sample->n_stats, sample->pool, sample };
}

static void fill_value(const TgReport *report, const TgTableColumn *column, const guint32 *rows,
                       guint n, TgReportValue *out)
{
    g_autofree double *replicates = g_new(double, report->resamples);
    g_auto(TgTableSample) sample = { 0 };
    TgBootstrap bootstrap;

    tg_table_sample_init(&sample, &report->mean, report->table, column, rows, rows, n);
    TgAdditive additive = additive_of(&sample);

    *out = (TgReportValue){
        .value = NAN, .interval = { NAN, NAN }, .behind = NAN, .behind_range = { NAN, NAN }
    };
    if (n == 0)
        return;
    out->value = tg_additive_statistic(NULL, sample.n, &additive);
    tg_bootstrap_replicate(tg_additive_statistic, &additive, sample.n, report->resamples, NULL,
                           report->seed, replicates);
    tg_bootstrap_intervals(out->value, replicates, report->resamples, NULL, 0, 0.95, &bootstrap);
    out->interval[0] = bootstrap.percentile[0];
    out->interval[1] = bootstrap.percentile[1];
}

/* How far a model is behind the best, by the bootstrap of the pairs that both have. */
static void measure_gap(const TgReport *report, const TgAdditive *best, const TgAdditive *other,
                        double sign, TgReportValue *out)
{
    g_autofree double *gaps = g_new(double, report->resamples);
    g_autofree guint32 *rows = g_new(guint32, best->n);
    TgBootstrap bootstrap;

    out->behind = sign * (tg_additive_statistic(NULL, best->n, (gpointer) best) -
                          tg_additive_statistic(NULL, best->n, (gpointer) other));
    for (guint k = 0; k < report->resamples; k++) {
        tg_bootstrap_draw(report->seed, k, best->n, rows);
        gaps[k] = sign * (tg_additive_statistic(rows, best->n, (gpointer) best) -
                          tg_additive_statistic(rows, best->n, (gpointer) other));
    }
    tg_bootstrap_intervals(out->behind, gaps, report->resamples, NULL, 0, 0.95, &bootstrap);
    out->behind_range[0] = bootstrap.percentile[0];
    out->behind_range[1] = bootstrap.percentile[1];
}

/* Tests a model against the best of a block, on the pairs that both have. The p-value is NaN where
 * none differ; over all pairs also how far it is behind. */
static double test_model(const TgReport *report, const TgTableColumn *column,
                         const TgReportBlock *block, guint best, guint model, guint n_trials,
                         TgReportValue *out)
{
    g_auto(TgTableSample) sample_a = { 0 }, sample_b = { 0 };
    g_auto(TgPairing) pairing = { 0 };
    guint n = 0;

    if (!tg_pairing_init(&pairing, report->table, best, model, NULL))
        return NAN;
    for (guint i = 0; i < pairing.n; i++) {
        if (block->subset >= 0 && report->table->rows[pairing.a[i]].subset != (guint) block->subset)
            continue;
        pairing.a[n] = pairing.a[i];
        pairing.b[n++] = pairing.b[i];
    }
    if (n == 0)
        return NAN;
    tg_table_sample_init(&sample_a, &report->mean, report->table, column, pairing.a, pairing.a, n);
    tg_table_sample_init(&sample_b, &report->mean, report->table, column, pairing.b, pairing.a, n);
    const TgAdditive system_a = additive_of(&sample_a), system_b = additive_of(&sample_b);

    if (block->subset < 0)
        measure_gap(report, &system_a, &system_b, column->lower_is_better ? -1 : 1, out);
    return tg_stats_paired_randomization_p(&system_a, &system_b, n_trials, NULL, report->seed,
                                           TG_TEST_TWO_SIDED);
}

/* Find the best of several models' values of one column, and which are to be tested against it. */
static gint find_best(const TgTableColumn *column, TgReportValue *values, guint n, guint step)
{
    const double sign = column->lower_is_better ? -1 : 1;
    gint best = -1;

    for (guint i = 0; i < n; i++) {
        const double value = values[i * step].value;

        if (!isnan(value) && (best < 0 || sign * value > sign * values[(guint) best * step].value))
            best = (gint) i;
    }
    if (best < 0 || n < 2 || column->pooling == TG_POOL_SUM)
        return -1;
    for (guint i = 0; i < n; i++) {
        values[i * step].is_best = values[i * step].value == values[(guint) best * step].value;
        values[i * step].is_tested = !values[i * step].is_best && !isnan(values[i * step].value);
    }
    return best;
}

/* Test every model against the best of its block, in blocks @first to @end, with p-values adjusted
 * for all those tests. */
static void test_blocks(const TgReport *report, guint first, guint end)
{
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    const guint n_tests = (end - first) * n_columns * (n_models - 1);
    const guint n_trials = tg_stats_draws_for(n_tests, ALPHA, TRIALS, MAX_TRIALS);
    g_autoptr(GPtrArray) tested = g_ptr_array_new();
    g_autoptr(GArray) p = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = first * n_columns; i < end * n_columns; i++) {
        const TgReportBlock *block = report->blocks->pdata[i / n_columns];
        const TgTableColumn *column = tg_report_column(report, i % n_columns);
        TgReportValue *values = block->values + i % n_columns;
        const gint best = find_best(column, values, n_models, n_columns);

        for (guint m = 0; best >= 0 && m < n_models; m++) {
            TgReportValue *value = &values[(gsize) m * n_columns];
            double raw;

            if (!value->is_tested)
                continue;
            raw = test_model(report, column, block, (guint) best, m, n_trials, value);
            g_array_append_val(p, raw);
            g_ptr_array_add(tested, value);
        }
    }
    tg_stats_holm((double *) p->data, p->len, (double *) p->data);
    for (guint i = 0; i < tested->len; i++)
        ((TgReportValue *) tested->pdata[i])->p = g_array_index(p, double, i);
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

/* The values of all models over one subset, or over all pairs (-1). (transfer full) */
static TgReportBlock *new_block(const TgReport *report, gint subset)
{
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    TgReportBlock *block = g_new(TgReportBlock, 1);

    *block = (TgReportBlock){ subset, g_new(guint, n_models),
                              g_new(TgReportValue, (gsize) n_models * n_columns) };
    for (guint m = 0; m < n_models; m++) {
        g_autofree guint32 *rows = rows_of(report->table, m, subset, &block->n[m]);

        for (guint c = 0; c < n_columns; c++)
            fill_value(report, tg_report_column(report, c), rows, block->n[m],
                       &block->values[m * n_columns + c]);
    }
    return block;
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
    g_ptr_array_add(report->blocks, new_block(report, -1));
    for (guint s = 0; with_subset && s < table->subsets->len; s++)
        g_ptr_array_add(report->blocks, new_block(report, (gint) s));
    test_blocks(report, 0, 1);
    test_blocks(report, 1, report->blocks->len);
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
