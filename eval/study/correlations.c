/* Every column against the mean ratings of every group: pair by pair, and with a point per model.
 */
#include <math.h>

#include "eval/study/private.h"

/* ---- pair by pair ---- */

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

static void fill_coefficients(const TgStudy *study, TgStudyCorrelation *cell, Statistic *s)
{
    g_autofree double *replicates = g_new(double, study->resamples);

    cell->pearsons = g_new(double, study->comparison_resamples);
    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        TgStudyCoefficient *c = &cell->coefficient[kind];
        double *out = kind == TG_PEARSON ? cell->pearsons : replicates;
        const guint n_replicates =
            kind == TG_PEARSON ? study->comparison_resamples : study->resamples;

        s->kind = kind;
        c->value = coefficient_of(NULL, cell->n, s);
        c->p = tg_study_correlation_p(kind, c->value, s->metric, s->human);
        tg_stats_correlation_interval(kind, c->value, cell->n, study->level, c->closed);
        tg_bootstrap_replicate(coefficient_of, s, cell->n, n_replicates, NULL, study->seed, out);
        tg_study_bootstrap(study, coefficient_of, s, cell->n, out, study->resamples, &c->bootstrap);
    }
}

static void fill_accuracy(const TgStudy *study, TgStudyCorrelation *cell, Statistic *s)
{
    const guint n = cell->n;
    g_autofree double *replicates = g_new(double, study->resamples);
    g_autofree double *metric = g_new(double, n), *human = g_new(double, n);
    TgTieCalibration best;
    TgPairCounts counts;

    for (guint i = 0; i < n; i++) {
        metric[i] = tg_ranked_value(s->metric, NULL, i);
        human[i] = tg_ranked_value(s->human, NULL, i);
    }
    if (!tg_stats_calibrate_ties(metric, human, n, &best))
        return;
    s->epsilon = cell->epsilon = best.epsilon;
    cell->shortfall = best.shortfall;
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
    const double *mean = tg_table_group(study->table, cell->group)->mean;
    const double *values = tg_table_column(study->table, cell->column)->values;
    g_autofree guint32 *rows =
        tg_study_common_rows(study, cell->slice, cell->group, cell->column, cell->column, &cell->n);
    g_autoptr(TgRanked) x = tg_study_ranked(study, cell->group, cell->column, rows, cell->n);
    g_autoptr(TgRanked) y = tg_study_ranked(study, cell->group, G_MAXUINT, rows, cell->n);
    Statistic statistic = { .metric = x, .human = y };

    (void) worker;
    for (guint i = 0; i < slice->n; i++)
        cell->n_unscored += !isnan(mean[slice->rows[i]]) && isnan(values[slice->rows[i]]);
    cell->undefined = tg_stats_undefined(x, cell->metric, y, cell->raters);
    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        set_undefined(&cell->coefficient[kind]);
    set_undefined(&cell->acc_eq);
    cell->epsilon = cell->tau23 = NAN;
    if (cell->undefined != NULL)
        return;
    fill_coefficients(study, cell, &statistic);
    fill_accuracy(study, cell, &statistic);
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
                cell->pairs = tg_study_slice_name(study, p);
                cell->raters = tg_study_group_name(study, g);
                cell->metric = tg_study_column_name(study, c);
                g_ptr_array_add(study->correlations, cell);
            }
        }
    }
    return tg_pipeline_each(study->correlations, options->threads, fill_correlation, NULL, study,
                            error);
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
    {                                                                                              \
        NULL, NULL, path ".bootstrap", TG_GRID_VALUE, OF(coefficient[k].bootstrap),                \
            .value = tg_study_bootstrap_json                                                       \
    }
    enum { D = TG_STUDY_DIGITS, I = TG_STUDY_INTERVAL_DIGITS };
    g_autofree char *level = tg_study_level_text(w->study);
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
        { "acc_eq", NULL, "acc_eq.value", TG_GRID_NUMBER, OF(acc_eq.value), D, .scores = TRUE },
        { level, NULL, NULL, TG_GRID_INTERVAL, OF(acc_eq.bootstrap.bca), I, .scores = TRUE },
        { "eps", NULL, "acc_eq.epsilon", TG_GRID_NUMBER, OF(epsilon), D },
        { NULL, NULL, "acc_eq.tau23", TG_GRID_NUMBER, OF(tau23), D },
        { NULL, NULL, "acc_eq.bootstrap", TG_GRID_VALUE, OF(acc_eq.bootstrap),
          .value = tg_study_bootstrap_json },
    };
