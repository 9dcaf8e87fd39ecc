/* Which of two columns agrees better with the human scores? */
#include <math.h>

#include "eval/stats/stats.h"
#include "eval/study/parts.h"
#include "eval/study/sample.h"

enum { WILLIAMS, BOOTSTRAP, N_TESTS };

/* Two columns and the human, on the same rows. */
typedef struct {
    const TgRanked *a, *b, *human;
} Trio;

static double difference_of(const guint32 *rows, guint n, gpointer data)
{
    const Trio *trio = data;

    return tg_stats_correlation(TG_PEARSON, trio->a, trio->human, rows, n) -
           tg_stats_correlation(TG_PEARSON, trio->b, trio->human, rows, n);
}

/* The difference's replicates; those of the correlations where they are of the same rows. */
static void fill_replicates(const TgStudy *study, const TgStudyComparison *c, Trio *trio,
                            double *out)
{
    const TgStudyCorrelation *a = tg_study_correlation(study, c->slice, c->group, c->a);
    const TgStudyCorrelation *b = tg_study_correlation(study, c->slice, c->group, c->b);

    if (a->n != c->n || b->n != c->n || a->pearsons == NULL || b->pearsons == NULL) {
        tg_bootstrap_replicate(difference_of, trio, c->n, study->comparison_resamples, NULL,
                               study->seed, out);
        return;
    }
    for (guint k = 0; k < study->comparison_resamples; k++)
        out[k] = a->pearsons[k] - b->pearsons[k];
}

static void fill_comparison(gpointer item, guint worker, gpointer data)
{
    TgStudyComparison *c = item;
    const TgStudy *study = data;
    const TgTableGroup *group = tg_table_group(study->table, c->group);
    const TgTableColumn *column_a = tg_table_column(study->table, c->a);
    const TgTableColumn *column_b = tg_table_column(study->table, c->b);
    g_autofree guint32 *rows =
        tg_study_common_rows(study->slices->pdata[c->slice], group, column_a, column_b, &c->n);
    g_autofree double *values_a = tg_study_aligned(column_a, rows, c->n);
    g_autofree double *values_b = tg_study_aligned(column_b, rows, c->n);
    g_autofree double *replicates = g_new(double, study->comparison_resamples);
    g_autoptr(TgRanked) a = tg_ranked_new(values_a, c->n);
    g_autoptr(TgRanked) b = tg_ranked_new(values_b, c->n);
    g_autoptr(TgRanked) human = tg_study_human(group, rows, c->n);
    Trio trio = { a, b, human };

    (void) worker;
    c->r_a = tg_stats_correlation(TG_PEARSON, a, human, NULL, c->n);
    c->r_b = tg_stats_correlation(TG_PEARSON, b, human, NULL, c->n);
    c->r_ab = tg_stats_correlation(TG_PEARSON, a, b, NULL, c->n);
    tg_stats_williams(c->r_a, c->r_b, c->r_ab, c->n, &c->williams);
    if (isnan(c->r_a) || isnan(c->r_b)) {
        tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, study->level, &c->bootstrap);
        c->bootstrap_p = NAN;
        return;
    }
    fill_replicates(study, c, &trio, replicates);
    tg_study_bootstrap(study, difference_of, &trio, c->n, replicates, study->comparison_resamples,
                       &c->bootstrap);
    c->bootstrap_p = tg_bootstrap_p(c->r_a - c->r_b, replicates, study->comparison_resamples);
}

static double p_of(const TgStudyComparison *c, guint test)
{
    return test == WILLIAMS ? c->williams.p_two_sided : c->bootstrap_p;
}

/* Adjust the p-values of one family: all pairs of columns of one slice and group. */
static void adjust_p_values(TgStudyComparison *const *family, guint n)
{
    g_autofree double *p = g_new(double, n);

    for (guint test = 0; test < N_TESTS; test++) {
        for (guint i = 0; i < n; i++)
            p[i] = p_of(family[i], test);
        g_autofree TgAdjustedP *adjusted = tg_stats_adjust(p, n);
        for (guint i = 0; i < n; i++)
            family[i]->adjusted[test] = adjusted[i];
    }
}

static void add_family(TgStudy *study, guint slice, guint group)
{
    const guint n_columns = study->table->columns->len;

    for (guint a = 0; a < n_columns; a++) {
        for (guint b = a + 1; b < n_columns; b++) {
            TgStudyComparison *c;

            if (!tg_study_shows(study, a) || !tg_study_shows(study, b))
                continue;
            c = g_new0(TgStudyComparison, 1);
            c->slice = slice;
            c->group = group;
            c->a = a;
            c->b = b;
            g_ptr_array_add(study->comparisons, c);
        }
    }
}

gboolean tg_study_add_comparisons(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    const guint n_groups = study->table->groups->len;
    guint n_families = study->slices->len * n_groups, size;

    for (guint f = 0; f < n_families; f++)
        add_family(study, f / n_groups, f % n_groups);
    if (study->comparisons->len == 0)
        return TRUE;
    if (!tg_study_work(study, study->comparisons, options->threads, fill_comparison, error))
        return FALSE;
    size = study->comparisons->len / n_families;
    for (guint f = 0; f < n_families; f++)
        adjust_p_values((TgStudyComparison *const *) study->comparisons->pdata + (gsize) f * size,
                        size);
    return TRUE;
}
