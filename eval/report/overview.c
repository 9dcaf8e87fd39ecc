/* Values of every model and subset, with intervals and marks. */
#include <math.h>

#include "eval/report/sections.h"
#include "eval/results/pairing.h"
#include "eval/stats/bootstrap.h"
#include "eval/stats/multiple.h"
#include "eval/stats/significance.h"

enum { DIGITS = 4, TRIALS = 10000, MAX_TRIALS = 1000000 };
#define ALPHA 0.05

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
    gboolean is_tested; /* against the best */
    double p;           /* of that test, adjusted for all tests of the table; NaN: none differ */
} Value;

/* All models over one subset, or over all pairs. */
typedef struct {
    gint subset;
    Slice *slices; /* [n_models] */
    Value *values; /* [n_models][n_columns] */
} Block;

static void free_block(gpointer data)
{
    Block *block = data;

    g_free(block->slices);
    g_free(block->values);
    g_free(block);
}

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

static void fill_value(const TgReport *report, const TgTableColumn *column, const Slice *slice,
                       Value *out)
{
    g_autofree double *replicates = g_new(double, report->resamples);
    g_auto(TgTableSample) sample = { 0 };
    TgBootstrap bootstrap;

    tg_table_sample_init(&sample, &report->mean, report->table, column, slice->rows, slice->rows,
                         slice->n);
    TgAdditive additive = additive_of(&sample);
    *out = (Value){ .value = NAN, .half_width = NAN };
    if (slice->n == 0)
        return;
    out->value = tg_additive_statistic(NULL, sample.n, &additive);
    tg_bootstrap_replicate(tg_additive_statistic, &additive, sample.n, report->resamples, NULL,
                           report->seed, replicates);
    tg_bootstrap_intervals(out->value, replicates, report->resamples, NULL, 0, 0.95, &bootstrap);
    out->half_width = (bootstrap.percentile[1] - bootstrap.percentile[0]) / 2;
}

/* p-value of two models' difference, on the pairs that both have; NaN where none differ. */
static double paired_p(const TgReport *report, const TgTableColumn *column, const Slice *a,
                       const Slice *b, guint n_trials)
{
    g_auto(TgTableSample) sample_a = { 0 }, sample_b = { 0 };
    g_auto(TgPairing) pairing = { 0 };
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
    tg_table_sample_init(&sample_a, &report->mean, report->table, column, pairing.a, pairing.a, n);
    tg_table_sample_init(&sample_b, &report->mean, report->table, column, pairing.b, pairing.a, n);
    const TgAdditive system_a = additive_of(&sample_a), system_b = additive_of(&sample_b);

    return tg_stats_paired_randomization_p(&system_a, &system_b, n_trials, NULL, report->seed,
                                           TG_TEST_TWO_SIDED);
}

/* Find the best of several models' values of one column, and which are to be tested against it. */
static gint find_best(const TgTableColumn *column, Value *values, guint n, guint step)
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

/* At most one test for each value. */
static guint count_tests(const TgReport *report, const GPtrArray *blocks)
{
    return blocks->len * report->shown->len * (report->table->models->len - 1);
}

/* Test every model against the best of its block, with p-values adjusted for all those tests. */
static void test_models(const TgReport *report, GPtrArray *blocks)
{
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    const guint n_trials =
        tg_stats_draws_for(count_tests(report, blocks), ALPHA, TRIALS, MAX_TRIALS);
    g_autoptr(GPtrArray) tested = g_ptr_array_new();
    g_autoptr(GArray) p = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < blocks->len * n_columns; i++) {
        const Block *block = blocks->pdata[i / n_columns];
        const TgTableColumn *column = tg_report_column(report, i % n_columns);
        Value *values = block->values + i % n_columns;
        const gint best = find_best(column, values, n_models, n_columns);

        for (guint m = 0; best >= 0 && m < n_models; m++) {
            double raw;

            if (!values[m * n_columns].is_tested)
                continue;
            raw = paired_p(report, column, &block->slices[best], &block->slices[m], n_trials);
            g_array_append_val(p, raw);
            g_ptr_array_add(tested, &values[m * n_columns]);
        }
    }
    tg_stats_holm((double *) p->data, p->len, (double *) p->data);
    for (guint i = 0; i < tested->len; i++)
        ((Value *) tested->pdata[i])->p = g_array_index(p, double, i);
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
        tg_grid_mark(grid, values[i].is_best,
                     values[i].is_tested && !(values[i].p < ALPHA) ? "=" : NULL);
        tg_grid_put_number(grid, values[i].half_width, DIGITS);
    }
}

