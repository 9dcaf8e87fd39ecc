/* The raters themselves: how far do they agree, and what would a metric as good as one reach? */
#include <math.h>
#include <string.h>

#include "core/json.h"
#include "eval/study/private.h"

/* The ratings of one group, or of all (@group NULL), in pairs that have one. (transfer full) */
static double *collect_ratings(const TgTable *table, const TgTableGroup *group, guint *n, guint *k)
{
    g_autoptr(GPtrArray) groups = g_ptr_array_new();
    double *all, *row;

    *n = *k = 0;
    for (guint g = 0; g < table->groups->len; g++) {
        TgTableGroup *each = table->groups->pdata[g];

        if (group != NULL && group != each)
            continue;
        g_ptr_array_add(groups, each);
        *k += each->n_raters;
    }
    row = all = g_new(double, (gsize) table->n_rows **k);
    for (guint i = 0; i < table->n_rows; i++) {
        double *next = row;
        gboolean rated = FALSE;

        for (guint g = 0; g < groups->len; g++) {
            const TgTableGroup *from = groups->pdata[g];

            memcpy(next, from->ratings + (gsize) i * from->n_raters,
                   from->n_raters * sizeof(double));
            next += from->n_raters;
            rated |= !isnan(from->mean[i]);
        }
        if (rated) {
            row = next;
            (*n)++;
        }
    }
    return all;
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
} Agreement;

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
        return agreement_of(a->raters->ratings, n, k, a->agreement);
    ratings = g_new(double, (gsize) n *k);
    for (guint i = 0; i < n; i++)
        memcpy(ratings + (gsize) i * k, a->raters->ratings + (gsize) rows[i] * k,
               k * sizeof *ratings);
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

static void add_raters(TgStudy *study, const TgTableGroup *group, GPtrArray *agreements)
{
    TgStudyRaters *out = g_new0(TgStudyRaters, 1);

    g_ptr_array_add(study->raters, out);
    out->ratings = collect_ratings(study->table, group, &out->n_pairs, &out->n_raters);
    out->group = group != NULL ? group->name : NULL;
    for (TgRatingLevel level = TG_NOMINAL; level <= TG_INTERVAL; level++) {
        g_autoptr(GError) error = NULL;

        if (!tg_stats_krippendorff(out->ratings, out->n_pairs, out->n_raters, level,
                                   &out->alpha[level], &error) &&
            out->undefined == NULL)
            out->undefined = g_strdup(error->message);
    }
    out->has_icc = tg_stats_icc(out->ratings, out->n_pairs, out->n_raters, &out->icc, NULL);
    g_autofree double *against = g_new(double, out->n_raters);
    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        double sum = 0.0;
        guint n = 0; /* raters for whom it is defined */

        tg_stats_rater_against_rest(kind, out->ratings, out->n_pairs, out->n_raters, against);
        for (guint r = 0; r < out->n_raters; r++) {
            sum += isnan(against[r]) ? 0.0 : against[r];
            n += !isnan(against[r]);
        }
        out->ceiling[kind] = n > 0 ? sum / n : NAN;
    }
    for (guint i = 0; i < TG_N_AGREEMENTS; i++) {
        const Agreement a = { out, i };

        g_ptr_array_add(agreements, g_memdup2(&a, sizeof a));
    }
}

static void add_group_pair(TgStudy *study, guint a, guint b)
{
    const TgTable *table = study->table;
    const double *mean_a = tg_table_group(table, a)->mean, *mean_b = tg_table_group(table, b)->mean;
    g_autofree double *x = g_new(double, table->n_rows);
    g_autofree double *y = g_new(double, table->n_rows);
    TgStudyGroups *out = g_new0(TgStudyGroups, 1);

    out->a = tg_study_group_name(study, a);
    out->b = tg_study_group_name(study, b);
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
    g_autoptr(GPtrArray) agreements = g_ptr_array_new_with_free_func(g_free);
    const guint n_groups = study->table->groups->len;

    for (guint g = 0; g < n_groups; g++)
        add_raters(study, tg_table_group(study->table, g), agreements);
    if (n_groups > 1)
        add_raters(study, NULL, agreements);
    for (guint a = 0; a < n_groups; a++) {
        for (guint b = a + 1; b < n_groups; b++)
            add_group_pair(study, a, b);
    }
    return tg_pipeline_each(agreements, options->threads, fill_agreement, NULL, study, error);
}

