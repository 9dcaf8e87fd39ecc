/* Tables of which metric agrees better. */
#include <math.h>

#include "eval/study/grids.h"

static const char *stars(double p)
{
    return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
}

/* The comparison of two columns among @n of one family, either way round; NULL if none. */
static const TgStudyComparison *find_pair(TgStudyComparison *const *family, guint n, guint a,
                                          guint b)
{
    for (guint i = 0; i < n; i++) {
        if ((family[i]->a == a && family[i]->b == b) || (family[i]->a == b && family[i]->b == a))
            return family[i];
    }
    return NULL;
}

/* Row less column, marked where Williams' test tells them apart. */
static void write_matrix(TgStudyWriter *w, TgStudyComparison *const *family, guint n)
{
    const guint n_columns = w->study->table->columns->len;
    g_autofree char *suffix = tg_study_slice_suffix(w, family[0]->slice);
    g_autofree char *title = g_strdup_printf("Difference in Pearson's r with %s, row - column%s",
                                             tg_study_group_name(w, family[0]->group), suffix);
    g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(guint));
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, "");
    for (guint c = 0; c < n_columns; c++) {
        if (find_pair(family, 1, c, family[0]->b) == NULL &&
            find_pair(family, n, family[0]->a, c) == NULL)
            continue;
        g_array_append_val(shown, c);
        tg_grid_head(grid, tg_study_column_name(w, c));
    }
    for (guint i = 0; i < shown->len * shown->len; i++) {
        const guint a = g_array_index(shown, guint, i / shown->len);
        const guint b = g_array_index(shown, guint, i % shown->len);
        const TgStudyComparison *c = find_pair(family, n, a, b);
        const double difference = c == NULL ? NAN : (c->a == a ? 1 : -1) * (c->r_a - c->r_b);
        char text[32];

        if (i % shown->len == 0)
            tg_grid_put(grid, tg_study_column_name(w, a));
        if (isnan(difference))
            tg_grid_put(grid, a == b ? "" : "-");
        else
            tg_grid_putf(grid, "%s%s", g_ascii_formatd(text, sizeof text, "%+.3f", difference),
                         stars(c->holm[0]));
    }
    tg_grid_note(
        grid,
        "* p < 0.05, ** p < 0.01, *** p < 0.001: Williams' test, adjusted by Holm's method "
        "for the %u comparisons of this table.",
        n);
    g_ptr_array_add(w->grids, grid);
}

static void put_comparison(TgGrid *grid, const TgStudyWriter *w, const TgStudyComparison *c)
{
    tg_grid_put(grid, tg_study_column_name(w, c->a));
    tg_grid_put(grid, tg_study_column_name(w, c->b));
    tg_grid_put_count(grid, c->n);
    tg_grid_put_number(grid, c->r_a, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, c->r_b, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, c->r_ab, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, c->williams.statistic, 2);
    tg_grid_put_p(grid, c->williams.p_two_sided);
    tg_grid_put_p(grid, c->holm[0]);
    tg_grid_put_number(grid, c->steiger.statistic, 2);
    tg_grid_put_p(grid, c->steiger.p_two_sided);
    tg_grid_put_p(grid, c->holm[1]);
    tg_grid_put_interval(grid, c->bootstrap.bca, TG_STUDY_INTERVAL_DIGITS);
    tg_grid_put_p(grid, c->bootstrap_p);
    tg_grid_put_p(grid, c->holm[2]);
}

static void write_comparison_list(TgStudyWriter *w, TgStudyComparison *const *family, guint n)
{
    g_autofree char *suffix = tg_study_slice_suffix(w, family[0]->slice);
    g_autofree char *level = tg_study_level_text(w->study);
    g_autofree char *head = g_strdup_printf("r A - r B, %s", level);
    g_autofree char *title = g_strdup_printf("Which metric agrees better with %s%s",
                                             tg_study_group_name(w, family[0]->group), suffix);
    const char *const heads[] = { "A",  "B",           "n",    "r A", "r B",       "r AB",
                                  "t",  "Williams p",  "Holm", "z",   "Steiger p", "Holm",
                                  head, "bootstrap p", "Holm", NULL };
    TgGrid *grid = tg_grid_new(title, 2);

    tg_grid_heads(grid, heads);
    for (guint i = 0; i < n; i++)
        put_comparison(grid, w, family[i]);
    g_ptr_array_add(w->grids, grid);
}

