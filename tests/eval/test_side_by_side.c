#include "tests/support/test_support.h"

#include "eval/results/results.h"

/* Check that the pair is @wanted in @width columns; after "..." comes only its end. */
static void check(const char *truth, const char *prediction, guint width, const char *wanted)
{
    g_autoptr(GString) text = g_string_new(NULL);

    tg_side_by_side_append(text, truth, prediction, width);
    if (g_str_has_prefix(wanted, "..."))
        assert_true(g_str_has_suffix(text->str, wanted));
    else
        assert_string_equal(text->str, wanted);
    assert_true(width > 10 || text->len < 1000);
}

/* Control characters are visible, wide ones take two columns. */
TEST(test_side_by_side__marks_what_differs)
{
    static const char *const cases[][3] = {
        { "x^{2} + y", "x^{3}+y",
          "reference   x^{2}+y\n"
          "prediction  x^{3}+y\n"
          "               ^\n" },
        { "a+b", "a b",
          "reference   a+b\n"
          "prediction  a b\n"
          "             ^\n" },
        { "\\alpha x", "\\alpha y",
          "reference   \\alpha x\n"
          "prediction  \\alpha y\n"
          "                   ^\n" },
        /* tokens of different width stand in one column; what is missing leaves a gap */
        { "\\frac{a}{b}=1", "{a}/b=1",
          "reference   \\frac{a}{b}=1\n"
          "prediction       {a}/b =1\n"
          "            ^^^^^   ^ ^\n" },
        /* equal formulas have no marks */
        { "a + b", "a+b",
          "reference   a+b\n"
          "prediction  a+b\n" },
        { "", "", "reference\nprediction\n" },
        { "", "a", "reference\nprediction  a\n            ^\n" },
        { "\x1b[", "\xe4\xb8\xad[",
          "reference   \xef\xbf\xbd [\n"
          "prediction  \xe4\xb8\xad[\n"
          "            ^^\n" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        check(cases[i][0], cases[i][1], 80, cases[i][2]);
}

/* 100 or 140 tokens in lines of 28: those that are equal are left out but for the first, and each
 * gap is told. Long formulas take no long time, and a runaway is cut: eight lines have 8 * 68, or
 * 8 * 28, tokens. */
TEST(test_side_by_side__long_formulas_are_cut)
{
    g_autofree char *truth = g_strnfill(140, 'a'), *middle = g_strdup(truth);
    g_autofree char *end = g_strndup(truth, 100), *a = g_strnfill(100000, 'a');
    g_autofree char *b = g_strnfill(100000, 'b'), *runaway = g_strnfill(1000, 'a');

    middle[56] = 'b';
    end[99] = 'b';
    check(truth + 40, end, 10,
          "reference   aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
          "prediction  aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
          "...\n"
          "reference   aaaaaaaaaaaaaaaa\n"
          "prediction  aaaaaaaaaaaaaaab\n"
          "                           ^\n");
    check(truth, middle, 10,
          "reference   aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
          "prediction  aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
          "...\n"
          "reference   aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
          "prediction  baaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
          "            ^\n"
          "...\n");
    check(a, b, 80, "... and 99456 tokens more\n");
    check("b", runaway, 10, "... and 776 tokens more\n");
}
