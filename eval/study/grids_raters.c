/* Tables of the raters, of preferences and of spellings. */
#include <math.h>
#include <string.h>

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

static json_t *bootstraps_json(const TgStudyRaters *r)
{
    json_t *out = json_object();

    for (guint i = 0; i < TG_N_AGREEMENTS; i++)
        json_object_set_new(out, tg_study_agreement_name(i),
                            tg_study_bootstrap_json(&r->bootstrap[i]));
    return out;
}

/* For programs that read JSON: a group a row. */
static void put_raters(TgGrid *grid, const TgStudyRaters *r)
{
    tg_grid_put_name(grid, r->group, "(all)");
    tg_grid_put_count(grid, r->n_raters);
    tg_grid_put_count(grid, r->n_pairs);
    for (TgRatingLevel level = TG_NOMINAL; level <= TG_INTERVAL; level++)
        tg_grid_put_number(grid, r->alpha[level], TG_STUDY_DIGITS);
    tg_grid_put_name(grid, r->undefined, "");
    tg_grid_put_json(grid, r->has_icc ? icc_json(&r->icc) : json_null());
    put_coefficients(grid, r->ceiling);
    tg_grid_put_json(grid, bootstraps_json(r));
}

static TgGrid *groups_grid(const TgStudyWriter *w)
{
    static const char *const paths[] = {
        "group",
        "raters",
        "pairs",
        "krippendorff.nominal",
        "krippendorff.ordinal",
        "krippendorff.interval",
        "undefined",
        "icc",
        "one_against_rest.pearson",
        "one_against_rest.spearman",
        "one_against_rest.kendall",
        "bootstrap",
    };
    TgGrid *grid = tg_grid_new(NULL, 1);

    for (guint i = 0; i < G_N_ELEMENTS(paths); i++)
        tg_grid_column(grid, NULL, NULL, paths[i]);
    for (guint i = 0; i < w->study->raters->len; i++)
        put_raters(grid, w->study->raters->pdata[i]);
    return grid;
}

/* ---- for people: a coefficient a row ---- */

static void put_agreement(TgGrid *grid, const TgStudyRaters *r, const char *name, double value,
                          const TgBootstrap *bootstrap)
{
    static const double none[] = { NAN, NAN };

    tg_grid_put_name(grid, r->group, "(all)");
    tg_grid_put(grid, name);
    tg_grid_put_count(grid, r->n_raters);
    tg_grid_put_count(grid, r->n_pairs);
    tg_grid_put_number(grid, value, TG_STUDY_DIGITS);
    tg_grid_put_interval(grid, bootstrap != NULL ? bootstrap->percentile : none,
                         TG_STUDY_INTERVAL_DIGITS);
    tg_grid_put_interval(grid, bootstrap != NULL ? bootstrap->bca : none, TG_STUDY_INTERVAL_DIGITS);
    tg_grid_put_count(grid, bootstrap != NULL ? bootstrap->n_undefined : 0);
}

static void put_agreements(TgGrid *grid, const TgStudyWriter *w, const TgStudyRaters *r)
{
    static const char *const ceilings[] = { "one against rest: Pearson",
                                            "one against rest: Spearman",
                                            "one against rest: Kendall" };
    const char *group = r->group != NULL ? r->group : "(all)";
    guint undefined = 0;

    for (guint i = 0; i < TG_N_AGREEMENTS; i++) {
        if (i >= TG_FIRST_ICC && !r->has_icc)
            continue;
        put_agreement(grid, r, tg_study_agreement_name(i), r->bootstrap[i].estimate,
                      &r->bootstrap[i]);
        undefined = MAX(undefined, r->bootstrap[i].n_undefined);
    }
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        put_agreement(grid, r, ceilings[kind], r->ceiling[kind], NULL);
    if (r->undefined != NULL)
        tg_grid_note(grid, "%s: %s", group, r->undefined);
    if (undefined > 0)
        tg_grid_note(
            grid,
            "%s: undefined in up to %u of %u resamples (all ratings equal), which are left "
            "out",
            group, undefined, w->study->resamples);
}

static TgGrid *agreements_grid(const TgStudyWriter *w)
{
    g_autofree char *level = tg_study_level_text(w->study);
    const TgGridColumn columns[] = {
        { "group", "group", NULL },   { "coefficient", "coefficient", NULL },
        { "raters", "raters", NULL }, { "pairs", "pairs", NULL },
        { "value", "value", NULL },   { NULL, "percentile_*", NULL },
        { level, "bca_*", NULL },     { NULL, "undefined_resamples", NULL },
    };
    TgGrid *grid = tg_grid_new("Agreement of the raters", 2);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < w->study->raters->len; i++)
        put_agreements(grid, w, w->study->raters->pdata[i]);
    tg_grid_note(
        grid, "Intervals: BCa bootstrap over the pairs, %u resamples, seed %" G_GUINT64_FORMAT ".",
        w->study->resamples, w->study->seed);
    return grid;
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
    const gboolean is_json = w->form->style == TG_GRID_JSON;

    tg_study_keep_grid(w, is_json ? groups_grid(w) : agreements_grid(w), "raters");
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

        if (!tg_study_for_programs(w) &&
            (!tg_study_shows(w->study, s->column) ||
             strcmp(s->field, tg_study_column_name(w, s->column)) == 0))
            continue;
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