static void put_tidy_test(TgGrid *grid, const TgStudyComparison *c, const TgDependentTest *test,
                          guint number)
{
    tg_grid_put_number(grid, test->statistic, TG_STUDY_FOR_PROGRAMS);
    tg_grid_put_number(grid, test->p_two_sided, TG_STUDY_FOR_PROGRAMS);
    tg_grid_put_number(grid, c->holm[number], TG_STUDY_FOR_PROGRAMS);
    tg_grid_put_number(grid, c->benjamini_hochberg[number], TG_STUDY_FOR_PROGRAMS);
}

static void write_comparisons_tidy(TgStudyWriter *w)
{
    static const char *const heads[] = { "pairs",
                                         "group",
                                         "a",
                                         "b",
                                         "n",
                                         "r_a",
                                         "r_b",
                                         "r_ab",
                                         "williams_t",
                                         "williams_p",
                                         "williams_holm",
                                         "williams_bh",
                                         "steiger_z",
                                         "steiger_p",
                                         "steiger_holm",
                                         "steiger_bh",
                                         "meng_z",
                                         "meng_p",
                                         "bca_low",
                                         "bca_high",
                                         "bootstrap_p",
                                         "bootstrap_holm",
                                         "bootstrap_bh",
                                         NULL };
    TgGrid *grid = tg_grid_new(NULL, 4);

    tg_grid_heads(grid, heads);
    for (guint i = 0; i < w->study->comparisons->len; i++) {
        const TgStudyComparison *c = w->study->comparisons->pdata[i];

        tg_grid_put(grid, tg_study_slice_name(w, c->slice));
        tg_grid_put(grid, tg_study_group_name(w, c->group));
        tg_grid_put(grid, tg_study_column_name(w, c->a));
        tg_grid_put(grid, tg_study_column_name(w, c->b));
        tg_grid_put_count(grid, c->n);
        tg_grid_put_number(grid, c->r_a, TG_STUDY_FOR_PROGRAMS);
        tg_grid_put_number(grid, c->r_b, TG_STUDY_FOR_PROGRAMS);
        tg_grid_put_number(grid, c->r_ab, TG_STUDY_FOR_PROGRAMS);
        put_tidy_test(grid, c, &c->williams, 0);
        put_tidy_test(grid, c, &c->steiger, 1);
        tg_grid_put_number(grid, c->meng.statistic, TG_STUDY_FOR_PROGRAMS);
        tg_grid_put_number(grid, c->meng.p_two_sided, TG_STUDY_FOR_PROGRAMS);
        tg_study_put_ends(grid, c->bootstrap.bca);
        tg_grid_put_number(grid, c->bootstrap_p, TG_STUDY_FOR_PROGRAMS);
        tg_grid_put_number(grid, c->holm[2], TG_STUDY_FOR_PROGRAMS);
        tg_grid_put_number(grid, c->benjamini_hochberg[2], TG_STUDY_FOR_PROGRAMS);
    }
    g_ptr_array_add(w->grids, grid);
}

void tg_study_grid_comparisons(TgStudyWriter *w)
{
    const GPtrArray *all = w->study->comparisons;
    const guint n_families = w->study->slices->len * w->study->table->groups->len;

    if (all->len == 0)
        return;
    if (w->tidy) {
        write_comparisons_tidy(w);
        return;
    }
    for (guint f = 0; f < n_families; f++) {
        const guint size = all->len / n_families;
        TgStudyComparison *const *family =
            (TgStudyComparison *const *) all->pdata + (gsize) f * size;

        write_matrix(w, family, size);
        write_comparison_list(w, family, size);
    }
}
