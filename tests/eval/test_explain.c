#include "tests/support/test_support.h"

#include "eval/explain/explain.h"
#include "metrics/metric.h"
#include <jansson.h>

/* The explanation with FORTE as @spec has it, as text or as JSON. (transfer full) */
static char *explain(const char *spec, const char *truth, const char *hyp,
                     const TgExplanationStyle *style)
{
    g_autoptr(TgMetric) metric = tg_must(tg_metric_new(spec, &error));
    g_autoptr(TgEnv) env = tg_env_new();
    const TgPair pair = { "", &truth, 1, hyp };
    const TgExplanation *made = tg_must(tg_explanation_new(metric, env, &pair, &error));

    return style != NULL ? tg_explanation_text(made, style) : tg_explanation_json(made);
}

static char *text_of(const char *truth, const char *hyp, guint width, gboolean colors)
{
    return explain("forte", truth, hyp, &(TgExplanationStyle){ .width = width, .colors = colors });
}

/* The text of a pair has @formulas below the first line, and one of @lines for each error. */
static void assert_explained(const char *truth, const char *hyp, const char *formulas,
                             const char *const *lines)
{
    g_autofree char *text = text_of(truth, hyp, 80, FALSE);
    const char *at = strstr(text, formulas);

    if (at == NULL || at == text)
        fail_msg("no\n%s\nin\n%s", formulas, text);
    for (guint i = 0; lines[i] != NULL; i++) {
        at = strstr(at, lines[i]);
        if (at == NULL)
            fail_msg("no \"%s\" in\n%s", lines[i], text);
    }
    assert_null(strstr(at + 1, " %  "));
}

TEST(test_explain__numbers_each_error_below_its_tokens)
{
    static const char *const lines[] = { "   1  letter",
                                         "letter read as another: n -> m\n",
                                         "   2  letter",
                                         "letter read as another: n -> m\n",
                                         "(the same error as before)\n",
                                         NULL };

    assert_explained("L(x)=\\sum_{n=1}^{\\infty}\\frac{x^{n}}{1-x^{n}}",
                     "L(x)=\\sum_{n=1}^{\\infty} \\frac{x^{m}}{1-x^{m}}",
                     "\n"
                     "reference   L(x) = \\sum_{n = 1}^{\\infty}\\frac{x^{n}}{1 - x^{n}}\n"
                     "prediction  L(x) = \\sum_{n = 1}^{\\infty}\\frac{x^{m}}{1 - x^{m}}\n"
                     "                                                 1          2\n"
                     "\n"
                     "      class         price  share  without  what\n",
                     lines);
}

