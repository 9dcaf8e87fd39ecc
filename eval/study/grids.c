/* Tables of a study's correlations, and what all its tables share. */
#include "eval/study/grids.h"

#include <math.h>

const char *tg_study_column_name(const TgStudyWriter *w, guint column)
{
    return tg_table_column(w->study->table, column)->name;
}

const char *tg_study_group_name(const TgStudyWriter *w, guint group)
{
    return tg_table_group(w->study->table, group)->name;
}

const char *tg_study_slice_name(const TgStudyWriter *w, guint slice)
{
    const TgStudySlice *p = w->study->slices->pdata[slice];

    return *p->name != '\0' ? p->name : "(none)";
}

char *tg_study_slice_suffix(const TgStudyWriter *w, guint slice)
{
    if (w->study->slices->len == 1)
        return g_strdup("");
    return g_strdup_printf(", pairs: %s", tg_study_slice_name(w, slice));
}

char *tg_study_level_text(const TgStudy *study)
{
    char text[32];

    return g_strdup_printf("%s %%", g_ascii_formatd(text, sizeof text, "%.4g", 100 * study->level));
}

void tg_study_put_ends(TgGrid *grid, const double ends[2])
{
    tg_grid_put_number(grid, ends[0], TG_STUDY_FOR_PROGRAMS);
    tg_grid_put_number(grid, ends[1], TG_STUDY_FOR_PROGRAMS);
}

static void put_correlation(TgGrid *grid, const TgStudyWriter *w, const TgStudyCorrelation *cell)
{
    tg_grid_put(grid, tg_study_column_name(w, cell->column));
    tg_grid_put_count(grid, cell->n);
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        tg_grid_put_number(grid, cell->coefficient[kind].value, TG_STUDY_DIGITS);
        tg_grid_put_interval(grid, cell->coefficient[kind].bootstrap.bca, TG_STUDY_INTERVAL_DIGITS);
        tg_grid_put_p(grid, cell->coefficient[kind].p);
    }
    tg_grid_put_number(grid, cell->acc_eq.value, TG_STUDY_DIGITS);
    tg_grid_put_interval(grid, cell->acc_eq.bootstrap.bca, TG_STUDY_INTERVAL_DIGITS);
    tg_grid_put_number(grid, cell->epsilon, TG_STUDY_DIGITS);
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
    if (turned->len > 0)
        tg_grid_note(grid, "Lower is better, so taken with the opposite sign: %s", turned->str);
    tg_grid_note(grid, "Intervals: BCa bootstrap, %u resamples, seed %" G_GUINT64_FORMAT ".",
                 w->study->resamples, w->study->seed);
}

static void write_correlations_of(TgStudyWriter *w, guint slice, guint group)
{
    const TgTable *table = w->study->table;
    g_autofree char *suffix = tg_study_slice_suffix(w, slice);
    g_autofree char *level = tg_study_level_text(w->study);
    const guint n_raters = tg_table_group(table, group)->n_raters;
    g_autofree char *title =
        g_strdup_printf("Correlation with %s (%u rater%s a pair)%s", tg_study_group_name(w, group),
                        n_raters, n_raters == 1 ? "" : "s", suffix);
    const char *const heads[] = { "metric",   "n",      "Pearson", level,     "p",
                                  "Spearman", level,    "p",       "Kendall", level,
                                  "p",        "acc_eq", level,     "eps",     NULL };
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_heads(grid, heads);
    for (guint c = 0; c < table->columns->len; c++) {
        if (tg_study_shows(w->study, c))
            put_correlation(grid, w, tg_study_correlation(w->study, slice, group, c));
    }
    note_correlations(grid, w, slice, group);
    g_ptr_array_add(w->grids, grid);
}

