/* Every column against the mean ratings of whole models: does it rank models as people do? */
#include <math.h>

#include "eval/stats/stats.h"
#include "eval/study/parts.h"
#include "eval/study/sample.h"

/* Two points always lie on a line. */
enum { LEAST_MODELS = 3 };

/* One model's rated and scored pairs: the value of the column over them, and their mean rating. */
static gboolean rate_model(const TgStudy *study, const TgStudySystems *s, guint model,
                           double *value, double *rating, guint *n)
{
    const TgTable *table = study->table;
    const TgStudySlice *slice = study->slices->pdata[s->slice];
    const TgTableGroup *group = tg_table_group(table, s->group);
    const TgTableColumn *column = tg_table_column(table, s->column);
    const TgTablePool pool = tg_table_pool(table, column);
    g_autofree double *sum = g_new0(double, pool.n_stats);
    g_autofree double *row_stats = g_new(double, pool.n_stats);

    *rating = 0.0;
    *n = 0;
    for (guint i = 0; i < slice->n; i++) {
        const guint row = slice->rows[i];

        if (table->rows[row].model != model || isnan(group->mean[row]) ||
            isnan(column->values[row]))
            continue;
        tg_table_pool_row(&pool, row, row_stats);
        for (guint k = 0; k < pool.n_stats; k++)
            sum[k] += row_stats[k];
        *rating += group->mean[row];
        (*n)++;
    }
    if (*n == 0)
        return FALSE;
    *rating /= *n;
    *value = tg_table_pool_value(sum, (gpointer) &pool) * (column->lower_is_better ? -1 : 1);
    if (column->pooling == TG_POOL_SUM)
        *value /= *n;
    return !isnan(*value);
}

static void correlate(const TgStudy *study, TgStudySystems *s, const double *values,
                      const double *ratings)
{
    g_autoptr(TgRanked) metric = tg_ranked_new(values, s->n_models);
    g_autoptr(TgRanked) human = tg_ranked_new(ratings, s->n_models);

    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        s->coefficient[kind] = tg_stats_correlation(kind, metric, human, NULL, s->n_models);
        s->p[kind] = kind != TG_PEARSON && s->n_models <= TG_MAX_PERMUTED
                         ? tg_stats_permutation_p(kind, metric, human)
                         : tg_stats_correlation_p(kind, s->coefficient[kind], metric, human);
    }
    tg_stats_correlation_interval(TG_PEARSON, s->coefficient[TG_PEARSON], s->n_models, study->level,
                                  s->closed);
}

static void add_systems(TgStudy *study, guint slice, guint group, guint column)
{
    const guint n_models = study->table->models->len;
    g_autofree double *values = g_new(double, n_models);
    g_autofree double *ratings = g_new(double, n_models);
    TgStudySystems *s = g_new0(TgStudySystems, 1);

    s->slice = slice;
    s->group = group;
    s->column = column;
    for (guint m = 0; m < n_models; m++) {
        guint n;

        if (!rate_model(study, s, m, &values[s->n_models], &ratings[s->n_models], &n))
            continue;
        s->n_models++;
        s->n_pairs += n;
    }
    if (s->n_models < LEAST_MODELS) {
        g_free(s);
        return;
    }
    correlate(study, s, values, ratings);
    g_ptr_array_add(study->systems, s);
}

void tg_study_add_systems(TgStudy *study)
{
    const TgTable *table = study->table;

    for (guint slice = 0; slice < study->slices->len; slice++) {
        for (guint g = 0; g < table->groups->len; g++) {
            for (guint c = 0; c < table->columns->len; c++)
                add_systems(study, slice, g, c);
        }
    }
}
