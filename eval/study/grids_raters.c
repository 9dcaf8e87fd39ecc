/* Tables of the raters, of preferences and of spellings. */
#include <math.h>

#include "eval/study/grids.h"

static gint digits_of(const TgStudyWriter *w)
{
    return w->tidy ? TG_STUDY_FOR_PROGRAMS : TG_STUDY_DIGITS;
}

static void put_raters(TgGrid *grid, const TgStudyWriter *w, const TgStudyRaters *r)
{
    const double icc[] = { r->icc.icc_1_1, r->icc.icc_1_k, r->icc.icc_2_1,
                           r->icc.icc_2_k, r->icc.icc_3_1, r->icc.icc_3_k };

    tg_grid_put(grid, r->group != NULL ? r->group : "(all)");
    tg_grid_put_count(grid, r->n_raters);
    tg_grid_put_count(grid, r->n_pairs);
    tg_grid_put_number(grid, r->alpha[TG_INTERVAL], digits_of(w));
    tg_grid_put_number(grid, r->alpha[TG_ORDINAL], digits_of(w));
    tg_grid_put_number(grid, r->alpha[TG_NOMINAL], digits_of(w));
    for (guint i = 0; i < G_N_ELEMENTS(icc); i++)
        tg_grid_put_number(grid, r->has_icc ? icc[i] : NAN, digits_of(w));
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        tg_grid_put_number(grid, r->ceiling[kind], digits_of(w));
    if (r->undefined != NULL)
        tg_grid_note(grid, "%s: %s", r->group != NULL ? r->group : "(all)", r->undefined);
}

static void write_group_pairs(TgStudyWriter *w)
{
    static const char *const heads[] = { "group",    "other",   "n", "Pearson",
                                         "Spearman", "Kendall", NULL };
    TgGrid *grid = tg_grid_new("Correlation between the groups' means", 2);

    tg_grid_heads(grid, heads);
    for (guint i = 0; i < w->study->groups->len; i++) {
        const TgStudyGroups *pair = w->study->groups->pdata[i];

        tg_grid_put(grid, tg_study_group_name(w, pair->a));
        tg_grid_put(grid, tg_study_group_name(w, pair->b));
        tg_grid_put_count(grid, pair->n);
        for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
            tg_grid_put_number(grid, pair->coefficient[kind], digits_of(w));
    }
    g_ptr_array_add(w->grids, grid);
}

void tg_study_grid_raters(TgStudyWriter *w)
{
    static const char *const heads[] = { "group",
                                         "raters",
                                         "pairs",
                                         "alpha interval",
                                         "ordinal",
                                         "nominal",
                                         "ICC(1,1)",
                                         "ICC(1,k)",
                                         "ICC(2,1)",
                                         "ICC(2,k)",
                                         "ICC(3,1)",
                                         "ICC(3,k)",
                                         "one against rest: Pearson",
                                         "Spearman",
                                         "Kendall",
                                         NULL };
    TgGrid *grid;

    if (w->study->raters->len == 0)
        return;
    grid = tg_grid_new("Agreement of the raters", 1);
    tg_grid_heads(grid, heads);
    for (guint i = 0; i < w->study->raters->len; i++)
        put_raters(grid, w, w->study->raters->pdata[i]);
    g_ptr_array_add(w->grids, grid);
    if (w->study->groups->len > 0)
        write_group_pairs(w);
}

static void put_answers(TgGrid *grid, const TgStudyWriter *w, const char *range,
                        const TgStudyAnswers *answers)
{
    guint n = 0;

    for (guint i = 0; i < TG_N_ANSWERS; i++)
        n += answers->count[i];
    tg_grid_put(grid, range);
    tg_grid_put_count(grid, n);
    for (guint i = 0; i < TG_N_ANSWERS; i++)
        tg_grid_put_number(grid, n > 0 ? (double) answers->count[i] / n : NAN, digits_of(w));
}

static void write_preference(TgStudyWriter *w, const TgStudyPreference *p)
{
    g_autofree char *title = g_strdup_printf("Preferred by people: %s", p->field);
    g_autofree char *range_head = g_strdup_printf("score of %s", tg_study_column_name(w, p->a));
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, range_head);
    tg_grid_head(grid, "pairs");
    tg_grid_head(grid, tg_study_column_name(w, p->a));
    tg_grid_head(grid, tg_study_column_name(w, p->b));
    tg_grid_head(grid, "both");
    tg_grid_head(grid, "neither");
    for (guint r = 0; r < TG_N_SCORE_RANGES; r++) {
        char low[32], high[32];
        g_autofree char *range =
            g_strdup_printf("%s to %s", g_ascii_formatd(low, sizeof low, "%.4g", p->range[r].from),
                            g_ascii_formatd(high, sizeof high, "%.4g", p->range[r].to));

        put_answers(grid, w, range, &p->range[r]);
    }
    put_answers(grid, w, "all", &p->all);
    if (p->n_unknown > 0)
        tg_grid_note(grid, "%u pairs with another answer than A, B, both, neither are left out",
                     p->n_unknown);
    g_ptr_array_add(w->grids, grid);
}

void tg_study_grid_preferences(TgStudyWriter *w)
{
    for (guint i = 0; i < w->study->preferences->len; i++)
        write_preference(w, w->study->preferences->pdata[i]);
}

static void put_spellings(TgGrid *grid, const TgStudyWriter *w, const TgStudySpellings *s)
{
    tg_grid_put(grid, s->field);
    tg_grid_put(grid, tg_study_column_name(w, s->column));
    tg_grid_put(grid, s->worst_group != NULL ? s->worst_group : "-");
    tg_grid_put_count(grid, s->n_groups);
    tg_grid_put_count(grid, s->n_invariant);
    tg_grid_put_number(grid, s->mean_spread, digits_of(w));
    tg_grid_put_number(grid, s->largest_spread, digits_of(w));
    tg_grid_put_number(grid, s->mean_deviation, digits_of(w));
}

void tg_study_grid_spellings(TgStudyWriter *w)
{
    static const char *const heads[] = { "groups by",      "metric",         "widest group",
                                         "groups",         "constant",       "mean spread",
                                         "largest spread", "mean deviation", NULL };
    TgGrid *grid;

    if (w->study->spellings->len == 0)
        return;
    grid = tg_grid_new("Spread over spellings of one formula", 3);
    tg_grid_heads(grid, heads);
    for (guint i = 0; i < w->study->spellings->len; i++)
        put_spellings(grid, w, w->study->spellings->pdata[i]);
    g_ptr_array_add(w->grids, grid);
}
