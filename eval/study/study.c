/* A study: which pairs, which columns, and the parts one after the other. */
#include "eval/study/study.h"

#include <math.h>

#include "core/pipeline.h"
#include "eval/stats/calibration.h"
#include "eval/stats/pairwise.h"
#include "eval/study/parts.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 1000000 };
#define DEFAULT_LEVEL 0.95

static void free_part(gpointer data)
{
    TgStudyPart *part = data;

    g_free(part->rows);
    g_free(part);
}

static void free_correlation(gpointer data)
{
    TgStudyCorrelation *cell = data;

    g_free(cell->undefined);
    g_free(cell->pearsons);
    g_free(cell);
}

static void free_raters(gpointer data)
{
    TgStudyRaters *raters = data;

    g_free(raters->undefined);
    g_free(raters);
}

void tg_study_free(TgStudy *study)
{
    if (study == NULL)
        return;
    g_ptr_array_unref(study->parts);
    g_ptr_array_unref(study->correlations);
    g_ptr_array_unref(study->comparisons);
    g_ptr_array_unref(study->raters);
    g_ptr_array_unref(study->groups);
    g_ptr_array_unref(study->preferences);
    g_ptr_array_unref(study->spellings);
    tg_table_free(study->table);
    g_free(study);
}

gboolean tg_study_shows(const TgStudy *study, guint column)
{
    return study->all_columns || tg_table_column(study->table, column)->is_headline;
}

const TgStudyCorrelation *tg_study_correlation(const TgStudy *study, guint part, guint group,
                                               guint column)
{
    const guint n_groups = study->table->groups->len, n_columns = study->table->columns->len;

    return study->correlations->pdata[(part * n_groups + group) * n_columns + column];
}

double tg_study_average(const TgStudy *study, guint part, guint column)
{
    const guint n_groups = study->table->groups->len;
    double sum = 0.0;

    for (guint g = 0; g < n_groups; g++) {
        const TgStudyCorrelation *cell = tg_study_correlation(study, part, g, column);

        sum += cell->coefficient[TG_PEARSON].value + cell->coefficient[TG_SPEARMAN].value;
    }
    return n_groups > 0 ? sum / (2 * n_groups) : NAN;
}

/* ---- which pairs ---- */

static void add_part(TgStudy *study, const char *name, guint subset, guint model)
{
    const TgTable *table = study->table;
    TgStudyPart *part = g_new(TgStudyPart, 1);

    *part = (TgStudyPart){ name, g_new(guint32, table->n_rows), 0 };
    for (guint i = 0; i < table->n_rows; i++) {
        if ((subset == G_MAXUINT || table->rows[i].subset == subset) &&
            (model == G_MAXUINT || table->rows[i].model == model))
            part->rows[part->n++] = i;
    }
    g_ptr_array_add(study->parts, part);
}

static void add_parts(TgStudy *study, const TgStudyOptions *options)
{
    const TgTable *table = study->table;

    add_part(study, "all", G_MAXUINT, G_MAXUINT);
    for (guint i = 0; options->by_subset && i < table->subsets->len; i++)
        add_part(study, tg_table_subset(table, i), i, G_MAXUINT);
    for (guint i = 0; options->by_model && i < table->models->len; i++)
        add_part(study, tg_table_model(table, i), G_MAXUINT, i);
}

/* ---- correlations ---- */

double *tg_study_aligned(const TgTableColumn *column, const guint32 *rows, guint n)
{
    double *values = g_new(double, n);

    for (guint i = 0; i < n; i++)
        values[i] = column->lower_is_better ? -column->values[rows[i]] : column->values[rows[i]];
    return values;
}

guint32 *tg_study_common_rows(const TgStudyPart *part, const TgTableGroup *group,
                              const TgTableColumn *a, const TgTableColumn *b, guint *n)
{
    guint32 *rows = g_new(guint32, part->n);

    *n = 0;
    for (guint i = 0; i < part->n; i++) {
        const guint32 row = part->rows[i];

        if (!isnan(group->mean[row]) && !isnan(a->values[row]) && !isnan(b->values[row]))
            rows[(*n)++] = row;
    }
    return rows;
}

