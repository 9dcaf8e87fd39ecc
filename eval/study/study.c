/* A study: the table is read, the pairs chosen, and part after part computed and made a table. */
#include "eval/study/study.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/json.h"
#include "core/number.h"
#include "core/pipeline.h"
#include "eval/results/results.h"
#include "eval/study/private.h"

enum { DEFAULT_RESAMPLES = 1000, MAX_RESAMPLES = 1000000, MAX_COMPARISON_RESAMPLES = 100000 };
#define DEFAULT_LEVEL 0.95
enum { D = 4, I = 3 }; /* decimals of values and of intervals */

/* ---- what a study holds ---- */

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

    g_free(raters->ratings);
    g_free(raters->undefined);
    g_free(raters);
}

void tg_study_free(TgStudy *study)
{
    if (study == NULL)
        return;
    g_ptr_array_unref(study->slices);
    g_ptr_array_unref(study->correlations);
    g_ptr_array_unref(study->comparisons);
    g_ptr_array_unref(study->raters);
    g_ptr_array_unref(study->groups);
    g_ptr_array_unref(study->preferences);
    g_ptr_array_unref(study->spellings);
    g_ptr_array_unref(study->people);
    g_ptr_array_unref(study->wrong);
    g_ptr_array_unref(study->duels);
    g_ptr_array_unref(study->strengths);
    tg_table_mean_clear(&study->mean);
    tg_table_free(study->owned);
    g_free(study);
}

const TgStudyCorrelation *tg_study_correlation(const TgStudy *study, guint slice, guint group,
                                               guint column)
{
    const guint n_groups = study->table->groups->len, n_columns = study->table->columns->len;

    return study->correlations->pdata[(slice * n_groups + group) * n_columns + column];
}

static gboolean shows_column(const TgStudy *study, guint column)
{
    return study->options.all_columns || tg_table_column(study->table, column)->is_headline;
}

static const char *slice_name(const TgStudy *study, guint slice)
{
    return ((const TgTableSlice *) study->slices->pdata[slice])->name;
}

static const char *group_name(const TgStudy *study, guint group)
{
    return tg_table_group(study->table, group)->name;
}

static const char *column_name(const TgStudy *study, guint column)
{
    return tg_table_column(study->table, column)->name;
}

/* ---- slices of the pairs ---- */

static void add_slice(TgStudy *study, const char *name, gint model, gint subset)
{
    const TgSelection pairs =
        tg_table_select(study->table, NULL, model, subset, NULL, study->table->n_rows);
    const TgTableSlice slice = { name, pairs.rows, pairs.n };

    g_ptr_array_add(study->slices, g_memdup2(&slice, sizeof slice));
}

static gboolean add_slices_of_field(TgStudy *study, const char *field, GError **error)
{
    GPtrArray *slices = tg_table_slices(study->table, field, tg_attribute_values);
    const gboolean found = slices->len > 0;

    for (guint i = 0; i < slices->len; i++) {
        TgTableSlice *slice = slices->pdata[i];
        g_autofree char *name = g_strdup_printf("%s: %s", field, slice->name);

        slice->name = g_string_chunk_insert(study->table->texts, name);
    }
    g_ptr_array_extend_and_steal(study->slices, slices);
    return found ||
           tg_fail_usage(
               error,
               "--by takes subset, model, or a field of the results; no pair has a value of '%s' "
               "(eval --columns %s keeps it)",
               field, field);
}

