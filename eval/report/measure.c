/* The values of every model and subset, with intervals and tests against the best. */
#include <math.h>

#include "eval/compare/compare.h"
#include "eval/report/private.h"

/* ---- samples ---- */

/* Columns of a selection of pairs, to be resampled together. */
typedef struct {
    guint n;
    TgTableSample *samples;
    TgAdditive *systems;
} Samples;

static void samples_clear(Samples *samples)
{
    for (guint i = 0; i < samples->n; i++)
        tg_table_sample_clear(&samples->samples[i]);
    g_free(samples->samples);
    g_free(samples->systems);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Samples, samples_clear)

/* @rows of a column; @named: of paired samples the rows of one side. Its value. */
static double samples_add(Samples *samples, const TgReport *report, guint column,
                          const guint32 *rows, const guint32 *named, guint n)
{
    TgTableSample *sample = &samples->samples[samples->n];
    TgAdditive *system = &samples->systems[samples->n++];

    tg_table_sample_init(sample, &report->mean, report->table, tg_report_column(report, column),
                         rows, named, n);
    *system = (TgAdditive){ sample->rows, sample->n, sample->n_stats, sample->pool, sample };
    return tg_additive_statistic(NULL, sample->n, system);
}

/* Replicates of all samples; neighbours of as many items (pairs, or pages) have the same draws.
 * (transfer full) [samples->n][resamples] */
static double *samples_replicate(const Samples *samples, const TgReport *report, guint64 seed)
{
    double *out = g_new(double, (gsize) samples->n * report->resamples);

    for (guint first = 0, end; first < samples->n; first = end) {
        for (end = first + 1;
             end < samples->n && samples->systems[end].n == samples->systems[first].n; end++)
            ;
        tg_additive_replicate(samples->systems + first, end - first, report->resamples, seed,
                              out + (gsize) first * report->resamples);
    }
    return out;
}

static void set_interval(const TgReport *report, double estimate, const double *replicates,
                         double *interval)
{
    TgBootstrap bootstrap;

    tg_bootstrap_intervals(estimate, replicates, report->resamples, NULL, 0, 0.95, &bootstrap);
    interval[0] = bootstrap.percentile[0];
    interval[1] = bootstrap.percentile[1];
}

/* ---- values ---- */

/* The values of all models over one subset, or over all pairs (-1), with eval's intervals.
 *
 * @mean: [models][columns][resamples] their replicates are added; NULL: not needed
 *
 * Returns: (transfer full) */
static TgReportBlock *new_block(const TgReport *report, gint subset, double *mean)
{
    const guint64 seed =
        subset < 0 ? report->seed
                   : tg_subset_seed(report->seed, tg_report_subset_name(report, (guint) subset));
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    const gsize n_values = (gsize) n_models * n_columns;
    TgReportBlock *block = g_new(TgReportBlock, 1);
    g_auto(Samples) samples = { 0 };
    guint k = 0;

    *block = (TgReportBlock){ subset, g_new(guint, n_models), g_new(TgReportValue, n_values) };
    samples = (Samples){ 0, g_new0(TgTableSample, n_values), g_new0(TgAdditive, n_values) };
    for (guint m = 0; m < n_models; m++) {
        g_autofree guint32 *rows = tg_table_rows(report->table, m, subset, &block->n[m]);

        for (guint c = 0; c < n_columns; c++) {
            TgReportValue *value = tg_report_value(report, block, m, c);

            *value = (TgReportValue){ .value = NAN,
                                      .interval = { NAN, NAN },
                                      .best = -1,
                                      .gap = NAN,
                                      .gap_range = { NAN, NAN } };
            if (block->n[m] > 0)
                value->value = samples_add(&samples, report, c, rows, rows, block->n[m]);
        }
    }
    g_autofree double *replicates = samples_replicate(&samples, report, seed);
    for (gsize i = 0; i < n_values; i++) {
        const double *drawn = replicates + (gsize) k * report->resamples;

        if (block->n[i / n_columns] == 0)
            continue;
        set_interval(report, block->values[i].value, drawn, block->values[i].interval);
        for (guint r = 0; mean != NULL && r < report->resamples; r++)
            mean[i * report->resamples + r] += drawn[r];
        k++;
    }
    return block;
}

