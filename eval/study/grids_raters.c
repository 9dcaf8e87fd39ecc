/* Tables of the raters, of preferences and of spellings. */
#include <math.h>

#include "core/json.h"
#include "eval/study/grids.h"

static json_t *icc_json(const TgIcc *icc)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "icc_1_1",
        tg_json_number(icc->icc_1_1), "icc_1_k", tg_json_number(icc->icc_1_k), "icc_2_1",
        tg_json_number(icc->icc_2_1), "icc_2_k", tg_json_number(icc->icc_2_k), "icc_3_1",
        tg_json_number(icc->icc_3_1), "icc_3_k", tg_json_number(icc->icc_3_k), "ms_rows",
        tg_json_number(icc->ms_rows), "ms_within", tg_json_number(icc->ms_within), "ms_columns",
        tg_json_number(icc->ms_columns), "ms_error", tg_json_number(icc->ms_error), "f_1",
        tg_json_number(icc->f_1), "f_1_p", tg_json_number(icc->f_1_p));
}

static void put_coefficients(TgGrid *grid, const double coefficients[TG_N_CORRELATIONS])
{
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        tg_grid_put_number(grid, coefficients[kind], TG_STUDY_DIGITS);
}

static void put_raters(TgGrid *grid, const TgStudyRaters *r)
{
    const double icc[] = { r->icc.icc_1_1, r->icc.icc_1_k, r->icc.icc_2_1,
                           r->icc.icc_2_k, r->icc.icc_3_1, r->icc.icc_3_k };

    tg_grid_put_name(grid, r->group, "(all)");
    tg_grid_put_count(grid, r->n_raters);
    tg_grid_put_count(grid, r->n_pairs);
    for (TgRatingLevel level = TG_NOMINAL; level <= TG_INTERVAL; level++)
        tg_grid_put_number(grid, r->alpha[level], TG_STUDY_DIGITS);
    tg_grid_put_name(grid, r->undefined, "");
    tg_grid_put_json(grid, r->has_icc ? icc_json(&r->icc) : json_null());
    tg_grid_put_number(grid, r->alpha[TG_INTERVAL], TG_STUDY_DIGITS);
    tg_grid_put_number(grid, r->alpha[TG_ORDINAL], TG_STUDY_DIGITS);
    tg_grid_put_number(grid, r->alpha[TG_NOMINAL], TG_STUDY_DIGITS);
    for (guint i = 0; i < G_N_ELEMENTS(icc); i++)
        tg_grid_put_number(grid, r->has_icc ? icc[i] : NAN, TG_STUDY_DIGITS);
    put_coefficients(grid, r->ceiling);
    if (r->undefined != NULL)
        tg_grid_note(grid, "%s: %s", r->group != NULL ? r->group : "(all)", r->undefined);
}

static void write_group_pairs(TgStudyWriter *w)
{
    static const TgGridColumn columns[] = {
        { NULL, NULL, "pearson" },      { NULL, NULL, "spearman" },
        { NULL, NULL, "kendall" },      { "group", "group", "group" },
        { "other", "other", "other" },  { "n", "n", "n" },
        { "Pearson", "Pearson", NULL }, { "Spearman", "Spearman", NULL },
        { "Kendall", "Kendall", NULL },
    };
    TgGrid *grid = tg_grid_new("Correlation between the groups' means", 2);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < w->study->groups->len; i++) {
        const TgStudyGroups *pair = w->study->groups->pdata[i];

        put_coefficients(grid, pair->coefficient);
        tg_grid_put(grid, tg_study_group_name(w, pair->a));
        tg_grid_put(grid, tg_study_group_name(w, pair->b));
        tg_grid_put_count(grid, pair->n);
        put_coefficients(grid, pair->coefficient);
    }
    tg_study_keep_grid(w, grid, "between_groups");
}

void tg_study_grid_raters(TgStudyWriter *w)
{
    static const TgGridColumn columns[] = {
        { "group", "group", "group" },
        { "raters", "raters", "raters" },
        { "pairs", "pairs", "pairs" },
        { NULL, NULL, "krippendorff.nominal" },
        { NULL, NULL, "krippendorff.ordinal" },
        { NULL, NULL, "krippendorff.interval" },
        { NULL, NULL, "undefined" },
        { NULL, NULL, "icc" },
        { "alpha interval", "alpha interval", NULL },
        { "ordinal", "ordinal", NULL },
        { "nominal", "nominal", NULL },
        { "ICC(1,1)", "ICC(1,1)", NULL },
        { "ICC(1,k)", "ICC(1,k)", NULL },
        { "ICC(2,1)", "ICC(2,1)", NULL },
        { "ICC(2,k)", "ICC(2,k)", NULL },
        { "ICC(3,1)", "ICC(3,1)", NULL },
        { "ICC(3,k)", "ICC(3,k)", NULL },
        { "one against rest: Pearson", "one against rest: Pearson", "one_against_rest.pearson" },
        { "Spearman", "Spearman", "one_against_rest.spearman" },
        { "Kendall", "Kendall", "one_against_rest.kendall" },
    };
    TgGrid *grid = tg_grid_new("Agreement of the raters", 1);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < w->study->raters->len; i++)
        put_raters(grid, w->study->raters->pdata[i]);
    tg_study_keep_grid(w, grid, "raters");
    write_group_pairs(w);
}

