#include "eval/study/study.h"

#include <math.h>

static void free_slice(gpointer data)
{
    TgStudySlice *slice = data;

    g_free(slice->rows);
    g_free(slice);
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

TgStudy *tg_study_new(TgTable *table)
{
    TgStudy *study = g_new(TgStudy, 1);

    *study = (TgStudy){
        .table = table,
        .slices = g_ptr_array_new_with_free_func(free_slice),
        .correlations = g_ptr_array_new_with_free_func(free_correlation),
        .systems = g_ptr_array_new_with_free_func(g_free),
        .comparisons = g_ptr_array_new_with_free_func(g_free),
        .raters = g_ptr_array_new_with_free_func(free_raters),
        .groups = g_ptr_array_new_with_free_func(g_free),
        .preferences = g_ptr_array_new_with_free_func(g_free),
        .spellings = g_ptr_array_new_with_free_func(g_free),
    };
    return study;
}

void tg_study_free(TgStudy *study)
{
    if (study == NULL)
        return;
    g_ptr_array_unref(study->slices);
    g_ptr_array_unref(study->correlations);
    g_ptr_array_unref(study->systems);
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

const TgStudyCorrelation *tg_study_correlation(const TgStudy *study, guint slice, guint group,
                                               guint column)
{
    const guint n_groups = study->table->groups->len, n_columns = study->table->columns->len;

    return study->correlations->pdata[(slice * n_groups + group) * n_columns + column];
}

double tg_study_average(const TgStudy *study, guint slice, guint column)
{
    const guint n_groups = study->table->groups->len;
    double sum = 0.0;

    for (guint g = 0; g < n_groups; g++) {
        const TgStudyCorrelation *cell = tg_study_correlation(study, slice, g, column);

        sum += cell->coefficient[TG_PEARSON].value + cell->coefficient[TG_SPEARMAN].value;
    }
    return n_groups > 0 ? sum / (2 * n_groups) : NAN;
}