static gboolean add_slices(TgStudy *study, GError **error)
{
    const TgTable *table = study->table;

    add_slice(study, "all", -1, -1);
    for (const char *const *by = study->options.by; by != NULL && *by != NULL; by++) {
        if (strcmp(*by, "subset") == 0)
            for (guint i = 0; i < table->subsets->len; i++)
                add_slice(study, tg_table_subset(table, i), -1, (gint) i);
        else if (strcmp(*by, "model") == 0)
            for (guint i = 0; i < table->models->len; i++)
                add_slice(study, tg_table_model(table, i), (gint) i, -1);
        else if (!add_slices_of_field(study, *by, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- samples ---- */

static guint32 *common_rows(const TgStudy *study, guint slice, guint group, guint a, guint b,
                            guint *n)
{
    const TgTableSlice *from = study->slices->pdata[slice];
    const double *mean = tg_table_group(study->table, group)->mean;
    const TgTableColumn *columns[] = { tg_table_column(study->table, a),
                                       tg_table_column(study->table, b) };
    guint32 *rows = g_new(guint32, from->n);

    *n = 0;
    for (guint i = 0; i < from->n; i++) {
        const guint32 row = from->rows[i];

        if (!isnan(mean[row]) && !isnan(tg_table_number(columns[0], row)) &&
            !isnan(tg_table_number(columns[1], row)))
            rows[(*n)++] = row;
    }
    return rows;
}

static TgRanked *ranked_column(const TgStudy *study, guint group, guint column, const guint32 *rows,
                               guint n)
{
    g_autofree double *values = g_new(double, n);

    for (guint i = 0; i < n; i++)
        values[i] = column == G_MAXUINT
                        ? tg_table_group(study->table, group)->mean[rows[i]]
                        : tg_table_aligned(tg_table_column(study->table, column), rows[i]);
    return tg_ranked_new(values, n);
}

/* The coefficient of two series with its p-value and its interval in closed form. */
static void set_coefficient(const TgStudy *study, TgCorrelationKind kind, const TgRanked *x,
                            const TgRanked *y, TgStudyCoefficient *out)
{
    out->value = tg_stats_correlation(kind, x, y, NULL, x->n);
    out->p = kind != TG_PEARSON && x->n <= TG_MAX_PERMUTED
                 ? tg_stats_permutation_p(kind, x, y)
                 : tg_stats_correlation_p(kind, out->value, x, y);
    tg_stats_correlation_interval(kind, out->value, x->n, study->options.level, out->closed);
}

/* The intervals of a coefficient of @n items from its replicates; NaN where all of these agree. */
static void set_intervals(const TgStudy *study, TgStatisticFunc statistic, gpointer data, guint n,
                          const double *replicates, guint n_replicates, TgBootstrap *out)
{
    double *const intervals[] = { out->percentile, out->bca, out->t };
    guint n_jackknife;
    g_autofree double *jackknife = tg_bootstrap_jackknife(statistic, data, n, &n_jackknife);

    tg_bootstrap_intervals(statistic(NULL, n, data), replicates, n_replicates, jackknife,
                           n_jackknife, study->options.level, out);
    for (guint i = 0; i < G_N_ELEMENTS(intervals); i++) {
        if (!(intervals[i][1] - intervals[i][0] > 1e-12))
            intervals[i][0] = intervals[i][1] = NAN;
    }
}

void tg_study_bootstrap(const TgStudy *study, TgStatisticFunc statistic, gpointer data, guint n,
                        TgBootstrap *out)
{
    g_autofree double *replicates = g_new(double, study->options.resamples);

    tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, study->options.level, out);
    if (n == 0 || isnan(statistic(NULL, n, data)))
        return;
    tg_bootstrap_replicate(statistic, data, n, study->options.resamples, study->options.seed,
                           replicates);
    set_intervals(study, statistic, data, n, replicates, study->options.resamples, out);
}

/* ---- tables ---- */

static gboolean for_programs(const TgStudyWriter *w)
{
    return w->form->style == TG_GRID_CSV || w->form->style == TG_GRID_JSON;
}

void tg_study_keep_grid(TgStudyWriter *w, TgGrid *grid, const char *member)
{
    if (w->form->style != TG_GRID_JSON && tg_grid_n_rows(grid) > 0) {
        g_ptr_array_add(w->grids, grid);
        return;
    }
    if (w->form->style == TG_GRID_JSON)
        json_object_set_new(w->json, member, tg_grid_rows_json(grid, w->form));
    tg_grid_free(grid);
}

static char *slice_suffix(const TgStudyWriter *w, guint slice)
{
    if (w->study->slices->len == 1)
        return g_strdup("");
    return g_strdup_printf(", pairs: %s", tg_shown_name(slice_name(w->study, slice)));
}

static json_t *bootstrap_json(gconstpointer bootstrap)
{
    const TgBootstrap *b = bootstrap;

    return json_pack("{s:o, s:[o,o], s:[o,o], s:o, s:o, s:i}", "se", tg_json_number(b->se),
                     "percentile", tg_json_number(b->percentile[0]),
                     tg_json_number(b->percentile[1]), "bca", tg_json_number(b->bca[0]),
                     tg_json_number(b->bca[1]), "z0", tg_json_number(b->z0), "acceleration",
                     tg_json_number(b->acceleration), "undefined_resamples", (int) b->n_undefined);
}

/* ---- every column against the mean ratings of every group ---- */

/* The input of the bootstrap of one cell. */
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

/* Two points always lie on a line. */
enum { LEAST_MODELS = 3 };

/* The coefficients with a point per model: the value of the column over its rated and scored pairs,
 * @rows, and their mean rating. Both are means over pages where those of the run are. */
static void fill_models(const TgStudy *study, TgStudyCorrelation *cell, const guint32 *rows)
{
    const TgTable *table = study->table;
    const TgTableColumn *column = tg_table_column(table, cell->column);
    const double unit = column->lower_is_better ? -1 : 1;
    g_autofree double *values = g_new(double, table->models->len);
    g_autofree double *ratings = g_new(double, table->models->len);
    guint n = 0;

    for (guint m = 0; m < table->models->len; m++) {
        g_auto(TgSelection) pairs =
            tg_table_select(table, &study->mean, (gint) m, -1, rows, cell->n);
        const double size = column->pool.pooling == TG_POOL_SUM ? pairs.n : 1;

        values[n] = pairs.n > 0 ? tg_pool(&column->pool, &pairs) * unit / size : NAN;
        if (isnan(values[n]))
            continue;
        ratings[n++] = tg_pool(&tg_table_group(table, cell->group)->pool, &pairs);
        cell->n_pairs += pairs.n;
    }
    if (n < LEAST_MODELS)
        return;
    g_autoptr(TgRanked) metric = tg_ranked_new(values, n), human = tg_ranked_new(ratings, n);
    cell->n_models = n;
    for (guint kind = 0; kind < TG_N_CORRELATIONS; kind++)
        set_coefficient(study, kind, metric, human, &cell->of_models[kind]);
}

static void fill_correlation(gpointer item, guint worker, gpointer data)
{
    TgStudyCorrelation *cell = item;
    const TgStudy *study = data;
    const TgTableSlice *slice = study->slices->pdata[cell->slice];
    const double *mean = tg_table_group(study->table, cell->group)->mean;
    const TgTableColumn *column = tg_table_column(study->table, cell->column);
    g_autofree guint32 *rows =
        common_rows(study, cell->slice, cell->group, cell->column, cell->column, &cell->n);
    g_autoptr(TgRanked) x = ranked_column(study, cell->group, cell->column, rows, cell->n);
    g_autoptr(TgRanked) y = ranked_column(study, cell->group, G_MAXUINT, rows, cell->n);
    Statistic statistic = { .metric = x, .human = y };

    (void) worker;
    for (guint i = 0; i < slice->n; i++)
        cell->n_unscored +=
            !isnan(mean[slice->rows[i]]) && isnan(tg_table_number(column, slice->rows[i]));
    fill_models(study, cell, rows);
    cell->undefined = tg_stats_undefined(x, cell->metric, y, cell->raters);
    for (guint kind = 0; kind < TG_N_STUDY_COEFFICIENTS; kind++)
        set_undefined(&cell->coefficient[kind]);
    cell->epsilon = cell->tau23 = NAN;
    if (cell->undefined != NULL)
        return;
    for (guint kind = 0; kind < TG_N_CORRELATIONS; kind++) {
        TgStudyCoefficient *c = &cell->coefficient[kind];

        statistic.kind = kind;
        set_coefficient(study, kind, x, y, c);
        if (kind != TG_PEARSON) {
            tg_study_bootstrap(study, coefficient_of, &statistic, cell->n, &c->bootstrap);
            continue;
        }
        cell->pearsons = g_new(double, study->comparison_resamples);
        tg_bootstrap_replicate(coefficient_of, &statistic, cell->n, study->comparison_resamples,
                               study->options.seed, cell->pearsons);
        set_intervals(study, coefficient_of, &statistic, cell->n, cell->pearsons,
                      study->options.resamples, &c->bootstrap);
    }
    statistic.epsilon = cell->epsilon = tg_stats_calibrate_ties(x, y);
    if (isnan(cell->epsilon))
        return;
    TgPairCounts counts;

    tg_stats_pair_counts(x, y, NULL, cell->n, cell->epsilon, &counts);
    cell->tau23 = tg_stats_tau23(&counts);
    cell->coefficient[TG_ACC_EQ].value = tg_stats_acc_eq(&counts);
    tg_study_bootstrap(study, accuracy_of, &statistic, cell->n,
                       &cell->coefficient[TG_ACC_EQ].bootstrap);
}

static gboolean add_correlations(TgStudy *study, GError **error)
{
    for (guint p = 0; p < study->slices->len; p++) {
        for (guint g = 0; g < study->table->groups->len; g++) {
            for (guint c = 0; c < study->table->columns->len; c++) {
                TgStudyCorrelation *cell = g_new0(TgStudyCorrelation, 1);

                cell->slice = p;
                cell->group = g;
                cell->column = c;
                cell->pairs = slice_name(study, p);
                cell->raters = group_name(study, g);
                cell->metric = column_name(study, c);
                g_ptr_array_add(study->correlations, cell);
            }
        }
    }
    return tg_pipeline_each(study->correlations, study->options.threads, fill_correlation, NULL,
                            study, error);
}

/* One row per column and slice; CSV has coefficients_grid(). */
static TgGrid *correlations_grid(const TgStudyWriter *w, const char *title,
                                 gpointer const *correlations, guint n)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyCorrelation, member)
#define COEFFICIENT(head, path, k)                                                                 \
    { head, NULL, path ".value", TG_GRID_NUMBER, OF(coefficient[k].value), D },                    \
        { level, NULL, NULL, TG_GRID_INTERVAL, OF(coefficient[k].bootstrap.bca), I },              \
        { "p", NULL, path ".p", TG_GRID_P, OF(coefficient[k].p) },                                 \
        { NULL, NULL, path ".interval", TG_GRID_INTERVAL, OF(coefficient[k].closed), I },          \
        { NULL,                                                                                    \
          NULL,                                                                                    \
          path ".bootstrap",                                                                       \
          TG_GRID_VALUE,                                                                           \
          OF(coefficient[k].bootstrap),                                                            \
          .value = bootstrap_json }
    g_autofree char *level = tg_level_text(w->study->options.level);
    const TgGridColumn columns[] = {
        { NULL, NULL, "pairs", TG_GRID_NAME, OF(pairs) },
        { NULL, NULL, "group", TG_GRID_TEXT, OF(raters) },
        { "metric", NULL, "metric", TG_GRID_TEXT, OF(metric) },
        { "n", NULL, "n", TG_GRID_COUNT, OF(n) },
        { NULL, NULL, "unscored", TG_GRID_COUNT, OF(n_unscored) },
        { NULL, NULL, "undefined", TG_GRID_NAME, OF(undefined) },
        COEFFICIENT("Pearson", "pearson", 0),
        COEFFICIENT("Spearman", "spearman", 1),
        COEFFICIENT("Kendall", "kendall", 2),
        { "acc_eq", NULL, "acc_eq.value", TG_GRID_NUMBER, OF(coefficient[TG_ACC_EQ].value), D,
          .is_share = TRUE },
        { level, NULL, NULL, TG_GRID_INTERVAL, OF(coefficient[TG_ACC_EQ].bootstrap.bca), I,
          .is_share = TRUE },
        { "eps", NULL, "acc_eq.epsilon", TG_GRID_NUMBER, OF(epsilon), D },
        { NULL, NULL, "acc_eq.tau23", TG_GRID_NUMBER, OF(tau23), D },
        { NULL, NULL, "acc_eq.bootstrap", TG_GRID_VALUE, OF(coefficient[TG_ACC_EQ].bootstrap),
          .value = bootstrap_json },
    };
#undef COEFFICIENT
#undef OF
    TgGrid *grid = tg_grid_new_of(title, 1, columns, G_N_ELEMENTS(columns), NULL);

    for (guint i = 0; i < n; i++) {
        const TgStudyCorrelation *cell = correlations[i];

        if (for_programs(w) || shows_column(w->study, cell->column))
            tg_grid_row(grid, cell, FALSE);
    }
    return grid;
}

/* Note facts that the table does not show: pairs left out, undefined resamples, signs. */
static void note_correlations(TgGrid *grid, const TgStudy *study, guint slice, guint group)
{
    g_autoptr(GString) turned = g_string_new(NULL);
    g_autoptr(GPtrArray) resampling = g_ptr_array_new_with_free_func(g_free);
    gboolean exact = FALSE;

    for (guint c = 0; c < study->table->columns->len; c++) {
        const TgStudyCorrelation *cell = tg_study_correlation(study, slice, group, c);
        const TgBootstrap *bootstrap = &cell->coefficient[TG_PEARSON].bootstrap;

        if (!shows_column(study, c))
            continue;
        if (tg_table_column(study->table, c)->lower_is_better)
            g_string_append_printf(turned, "%s%s", turned->len > 0 ? ", " : "", cell->metric);
        if (cell->undefined != NULL) {
            tg_grid_note(grid, "%s: undefined, %s", cell->metric, cell->undefined);
            continue;
        }
        if (cell->n_unscored > 0)
            tg_grid_note(grid, "Left out of %s, because a score is missing: %u rated pair%s",
                         cell->metric, cell->n_unscored, tg_plural(cell->n_unscored));
        exact |= cell->n <= TG_MAX_PERMUTED;
        if (bootstrap->n_undefined > 0)
            g_ptr_array_add(resampling,
                            g_strdup_printf("%s: undefined in %u of %u resamples (all values "
                                            "equal), which are left out",
                                            cell->metric, bootstrap->n_undefined,
                                            study->options.resamples));
        if (isnan(bootstrap->percentile[0]))
            g_ptr_array_add(resampling,
                            g_strdup_printf("%s: no interval, all resamples agree", cell->metric));
    }
    for (guint i = 0; i < resampling->len; i++)
        tg_grid_note(grid, "%s", (const char *) resampling->pdata[i]);
    if (exact)
        tg_grid_note(grid, "n < 10: p-values of Spearman and Kendall are exact, of all orders.");
    if (turned->len > 0)
        tg_grid_note(grid, "Negated, because lower is better: %s", turned->str);
    tg_grid_note(grid, "Intervals: BCa bootstrap, %u resamples, seed %" G_GUINT64_FORMAT ".",
                 study->options.resamples, study->options.seed);
}

/* Table I of the TeXBLEU paper (arXiv:2409.06639): both coefficients of each group, and the mean of
 * all, for the slices from @first to @end. */
static TgGrid *averages_grid(const TgStudyWriter *w, const char *title, guint first, guint end)
{
    const TgStudy *study = w->study;
    const guint n_groups = study->table->groups->len, n_columns = study->table->columns->len;
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_column(grid, &(TgGridColumn){ NULL, NULL, "pairs" });
    tg_grid_column(grid, &(TgGridColumn){ "metric", NULL, "metric" });
    for (guint g = 0; g < n_groups; g++) {
        static const char *const heads[] = { "pearson", "spearman", "n" };

        for (guint i = 0; i < G_N_ELEMENTS(heads); i++) {
            g_autofree char *head = g_strdup_printf("%s %s", group_name(study, g), heads[i]);

            tg_grid_column(grid, &(TgGridColumn){ head });
        }
    }
    tg_grid_column(grid, &(TgGridColumn){ "average", NULL, "average" });
    for (guint i = first * n_columns; i < end * n_columns; i++) {
        const guint slice = i / n_columns, column = i % n_columns;
        double sum = 0.0;

        if (!for_programs(w) && !shows_column(study, column))
            continue;
        tg_grid_put_name(grid, slice_name(study, slice), "(none)");
        tg_grid_put(grid, column_name(study, column));
        for (guint g = 0; g < n_groups; g++) {
            const TgStudyCorrelation *cell = tg_study_correlation(study, slice, g, column);

            tg_grid_put_number(grid, cell->coefficient[TG_PEARSON].value, D);
            tg_grid_put_number(grid, cell->coefficient[TG_SPEARMAN].value, D);
            tg_grid_put_count(grid, cell->n);
            sum += cell->coefficient[TG_PEARSON].value + cell->coefficient[TG_SPEARMAN].value;
        }
        tg_grid_put_number(grid, sum / (2 * n_groups), D);
    }
    return grid;
}

/* For CSV: one row per coefficient. */
static TgGrid *coefficients_grid(const TgStudy *study)
{
    typedef struct {
        const char *pairs, *raters, *metric, *statistic;
        guint n, n_unscored;
        TgStudyCoefficient c;
    } Row;
#define OF(member) G_STRUCT_OFFSET(Row, member)
    static const TgGridColumn columns[] = {
        { NULL, "pairs", NULL, TG_GRID_NAME, OF(pairs) },
        { NULL, "group", NULL, TG_GRID_TEXT, OF(raters) },
        { NULL, "metric", NULL, TG_GRID_TEXT, OF(metric) },
        { NULL, "statistic", NULL, TG_GRID_TEXT, OF(statistic) },
        { NULL, "n", NULL, TG_GRID_COUNT, OF(n) },
        { NULL, "unscored", NULL, TG_GRID_COUNT, OF(n_unscored) },
        { NULL, "value", NULL, TG_GRID_NUMBER, OF(c.value), D },
        { NULL, "p", NULL, TG_GRID_P, OF(c.p) },
        { NULL, "closed_*", NULL, TG_GRID_INTERVAL, OF(c.closed), D },
        { NULL, "se", NULL, TG_GRID_NUMBER, OF(c.bootstrap.se), D },
        { NULL, "percentile_*", NULL, TG_GRID_INTERVAL, OF(c.bootstrap.percentile), D },
        { NULL, "bca_*", NULL, TG_GRID_INTERVAL, OF(c.bootstrap.bca), D },
        { NULL, "undefined_resamples", NULL, TG_GRID_COUNT, OF(c.bootstrap.n_undefined) },
    };
#undef OF
    static const char *const names[] = { "pearson", "spearman", "kendall", "acc_eq",
                                         "tie_epsilon" };
    TgGrid *grid = tg_grid_new_of(NULL, 0, columns, G_N_ELEMENTS(columns), NULL);

    for (guint i = 0; i < study->correlations->len; i++) {
        const TgStudyCorrelation *cell = study->correlations->pdata[i];

        for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
            Row row = {
                cell->pairs, cell->raters, cell->metric, names[k], cell->n, cell->n_unscored
            };

            set_undefined(&row.c);
            row.c.value = cell->epsilon;
            if (k < TG_N_STUDY_COEFFICIENTS)
                row.c = cell->coefficient[k];
            tg_grid_row(grid, &row, FALSE);
        }
    }
    return grid;
}

