/* Studies of few pairs, of many columns, and of whole models. */
#include "tests/support/results_support.h"

#include "eval/study/study.h"

static TgStudy *study_of(const char *path, const TgStudyOptions *options)
{
    const char *const paths[] = { path, NULL };
    GError *error = NULL;
    TgStudy *study = tg_study_run(paths, options, &error);

    tg_assert_no_error(error);
    assert_non_null(study);
    return study;
}

static const char *const stored[] = { "x", "err", NULL };
static const char *const lower[] = { "err", NULL };
static const TgEvalOptions plain = { .metrics = "exprate", .columns = stored };

#define ROW(rest) "{\"gt\": \"x\", \"pred\": \"x\", " rest "}\n"

static guint index_of(const TgStudy *study, const char *name)
{
    guint index;

    assert_true(
        g_ptr_array_find(study->table->columns, tg_table_find(study->table, name, NULL), &index));
    return index;
}

static char *text_of(const TgStudy *study, TgStudyParts parts, TgGridStyle style)
{
    return tg_study_format(study, parts, &(TgGridForm){ .style = style });
}

static void assert_says(const char *text, const char *wanted)
{
    if (strstr(text, wanted) == NULL)
        fail_msg("'%s' is not in:\n%s", wanted, text);
}

#define FOUR                                                                                       \
    ROW("\"human\": 1, \"x\": 1, \"err\": 9")                                                      \
    ROW("\"human\": 2, \"x\": 2, \"err\": 4")                                                      \
    ROW("\"human\": 3, \"x\": 3, \"err\": 5")                                                      \
    ROW("\"human\": 4, \"x\": 4, \"err\": 1")

/* Of 24 orders 2 are as clear as x's; err's (one swap) has 4 of tau +-1 and 2/3 each: 8. */
TEST(test_study_small__p_values_of_ranks_are_exact)
{
    g_autofree char *path = tg_results_of_lines(*state, "four", FOUR, &plain);
    const TgStudyOptions options = { .table.lower = lower };
    g_autoptr(TgStudy) study = study_of(path, &options);
    g_autofree char *text = text_of(study, TG_STUDY_CORRELATIONS, TG_GRID_TABLE);
    const TgStudyCorrelation *x = tg_study_correlation(study, 0, 0, index_of(study, "x"));
    const TgStudyCorrelation *err = tg_study_correlation(study, 0, 0, index_of(study, "err"));

    tg_assert_near(x->coefficient[TG_SPEARMAN].p, 2.0 / 24, 1e-12);
    tg_assert_near(x->coefficient[TG_KENDALL].p, 2.0 / 24, 1e-12);
    tg_assert_near(err->coefficient[TG_KENDALL].value, 4.0 / 6, 1e-12);
    tg_assert_near(err->coefficient[TG_KENDALL].p, 8.0 / 24, 1e-12);
    assert_says(text, "p-values of Spearman and Kendall are exact");
}

/* x is the human score: every resample has 1, but for 4 in 256 that draw one pair four times. */
TEST(test_study_small__undefined_resamples_are_counted)
{
    g_autofree char *path = tg_results_of_lines(*state, "resamples", FOUR, &plain);
    const TgStudyOptions options = { .resamples = 2000 };
    g_autoptr(TgStudy) study = study_of(path, &options);
    g_autofree char *text = text_of(study, TG_STUDY_CORRELATIONS, TG_GRID_TABLE);
    g_autofree char *csv = text_of(study, TG_STUDY_CORRELATIONS, TG_GRID_CSV);
    const TgBootstrap *x =
        &tg_study_correlation(study, 0, 0, index_of(study, "x"))->coefficient[TG_PEARSON].bootstrap;
    g_autofree char *note = g_strdup_printf("x: undefined in %u of 2000 resamples", x->n_undefined);

    assert_in_range(x->n_undefined, 15, 50); /* 31 are expected, three standard deviations are 17 */
    assert_true(isnan(x->percentile[0]) && isnan(x->bca[1]) && isnan(x->t[0]));
    assert_says(text, note);
    assert_says(text, "x: no interval, all resamples agree");
    assert_null(strstr(text, "[1.000, 1.000]"));
    assert_says(csv, "undefined_resamples");
}

/* Eleven columns are 55 comparisons: 1000 resamples give Holm's p no chance to fall below .05. */
TEST(test_study_small__resamples_suit_the_comparisons)
{
    static const char *const columns[] = { "c0", "c1", "c2", "c3", "c4", "c5",
                                           "c6", "c7", "c8", "c9", NULL };
    const TgEvalOptions how = { .metrics = "exprate", .columns = columns };
    const TgStudyOptions defaults = { 0 }, few = { .resamples = 1000 };
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
    g_autoptr(TgStudy) short_one = study_of(path, &few);
    g_autofree char *text = text_of(study, TG_STUDY_COMPARISONS, TG_GRID_TABLE);
    g_autofree char *short_text = text_of(short_one, TG_STUDY_COMPARISONS, TG_GRID_TABLE);

    assert_int_equal(study->comparisons->len, 55);
    assert_int_equal(study->resamples, 1000);
    assert_int_equal(study->comparison_resamples, 5000);
    assert_says(text, "Bootstrap: 5000 resamples");
    assert_null(strstr(text, "too few"));
    assert_says(short_text, "too few for 55 comparisons: Holm's p of the bootstrap cannot fall "
                            "below 0.055");
}

