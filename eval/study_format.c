/* A study as tables. */
#include <math.h>

#include "eval/grid.h"
#include "eval/json_util.h"
#include "eval/study_json.h"

enum { DIGITS = 4, FOR_PROGRAMS = -1 };

/* Where the tables of one study go, and how. */
typedef struct {
    const TgStudy *study;
    GString *out;
    TgSummaryStyle style;
} Writer;

static const char *column_name(const Writer *w, guint column)
{
    return tg_table_column(w->study->table, column)->name;
}

static const char *group_name(const Writer *w, guint group)
{
    return tg_table_group(w->study->table, group)->name;
}

/* A part's name; pairs may lack a subset or model. */
static const char *part_name(const Writer *w, guint part)
{
    const TgStudyPart *p = w->study->parts->pdata[part];

    return *p->name != '\0' ? p->name : "(none)";
}

/* ", PART pairs" where there are several parts. (transfer full) */
static char *part_suffix(const Writer *w, guint part)
{
    if (w->study->parts->len == 1)
        return g_strdup("");
    return g_strdup_printf(", pairs: %s", part_name(w, part));
}

static void put_heads(TgGrid *grid, const char *const *heads)
{
    for (guint i = 0; heads[i] != NULL; i++)
        tg_grid_head(grid, heads[i]);
}

/* Write a table, parted from the one before, and free it. */
static void finish(Writer *w, TgGrid *grid)
{
    if (w->out->len > 0)
        g_string_append_c(w->out, '\n');
    tg_grid_append(w->out, grid, w->style);
    tg_grid_free(grid);
}

G_GNUC_PRINTF(2, 3)
static void note(TgGrid *grid, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    tg_grid_note(grid, text);
}

static void put_p(TgGrid *grid, double p)
{
    char text[32];

    tg_grid_put(grid, isnan(p) ? "-" : g_ascii_formatd(text, sizeof text, "%.2g", p));
}

static void put_interval(TgGrid *grid, const double ends[2])
{
    char low[32], high[32];

    if (isnan(ends[0]) || isnan(ends[1]))
        tg_grid_put(grid, "-");
    else
        tg_grid_putf(grid, "[%s, %s]", g_ascii_formatd(low, sizeof low, "%.3f", ends[0]),
                     g_ascii_formatd(high, sizeof high, "%.3f", ends[1]));
}

/* "95 %" */
static char *level_text(const TgStudy *study)
{
    char text[32];

    return g_strdup_printf("%s %%", g_ascii_formatd(text, sizeof text, "%.4g", 100 * study->level));
}

/* ---- correlations ---- */

static void put_correlation(TgGrid *grid, const Writer *w, const TgStudyCorrelation *cell)
{
    tg_grid_put(grid, column_name(w, cell->column));
    tg_grid_putf(grid, "%u", cell->n);
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        tg_grid_put_number(grid, cell->coefficient[kind].value, DIGITS);
        put_interval(grid, cell->coefficient[kind].bootstrap.bca);
        put_p(grid, cell->coefficient[kind].p);
    }
    tg_grid_put_number(grid, cell->acc_eq.value, DIGITS);
    put_interval(grid, cell->acc_eq.bootstrap.bca);
    tg_grid_put_number(grid, cell->epsilon, DIGITS);
}

static void note_correlations(TgGrid *grid, const Writer *w, guint part, guint group)
{
    const TgTable *table = w->study->table;
    g_autoptr(GString) turned = g_string_new(NULL);

    for (guint c = 0; c < table->columns->len; c++) {
        const TgStudyCorrelation *cell = tg_study_correlation(w->study, part, group, c);

        if (!tg_study_shows(w->study, c))
            continue;
        if (tg_table_column(table, c)->lower_is_better)
            g_string_append_printf(turned, "%s%s", turned->len > 0 ? ", " : "", column_name(w, c));
        if (cell->undefined != NULL)
            note(grid, "%s: undefined, %s", column_name(w, c), cell->undefined);
        else if (cell->n_unscored > 0)
            note(grid, "%s: %u rated pairs without a score are left out", column_name(w, c),
                 cell->n_unscored);
    }
    if (turned->len > 0)
        note(grid, "Lower is better, so taken with the opposite sign: %s", turned->str);
    note(grid, "Intervals: BCa bootstrap, %u resamples, seed %" G_GUINT64_FORMAT ".",
         w->study->resamples, w->study->seed);
}

