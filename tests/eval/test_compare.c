#include "tests/support/results_support.h"

#include "eval/compare/compare.h"

static const char *const stored[] = { "x", "err", NULL };
static const char *const lower[] = { "err", NULL };
static const TgEvalOptions plain = { .metrics = "exprate", .source.columns = stored };

#define ROW(model, id, rest)                                                                       \
    "{\"model\": \"" model "\", \"id\": \"" id "\", \"gt\": \"" id "\", \"pred\": \"p\", " rest    \
    "}\n"

/* a and b share 1 to 4 in two subsets; 5 is a's, 6 is b's alone. b's x is higher by 1 1 0 -1. */
#define TWO_MODELS                                                                                 \
    ROW("a", "1", "\"subset\": \"s\", \"x\": 1, \"err\": 3")                                       \
    ROW("a", "2", "\"subset\": \"s\", \"x\": 2, \"err\": 3")                                       \
    ROW("a", "3", "\"subset\": \"t\", \"x\": 3, \"err\": 3")                                       \
    ROW("a", "4", "\"subset\": \"t\", \"x\": 4, \"err\": 3")                                       \
    ROW("a", "5", "\"subset\": \"t\", \"x\": 9, \"err\": 9")                                       \
    ROW("b", "4", "\"subset\": \"t\", \"x\": 3, \"err\": 1")                                       \
    ROW("b", "3", "\"subset\": \"t\", \"x\": 3, \"err\": 1")                                       \
    ROW("b", "2", "\"subset\": \"s\", \"x\": 3, \"err\": 1")                                       \
    ROW("b", "1", "\"subset\": \"s\", \"x\": 2, \"err\": null")                                    \
    ROW("b", "6", "\"subset\": \"t\", \"x\": 9, \"err\": 9")

static TgComparison *compare_of(const char *path, const TgCompareOptions *options)
{
    const char *const paths[] = { path, NULL };

    return tg_must(tg_compare_run(paths, options, &error));
}

/* (transfer full) */
static char *text_of(const TgComparison *comparison, TgGridStyle style)
{
    return tg_comparison_format(comparison, &(TgGridForm){ .style = style });
}

static const TgComparedColumn *column_of(const TgComparison *comparison, const char *name,
                                         const char *subset)
{
    for (guint i = 0; i < comparison->columns->len; i++) {
        const TgComparedColumn *c = comparison->columns->pdata[i];

        if (strcmp(tg_table_column(comparison->table, c->column)->name, name) == 0 &&
            (subset == NULL
                 ? c->subset < 0
                 : c->subset >= 0 &&
                       strcmp(tg_table_subset(comparison->table, (guint) c->subset), subset) == 0))
            return c;
    }
    fail_msg("no comparison of %s", name);
    return NULL;
}

TEST(test_compare__pairs_rows_by_subset_and_id)
{
    g_autofree char *path = tg_results_of_lines(*state, "two", TWO_MODELS, &plain);
    const TgCompareOptions options = { .table.lower = lower, .tests.trials = 200, .pairs = 2 };
    g_autoptr(TgComparison) comparison = compare_of(path, &options);
    const TgComparedColumn *x = column_of(comparison, "x", NULL);
    const TgComparedColumn *err = column_of(comparison, "err", NULL);
    const TgComparedColumn *s = column_of(comparison, "x", "s");
    const TgPairing *pairing = x->pairing;

    assert_int_equal(pairing->n, 4);
    assert_int_equal(pairing->n_only_a, 1);
    assert_int_equal(pairing->n_only_b, 1);
    assert_int_equal(x->n, 4);
    tg_assert_near(x->test.base, 2.5, 1e-12);
    tg_assert_near(x->test.system, 2.75, 1e-12);
    tg_assert_near(x->test.bootstrap.estimate, 0.25, 1e-12);
    assert_int_equal(x->effect.n_higher, 2);
    assert_int_equal(x->effect.n_equal, 1);
    assert_int_equal(x->effect.n_lower, 1);
    assert_int_equal(x->n_pairs, 2); /* of three that differ by 1, the first two of the base */
    assert_string_equal(comparison->table->rows[x->pairs[0].base].id, "1");
    assert_string_equal(comparison->table->rows[x->pairs[0].other].id, "1");
    assert_string_equal(comparison->table->rows[x->pairs[1].base].id, "2");
    tg_assert_near(err->test.system, 1.0, 1e-12); /* the mean of the three that are defined */
    assert_int_equal(err->effect.n_higher, 3);    /* lower is better, so b wins */
    assert_int_equal(err->effect.n, 3);
    assert_int_equal(s->n, 2);
    tg_assert_near(s->test.system - s->test.base, 1.0, 1e-12);
    assert_int_equal(s->n_pairs, 0);
}

