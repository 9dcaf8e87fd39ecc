#include "tests/support/metric_support.h"

#include <glib/gstdio.h>

#include "core/fail.h"

TEST(test_registry__lists_each_metric_once)
{
    guint n;
    g_autofree const TgMetricInfo **list = tg_registry_list(&n);

    assert_true(n > 0);
    for (guint i = 0; i < n; i++) {
        assert_int_equal(list[i]->abi, TG_METRIC_ABI);
        assert_ptr_equal(tg_registry_find(list[i]->name), list[i]);
        assert_null(tg_registry_origin(list[i]));
        for (guint k = 0; k < i; k++)
            assert_string_not_equal(list[i]->name, list[k]->name);
    }
}

TEST(test_registry__every_descriptor_is_whole)
{
    guint n;
    g_autofree const TgMetricInfo **list = tg_registry_list(&n);

    for (guint i = 0; i < n; i++) {
        assert_non_null(list[i]->summary);
        assert_non_null(list[i]->citation);
        assert_string_equal(list[i]->columns[0].name, list[i]->name);
        for (const TgColumn *column = list[i]->columns; column->name != NULL; column++) {
            assert_non_null(column->help);
            assert_true(column->min < column->max);
        }
        for (const TgOption *option = list[i]->options; option != NULL && option->name != NULL;
             option++)
            assert_non_null(option->help);
    }
}

TEST(test_metric__spec_is_read_strictly)
{
    static const char *const cases[][2] = {
        { "blue", "unknown metric 'blue'; the metrics are" },
        { "edti", "(did you mean 'edit'?)" }, /* two letters are exchanged */
        { "bleu:ordre=4", "has no option 'ordre' (did you mean 'order'?); it has" },
        { "bleu:order=4x", "'order' cannot be '4x'" },
        { "bleu:order=0", "a whole number from 1" },
        { "bleu:smooth=some", "one of none, " },
        { "bleu:4", "is not option=value" },
        { "", "unknown metric ''" },
        { "a.b=bleu", "a label must not" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_fails(tg_metric_new(cases[i][0], &error), TG_ERROR_USAGE, cases[i][1]);
}

TEST(test_metric__signature_names_what_differs)
{
    g_autoptr(TgMetric) metric = tg_metric_new("mine=bleu:smooth=floor:order=2", NULL);

    assert_non_null(metric);
    assert_string_equal(tg_metric_label(metric), "mine");
    assert_string_equal(tg_metric_column_name(metric, 0), "mine");
    tg_assert_holds(tg_metric_signature(metric), "bleu|", "|order:2|", "|smooth:floor|",
                    "|v:", NULL);
}

/* Options that are the default are left out, presets are what they come to. */
TEST(test_metric__signature_is_short)
{
    static const char *const cases[][2] = {
        { "edit", "edit|v:4" },
        { "edit:tokenize=latex", "edit|v:4" },
        { "edit:tokenize=words:lowercase=yes", "edit|lowercase:yes|tokenize:words|v:4" },
        { "bleu", "bleu|effective-order:pairs|smooth:exp|v:5" },
        { "bleu:smooth=floor:order=2",
          "bleu|effective-order:pairs|order:2|smooth:floor|smooth-value:0.1|v:5" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgMetric) metric = tg_must(tg_metric_new(cases[i][0], &error));

        assert_string_equal(tg_metric_signature(metric), cases[i][1]);
    }
}

/* The first digits of sha256sum of the two contents. */
TEST(test_metric__signature_knows_the_contents_of_files)
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "texgauge-synonyms.txt", NULL);
    g_autofree char *spec = g_strconcat("ebleu:synonyms=", path, NULL);

    assert_true(g_file_set_contents(path, "a b\n", -1, NULL));
    g_autoptr(TgMetric) before = tg_metric_new(spec, NULL);
    assert_true(g_file_set_contents(path, "a c\n", -1, NULL));
    g_autoptr(TgMetric) after = tg_metric_new(spec, NULL);
    g_autoptr(TgMetric) bundled = tg_metric_new("ebleu", NULL);
    g_unlink(path);
    assert_non_null(strstr(tg_metric_signature(before), "|texgauge-synonyms.txt:01186fcf04b4|v:"));
    assert_non_null(strstr(tg_metric_signature(after), "|texgauge-synonyms.txt:e5db62dc3798|v:"));
    assert_non_null(strstr(tg_metric_signature(bundled), "|latex.txt:"));
}

