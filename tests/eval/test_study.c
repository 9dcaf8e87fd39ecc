#include "tests/support/golden.h"
#include "tests/support/results_support.h"

#include "eval/study/study.h"

static TgStudy *study_of(const char *path, const TgStudyOptions *options)
{
    const char *const paths[] = { path, NULL };

    return tg_must(tg_study_run(paths, options, &error));
}

/* The same of rows that are scored first. */
static TgStudy *study_of_lines(const char *folder, const char *name, const char *lines,
                               const TgEvalOptions *how, const TgStudyOptions *options)
{
    g_autofree char *path = tg_results_of_lines(folder, name, lines, how);

    return study_of(path, options);
}

/* (transfer full) */
static char *text_of(const TgStudy *study, const char *part, TgGridStyle style)
{
    const char *const parts[] = { part, NULL };

    return tg_study_format(study, part != NULL ? parts : NULL, &(TgGridForm){ .style = style });
}

static guint column_index(const TgStudy *study, const char *name)
{
    const TgTableColumn *column = tg_table_find(study->table, name, NULL);
    guint index;

    assert_non_null(column);
    assert_true(g_ptr_array_find(study->table->columns, column, &index));
    return index;
}

/* ---- the 100 rated pairs: coefficients of the columns that the study published ---- */

static const char *const study_columns[] = { "study_metrics.bleu_score",
                                             "study_metrics.levenshtein_similarity",
                                             "study_metrics.cdm_score", NULL };

/* The rows of the shared file that people rated. (transfer full) */
static char *rated_lines(const char *path)
{
    g_autofree char *text = NULL;
    GString *rated = g_string_new(NULL);

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (strstr(lines[i], "\"kind\":\"human-study\"") != NULL)
            g_string_append_printf(rated, "%s\n", lines[i]);
    }
    return g_string_free(rated, FALSE);
}

static void assert_ends(const double ends[2], const json_t *wanted)
{
    tg_assert_near(ends[0], json_number_value(json_array_get(wanted, 0)), 1e-9);
    tg_assert_near(ends[1], json_number_value(json_array_get(wanted, 1)), 1e-9);
}

static void assert_correlation(const TgStudyCorrelation *cell, const json_t *wanted)
{
    static const char *const keys[] = { "pearson", "spearman", "kendall_b" };
    static const char *const p_keys[] = { "pearson_p", "spearman_p", "kendall_p" };
    const json_t *pairwise = json_object_get(wanted, "pairwise");

    assert_int_equal(cell->n, 100);
    for (guint kind = TG_PEARSON; kind <= TG_KENDALL; kind++) {
        const TgStudyCoefficient *c = &cell->coefficient[kind];

        tg_assert_near(c->value, tg_golden_number(wanted, keys[kind]), 1e-9);
        tg_assert_near(c->p, tg_golden_number(wanted, p_keys[kind]), 1e-9);
        assert_true(c->bootstrap.bca[0] < c->value && c->value < c->bootstrap.bca[1]);
    }
    assert_ends(cell->coefficient[TG_PEARSON].closed,
                json_object_get(wanted, "fisher_z_ci95_pearson"));
    assert_ends(cell->coefficient[TG_SPEARMAN].closed,
                json_object_get(wanted, "bonett_wright_ci95_spearman"));
    tg_assert_near(cell->coefficient[TG_ACC_EQ].value,
                   tg_golden_number(pairwise, "acc_eq_calibrated"), 1e-9);
    tg_assert_near(cell->epsilon, tg_golden_number(pairwise, "calibrated_eps"), 1e-9);
}

static void assert_comparison(const TgStudyComparison *c, const json_t *wanted)
{
    tg_assert_near(c->r_ab, tg_golden_number(wanted, "r23"), 1e-9);
    tg_assert_near(c->williams.statistic, tg_golden_number(wanted, "williams_t"), 1e-9);
    tg_assert_near(c->williams.p_two_sided, tg_golden_number(wanted, "williams_p_two_sided"), 1e-9);
}