/*
 * Twenty pairs without ids, b always higher by 1: every resample has the difference 1, so none is
 * as far from their mean as that, and of 2^20 swaps two are as far apart as the models are.
 */
TEST(test_compare__clear_difference_is_significant)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    const TgCompareOptions options = { .tests.trials = 999, .tests.resamples = 99 };

    for (guint i = 0; i < 40; i++)
        g_string_append_printf(lines,
                               "{\"model\": \"%s\", \"gt\": \"%u\", \"pred\": \"\", \"x\": %u}\n",
                               i % 2 ? "b" : "a", i / 2, i / 2 % 5 + i % 2);
    g_autofree char *path = tg_results_of_lines(*state, "clear", lines->str, &plain);
    g_autoptr(TgComparison) comparison = compare_of(path, &options);
    const TgComparedColumn *x = column_of(comparison, "x", NULL);

    assert_int_equal(x->n, 20);
    tg_assert_near(x->test.bootstrap_p, 1.0 / 100, 1e-12);
    tg_assert_near(x->test.randomization_p, 2.0 / 1048576, 1e-15);
    tg_assert_near(x->test.bootstrap.percentile[0], 1.0, 1e-9);
    tg_assert_near(x->test.bootstrap.percentile[1], 1.0, 1e-9);
    assert_true(isnan(x->effect.d_z)); /* a difference that never varies */
    tg_assert_near(x->effect.superiority, 1.0, 0);
}

/*
 * Of @n pairs without ids, b's x and lower-is-better err are better on the first @n_better.
 * Returns a results file. (transfer full)
 */
static char *some_better(const char *folder, const char *name, guint n, guint n_better)
{
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint i = 0; i < 2 * n; i++) {
        const gboolean better = i % 2 && i / 2 < n_better;

        g_string_append_printf(lines,
                               "{\"model\": \"%s\", \"gt\": \"%u\", \"pred\": \"\", \"x\": %d, "
                               "\"err\": %d}\n",
                               i % 2 ? "b" : "a", i / 2, better, !better);
    }
    return tg_results_of_lines(folder, name, lines->str, &plain);
}

/* Better on 1 pair of 200: p = 1; on 3: 2/8; on none: nothing to test. */
TEST(test_compare__a_few_better_pairs_prove_nothing)
{
    static const double wanted[] = { NAN, 1, 0.5, 0.25 };
    const TgCompareOptions options = { .table.lower = lower };

    for (guint n = 0; n < G_N_ELEMENTS(wanted); n++) {
        g_autofree char *path = some_better(*state, "few", 200, n);
        g_autoptr(TgComparison) comparison = compare_of(path, &options);
        g_autofree char *text = text_of(comparison, TG_GRID_TABLE);
        const TgComparedColumn *x = column_of(comparison, "x", NULL);

        assert_int_equal(x->test.n_differing, n);
        assert_int_equal(x->verdict, TG_VERDICT_NO_DIFFERENCE);
        if (n == 0)
            assert_true(isnan(x->test.randomization_p) && isnan(x->test.bootstrap_p));
        else
            tg_assert_near(x->test.randomization_p, wanted[n], 1e-15);
        assert_int_equal(isnan(x->test.bootstrap.t[0]), n == 0);
        assert_non_null(strstr(text, "Fewer than 10 pairs differ: "));
    }
}

/* Six better pairs of each of two columns: p = 2/64, Holm's 4/64. */
TEST(test_compare__verdict_holds_for_all_tests_together)
{
    static const char *const x_alone[] = { "x", NULL };
    const TgCompareOptions both = { .table.lower = lower }, one = { .table.stored = x_alone };
    g_autofree char *path = some_better(*state, "six", 30, 6);
    g_autoptr(TgComparison) comparison = compare_of(path, &both);
    g_autoptr(TgComparison) alone = compare_of(path, &one);
    const TgComparedColumn *x = column_of(comparison, "x", NULL);
    const TgComparedColumn *single = column_of(alone, "x", NULL);

    tg_assert_near(x->test.randomization_p, 2.0 / 64, 1e-15);
    tg_assert_near(x->adjusted[TG_RANDOMIZATION_TEST], 4.0 / 64, 1e-15);
    assert_int_equal(x->verdict, TG_VERDICT_NO_DIFFERENCE);
    tg_assert_near(single->adjusted[TG_RANDOMIZATION_TEST], 2.0 / 64, 1e-15);
    assert_int_equal(single->verdict, TG_VERDICT_BETTER);
}

