/* Models that are equally good: false verdicts are as rare as promised, and no two outputs say
 * different things. */
#include "tests/support/results_support.h"

#include "core/random.h"
#include "eval/compare/compare.h"
#include "eval/report/private.h"
#include "eval/study/study.h"

enum { N_RUNS = 1000, N_PAIRS = 40, LENGTH = 8 };

/* Both models misread each letter of a formula with the same chance, the formula's. */
static char *equal_models(TgRandom *random)
{
    GString *lines = g_string_new(NULL);

    for (guint i = 0; i < N_PAIRS; i++) {
        const double difficulty = tg_random_double(random);

        for (guint m = 0; m < 2; m++) {
            char hyp[LENGTH + 1] = "";

            for (guint k = 0; k < LENGTH; k++)
                hyp[k] = tg_random_double(random) < difficulty ? 'y' : 'x';
            g_string_append_printf(lines,
                                   "{\"model\": \"%s\", \"id\": \"%u\", \"gt\": "
                                   "\"xxxxxxxx\", \"pred\": \"%s\"}\n",
                                   m == 0 ? "a" : "b", i, hyp);
        }
    }
    return g_string_free(lines, FALSE);
}

/* The columns p and q follow people's ratings equally badly. */
static char *equal_metrics(TgRandom *random)
{
    GString *lines = g_string_new(NULL);

    for (guint i = 0; i < N_PAIRS; i++) {
        const double human = tg_random_double(random);

        g_string_append_printf(lines,
                               "{\"gt\": \"x\", \"pred\": \"x\", \"human\": %d, \"p\": %d, "
                               "\"q\": %d}\n",
                               (int) (1e6 * human),
                               (int) (1e6 * (human + 2 * tg_random_double(random))),
                               (int) (1e6 * (human + 2 * tg_random_double(random))));
    }
    return g_string_free(lines, FALSE);
}

static json_t *rows_of(char *text, const char *key)
{
    json_auto_t *all = json_loads(text, 0, NULL);

    assert_non_null(all);
    g_free(text);
    return json_incref(json_object_get(all, key));
}

/* Whether a row has the verdict of a difference; its interval must agree. */
static gboolean is_difference(const json_t *row, const char *interval_path, const char *interval)
{
    const char *verdict = json_string_value(json_object_get(row, "verdict"));
    const json_t *ends = json_object_get(json_object_get(row, interval_path), interval);
    const double low = json_number_value(json_array_get(ends, 0));
    const double high = json_number_value(json_array_get(ends, 1));
    const gboolean differ = strcmp(verdict, "no significant difference") != 0;

    assert_true(strcmp(verdict, "better") == 0 || strcmp(verdict, "worse") == 0 || !differ);
    if (differ)
        assert_true(strcmp(verdict, "better") == 0 ? low > 0 : high < 0);
    return differ;
}

/* Compare says it of b beside a; the report in its headline and in the marks of its tables. */
static gboolean models_differ(const char *path, guint64 run)
{
    const char *const paths[] = { path, NULL };
    const TgCompareOptions compare = { .tests.resamples = 200, .tests.seed = run, .threads = 1 };
    const TgReportOptions options = {
        .no_drawings = TRUE, .resamples = 200, .seed = run, .threads = 1
    };
    const TgGridForm json = { .style = TG_GRID_JSON };
    g_autoptr(TgComparison) comparison = tg_compare_run(paths, &compare, NULL);
    g_autoptr(TgReport) report = tg_report_new(paths, &options, NULL);
    json_auto_t *rows = NULL;

    assert_non_null(comparison);
    assert_non_null(report);
    rows = rows_of(tg_comparison_format(comparison, &json), "comparisons");
    const gboolean differ = is_difference(json_array_get(rows, 0), "bootstrap", "t");
    const char *better =
        !differ ? NULL
        : strcmp(json_string_value(json_object_get(json_array_get(rows, 0), "verdict")),
                 "better") == 0
            ? "b is better than a on edit"
            : "a is better than b on edit";
    g_autofree char *markdown = tg_report_format(report, TG_REPORT_MARKDOWN);
    assert_int_equal(strstr(markdown, "\nOn edit there is no significant difference between a and "
                                      "b") != NULL,
                     !differ);
    assert_int_equal(strstr(markdown, " is better than ") != NULL, differ);
    assert_true(better == NULL || strstr(markdown, better) != NULL);
    if (differ) /* equal values are both the best */
        assert_null(strstr(markdown, "= |"));
    return differ;
}

/* Study says it of the columns p and q, in its list and by the stars of its matrix. */
static gboolean metrics_differ(const char *path, guint64 run)
{
    static const char *const stored[] = { "p", "q", NULL };
    const char *const paths[] = { path, NULL };
    const TgStudyOptions options = {
        .table.stored = stored, .resamples = 200, .seed = run, .threads = 1
    };
    g_autoptr(TgStudy) study = tg_study_run(paths, &options, NULL);
    json_auto_t *rows = NULL;

    assert_non_null(study);
    rows = rows_of(tg_study_format(study, (const char *const[]){ "comparisons", NULL },
                                   &(TgGridForm){ .style = TG_GRID_JSON }),
                   "comparisons");
    for (guint i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);

        if (strcmp(json_string_value(json_object_get(row, "a")), "p") == 0 &&
            strcmp(json_string_value(json_object_get(row, "b")), "q") == 0)
            return is_difference(row, "bootstrap", "bca");
    }
    fail_msg("p and q are not compared");
    return FALSE;
}

/* 3 to 7 % of 1,000 runs at 0.05. */
TEST(test_verdicts__are_false_as_often_as_promised_and_never_contradict)
{
    static const char *const columns[] = { "p", "q", NULL };
    static const TgEvalOptions of_models = { .metrics = "edit" };
    static const TgEvalOptions of_metrics = { .metrics = "edit", .source.columns = columns };
    guint n_models = 0, n_metrics = 0;

    for (guint64 run = 0; run < N_RUNS; run++) {
        TgRandom random;

        tg_random_seed(&random, 7, run);
        g_autofree char *models = equal_models(&random), *metrics = equal_metrics(&random);
        g_autofree char *path = tg_results_of_lines(*state, "models", models, &of_models);
        g_autofree char *rated = tg_results_of_lines(*state, "metrics", metrics, &of_metrics);

        n_models += models_differ(path, run) != FALSE;
        n_metrics += metrics_differ(rated, run) != FALSE;
        assert_int_equal(g_remove(path) | g_remove(rated), 0);
    }
    print_message("# models %u, metrics %u of %u\n", n_models, n_metrics, N_RUNS);
    assert_in_range(n_models, 30, 70);
    assert_in_range(n_metrics, 30, 70);
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
