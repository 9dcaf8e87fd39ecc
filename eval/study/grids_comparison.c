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

/* The smallest and the largest number of pairs in a family. */
static void note_pairs(TgGrid *grid, TgStudyComparison *const *family, guint n)
{
    guint low = family[0]->n, high = family[0]->n;

    for (guint i = 1; i < n; i++) {
        low = MIN(low, family[i]->n);
        high = MAX(high, family[i]->n);
    }
    if (low < high)
        tg_grid_note(grid,
                     "Each difference is of the pairs that both metrics score, %u to %u of "
                     "them; the next table has n.",
                     low, high);
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
                         stars(c->adjusted[0].holm));
    }
    tg_grid_note(
        grid,
        "* p < 0.05, ** p < 0.01, *** p < 0.001: Williams' test, adjusted by Holm's method "
        "for the %u comparisons of this table.",
        n);
    note_pairs(grid, family, n);
    g_ptr_array_add(w->grids, grid);
}

/* All the numbers of one comparison a row. */
static TgGrid *comparisons_grid(const TgStudyWriter *w, const char *title)
{
    g_autofree char *level = tg_study_level_text(w->study);
    g_autofree char *interval = g_strdup_printf("r A - r B, %s", level);
    const TgGridColumn columns[] = {
        { NULL, "pairs", "pairs" },
        { NULL, "group", "group" },
        { "A", "a", "a" },
        { "B", "b", "b" },
        { "n", "n", "n" },
        { "r A", "r_a", "r_a" },
        { "r B", "r_b", "r_b" },
        { "r AB", "r_ab", "r_ab" },
        { "t", "williams_t", "williams.statistic" },
        { NULL, NULL, "williams.df" },
        { "Williams p", "williams_p", "williams.p" },
        { NULL, NULL, "williams.p_one_sided" },
        { "Holm", "williams_holm", "williams.holm" },
        { NULL, "williams_bh", "williams.benjamini_hochberg" },
        { NULL, NULL, "bootstrap" },
        { interval, "bca_*", NULL },
        { "bootstrap p", "bootstrap_p", "bootstrap.p" },
        { "Holm", "bootstrap_holm", "bootstrap.holm" },
        { NULL, "bootstrap_bh", "bootstrap.benjamini_hochberg" },
        { NULL, "undefined_resamples", NULL },
    };
    TgGrid *grid = tg_grid_new(title, 2);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    return grid;
}

static void put_test(TgGrid *grid, const TgDependentTest *test)
{
    tg_grid_put_number(grid, test->statistic, 2);
    tg_grid_put_number(grid, test->df, 0);
    tg_grid_put_p(grid, test->p_two_sided);
    tg_grid_put_p(grid, test->p_one_sided);
}

static void put_adjusted(TgGrid *grid, const TgStudyComparison *c, guint test)
{
    tg_grid_put_p(grid, c->adjusted[test].holm);
    tg_grid_put_p(grid, c->adjusted[test].benjamini_hochberg);
}

static void put_comparison(TgGrid *grid, const TgStudyWriter *w, const TgStudyComparison *c)
{
    enum { WILLIAMS, BOOTSTRAP };

    tg_study_put_slice(grid, w, c->slice);
    tg_grid_put(grid, tg_study_group_name(w, c->group));
    tg_grid_put(grid, tg_study_column_name(w, c->a));
    tg_grid_put(grid, tg_study_column_name(w, c->b));
    tg_grid_put_count(grid, c->n);
    tg_grid_put_number(grid, c->r_a, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, c->r_b, TG_STUDY_DIGITS);
    tg_grid_put_number(grid, c->r_ab, TG_STUDY_DIGITS);
    put_test(grid, &c->williams);
    put_adjusted(grid, c, WILLIAMS);
    tg_study_put_bootstrap(grid, &c->bootstrap);
    tg_grid_put_interval(grid, c->bootstrap.bca, TG_STUDY_INTERVAL_DIGITS);
    tg_grid_put_p(grid, c->bootstrap_p);
    put_adjusted(grid, c, BOOTSTRAP);
    tg_grid_put_count(grid, c->bootstrap.n_undefined);
}

/* How much the bootstrap can say. */
static void note_bootstrap(TgGrid *grid, const TgStudy *study, TgStudyComparison *const *list,
                           guint n)
{
    const double least = MIN(1, n / (study->comparison_resamples + 1.0));
    guint most = 0;
    char text[32];

    for (guint i = 0; i < n; i++)
        most = MAX(most, list[i]->bootstrap.n_undefined);
    tg_grid_note(grid, "Bootstrap: %u resamples, seed %" G_GUINT64_FORMAT ".",
                 study->comparison_resamples, study->seed);
    if (least >= TG_STUDY_ALPHA)
        tg_grid_note(grid,
                     "These resamples are too few for %u comparisons: Holm's p of the bootstrap "
                     "cannot fall below %s.",
                     n, g_ascii_formatd(text, sizeof text, "%.2g", least));
    if (most > 0)
        tg_grid_note(grid,
                     "A coefficient is undefined in up to %u of these resamples, which are "
                     "left out.",
                     most);
}

static void write_list(TgStudyWriter *w, const char *title, TgStudyComparison *const *list, guint n)
{
    TgGrid *grid = comparisons_grid(w, title);

    for (guint i = 0; i < n; i++)
        put_comparison(grid, w, list[i]);
    if (n > 0)
        note_bootstrap(grid, w->study, list, n);
    tg_study_keep_grid(w, grid, "comparisons");
}

void tg_study_grid_comparisons(TgStudyWriter *w)
{
    TgStudyComparison *const *all = (TgStudyComparison *const *) w->study->comparisons->pdata;
    const guint n = w->study->comparisons->len;
    const guint n_families = w->study->slices->len * w->study->table->groups->len;

    if (n == 0 || tg_study_for_programs(w)) {
        write_list(w, NULL, all, n);
        return;
    }
    for (guint f = 0; f < n_families; f++) {
        const guint size = n / n_families;
        TgStudyComparison *const *family = all + (gsize) f * size;
        g_autofree char *suffix = tg_study_slice_suffix(w, family[0]->slice);
        g_autofree char *title = g_strdup_printf("Which metric agrees better with %s%s",
                                                 tg_study_group_name(w, family[0]->group), suffix);

        write_matrix(w, family, size);
        write_list(w, title, family, size);
    }
}