TEST(test_compare__verdict_knows_the_direction)
{
    static const char *const bases[] = { "a", "b" };
    g_autofree char *path = some_better(*state, "direction", 30, 12);

    for (guint i = 0; i < 2; i++) {
        const TgCompareOptions options = { .table.lower = lower, .base = bases[i] };
        const TgVerdict wanted = i == 0 ? TG_VERDICT_BETTER : TG_VERDICT_WORSE;
        g_autoptr(TgComparison) comparison = compare_of(path, &options);

        assert_int_equal(column_of(comparison, "x", NULL)->verdict, wanted);
        assert_int_equal(column_of(comparison, "err", NULL)->verdict, wanted);
        for (TgGridStyle style = TG_GRID_TABLE; style <= TG_GRID_LATEX; style++) {
            g_autofree char *text = text_of(comparison, style);

            tg_assert_holds(text, "verdict", i == 0 ? "better" : "worse", "olm", NULL);
        }
    }
}

/* Two columns of 30 differing pairs: 39 trials give 2/40 at best, and the table says so. */
TEST(test_compare__too_few_trials_are_named)
{
    const TgCompareOptions few = { .table.lower = lower, .tests.trials = 39 },
                           enough = { .table.lower = lower };
    g_autofree char *path = some_better(*state, "trials", 30, 30);
    g_autoptr(TgComparison) comparison = compare_of(path, &few);
    g_autoptr(TgComparison) better = compare_of(path, &enough);
    g_autofree char *text = text_of(comparison, TG_GRID_TABLE);
    g_autofree char *plain_text = text_of(better, TG_GRID_TABLE);

    assert_non_null(strstr(text, "39 trials are too few for 2 tests"));
    assert_null(strstr(plain_text, "too few"));
}

/* 60 equal characters, then the difference: the tables show it, JSON has the whole formulas. */
TEST(test_compare__long_formulas_are_cut_around_the_difference)
{
    g_autofree char *start = g_strnfill(60, 'a');
    g_autofree char *end = g_strnfill(60, 'c');
    g_autofree char *lines =
        g_strdup_printf("{\"model\": \"a\", \"gt\": \"%s=%s\", \"pred\": \"%s=%s\", \"x\": 1, "
                        "\"err\": 0}\n"
                        "{\"model\": \"b\", \"gt\": \"%s=%s\", \"pred\": \"%s<%s\", \"x\": 0, "
                        "\"err\": 0}\n",
                        start, end, start, end, start, end, start, end);
    g_autofree char *whole = g_strdup_printf("%s<%s", start, end);
    g_autofree char *path = tg_results_of_lines(*state, "long", lines, &plain);
    const TgCompareOptions options = { .pairs = 1 };
    g_autoptr(TgComparison) comparison = compare_of(path, &options);
    g_autofree char *text = text_of(comparison, TG_GRID_TABLE);
    g_autofree char *json = text_of(comparison, TG_GRID_JSON);

    tg_assert_holds(text, "...aaaaaaaaaaaa=ccccccccccc...", "...aaaaaaaaaaaa<ccccccccccc...", NULL);
    assert_null(strstr(text, whole));
    tg_assert_holds(json, whole, NULL);
}

/* One right formula of twelve: the interval by Student's t would end below -1. */
TEST(test_compare__intervals_keep_to_what_is_possible)
{
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint i = 0; i < 24; i++)
        g_string_append_printf(lines,
                               "{\"model\": \"%s\", \"id\": \"%u\", \"gt\": \"x\", "
                               "\"pred\": \"%s\", \"x\": 1, \"err\": 0}\n",
                               i < 12 ? "a" : "b", i % 12, i < 13 ? "x" : "y");
    g_autofree char *path = tg_results_of_lines(*state, "bounds", lines->str, &plain);
    const TgCompareOptions options = { .tests.resamples = 200 };
    g_autoptr(TgComparison) comparison = compare_of(path, &options);
    const TgComparedColumn *exprate = comparison->columns->pdata[0];

    assert_string_equal(exprate->column_name, "exprate");
    assert_true(fabs(exprate->difference + 11.0 / 12) < 1e-9);
    assert_true(fabs(exprate->test.bootstrap.t[0] + 1) < 1e-12);
    assert_true(exprate->test.bootstrap.t[1] > -1 && exprate->test.bootstrap.t[1] < 0);
    assert_int_equal(exprate->verdict, TG_VERDICT_WORSE);
}

