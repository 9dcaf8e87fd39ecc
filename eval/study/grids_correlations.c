/* Tables of a study's correlations. */
#include <math.h>

#include "eval/stats/stats.h"
#include "eval/study/grids.h"

/* One row per column and slice; for CSV see coefficients_grid(). */
static TgGrid *correlations_grid(const TgStudyWriter *w, const char *title)
{
    static const char *const heads[] = { "Pearson", "Spearman", "Kendall" };
    static const TgGridColumn first[] = {
        { NULL, NULL, "pairs" }, { NULL, NULL, "group" },    { "metric", NULL, "metric" },
        { "n", NULL, "n" },      { NULL, NULL, "unscored" }, { NULL, NULL, "undefined" },
    };
    g_autofree char *level = tg_study_level_text(w->study);
    const TgGridColumn accuracy[] = {
        { "eps", NULL, "acc_eq.epsilon" },
        { NULL, NULL, "acc_eq.tau23" },
        { NULL, NULL, "acc_eq.bootstrap" },
    };
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_columns(grid, first, G_N_ELEMENTS(first));
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        const char *name = tg_correlation_name(kind);
        g_autofree char *value = g_strconcat(name, ".value", NULL);
        g_autofree char *p = g_strconcat(name, ".p", NULL);
        g_autofree char *interval = g_strconcat(name, ".interval", NULL);
        g_autofree char *bootstrap = g_strconcat(name, ".bootstrap", NULL);

        tg_grid_column(grid, heads[kind], NULL, value);
        tg_grid_column(grid, level, NULL, NULL);
        tg_grid_column(grid, "p", NULL, p);
        tg_grid_column(grid, NULL, NULL, interval);
        tg_grid_column(grid, NULL, NULL, bootstrap);
    }
    tg_grid_column(grid, "acc_eq", NULL, "acc_eq.value");
    tg_grid_column_scores(grid, TRUE, NULL);
    tg_grid_column(grid, level, NULL, NULL);
    tg_grid_column_scores(grid, TRUE, NULL);
    tg_grid_columns(grid, accuracy, G_N_ELEMENTS(accuracy));
    return grid;
}

static void put_correlation(TgGrid *grid, const TgStudyWriter *w, const TgStudyCorrelation *cell)
{
    tg_study_put_slice(grid, w, cell->slice);
    tg_grid_put(grid, tg_study_group_name(w, cell->group));
    tg_grid_put(grid, tg_study_column_name(w, cell->column));
    tg_grid_put_count(grid, cell->n);
    tg_grid_put_count(grid, cell->n_unscored);
    tg_grid_put_name(grid, cell->undefined, "");
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        const TgStudyCoefficient *c = &cell->coefficient[kind];

        tg_grid_put_number(grid, c->value, TG_STUDY_DIGITS);
        tg_grid_put_interval(grid, c->bootstrap.bca, TG_STUDY_INTERVAL_DIGITS);
        tg_grid_put_p(grid, c->p);
        tg_grid_put_interval(grid, c->closed, TG_STUDY_INTERVAL_DIGITS);
        tg_study_put_bootstrap(grid, &c->bootstrap);
    }
    tg_grid_put_number(grid, cell->acc_eq.value, TG_STUDY_DIGITS);
    tg_grid_put_interval(grid, cell->acc_eq.bootstrap.bca, TG_STUDY_INTERVAL_DIGITS);
    tg_grid_put_number(grid, cell->epsilon, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, cell->tau23, TG_STUDY_DIGITS);
    tg_study_put_bootstrap(grid, &cell->acc_eq.bootstrap);
}

/* Resamples that say nothing, and p-values that are not those of large samples. */
static void note_resamples(TgGrid *grid, const TgStudyWriter *w, guint slice, guint group)
{
    gboolean exact = FALSE;

    for (guint c = 0; c < w->study->table->columns->len; c++) {
        const TgStudyCorrelation *cell = tg_study_correlation(w->study, slice, group, c);
        const TgBootstrap *bootstrap = &cell->coefficient[TG_PEARSON].bootstrap;

        if (!tg_study_shows(w->study, c) || cell->undefined != NULL)
            continue;
        exact |= cell->n <= TG_MAX_PERMUTED;
        if (bootstrap->n_undefined > 0)
            tg_grid_note(grid,
                         "%s: undefined in %u of %u resamples (all values equal), which are left "
                         "out",
                         tg_study_column_name(w, c), bootstrap->n_undefined, w->study->resamples);
        if (isnan(bootstrap->percentile[0]))
            tg_grid_note(grid, "%s: no interval, all resamples agree", tg_study_column_name(w, c));
    }
    if (exact)
        tg_grid_note(grid, "n < 10: p-values of Spearman and Kendall are exact, of all orders.");
}