#undef COEFFICIENT
#undef OF
    TgGrid *grid = tg_grid_new(title, 1);

    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        tg_grid_columns(grid, &columns[i], 1);
        tg_grid_column_scores(grid, columns[i].scores, NULL);
    }
    for (guint i = 0; i < n; i++) {
        const TgStudyCorrelation *cell = correlations[i];

        if (tg_study_for_programs(w) || tg_study_shows(w->study, cell->column))
            tg_grid_row(grid, columns, G_N_ELEMENTS(columns), cell, TRUE);
    }
    return grid;
}

/* What the table leaves open: pairs left out, resamples that say nothing, signs. */
static void note_correlations(TgGrid *grid, const TgStudy *study, guint slice, guint group)
{
    g_autoptr(GString) turned = g_string_new(NULL);
    g_autoptr(GPtrArray) resampling = g_ptr_array_new_with_free_func(g_free);
    gboolean exact = FALSE;

    for (guint c = 0; c < study->table->columns->len; c++) {
        const TgStudyCorrelation *cell = tg_study_correlation(study, slice, group, c);
        const TgBootstrap *bootstrap = &cell->coefficient[TG_PEARSON].bootstrap;

        if (!tg_study_shows(study, c))
            continue;
        if (tg_table_column(study->table, c)->lower_is_better)
            g_string_append_printf(turned, "%s%s", turned->len > 0 ? ", " : "", cell->metric);
        if (cell->undefined != NULL) {
            tg_grid_note(grid, "%s: undefined, %s", cell->metric, cell->undefined);
            continue;
        }
        if (cell->n_unscored > 0)
            tg_grid_note(grid, "%s: %u rated pairs without a score are left out", cell->metric,
                         cell->n_unscored);
        if (cell->shortfall > 0)
            tg_grid_note(grid,
                         "%s: of so many pairs not every threshold is tried; the best one's acc_eq "
                         "is higher by at most %.1g",
                         cell->metric, cell->shortfall);
        exact |= cell->n <= TG_MAX_PERMUTED;
        if (bootstrap->n_undefined > 0)
            g_ptr_array_add(resampling,
                            g_strdup_printf("%s: undefined in %u of %u resamples (all values "
                                            "equal), which are left out",
                                            cell->metric, bootstrap->n_undefined,
                                            study->resamples));
        if (isnan(bootstrap->percentile[0]))
            g_ptr_array_add(resampling,
                            g_strdup_printf("%s: no interval, all resamples agree", cell->metric));
    }
    for (guint i = 0; i < resampling->len; i++)
        tg_grid_note(grid, "%s", (const char *) resampling->pdata[i]);
    if (exact)
        tg_grid_note(grid, "n < 10: p-values of Spearman and Kendall are exact, of all orders.");
    if (turned->len > 0)
        tg_grid_note(grid, "Lower is better, so taken with the opposite sign: %s", turned->str);
    tg_grid_note(grid, "Intervals: BCa bootstrap, %u resamples, seed %" G_GUINT64_FORMAT ".",
                 study->resamples, study->seed);
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

/* As the TeXBLEU paper's table I: both coefficients per group, and their mean; of the slices from
 * @first to @end. */
static TgGrid *averages_grid(const TgStudyWriter *w, const char *title, guint first, guint end)
{
    const TgStudy *study = w->study;
    const guint n_groups = study->table->groups->len, n_columns = study->table->columns->len;
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_column(grid, NULL, NULL, "pairs");
    tg_grid_column(grid, "metric", NULL, "metric");
    for (guint g = 0; g < n_groups; g++) {
        static const char *const heads[] = { "pearson", "spearman", "n" };

        for (guint i = 0; i < G_N_ELEMENTS(heads); i++) {
            g_autofree char *head =
                g_strdup_printf("%s %s", tg_study_group_name(study, g), heads[i]);

            tg_grid_column(grid, head, NULL, NULL);
        }
    }
    tg_grid_column(grid, "average", NULL, "average");
    for (guint i = first * n_columns; i < end * n_columns; i++) {
        const guint slice = i / n_columns, column = i % n_columns;

        if (!tg_study_for_programs(w) && !tg_study_shows(study, column))
            continue;
        tg_grid_put_name(grid, tg_study_slice_name(study, slice), "(none)");
        tg_grid_put(grid, tg_study_column_name(study, column));
        for (guint g = 0; g < n_groups; g++) {
            const TgStudyCorrelation *cell = tg_study_correlation(study, slice, g, column);

            tg_grid_put_number(grid, cell->coefficient[TG_PEARSON].value, TG_STUDY_DIGITS);
            tg_grid_put_number(grid, cell->coefficient[TG_SPEARMAN].value, TG_STUDY_DIGITS);
            tg_grid_put_count(grid, cell->n);
        }
        tg_grid_put_number(grid, tg_study_average(study, slice, column), TG_STUDY_DIGITS);
    }
    return grid;
}

/* For CSV: one row per coefficient. */
static TgGrid *coefficients_grid(const TgStudy *study)
{
    typedef struct {
        const TgStudyCorrelation *cell;
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
        { NULL, "value", NULL, TG_GRID_NUMBER, OF(c.value), TG_STUDY_DIGITS },
        { NULL, "p", NULL, TG_GRID_P, OF(c.p) },
        { NULL, "closed_*", NULL, TG_GRID_INTERVAL, OF(c.closed), TG_STUDY_DIGITS },
        { NULL, "se", NULL, TG_GRID_NUMBER, OF(c.bootstrap.se), TG_STUDY_DIGITS },
        { NULL, "percentile_*", NULL, TG_GRID_INTERVAL, OF(c.bootstrap.percentile),
          TG_STUDY_DIGITS },
        { NULL, "bca_*", NULL, TG_GRID_INTERVAL, OF(c.bootstrap.bca), TG_STUDY_DIGITS },
        { NULL, "undefined_resamples", NULL, TG_GRID_COUNT, OF(c.bootstrap.n_undefined) },
    };
#undef OF
    static const char *const statistics[] = { "pearson", "spearman", "kendall" };
    TgGrid *grid = tg_grid_new(NULL, 0);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < study->correlations->len; i++) {
        const TgStudyCorrelation *cell = study->correlations->pdata[i];
        Row row = { cell, cell->pairs, cell->raters,     cell->metric,
                    NULL, cell->n,     cell->n_unscored, { 0 } };

        for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
            row.statistic = statistics[kind];
            row.c = cell->coefficient[kind];
            tg_grid_row(grid, columns, G_N_ELEMENTS(columns), &row, FALSE);
        }
        row.statistic = "acc_eq";
        row.c = cell->acc_eq;
        tg_grid_row(grid, columns, G_N_ELEMENTS(columns), &row, FALSE);
        row.statistic = "tie_epsilon";
        set_undefined(&row.c);
        row.c.value = cell->epsilon;
        tg_grid_row(grid, columns, G_N_ELEMENTS(columns), &row, FALSE);
    }
    return grid;
}