TEST(test_compare__threads_and_seed)
{
    g_autofree char *path = tg_results_of_lines(*state, "threads", TWO_MODELS, &plain);
    const TgCompareOptions one = { .tests.trials = 100, .tests.seed = 5, .threads = 1 };
    const TgCompareOptions many = { .tests.trials = 100, .tests.seed = 5, .threads = 8 };
    g_autoptr(TgComparison) a = compare_of(path, &one);
    g_autoptr(TgComparison) b = compare_of(path, &many);
    g_autofree char *text = text_of(b, TG_GRID_JSON);

    tg_assert_text(text_of(a, TG_GRID_JSON), text);
}

/* The other way round: differences change sign, p-values of sacrebleu's tests do not. */
TEST(test_compare__base_is_chosen)
{
    g_autofree char *path = tg_results_of_lines(*state, "base", TWO_MODELS, &plain);
    const TgCompareOptions first = { .tests.trials = 500, .tests.seed = 2 };
    const TgCompareOptions second = { .base = "b", .tests.trials = 500, .tests.seed = 2 };
    g_autoptr(TgComparison) ab = compare_of(path, &first);
    g_autoptr(TgComparison) ba = compare_of(path, &second);
    const TgComparedColumn *x = column_of(ab, "x", NULL), *y = column_of(ba, "x", NULL);

    assert_int_equal(ba->base, 1);
    tg_assert_near(y->test.bootstrap.estimate, -x->test.bootstrap.estimate, 1e-12);
    assert_int_equal(y->effect.n_lower, x->effect.n_higher);
}

TEST(test_compare__every_style_says_the_same)
{
    g_autofree char *path = tg_results_of_lines(*state, "styles", TWO_MODELS, &plain);
    const TgCompareOptions options = { .table.lower = lower, .tests.trials = 50, .pairs = 3 };
    g_autoptr(TgComparison) comparison = compare_of(path, &options);
    g_autofree char *table = text_of(comparison, TG_GRID_TABLE);
    g_autofree char *csv = text_of(comparison, TG_GRID_CSV);
    g_autofree char *json = text_of(comparison, TG_GRID_JSON);
    json_auto_t *all = json_loads(json, 0, NULL);

    tg_assert_holds(table, "b against a",
                    "Pairs that only one of them has: 1 of a, 1 of b; they are left out.",
                    "Left out of err, because a score is missing: 1 of 4 pairs.",
                    "Pairs that differ most in x", NULL);
    tg_assert_holds(csv, "\"a\",\"b\",\"x\",\"all\",4,2.5,2.75,0.25", NULL);
    assert_non_null(all);
    assert_int_equal(json_array_size(json_object_get(all, "comparisons")), 9);
    for (TgGridStyle style = TG_GRID_TABLE; style <= TG_GRID_LATEX; style++) {
        g_autofree char *text = text_of(comparison, style);

        assert_true(g_str_has_suffix(text, "\n"));
        assert_null(strstr(text, "nan"));
    }
}

