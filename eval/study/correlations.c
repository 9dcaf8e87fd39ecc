/* Every column against the mean ratings of every group. */
#include <math.h>

#include "eval/stats/stats.h"
#include "eval/study/parts.h"
#include "eval/study/sample.h"

/* What the bootstrap of one cell works from. */
typedef struct {
    const TgRanked *metric, *human;
    TgCorrelationKind kind;
    double epsilon;
} Statistic;

static double coefficient_of(const guint32 *rows, guint n, gpointer data)
{
    const Statistic *s = data;

    return tg_stats_correlation(s->kind, s->metric, s->human, rows, n);
}

static double accuracy_of(const guint32 *rows, guint n, gpointer data)
{
    const Statistic *s = data;
    TgPairCounts counts;

    tg_stats_pair_counts(s->metric, s->human, rows, n, s->epsilon, &counts);
    return tg_stats_acc_eq(&counts);
}

static void set_undefined(TgStudyCoefficient *c)
{
    *c = (TgStudyCoefficient){ .value = NAN, .p = NAN, .closed = { NAN, NAN } };
    tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, 0.5, &c->bootstrap);
}

/* Approximations by t and the normal distribution are for more items. */
static double p_of(TgCorrelationKind kind, double coefficient, const Statistic *s)
{
    if (kind != TG_PEARSON && s->human->n <= TG_MAX_PERMUTED)
        return tg_stats_permutation_p(kind, s->metric, s->human);
    return tg_stats_correlation_p(kind, coefficient, s->metric, s->human);
}

static void fill_coefficients(const TgStudy *study, TgStudyCorrelation *cell, Statistic *s)
{
    const guint n = s->human->n;
    g_autofree double *replicates = g_new(double, study->resamples);

    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        TgStudyCoefficient *c = &cell->coefficient[kind];
        double *out = kind == TG_PEARSON ? cell->pearsons : replicates;
        const guint n_replicates =
            kind == TG_PEARSON ? study->comparison_resamples : study->resamples;

        s->kind = kind;
        c->value = coefficient_of(NULL, n, s);
        c->p = p_of(kind, c->value, s);
        tg_stats_correlation_interval(kind, c->value, n, study->level, c->closed);
        tg_bootstrap_replicate(coefficient_of, s, n, n_replicates, NULL, study->seed, out);
        tg_study_bootstrap(study, coefficient_of, s, n, out, study->resamples, &c->bootstrap);
    }
}

static void fill_accuracy(const TgStudy *study, TgStudyCorrelation *cell, Statistic *s,
                          const double *metric, const double *human)
{
    const guint n = s->human->n;
    g_autofree double *replicates = g_new(double, study->resamples);
    TgTieCalibration best;
    TgPairCounts counts;

    if (!tg_stats_calibrate_ties(metric, human, n, &best))
        return;
    s->epsilon = cell->epsilon = best.epsilon;
    tg_stats_pair_counts(s->metric, s->human, NULL, n, best.epsilon, &counts);
    cell->tau23 = tg_stats_tau23(&counts);
    cell->acc_eq.value = best.acc_eq;
    tg_bootstrap_replicate(accuracy_of, s, n, study->resamples, NULL, study->seed, replicates);
    tg_study_bootstrap(study, accuracy_of, s, n, replicates, study->resamples,
                       &cell->acc_eq.bootstrap);
}

static void fill_correlation(gpointer item, guint worker, gpointer data)
{
    TgStudyCorrelation *cell = item;
    const TgStudy *study = data;
    const TgStudySlice *slice = study->slices->pdata[cell->slice];
    const TgTableGroup *group = tg_table_group(study->table, cell->group);
    const TgTableColumn *column = tg_table_column(study->table, cell->column);
    g_autofree guint32 *rows = tg_study_common_rows(slice, group, column, column, &cell->n);
    g_autofree double *metric = tg_study_aligned(column, rows, cell->n);
    g_autofree double *human = g_new(double, cell->n);
    g_autoptr(TgRanked) x = tg_ranked_new(metric, cell->n);
    g_autoptr(TgRanked) y = tg_study_human(group, rows, cell->n);
    Statistic statistic = { .metric = x, .human = y };

    (void) worker;
    for (guint i = 0; i < cell->n; i++)
        human[i] = group->mean[rows[i]];
    for (guint i = 0; i < slice->n; i++)
        cell->n_unscored +=
            !isnan(group->mean[slice->rows[i]]) && isnan(column->values[slice->rows[i]]);
    cell->undefined = tg_stats_undefined(x, column->name, y, group->name);
    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        set_undefined(&cell->coefficient[kind]);
    set_undefined(&cell->acc_eq);
    cell->epsilon = cell->tau23 = NAN;
    if (cell->undefined != NULL)
        return;
    cell->pearsons = g_new(double, study->comparison_resamples);
    fill_coefficients(study, cell, &statistic);
    fill_accuracy(study, cell, &statistic, metric, human);
}

gboolean tg_study_add_correlations(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    for (guint p = 0; p < study->slices->len; p++) {
        for (guint g = 0; g < study->table->groups->len; g++) {
            for (guint c = 0; c < study->table->columns->len; c++) {
                TgStudyCorrelation *cell = g_new0(TgStudyCorrelation, 1);

                cell->slice = p;
                cell->group = g;
                cell->column = c;
                g_ptr_array_add(study->correlations, cell);
            }
        }
    }
    return tg_study_work(study, study->correlations, options->threads, fill_correlation, error);
}
