/* Which of two columns agrees better with the human scores? */
#include <math.h>

#include "eval/study/private.h"

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
    g_autofree guint32 *rows = tg_study_common_rows(study, c->slice, c->group, c->a, c->b, &c->n);
    g_autofree double *replicates = g_new(double, study->comparison_resamples);
    g_autoptr(TgRanked) a = tg_study_ranked(study, c->group, c->a, rows, c->n);
    g_autoptr(TgRanked) b = tg_study_ranked(study, c->group, c->b, rows, c->n);
    g_autoptr(TgRanked) human = tg_study_ranked(study, c->group, G_MAXUINT, rows, c->n);
    Trio trio = { a, b, human };

    (void) worker;
    c->r_a = tg_stats_correlation(TG_PEARSON, a, human, NULL, c->n);
    c->r_b = tg_stats_correlation(TG_PEARSON, b, human, NULL, c->n);
    c->r_ab = tg_stats_correlation(TG_PEARSON, a, b, NULL, c->n);
    tg_stats_williams(c->r_a, c->r_b, c->r_ab, c->n, &c->williams);
    if (isnan(c->r_a) || isnan(c->r_b)) {
        tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, study->level, &c->bootstrap);
        c->bootstrap_p = NAN;
        return;
    }
    /* The difference's replicates are those of the correlations, if they are of the same rows. */
    const TgStudyCorrelation *of_a = tg_study_correlation(study, c->slice, c->group, c->a);
    const TgStudyCorrelation *of_b = tg_study_correlation(study, c->slice, c->group, c->b);
    if (of_a->n != c->n || of_b->n != c->n || of_a->pearsons == NULL || of_b->pearsons == NULL)
        tg_bootstrap_replicate(difference_of, &trio, c->n, study->comparison_resamples, NULL,
                               study->seed, replicates);
    else
        for (guint k = 0; k < study->comparison_resamples; k++)
            replicates[k] = of_a->pearsons[k] - of_b->pearsons[k];
    tg_study_bootstrap(study, difference_of, &trio, c->n, replicates, study->comparison_resamples,
                       &c->bootstrap);
    c->bootstrap_p = tg_bootstrap_p(c->r_a - c->r_b, replicates, study->comparison_resamples);
}

/* A family is all pairs of columns of one slice and group. */
static void add_family(TgStudy *study, guint slice, guint group)
{
    const guint n_columns = study->table->columns->len;

    for (guint a = 0; a < n_columns; a++) {
        for (guint b = a + 1; b < n_columns; b++) {
            const TgStudyComparison c = {
                .slice = slice,
                .group = group,
                .a = a,
                .b = b,
                .pairs = tg_study_slice_name(study, slice),
                .raters = tg_study_group_name(study, group),
                .metric_a = tg_study_column_name(study, a),
                .metric_b = tg_study_column_name(study, b),
            };

            if (tg_study_shows(study, a) && tg_study_shows(study, b))
                g_ptr_array_add(study->comparisons, g_memdup2(&c, sizeof c));
        }
    }
}

gboolean tg_study_add_comparisons(TgStudy *study, const TgStudyOptions *options, GError **error)
{
    const guint n_groups = study->table->groups->len, n_families = study->slices->len * n_groups;

    for (guint f = 0; f < n_families; f++)
        add_family(study, f / n_groups, f % n_groups);
    if (study->comparisons->len == 0)
        return TRUE;
    if (!tg_pipeline_each(study->comparisons, options->threads, fill_comparison, NULL, study,
                          error))
        return FALSE;
    for (guint f = 0; f < n_families; f++) {
        const guint size = study->comparisons->len / n_families;
        gpointer const *family = study->comparisons->pdata + (gsize) f * size;

        tg_stats_adjust(family, size, G_STRUCT_OFFSET(TgStudyComparison, williams.p_two_sided),
                        G_STRUCT_OFFSET(TgStudyComparison, williams_adjusted));
        tg_stats_adjust(family, size, G_STRUCT_OFFSET(TgStudyComparison, bootstrap_p),
                        G_STRUCT_OFFSET(TgStudyComparison, bootstrap_adjusted));
        for (guint i = 0; i < size; i++) {
            TgStudyComparison *c = family[i];

            c->verdict = tg_stats_verdict(c->r_a - c->r_b, c->bootstrap.bca,
                                          c->williams_adjusted.holm, TG_STUDY_ALPHA);
            c->verdict_name = tg_verdict_name(c->verdict);
        }
    }
    return TRUE;
}

/* ---- tables ---- */