static void write_correlations(TgStudyWriter *w)
{
    const TgStudy *study = w->study;
    const guint n_groups = study->table->groups->len, n_columns = study->table->columns->len;
    gpointer const *all = study->correlations->pdata;

    if (w->form->style == TG_GRID_CSV) {
        tg_study_keep_grid(w, coefficients_grid(study), NULL);
        return;
    }
    if (w->form->style == TG_GRID_JSON) {
        tg_study_keep_grid(w, correlations_grid(w, NULL, all, study->correlations->len),
                           "correlations");
        tg_study_keep_grid(w, averages_grid(w, NULL, 0, study->slices->len), "averages");
        return;
    }
    for (guint s = 0; s < study->slices->len; s++) {
        g_autofree char *suffix = slice_suffix(w, s);
        g_autofree char *average = g_strdup_printf("Average over groups of raters%s", suffix);

        for (guint g = 0; g < n_groups; g++, all += n_columns) {
            const guint n_raters = tg_table_group(study->table, g)->n_raters;
            g_autofree char *title =
                g_strdup_printf("Correlation with %s (%u rater%s a pair)%s", group_name(study, g),
                                n_raters, tg_plural(n_raters), suffix);
            TgGrid *grid = correlations_grid(w, title, all, n_columns);

            note_correlations(grid, study, s, g);
            g_ptr_array_add(w->grids, grid);
        }
        if (n_groups > 1)
            g_ptr_array_add(w->grids, averages_grid(w, average, s, s + 1));
    }
}

/* ---- the same with a point per model ---- */