static void write_correlations_of(Writer *w, guint part, guint group)
{
    const TgTable *table = w->study->table;
    g_autofree char *suffix = part_suffix(w, part);
    g_autofree char *level = level_text(w->study);
    const guint n_raters = tg_table_group(table, group)->n_raters;
    g_autofree char *title =
        g_strdup_printf("Correlation with %s (%u rater%s a pair)%s", group_name(w, group), n_raters,
                        n_raters == 1 ? "" : "s", suffix);
    const char *const heads[] = { "metric",   "n",      "Pearson", level,     "p",
                                  "Spearman", level,    "p",       "Kendall", level,
                                  "p",        "acc_eq", level,     "eps",     NULL };
    TgGrid *grid = tg_grid_new(title, 1);

    put_heads(grid, heads);
    for (guint c = 0; c < table->columns->len; c++) {
        if (tg_study_shows(w->study, c))
            put_correlation(grid, w, tg_study_correlation(w->study, part, group, c));
    }
    note_correlations(grid, w, part, group);
    finish(w, grid);
}

/* As the TeXBLEU paper's table I: both coefficients per group, and their mean. */
static void write_averages(Writer *w, guint part)
{
    const TgTable *table = w->study->table;
    g_autofree char *suffix = part_suffix(w, part);
    g_autofree char *title = g_strdup_printf("Average over groups of raters%s", suffix);
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, "metric");
    for (guint g = 0; g < table->groups->len; g++) {
        for (guint kind = TG_PEARSON; kind <= TG_SPEARMAN; kind++) {
            g_autofree char *head =
                g_strdup_printf("%s %s", group_name(w, g), tg_correlation_name(kind));

            tg_grid_head(grid, head);
        }
    }
    tg_grid_head(grid, "average");
    for (guint c = 0; c < table->columns->len; c++) {
        if (!tg_study_shows(w->study, c))
            continue;
        tg_grid_put(grid, column_name(w, c));
        for (guint g = 0; g < table->groups->len; g++) {
            const TgStudyCorrelation *cell = tg_study_correlation(w->study, part, g, c);

            tg_grid_put_number(grid, cell->coefficient[TG_PEARSON].value, DIGITS);
            tg_grid_put_number(grid, cell->coefficient[TG_SPEARMAN].value, DIGITS);
        }
        tg_grid_put_number(grid, tg_study_average(w->study, part, c), DIGITS);
    }
    finish(w, grid);
}

static void put_ends(TgGrid *grid, const double ends[2])
{
    tg_grid_put_number(grid, ends[0], FOR_PROGRAMS);
    tg_grid_put_number(grid, ends[1], FOR_PROGRAMS);
}

/* One row per coefficient. */
static void put_tidy_row(TgGrid *grid, const Writer *w, const TgStudyCorrelation *cell,
                         const char *statistic, const TgStudyCoefficient *c)
{
    tg_grid_put(grid, part_name(w, cell->part));
    tg_grid_put(grid, group_name(w, cell->group));
    tg_grid_put(grid, column_name(w, cell->column));
    tg_grid_put(grid, statistic);
    tg_grid_putf(grid, "%u", cell->n);
    tg_grid_putf(grid, "%u", cell->n_unscored);
    tg_grid_put_number(grid, c->value, FOR_PROGRAMS);
    tg_grid_put_number(grid, c->p, FOR_PROGRAMS);
    put_ends(grid, c->closed);
    tg_grid_put_number(grid, c->bootstrap.se, FOR_PROGRAMS);
    put_ends(grid, c->bootstrap.percentile);
    put_ends(grid, c->bootstrap.bca);
}

static void write_correlations_tidy(Writer *w)
{
    static const char *const heads[] = {
        "pairs",           "group",   "metric",     "statistic",   "n",  "unscored",
        "value",           "p",       "closed_low", "closed_high", "se", "percentile_low",
        "percentile_high", "bca_low", "bca_high",   NULL
    };
    TgGrid *grid = tg_grid_new(NULL, 4);

    put_heads(grid, heads);
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
    finish(w, grid);
}

