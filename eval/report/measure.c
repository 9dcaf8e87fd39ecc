/* The values of every model and subset, with intervals and tests against the best. */
#include <math.h>

#include "eval/report/private.h"

enum { TRIALS = 2000, MAX_TRIALS = 1000000 };
#define ALPHA 0.05

/* ---- samples ---- */

/* Columns of a selection of pairs, to be resampled together. */
typedef struct {
    guint n;
    TgTableSample *samples;
    TgAdditive *systems;
} Samples;

static void samples_init(Samples *samples, guint size)
{
    *samples = (Samples){ 0, g_new0(TgTableSample, size), g_new0(TgAdditive, size) };
}

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
    samples_init(&samples, n_models * n_columns);
    for (guint m = 0; m < n_models; m++) {
        g_autofree guint32 *rows = tg_table_rows(report->table, m, subset, &block->n[m]);

        for (guint c = 0; c < n_columns; c++) {
            TgReportValue *value = tg_report_value(report, block, m, c);

            *value = (TgReportValue){
                .value = NAN, .interval = { NAN, NAN }, .behind = NAN, .behind_range = { NAN, NAN }
            };
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

/* Models against each other; their pairs are sought once. */
typedef struct {
    TgReport *report;
    guint n_models;
    TgPairing *pairings; /* [n_models][n_models] a is NULL: not needed yet */
} Tester;

/* The pairs that two models have; none where their truths differ. */
static const TgPairing *pairing_of(Tester *tester, guint a, guint b)
{
    TgPairing *pairing = &tester->pairings[(gsize) a * tester->n_models + b];

    if (pairing->a == NULL && !tg_pairing_init(pairing, tester->report->table, a, b, NULL))
        pairing->n = 0;
    return pairing;
}

/* The p-value of a model against the best of a block; NaN where none differ. */
static double test_model(Tester *tester, const TgReportBlock *block, guint column, guint best,
                         guint model, guint n_trials)
{
    const TgReport *report = tester->report;
    const TgPairing *pairing = pairing_of(tester, best, model);
    g_autofree guint32 *a = g_new(guint32, MAX(pairing->n, 1));
    g_autofree guint32 *b = g_new(guint32, MAX(pairing->n, 1));
    g_auto(Samples) samples = { 0 };
    guint n = 0;

    for (guint i = 0; i < pairing->n; i++) {
        if (block->subset >= 0 &&
            report->table->rows[pairing->a[i]].subset != (guint) block->subset)
            continue;
        a[n] = pairing->a[i];
        b[n++] = pairing->b[i];
    }
    if (n == 0)
        return NAN;
    samples_init(&samples, 2);
    samples_add(&samples, report, column, a, a, n);
    samples_add(&samples, report, column, b, a, n);
    return tg_stats_paired_randomization_p(&samples.systems[0], &samples.systems[1], n_trials, NULL,
                                           report->seed, TG_TEST_TWO_SIDED);
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

/* How far a model is behind another on the columns where that one is best, by the bootstrap of the
 * pairs that both have. */
static void measure_gaps(Tester *tester, const TgReportBlock *block, const gint *best, guint first,
                         guint model)
{
    const TgReport *report = tester->report;
    const guint n_columns = report->shown->len;
    g_auto(Samples) samples = { 0 };
    g_autofree guint *columns = g_new(guint, n_columns);
    guint n = 0;

    samples_init(&samples, 2 * n_columns);
    for (guint c = 0; c < n_columns; c++) {
        const TgPairing *pairing;
        TgReportValue *value = tg_report_value(report, block, model, c);

        if (best[c] != (gint) first || !value->is_tested)
            continue;
        pairing = pairing_of(tester, first, model);
        if (pairing->n == 0)
            return;
        columns[n++] = c;
        value->behind = samples_add(&samples, report, c, pairing->a, pairing->a, pairing->n);
        value->behind -= samples_add(&samples, report, c, pairing->b, pairing->a, pairing->n);
    }
    g_autofree double *replicates = samples_replicate(&samples, report, report->seed);
    for (guint i = 0; i < n; i++) {
        const double sign = tg_report_column(report, columns[i])->lower_is_better ? -1 : 1;
        TgReportValue *value = tg_report_value(report, block, model, columns[i]);
        double *gaps = replicates + 2 * (gsize) i * report->resamples;

        for (guint k = 0; k < report->resamples; k++)
            gaps[k] = sign * (gaps[k] - gaps[k + report->resamples]);
        value->behind *= sign;
        set_interval(report, value->behind, gaps, value->behind_range);
    }
}

/* Test every model against the best of its block, in blocks @first to @end, with p-values adjusted
 * for all those tests. Over all pairs also how far they are behind. */
static void test_blocks(Tester *tester, guint first, guint end)
{
    const TgReport *report = tester->report;
    const guint n_models = tester->n_models, n_columns = report->shown->len;
    const guint n_tests = (end - first) * n_columns * (n_models - 1);
    const guint n_trials = tg_stats_draws_for(n_tests, ALPHA, TRIALS, MAX_TRIALS);
    g_autoptr(GPtrArray) tested = g_ptr_array_new();
    g_autoptr(GArray) p = g_array_new(FALSE, FALSE, sizeof(double));
    g_autofree gint *best = g_new(gint, MAX(n_columns, 1));

    for (guint i = first; i < end; i++) {
        const TgReportBlock *block = report->blocks->pdata[i];

        tg_listener_tell(&report->listener, "tests", i, report->blocks->len);
        for (guint c = 0; c < n_columns; c++) {
            best[c] =
                find_best(tg_report_column(report, c), block->values + c, n_models, n_columns);
            for (guint m = 0; best[c] >= 0 && m < n_models; m++) {
                TgReportValue *value = tg_report_value(report, block, m, c);

                if (!value->is_tested)
                    continue;
                const double raw = test_model(tester, block, c, (guint) best[c], m, n_trials);
                g_array_append_val(p, raw);
                g_ptr_array_add(tested, value);
            }
        }
        for (guint a = 0; block->subset < 0 && a < n_models; a++)
            for (guint b = 0; b < n_models; b++)
                measure_gaps(tester, block, best, a, b);
    }
    tg_stats_holm((double *) p->data, p->len, (double *) p->data);
    for (guint i = 0; i < tested->len; i++)
        ((TgReportValue *) tested->pdata[i])->p = g_array_index(p, double, i);
}

void tg_report_measure(TgReport *report)
{
    const guint n_models = report->table->models->len, n_subsets = report->table->subsets->len;
    const guint n_blocks = 1 + (n_subsets > 1 ? n_subsets : 0);
    Tester tester = { report, n_models, g_new0(TgPairing, (gsize) n_models * n_models) };

    const gboolean is_mean = report->mean.mean.over == TG_MEAN_SUBSETS && n_subsets > 1;
    g_autofree double *mean =
        is_mean ? g_new0(double, (gsize) n_models * report->shown->len * report->resamples) : NULL;

    for (guint i = 0; i < n_blocks; i++) {
        tg_listener_tell(&report->listener, "intervals", i, n_blocks);
        g_ptr_array_add(report->blocks, new_block(report, (gint) i - 1, i > 0 ? mean : NULL));
    }
    if (is_mean)
        set_mean_intervals(report, mean);
    test_blocks(&tester, 0, 1);
    test_blocks(&tester, 1, n_blocks);
    for (guint i = 0; i < n_models * n_models; i++)
        tg_pairing_clear(&tester.pairings[i]);
    g_free(tester.pairings);
}