TgRanked *tg_study_human(const TgTableGroup *group, const guint32 *rows, guint n)
{
    g_autofree double *means = g_new(double, n);

    for (guint i = 0; i < n; i++)
        means[i] = group->mean[rows[i]];
    return tg_ranked_new(means, n);
}

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

void tg_study_bootstrap(const TgStudy *study, TgStatisticFunc statistic, gpointer data, guint n,
                        const double *replicates, TgBootstrap *out)
{
    const guint n_jackknife = tg_bootstrap_n_jackknife(n);
    g_autofree double *jackknife = g_new(double, n_jackknife);

    tg_bootstrap_jackknife(statistic, data, n, jackknife);
    tg_bootstrap_intervals(statistic(NULL, n, data), replicates, study->resamples, jackknife,
                           n_jackknife, study->level, out);
}

static void set_undefined(TgStudyCoefficient *c)
{
    *c = (TgStudyCoefficient){ .value = NAN, .p = NAN, .closed = { NAN, NAN } };
    tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, 0.5, &c->bootstrap);
}

static void fill_coefficients(const TgStudy *study, TgStudyCorrelation *cell, Statistic *s)
{
    const guint n = s->human->n;
    g_autofree double *replicates = g_new(double, study->resamples);

    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        TgStudyCoefficient *c = &cell->coefficient[kind];
        double *out = kind == TG_PEARSON ? cell->pearsons : replicates;

        s->kind = kind;
        c->value = coefficient_of(NULL, n, s);
        c->p = tg_stats_correlation_p(kind, c->value, s->metric, s->human);
        tg_stats_correlation_interval(kind, c->value, n, study->level, c->closed);
        tg_bootstrap_replicate(coefficient_of, s, n, study->resamples, NULL, study->seed, out);
        tg_study_bootstrap(study, coefficient_of, s, n, out, &c->bootstrap);
    }
}

static void fill_accuracy(const TgStudy *study, TgStudyCorrelation *cell, Statistic *s,
                          const double *metric, const double *human)
{
    const guint n = s->human->n, starts[] = { 0, n };
    g_autofree double *replicates = g_new(double, study->resamples);
    TgTieCalibration best;
    TgPairCounts counts;

    if (!tg_stats_calibrate_ties(metric, human, starts, 1, &best))
        return;
    s->epsilon = cell->epsilon = best.epsilon;
    tg_stats_pair_counts(s->metric, s->human, NULL, n, best.epsilon, &counts);
    cell->tau23 = tg_stats_tau23(&counts);
    cell->acc_eq.value = best.acc_eq;
    tg_bootstrap_replicate(accuracy_of, s, n, study->resamples, NULL, study->seed, replicates);
    tg_study_bootstrap(study, accuracy_of, s, n, replicates, &cell->acc_eq.bootstrap);
}

static void fill_correlation(gpointer item, guint worker, gpointer data)
{
    TgStudyCorrelation *cell = item;
    const TgStudy *study = data;
    const TgStudyPart *part = study->parts->pdata[cell->part];
    const TgTableGroup *group = tg_table_group(study->table, cell->group);
    const TgTableColumn *column = tg_table_column(study->table, cell->column);
    g_autofree guint32 *rows = tg_study_common_rows(part, group, column, column, &cell->n);
    g_autofree double *metric = tg_study_aligned(column, rows, cell->n);
    g_autofree double *human = g_new(double, cell->n);
    g_autoptr(TgRanked) x = tg_ranked_new(metric, cell->n);
    g_autoptr(TgRanked) y = tg_study_human(group, rows, cell->n);
    Statistic statistic = { .metric = x, .human = y };

    (void) worker;
    for (guint i = 0; i < cell->n; i++)
        human[i] = group->mean[rows[i]];
    for (guint i = 0; i < part->n; i++)
        cell->n_unscored +=
            !isnan(group->mean[part->rows[i]]) && isnan(column->values[part->rows[i]]);
    cell->undefined = tg_stats_undefined(x, column->name, y, group->name);
    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        set_undefined(&cell->coefficient[kind]);
    set_undefined(&cell->acc_eq);
    cell->epsilon = cell->tau23 = NAN;
    if (cell->undefined != NULL)
        return;
    cell->pearsons = g_new(double, study->resamples);
    fill_coefficients(study, cell, &statistic);
    fill_accuracy(study, cell, &statistic, metric, human);
}