/* Row less column, marked where the verdict is a difference. */
static void write_matrix(TgStudyWriter *w, TgStudyComparison *const *family, guint n)
{
    const TgStudy *study = w->study;
    g_autofree char *suffix = tg_study_slice_suffix(w, family[0]->slice);
    g_autofree char *title = g_strdup_printf("Difference in Pearson's r with %s, row - column%s",
                                             family[0]->raters, suffix);
    g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(guint));
    guint least = family[0]->n, most = family[0]->n;
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, "");
    for (guint c = 0; c < study->table->columns->len; c++) {
        if (!tg_study_shows(study, c))
            continue;
        g_array_append_val(shown, c);
        tg_grid_head(grid, tg_study_column_name(study, c));
    }
    for (guint i = 0; i < shown->len * shown->len; i++) {
        const guint a = g_array_index(shown, guint, i / shown->len);
        const guint b = g_array_index(shown, guint, i % shown->len);
        const TgStudyComparison *c = NULL;
        char text[32];

        for (guint k = 0; k < n; k++) /* either way round */
            if ((family[k]->a == a && family[k]->b == b) ||
                (family[k]->a == b && family[k]->b == a))
                c = family[k];
        const double difference = c == NULL ? NAN : (c->a == a ? 1 : -1) * (c->r_a - c->r_b);
        if (i % shown->len == 0)
            tg_grid_put(grid, tg_study_column_name(study, a));
        if (isnan(difference)) {
            tg_grid_put(grid, a == b ? "" : "-");
            continue;
        }
        const double p = c->verdict == TG_VERDICT_NO_DIFFERENCE ? 1 : c->williams_adjusted.holm;
        tg_grid_putf(grid, "%s%s", g_ascii_formatd(text, sizeof text, "%+.3f", difference),
                     p < 0.001  ? "***"
                     : p < 0.01 ? "**"
                     : p < 0.05 ? "*"
                                : "");
    }
    tg_grid_note(
        grid,
        "* p < 0.05, ** p < 0.01, *** p < 0.001: Williams' test, adjusted by Holm's method "
        "for the %u comparisons of this table, if the bootstrap interval excludes 0, too.",
        n);
    for (guint i = 1; i < n; i++) {
        least = MIN(least, family[i]->n);
        most = MAX(most, family[i]->n);
    }
    if (least < most)
        tg_grid_note(grid,
                     "Each difference is of the pairs that both metrics score, %u to %u of "
                     "them; the next table has n.",
                     least, most);
    g_ptr_array_add(w->grids, grid);
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

/* All the numbers of one comparison a row. */
static void write_list(TgStudyWriter *w, const char *title, TgStudyComparison *const *list, guint n)
{
#define OF(member) G_STRUCT_OFFSET(TgStudyComparison, member)
    enum { D = TG_STUDY_DIGITS };
    g_autofree char *level = tg_study_level_text(w->study);
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
        { "Holm", "williams_holm", "williams.holm", TG_GRID_P, OF(williams_adjusted.holm) },
        { NULL, "williams_bh", "williams.benjamini_hochberg", TG_GRID_P,
          OF(williams_adjusted.benjamini_hochberg) },
        { NULL, NULL, "bootstrap", TG_GRID_VALUE, OF(bootstrap), .value = tg_study_bootstrap_json },
        { interval, "bca_*", NULL, TG_GRID_INTERVAL, OF(bootstrap.bca), TG_STUDY_INTERVAL_DIGITS },
        { "bootstrap p", "bootstrap_p", "bootstrap.p", TG_GRID_P, OF(bootstrap_p) },
        { "Holm", "bootstrap_holm", "bootstrap.holm", TG_GRID_P, OF(bootstrap_adjusted.holm) },
        { NULL, "bootstrap_bh", "bootstrap.benjamini_hochberg", TG_GRID_P,
          OF(bootstrap_adjusted.benjamini_hochberg) },
        { "verdict on A", "verdict", "verdict", TG_GRID_TEXT, OF(verdict_name) },
        { NULL, "undefined_resamples", NULL, TG_GRID_COUNT, OF(bootstrap.n_undefined) },
    };
#undef OF
    TgGrid *grid = tg_grid_new(title, 2);

    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < n; i++)
        tg_grid_row(grid, columns, G_N_ELEMENTS(columns), list[i], FALSE);
    if (n > 0)
        note_bootstrap(grid, w->study, list, n);
    tg_study_keep_grid(w, grid, "comparisons");
}

void tg_study_write_comparisons(TgStudyWriter *w)
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
        g_autofree char *title =
            g_strdup_printf("Which metric agrees better with %s%s", family[0]->raters, suffix);

        write_matrix(w, family, size);
        write_list(w, title, family, size);
    }
}