static void write_correlations(Writer *w)
{
    const guint n_groups = w->study->table->groups->len;

    if (n_groups == 0)
        return;
    if (w->style == TG_SUMMARY_CSV) {
        write_correlations_tidy(w);
        return;
    }
    for (guint p = 0; p < w->study->parts->len; p++) {
        for (guint g = 0; g < n_groups; g++)
            write_correlations_of(w, p, g);
        if (n_groups > 1)
            write_averages(w, p);
    }
}

/* ---- comparisons ---- */

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
static void write_matrix(Writer *w, TgStudyComparison *const *family, guint n)
{
    const guint n_columns = w->study->table->columns->len;
    g_autofree char *suffix = part_suffix(w, family[0]->part);
    g_autofree char *title = g_strdup_printf("Difference in Pearson's r with %s, row - column%s",
                                             group_name(w, family[0]->group), suffix);
    g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(guint));
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, "");
    for (guint c = 0; c < n_columns; c++) {
        if (find_pair(family, 1, c, family[0]->b) == NULL &&
            find_pair(family, n, family[0]->a, c) == NULL)
            continue;
        g_array_append_val(shown, c);
        tg_grid_head(grid, column_name(w, c));
    }
    for (guint i = 0; i < shown->len * shown->len; i++) {
        const guint a = g_array_index(shown, guint, i / shown->len);
        const guint b = g_array_index(shown, guint, i % shown->len);
        const TgStudyComparison *c = find_pair(family, n, a, b);
        const double difference = c == NULL ? NAN : (c->a == a ? 1 : -1) * (c->r_a - c->r_b);
        char text[32];

        if (i % shown->len == 0)
            tg_grid_put(grid, column_name(w, a));
        if (isnan(difference))
            tg_grid_put(grid, a == b ? "" : "-");
        else
            tg_grid_putf(grid, "%s%s", g_ascii_formatd(text, sizeof text, "%+.3f", difference),
                         stars(c->holm[0]));
    }
    note(grid,
         "* p < 0.05, ** p < 0.01, *** p < 0.001: Williams' test, adjusted by Holm's method "
         "for the %u comparisons of this table.",
         n);
    finish(w, grid);
}

static void put_comparison(TgGrid *grid, const Writer *w, const TgStudyComparison *c)
{
    tg_grid_put(grid, column_name(w, c->a));
    tg_grid_put(grid, column_name(w, c->b));
    tg_grid_putf(grid, "%u", c->n);
    tg_grid_put_number(grid, c->r_a, DIGITS);
    tg_grid_put_number(grid, c->r_b, DIGITS);
    tg_grid_put_number(grid, c->r_ab, DIGITS);
    tg_grid_put_number(grid, c->williams.statistic, 2);
    put_p(grid, c->williams.p_two_sided);
    put_p(grid, c->holm[0]);
    tg_grid_put_number(grid, c->steiger.statistic, 2);
    put_p(grid, c->steiger.p_two_sided);
    put_p(grid, c->holm[1]);
    put_interval(grid, c->bootstrap.bca);
    put_p(grid, c->bootstrap_p);
    put_p(grid, c->holm[2]);
}

static void write_comparison_list(Writer *w, TgStudyComparison *const *family, guint n)
{
    g_autofree char *suffix = part_suffix(w, family[0]->part);
    g_autofree char *level = level_text(w->study);
    g_autofree char *head = g_strdup_printf("r A - r B, %s", level);
    g_autofree char *title = g_strdup_printf("Which metric agrees better with %s%s",
                                             group_name(w, family[0]->group), suffix);
    const char *const heads[] = { "A",  "B",           "n",    "r A", "r B",       "r AB",
                                  "t",  "Williams p",  "Holm", "z",   "Steiger p", "Holm",
                                  head, "bootstrap p", "Holm", NULL };
    TgGrid *grid = tg_grid_new(title, 2);

    put_heads(grid, heads);
    for (guint i = 0; i < n; i++)
        put_comparison(grid, w, family[i]);
    finish(w, grid);
}

