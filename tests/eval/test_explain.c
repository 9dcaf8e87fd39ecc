#include "tests/support/test_support.h"

#include "eval/explain/explain.h"
#include "metrics/metric.h"
#include <jansson.h>

/* An explanation with FORTE as @spec has it. (transfer full) */
static TgExplanation *explain(const char *spec, const char *truth, const char *pred)
{
    GError *error = NULL;
    g_autoptr(TgMetric) metric = tg_metric_new(spec, &error);
    g_autoptr(TgEnv) env = tg_env_new();
    const TgPair pair = { "", &truth, 1, pred };

    tg_assert_no_error(error);
    TgExplanation *explanation = tg_explanation_new(metric, env, &pair, &error);
    tg_assert_no_error(error);
    return explanation;
}

static char *text_of(const char *truth, const char *pred, guint width, gboolean colors)
{
    g_autoptr(TgExplanation) explanation = explain("forte", truth, pred);
    const TgExplanationStyle style = { .width = width, .colors = colors };

    return tg_explanation_text(explanation, &style);
}

static void assert_text(const char *truth, const char *pred, const char *wanted)
{
    g_autofree char *text = text_of(truth, pred, 80, FALSE);

    assert_string_equal(text, wanted);
}

/* Costs and scores of the examples in docs/metrics/forte.md: E 1.3 (1 + 0.3 * 1), n 20.4. */
TEST(test_explain__numbers_each_edit_below_its_tokens)
{
    assert_text("L(x)=\\sum_{n=1}^{\\infty}\\frac{x^{n}}{1-x^{n}}",
                "L(x)=\\sum_{n=1}^{\\infty} \\frac{x^{m}}{1-x^{m}}",
                "score 0.5388: errors of 1.3 in a formula of size 20.4\n"
                "\n"
                "truth       L(x) = \\sum_{n = 1}^{\\infty}\\frac{x^{n}}{1 - x^{n}}\n"
                "prediction  L(x) = \\sum_{n = 1}^{\\infty}\\frac{x^{m}}{1 - x^{m}}\n"
                "                                                 1          2\n"
                "\n"
                "      class             cost  what\n"
                "   1  letter               1  n -> m\n"
                "   2  letter               1  n -> m  (again: counts 0.3)\n");
}

/* Neighbouring losses are one line; losing ^{2} is 0.6 + 1 + 0.3, and as one script 1.2. */
TEST(test_explain__lost_sub_expression_is_one_line)
{
    assert_text("x^2+y", "x+y+1",
                "score 0.2279: errors of 3.2 in a formula of size 4.9\n"
                "\n"
                "truth       x^{2} + y\n"
                "prediction  x     + y + 1\n"
                "             1---     2--\n"
                "\n"
                "      class             cost  what\n"
                "   1  sub-expression     1.9  lost superscript 2 of x  (one error: counts 1.2)\n"
                "   2  symbol               2  added + 1\n");
}

/* Signs, words and accents that are equal stand as people write them. */
TEST(test_explain__formulas_are_spelled_for_people)
{
    static const char *const cases[][2] = {
        { "-x+(-1)", "-x + (-1)" },
        { "x^{-1}_{+}", "x_{+}^{-1}" },
        { "a=-b,c", "a = -b, c" },
        { "\\hat{x}\\bar{\\vec{y}}", "\\hat{x}\\bar{\\vec{y}}" },
        { "\\sin x\\cos\\alpha", "sin x cos\\alpha" },
        { "\\alpha\\beta 2", "\\alpha \\beta 2" },
        { "n!|x|", "n!|x|" },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "(\\matrix{a & b \\\\ c & d})" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = text_of(cases[i][0], cases[i][0], 80, FALSE);
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

        assert_string_equal(lines[2] + strlen("prediction  "), cases[i][1]);
    }
}

/* A mark that ends a construct names it. */
TEST(test_explain__marks_of_structure_are_named)
{
    g_autofree char *moved = text_of("\\frac{a}{b+c}", "\\frac{a}{b}+c", 80, FALSE);
    g_autofree char *script = text_of("x_{i}", "x^{i}", 80, FALSE);

    assert_non_null(strstr(moved, "bracket elsewhere: end of a fraction\n"));
    assert_non_null(strstr(script, "subscript -> superscript\n"));
}