static void write_systems(TgStudyWriter *w)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyCorrelation, member)
    const gboolean slices = w->study->slices->len > 1;
    const TgMeanUnit unit = w->study->mean.mean.unit;
    g_autofree char *level = tg_level_text(w->study->options.level);
    const TgGridColumn columns[] = {
        { slices ? "pairs of" : NULL, "slice", "slice", TG_GRID_NAME, OF(pairs) },
        { "group", "group", "group", TG_GRID_TEXT, OF(raters) },
        { "metric", "metric", "metric", TG_GRID_TEXT, OF(metric) },
        { "models", "models", "models", TG_GRID_COUNT, OF(n_models) },
        { "pairs", "pairs", "pairs", TG_GRID_COUNT, OF(n_pairs) },
        { "Pearson", "pearson", "pearson.value", TG_GRID_NUMBER, OF(of_models[0].value), D },
        { level, "closed_*", "pearson.interval", TG_GRID_INTERVAL, OF(of_models[0].closed), I },
        { "p", "pearson_p", "pearson.p", TG_GRID_P, OF(of_models[0].p) },
        { "Spearman", "spearman", "spearman.value", TG_GRID_NUMBER, OF(of_models[1].value), D },
        { "p", "spearman_p", "spearman.p", TG_GRID_P, OF(of_models[1].p) },
        { "Kendall", "kendall", "kendall.value", TG_GRID_NUMBER, OF(of_models[2].value), D },
        { "p", "kendall_p", "kendall.p", TG_GRID_P, OF(of_models[2].p) },
    };
#undef OF
    TgGrid *grid = tg_grid_new_of("Correlation over models (system level)", slices ? 3 : 2, columns,
                                  G_N_ELEMENTS(columns), NULL);

    for (guint i = 0; i < w->study->correlations->len; i++) {
        const TgStudyCorrelation *cell = w->study->correlations->pdata[i];

        if (cell->n_models > 0 && (for_programs(w) || shows_column(w->study, cell->column)))
            tg_grid_row(grid, cell, FALSE);
    }
    tg_grid_note(grid,
                 "A point is a model: its value over its rated pairs, and their mean rating%s%s; "
                 "higher means better agreement. Interval: Fisher's z. With fewer than 10 "
                 "models p of Spearman and Kendall is exact.",
                 unit != TG_MEAN_PAIRS ? ", both means over " : "",
                 unit != TG_MEAN_PAIRS ? tg_mean_name(unit) : "");
    tg_study_keep_grid(w, grid, "systems");
}

/* ---- which of two columns agrees better with the human scores? ---- */

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

static void fill_comparison(gpointer item, guint worker, gpointer data)
{
    TgStudyComparison *c = item;
    const TgStudy *study = data;
    g_autofree guint32 *rows = common_rows(study, c->slice, c->group, c->a, c->b, &c->n);
    g_autofree double *replicates = g_new(double, study->comparison_resamples);
    g_autoptr(TgRanked) a = ranked_column(study, c->group, c->a, rows, c->n);
    g_autoptr(TgRanked) b = ranked_column(study, c->group, c->b, rows, c->n);
    g_autoptr(TgRanked) human = ranked_column(study, c->group, G_MAXUINT, rows, c->n);
    Trio trio = { a, b, human };

    (void) worker;
    c->r_a = tg_stats_correlation(TG_PEARSON, a, human, NULL, c->n);
    c->r_b = tg_stats_correlation(TG_PEARSON, b, human, NULL, c->n);
    c->r_ab = tg_stats_correlation(TG_PEARSON, a, b, NULL, c->n);
    tg_stats_williams(c->r_a, c->r_b, c->r_ab, c->n, &c->williams);
    if (isnan(c->r_a) || isnan(c->r_b)) {
        tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, study->options.level, &c->bootstrap);
        c->bootstrap_p = NAN;
        return;
    }
    /* The difference's replicates are those of the correlations, if they are of the same rows. */
    const TgStudyCorrelation *of_a = tg_study_correlation(study, c->slice, c->group, c->a);
    const TgStudyCorrelation *of_b = tg_study_correlation(study, c->slice, c->group, c->b);
    if (of_a->n != c->n || of_b->n != c->n || of_a->pearsons == NULL || of_b->pearsons == NULL)
        tg_bootstrap_replicate(difference_of, &trio, c->n, study->comparison_resamples,
                               study->options.seed, replicates);
    else
        for (guint k = 0; k < study->comparison_resamples; k++)
            replicates[k] = of_a->pearsons[k] - of_b->pearsons[k];
    set_intervals(study, difference_of, &trio, c->n, replicates, study->comparison_resamples,
                  &c->bootstrap);
    c->bootstrap_p =
        tg_bootstrap_p(c->r_a - c->r_b, replicates, study->comparison_resamples, TG_TEST_TWO_SIDED);
}

/* A family is all pairs of columns of one slice and group. */
static gboolean add_comparisons(TgStudy *study, GError **error)
{
    const guint n_groups = study->table->groups->len, n_families = study->slices->len * n_groups;
    const guint n_columns = study->table->columns->len;

    for (guint f = 0; f < n_families; f++) {
        for (guint i = 0; i < n_columns * n_columns; i++) {
            const TgStudyComparison c = {
                .slice = f / n_groups,
                .group = f % n_groups,
                .a = i / n_columns,
                .b = i % n_columns,
                .pairs = slice_name(study, f / n_groups),
                .raters = group_name(study, f % n_groups),
                .metric_a = column_name(study, i / n_columns),
                .metric_b = column_name(study, i % n_columns),
            };

            if (c.a < c.b && shows_column(study, c.a) && shows_column(study, c.b))
                g_ptr_array_add(study->comparisons, g_memdup2(&c, sizeof c));
        }
    }
    if (study->comparisons->len == 0)
        return TRUE;
    if (!tg_pipeline_each(study->comparisons, study->options.threads, fill_comparison, NULL, study,
                          error))
        return FALSE;
    for (guint f = 0; f < n_families; f++) {
        const guint size = study->comparisons->len / n_families;
        gpointer const *family = study->comparisons->pdata + (gsize) f * size;

        tg_stats_adjust(family, size, G_STRUCT_OFFSET(TgStudyComparison, williams.p_two_sided),
                        G_STRUCT_OFFSET(TgStudyComparison, williams_holm));
        tg_stats_adjust(family, size, G_STRUCT_OFFSET(TgStudyComparison, bootstrap_p),
                        G_STRUCT_OFFSET(TgStudyComparison, bootstrap_holm));
        for (guint i = 0; i < size; i++) {
            TgStudyComparison *c = family[i];

            c->verdict = tg_stats_verdict(c->r_a - c->r_b, c->bootstrap.bca, c->williams_holm,
                                          TG_STUDY_ALPHA);
            c->verdict_name = tg_verdict_name(c->verdict);
        }
    }
    return TRUE;
}

/* All the numbers of one comparison a row. */
static void write_list(TgStudyWriter *w, const char *title, TgStudyComparison *const *list, guint n)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyComparison, member)
    g_autofree char *level = tg_level_text(w->study->options.level);
    g_autofree char *interval = g_strdup_printf("r A - r B, %s", level);
    const TgGridColumn columns[] = {
        { NULL, "pairs", "pairs", TG_GRID_NAME, OF(pairs) },
        { NULL, "group", "group", TG_GRID_TEXT, OF(raters) },
        { "A", "a", "a", TG_GRID_TEXT, OF(metric_a) },
        { "B", "b", "b", TG_GRID_TEXT, OF(metric_b) },
        { "n", "n", "n", TG_GRID_COUNT, OF(n) },
        { "r A", "r_a", "r_a", TG_GRID_NUMBER, OF(r_a), D },
        { "r B", "r_b", "r_b", TG_GRID_NUMBER, OF(r_b), D },
        { "r AB", "r_ab", "r_ab", TG_GRID_NUMBER, OF(r_ab), D },
        { "t", "williams_t", "williams.statistic", TG_GRID_NUMBER, OF(williams.statistic), 2 },
        { NULL, NULL, "williams.df", TG_GRID_NUMBER, OF(williams.df) },
        { "Williams p", "williams_p", "williams.p", TG_GRID_P, OF(williams.p_two_sided) },
        { NULL, NULL, "williams.p_one_sided", TG_GRID_P, OF(williams.p_one_sided) },
        { "Holm's p", "williams_holm", "williams.holm", TG_GRID_P, OF(williams_holm) },
        { NULL, NULL, "bootstrap", TG_GRID_VALUE, OF(bootstrap), .value = bootstrap_json },
        { interval, "bca_*", NULL, TG_GRID_INTERVAL, OF(bootstrap.bca), I },
        { NULL, "bootstrap_p", "bootstrap.p", TG_GRID_P, OF(bootstrap_p) },
        { NULL, "bootstrap_holm", "bootstrap.holm", TG_GRID_P, OF(bootstrap_holm) },
        { "verdict on A", "verdict", "verdict", TG_GRID_TEXT, OF(verdict_name) },
        { NULL, "undefined_resamples", NULL, TG_GRID_COUNT, OF(bootstrap.n_undefined) },
    };
