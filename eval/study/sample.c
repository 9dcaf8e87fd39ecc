#include "eval/study/sample.h"

#include <math.h>

double *tg_study_aligned(const TgTableColumn *column, const guint32 *rows, guint n)
{
    double *values = g_new(double, n);

    for (guint i = 0; i < n; i++)
        values[i] = column->lower_is_better ? -column->values[rows[i]] : column->values[rows[i]];
    return values;
}

guint32 *tg_study_common_rows(const TgStudySlice *slice, const TgTableGroup *group,
                              const TgTableColumn *a, const TgTableColumn *b, guint *n)
{
    guint32 *rows = g_new(guint32, slice->n);

    *n = 0;
    for (guint i = 0; i < slice->n; i++) {
        const guint32 row = slice->rows[i];

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

static void drop_point(double ends[2])
{
    if (!(ends[1] - ends[0] > 1e-12))
        ends[0] = ends[1] = NAN;
}

/* Make an interval of width 0 undefined. */
static void study_drop_points(TgBootstrap *bootstrap)
{
    drop_point(bootstrap->percentile);
    drop_point(bootstrap->bca);
    drop_point(bootstrap->t);
}

void tg_study_bootstrap(const TgStudy *study, TgStatisticFunc statistic, gpointer data, guint n,
                        const double *replicates, guint n_replicates, TgBootstrap *out)
{
    const guint n_jackknife = tg_bootstrap_n_jackknife(n);
    g_autofree double *jackknife = g_new(double, n_jackknife);

    tg_bootstrap_jackknife(statistic, data, n, jackknife);
    tg_bootstrap_intervals(statistic(NULL, n, data), replicates, n_replicates, jackknife,
                           n_jackknife, study->level, out);
    study_drop_points(out);
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