static void note_correlations(TgGrid *grid, const TgStudyWriter *w, guint slice, guint group)
{
    const TgTable *table = w->study->table;
    g_autoptr(GString) turned = g_string_new(NULL);

    for (guint c = 0; c < table->columns->len; c++) {
        const TgStudyCorrelation *cell = tg_study_correlation(w->study, slice, group, c);

        if (!tg_study_shows(w->study, c))
            continue;
        if (tg_table_column(table, c)->lower_is_better)
            g_string_append_printf(turned, "%s%s", turned->len > 0 ? ", " : "",
                                   tg_study_column_name(w, c));
        if (cell->undefined != NULL)
            tg_grid_note(grid, "%s: undefined, %s", tg_study_column_name(w, c), cell->undefined);
        else if (cell->n_unscored > 0)
            tg_grid_note(grid, "%s: %u rated pairs without a score are left out",
                         tg_study_column_name(w, c), cell->n_unscored);
    }
    note_resamples(grid, w, slice, group);
    if (turned->len > 0)
        tg_grid_note(grid, "Lower is better, so taken with the opposite sign: %s", turned->str);
    tg_grid_note(grid, "Intervals: BCa bootstrap, %u resamples, seed %" G_GUINT64_FORMAT ".",
                 w->study->resamples, w->study->seed);
}

static void write_correlations_of(TgStudyWriter *w, guint slice, guint group)
{
    const TgTable *table = w->study->table;
    g_autofree char *suffix = tg_study_slice_suffix(w, slice);
    const guint n_raters = tg_table_group(table, group)->n_raters;
    g_autofree char *title =
        g_strdup_printf("Correlation with %s (%u rater%s a pair)%s", tg_study_group_name(w, group),
                        n_raters, n_raters == 1 ? "" : "s", suffix);
    TgGrid *grid = correlations_grid(w, title);

    for (guint c = 0; c < table->columns->len; c++) {
        if (tg_study_shows(w->study, c))
            put_correlation(grid, w, tg_study_correlation(w->study, slice, group, c));
    }
    note_correlations(grid, w, slice, group);
    g_ptr_array_add(w->grids, grid);
}

/* As the TeXBLEU paper's table I: both coefficients per group, and their mean. */
static TgGrid *averages_grid(const TgStudyWriter *w, const char *title)
{
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_column(grid, NULL, NULL, "pairs");
    tg_grid_column(grid, "metric", NULL, "metric");
    for (guint g = 0; g < w->study->table->groups->len; g++) {
        for (guint kind = TG_PEARSON; kind <= TG_SPEARMAN; kind++) {
            g_autofree char *head =
                g_strdup_printf("%s %s", tg_study_group_name(w, g), tg_correlation_name(kind));

            tg_grid_column(grid, head, NULL, NULL);
        }
        g_autofree char *n_head = g_strdup_printf("%s n", tg_study_group_name(w, g));
        tg_grid_column(grid, n_head, NULL, NULL);
    }
    tg_grid_column(grid, "average", NULL, "average");
    return grid;
}

static void put_average(TgGrid *grid, const TgStudyWriter *w, guint slice, guint column)
{
    tg_study_put_slice(grid, w, slice);
    tg_grid_put(grid, tg_study_column_name(w, column));
    for (guint g = 0; g < w->study->table->groups->len; g++) {
        const TgStudyCorrelation *cell = tg_study_correlation(w->study, slice, g, column);

        tg_grid_put_number(grid, cell->coefficient[TG_PEARSON].value, TG_STUDY_DIGITS);
        tg_grid_put_number(grid, cell->coefficient[TG_SPEARMAN].value, TG_STUDY_DIGITS);
        tg_grid_put_count(grid, cell->n);
    }
    tg_grid_put_number(grid, tg_study_average(w->study, slice, column), TG_STUDY_DIGITS);
}