void tg_study_write_correlations(TgStudyWriter *w)
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
        g_autofree char *suffix = tg_study_slice_suffix(w, s);
        g_autofree char *average = g_strdup_printf("Average over groups of raters%s", suffix);

        for (guint g = 0; g < n_groups; g++, all += n_columns) {
            const guint n_raters = tg_table_group(study->table, g)->n_raters;
            g_autofree char *title = g_strdup_printf("Correlation with %s (%u rater%s a pair)%s",
                                                     tg_study_group_name(study, g), n_raters,
                                                     n_raters == 1 ? "" : "s", suffix);
            TgGrid *grid = correlations_grid(w, title, all, n_columns);

            note_correlations(grid, study, s, g);
            g_ptr_array_add(w->grids, grid);
        }
        if (n_groups > 1)
            g_ptr_array_add(w->grids, averages_grid(w, average, s, s + 1));
    }
}

/* ---- a point per model ---- */

/* Two points always lie on a line. */
enum { LEAST_MODELS = 3 };

/* One model's rated and scored pairs: the value of the column over them, and their mean rating. */
static gboolean rate_model(const TgStudy *study, const TgStudySystems *s, guint model,
                           double *value, double *rating, guint *n)
{
    const TgTable *table = study->table;
    const TgTableGroup *group = tg_table_group(table, s->group);
    const TgTableColumn *column = tg_table_column(table, s->column);
    guint n_rows;
    g_autofree guint32 *rows =
        tg_study_common_rows(study, s->slice, s->group, s->column, s->column, &n_rows);

    *rating = 0.0;
    *n = 0;
    for (guint i = 0; i < n_rows; i++) {
        if (table->rows[rows[i]].model != model)
            continue;
        *rating += group->mean[rows[i]];
        rows[(*n)++] = rows[i];
    }
    if (*n == 0)
        return FALSE;
    *rating /= *n;
    *value = tg_table_value(table, column, rows, *n) * (column->lower_is_better ? -1 : 1);
    if (column->pooling == TG_POOL_SUM)
        *value /= *n;
    return !isnan(*value);
}