TEST(test_metric__two_of_one_label_are_refused)
{
    static const char *const cases[][2] = {
        { "bleu,bleu", "two metrics are called 'bleu'" },
        { "a=edit,a=bleu", "two metrics are called 'a'" },
        { "bleu=edit,bleu", "two metrics are called 'bleu'" },
        { "chrf:word-order=2,chrf:word-order=2", "two metrics are called 'chrf:word-order=2'" },
    };
    g_autoptr(GPtrArray) two = tg_must(tg_metric_new_list("bleu, other=bleu", &error));

    assert_int_equal(two->len, 2);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_fails(tg_metric_new_list(cases[i][0], &error), TG_ERROR_USAGE, cases[i][1]);
}

/* chrf:word-order=2 alone was called chrf. */
TEST(test_metric__columns_are_called_the_same_in_any_list)
{
    static const char *const lists[] = { "chrf:word-order=2", "chrf,chrf:word-order=2",
                                         "chrf:word-order=1,bleu,chrf:word-order=2" };

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_autoptr(GPtrArray) list = tg_metric_new_list(lists[i], NULL);
        const TgMetric *last = list->pdata[list->len - 1];

        assert_string_equal(tg_metric_column_name(last, 0), "chrf:word-order=2");
        assert_string_equal(tg_metric_column_name(last, 1), "chrf:word-order=2.mean");
    }
}

/* Every metric gives a formula the best score against itself, and a score in range for an empty
 * prediction. */
TEST(test_metric__identity_and_empty_sides)
{
    static const char *const pairs[][2] = {
        { "\\frac{a}{b} + x^{2}_{i}", "\\frac{a}{b} + x^{2}_{i}" },
        { "\\frac{a}{b} + x^{2}_{i}", "" },
        { "", "\\frac{a}{b} + x^{2}_{i}" },
        { "", "" },
    };
    guint n;
    g_autofree const TgMetricInfo **list = tg_registry_list(&n);

    for (guint i = 0; i < n; i++) {
        g_auto(TestScorer) scorer = test_scorer_new(list[i]->name);

        for (guint k = 0; k < G_N_ELEMENTS(pairs); k++) {
            const TgColumn *column = &list[i]->columns[0];
            g_autoptr(GError) error = NULL;

            if (!test_scorer_try(&scorer, pairs[k][0], pairs[k][1], &error)) {
                /* only a truth without anything in it may have no score */
                assert_true(pairs[k][0][0] == '\0');
                tg_assert_error(error, TG_ERROR_PARSE, "");
                continue;
            }
            if (k != 0 || column->pooling == TG_POOL_SUM)
                continue;
            const double best = column->direction == TG_LOWER_IS_BETTER ? column->min
                                : column->max == G_MAXDOUBLE            ? 1.0
                                                                        : column->max;
            tg_assert_near(tg_result_get(scorer.result, 0), best, 1e-9);
        }
    }
}

/* ---- a metric that does what the text of a prediction says ---- */

static const TgColumn broken_columns[] = {
    { "broken", TG_HIGHER_IS_BETTER, 0.0, 1.0, TG_POOL_MEAN, "as the prediction says" },
    { "more", TG_HIGHER_IS_BETTER, 0.0, G_MAXDOUBLE, TG_POOL_MEAN, "likewise" },
    { 0 },
};

static guint broken_n_stats(gconstpointer instance)
{
    (void) instance;
    return 1;
}

static void broken_pool(gconstpointer instance, const double *stats, double *out)
{
    (void) instance;
    out[0] = stats[0];
}

static gboolean broken_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                             GError **error)
{
    const double stats[] = { strcmp(pair->hyp, "stat") == 0 ? NAN : 1.0 };
    const guint column = strcmp(pair->hyp, "column") == 0 ? 2 : 0;

    (void) instance;
    (void) env;
    (void) error;
    if (strcmp(pair->hyp, "no stats") != 0)
        tg_result_set_stats(out, stats);
    if (strcmp(pair->hyp, "inf") == 0)
        tg_result_set(out, 1, INFINITY);
    tg_result_set(out, column, g_ascii_strtod(pair->hyp, NULL));
    return TRUE;
}

static gboolean silent_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                             GError **error)
{
    (void) instance;
    (void) env;
    (void) error;
    if (strcmp(pair->hyp, "excused") == 0)
        tg_result_set_status(out, "nothing to score");
    return TRUE;
}

static gboolean is_scored(TestScorer *scorer, const char *hyp)
{
    g_autoptr(GError) error = NULL;
    const gboolean scored = test_scorer_try(scorer, "x", hyp, &error);

    if (!scored && !g_error_matches(error, TG_ERROR, TG_ERROR_INTERNAL))
        fail_msg("%s: %s", hyp, error->message);
    return scored;
}