#undef OF
    TgGrid *grid = tg_grid_new_of(title, 2, columns, G_N_ELEMENTS(columns), NULL);
    guint most = 0;

    for (guint i = 0; i < n; i++) {
        tg_grid_row(grid, list[i], FALSE);
        most = MAX(most, list[i]->bootstrap.n_undefined);
    }
    if (n > 0) {
        char text[32];

        tg_grid_note(
            grid,
            "Verdict: better or worse if the bootstrap interval excludes 0 and Holm's p, the "
            "p-value of Williams' test adjusted for the %u comparison%s of this table, is below "
            "%s.",
            n, tg_plural(n), g_ascii_formatd(text, sizeof text, "%.2g", TG_STUDY_ALPHA));
        tg_grid_note(grid, "Bootstrap: %u resamples, seed %" G_GUINT64_FORMAT ".",
                     w->study->comparison_resamples, w->study->options.seed);
        if (most > 0)
            tg_grid_note(grid,
                         "A coefficient is undefined in up to %u of these resamples, which are "
                         "left out.",
                         most);
    }
    tg_study_keep_grid(w, grid, "comparisons");
}

static void write_comparisons(TgStudyWriter *w)
{
    TgStudyComparison *const *all = (TgStudyComparison *const *) w->study->comparisons->pdata;
    const guint n = w->study->comparisons->len;
    const guint n_families = w->study->slices->len * w->study->table->groups->len;

    if (n == 0 || for_programs(w)) {
        write_list(w, NULL, all, n);
        return;
    }
    for (guint f = 0; f < n_families; f++) {
        const guint size = n / n_families;
        TgStudyComparison *const *family = all + (gsize) f * size;
        g_autofree char *suffix = slice_suffix(w, family[0]->slice);
        g_autofree char *title =
            g_strdup_printf("Which metric agrees better with %s%s", family[0]->raters, suffix);

        write_list(w, title, family, size);
    }
}

/* ---- shown two metrics' scores of a pair, which one did a person find better? ---- */

static const char *const answer_names[TG_N_ANSWERS] = { "A", "B", "both", "neither" };

/* Ranges of equal width over 0 to 1, or over the values where they go beyond. */
static void set_ranges(TgStudyPreference *p, const TgTable *table)
{
    const TgTableColumn *column = tg_table_column(table, p->a);
    double low = 0.0, high = 1.0;

    for (guint i = 0; i < table->n_rows; i++) {
        low = fmin(low, tg_table_number(column, i)); /* fmin() ignores NaN */
        high = fmax(high, tg_table_number(column, i));
    }
    p->range[TG_N_SCORE_RANGES].from = low;
    p->range[TG_N_SCORE_RANGES].to = high;
    for (guint r = 0; r < TG_N_SCORE_RANGES; r++) {
        p->range[r].from = low + (high - low) * r / TG_N_SCORE_RANGES;
        p->range[r].to = low + (high - low) * (r + 1) / TG_N_SCORE_RANGES;
    }
}

static void add_answer(TgStudyPreference *p, guint answer, double score)
{
    guint r = TG_N_SCORE_RANGES - 1;

    p->range[TG_N_SCORE_RANGES].count[answer]++;
    while (r > 0 && score < p->range[r].from)
        r--;
    if (!isnan(score))
        p->range[r].count[answer]++;
}

/* The two columns of a preference, with no answer yet. NULL with TG_ERROR_USAGE */
static TgStudyPreference *add_preference(TgStudy *study, const char *field, const char *a,
                                         const char *b, GError **error)
{
    const TgTable *table = study->table;
    const TgTableColumn *columns[] = { tg_table_find(table, a, error), NULL };

    columns[1] = columns[0] != NULL ? tg_table_find(table, b, error) : NULL;
    if (columns[1] == NULL)
        return NULL;
    TgStudyPreference *p = g_new0(TgStudyPreference, 1);
    g_ptr_array_add(study->preferences, p);
    p->field = g_string_chunk_insert(table->texts, field);
    g_ptr_array_find(table->columns, columns[0], &p->a);
    g_ptr_array_find(table->columns, columns[1], &p->b);
    set_ranges(p, table);
    return p;
}

/* The answers to a page: each rater's counts. */
static gboolean add_rated_preferences(TgStudy *study, GError **error)
{
    const TgRatings *ratings = study->table->ratings;
    TgStudyPreference *p;

    if (ratings == NULL || ratings->kind != TG_RATINGS_PREFERENCE)
        return TRUE;
    p = add_preference(study, TG_RATINGS_GROUP, ratings->first, ratings->second, error);
    for (guint i = 0; p != NULL && i < ratings->answers->len; i++) {
        const TgRatingsAnswer *answer = &g_array_index(ratings->answers, TgRatingsAnswer, i);

        if (!answer->is_repeat && !isnan(answer->value))
            add_answer(p, (guint) answer->value,
                       tg_table_number(tg_table_column(study->table, p->a), answer->row));
    }
    return p != NULL;
}

/* An answer is one of the four words, or a column's name. How many are there. */
static guint count_answers(TgStudyPreference *p, const TgTable *table)
{
    const TgTableColumn *columns[] = { tg_table_column(table, p->a), tg_table_column(table, p->b) };
    guint n = 0;

    for (guint i = 0; i < table->n_rows; i++) {
        const json_t *value = json_object_get(table->rows[i].stored, p->field);
        const char *text = json_is_string(value) ? json_string_value(value) : "";
        guint answer = 0;

        if (value == NULL || json_is_null(value))
            continue;
        while (answer < TG_N_ANSWERS && g_ascii_strcasecmp(text, answer_names[answer]) != 0 &&
               (answer > 1 || g_ascii_strcasecmp(text, columns[answer]->name) != 0))
            answer++;
        if (answer == TG_N_ANSWERS) {
            p->n_unknown++;
            continue;
        }
        add_answer(p, answer, tg_table_number(columns[0], i));
        n++;
    }
    return n;
}

static gboolean add_preferences(TgStudy *study, GError **error)
{
    const TgTable *table = study->table;

    for (const char *const *text = study->options.preferences; text != NULL && *text != NULL;
         text++) {
        g_auto(GStrv) sides = g_strsplit(*text, "=", 2);
        g_auto(GStrv) names = g_strv_length(sides) == 2 ? g_strsplit(sides[1], ",", -1) : NULL;

        if (names == NULL || g_strv_length(names) != 2)
            return tg_fail_usage(error, "a preference is FIELD=A,B with two columns, not '%s'",
                                 *text);
        TgStudyPreference *p = add_preference(study, sides[0], names[0], names[1], error);
        if (p == NULL)
            return FALSE;
        if (count_answers(p, table) == 0)
            return tg_fail_usage(
                error, "no pair has a stored field '%s' that says A, B, both or neither", sides[0]);
    }
    return add_rated_preferences(study, error);
}

static void put_answers(TgGrid *grid, const char *range, const TgStudyAnswers *answers)
{
    guint n = 0;

    for (guint i = 0; i < TG_N_ANSWERS; i++)
        n += answers->count[i];
    tg_grid_put(grid, range);
    tg_grid_put_count(grid, n);
    tg_grid_put_number(grid, answers->from, D);
    tg_grid_put_number(grid, answers->to, D);
    for (guint i = 0; i < TG_N_ANSWERS; i++) {
        tg_grid_put_count(grid, answers->count[i]);
        tg_grid_put_number(grid, n > 0 ? (double) answers->count[i] / n : NAN, D);
    }
}