static void assert_raters(const TgStudyRaters *raters, const json_t *golden)
{
    const json_t *alpha = json_object_get(golden, "krippendorff");

    tg_assert_near(raters->bootstrap[TG_NOMINAL].estimate, tg_golden_number(alpha, "nominal"),
                   1e-9);
    tg_assert_near(raters->bootstrap[TG_ORDINAL].estimate, tg_golden_number(alpha, "ordinal"),
                   1e-9);
    tg_assert_near(raters->bootstrap[TG_INTERVAL].estimate, tg_golden_number(alpha, "interval"),
                   1e-9);
    assert_true(raters->has_icc);
    tg_assert_near(raters->icc[TG_ICC_1_K],
                   tg_golden_number(json_object_get(golden, "icc"), "icc_1_k"), 1e-9);
}

/* "study_metrics.bleu_score" is called "bleu_score" in the golden file. */
static const char *golden_name(guint column)
{
    return strchr(study_columns[column], '.') + 1;
}

static const json_t *golden_pair(const json_t *golden, const char *a, const char *b)
{
    const json_t *list = json_object_get(golden, "dependent_correlations");

    for (guint i = 0; i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);

        if (strcmp(tg_golden_string(pair, "metric_1"), a) == 0 &&
            strcmp(tg_golden_string(pair, "metric_2"), b) == 0)
            return json_object_get(pair, "pearson");
    }
    fail_msg("no golden comparison of %s and %s", a, b);
    return NULL;
}

TEST(test_study__rated_pairs_give_the_published_coefficients)
{
    g_autofree char *data = tg_shared_or_skip("cdm-reference/dev.jsonl");
    json_auto_t *golden = tg_golden_shared("reference/text/study-stats.json");
    const TgEvalOptions how = { .metrics = "bleu,cer", .source.columns = study_columns };
    guint n_compared = 0;

    g_autofree char *lines = rated_lines(data);
    g_autoptr(TgStudy) study = study_of_lines(
        *state, "rated", lines, &how,
        &(TgStudyOptions){ .table.stored = study_columns, .resamples = 200, .seed = 1 });
    const json_t *wanted = json_object_get(golden, "correlation_with_human_mean");

    for (guint c = 0; study_columns[c] != NULL; c++)
        assert_correlation(tg_study_correlation(study, 0, 0, column_index(study, study_columns[c])),
                           json_object_get(wanted, golden_name(c)));
    for (guint i = 0; i < study->comparisons->len; i++) {
        const TgStudyComparison *c = study->comparisons->pdata[i];
        const guint first = column_index(study, study_columns[0]);

        if (c->a < first)
            continue;
        assert_comparison(
            c, golden_pair(golden, golden_name(c->a - first), golden_name(c->b - first)));
        n_compared++;
    }
    assert_int_equal(n_compared, 3);
    assert_raters(study->raters->pdata[0], golden);
}

/* FORTE on 100 pairs that its prices were not learned from, docs/metrics/forte.md. */
TEST(test_study__forte_agrees_with_people)
{
    g_autofree char *data = tg_shared_or_skip("cdm-reference/dev.jsonl");
    const TgEvalOptions forte = { .metrics = "forte" };

    g_autofree char *lines = rated_lines(data);
    g_autoptr(TgStudy) study = study_of_lines(*state, "forte", lines, &forte,
                                              &(TgStudyOptions){ .resamples = 50, .seed = 1 });
    const TgStudyCorrelation *cell =
        tg_study_correlation(study, 0, 0, column_index(study, "forte"));

    assert_int_equal(cell->n, 100);
    tg_assert_near(cell->coefficient[TG_PEARSON].value, 0.913, 5e-3);
    tg_assert_near(cell->coefficient[TG_SPEARMAN].value, 0.916, 5e-3);
}

/* ---- small cases; the metric columns are stored numbers, so that they are known ---- */

