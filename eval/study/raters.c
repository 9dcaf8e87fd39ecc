/* The raters themselves: how far do they agree, and what would a metric as good as one reach? */
#include <math.h>
#include <string.h>

#include "eval/study/parts.h"

/* The ratings of one group, or of all (@group NULL), in pairs that have one. (transfer full) */
static double *collect_ratings(const TgTable *table, const TgTableGroup *group, guint *n, guint *k)
{
    double *all, *row;

    *k = 0;
    for (guint g = 0; g < table->groups->len; g++)
        *k += group == NULL || tg_table_group(table, g) == group
                  ? tg_table_group(table, g)->n_raters
                  : 0;
    all = g_new(double, (gsize) table->n_rows **k);
    *n = 0;
    for (guint i = 0; i < table->n_rows; i++) {
        gboolean rated = FALSE;

        row = all + (gsize) *n * *k;
        for (guint g = 0; g < table->groups->len; g++) {
            const TgTableGroup *from = tg_table_group(table, g);

            if (group != NULL && from != group)
                continue;
            memcpy(row, from->ratings + (gsize) i * from->n_raters,
                   from->n_raters * sizeof(double));
            row += from->n_raters;
            rated |= !isnan(from->mean[i]);
        }
        *n += rated;
    }
    return all;
}

static double mean_of_defined(const double *values, guint n)
{
    double sum = 0.0;
    guint defined = 0;

    for (guint i = 0; i < n; i++) {
        sum += isnan(values[i]) ? 0.0 : values[i];
        defined += !isnan(values[i]);
    }
    return defined > 0 ? sum / defined : NAN;
}

static void add_raters(TgStudy *study, const TgTableGroup *group)
{
    TgStudyRaters *out = g_new0(TgStudyRaters, 1);
    g_autofree double *ratings =
        collect_ratings(study->table, group, &out->n_pairs, &out->n_raters);
    g_autofree double *against = g_new(double, out->n_raters);
    GError *error = NULL;

    out->group = group != NULL ? group->name : NULL;
    for (TgRatingLevel level = TG_NOMINAL; level <= TG_INTERVAL; level++) {
        if (tg_stats_krippendorff(ratings, out->n_pairs, out->n_raters, level, &out->alpha[level],
                                  &error))
            continue;
        if (out->undefined == NULL)
            out->undefined = g_strdup(error->message);
        g_clear_error(&error);
    }
    out->has_icc = tg_stats_icc(ratings, out->n_pairs, out->n_raters, &out->icc, NULL);
    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        tg_stats_rater_against_rest(kind, ratings, out->n_pairs, out->n_raters, against);
        out->ceiling[kind] = mean_of_defined(against, out->n_raters);
    }
    g_ptr_array_add(study->raters, out);
}

static void add_group_pair(TgStudy *study, guint a, guint b)
{
    const TgTable *table = study->table;
    const double *mean_a = tg_table_group(table, a)->mean, *mean_b = tg_table_group(table, b)->mean;
    g_autofree double *x = g_new(double, table->n_rows);
    g_autofree double *y = g_new(double, table->n_rows);
    TgStudyGroups *out = g_new0(TgStudyGroups, 1);

    out->a = a;
    out->b = b;
    for (guint i = 0; i < table->n_rows; i++) {
        if (isnan(mean_a[i]) || isnan(mean_b[i]))
            continue;
        x[out->n] = mean_a[i];
        y[out->n++] = mean_b[i];
    }
    g_autoptr(TgRanked) ranked_a = tg_ranked_new(x, out->n);
    g_autoptr(TgRanked) ranked_b = tg_ranked_new(y, out->n);
    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        out->coefficient[kind] = tg_stats_correlation(kind, ranked_a, ranked_b, NULL, out->n);
    g_ptr_array_add(study->groups, out);
}

void tg_study_add_raters(TgStudy *study)
{
    const guint n_groups = study->table->groups->len;

    for (guint g = 0; g < n_groups; g++)
        add_raters(study, tg_table_group(study->table, g));
    if (n_groups > 1)
        add_raters(study, NULL);
    for (guint a = 0; a < n_groups; a++) {
        for (guint b = a + 1; b < n_groups; b++)
            add_group_pair(study, a, b);
    }
}