/* ---- the best of several references ---- */

/* The reference is the score; "unreadable" and "broken" fail. By rank, less is better. */
static gboolean nearest_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                              GError **error)
{
    const double value = g_ascii_strtod(pair->refs[0], NULL);

    (void) instance;
    assert_int_equal(pair->n_refs, 1);
    if (strcmp(pair->refs[0], "unreadable") == 0)
        return tg_fail(error, TG_ERROR_PARSE, "unreadable");
    if (strcmp(pair->refs[0], "broken") == 0)
        return tg_fail(error, TG_ERROR_DATA, "broken");
    tg_result_set(out, 0, value);
    if (strcmp(pair->hyp, "by rank") == 0)
        tg_result_set_rank(out, -value);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, g_variant_new_uint32(tg_env_reference(env)));
    return TRUE;
}

TEST(test_registry__the_best_of_several_references_counts)
{
    static const TgColumn columns[] = { { "nearest", TG_HIGHER_IS_BETTER, 0, 9, TG_POOL_MEAN, "" },
                                        { 0 } };
    static const TgMetricInfo info = { .abi = TG_METRIC_ABI,
                                       .name = "nearest",
                                       .version = "1",
                                       .summary = "a test",
                                       .citation = "none",
                                       .columns = columns,
                                       .each_reference = TRUE,
                                       .score = nearest_score };
    static const struct {
        const char *hyp, *refs[5];
        double value; /* -1: no score */
        guint reference;
    } cases[] = {
        { "", { "1" }, 1, 0 },
        { "", { "1", "3", "2" }, 3, 1 },
        { "", { "2", "2" }, 2, 0 }, /* the first of equal ones */
        { "by rank", { "3", "1", "2" }, 1, 1 },
        { "", { "unreadable", "1" }, 1, 1 },
        { "", { "1", "unreadable" }, 1, 0 },
        { "", { "unreadable", "unreadable" }, -1, 0 },
        { "", { "1", "broken", "2" }, -1, 0 },
    };
    tg_must(tg_registry_add(&info, &error));
    g_autoptr(TgMetric) metric = tg_must(tg_metric_new("nearest", &error));
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const TgPair pair = { "", cases[i].refs, g_strv_length((char **) cases[i].refs),
                              cases[i].hyp };
        g_autoptr(GError) error = NULL;
        const gboolean scored = tg_metric_score(metric, env, &pair, result, &error);

        assert_int_equal(scored, cases[i].value >= 0);
        if (!scored)
            continue;
        tg_assert_near(tg_result_get(result, 0), cases[i].value, 0);
        assert_int_equal(result->reference, cases[i].reference);
        assert_int_equal(g_variant_get_uint32(result->detail), cases[i].reference);
    }
}

/* NaN, infinity, a missing value or one out of range is the metric's fault, not the pair's. */
TEST(test_registry__broken_values_are_faults_of_the_metric)
{
    static const TgMetricInfo broken = { .abi = TG_METRIC_ABI,
                                         .name = "broken",
                                         .version = "1",
                                         .summary = "a test",
                                         .citation = "none",
                                         .columns = broken_columns,
                                         .n_stats = broken_n_stats,
                                         .score = broken_score,
                                         .pool = broken_pool },
                              silent = { .abi = TG_METRIC_ABI,
                                         .name = "silent",
                                         .version = "1",
                                         .summary = "a test",
                                         .citation = "none",
                                         .columns = broken_columns,
                                         .score = silent_score };
    static const char *const faults[] = { "nan",  "inf",  "-inf",     "1.5",
                                          "-0.1", "stat", "no stats", "column" };
    tg_must(tg_registry_add(&broken, &error));
    tg_must(tg_registry_add(&silent, &error));
    g_auto(TestScorer) scorer = test_scorer_new("broken");
    g_auto(TestScorer) quiet = test_scorer_new("silent");
    for (guint i = 0; i < G_N_ELEMENTS(faults); i++)
        if (is_scored(&scorer, faults[i]))
            fail_msg("%s is taken", faults[i]);
    assert_true(is_scored(&scorer, "0.5")); /* nothing stays from the pair before */
    assert_false(is_scored(&quiet, "x"));
    assert_true(is_scored(&quiet, "excused"));
    TgMetricInfo nameless = broken;
    nameless.name = "";
    tg_assert_fails(tg_registry_add(&nameless, &error), TG_ERROR_PLUGIN, "lacks its name");
}