/* The ranges of scores, and all pairs last. (transfer full) */
static TgGrid *preference_grid(const TgStudyWriter *w, const TgStudyPreference *p)
{
    const char *const heads[] = { column_name(w->study, p->a), column_name(w->study, p->b),
                                  answer_names[2], answer_names[3] };
    g_autofree char *title = g_strdup_printf("Preferred by people: %s", p->field);
    g_autofree char *range_head = g_strdup_printf("score of %s", heads[0]);
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, range_head);
    tg_grid_head(grid, "pairs");
    tg_grid_column(grid, &(TgGridColumn){ NULL, NULL, "from" });
    tg_grid_column(grid, &(TgGridColumn){ NULL, NULL, "to" });
    for (guint i = 0; i < TG_N_ANSWERS; i++) {
        tg_grid_column(grid, &(TgGridColumn){ NULL, NULL, answer_names[i] });
        tg_grid_head(grid, heads[i]);
    }
    for (guint r = 0; r < TG_N_SCORE_RANGES; r++) {
        char low[32], high[32];
        g_autofree char *range =
            g_strdup_printf("%s to %s", g_ascii_formatd(low, sizeof low, "%.4g", p->range[r].from),
                            g_ascii_formatd(high, sizeof high, "%.4g", p->range[r].to));

        put_answers(grid, range, &p->range[r]);
    }
    put_answers(grid, "all", &p->range[TG_N_SCORE_RANGES]);
    if (p->n_unknown > 0)
        tg_grid_note(grid, "Left out: %u pair%s with another answer than A, B, both, neither",
                     p->n_unknown, tg_plural(p->n_unknown));
    return grid;
}

static void write_preferences(TgStudyWriter *w)
{
    json_t *list = w->form->style == TG_GRID_JSON ? json_array() : NULL;

    for (guint i = 0; i < w->study->preferences->len; i++) {
        const TgStudyPreference *p = w->study->preferences->pdata[i];

        if (list == NULL) {
            g_ptr_array_add(w->grids, preference_grid(w, p));
            continue;
        }
        g_autoptr(TgGrid) grid = preference_grid(w, p);
        json_t *ranges = tg_grid_rows_json(grid, w->form);
        json_t *all = json_incref(json_array_get(ranges, TG_N_SCORE_RANGES));
        json_array_remove(ranges, TG_N_SCORE_RANGES);
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:i, s:o, s:o}", "field",
                                              tg_json_text(p->field), "a",
                                              tg_json_text(column_name(w->study, p->a)), "b",
                                              tg_json_text(column_name(w->study, p->b)), "unknown",
                                              (int) p->n_unknown, "all", all, "ranges", ranges));
    }
    if (list != NULL)
        json_object_set_new(w->json, "preferences", list);
    tg_study_write_duels(w);
}

/* ---- does a metric give the same score to every spelling of a formula? ---- */

/* A text or a number names one group. (transfer full) */
static char **spellings_of(const json_t *value)
{
    g_autofree char *name =
        json_is_integer(value) ? g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(value))
                               : g_strdup(json_string_value(value));
    char *names[] = { name, NULL };

    return g_strdupv(names);
}

/* Highest less lowest, and standard deviation, of the defined values; FALSE for fewer than two. */
static gboolean spread_of(const TgTableColumn *column, const TgTableSlice *group, double *range,
                          double *deviation)
{
    g_autofree double *values = g_new(double, group->n);
    double low = INFINITY, high = -INFINITY;
    guint n = 0;

    for (guint i = 0; i < group->n; i++) {
        const double value = tg_table_number(column, group->rows[i]);

        if (isnan(value))
            continue;
        low = MIN(low, value);
        high = MAX(high, value);
        values[n++] = value;
    }
    if (n < 2)
        return FALSE;
    *range = high - low;
    *deviation = high > low ? sqrt(tg_stats_squared_deviations(values, n) / (n - 1)) : 0.0;
    return TRUE;
}

static void add_spellings_of(TgStudy *study, const char *field, const GPtrArray *groups,
                             guint column)
{
    TgStudySpellings *out = g_new0(TgStudySpellings, 1);
    double range, deviation;

    out->field = g_string_chunk_insert(study->table->texts, field);
    out->column = column;
    out->metric = column_name(study, column);
    for (guint g = 0; g < groups->len; g++) {
        const TgTableSlice *group = groups->pdata[g];

        if (!spread_of(tg_table_column(study->table, column), group, &range, &deviation))
            continue;
        if (out->n_groups == 0 || range > out->largest_spread) {
            out->largest_spread = range;
            out->worst_group = group->name;
        }
        out->n_groups++;
        out->n_invariant += range == 0.0;
        out->mean_spread += range;
        out->mean_deviation += deviation;
    }
    out->mean_spread /= out->n_groups; /* NaN of no group */
    out->mean_deviation /= out->n_groups;
    out->largest_spread = out->n_groups > 0 ? out->largest_spread : NAN;
    g_ptr_array_add(study->spellings, out);
}

static gboolean add_spellings(TgStudy *study, GError **error)
{
    for (const char *const *name = study->options.spellings; name != NULL && *name != NULL;
         name++) {
        const char *field = *name;
        g_autoptr(GPtrArray) groups = tg_table_slices(study->table, field, spellings_of);

        if (groups->len == 0)
            return tg_fail_usage(
                error, "no pair has a stored field '%s' that names its group of spellings", field);
        for (guint c = 0; c < study->table->columns->len; c++)
            add_spellings_of(study, field, groups, c);
    }
    return TRUE;
}

static void write_spellings(TgStudyWriter *w)
{
#define OF(member) G_STRUCT_OFFSET(TgStudySpellings, member)
    static const TgGridColumn columns[] = {
        { "groups by", "groups by", "field", TG_GRID_TEXT, OF(field) },
        { "metric", "metric", "metric", TG_GRID_TEXT, OF(metric) },
        { "widest group", "widest group", NULL, TG_GRID_TEXT, OF(worst_group) },
        { "groups", "groups", "groups", TG_GRID_COUNT, OF(n_groups) },
        { "constant", "constant", "constant", TG_GRID_COUNT, OF(n_invariant) },
        { "mean spread", "mean spread", "mean_spread", TG_GRID_NUMBER, OF(mean_spread), D },
        { "largest spread", "largest spread", "largest_spread", TG_GRID_NUMBER, OF(largest_spread),
          D },
        { "mean deviation", "mean deviation", "mean_deviation", TG_GRID_NUMBER, OF(mean_deviation),
          D },
        { NULL, NULL, "widest_group", TG_GRID_NAME, OF(worst_group) },
    };
#undef OF
    TgGrid *grid = tg_grid_new_of("Spread over spellings of one formula", 3, columns,
                                  G_N_ELEMENTS(columns), NULL);

    for (guint i = 0; i < w->study->spellings->len; i++) {
        const TgStudySpellings *s = w->study->spellings->pdata[i];

        if (for_programs(w) ||
            (shows_column(w->study, s->column) && strcmp(s->field, s->metric) != 0))
            tg_grid_row(grid, s, FALSE);
    }
    tg_study_keep_grid(w, grid, "spellings");
}

/* ---- the raters: how far do they agree, and what would a metric as good as one reach? ---- */