TEST(test_explain__what_one_mistake_lost_is_one_line)
{
    static const char *const lines[] = { "   1  script", "lost superscript 2 of x\n", "   2  text",
                                         "added + 1\n", NULL };

    assert_explained("x^2+y", "x+y+1",
                     "\n"
                     "reference   x^{2} + y\n"
                     "prediction  x     + y + 1\n"
                     "             1---     2--\n"
                     "\n",
                     lines);
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

/* Each error is one line that names the sub-expression, or the mark that ends a construct. A run
 * that begins or ends inside a construct is spelled with braces that belong together. */
TEST(test_explain__errors_name_what_they_are_about)
{
    static const char *const cases[][3] = {
        { "x^2+1", "x2+1", "superscript and line: lost superscript 2 of x\n" },
        { "a_{n+1}=b", "an+1=b", "subscript and line: lost subscript n + 1 of a\n" },
        { "x_i^{k_1}", "x_i", "lost superscript k_{1} of x" },
        { "\\int_a^bf(x)dx", "f(x)\\int_a^bdx", "moved: f(x)" },
        { "\\begin{pmatrix}a&b\\\\c&d\\\\e&f\\end{pmatrix}",
          "\\begin{pmatrix}e&f\\\\c&d\\\\a&b\\end{pmatrix}", "parts in another order: 1 to 3" },
        { "\\frac{a+b}{c}", "\\frac{c}{a+b}", "numerator and denominator exchanged\n" },
        { "(a+b)c", "(a+bc)", "bracket elsewhere: )" },
        { "\\overline{a}b", "\\overline{ab}", "accent over more or less: \\bar" },
        /* and more lines */
        { "\\frac{a}{b+c}", "\\frac{a}{b}+c", "end of a fraction elsewhere: end of a fraction\n" },
        { "x_{i}", "x^{i}", "subscript -> superscript\n" },
        { "\\sqrt{\\frac{1+x}{1-x}}=\\sqrt{\\frac{1+x}{1+x}}", "\\sqrt{\\frac{1+x}{1+x}}",
          "lost - x = \\sqrt{\\frac{1 + x}{1}}\n" },
        { "T_{\\mu_{1}^{1}a\\mu_{p}}", "T_{\\mu_{p}}", "lost _{1}^{1}a\\mu\n" },
        /* accents stand before what they are over, as LaTeX has them */
        { "\\overline{z}=x-iy", "", "lost \\bar{z} = x - iy\n" },
        { "a+\\widehat{b\\tilde cd}", "a", "lost + \\hat{b\\tilde{c} d}\n" },
        { "a+\\frac{\\hat{\\vec{x}}}{y}", "a", "lost + \\frac{\\hat{\\vec{x}}}{y}\n" },
        { "a", "a+\\underline{\\alpha}", "added + \\underline{\\alpha}\n" },
        { "x+\\mathring{y}", "x+y", "lost \\mathring\n" }, /* what it is over is there */
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = text_of(cases[i][0], cases[i][1], 80, FALSE);

        if (strstr(text, cases[i][2]) == NULL)
            fail_msg("no \"%s\" in\n%s", cases[i][2], text);
        assert_true(i >= 8 || strstr(text, "\n   2") == NULL);
    }
}

TEST(test_explain__says_when_nothing_differs)
{
    static const char *const none[] = { "The two read alike.\n", NULL };
    assert_explained("\\alpha^{2}", "\\alpha ^ 2",
                     "\n"
                     "reference   \\alpha^{2}\n"
                     "prediction  \\alpha^{2}\n"
                     "\n",
                     none);
    tg_assert_text(text_of("", "", 80, FALSE), "score 1.0000: price 0.000 in a formula of size "
                                               "1.0\n\nThe two read alike.\n");
}

/* A lone brace is repaired. */
TEST(test_explain__a_source_that_does_not_compile_is_an_error_without_tokens)
{
    tg_assert_says(text_of("\\operatorname{Var}(X)", "(X)}", 80, FALSE), "lost Var\n",
                   "source that does not compile\n",
                   "Faults of the prediction repaired while reading: 1.\n", NULL);
}

/* 40 columns leave 28 beside the labels: 14 letters with a + between take two blocks. */
TEST(test_explain__long_formulas_are_wrapped)
{
    tg_assert_says(text_of("a+b+c+d+e+f+g+h+i", "a+b+c+d+e+f+g+h+k", 1, FALSE),
                   "\n\nreference   a + b + c + d + e + f + g +\n"
                   "prediction  a + b + c + d + e + f + g +\n"
                   "\n"
                   "reference   h + i\n"
                   "prediction  h + k\n"
                   "                1\n",
                   NULL);
}

TEST(test_explain__colors_only_on_request)
{
    g_autofree char *plain = text_of("a+b", "a", 80, FALSE);

    assert_null(strchr(plain, '\033'));
    tg_assert_says(text_of("a+b", "a", 80, TRUE), "\033[31m", NULL);
}

/* Neither terminal commands nor a change of writing direction reach the page. */
TEST(test_explain__control_characters_are_made_visible)
{
    g_autofree char *text = text_of("a\033[31m\u202Eb", "a", 80, FALSE);

    assert_null(strchr(text, '\033'));
    assert_null(strstr(text, "\u202E"));
}

static json_t *json_of(const char *spec, const char *truth, const char *hyp)
{
    g_autofree char *text = explain(spec, truth, hyp, NULL);
    json_t *json = json_loads(text, 0, NULL);

    assert_non_null(json);
    return json;
}

TEST(test_explain__json_has_spans_on_both_sides)
{
    static const char *const wanted[] = {
        "{\"event\": 1, \"at\": [0, 0], \"truth\": null, "
        "\"prediction\": {\"token\": 0, \"name\": \"x\", \"span\": [0, 1]}}",
        "{\"event\": 2, \"at\": [0, 1], "
        "\"truth\": {\"token\": 0, \"name\": \"nu\", \"span\": [0, 3]}, "
        "\"prediction\": {\"token\": 1, \"name\": \"v\", \"span\": [2, 3]}}",
    };
    json_auto_t *json = json_of("forte", "\\nu+1", "x v");
    const json_t *edits = json_object_get(json, "edits");

    assert_int_equal(json_array_size(edits), 4); /* x added, nu -> v, + and 1 lost */
    for (guint i = 0; i < 4; i++) {
        json_auto_t *edit = i < 2 ? json_loads(wanted[i], 0, NULL) : NULL;

        assert_int_equal(json_integer_value(json_object_get(json_array_get(edits, i), "event")),
                         MIN(i + 1, 3));
        assert_true(edit == NULL || json_equal(json_array_get(edits, i), edit));
    }
}

/* Prices are products of their factors, and add up to the price; shares add up to 1. */
TEST(test_explain__json_prices_add_up)
{
    json_auto_t *json = json_of("forte:profile=strict-meaning", "x^2+\\alpha=n+n", "x+a=m+m-1");
    const double score = json_number_value(json_object_get(json, "score"));
    double sum = 0, shares = 0;
    size_t e, f;
    json_t *event, *factor;

    json_array_foreach(json_object_get(json, "events"), e, event)
    {
        const double price = json_number_value(json_object_get(event, "price"));
        double product = 1;

        json_array_foreach(json_object_get(event, "factors"), f, factor) product *=
            json_number_value(json_object_get(factor, "factor"));
        tg_assert_near(product, price, 1e-8);
        assert_true(json_number_value(json_object_get(event, "without")) > score);
        sum += price;
        shares += json_number_value(json_object_get(event, "share"));
    }
    assert_int_equal(e, 5);
    tg_assert_near(sum, json_number_value(json_object_get(json, "price")), 1e-8);
    tg_assert_near(shares, 1, 1e-8);
}

TEST(test_explain__other_metrics_are_refused)
{
    g_autoptr(TgMetric) metric = tg_metric_new("edit", NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    const char *truth = "a";
    const TgPair pair = { "", &truth, 1, "b" };

    tg_assert_fails(tg_explanation_new(metric, env, &pair, &error), TG_ERROR_USAGE, "'edit'");
}

/* The pair of a file by id, model and row; data as eval reads them. */
TEST(test_explain__finds_pairs_of_files)
{
    GError *error = NULL;
    TgExplanationRow row = { .input = TG_SOURCE_ROOT "/datasets/samples/mathbridge.csv",
                             .id = "mb-01",
                             .model = "birch" };
    g_auto(TgExplainPair) birch = { 0 }, first = { 0 }, other = { 0 };
    assert_true(tg_explain_find_pair(&row, &birch, &error));
    assert_string_equal(birch.refs->pdata[0], "x^{2}+y^{2}=z^{2}");
    assert_string_equal(birch.hyp, "x^{2}+y^{2}=z^{2}");
    assert_int_equal(birch.others->len, 0); /* the model was wanted */
    row.model = NULL;                       /* then the first, and what other models there are */
    assert_true(tg_explain_find_pair(&row, &first, &error));
    assert_string_equal(first.model, "aster");
    assert_int_equal(first.others->len, 1);
    assert_string_equal(first.others->pdata[0], "birch");
    row.model = "birch";
    row.row = 1; /* the other model's */
    assert_false(tg_explain_find_pair(&row, &other, &error));
    tg_assert_error(error, TG_ERROR_INPUT, "no such pair");
    row = (TgExplanationRow){ .input = TG_NO_SUCH_PATH };
    assert_false(tg_explain_find_pair(&row, &other, &error));
    tg_assert_error(error, TG_ERROR_INPUT, TG_NO_SUCH_PATH);
}

/* Fails unless the explanation of a metric of the pair holds the text. */

static void assert_why(const char *spec, const char *ref, const char *hyp, gboolean json,
                       const char *wanted)
{
    const char *const refs[] = { "zzzz", ref }; /* the one that is nearer counts */
    g_autoptr(TgMetric) metric = tg_must(tg_metric_new(spec, &error));
    g_autoptr(TgEnv) env = tg_env_new();
    const TgPair pair = { "", refs, 2, hyp };
    g_autofree char *text = tg_must(
        tg_explain_why(metric, env, &pair, &(TgExplanationStyle){ 80, FALSE }, json, &error));

    tg_assert_holds(text, wanted, NULL);
}

TEST(test_explain_why__edits_and_elements)
{
    static const struct {
        const char *spec, *ref, *hyp;
        gboolean json;
        const char *wanted;
    } cases[] = {
        /* one of five tokens is another */
        { "edit", "x^{2}", "x _ {2}", FALSE,
          "edit 0.8  distance 1  normalized 0.2  corpus 0.8\n"
          "\n"
          "reference   x^{2}\n"
          "prediction  x_{2}\n"
          "             ^\n"
          "\n"
          "   1  replaced  ^ -> _\n" },
        /* the tokens are those of the metric: here characters */
        { "edit:tokenize=char", "ab", "abc", FALSE,
          "reference   ab\n"
          "prediction  abc\n"
          "              ^\n"
          "\n"
          "   1  added     c\n" },
        { "edit-ops", "ab", "a", FALSE, "   1  lost      b\n" },
        { "exprate", "ab", "a", TRUE,
          "\"edits\":[{\"kind\":\"delete\",\"gt\":{\"token\":1,\"text\":\"b\"},\"pred\":null}]" },
        /* b stands where c does, and d stands where nothing is */
        { "cdm", "a+b", "a+c", FALSE,
          "reference   a+b\n"
          "              ^\n"
          "prediction  a+c\n"
          "              ^\n" },
        { "cdm", "a+b", "a+c", FALSE, "   1  other-token  b -> c\n" },
        { "cdm", "a+b", "a+b+d", FALSE, " (prediction)\n" },
        { "cdm", "a+b", "a+b", FALSE, "every element is matched\n" },
        { "cdm-strict", "a+b", "a+c", TRUE, "\"verdict\"" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_why(cases[i].spec, cases[i].ref, cases[i].hyp, cases[i].json, cases[i].wanted);
}

TEST(test_explain_why__other_metrics_cannot)
{
    const char *const ref = "ab";
    const TgPair pair = { "", &ref, 1, "a" };
    g_autoptr(TgMetric) metric = tg_must(tg_metric_new("bleu", &error));
    g_autoptr(TgEnv) env = tg_env_new();

    tg_assert_fails(
        tg_explain_why(metric, env, &pair, &(TgExplanationStyle){ 80, FALSE }, FALSE, &error),
        TG_ERROR_USAGE, "'bleu' cannot explain a score; ");
}
