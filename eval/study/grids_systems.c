/* Tables of the correlations over models. */
#include "eval/study/grids.h"

static TgGrid *systems_grid(const TgStudyWriter *w)
{
    g_autofree char *level = tg_study_level_text(w->study);
    const TgGridColumn columns[] = {
        { w->study->slices->len > 1 ? "pairs of" : NULL, "slice", "slice" },
        { "group", "group", "group" },
        { "metric", "metric", "metric" },
        { "models", "models", "models" },
        { "pairs", "pairs", "pairs" },
        { "Pearson", "pearson", "pearson.value" },
        { level, "closed_*", "pearson.interval" },
        { "p", "pearson_p", "pearson.p" },
        { "Spearman", "spearman", "spearman.value" },
        { "p", "spearman_p", "spearman.p" },
        { "Kendall", "kendall", "kendall.value" },
        { "p", "kendall_p", "kendall.p" },
    };
    TgGrid *grid =
        tg_grid_new("Correlation over models (system level)", w->study->slices->len > 1 ? 3 : 2);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    return grid;
}

void tg_study_grid_systems(TgStudyWriter *w)
{
    TgGrid *grid = systems_grid(w);

    for (guint i = 0; i < w->study->systems->len; i++) {
        const TgStudySystems *s = w->study->systems->pdata[i];

        if (!tg_study_for_programs(w) && !tg_study_shows(w->study, s->column))
            continue;
        tg_study_put_slice(grid, w, s->slice);
        tg_grid_put(grid, tg_study_group_name(w, s->group));
        tg_grid_put(grid, tg_study_column_name(w, s->column));
        tg_grid_put_count(grid, s->n_models);
        tg_grid_put_count(grid, s->n_pairs);
        for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
            tg_grid_put_number(grid, s->coefficient[kind], TG_STUDY_DIGITS);
            if (kind == TG_PEARSON)
                tg_grid_put_interval(grid, s->closed, TG_STUDY_INTERVAL_DIGITS);
            tg_grid_put_p(grid, s->p[kind]);
        }
    }
    tg_grid_note(grid, "A point is a model: its value over its rated pairs, and their mean rating; "
                       "higher means better agreement. Interval: Fisher's z. With fewer than 10 "
                       "models p of Spearman and Kendall is exact.");
    tg_study_keep_grid(w, grid, "systems");
}