static const char *const numbers[] = { "a", "b", "c", NULL };
static const char *const groups[] = { "H1=human.H1", "H2=human.H2", NULL };
static const TgEvalOptions plain = { .metrics = "exprate", .source.columns = numbers };
static const TgEvalOptions grouped = { .metrics = "exprate",
                                       .source.columns = numbers,
                                       .source.human = groups };

#define ROW(rest) "{\"gt\": \"x\", \"pred\": \"x\", " rest "}\n"

/* Two groups of raters, columns that fall and rise with them, one pair not scored by c. */
#define TWO_GROUPS                                                                                 \
    ROW("\"human\": {\"H1\": [1, 1], \"H2\": [1]}, \"subset\": \"s\", \"a\": 1, \"b\": 9, "        \
        "\"c\": 1")                                                                                \
    ROW("\"human\": {\"H1\": [2, 2], \"H2\": [3]}, \"subset\": \"s\", \"a\": 2, \"b\": 7, "        \
        "\"c\": null")                                                                             \
    ROW("\"human\": {\"H1\": [2, 4], \"H2\": [2]}, \"subset\": \"t\", \"a\": 3, \"b\": 5, "        \
        "\"c\": 1")                                                                                \
    ROW("\"human\": {\"H1\": [4, 4], \"H2\": [4]}, \"subset\": \"t\", \"a\": 4, \"b\": 3, \"c\": " \
        "1")

/*
 * H1's means are 1 2 3 4, H2's 1 3 2 4: with a = 1 2 3 4 that is 1 and 0.8 for either coefficient
 * (sum of squared rank differences 2: 1 - 6 * 2/(4 * 15)). b falls: lower is better.
 */
TEST(test_study__averages_over_groups_and_turns_columns)
{
    g_autoptr(TgStudy) study = study_of_lines(
        *state, "groups", TWO_GROUPS, &grouped,
        &(TgStudyOptions){ .table.lower = (const char *const[]){ "b", NULL }, .resamples = 50 });
    const guint a = column_index(study, "a"), b = column_index(study, "b"),
                c = column_index(study, "c");
    const TgStudyCorrelation *cell = tg_study_correlation(study, 0, 1, a);
    const TgStudyGroups *between = study->groups->pdata[0];

    assert_string_equal(tg_table_group(study->table, 0)->name, "H1");
    tg_assert_near(cell->coefficient[TG_PEARSON].value, 0.8, 1e-12);
    tg_assert_near(cell->coefficient[TG_SPEARMAN].value, 0.8, 1e-12);
    tg_assert_near(cell->coefficient[TG_KENDALL].value, 4.0 / 6, 1e-12);
    tg_assert_near(cell->coefficient[TG_ACC_EQ].value, 5.0 / 6, 1e-12);
    g_autofree char *text = text_of(study, "correlations", TG_GRID_JSON);
    json_auto_t *json = json_loads(text, 0, NULL);
    const json_t *averages = json_object_get(json, "averages");
    tg_assert_near(tg_golden_number(json_array_get(averages, a), "average"), 0.9, 1e-12);
    tg_assert_near(tg_golden_number(json_array_get(averages, b), "average"), 0.9, 1e-12);
    assert_true(json_is_null(json_object_get(json_array_get(averages, c), "average")));
    assert_int_equal(tg_study_correlation(study, 0, 0, c)->n, 3);
    assert_int_equal(tg_study_correlation(study, 0, 0, c)->n_unscored, 1);
    assert_string_equal(tg_study_correlation(study, 0, 0, c)->undefined,
                        "all values of c are equal");
    assert_int_equal(study->raters->len, 3); /* H1, H2, both together */
    assert_int_equal(((TgStudyRaters *) study->raters->pdata[2])->n_raters, 3);
    /* ranks 1 2.5 2.5 4 and 1 2 3.5 3.5 of H1's two raters, each against the other; H2 has one */
    tg_assert_near(((TgStudyRaters *) study->raters->pdata[0])
                       ->bootstrap[TG_FIRST_CEILING + TG_SPEARMAN]
                       .estimate,
                   5.0 / 6, 1e-12);
    assert_true(isnan(((TgStudyRaters *) study->raters->pdata[1])
                          ->bootstrap[TG_FIRST_CEILING + TG_SPEARMAN]
                          .estimate));
    tg_assert_near(between->coefficient[TG_SPEARMAN], 0.8, 1e-12);
}

