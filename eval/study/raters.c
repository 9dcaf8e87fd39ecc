/* The raters themselves: how far do they agree, and what would a metric as good as one reach? */
#include <math.h>
#include <string.h>

#include "eval/study/parts.h"
#include "eval/study/sample.h"

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

const char *tg_study_agreement_name(guint agreement)
{
    static const char *const names[TG_N_AGREEMENTS] = {
        "alpha nominal", "alpha ordinal", "alpha interval", "ICC(1,1)", "ICC(1,k)",
        "ICC(2,1)",      "ICC(2,k)",      "ICC(3,1)",       "ICC(3,k)",
    };

    return names[agreement];
}

/* One coefficient of one group, to be resampled. */
typedef struct {
    TgStudyRaters *raters;
    guint agreement;
    double *ratings; /* [n_pairs][n_raters] */
} Agreement;

static void free_agreement(gpointer data)
{
    Agreement *a = data;

    g_free(a->ratings);
    g_free(a);
}

static double agreement_of(const double *ratings, guint n, guint k, guint agreement)
{
    double alpha;
    TgIcc icc;

    if (agreement < TG_FIRST_ICC)
        return tg_stats_krippendorff(ratings, n, k, (TgRatingLevel) agreement, &alpha, NULL) ? alpha
                                                                                             : NAN;
    if (!tg_stats_icc(ratings, n, k, &icc, NULL))
        return NAN;
    const double values[] = { icc.icc_1_1, icc.icc_1_k, icc.icc_2_1,
                              icc.icc_2_k, icc.icc_3_1, icc.icc_3_k };

    return values[agreement - TG_FIRST_ICC];
}

/* A TgStatisticFunc: the coefficient of some pairs. */
static double resampled_agreement(const guint32 *rows, guint n, gpointer data)
{
    const Agreement *a = data;
    const guint k = a->raters->n_raters;
    g_autofree double *ratings = NULL;

    if (rows == NULL)
        return agreement_of(a->ratings, n, k, a->agreement);
    ratings = g_new(double, (gsize) n *k);
    for (guint i = 0; i < n; i++)
        memcpy(ratings + (gsize) i * k, a->ratings + (gsize) rows[i] * k, k * sizeof *ratings);
    return agreement_of(ratings, n, k, a->agreement);
}

static void fill_agreement(gpointer item, guint worker, gpointer data)
{
    Agreement *a = item;
    const TgStudy *study = data;
    const guint n = a->raters->n_pairs;
    TgBootstrap *out = &a->raters->bootstrap[a->agreement];
    g_autofree double *replicates = g_new(double, study->resamples);

    (void) worker;
    tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, study->level, out);
    if (n == 0 || isnan(resampled_agreement(NULL, n, a)))
        return;
    tg_bootstrap_replicate(resampled_agreement, a, n, study->resamples, NULL, study->seed,
                           replicates);
    tg_study_bootstrap(study, resampled_agreement, a, n, replicates, study->resamples, out);
}

static void add_agreements(GPtrArray *agreements, TgStudyRaters *raters, const double *ratings)
{
    for (guint i = 0; i < TG_N_AGREEMENTS; i++) {
        Agreement *a = g_new(Agreement, 1);

        *a = (Agreement){ raters, i,
                          g_memdup2(ratings,
                                    (gsize) raters->n_pairs * raters->n_raters * sizeof *ratings) };
        g_ptr_array_add(agreements, a);
    }
}

static void add_raters(TgStudy *study, const TgTableGroup *group, GPtrArray *agreements)
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
    add_agreements(agreements, out, ratings);
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

gboolean tg_study_add_raters(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    g_autoptr(GPtrArray) agreements = g_ptr_array_new_with_free_func(free_agreement);
    const guint n_groups = study->table->groups->len;

    for (guint g = 0; g < n_groups; g++)
        add_raters(study, tg_table_group(study->table, g), agreements);
    if (n_groups > 1)
        add_raters(study, NULL, agreements);
    for (guint a = 0; a < n_groups; a++) {
        for (guint b = a + 1; b < n_groups; b++)
            add_group_pair(study, a, b);
    }
    return tg_study_work(study, agreements, options->threads, fill_agreement, error);
}