static void add_systems(TgStudy *study, guint slice, guint group, guint column)
{
    const guint n_models = study->table->models->len;
    g_autofree double *values = g_new(double, n_models);
    g_autofree double *ratings = g_new(double, n_models);
    TgStudySystems s = { .slice = slice,
                         .group = group,
                         .column = column,
                         .pairs = tg_study_slice_name(study, slice),
                         .raters = tg_study_group_name(study, group),
                         .metric = tg_study_column_name(study, column) };

    for (guint m = 0; m < n_models; m++) {
        guint n;

        if (!rate_model(study, &s, m, &values[s.n_models], &ratings[s.n_models], &n))
            continue;
        s.n_models++;
        s.n_pairs += n;
    }
    if (s.n_models < LEAST_MODELS)
        return;
    g_autoptr(TgRanked) metric = tg_ranked_new(values, s.n_models);
    g_autoptr(TgRanked) human = tg_ranked_new(ratings, s.n_models);
    for (TgCorrelationKind kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        s.coefficient[kind] = tg_stats_correlation(kind, metric, human, NULL, s.n_models);
        s.p[kind] = tg_study_correlation_p(kind, s.coefficient[kind], metric, human);
    }
    tg_stats_correlation_interval(TG_PEARSON, s.coefficient[TG_PEARSON], s.n_models, study->level,
                                  s.closed);
    g_ptr_array_add(study->systems, g_memdup2(&s, sizeof s));
}

void tg_study_add_systems(TgStudy *study)
{
    for (guint slice = 0; slice < study->slices->len; slice++) {
        for (guint g = 0; g < study->table->groups->len; g++) {
            for (guint c = 0; c < study->table->columns->len; c++)
                add_systems(study, slice, g, c);
        }
    }
}

void tg_study_write_systems(TgStudyWriter *w)
{
#define OF(member) G_STRUCT_OFFSET(TgStudySystems, member)
    enum { D = TG_STUDY_DIGITS };
    const gboolean slices = w->study->slices->len > 1;
    g_autofree char *level = tg_study_level_text(w->study);
    const TgGridColumn columns[] = {
        { slices ? "pairs of" : NULL, "slice", "slice", TG_GRID_NAME, OF(pairs) },
        { "group", "group", "group", TG_GRID_TEXT, OF(raters) },
        { "metric", "metric", "metric", TG_GRID_TEXT, OF(metric) },
        { "models", "models", "models", TG_GRID_COUNT, OF(n_models) },
        { "pairs", "pairs", "pairs", TG_GRID_COUNT, OF(n_pairs) },
        { "Pearson", "pearson", "pearson.value", TG_GRID_NUMBER, OF(coefficient[0]), D },
        { level, "closed_*", "pearson.interval", TG_GRID_INTERVAL, OF(closed),
          TG_STUDY_INTERVAL_DIGITS },
        { "p", "pearson_p", "pearson.p", TG_GRID_P, OF(p[0]) },
        { "Spearman", "spearman", "spearman.value", TG_GRID_NUMBER, OF(coefficient[1]), D },
        { "p", "spearman_p", "spearman.p", TG_GRID_P, OF(p[1]) },
        { "Kendall", "kendall", "kendall.value", TG_GRID_NUMBER, OF(coefficient[2]), D },
        { "p", "kendall_p", "kendall.p", TG_GRID_P, OF(p[2]) },
    };
#undef OF
    TgGrid *grid = tg_grid_new("Correlation over models (system level)", slices ? 3 : 2);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < w->study->systems->len; i++) {
        const TgStudySystems *s = w->study->systems->pdata[i];

        if (tg_study_for_programs(w) || tg_study_shows(w->study, s->column))
            tg_grid_row(grid, columns, G_N_ELEMENTS(columns), s, FALSE);
    }
    tg_grid_note(grid, "A point is a model: its value over its rated pairs, and their mean rating; "
                       "higher means better agreement. Interval: Fisher's z. With fewer than 10 "
                       "models p of Spearman and Kendall is exact.");
    tg_study_keep_grid(w, grid, "systems");
}