TEST(test_study__parts_by_subset_and_field)
{
    g_autoptr(TgStudy) study = study_of_lines(
        *state, "subsets", TWO_GROUPS, &grouped,
        &(TgStudyOptions){ .by = (const char *const[]){ "subset", "c", NULL }, .resamples = 20 });
    const guint a = column_index(study, "a");

    assert_int_equal(study->slices->len, 4); /* all, s, t, and c is 1 */
    assert_string_equal(((TgTableSlice *) study->slices->pdata[1])->name, "s");
    assert_string_equal(((TgTableSlice *) study->slices->pdata[3])->name, "c: 1");
    assert_int_equal(((TgTableSlice *) study->slices->pdata[3])->n, 3);
    assert_int_equal(tg_study_correlation(study, 2, 0, a)->n, 2);
    tg_assert_near(tg_study_correlation(study, 2, 0, a)->coefficient[TG_PEARSON].value, 1, 1e-12);
    assert_true(isnan(tg_study_correlation(study, 2, 0, a)->coefficient[TG_PEARSON].p));
}

/* Ten threads or one, and the same again: the same bytes. */
TEST(test_study__threads_do_not_show)
{
    g_autofree char *path = tg_results_of_lines(*state, "threads", TWO_GROUPS, &grouped);
    const TgStudyOptions one = { .resamples = 100, .seed = 3, .threads = 1 };
    const TgStudyOptions many = { .resamples = 100, .seed = 3, .threads = 10 };
    const TgStudyOptions other = { .resamples = 100, .seed = 4, .threads = 1 };
    g_autoptr(TgStudy) a = study_of(path, &one);
    g_autoptr(TgStudy) b = study_of(path, &many);
    g_autoptr(TgStudy) c = study_of(path, &other);
    g_autofree char *text_a = text_of(a, NULL, TG_GRID_JSON);
    g_autofree char *text_b = text_of(b, NULL, TG_GRID_JSON);
    g_autofree char *text_c = text_of(c, NULL, TG_GRID_JSON);

    assert_string_equal(text_a, text_b);
    assert_string_not_equal(text_a, text_c);
}

/* Half the pairs prefer a, below 0.2 nobody does; "x" is no answer. */
TEST(test_study__preferences_by_score_range)
{
    static const char *const kept[] = { "a", "b", "best", NULL };
    const TgEvalOptions how = { .metrics = "exprate", .source.columns = kept };
    g_autoptr(TgStudy) study = study_of_lines(
        *state, "preference",
        ROW("\"a\": 0.1, \"b\": 1, \"best\": \"B\"") ROW("\"a\": 0.2, \"b\": 1, \"best\": \"a\"")
            ROW("\"a\": 1, \"b\": 1, \"best\": \"A\"") ROW("\"a\": 1, \"best\": \"both\"")
                ROW("\"a\": 1, \"best\": \"x\"") ROW("\"b\": 1, \"a\": null"),
        &how,
        &(TgStudyOptions){ .preferences = (const char *const[]){ "best=a,b", NULL },
                           .resamples = 10 });
    const TgStudyPreference *p = study->preferences->pdata[0];

    assert_int_equal(p->range[TG_N_SCORE_RANGES].count[0], 2);
    assert_int_equal(p->range[TG_N_SCORE_RANGES].count[1], 1);
    assert_int_equal(p->range[TG_N_SCORE_RANGES].count[2], 1);
    assert_int_equal(p->range[TG_N_SCORE_RANGES].count[3], 0);
    assert_int_equal(p->n_unknown, 1);
    assert_int_equal(p->range[0].count[1], 1);
    assert_int_equal(p->range[1].count[0], 1); /* 0.2 belongs to the range that it begins */
    assert_int_equal(p->range[4].count[0], 1); /* 1 belongs to the last */
    tg_assert_says(text_of(study, NULL, TG_GRID_TABLE), "0.5000",
                   "Left out: 1 pair with another answer", NULL);
}