/* r of x is 4/5, of err -11.5/sqrt(5 * 32.75) = -.8987: their difference stands on both sides. */
TEST(test_study_small__differences_stand_on_both_sides)
{
    g_autofree char *path = tg_results_of_lines(
        *state, "sides",
        ROW("\"human\": 1, \"x\": 1, \"err\": 9") ROW("\"human\": 2, \"x\": 3, \"err\": 4")
            ROW("\"human\": 3, \"x\": 2, \"err\": 5") ROW("\"human\": 4, \"x\": 4, \"err\": 1"),
        &plain);
    const TgStudyOptions options = { 0 };
    g_autoptr(TgStudy) study = study_of(path, &options);
    g_autofree char *text = text_of(study, TG_STUDY_COMPARISONS, TG_GRID_TABLE);

    assert_says(text, "row - column");
    assert_says(text, "+1.699");
    assert_says(text, "-1.699");
}

#define RATED(model, human, x, err)                                                                \
    "{\"model\": \"" model "\", \"gt\": \"x\", \"pred\": \"x\", \"human\": " #human ", \"x\": " #x \
    ", \"err\": " #err "}\n"

/*
 * Means of a: human 1, x 10, err 5; b: 2, 20, 2; c: 3, 40, 2.5. Deviations of x: -40/3, -10/3,
 * 50/3; of human -1, 0, 1. The pair without x counts for err alone.
 */
TEST(test_study_small__correlation_over_models)
{
    g_autofree char *path =
        tg_results_of_lines(*state, "models",
                            RATED("a", 1, 5, 4) RATED("a", 1, 15, 6) RATED("b", 1, 20, 2)
                                RATED("b", 3, 20, 2) RATED("c", 3, 40, 1) RATED("c", 3, null, 4),
                            &plain);
    const TgStudyOptions options = { .table.lower = lower };
    g_autoptr(TgStudy) study = study_of(path, &options);
    g_autofree char *text = text_of(study, TG_STUDY_SYSTEMS, TG_GRID_TABLE);
    const guint x = index_of(study, "x"), err = index_of(study, "err");
    guint n_found = 0;

    for (guint i = 0; i < study->systems->len; i++) {
        const TgStudySystems *s = study->systems->pdata[i];

        if (s->column == x) {
            n_found++;
            assert_int_equal(s->n_models, 3);
            assert_int_equal(s->n_pairs, 5);
            tg_assert_near(s->coefficient[TG_PEARSON], 30 / sqrt(1400.0 / 3 * 2), 1e-9);
            tg_assert_near(s->coefficient[TG_SPEARMAN], 1, 1e-12);
            tg_assert_near(s->p[TG_SPEARMAN], 2.0 / 6, 1e-12);
        } else if (s->column == err) { /* turned: -5, -2, -2.5 */
            n_found++;
            assert_int_equal(s->n_pairs, 6);
            tg_assert_near(s->coefficient[TG_SPEARMAN], 0.5, 1e-12);
            tg_assert_near(s->p[TG_KENDALL], 1, 1e-12);
        }
    }
    assert_int_equal(n_found, 2);
    assert_says(text, "Correlation over models (system level)");
}

TEST(test_study_small__two_models_have_no_correlation)
{
    g_autofree char *path =
        tg_results_of_lines(*state, "two", RATED("a", 1, 5, 4) RATED("b", 3, 20, 2), &plain);
    const TgStudyOptions options = { .resamples = 20 };
    g_autoptr(TgStudy) study = study_of(path, &options);

    assert_int_equal(study->systems->len, 0);
}

/* Three raters of 30 pairs who differ by at most 1: intervals hold the values and have a width. */
TEST(test_study_small__agreement_has_intervals)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    const TgStudyOptions options = { .resamples = 200 };

    for (guint i = 0; i < 30; i++)
        g_string_append_printf(lines,
                               "{\"gt\": \"x\", \"pred\": \"x\", \"x\": 1, \"human\": [%u, %u, "
                               "%u]}\n",
                               i % 5, i % 5 + (i % 3 == 0), i % 5 + (i % 4 == 0));
    g_autofree char *path = tg_results_of_lines(*state, "raters", lines->str, &plain);
    g_autoptr(TgStudy) study = study_of(path, &options);
    const TgStudyRaters *raters = study->raters->pdata[0];
    g_autofree char *text = text_of(study, TG_STUDY_RATERS, TG_GRID_TABLE);

    assert_true(raters->has_icc);
    for (guint i = 0; i < TG_N_AGREEMENTS; i++) {
        const TgBootstrap *b = &raters->bootstrap[i];

        assert_true(b->percentile[0] < b->estimate && b->estimate < b->percentile[1]);
        assert_true(b->bca[0] < b->bca[1]);
        assert_says(text, tg_study_agreement_name(i));
    }
    tg_assert_near(raters->bootstrap[TG_INTERVAL].estimate, raters->alpha[TG_INTERVAL], 0);
    tg_assert_near(raters->bootstrap[TG_FIRST_ICC].estimate, raters->icc.icc_1_1, 0);
    tg_assert_near(raters->bootstrap[TG_N_AGREEMENTS - 1].estimate, raters->icc.icc_3_k, 0);
}

/* x lacks a score, so the matrix mixes differences of 4 and of 5 pairs. */
TEST(test_study_small__numbers_of_pairs_are_shown)
{
    g_autofree char *path = tg_results_of_lines(
        *state, "pairs", FOUR ROW("\"human\": 2, \"x\": null, \"err\": 3"), &plain);
    const TgStudyOptions options = { .resamples = 20 };
    g_autoptr(TgStudy) study = study_of(path, &options);
    g_autofree char *text = text_of(study, TG_STUDY_COMPARISONS, TG_GRID_TABLE);

    assert_says(text, "Each difference is of the pairs that both metrics score, 4 to 5 of them");
}

TEST_GROUP(cli_make_scratch, cli_remove_scratch)