static void keep_item(gpointer item, gpointer data)
{
    (void) item, (void) data; /* the study holds it already */
}

gboolean tg_study_work(TgStudy *study, GPtrArray *items, guint threads, TgPipelineWork work,
                       GError **error)
{
    const guint n_threads = threads > 0 ? threads : g_get_num_processors();
    TgPipeline *pipeline = tg_pipeline_new(MIN(n_threads, MAX(items->len, 1)), 2 * n_threads, work,
                                           keep_item, study, error);

    if (pipeline == NULL)
        return FALSE;
    for (guint i = 0; i < items->len; i++)
        tg_pipeline_push(pipeline, items->pdata[i]);
    tg_pipeline_finish(pipeline);
    return TRUE;
}

static gboolean add_correlations(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    for (guint p = 0; p < study->parts->len; p++) {
        for (guint g = 0; g < study->table->groups->len; g++) {
            for (guint c = 0; c < study->table->columns->len; c++) {
                TgStudyCorrelation *cell = g_new0(TgStudyCorrelation, 1);

                cell->part = p;
                cell->group = g;
                cell->column = c;
                g_ptr_array_add(study->correlations, cell);
            }
        }
    }
    return tg_study_work(study, study->correlations, options->threads, fill_correlation, error);
}

static gboolean check_options(const TgStudyOptions *options, GError **error)
{
    if (options->level < 0.0 || options->level >= 1.0 || options->resamples > MAX_RESAMPLES) {
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "an interval's level lies between 0 and 1, and there are at most %d resamples",
                    MAX_RESAMPLES);
        return FALSE;
    }
    return TRUE;
}

TgStudy *tg_study_run(const char *const *paths, const TgStudyOptions *options, GError **error)
{
    const TgTableOptions table_options = { options->stored, options->lower };
    g_autoptr(TgStudy) study = NULL;
    TgTable *table;

    if (!check_options(options, error))
        return NULL;
    table = tg_table_read(paths, &table_options, error);
    if (table == NULL)
        return NULL;
    study = g_new(TgStudy, 1);
    *study = (TgStudy){
        .table = table,
        .resamples = options->resamples > 0 ? options->resamples : DEFAULT_RESAMPLES,
        .seed = options->seed,
        .all_columns = options->all_columns,
        .level = options->level > 0 ? options->level : DEFAULT_LEVEL,
        .parts = g_ptr_array_new_with_free_func(free_part),
        .correlations = g_ptr_array_new_with_free_func(free_correlation),
        .comparisons = g_ptr_array_new_with_free_func(g_free),
        .raters = g_ptr_array_new_with_free_func(free_raters),
        .groups = g_ptr_array_new_with_free_func(g_free),
        .preferences = g_ptr_array_new_with_free_func(g_free),
        .spellings = g_ptr_array_new_with_free_func(g_free),
    };
    add_parts(study, options);
    if (!add_correlations(study, options, error) ||
        !tg_study_add_comparisons(study, options, error) ||
        !tg_study_add_preferences(study, options, error) ||
        !tg_study_add_spellings(study, options, error))
        return NULL;
    tg_study_add_raters(study);
    return g_steal_pointer(&study);
}