static void put_tidy_test(TgGrid *grid, const TgStudyComparison *c, const TgDependentTest *test,
                          guint number)
{
    tg_grid_put_number(grid, test->statistic, FOR_PROGRAMS);
    tg_grid_put_number(grid, test->p_two_sided, FOR_PROGRAMS);
    tg_grid_put_number(grid, c->holm[number], FOR_PROGRAMS);
    tg_grid_put_number(grid, c->benjamini_hochberg[number], FOR_PROGRAMS);
}

static void write_comparisons_tidy(Writer *w)
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

    put_heads(grid, heads);
    for (guint i = 0; i < w->study->comparisons->len; i++) {
        const TgStudyComparison *c = w->study->comparisons->pdata[i];

        tg_grid_put(grid, part_name(w, c->part));
        tg_grid_put(grid, group_name(w, c->group));
        tg_grid_put(grid, column_name(w, c->a));
        tg_grid_put(grid, column_name(w, c->b));
        tg_grid_putf(grid, "%u", c->n);
        tg_grid_put_number(grid, c->r_a, FOR_PROGRAMS);
        tg_grid_put_number(grid, c->r_b, FOR_PROGRAMS);
        tg_grid_put_number(grid, c->r_ab, FOR_PROGRAMS);
        put_tidy_test(grid, c, &c->williams, 0);
        put_tidy_test(grid, c, &c->steiger, 1);
        tg_grid_put_number(grid, c->meng.statistic, FOR_PROGRAMS);
        tg_grid_put_number(grid, c->meng.p_two_sided, FOR_PROGRAMS);
        put_ends(grid, c->bootstrap.bca);
        tg_grid_put_number(grid, c->bootstrap_p, FOR_PROGRAMS);
        tg_grid_put_number(grid, c->holm[2], FOR_PROGRAMS);
        tg_grid_put_number(grid, c->benjamini_hochberg[2], FOR_PROGRAMS);
    }
    finish(w, grid);
}

static void write_comparisons(Writer *w)
{
    const GPtrArray *all = w->study->comparisons;
    const guint n_families = w->study->parts->len * w->study->table->groups->len;

    if (all->len == 0)
        return;
    if (w->style == TG_SUMMARY_CSV) {
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

/* ---- raters ---- */

static gint digits_of(const Writer *w)
{
    return w->style == TG_SUMMARY_CSV ? FOR_PROGRAMS : DIGITS;
}

static void put_raters(TgGrid *grid, const Writer *w, const TgStudyRaters *r)
{
    const double icc[] = { r->icc.icc_1_1, r->icc.icc_1_k, r->icc.icc_2_1,
                           r->icc.icc_2_k, r->icc.icc_3_1, r->icc.icc_3_k };

    tg_grid_put(grid, r->group != NULL ? r->group : "(all)");
    tg_grid_putf(grid, "%u", r->n_raters);
    tg_grid_putf(grid, "%u", r->n_pairs);
    tg_grid_put_number(grid, r->alpha[TG_INTERVAL], digits_of(w));
    tg_grid_put_number(grid, r->alpha[TG_ORDINAL], digits_of(w));
    tg_grid_put_number(grid, r->alpha[TG_NOMINAL], digits_of(w));
    for (guint i = 0; i < G_N_ELEMENTS(icc); i++)
        tg_grid_put_number(grid, r->has_icc ? icc[i] : NAN, digits_of(w));
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
        tg_grid_put_number(grid, r->ceiling[kind], digits_of(w));
    if (r->undefined != NULL)
        note(grid, "%s: %s", r->group != NULL ? r->group : "(all)", r->undefined);
}

static void write_group_pairs(Writer *w)
{
    static const char *const heads[] = { "group",    "other",   "n", "Pearson",
                                         "Spearman", "Kendall", NULL };
    TgGrid *grid = tg_grid_new("Correlation between the groups' means", 2);

    put_heads(grid, heads);
    for (guint i = 0; i < w->study->groups->len; i++) {
        const TgStudyGroups *pair = w->study->groups->pdata[i];

        tg_grid_put(grid, group_name(w, pair->a));
        tg_grid_put(grid, group_name(w, pair->b));
        tg_grid_putf(grid, "%u", pair->n);
        for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++)
            tg_grid_put_number(grid, pair->coefficient[kind], digits_of(w));
    }
    finish(w, grid);
}

static void write_raters(Writer *w)
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
    put_heads(grid, heads);
    for (guint i = 0; i < w->study->raters->len; i++)
        put_raters(grid, w, w->study->raters->pdata[i]);
    finish(w, grid);
    if (w->study->groups->len > 0)
        write_group_pairs(w);
}