/* Group g: spread 0.5 and 0; group h: 0 and 2; single is no group. */
TEST(test_study__spread_over_spellings)
{
    static const char *const kept[] = { "a", "b", "formula", NULL };
    const TgEvalOptions how = { .metrics = "exprate", .source.columns = kept };
    g_autoptr(TgStudy) study =
        study_of_lines(*state, "spellings",
                       ROW("\"a\": 0.5, \"b\": 1, \"formula\": \"g\"")
                           ROW("\"a\": 1, \"b\": 1, \"formula\": \"g\"")
                               ROW("\"a\": 1, \"b\": 1, \"formula\": \"h\"")
                                   ROW("\"a\": 1, \"b\": 3, \"formula\": \"h\"")
                                       ROW("\"a\": 0, \"b\": 7, \"formula\": \"single\""),
                       &how,
                       &(TgStudyOptions){ .spellings = (const char *const[]){ "formula", NULL },
                                          .resamples = 10 });
    const TgStudySpellings *a = study->spellings->pdata[column_index(study, "a")];
    const TgStudySpellings *b = study->spellings->pdata[column_index(study, "b")];

    assert_int_equal(a->n_groups, 2);
    assert_int_equal(a->n_invariant, 1);
    tg_assert_near(a->mean_spread, 0.25, 1e-12);
    tg_assert_near(a->largest_spread, 0.5, 1e-12);
    assert_string_equal(a->worst_group, "g");
    tg_assert_near(b->mean_deviation, sqrt(2) / 2, 1e-12);
    assert_string_equal(b->worst_group, "h");
}

TEST(test_study__refuses_what_is_not_there)
{
    g_autofree char *path = tg_results_of_lines(*state, "wrong", TWO_GROUPS, &grouped);
    const char *const paths[] = { path, NULL };
    const TgStudyOptions bad[] = {
        { .preferences = (const char *const[]){ "best", NULL } },
        { .preferences = (const char *const[]){ "best=a,zzz", NULL } },
        { .preferences = (const char *const[]){ "best=a,b", NULL } },
        { .spellings = (const char *const[]){ "formula", NULL } },
        { .table.stored = (const char *const[]){ "zzz", NULL } },
        { .level = 1.5 },
        { .resamples = 2000000 },
    };
    static const char *const messages[] = {
        "FIELD=A,B", "unknown column 'zzz'",   "no pair has a stored field 'best'",
        "'formula'", "no stored column 'zzz'", "between 0 and 1",
        "resamples",
    };

    for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
        tg_assert_fails(tg_study_run(paths, &bad[i], &error), TG_ERROR_USAGE, messages[i]);
}

/* Every style of every part of a study that has little or no content. */
static void check_degenerate(const char *folder, const char *lines, const char *message)
{
    g_autofree char *path = tg_results_of_lines(folder, "degenerate", lines, &plain);
    const TgStudyOptions options = { .resamples = 10,
                                     .by = (const char *const[]){ "subset", "model", NULL } };
    g_autoptr(TgStudy) study = study_of(path, &options);

    tg_assert_says(text_of(study, NULL, TG_GRID_TABLE), message, NULL);
    for (TgGridStyle style = TG_GRID_TABLE; style <= TG_GRID_LATEX; style++) {
        g_autofree char *text = text_of(study, NULL, style);

        assert_true(g_utf8_validate(text, -1, NULL));
        assert_true(g_str_has_suffix(text, "\n"));
        assert_null(strstr(text, "nan"));
    }
    g_unlink(path);
}