/* Where values are means over subsets, these are drawn independently of each other. */
static void set_mean_intervals(const TgReport *report, const double *sums)
{
    const guint n_columns = report->shown->len;
    const TgReportBlock *all = report->blocks->pdata[0];
    g_autofree double *mean = g_new(double, report->resamples);

    for (guint i = 0; i < report->table->models->len * n_columns; i++) {
        guint n = 0;

        for (guint b = 1; b < report->blocks->len; b++)
            n += ((const TgReportBlock *) report->blocks->pdata[b])->n[i / n_columns] > 0;
        for (guint r = 0; r < report->resamples; r++)
            mean[r] = sums[(gsize) i * report->resamples + r] / n;
        if (n > 0)
            set_interval(report, all->values[i].value, mean, all->values[i].interval);
    }
}

/* ---- tests ---- */

/* The best of several models' values of one column, marked with those equal to it; -1: none, as
 * values are counts or of one model. */
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
        values[i * step].best =
            values[i * step].is_best || isnan(values[i * step].value) ? -1 : best;
    }
    return best;
}

/* Test every model against the best one of each column and block, as compare does. */
static gboolean test_blocks(TgReport *report, GError **error)
{
    const guint n_models = report->table->models->len, n_columns = report->shown->len;
    const TgCompareOptions options = { .resamples = report->resamples,
                                       .seed = report->seed,
                                       .threads = report->threads,
                                       .listener = report->listener };
    g_autofree gboolean *needed = g_new0(gboolean, (gsize) n_models * n_models + 1);
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, 2 * sizeof(guint));

    for (guint i = 0; i < report->blocks->len * n_columns; i++) {
        const TgReportBlock *block = report->blocks->pdata[i / n_columns];
        const TgTableColumn *column = tg_report_column(report, i % n_columns);
        const gint best = find_best(column, block->values + i % n_columns, n_models, n_columns);

        for (guint m = 0; best >= 0 && m < n_models; m++)
            needed[(guint) best * n_models + m] |=
                tg_report_value(report, block, m, i % n_columns)->best >= 0;
    }
    for (guint i = 0; i < n_models * n_models; i++) {
        const guint pair[2] = { i % n_models, i / n_models }; /* the best is the model */

        if (needed[i])
            g_array_append_vals(pairs, pair, 1);
    }
    g_autoptr(TgComparison) comparison =
        tg_compare_models(report->table, &report->mean, (const guint(*)[2])(gpointer) pairs->data,
                          pairs->len, &options, error);
    for (guint i = 0; comparison != NULL && i < comparison->columns->len; i++) {
        const TgComparedColumn *c = comparison->columns->pdata[i];
        const double sign = tg_table_column(report->table, c->column)->lower_is_better ? -1 : 1;
        const TgReportBlock *block = report->blocks->pdata[c->subset + 1];

        for (guint k = 0; k < n_columns; k++) {
            TgReportValue *value = tg_report_value(report, block, c->base, k);

            if (g_array_index(report->shown, guint, k) != c->column ||
                value->best != (gint) c->model)
                continue;
            value->verdict = c->verdict;
            value->p = c->adjusted[TG_RANDOMIZATION_TEST].holm;
            value->gap = sign * c->difference;
            value->gap_range[0] = sign * c->test.bootstrap.t[sign < 0];
            value->gap_range[1] = sign * c->test.bootstrap.t[sign > 0];
        }
    }
    return comparison != NULL;
}

gboolean tg_report_measure(TgReport *report, GError **error)
{
    const guint n_models = report->table->models->len, n_subsets = report->table->subsets->len;
    const guint n_blocks = 1 + (n_subsets > 1 ? n_subsets : 0);
    const gboolean is_mean = report->mean.mean.over == TG_MEAN_SUBSETS && n_subsets > 1;
    g_autofree double *mean =
        is_mean ? g_new0(double, (gsize) n_models * report->shown->len * report->resamples) : NULL;

    for (guint i = 0; i < n_blocks; i++) {
        tg_listener_tell(&report->listener, "intervals", i, n_blocks);
        g_ptr_array_add(report->blocks, new_block(report, (gint) i - 1, i > 0 ? mean : NULL));
    }
    if (is_mean)
        set_mean_intervals(report, mean);
    return test_blocks(report, error);
}