/* ---- preferences and spellings ---- */

static void put_answers(TgGrid *grid, const Writer *w, const char *range,
                        const TgStudyAnswers *answers)
{
    guint n = 0;

    for (guint i = 0; i < TG_N_ANSWERS; i++)
        n += answers->count[i];
    tg_grid_put(grid, range);
    tg_grid_putf(grid, "%u", n);
    for (guint i = 0; i < TG_N_ANSWERS; i++)
        tg_grid_put_number(grid, n > 0 ? (double) answers->count[i] / n : NAN, digits_of(w));
}

static void write_preference(Writer *w, const TgStudyPreference *p)
{
    g_autofree char *title = g_strdup_printf("Preferred by people: %s", p->field);
    g_autofree char *range_head = g_strdup_printf("score of %s", column_name(w, p->a));
    TgGrid *grid = tg_grid_new(title, 1);

    tg_grid_head(grid, range_head);
    tg_grid_head(grid, "pairs");
    tg_grid_head(grid, column_name(w, p->a));
    tg_grid_head(grid, column_name(w, p->b));
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
        note(grid, "%u pairs with another answer than A, B, both, neither are left out",
             p->n_unknown);
    finish(w, grid);
}

static void put_spellings(TgGrid *grid, const Writer *w, const TgStudySpellings *s)
{
    tg_grid_put(grid, s->field);
    tg_grid_put(grid, column_name(w, s->column));
    tg_grid_put(grid, s->worst_group != NULL ? s->worst_group : "-");
    tg_grid_putf(grid, "%u", s->n_groups);
    tg_grid_putf(grid, "%u", s->n_invariant);
    tg_grid_put_number(grid, s->mean_spread, digits_of(w));
    tg_grid_put_number(grid, s->largest_spread, digits_of(w));
    tg_grid_put_number(grid, s->mean_deviation, digits_of(w));
}

static void write_spellings(Writer *w)
{
    static const char *const heads[] = { "groups by",      "metric",         "widest group",
                                         "groups",         "constant",       "mean spread",
                                         "largest spread", "mean deviation", NULL };
    TgGrid *grid;

    if (w->study->spellings->len == 0)
        return;
    grid = tg_grid_new("Spread over spellings of one formula", 3);
    put_heads(grid, heads);
    for (guint i = 0; i < w->study->spellings->len; i++)
        put_spellings(grid, w, w->study->spellings->pdata[i]);
    finish(w, grid);
}

char *tg_study_format(const TgStudy *study, TgStudyParts parts, TgSummaryStyle style)
{
    Writer w = { study, g_string_new(NULL), style };

    if (style == TG_SUMMARY_JSON) {
        json_t *all = tg_study_json(study, parts);

        tg_json_append(w.out, all);
        g_string_append_c(w.out, '\n');
        json_decref(all);
        return g_string_free(w.out, FALSE);
    }
    if ((parts & TG_STUDY_CORRELATIONS) != 0)
        write_correlations(&w);
    if ((parts & TG_STUDY_COMPARISONS) != 0)
        write_comparisons(&w);
    if ((parts & TG_STUDY_RATERS) != 0)
        write_raters(&w);
    for (guint i = 0; (parts & TG_STUDY_PREFERENCES) != 0 && i < study->preferences->len; i++)
        write_preference(&w, study->preferences->pdata[i]);
    if ((parts & TG_STUDY_SPELLINGS) != 0)
        write_spellings(&w);
    if (w.out->len == 0)
        g_string_append(
            w.out,
            "nothing to study: no human scores in these results; --human names their fields when "
            "the pairs are scored\n");
    return g_string_free(w.out, FALSE);
}