TEST(test_compare__refuses_what_it_cannot_compare)
{
#define TRUTH(model, ref)                                                                          \
    "{\"model\": \"" model "\", \"id\": \"1\", \"gt\": \"" ref "\", \"pred\": \"\"}\n"
    static const struct {
        const char *lines;
        TgCompareOptions options;
        TgErrorCode code;
        const char *message;
    } cases[] = {
        { ROW("a", "1", "\"x\": 1"),
          { 0 },
          TG_ERROR_USAGE,
          "needs two models, and these results have one: a; name the results of another model" },
        { "", { 0 }, TG_ERROR_USAGE, "have 0" },
        { TRUTH("a", "u") TRUTH("b", "v"),
          { 0 },
          TG_ERROR_INPUT,
          "different references for id '1' (rows 1 and 2)" },
        { ROW("a", "1", "\"x\": 1") ROW("b", "2", "\"subset\": \"s\", \"x\": 1"),
          { 0 },
          TG_ERROR_INPUT,
          "'a' and 'b' have no pair in common: the first of one is '1' of no subset, of the other "
          "'2' of subset 's'" },
        { TWO_MODELS, { .base = "c" }, TG_ERROR_USAGE, "unknown model 'c'; the models are a, b" },
        { TWO_MODELS, { .tests.level = -1 }, TG_ERROR_USAGE, "between 0 and 1" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = tg_results_of_lines(*state, "wrong", cases[i].lines, &plain);
        const char *const paths[] = { path, NULL };

        tg_assert_fails(tg_compare_run(paths, &cases[i].options, &error), cases[i].code,
                        cases[i].message);
        g_remove(path);
    }
}

/* Nothing defined in the common pair: reported, not invented. */
TEST(test_compare__nothing_to_compare_is_undefined)
{
    g_autofree char *path = tg_results_of_lines(*state, "apart",
                                                ROW("a", "1", "\"x\": 1, \"err\": null")
                                                    ROW("b", "1", "\"x\": null, \"err\": null")
                                                        ROW("b", "3", "\"x\": 2, \"err\": 1"),
                                                &plain);
    const TgCompareOptions options = { .tests.trials = 20 };
    g_autoptr(TgComparison) comparison = compare_of(path, &options);
    g_autofree char *text = text_of(comparison, TG_GRID_TABLE);
    const TgComparedColumn *x = column_of(comparison, "x", NULL);

    assert_int_equal(x->n, 0);
    assert_int_equal(x->n_missing, 1);
    assert_true(isnan(x->test.system) && isnan(x->test.bootstrap_p) &&
                isnan(x->effect.mean_difference));
    assert_null(strstr(text, "nan"));
}

/* ---- thresholds ---- */

/* Fails unless the gate lets @path pass or not, and the report holds @part, or is "=REPORT". */
static void assert_gate(const char *path, const TgGateOptions *options, gboolean wanted,
                        const char *part)
{
    const char *const paths[] = { path, NULL };
    g_autofree char *report = NULL;
    gboolean passed;

    tg_must(tg_gate_check(paths, options, &report, &passed, &error));
    assert_int_equal(passed, wanted);
    assert_int_equal(strstr(report, "FAIL ") == NULL, wanted);
    if (*part == '=')
        assert_string_equal(report, part + 1);
    else
        tg_assert_holds(report, part, NULL);
}

/* x of a is 19/5 = 3.8, of b 4; err of a 21/5 = 4.2, of b 3. */
TEST(test_gate__fixed_values)
{
    g_autofree char *path = tg_results_of_lines(*state, "gate", TWO_MODELS, &plain);
    static const struct {
        const char *limit;
        gboolean passed;
    } cases[] = {
        { "x=3.8", TRUE },
        { "x=3.81", FALSE },
        { "err=4.2", TRUE },
        { "err=4.1", FALSE },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const TgGateOptions options = { .fail_under = (const char *const[]){ cases[i].limit, NULL },
                                        .table.lower = lower };

        assert_gate(path, &options, cases[i].passed, "ok   b: ");
        if (!cases[i].passed)
            assert_gate(path, &options, FALSE, "FAIL a: ");
    }
}

#define SINGLE(x) ROW("new", "1", "\"x\": " #x ", \"err\": 1")

TEST(test_gate__baseline_with_tolerance)
{
    g_autofree char *old = tg_results_of_lines(*state, "old", SINGLE(0.95), &plain);
    g_autofree char *less = tg_results_of_lines(*state, "less", SINGLE(0.94), &plain);
    TgGateOptions options = { .baseline = old };

    /* a stored column counts only where a tolerance names it */
    assert_gate(less, &options, TRUE, "=ok   new: exprate 0, baseline 0, tolerance 0\n");
    options.tolerances = (const char *const[]){ "x=0.01", NULL };
    assert_gate(less, &options, TRUE, "ok   new: x 0.94, baseline 0.95, tolerance 0.01");
    options.tolerances = (const char *const[]){ "0.5", "x=0.005", NULL };
    assert_gate(less, &options, FALSE, "FAIL new: x 0.94");
    options.tolerances = (const char *const[]){ "x=0", NULL };
    assert_gate(less, &options, FALSE, "FAIL new: x 0.94");
}

/* A model that leaves its hard pairs out has a better mean. */
TEST(test_gate__missing_pairs_fail)
{
    g_autofree char *old =
        tg_results_of_lines(*state, "all", SINGLE(0.5) ROW("new", "2", "\"x\": 0"), &plain);
    g_autofree char *less = tg_results_of_lines(*state, "some", SINGLE(0.5), &plain);
    g_autofree char *other =
        tg_results_of_lines(*state, "others", SINGLE(0.5) ROW("new", "3", "\"x\": 0"), &plain);
    TgGateOptions options = { .baseline = old };

    assert_gate(less, &options, FALSE,
                "FAIL new: pairs: 1 of the baseline's are missing, 0 are not");
    assert_gate(other, &options, FALSE, "pairs: 1 of the baseline's are missing, 1 are not in it");
    assert_gate(old, &options, TRUE, "");
    options.table.force = TRUE;
    assert_gate(less, &options, TRUE, "");
}

/* Pairs are looked for in the model's own, not in those of all. */
TEST(test_gate__another_models_pairs_do_not_count)
{
    g_autofree char *old = tg_results_of_lines(
        *state, "before", ROW("a", "1", "\"x\": 1") ROW("b", "2", "\"x\": 1"), &plain);
    g_autofree char *now = tg_results_of_lines(
        *state, "exchanged", ROW("a", "2", "\"x\": 1") ROW("b", "1", "\"x\": 1"), &plain);
    const TgGateOptions options = { .baseline = old };

    assert_gate(now, &options, FALSE, "FAIL a: pairs: 1 of the baseline's are missing, 1 are not");
    assert_gate(now, &options, FALSE, "FAIL b: pairs: 1 of the baseline's are missing, 1 are not");
}

TEST(test_gate__undefined_values_fail)
{
    g_autofree char *path = tg_results_of_lines(*state, "undefined", SINGLE(null), &plain);
    const TgGateOptions options = { .fail_under = (const char *const[]){ "exprate=0", NULL } };
    g_autofree char *report = NULL;
    const char *const paths[] = { path, NULL };
    const TgGateOptions missing = { .fail_under = (const char *const[]){ "x=0", NULL } };
    const TgGateOptions nonsense = { .fail_under = (const char *const[]){ "exprate>0", NULL } };
    gboolean passed;

    assert_gate(path, &options, TRUE, "");
    tg_assert_fails(tg_gate_check(paths, &missing, &report, &passed, &error), TG_ERROR_USAGE,
                    "unknown column 'x'");
    tg_assert_fails(tg_gate_check(paths, &nonsense, &report, &passed, &error), TG_ERROR_USAGE,
                    "no number in");
}

TEST(test_gate__refuses_baselines_of_other_metrics)
{
    const TgEvalOptions by_words = { .metrics = "m=edit:tokenize=words" };
    const TgEvalOptions by_chars = { .metrics = "m=edit:tokenize=char" };
    g_autofree char *words = tg_results_of_lines(*state, "words", SINGLE(1), &by_words);
    g_autofree char *chars = tg_results_of_lines(*state, "chars", SINGLE(1), &by_chars);
    g_autofree char *empty = tg_results_of_lines(*state, "none", "", &by_chars);
    const char *const paths[] = { words, NULL }, *const no_rows[] = { empty, NULL };
    const TgGateOptions options = { .baseline = chars };
    g_autofree char *report = NULL;
    gboolean passed;

    tg_assert_fails(tg_gate_check(paths, &options, &report, &passed, &error), TG_ERROR_INPUT,
                    "the baseline's m is edit|");
    tg_assert_fails(tg_gate_check(no_rows, &options, &report, &passed, &error), TG_ERROR_INPUT,
                    "no pairs");
}

/* ---- pages ---- */

#define PAGE_ROW(model, id, page, gt, pred, match)                                                 \
    "{\"model\":\"" model "\",\"id\":\"" page ".jpg#" id "\",\"page\":\"" page                     \
    ".jpg\",\"gt\":\"" gt "\",\"pred\":\"" pred "\",\"match\":\"" match "\",\"page_unused\":0}\n"

/* The formula of p is one row of a and two of b, so that ids of the next one differ; q and r are
 * equal for both, but for b's delimiters. */
static const char split_pages[] =
    PAGE_ROW("a", "0", "p", "x+y", "x+y", "matched") PAGE_ROW("a", "1", "p", "z", "z", "matched")
        PAGE_ROW("a", "0", "q", "u", "u", "matched") PAGE_ROW("a", "0", "r", "v", "w", "matched")
            PAGE_ROW("b", "0", "p", "x", "x", "matched") PAGE_ROW("b", "1", "p", "+y", "", "missed")
                PAGE_ROW("b", "2", "p", "$ z $", "y", "matched")
                    PAGE_ROW("b", "0", "q", "u", "u", "matched")
                        PAGE_ROW("b", "0", "r", "v", "v", "matched");

/* exprate of a: p 1, q 1, r 0; of b: p 1/3, q 1, r 1. A run by pages says so in its header, and
 * every reader of its results takes means over pages. */
TEST(test_compare__pages_join_by_their_own_formulas)
{
    static const TgEvalOptions by_pages = { .metrics = "exprate", .summary.mean = "pages" };
    const TgCompareOptions options = { .tests.trials = 200, .pairs = 5, .tests.seed = 1 };
    g_autofree char *path = tg_results_of_lines(*state, "pages", split_pages, &by_pages);
    const char *const paths[] = { path, NULL };
    g_autoptr(TgSummary) summary = tg_must(tg_eval_merge(paths, NULL, &error));
    g_autoptr(TgComparison) comparison = tg_must(tg_compare_run(paths, &options, &error));
    const TgComparedColumn *c = comparison->columns->pdata[0];
    g_autofree char *text = tg_comparison_format(comparison, &(TgGridForm){ 0 });

    tg_assert_near(test_summary_value(summary, "a", NULL, "exprate"), 2.0 / 3, 1e-9);
    tg_assert_near(test_summary_value(summary, "b", NULL, "exprate"), 7.0 / 9, 1e-9);
    tg_assert_near(c->test.base, 2.0 / 3, 1e-9);
    tg_assert_near(c->test.system, 7.0 / 9, 1e-9);
    assert_int_equal(c->n, 3);
    assert_int_equal(c->test.n_differing, 2);
    tg_assert_near(c->test.randomization_p, 1, 0); /* of 4 ways to swap p and r */
    assert_true(c->effect.n_higher == 1 && c->effect.n_equal == 1 && c->effect.n_lower == 1);
    assert_int_equal(c->pairing->n, 3); /* z, u, v */
    assert_int_equal(c->n_pairs, 2);    /* z and v are another's */
    tg_assert_holds(text, "Values are means over pages, which are drawn whole.",
                    "only one of them is matched with: 1 of a, 2 of b; all count for their pages",
                    NULL);
    assert_null(strstr(text, "Left out"));
}

TEST(test_compare__pairs_of_pages_on_request)
{
    static const TgEvalOptions by_pages = { .metrics = "exprate", .summary.mean = "pages" };
    const TgCompareOptions options = { .tests.trials = 20, .mean = "pairs" };
    g_autofree char *path = tg_results_of_lines(*state, "pairs", split_pages, &by_pages);
    g_autoptr(TgComparison) comparison =
        tg_must(tg_compare_run((const char *const[]){ path, NULL }, &options, &error));
    const TgComparedColumn *c = comparison->columns->pdata[0];

    assert_int_equal(c->n, 3);
    tg_assert_near(c->test.base, 2.0 / 3, 1e-9); /* z, u right and v wrong */
    tg_assert_near(c->test.system, 2.0 / 3, 1e-9);
}

/* Of four subsets b is better on three by one pair each, and equal on one: 8 ways to swap them, of
 * which 2 are as far apart. */
TEST(test_compare__subsets_are_drawn_whole)
{
    static const TgEvalOptions exprate = { .metrics = "exprate" };
    const TgCompareOptions options = { .tests.trials = 1000, .mean = "subsets", .tests.seed = 1 };
    g_autoptr(GString) lines = g_string_new(NULL);

    for (guint m = 0; m < 2; m++)
        for (guint i = 0; i < 8; i++)
            g_string_append_printf(
                lines,
                "{\"model\":\"%c\",\"id\":\"%u\",\"subset\":\"s%u\",\"gt\":\"x\","
                "\"pred\":\"%s\"}\n",
                'a' + (int) m, i, i / 2, m == 0 && i % 2 == 0 && i < 6 ? "y" : "x");
    g_autofree char *path = tg_results_of_lines(*state, "subsets", lines->str, &exprate);
    g_autoptr(TgComparison) comparison =
        tg_must(tg_compare_run((const char *const[]){ path, NULL }, &options, &error));
    const TgComparedColumn *c = comparison->columns->pdata[0];

    assert_int_equal(c->n, 4);
    tg_assert_near(c->test.base, 5.0 / 8, 1e-9);
    tg_assert_near(c->test.system, 1, 1e-9);
    tg_assert_near(c->test.randomization_p, 0.25, 1e-9);
    for (guint i = 1; i < comparison->columns->len; i++) /* of one subset its pairs */
        assert_int_equal(((TgComparedColumn *) comparison->columns->pdata[i])->n, 2);
    assert_int_equal(comparison->columns->len, 5);
}

/* The p-value of a test over n subsets is 2 / 2^n at the least: where all of them differ to one
 * side. Six of them can be enough for one test, but not for two. */
TEST(test_compare__says_where_subsets_are_too_few_for_any_verdict)
{
    static const TgEvalOptions one = { .metrics = "exprate" }, two = { .metrics = "exprate,edit" };
    static const struct {
        guint n;
        const TgEvalOptions *metrics;
        const char *says; /* NULL: nothing */
    } cases[] = {
        { 4, &one,
          "4 subsets are too few for 1 test over all of them: Holm's p cannot fall below "
          "0.12" },
        { 5, &one,
          "5 subsets are too few for 1 test over all of them: Holm's p cannot fall below "
          "0.062" },
        { 6, &one, NULL },
        { 6, &two,
          "6 subsets are too few for 2 tests over all of them: Holm's p cannot fall below "
          "0.062" },
        { 7, &two, NULL },
    };

    for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
        g_autoptr(GString) lines = g_string_new(NULL);

        for (guint m = 0; m < 2; m++)
            for (guint i = 0; i < cases[k].n; i++)
                g_string_append_printf(lines,
                                       "{\"model\":\"%c\",\"id\":\"%u\",\"subset\":\"s%u\","
                                       "\"gt\":\"x\",\"pred\":\"%s\"}\n",
                                       'a' + (int) m, i, i, m == 0 ? "y" : "x");
        g_autofree char *path =
            tg_results_of_lines(*state, "few-subsets", lines->str, cases[k].metrics);
        g_autoptr(TgComparison) whole = tg_must(tg_compare_run(
            (const char *const[]){ path, NULL }, &(TgCompareOptions){ .mean = "subsets" }, &error));
        g_autoptr(TgComparison) pairs = compare_of(path, &(TgCompareOptions){ 0 });
        const TgComparedColumn *c = whole->columns->pdata[0];
        g_autofree char *text = text_of(whole, TG_GRID_TABLE);
        g_autofree char *plain_text = text_of(pairs, TG_GRID_TABLE);

        assert_int_equal(c->verdict == TG_VERDICT_BETTER, cases[k].says == NULL);
        assert_int_equal(strstr(text, "too few for") == NULL, cases[k].says == NULL);
        if (cases[k].says != NULL)
            assert_non_null(strstr(text, cases[k].says));
        assert_null(strstr(plain_text, "subsets are too few"));
        g_unlink(path);
    }
}