/* The ratings of one group, or of all (@group NULL), in pairs that have one. (transfer full) */
static double *collect_ratings(const TgTable *table, const TgTableGroup *group, guint *n, guint *k)
{
    double *all, *row;

    *n = *k = 0;
    for (guint g = 0; g < table->groups->len; g++)
        if (group == NULL || group == tg_table_group(table, g))
            *k += tg_table_group(table, g)->n_raters;
    row = all = g_new(double, (gsize) table->n_rows **k);
    for (guint i = 0; i < table->n_rows; i++) {
        double *next = row;
        gboolean rated = FALSE;

        for (guint g = 0; g < table->groups->len; g++) {
            const TgTableGroup *from = tg_table_group(table, g);

            if (group != NULL && group != from)
                continue;
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

const char *const tg_study_figure_names[TG_N_RATER_FIGURES] = {
    "alpha nominal",
    "alpha ordinal",
    "alpha interval",
    "ICC(1,1)",
    "ICC(1,k)",
    "ICC(2,1)",
    "ICC(2,k)",
    "ICC(3,1)",
    "ICC(3,k)",
    "one against rest: Pearson",
    "one against rest: Spearman",
    "one against rest: Kendall",
};

/* The ratings of the pairs that every rater rated. Returns: how many; @n_shared: (out) how many
 * two raters or more rated; may be NULL */
static guint copy_complete(const double *ratings, guint n, guint k, double *out, guint *n_shared)
{
    guint n_complete = 0, shared = 0;

    for (guint i = 0; i < n; i++) {
        guint n_ratings = 0;

        for (guint r = 0; r < k; r++)
            n_ratings += !isnan(ratings[(gsize) i * k + r]);
        shared += n_ratings > 1;
        if (n_ratings == k)
            memcpy(out + (gsize) n_complete++ * k, ratings + (gsize) i * k, k * sizeof *out);
    }
    if (n_shared != NULL)
        *n_shared = shared;
    return n_complete;
}

/* One coefficient of one group, to be resampled. */
typedef struct {
    TgStudyRaters *raters;
    guint agreement;
} Agreement;

/* A TgStatisticFunc: the coefficient of some pairs. */
static double agreement_of(const guint32 *rows, guint n, gpointer data)
{
    const Agreement *a = data;
    const guint k = a->raters->n_raters;
    g_autofree double *drawn = rows != NULL ? g_new(double, (gsize) n *k) : NULL;
    const double *ratings = rows != NULL ? drawn : a->raters->ratings;
    double alpha, icc[TG_N_ICC_FIGURES];

    for (guint i = 0; rows != NULL && i < n; i++)
        memcpy(drawn + (gsize) i * k, a->raters->ratings + (gsize) rows[i] * k, k * sizeof *drawn);
    if (a->agreement < TG_FIRST_ICC)
        return tg_stats_krippendorff(ratings, n, k, (TgRatingLevel) a->agreement, &alpha, NULL)
                   ? alpha
                   : NAN;
    g_autofree double *complete = g_new(double, MAX((gsize) n * k, 1));
    return a->raters->has_icc &&
                   tg_stats_icc(complete, copy_complete(ratings, n, k, complete, NULL), k, icc)
               ? icc[a->agreement - TG_FIRST_ICC]
               : NAN;
}

static void fill_agreement(gpointer item, guint worker, gpointer data)
{
    Agreement *a = item;

    (void) worker;
    tg_study_bootstrap(data, agreement_of, a, a->raters->n_pairs,
                       &a->raters->bootstrap[a->agreement]);
}

static void add_raters(TgStudy *study, const TgTableGroup *group, GPtrArray *agreements)
{
    TgStudyRaters *out = g_new0(TgStudyRaters, 1);
    g_autoptr(GError) error = NULL;
    double alpha;

    g_ptr_array_add(study->raters, out);
    out->ratings = collect_ratings(study->table, group, &out->n_pairs, &out->n_raters);
    out->group = group != NULL ? group->name : NULL;
    if (!tg_stats_krippendorff(out->ratings, out->n_pairs, out->n_raters, TG_NOMINAL, &alpha,
                               &error))
        out->undefined = g_strdup(error->message); /* at every level */
    g_autofree double *complete = g_new(double, MAX((gsize) out->n_pairs * out->n_raters, 1));
    out->n_complete =
        copy_complete(out->ratings, out->n_pairs, out->n_raters, complete, &out->n_shared);
    out->has_icc = 2 * out->n_complete >= out->n_pairs &&
                   tg_stats_icc(complete, out->n_complete, out->n_raters, out->icc);
    g_autofree double *against = g_new(double, out->n_raters);
    for (guint kind = 0; kind < TG_N_CORRELATIONS; kind++) {
        TgBootstrap *ceiling = &out->bootstrap[TG_FIRST_CEILING + kind];
        guint n; /* raters for whom it is defined */

        tg_stats_rater_against_rest(kind, out->ratings, out->n_pairs, out->n_raters, against);
        g_autofree double *defined = tg_stats_defined(against, out->n_raters, &n);
        tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, study->options.level, ceiling);
        ceiling->estimate = tg_stats_mean(defined, n);
    }
    for (guint i = 0; i < TG_N_AGREEMENTS; i++) {
        const Agreement a = { out, i };

        g_ptr_array_add(agreements, g_memdup2(&a, sizeof a));
    }
}

static gboolean add_all_raters(TgStudy *study, GError **error)
{
    g_autoptr(GPtrArray) agreements = g_ptr_array_new_with_free_func(g_free);
    const guint n_groups = study->table->groups->len;

    for (guint g = 0; g < n_groups; g++)
        add_raters(study, tg_table_group(study->table, g), agreements);
    if (n_groups > 1)
        add_raters(study, NULL, agreements);
    for (guint a = 0; a < n_groups; a++) {
        for (guint b = a + 1; b < n_groups; b++) {
            const TgTableGroup *x = tg_table_group(study->table, a);
            const TgTableGroup *y = tg_table_group(study->table, b);
            TgStudyGroups pair = { x->name, y->name, 0, { 0 } };

            for (guint kind = 0; kind < TG_N_CORRELATIONS; kind++)
                pair.coefficient[kind] =
                    tg_stats_correlate(kind, x->mean, y->mean, study->table->n_rows, &pair.n);
            g_ptr_array_add(study->groups, g_memdup2(&pair, sizeof pair));
        }
    }
    return tg_pipeline_each(agreements, study->options.threads, fill_agreement, NULL, study, error);
}

static json_t *icc_json(gconstpointer raters)
{
    static const char *const names[TG_N_ICC_FIGURES] = {
        "icc_1_1", "icc_1_k", "icc_2_1",   "icc_2_k",    "icc_3_1",
        "icc_3_k", "ms_rows", "ms_within", "ms_columns", "ms_error",
    };
    const TgStudyRaters *r = raters;
    json_t *out = r->has_icc ? json_object() : json_null();

    for (guint i = 0; r->has_icc && i < TG_N_ICC_FIGURES; i++)
        json_object_set_new(out, names[i], tg_json_number(r->icc[i]));
    return out;
}

static json_t *bootstraps_json(gconstpointer raters)
{
    const TgStudyRaters *r = raters;
    json_t *out = json_object();

    for (guint i = 0; i < TG_N_AGREEMENTS; i++)
        json_object_set_new(out, tg_study_figure_names[i], bootstrap_json(&r->bootstrap[i]));
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
        { NULL, NULL, "krippendorff.nominal", TG_GRID_NUMBER, OF(bootstrap[TG_NOMINAL].estimate) },
        { NULL, NULL, "krippendorff.ordinal", TG_GRID_NUMBER, OF(bootstrap[TG_ORDINAL].estimate) },
        { NULL, NULL, "krippendorff.interval", TG_GRID_NUMBER,
          OF(bootstrap[TG_INTERVAL].estimate) },
        { NULL, NULL, "undefined", TG_GRID_NAME, OF(undefined) },
        { NULL, NULL, "icc", TG_GRID_VALUE, 0, .value = icc_json },
        { NULL, NULL, "one_against_rest.pearson", TG_GRID_NUMBER,
          OF(bootstrap[TG_FIRST_CEILING + TG_PEARSON].estimate) },
        { NULL, NULL, "one_against_rest.spearman", TG_GRID_NUMBER,
          OF(bootstrap[TG_FIRST_CEILING + TG_SPEARMAN].estimate) },
        { NULL, NULL, "one_against_rest.kendall", TG_GRID_NUMBER,
          OF(bootstrap[TG_FIRST_CEILING + TG_KENDALL].estimate) },
        { NULL, NULL, "bootstrap", TG_GRID_VALUE, 0, .value = bootstraps_json },
    };
#undef OF
    return tg_grid_new_of(NULL, 1, columns, G_N_ELEMENTS(columns), study->raters);
}

/* For people and CSV: a coefficient a row. */
static TgGrid *agreements_grid(const TgStudy *study)
{
    typedef struct {
        const char *group, *name;
        guint n_raters, n_pairs;
        TgBootstrap b;
    } Row;
#define OF(member) G_STRUCT_OFFSET(Row, member)
    g_autofree char *level = tg_level_text(study->options.level);
    const TgGridColumn columns[] = {
        { "group", "group", NULL, TG_GRID_TEXT, OF(group) },
        { "coefficient", "coefficient", NULL, TG_GRID_TEXT, OF(name) },
        { "raters", "raters", NULL, TG_GRID_COUNT, OF(n_raters) },
        { "pairs", "pairs", NULL, TG_GRID_COUNT, OF(n_pairs) },
        { "value", "value", NULL, TG_GRID_NUMBER, OF(b.estimate), D },
        { NULL, "percentile_*", NULL, TG_GRID_INTERVAL, OF(b.percentile), I },
        { level, "bca_*", NULL, TG_GRID_INTERVAL, OF(b.bca), I },
        { NULL, "undefined_resamples", NULL, TG_GRID_COUNT, OF(b.n_undefined) },
    };
#undef OF
    TgGrid *grid =
        tg_grid_new_of("Agreement of the raters", 2, columns, G_N_ELEMENTS(columns), NULL);

    for (guint i = 0; i < study->raters->len; i++) {
        const TgStudyRaters *r = study->raters->pdata[i];
        const char *group = r->group != NULL ? r->group : "(all)";
        guint undefined = 0;

        for (guint k = 0; k < TG_N_RATER_FIGURES; k++) {
            const gboolean is_icc = k >= TG_FIRST_ICC && k < TG_FIRST_CEILING;
            const Row row = { group, tg_study_figure_names[k], r->n_raters,
                              is_icc ? r->n_complete : r->n_shared, r->bootstrap[k] };

            if (is_icc && !r->has_icc)
                continue;
            undefined = MAX(undefined, row.b.n_undefined);
            tg_grid_row(grid, &row, FALSE);
        }
        if (r->undefined != NULL)
            tg_grid_note(grid, "%s: %s", group, r->undefined);
        if (undefined > 0)
            tg_grid_note(grid,
                         "%s: undefined in up to %u of %u resamples (all ratings equal), which "
                         "are left out",
                         group, undefined, study->options.resamples);
    }
    tg_grid_note(
        grid,
        "Pairs: rated by two raters or more, and for an ICC by all of them. Intervals: BCa "
        "bootstrap over the pairs, %u resamples, seed %" G_GUINT64_FORMAT ".",
        study->options.resamples, study->options.seed);
    return grid;
}

static void write_raters(TgStudyWriter *w)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyGroups, member)
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

    tg_study_write_people(w);
    tg_study_keep_grid(w, is_json ? groups_grid(w->study) : agreements_grid(w->study), "raters");
    tg_study_keep_grid(w,
                       tg_grid_new_of("Correlation between the groups' means", 2, columns,
                                      G_N_ELEMENTS(columns), w->study->groups),
                       "between_groups");
}