/* ---- tables ---- */

static json_t *icc_json(gconstpointer raters)
{
    const TgStudyRaters *r = raters;
    const TgIcc *icc = &r->icc;

    if (!r->has_icc)
        return json_null();
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "icc_1_1",
        tg_json_number(icc->icc_1_1), "icc_1_k", tg_json_number(icc->icc_1_k), "icc_2_1",
        tg_json_number(icc->icc_2_1), "icc_2_k", tg_json_number(icc->icc_2_k), "icc_3_1",
        tg_json_number(icc->icc_3_1), "icc_3_k", tg_json_number(icc->icc_3_k), "ms_rows",
        tg_json_number(icc->ms_rows), "ms_within", tg_json_number(icc->ms_within), "ms_columns",
        tg_json_number(icc->ms_columns), "ms_error", tg_json_number(icc->ms_error), "f_1",
        tg_json_number(icc->f_1), "f_1_p", tg_json_number(icc->f_1_p));
}

static json_t *bootstraps_json(gconstpointer raters)
{
    const TgStudyRaters *r = raters;
    json_t *out = json_object();

    for (guint i = 0; i < TG_N_AGREEMENTS; i++)
        json_object_set_new(out, tg_study_agreement_name(i),
                            tg_study_bootstrap_json(&r->bootstrap[i]));
    return out;
}

/* For JSON: a group a row. */
static TgGrid *groups_grid(const TgStudy *study)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyRaters, member)
    static const TgGridColumn columns[] = {
        { NULL, NULL, "group", TG_GRID_NAME, OF(group) },
        { NULL, NULL, "raters", TG_GRID_COUNT, OF(n_raters) },
        { NULL, NULL, "pairs", TG_GRID_COUNT, OF(n_pairs) },
        { NULL, NULL, "krippendorff.nominal", TG_GRID_NUMBER, OF(alpha[TG_NOMINAL]) },
        { NULL, NULL, "krippendorff.ordinal", TG_GRID_NUMBER, OF(alpha[TG_ORDINAL]) },
        { NULL, NULL, "krippendorff.interval", TG_GRID_NUMBER, OF(alpha[TG_INTERVAL]) },
        { NULL, NULL, "undefined", TG_GRID_NAME, OF(undefined) },
        { NULL, NULL, "icc", TG_GRID_VALUE, 0, .value = icc_json },
        { NULL, NULL, "one_against_rest.pearson", TG_GRID_NUMBER, OF(ceiling[TG_PEARSON]) },
        { NULL, NULL, "one_against_rest.spearman", TG_GRID_NUMBER, OF(ceiling[TG_SPEARMAN]) },
        { NULL, NULL, "one_against_rest.kendall", TG_GRID_NUMBER, OF(ceiling[TG_KENDALL]) },
        { NULL, NULL, "bootstrap", TG_GRID_VALUE, 0, .value = bootstraps_json },
    };
#undef OF
    TgGrid *grid = tg_grid_new(NULL, 1);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < study->raters->len; i++)
        tg_grid_row(grid, columns, G_N_ELEMENTS(columns), study->raters->pdata[i], FALSE);
    return grid;
}