static void write_averages(TgStudyWriter *w, guint slice)
{
    g_autofree char *suffix = tg_study_slice_suffix(w, slice);
    g_autofree char *title = g_strdup_printf("Average over groups of raters%s", suffix);
    TgGrid *grid = averages_grid(w, title);

    for (guint c = 0; c < w->study->table->columns->len; c++) {
        if (tg_study_shows(w->study, c))
            put_average(grid, w, slice, c);
    }
    g_ptr_array_add(w->grids, grid);
}

static void put_coefficient(TgGrid *grid, const TgStudyWriter *w, const TgStudyCorrelation *cell,
                            const char *statistic, const TgStudyCoefficient *c)
{
    tg_study_put_slice(grid, w, cell->slice);
    tg_grid_put(grid, tg_study_group_name(w, cell->group));
    tg_grid_put(grid, tg_study_column_name(w, cell->column));
    tg_grid_put(grid, statistic);
    tg_grid_put_count(grid, cell->n);
    tg_grid_put_count(grid, cell->n_unscored);
    tg_grid_put_number(grid, c->value, TG_STUDY_DIGITS);
    tg_grid_put_p(grid, c->p);
    tg_grid_put_interval(grid, c->closed, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, c->bootstrap.se, TG_STUDY_DIGITS);
    tg_grid_put_interval(grid, c->bootstrap.percentile, TG_STUDY_DIGITS);
    tg_grid_put_interval(grid, c->bootstrap.bca, TG_STUDY_DIGITS);
    tg_grid_put_count(grid, c->bootstrap.n_undefined);
}

/* For CSV: one row per coefficient. */
static TgGrid *coefficients_grid(const TgStudyWriter *w)
{
    static const char *const names[] = {
        "pairs", "group",    "metric", "statistic",    "n",     "unscored",           "value",
        "p",     "closed_*", "se",     "percentile_*", "bca_*", "undefined_resamples"
    };
    TgGrid *grid = tg_grid_new(NULL, 0);

    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        tg_grid_column(grid, NULL, names[i], NULL);
    for (guint i = 0; i < w->study->correlations->len; i++) {
        const TgStudyCorrelation *cell = w->study->correlations->pdata[i];
        const TgStudyCoefficient epsilon = {
            .value = cell->epsilon,
            .p = NAN,
            .closed = { NAN, NAN },
            .bootstrap = { .se = NAN, .percentile = { NAN, NAN }, .bca = { NAN, NAN } }
        };

        for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
            put_coefficient(grid, w, cell, tg_correlation_name(kind), &cell->coefficient[kind]);
        put_coefficient(grid, w, cell, "acc_eq", &cell->acc_eq);
        put_coefficient(grid, w, cell, "tie_epsilon", &epsilon);
    }
    return grid;
}

static void write_json(TgStudyWriter *w)
{
    TgGrid *correlations = correlations_grid(w, NULL), *averages = averages_grid(w, NULL);

    for (guint i = 0; i < w->study->correlations->len; i++)
        put_correlation(correlations, w, w->study->correlations->pdata[i]);
    for (guint s = 0; s < w->study->slices->len; s++) {
        for (guint c = 0; c < w->study->table->columns->len; c++)
            put_average(averages, w, s, c);
    }
    tg_study_keep_grid(w, correlations, "correlations");
    tg_study_keep_grid(w, averages, "averages");
}

void tg_study_grid_correlations(TgStudyWriter *w)
{
    const guint n_groups = w->study->table->groups->len;

    if (w->form->style == TG_GRID_JSON) {
        write_json(w);
        return;
    }
    if (w->form->style == TG_GRID_CSV) {
        tg_study_keep_grid(w, coefficients_grid(w), NULL);
        return;
    }
    for (guint s = 0; s < w->study->slices->len; s++) {
        for (guint g = 0; g < n_groups; g++)
            write_correlations_of(w, s, g);
        if (n_groups > 1)
            write_averages(w, s);
    }
}