/* As the TeXBLEU paper's table I: both coefficients per group, and their mean. */
static void write_averages(TgStudyWriter *w, guint slice)
{
    const TgTable *table = w->study->table;
    g_autofree char *suffix = tg_study_slice_suffix(w, slice);
    g_autofree char *title = g_strdup_printf("Average over groups of raters%s", suffix);
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, "metric");
    for (guint g = 0; g < table->groups->len; g++) {
        for (guint kind = TG_PEARSON; kind <= TG_SPEARMAN; kind++) {
            g_autofree char *head =
                g_strdup_printf("%s %s", tg_study_group_name(w, g), tg_correlation_name(kind));

            tg_grid_head(grid, head);
        }
    }
    tg_grid_head(grid, "average");
    for (guint c = 0; c < table->columns->len; c++) {
        if (!tg_study_shows(w->study, c))
            continue;
        tg_grid_put(grid, tg_study_column_name(w, c));
        for (guint g = 0; g < table->groups->len; g++) {
            const TgStudyCorrelation *cell = tg_study_correlation(w->study, slice, g, c);

            tg_grid_put_number(grid, cell->coefficient[TG_PEARSON].value, TG_STUDY_DIGITS);
            tg_grid_put_number(grid, cell->coefficient[TG_SPEARMAN].value, TG_STUDY_DIGITS);
        }
        tg_grid_put_number(grid, tg_study_average(w->study, slice, c), TG_STUDY_DIGITS);
    }
    g_ptr_array_add(w->grids, grid);
}

/* One row per coefficient. */
static void put_tidy_row(TgGrid *grid, const TgStudyWriter *w, const TgStudyCorrelation *cell,
                         const char *statistic, const TgStudyCoefficient *c)
{
    tg_grid_put(grid, tg_study_slice_name(w, cell->slice));
    tg_grid_put(grid, tg_study_group_name(w, cell->group));
    tg_grid_put(grid, tg_study_column_name(w, cell->column));
    tg_grid_put(grid, statistic);
    tg_grid_put_count(grid, cell->n);
    tg_grid_put_count(grid, cell->n_unscored);
    tg_grid_put_number(grid, c->value, TG_STUDY_FOR_PROGRAMS);
    tg_grid_put_number(grid, c->p, TG_STUDY_FOR_PROGRAMS);
    tg_study_put_ends(grid, c->closed);
    tg_grid_put_number(grid, c->bootstrap.se, TG_STUDY_FOR_PROGRAMS);
    tg_study_put_ends(grid, c->bootstrap.percentile);
    tg_study_put_ends(grid, c->bootstrap.bca);
}

static void write_correlations_tidy(TgStudyWriter *w)
{
    static const char *const heads[] = {
        "pairs",           "group",   "metric",     "statistic",   "n",  "unscored",
        "value",           "p",       "closed_low", "closed_high", "se", "percentile_low",
        "percentile_high", "bca_low", "bca_high",   NULL
    };
    TgGrid *grid = tg_grid_new(NULL, 4);

    tg_grid_heads(grid, heads);
    for (guint i = 0; i < w->study->correlations->len; i++) {
        const TgStudyCorrelation *cell = w->study->correlations->pdata[i];
        const TgStudyCoefficient epsilon = {
            .value = cell->epsilon,
            .p = NAN,
            .closed = { NAN, NAN },
            .bootstrap = { .se = NAN, .percentile = { NAN, NAN }, .bca = { NAN, NAN } }
        };

        for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
            put_tidy_row(grid, w, cell, tg_correlation_name(kind), &cell->coefficient[kind]);
        put_tidy_row(grid, w, cell, "acc_eq", &cell->acc_eq);
        put_tidy_row(grid, w, cell, "tie_epsilon", &epsilon);
    }
    g_ptr_array_add(w->grids, grid);
}

void tg_study_grid_correlations(TgStudyWriter *w)
{
    const guint n_groups = w->study->table->groups->len;

    if (n_groups == 0)
        return;
    if (w->tidy) {
        write_correlations_tidy(w);
        return;
    }
    for (guint p = 0; p < w->study->slices->len; p++) {
        for (guint g = 0; g < n_groups; g++)
            write_correlations_of(w, p, g);
        if (n_groups > 1)
            write_averages(w, p);
    }
}