/* The thresholds hold for what the leaderboard shows, and a baseline whose pages are split
 * otherwise lacks no pairs. */
TEST(test_compare__thresholds_of_pages)
{
    static const TgEvalOptions by_pages = { .metrics = "exprate", .summary.mean = "pages" };
    static const char *const enough[] = { "exprate=0.77", NULL }, *const more[] = { "exprate=0.78",
                                                                                    NULL };
    const char *b_lines = strstr(split_pages, "{\"model\":\"b\"");
    g_autofree char *a_lines = g_strndup(split_pages, (gsize) (b_lines - split_pages));
    g_autofree char *a = tg_results_of_lines(*state, "a", a_lines, &by_pages);
    g_autofree char *b = tg_results_of_lines(*state, "b", b_lines, &by_pages);
    const char *const paths[] = { b, NULL };
    const TgGateOptions options[] = { { .fail_under = enough },
                                      { .fail_under = more },
                                      { .baseline = a } };

    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        g_autofree char *report = NULL;
        gboolean passed = FALSE;

        tg_must(tg_gate_check(paths, &options[i], &report, &passed, &error));
        assert_int_equal(passed, i != 1);
        assert_null(strstr(report, "pairs:"));
    }
}

TEST_GROUP(test_make_scratch, test_remove_scratch)