TEST(test_study__says_so_where_nothing_is_defined)
{
    check_degenerate(*state, "", "nothing to study: no human scores");
    check_degenerate(*state, ROW("\"a\": 1"), "nothing to study: no human scores");
    check_degenerate(*state, ROW("\"human\": [3, 4], \"a\": 1"), "fewer than 2 items (1)");
    check_degenerate(*state, ROW("\"human\": 3, \"a\": 1") ROW("\"human\": 3, \"a\": 2"),
                     "all values of human are equal");
    check_degenerate(*state, ROW("\"human\": 3, \"a\": 1") ROW("\"human\": 4, \"a\": 1"),
                     "all values of a are equal");
    check_degenerate(*state, ROW("\"human\": [null, 3]") ROW("\"human\": [4, null]"),
                     "agreement needs an item with two ratings");
}

TEST(test_study__csv_and_json_hold_every_number)
{
    g_autoptr(TgStudy) study = study_of_lines(*state, "styles", TWO_GROUPS, &grouped,
                                              &(TgStudyOptions){ .resamples = 20 });
    g_autofree char *json = text_of(study, NULL, TG_GRID_JSON);
    json_auto_t *all = json_loads(json, 0, NULL);
    const json_t *correlations = json_object_get(all, "correlations");

    tg_assert_says(text_of(study, "correlations", TG_GRID_CSV),
                   "\"all\",\"H2\",\"a\",\"pearson\",4,0,0.8", NULL);
    assert_non_null(all);
    /* 2 groups, and columns a, b, c beside exprate's own */
    assert_int_equal(json_array_size(correlations), 2 * study->table->columns->len);
    assert_int_equal(json_array_size(json_object_get(all, "comparisons")), 2 * 6);
    assert_int_equal(json_array_size(json_object_get(all, "raters")), 3);
    assert_int_equal(json_array_size(json_object_get(all, "between_groups")), 1);
}

/* ---- few pairs, many columns, and whole models ---- */

static const char *const x_and_err[] = { "x", "err", NULL };
static const char *const lower[] = { "err", NULL };
static const TgEvalOptions of_x_and_err = { .metrics = "exprate", .source.columns = x_and_err };

#define FOUR                                                                                       \
    ROW("\"human\": 1, \"x\": 1, \"err\": 9")                                                      \
    ROW("\"human\": 2, \"x\": 2, \"err\": 4")                                                      \
    ROW("\"human\": 3, \"x\": 3, \"err\": 5")                                                      \
    ROW("\"human\": 4, \"x\": 4, \"err\": 1")

/* Of 24 orders 2 are as clear as x's; err's (one swap) has 4 of tau +-1 and 2/3 each: 8. */
TEST(test_study__p_values_of_ranks_are_exact)
{
    g_autoptr(TgStudy) study = study_of_lines(*state, "four", FOUR, &of_x_and_err,
                                              &(TgStudyOptions){ .table.lower = lower });
    const TgStudyCorrelation *x = tg_study_correlation(study, 0, 0, column_index(study, "x"));
    const TgStudyCorrelation *err = tg_study_correlation(study, 0, 0, column_index(study, "err"));

    tg_assert_near(x->coefficient[TG_SPEARMAN].p, 2.0 / 24, 1e-12);
    tg_assert_near(x->coefficient[TG_KENDALL].p, 2.0 / 24, 1e-12);
    tg_assert_near(err->coefficient[TG_KENDALL].value, 4.0 / 6, 1e-12);
    tg_assert_near(err->coefficient[TG_KENDALL].p, 8.0 / 24, 1e-12);
    tg_assert_says(text_of(study, "correlations", TG_GRID_TABLE),
                   "p-values of Spearman and Kendall are exact", NULL);
}

