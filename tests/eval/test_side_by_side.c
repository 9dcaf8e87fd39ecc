#include "tests/support/test_support.h"

#include "eval/results/results.h"

static void check(const char *truth, const char *prediction, const char *wanted)
{
    g_autoptr(GString) text = g_string_new(NULL);

    tg_side_by_side_append(text, truth, prediction, 80);
    assert_string_equal(text->str, wanted);
}

TEST(test_side_by_side__marks_what_differs)
{
    check("x^{2} + y", "x^{3}+y",
          "reference   x^{2}+y\n"
          "prediction  x^{3}+y\n"
          "               ^\n");
    check("a+b", "a b",
          "reference   a+b\n"
          "prediction  a b\n"
          "             ^\n");
    check("\\alpha x", "\\alpha y",
          "reference   \\alpha x\n"
          "prediction  \\alpha y\n"
          "                   ^\n");
}

/* Tokens of different width stand in one column; what is missing leaves a gap. */
TEST(test_side_by_side__aligns_tokens)
{
    check("\\frac{a}{b}=1", "{a}/b=1",
          "reference   \\frac{a}{b}=1\n"
          "prediction       {a}/b =1\n"
          "            ^^^^^   ^ ^\n");
}

TEST(test_side_by_side__equal_formulas_have_no_marks)
{
    check("a + b", "a+b",
          "reference   a+b\n"
          "prediction  a+b\n");
    check("", "", "reference\nprediction\n");
    check("", "a", "reference\nprediction  a\n            ^\n");
}

/* 100 tokens in lines of 28: the second and third line are equal, the last one is not. */
TEST(test_side_by_side__lines_without_a_difference_are_left_out)
{
    g_autofree char *truth = g_strnfill(100, 'a');
    g_autofree char *prediction = g_strdup(truth);
    g_autoptr(GString) text = g_string_new(NULL);

    prediction[99] = 'b';
    tg_side_by_side_append(text, truth, prediction, 10);
    assert_string_equal(text->str, "reference   aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                                   "prediction  aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                                   "...\n"
                                   "reference   aaaaaaaaaaaaaaaa\n"
                                   "prediction  aaaaaaaaaaaaaaab\n"
                                   "                           ^\n");
}

/* Five lines of 28, of which the third is not equal: each gap is told. */
TEST(test_side_by_side__every_gap_is_told)
{
    g_autofree char *truth = g_strnfill(140, 'a');
    g_autofree char *prediction = g_strdup(truth);
    g_autoptr(GString) text = g_string_new(NULL);

    prediction[56] = 'b';
    tg_side_by_side_append(text, truth, prediction, 10);
    assert_string_equal(text->str, "reference   aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                                   "prediction  aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                                   "...\n"
                                   "reference   aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                                   "prediction  baaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                                   "            ^\n"
                                   "...\n");
}

/* Control characters are visible, wide ones take two columns, long formulas take no long time. */
TEST(test_side_by_side__hostile_text)
{
    g_autofree char *a = g_strnfill(100000, 'a');
    g_autofree char *b = g_strnfill(100000, 'b');
    g_autoptr(GString) text = g_string_new(NULL);

    check("\x1b[", "\xe4\xb8\xad[",
          "reference   \xef\xbf\xbd [\n"
          "prediction  \xe4\xb8\xad[\n"
          "            ^^\n");
    tg_side_by_side_append(text, a, b, 80);
    assert_true(g_str_has_suffix(text->str, "... and 99456 tokens more\n")); /* 8 lines of 68 */
}

/* 28 tokens a line: eight lines have 224 of the 1,000. */
TEST(test_side_by_side__a_runaway_is_cut)
{
    g_autofree char *prediction = g_strnfill(1000, 'a');
    g_autoptr(GString) text = g_string_new(NULL);

    tg_side_by_side_append(text, "b", prediction, 10);
    assert_true(g_str_has_suffix(text->str, "... and 776 tokens more\n"));
    assert_int_equal(strlen(text->str) < 1000, 1);
}