static void put_answers(TgGrid *grid, const char *range, const TgStudyAnswers *answers)
{
    guint n = 0;

    for (guint i = 0; i < TG_N_ANSWERS; i++)
        n += answers->count[i];
    tg_grid_put(grid, range);
    tg_grid_put_count(grid, n);
    tg_grid_put_number(grid, answers->from, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, answers->to, TG_STUDY_DIGITS);
    for (guint i = 0; i < TG_N_ANSWERS; i++) {
        tg_grid_put_count(grid, answers->count[i]);
        tg_grid_put_number(grid, n > 0 ? (double) answers->count[i] / n : NAN, TG_STUDY_DIGITS);
    }
}

/* The ranges of scores, and all pairs last. (transfer full) */
static TgGrid *preference_grid(const TgStudyWriter *w, const TgStudyPreference *p)
{
    const char *const heads[] = { tg_study_column_name(w, p->a), tg_study_column_name(w, p->b),
                                  tg_study_answer_names[2], tg_study_answer_names[3] };
    g_autofree char *title = g_strdup_printf("Preferred by people: %s", p->field);
    g_autofree char *range_head = g_strdup_printf("score of %s", heads[0]);
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, range_head);
    tg_grid_head(grid, "pairs");
    tg_grid_column(grid, NULL, NULL, "from");
    tg_grid_column(grid, NULL, NULL, "to");
    for (guint i = 0; i < TG_N_ANSWERS; i++) {
        tg_grid_column(grid, NULL, NULL, tg_study_answer_names[i]);
        tg_grid_head(grid, heads[i]);
    }
    for (guint r = 0; r < TG_N_SCORE_RANGES; r++) {
        char low[32], high[32];
        g_autofree char *range =
            g_strdup_printf("%s to %s", g_ascii_formatd(low, sizeof low, "%.4g", p->range[r].from),
                            g_ascii_formatd(high, sizeof high, "%.4g", p->range[r].to));

        put_answers(grid, range, &p->range[r]);
    }
    put_answers(grid, "all", &p->all);
    if (p->n_unknown > 0)
        tg_grid_note(grid, "%u pairs with another answer than A, B, both, neither are left out",
                     p->n_unknown);
    return grid;
}

static json_t *preference_json(const TgStudyWriter *w, const TgStudyPreference *p)
{
    g_autoptr(TgGrid) grid = preference_grid(w, p);
    json_t *ranges = tg_grid_rows_json(grid, w->form);
    json_t *all = json_incref(json_array_get(ranges, TG_N_SCORE_RANGES));

    json_array_remove(ranges, TG_N_SCORE_RANGES);
    return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o}", "field", tg_json_text(p->field), "a",
                     tg_json_text(tg_study_column_name(w, p->a)), "b",
                     tg_json_text(tg_study_column_name(w, p->b)), "unknown", (int) p->n_unknown,
                     "all", all, "ranges", ranges);
}

void tg_study_grid_preferences(TgStudyWriter *w)
{
    json_t *list = w->form->style == TG_GRID_JSON ? json_array() : NULL;

    for (guint i = 0; i < w->study->preferences->len; i++) {
        const TgStudyPreference *p = w->study->preferences->pdata[i];

        if (list != NULL)
            json_array_append_new(list, preference_json(w, p));
        else
            g_ptr_array_add(w->grids, preference_grid(w, p));
    }
    if (list != NULL)
        json_object_set_new(w->json, "preferences", list);
}

void tg_study_grid_spellings(TgStudyWriter *w)
{
    static const TgGridColumn columns[] = {
        { "groups by", "groups by", "field" },
        { "metric", "metric", "metric" },
        { "widest group", "widest group", NULL },
        { "groups", "groups", "groups" },
        { "constant", "constant", "constant" },
        { "mean spread", "mean spread", "mean_spread" },
        { "largest spread", "largest spread", "largest_spread" },
        { "mean deviation", "mean deviation", "mean_deviation" },
        { NULL, NULL, "widest_group" },
    };
    TgGrid *grid = tg_grid_new("Spread over spellings of one formula", 3);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < w->study->spellings->len; i++) {
        const TgStudySpellings *s = w->study->spellings->pdata[i];

        tg_grid_put(grid, s->field);
        tg_grid_put(grid, tg_study_column_name(w, s->column));
        tg_grid_put(grid, s->worst_group != NULL ? s->worst_group : "-");
        tg_grid_put_count(grid, s->n_groups);
        tg_grid_put_count(grid, s->n_invariant);
        tg_grid_put_number(grid, s->mean_spread, TG_STUDY_DIGITS);
        tg_grid_put_number(grid, s->largest_spread, TG_STUDY_DIGITS);
        tg_grid_put_number(grid, s->mean_deviation, TG_STUDY_DIGITS);
        tg_grid_put_name(grid, s->worst_group, "-");
    }
    tg_study_keep_grid(w, grid, "spellings");
}