/* The values of all models over one subset, or over all pairs (-1). (transfer full) */
static Block *new_block(const TgReport *report, gint subset)
{
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    Block *block = g_new(Block, 1);

    *block = (Block){ subset, g_new(Slice, n_models), g_new(Value, (gsize) n_models * n_columns) };
    for (guint m = 0; m < n_models; m++) {
        Slice *slice = &block->slices[m];

        *slice = (Slice){ .model = m, .subset = subset };
        slice->rows = rows_of(report->table, m, subset, &slice->n);
        for (guint c = 0; c < n_columns; c++)
            fill_value(report, tg_report_column(report, c), slice,
                       &block->values[m * n_columns + c]);
        g_clear_pointer(&slice->rows, g_free);
    }
    return block;
}

static void put_block(const TgReport *report, TgGrid *grid, const Block *block,
                      gboolean with_subset)
{
    const char *subset = !with_subset         ? NULL
                         : block->subset >= 0 ? tg_report_subset_name(report, (guint) block->subset)
                                              : "all";

    for (guint m = 0; m < report->table->models->len; m++)
        put_row(report, grid, subset, &block->slices[m],
                block->values + (gsize) m * report->shown->len);
}

/* The plain mean of a value over the subsets, which are all blocks but the first. */
static double mean_of(const GPtrArray *blocks, guint index)
{
    double mean = 0;

    for (guint b = 1; b < blocks->len; b++)
        mean += ((const Block *) blocks->pdata[b])->values[index].value / (blocks->len - 1);
    return mean;
}

static void put_macro(const TgReport *report, TgGrid *grid, const GPtrArray *blocks)
{
    const guint n_columns = report->shown->len;
    g_autofree Value *values = g_new(Value, n_columns);

    for (guint m = 0; m < report->table->models->len; m++) {
        Slice slice = { .model = m };

        slice.rows = rows_of(report->table, m, -1, &slice.n);
        for (guint c = 0; c < n_columns; c++)
            values[c] = (Value){ .value = mean_of(blocks, m * n_columns + c), .half_width = NAN };
        put_row(report, grid, "mean of subsets", &slice, values);
        g_free(slice.rows);
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
    g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func(free_block);

    g_ptr_array_add(section->grids, grid);
    if (table->n_rows == 0) {
        tg_grid_note(grid, "These results hold no pairs.");
        return;
    }
    g_ptr_array_add(blocks, new_block(report, -1));
    for (guint s = 0; with_subset && s < table->subsets->len; s++)
        g_ptr_array_add(blocks, new_block(report, (gint) s));
    test_models(report, blocks);
    for (guint i = 0; i < blocks->len; i++)
        put_block(report, grid, blocks->pdata[i], with_subset);
    if (with_subset && over != TG_MEAN_SUBSETS)
        put_macro(report, grid, blocks);
    tg_grid_note(grid,
                 "±: half the 95 %% bootstrap interval, %u resamples, seed %" G_GUINT64_FORMAT ".",
                 report->resamples, report->seed);
    if (table->models->len > 1)
        tg_grid_note(grid, "Bold: the best model; =: not told apart from the best by paired "
                           "randomisation (p ≥ 0.05 by Holm's method for all tests of this "
                           "table).");
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