/* What is one error is one line that names the sub-expression. */
TEST(test_explain__slips_name_what_they_are_about)
{
    static const char *const cases[][3] = {
        { "x^2+1", "x2+1", "script and line: superscript 2 of x\n" },
        { "a_{n+1}=b", "an+1=b", "script and line: subscript n + 1 of a\n" },
        { "x_i^{k_1}", "x_i", "lost superscript k_{1} of x" },
        { "x^2y", "xy^2", "moved: superscript 2 of x" },
        { "\\int_a^bf(x)dx", "f(x)\\int_a^bdx", "moved: f(x)" },
        { "ab+c", "c+ab", "exchanged: ab and c" },
        { "\\begin{pmatrix}a&b\\\\c&d\\\\e&f\\end{pmatrix}",
          "\\begin{pmatrix}e&f\\\\c&d\\\\a&b\\end{pmatrix}", "rows exchanged: 1 and 3" },
        { "\\begin{pmatrix}a&b\\\\c&d\\\\e&f\\end{pmatrix}",
          "\\begin{pmatrix}c&d\\\\e&f\\\\a&b\\end{pmatrix}", "row moved: 1 to 3" },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "\\begin{pmatrix}b&a\\\\d&e\\end{pmatrix}",
          "columns exchanged: 1 and 2  (one error, and 1 for others in it: counts 2.5)" },
        { "\\frac{a+b}{c}", "\\frac{c}{a+b}", "numerator and denominator exchanged  (one" },
        { "\\sum_{i=1}^{n}i", "\\sum_{n}^{i=1}i", "sub- and superscript exchanged  (one" },
        { "(a+b)c", "(a+bc)", "bracket elsewhere: )" },
        { "\\overline{a}b", "\\overline{ab}", "bracket elsewhere: \\bar" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = text_of(cases[i][0], cases[i][1], 80, FALSE);

        if (strstr(text, cases[i][2]) == NULL)
            fail_msg("no \"%s\" in\n%s", cases[i][2], text);
        assert_null(strstr(text, "\n   2"));
    }
}

/* A run that begins or ends inside a construct is spelled with braces that belong together. */
TEST(test_explain__braces_of_a_run_are_balanced)
{
    g_autofree char *roots = text_of("\\sqrt{\\frac{1+x}{1-x}}=\\sqrt{\\frac{1+x}{1+x}}",
                                     "\\sqrt{\\frac{1+x}{1+x}}", 80, FALSE);
    g_autofree char *scripts = text_of("T_{\\mu_{1}^{1}a\\mu_{p}}", "T_{\\mu_{p}}", 80, FALSE);

    assert_non_null(strstr(roots, "lost - x = \\sqrt{\\frac{1 + x}{1}}\n"));
    assert_non_null(strstr(scripts, "lost _{\\mu}\n"));
    assert_non_null(strstr(scripts, "lost 1\n"));
}

TEST(test_explain__says_when_nothing_differs)
{
    assert_text("\\alpha^{2}", "\\alpha ^ 2",
                "score 1.0000: errors of 0 in a formula of size 2.9\n"
                "\n"
                "truth       \\alpha^{2}\n"
                "prediction  \\alpha^{2}\n"
                "\n"
                "The two read alike.\n");
    assert_text("", "",
                "score 1.0000: errors of 0 in a formula of size 1\n\nThe two read alike.\n");
}

/* Three letters of a word cost 3, but a word counts at most 1.3; a lone brace is repaired. */
TEST(test_explain__remarks_say_what_does_not_add_up)
{
    g_autofree char *text = text_of("\\operatorname{Var}(X)", "(X)}", 80, FALSE);

    assert_non_null(strstr(text, "lost Var\n"));
    assert_non_null(
        strstr(text, "Errors in one word have a most that they count: 1.3 in all, not 3.\n"));
    assert_non_null(strstr(text, "Faults of the prediction repaired while reading: 1.\n"));
    assert_non_null(strstr(text, "A prediction that does not compile counts 0.3 more.\n"));
}

/* 40 columns leave 28 beside the labels: 14 letters with a + between take two blocks. */
TEST(test_explain__long_formulas_are_wrapped)
{
    g_autofree char *text = text_of("a+b+c+d+e+f+g+h+i", "a+b+c+d+e+f+g+h+k", 1, FALSE);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    assert_string_equal(lines[2], "truth       a + b + c + d + e + f + g +");
    assert_string_equal(lines[3], "prediction  a + b + c + d + e + f + g +");
    assert_string_equal(lines[4], "");
    assert_string_equal(lines[5], "truth       h + i");
    assert_string_equal(lines[6], "prediction  h + k");
    assert_string_equal(lines[7], "                1");
}