/* ---- running it ---- */

static gboolean check_ranges(const TgStudyOptions *options, GError **error)
{
    return (options->level >= 0.0 && options->level < 1.0 && options->resamples <= MAX_RESAMPLES) ||
           tg_fail_usage(
               error, "the level must be between 0 and 1, and the number of resamples at most %d",
               MAX_RESAMPLES);
}

TgStudy *tg_study_of_table(TgTable *table, const TgStudyOptions *options, GError **error)
{
    g_autoptr(TgStudy) study = NULL;
    guint n_shown = 0;

    if (!check_ranges(options, error))
        return NULL;
    study = g_new(TgStudy, 1);
    *study = (TgStudy){
        .table = table,
        .options = *options,
        .slices = g_ptr_array_new_with_free_func(tg_table_slice_free),
        .correlations = g_ptr_array_new_with_free_func(free_correlation),
        .comparisons = g_ptr_array_new_with_free_func(g_free),
        .raters = g_ptr_array_new_with_free_func(free_raters),
        .groups = g_ptr_array_new_with_free_func(g_free),
        .preferences = g_ptr_array_new_with_free_func(g_free),
        .spellings = g_ptr_array_new_with_free_func(g_free),
        .people = g_ptr_array_new_with_free_func(g_free),
        .wrong = g_ptr_array_new_with_free_func(g_free),
        .duels = g_ptr_array_new_with_free_func(g_free),
        .strengths = g_ptr_array_new_with_free_func(g_free),
    };
    if (options->resamples == 0)
        study->options.resamples = DEFAULT_RESAMPLES;
    if (options->level == 0)
        study->options.level = DEFAULT_LEVEL;
    if (!tg_table_mean_init(&study->mean, table, NULL, error))
        return NULL;
    for (guint c = 0; c < table->columns->len; c++)
        n_shown += shows_column(study, c);
    /* as many as the comparisons of one family need, where the caller named none */
    study->comparison_resamples =
        options->resamples > 0
            ? options->resamples
            : tg_stats_draws_for(n_shown * (n_shown - (n_shown > 0)) / 2, TG_STUDY_ALPHA,
                                 DEFAULT_RESAMPLES, MAX_COMPARISON_RESAMPLES);
    if (!add_slices(study, error) || !add_correlations(study, error) ||
        !add_comparisons(study, error) || !add_preferences(study, error) ||
        !add_spellings(study, error) || !add_all_raters(study, error))
        return NULL;
    tg_study_add_people(study);
    return g_steal_pointer(&study);
}

TgStudy *tg_study_run(const char *const *paths, const TgStudyOptions *options, GError **error)
{
    g_autoptr(TgTable) table =
        check_ranges(options, error) ? tg_table_read(paths, &options->table, error) : NULL;
    TgStudy *study = table != NULL ? tg_study_of_table(table, options, error) : NULL;

    if (study != NULL)
        study->owned = g_steal_pointer(&table);
    return study;
}

static const struct {
    const char *name;
    void (*write)(TgStudyWriter *w);
} study_parts[] = {
    { "correlations", write_correlations }, { "systems", write_systems },
    { "comparisons", write_comparisons },   { "raters", write_raters },
    { "preferences", write_preferences },   { "spellings", write_spellings },
};

gboolean tg_study_check_parts(const char *const *parts, GError **error)
{
    for (; parts != NULL && *parts != NULL; parts++) {
        guint i = 0;

        while (i < G_N_ELEMENTS(study_parts) && strcmp(*parts, study_parts[i].name) != 0)
            i++;
        if (i == G_N_ELEMENTS(study_parts))
            return tg_fail_usage(error,
                                 "--parts takes correlations, comparisons, raters, preferences, "
                                 "spellings, systems; not '%s'",
                                 *parts);
    }
    return TRUE;
}

static void write_parts(TgStudyWriter *w, const char *const *parts)
{
    for (guint i = 0; i < G_N_ELEMENTS(study_parts); i++)
        if (parts == NULL || g_strv_contains(parts, study_parts[i].name))
            study_parts[i].write(w);
}

GPtrArray *tg_study_grids(const TgStudy *study, const char *const *parts, const TgGridForm *form)
{
    TgStudyWriter w = { study, form, g_ptr_array_new_with_free_func((GDestroyNotify) tg_grid_free),
                        NULL };

    write_parts(&w, parts);
    return w.grids;
}

char *tg_study_format(const TgStudy *study, const char *const *parts, const TgGridForm *form)
{
    if (form->style == TG_GRID_JSON) {
        json_t *all = json_pack(
            "{s:s, s:o, s:O, s:o*, s:i, s:I, s:o, s:o*}", "version", tg_version(), "signatures",
            tg_signatures_json(study->table->layout), "inputs", study->table->inputs, "remarks",
            tg_remarks_json(study->table->remarks), "resamples", (int) study->options.resamples,
            "seed", (json_int_t) study->options.seed, "level", tg_json_number(study->options.level),
            "percent", form->percent ? json_true() : NULL);
        TgStudyWriter w = { study, form, NULL, all };

        write_parts(&w, parts);
        return tg_json_take(all, "\n");
    }
    GString *out = g_string_new(NULL);
    g_autoptr(GPtrArray) grids = tg_study_grids(study, parts, form);
    if (grids->len > 0)
        tg_signatures_note(grids->pdata[grids->len - 1], study->table->layout,
                           study->table->remarks);
    for (guint i = 0; i < grids->len; i++) {
        g_string_append(out, i > 0 ? "\n" : "");
        tg_grid_append(out, grids->pdata[i], form);
    }
    if (grids->len == 0)
        g_string_append(out, "nothing to study: no human scores in these results; --human names "
                             "their fields when the pairs are scored\n");
    return g_string_free(out, FALSE);
}