/* x is the human score: every resample has 1, but for 4 in 256 that draw one pair four times. */
TEST(test_study__undefined_resamples_are_counted)
{
    g_autoptr(TgStudy) study = study_of_lines(*state, "resamples", FOUR, &of_x_and_err,
                                              &(TgStudyOptions){ .resamples = 2000 });
    g_autofree char *text = text_of(study, "correlations", TG_GRID_TABLE);
    const TgBootstrap *x = &tg_study_correlation(study, 0, 0, column_index(study, "x"))
                                ->coefficient[TG_PEARSON]
                                .bootstrap;
    g_autofree char *note = g_strdup_printf("x: undefined in %u of 2000 resamples", x->n_undefined);

    assert_in_range(x->n_undefined, 15, 50); /* 31 are expected, three standard deviations are 17 */
    assert_true(isnan(x->percentile[0]) && isnan(x->bca[1]) && isnan(x->t[0]));
    tg_assert_holds(text, note, NULL);
    tg_assert_holds(text, "x: no interval, all resamples agree", NULL);
    assert_null(strstr(text, "[1.000, 1.000]"));
    tg_assert_says(text_of(study, "correlations", TG_GRID_CSV), "undefined_resamples", NULL);
}

/* Eleven columns are 55 comparisons: 1000 resamples give Holm's p of the bootstrap no chance to
 * fall below .05. */
TEST(test_study__resamples_suit_the_comparisons)
{
    static const char *const columns[] = { "c0", "c1", "c2", "c3", "c4", "c5",
                                           "c6", "c7", "c8", "c9", NULL };
    const TgEvalOptions how = { .metrics = "exprate", .source.columns = columns };
    const TgStudyOptions defaults = { 0 };
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint i = 0; i < 20; i++) {
        g_string_append_printf(lines, "{\"gt\": \"x\", \"pred\": \"%s\", \"human\": %u",
                               i % 3 ? "x" : "y", i);
        for (guint c = 0; c < 10; c++)
            g_string_append_printf(lines, ", \"c%u\": %u", c, (i * (c + 3)) % 17);
        g_string_append(lines, "}\n");
    }
    g_autofree char *path = tg_results_of_lines(*state, "many", lines->str, &how);
    g_autoptr(TgStudy) study = study_of(path, &defaults);
    g_autofree char *text = text_of(study, "comparisons", TG_GRID_TABLE);

    assert_int_equal(study->comparisons->len, 55);
    assert_int_equal(study->options.resamples, 1000);
    assert_int_equal(study->comparison_resamples, 5000);
    tg_assert_holds(text, "Bootstrap: 5000 resamples", NULL);
}

/* r of x is 4/5, of err -11.5/sqrt(5 * 32.75) = -.8987. */
TEST(test_study__comparisons_are_one_list)
{
    g_autoptr(TgStudy) study = study_of_lines(
        *state, "sides",
        ROW("\"human\": 1, \"x\": 1, \"err\": 9") ROW("\"human\": 2, \"x\": 3, \"err\": 4")
            ROW("\"human\": 3, \"x\": 2, \"err\": 5") ROW("\"human\": 4, \"x\": 4, \"err\": 1"),
        &of_x_and_err, &(TgStudyOptions){ 0 });
    g_autofree char *text = text_of(study, "comparisons", TG_GRID_TABLE);

    tg_assert_holds(text, "0.8000", "-0.8987", "for the 3 comparisons of this table", NULL);
    assert_null(strstr(text, "row - column"));
}

#define RATED(model, human, x, err)                                                                \
    "{\"model\": \"" model "\", \"gt\": \"x\", \"pred\": \"x\", \"human\": " #human ", \"x\": " #x \
    ", \"err\": " #err "}\n"

/*
 * Means of a: human 1, x 10, err 5; b: 2, 20, 2; c: 3, 40, 2.5. Deviations of x: -40/3, -10/3,
 * 50/3; of human -1, 0, 1. The pair without x counts for err alone.
 */