TEST(test_explain__colors_only_on_request)
{
    g_autofree char *plain = text_of("a+b", "a", 80, FALSE);
    g_autofree char *colored = text_of("a+b", "a", 80, TRUE);

    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(colored, "\033[31m"));
}

/* Neither terminal commands nor a change of writing direction reach the page. */
TEST(test_explain__control_characters_are_made_visible)
{
    g_autofree char *text = text_of("a\033[31m\u202Eb", "a", 80, FALSE);

    assert_null(strchr(text, '\033'));
    assert_null(strstr(text, "\u202E"));
    assert_non_null(strstr(text, "U+202E"));
}

static json_t *json_of(const TgExplanation *explanation)
{
    g_autofree char *text = tg_explanation_json(explanation);
    json_t *json = json_loads(text, 0, NULL);

    assert_non_null(json);
    return json;
}

TEST(test_explain__json_has_spans_on_both_sides)
{
    g_autoptr(TgExplanation) explanation = explain("forte", "\\nu+1", "x v");
    json_t *json = json_of(explanation), *edits = json_object_get(json, "edits");
    json_t *wanted = json_loads(
        "{\"class\": \"symbol\", \"slip\": \"\", \"cost\": 1, \"counts\": 1, \"run\": 1, "
        "\"at\": [0, 0], \"truth\": null, "
        "\"prediction\": {\"token\": 0, \"name\": \"x\", \"span\": [0, 1]}}",
        0, NULL);

    assert_int_equal(json_array_size(edits), 4); /* x added, nu -> v, + and 1 lost */
    assert_true(json_equal(json_array_get(edits, 0), wanted));
    json_decref(wanted);
    wanted = json_loads(
        "{\"class\": \"variant\", \"slip\": \"\", \"cost\": 0.25, \"counts\": 0.25, \"run\": 2, "
        "\"at\": [0, 1], "
        "\"truth\": {\"token\": 0, \"name\": \"nu\", \"span\": [0, 3]}, "
        "\"prediction\": {\"token\": 1, \"name\": \"v\", \"span\": [2, 3]}}",
        0, NULL);
    assert_true(json_equal(json_array_get(edits, 1), wanted));
    json_decref(wanted);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(edits, 2), "run")),
                     json_integer_value(json_object_get(json_array_get(edits, 3), "run")));
    json_decref(json);
}

/* Options of the metric reach the explanation: d of the simple form is 1.6 + 1.6. */
TEST(test_explain__has_the_options_of_the_metric)
{
    g_autoptr(TgExplanation) explanation = explain("forte:variant=simple", "11", "33");
    json_auto_t *json = json_of(explanation);

    tg_assert_near(json_number_value(json_object_get(json, "severity")), 3.2, 1e-9);
}

TEST(test_explain__other_metrics_are_refused)
{
    GError *error = NULL;
    g_autoptr(TgMetric) metric = tg_metric_new("edit", NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    const char *truth = "a";
    const TgPair pair = { "", &truth, 1, "b" };

    assert_null(tg_explanation_new(metric, env, &pair, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "'edit'");
}

/* The pair of a file by id, model and row; data as eval reads them. */
TEST(test_explain__finds_pairs_of_files)
{
    GError *error = NULL;
    TgExplanationRow row = { .input = TG_SOURCE_ROOT "/datasets/samples/mathbridge.csv",
                             .id = "mb-01",
                             .model = "birch" };
    g_auto(TgExplainPair) birch = { 0 }, other = { 0 };
    assert_true(tg_explain_find_pair(&row, &birch, &error));
    assert_string_equal(birch.refs->pdata[0], "x^{2}+y^{2}=z^{2}");
    assert_string_equal(birch.hyp, "x^{2}+y^{2}=z^{2}");
    row.row = 1; /* the other model's */
    assert_false(tg_explain_find_pair(&row, &other, &error));
    tg_assert_error(error, TG_ERROR_INPUT, "no such pair");
    row = (TgExplanationRow){ .input = TG_NO_SUCH_PATH };
    assert_false(tg_explain_find_pair(&row, &other, &error));
    tg_assert_error(error, TG_ERROR_INPUT, TG_NO_SUCH_PATH);
}
