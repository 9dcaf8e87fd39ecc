/* A lost \textcircled scores below 1 wherever the circle is an element; to the official CDM it is
 * none. */
#include "tests/support/metric_support.h"

/* Like truths of HME100K, where circles stand around the numbers of equations and steps. */
static const char *const lost[][2] = {
    { "\\textcircled { 1 } x - y = 3", "1 x - y = 3" },
    { "\\textcircled { 1 } x - y = 3", "( 1 ) x - y = 3" },
    { "\\textcircled { 1 } x - y = 3", "x - y = 3" },
    { "x + y = 5 \\textcircled { 2 }", "x + y = 5 2" },
    { "\\textcircled { 1 } \\times 2 - \\textcircled { 2 }", "1 \\times 2 - 2" },
    { "\\textcircled { 1 } \\times 2 - \\textcircled { 2 }", "\\textcircled { 1 } \\times 2 - 2" },
    { "\\textcircled { 1 } + \\textcircled { 2 } \345\276\227 : 2 x = 6",
      "1 + 2 \345\276\227 : 2 x = 6" },
    { "\\left\\{ \\begin{matrix} x = 1 \\textcircled { 1 } \\\\ y = 2 \\textcircled { 2 } "
      "\\end{matrix} \\right.",
      "\\left\\{ \\begin{matrix} x = 1 1 \\\\ y = 2 2 \\end{matrix} \\right." },
    { "\\textcircled { \\small 3 }", "3" },
    { "\\text{\\textcircled{4}}", "\\text{4}" },
    { "\342\221\240 x", "1 x" }, /* U+2460 */
};

TEST(test_circles__cdm_strict_and_forte_miss_them)
{
    static const char *const metrics[] = { "cdm-strict", "forte" };

    for (guint m = 0; m < G_N_ELEMENTS(metrics); m++) {
        g_auto(TestScorer) scorer = test_scorer_new(metrics[m]);

        for (guint i = 0; i < G_N_ELEMENTS(lost); i++) {
            tg_assert_near(test_scorer_add(&scorer, lost[i][0], lost[i][0]), 1, 0);
            if (!(test_scorer_add(&scorer, lost[i][0], lost[i][1]) < 1))
                fail_msg("%s: %s lost nothing", metrics[m], lost[i][0]);
            if (!(test_scorer_add(&scorer, lost[i][1], lost[i][0]) < 1))
                fail_msg("%s: nothing is too much in %s", metrics[m], lost[i][0]);
        }
    }
}

/* Scores of the official program: of (1)+a beside \textcircled{1}+a the brackets alone are lost, so
 * the circle is no element of its own. */
TEST(test_circles__cdm_scores_as_the_official_program)
{
    static const struct {
        const char *gt, *pred;
        double f1;
    } pairs[] = {
        { "(1)+a", "\\textcircled{1}+a", 0.75 },
        { "\\textcircled{2}+a", "\\textcircled{3}+a", 0.667 },
        { "\\textcircled{b}0.84", "65.\\textcircled{a}-10\\textcircled{b}4", 0.286 },
    };
    g_auto(TestScorer) scorer = test_scorer_new("cdm");

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        tg_assert_near(test_scorer_add(&scorer, pairs[i].gt, pairs[i].pred), pairs[i].f1, 0);
    assert_true(test_scorer_add(&scorer, lost[1][0], lost[1][1]) < 1); /* brackets in its place */
    assert_true(test_scorer_add(&scorer, lost[2][0], lost[2][1]) < 1); /* lost with its number */
}