/* For people and CSV: a coefficient a row. */
static TgGrid *agreements_grid(const TgStudy *study)
{
    typedef struct {
        const char *group, *name;
        guint n_raters, n_pairs, n_undefined;
        double value, percentile[2], bca[2];
    } Row;
#define OF(member) G_STRUCT_OFFSET(Row, member)
    static const char *const ceilings[] = { "one against rest: Pearson",
                                            "one against rest: Spearman",
                                            "one against rest: Kendall" };
    g_autofree char *level = tg_study_level_text(study);
    const TgGridColumn columns[] = {
        { "group", "group", NULL, TG_GRID_TEXT, OF(group) },
        { "coefficient", "coefficient", NULL, TG_GRID_TEXT, OF(name) },
        { "raters", "raters", NULL, TG_GRID_COUNT, OF(n_raters) },
        { "pairs", "pairs", NULL, TG_GRID_COUNT, OF(n_pairs) },
        { "value", "value", NULL, TG_GRID_NUMBER, OF(value), TG_STUDY_DIGITS },
        { NULL, "percentile_*", NULL, TG_GRID_INTERVAL, OF(percentile), TG_STUDY_INTERVAL_DIGITS },
        { level, "bca_*", NULL, TG_GRID_INTERVAL, OF(bca), TG_STUDY_INTERVAL_DIGITS },
        { NULL, "undefined_resamples", NULL, TG_GRID_COUNT, OF(n_undefined) },
    };
#undef OF
    TgGrid *grid = tg_grid_new("Agreement of the raters", 2);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < study->raters->len; i++) {
        const TgStudyRaters *r = study->raters->pdata[i];
        const char *group = r->group != NULL ? r->group : "(all)";
        guint undefined = 0;

        for (guint k = 0; k < TG_N_AGREEMENTS + TG_N_CORRELATIONS; k++) {
            const gboolean is_ceiling = k >= TG_N_AGREEMENTS;
            const TgBootstrap *b = &r->bootstrap[is_ceiling ? 0 : k];
            Row row = { group, NULL, r->n_raters, r->n_pairs, 0, 0, { NAN, NAN }, { NAN, NAN } };

            if (k >= TG_FIRST_ICC && !is_ceiling && !r->has_icc)
                continue;
            if (is_ceiling) {
                row.name = ceilings[k - TG_N_AGREEMENTS];
                row.value = r->ceiling[k - TG_N_AGREEMENTS];
            } else {
                row = (Row){ group,
                             tg_study_agreement_name(k),
                             r->n_raters,
                             r->n_pairs,
                             b->n_undefined,
                             b->estimate,
                             { b->percentile[0], b->percentile[1] },
                             { b->bca[0], b->bca[1] } };
                undefined = MAX(undefined, b->n_undefined);
            }
            tg_grid_row(grid, columns, G_N_ELEMENTS(columns), &row, FALSE);
        }
        if (r->undefined != NULL)
            tg_grid_note(grid, "%s: %s", group, r->undefined);
        if (undefined > 0)
            tg_grid_note(grid,
                         "%s: undefined in up to %u of %u resamples (all ratings equal), which "
                         "are left out",
                         group, undefined, study->resamples);
    }
    tg_grid_note(
        grid, "Intervals: BCa bootstrap over the pairs, %u resamples, seed %" G_GUINT64_FORMAT ".",
        study->resamples, study->seed);
    return grid;
}

void tg_study_write_raters(TgStudyWriter *w)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyGroups, member)
    enum { D = TG_STUDY_DIGITS };
    static const TgGridColumn columns[] = {
        { NULL, NULL, "pearson", TG_GRID_NUMBER, OF(coefficient[0]), D },
        { NULL, NULL, "spearman", TG_GRID_NUMBER, OF(coefficient[1]), D },
        { NULL, NULL, "kendall", TG_GRID_NUMBER, OF(coefficient[2]), D },
        { "group", "group", "group", TG_GRID_TEXT, OF(a) },
        { "other", "other", "other", TG_GRID_TEXT, OF(b) },
        { "n", "n", "n", TG_GRID_COUNT, OF(n) },
        { "Pearson", "Pearson", NULL, TG_GRID_NUMBER, OF(coefficient[0]), D },
        { "Spearman", "Spearman", NULL, TG_GRID_NUMBER, OF(coefficient[1]), D },
        { "Kendall", "Kendall", NULL, TG_GRID_NUMBER, OF(coefficient[2]), D },
    };
#undef OF
    const gboolean is_json = w->form->style == TG_GRID_JSON;
    TgGrid *between = tg_grid_new("Correlation between the groups' means", 2);

    tg_study_keep_grid(w, is_json ? groups_grid(w->study) : agreements_grid(w->study), "raters");
    tg_grid_columns(between, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < w->study->groups->len; i++)
        tg_grid_row(between, columns, G_N_ELEMENTS(columns), w->study->groups->pdata[i], FALSE);
    tg_study_keep_grid(w, between, "between_groups");
}