TEST(test_study__correlation_over_models)
{
    g_autoptr(TgStudy) study =
        study_of_lines(*state, "models",
                       RATED("a", 1, 5, 4) RATED("a", 1, 15, 6) RATED("b", 1, 20, 2)
                           RATED("b", 3, 20, 2) RATED("c", 3, 40, 1) RATED("c", 3, null, 4),
                       &of_x_and_err, &(TgStudyOptions){ .table.lower = lower });
    const guint x = column_index(study, "x"), err = column_index(study, "err");
    guint n_found = 0;

    for (guint i = 0; i < study->correlations->len; i++) {
        const TgStudyCorrelation *s = study->correlations->pdata[i];

        if (s->column == x) {
            n_found++;
            assert_int_equal(s->n_models, 3);
            assert_int_equal(s->n_pairs, 5);
            tg_assert_near(s->of_models[TG_PEARSON].value, 30 / sqrt(1400.0 / 3 * 2), 1e-9);
            tg_assert_near(s->of_models[TG_SPEARMAN].value, 1, 1e-12);
            tg_assert_near(s->of_models[TG_SPEARMAN].p, 2.0 / 6, 1e-12);
        } else if (s->column == err) { /* turned: -5, -2, -2.5 */
            n_found++;
            assert_int_equal(s->n_pairs, 6);
            tg_assert_near(s->of_models[TG_SPEARMAN].value, 0.5, 1e-12);
            tg_assert_near(s->of_models[TG_KENDALL].p, 1, 1e-12);
        }
    }
    assert_int_equal(n_found, 2);
    tg_assert_says(text_of(study, "systems", TG_GRID_TABLE),
                   "Correlation over models (system level)", NULL);
}

TEST(test_study__two_models_have_no_correlation)
{
    g_autoptr(TgStudy) study =
        study_of_lines(*state, "two", RATED("a", 1, 5, 4) RATED("b", 3, 20, 2), &of_x_and_err,
                       &(TgStudyOptions){ .resamples = 20 });

    for (guint i = 0; i < study->correlations->len; i++)
        assert_int_equal(((TgStudyCorrelation *) study->correlations->pdata[i])->n_models, 0);
}

/* Three raters of 30 pairs who differ by at most 1: intervals hold the values and have a width. */
TEST(test_study__agreement_has_intervals)
{
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint i = 0; i < 30; i++)
        g_string_append_printf(lines,
                               "{\"gt\": \"x\", \"pred\": \"x\", \"x\": 1, \"human\": [%u, %u, "
                               "%u]}\n",
                               i % 5, i % 5 + (i % 3 == 0), i % 5 + (i % 4 == 0));
    g_autoptr(TgStudy) study = study_of_lines(*state, "raters", lines->str, &of_x_and_err,
                                              &(TgStudyOptions){ .resamples = 200 });
    const TgStudyRaters *raters = study->raters->pdata[0];
    g_autofree char *text = text_of(study, "raters", TG_GRID_TABLE);

    assert_true(raters->has_icc);
    for (guint i = 0; i < TG_N_AGREEMENTS; i++) {
        const TgBootstrap *b = &raters->bootstrap[i];

        assert_true(b->percentile[0] < b->estimate && b->estimate < b->percentile[1]);
        assert_true(b->bca[0] < b->bca[1]);
        tg_assert_holds(text, tg_study_figure_names[i], NULL);
    }
    double alpha;
    tg_must(tg_stats_krippendorff(raters->ratings, raters->n_pairs, raters->n_raters, TG_INTERVAL,
                                  &alpha, &error));
    tg_assert_near(raters->bootstrap[TG_INTERVAL].estimate, alpha, 0);
    tg_assert_near(raters->bootstrap[TG_FIRST_ICC].estimate, raters->icc[TG_ICC_1_1], 0);
    tg_assert_near(raters->bootstrap[TG_N_AGREEMENTS - 1].estimate, raters->icc[TG_ICC_3_K], 0);
}

/* x lacks a score, so the matrix mixes differences of 4 and of 5 pairs. */
TEST(test_study__numbers_of_pairs_are_shown)
{
    g_autoptr(TgStudy) study =
        study_of_lines(*state, "pairs", FOUR ROW("\"human\": 2, \"x\": null, \"err\": 3"),
                       &of_x_and_err, &(TgStudyOptions){ .resamples = 20 });

    tg_assert_says(text_of(study, "comparisons", TG_GRID_TABLE), "exprate  err  5",
                   "x        err  4", NULL);
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
