/* The metrics imgedit, mse and ssim as users call them, on formulas whose pictures are known.
 *
 * At 72.27 dpi a point is a pixel, so rules make pictures that can be computed by hand.
 */
#include "tests/support/metric_support.h"

#define TEN_BY_TEN  "\\rule{10pt}{10pt}"
#define FIVE_BY_TEN "\\rule{5pt}{10pt}"
#define TEN_BY_FIVE "\\rule{10pt}{5pt}"
#define WITH_A_GAP  "\\rule{5pt}{10pt}\\kern3pt\\rule{5pt}{10pt}"
#define ON_PIXELS   "dpi=72.27"

TEST(test_picture_metrics__values_by_hand)
{
    static const TestScore cases[] = {
        /* the same picture from another spelling */
        { "imgedit", NULL, "\\frac{a}{b}", "{a\\over b}", 0 },
        { "mse", NULL, "\\frac{a}{b}", "{a\\over b}", 0 },
        { "ssim", NULL, "\\frac{a}{b}", "{a\\over b}", 1 },
        /* 5 of 10 columns are lost; a lower picture has other columns, all of them */
        { "imgedit:" ON_PIXELS, NULL, TEN_BY_TEN, FIVE_BY_TEN, 5.0 / 10 },
        { "imgedit:" ON_PIXELS, NULL, TEN_BY_TEN, TEN_BY_FIVE, 1 },
        { "imgedit:" ON_PIXELS, NULL, TEN_BY_TEN, WITH_A_GAP, 3.0 / 13 },
        /* a margin adds blank columns that are alike, and rows that are too */
        { "imgedit:margin=4:" ON_PIXELS, NULL, TEN_BY_TEN, FIVE_BY_TEN, 5.0 / 18 },
        /* white ink is no ink, and a ground has its color: a ring around 10 x 10 white pixels */
        { "mse:" ON_PIXELS, NULL, TEN_BY_TEN, "\\colorbox{white}{" TEN_BY_TEN "}", 0 },
        { "mse:" ON_PIXELS, NULL, TEN_BY_TEN, "\\textcolor{red}{" TEN_BY_TEN "}", 0 },
        { "mse:" ON_PIXELS, NULL, TEN_BY_TEN,
          "\\colorbox{black}{\\textcolor{white}{" TEN_BY_TEN "}}", 154.0 / 256 },
        /* characters without a font differ */
        { "imgedit", "match", "\\text{\350\213\245}", "\\text{\345\275\223}", 0 },
        /* half of 100 pixels differ by all there is, or half of 18 x 18 with a margin of 4 */
        { "mse:" ON_PIXELS, NULL, TEN_BY_TEN, FIVE_BY_TEN, 0.5 },
        { "mse:" ON_PIXELS, NULL, TEN_BY_TEN, TEN_BY_FIVE, 0.5 },
        { "mse:margin=4:" ON_PIXELS, NULL, TEN_BY_TEN, FIVE_BY_TEN, 50.0 / (18 * 18) },
        /* a match bears up to 4 columns in a row that are replaced, lost or added; with compat any
         * number that is added */
        { "imgedit:" ON_PIXELS, "match", TEN_BY_TEN, WITH_A_GAP, 1 },
        { "imgedit:" ON_PIXELS, "match-inked", TEN_BY_TEN, WITH_A_GAP, 1 },
        { "imgedit:" ON_PIXELS, "match", TEN_BY_TEN, FIVE_BY_TEN, 0 },
        { "imgedit:" ON_PIXELS, "match-inked", TEN_BY_TEN, FIVE_BY_TEN, 0 },
        { "imgedit:" ON_PIXELS, "match", FIVE_BY_TEN, TEN_BY_TEN, 0 },
        { "imgedit:compat=yes:" ON_PIXELS, "match", FIVE_BY_TEN, TEN_BY_TEN, 1 },
    };
    tg_assert_scores(cases, G_N_ELEMENTS(cases));
}
TEST(test_picture_metrics__characters_without_a_font_differ)
{
    static const char *const letters[] = { "\320\270" }; /* U+0438 and U+043D */
    g_auto(TestScorer) edit = test_scorer_new("imgedit"), error = test_scorer_new("mse");

    assert_true(test_scorer_add_refs(&edit, letters, 1, "\320\275") > 0.1);
    assert_true(test_scorer_add_refs(&error, letters, 1, "\320\275") > 0.01);
    tg_assert_near(test_scorer_add_refs(&error, letters, 1, letters[0]), 0.0, 0.0);
}
TEST(test_picture_metrics__takes_the_nearest_truth)
{
    static const char *const refs[] = { TEN_BY_TEN, "\\kern1pt", FIVE_BY_TEN };
    g_auto(TestScorer) edit = test_scorer_new("imgedit"), similarity = test_scorer_new("ssim");

    tg_assert_near(test_scorer_add_refs(&edit, refs, 3, FIVE_BY_TEN), 0.0, 0.0);
    tg_assert_near(test_scorer_add_refs(&similarity, refs, 3, FIVE_BY_TEN), 1.0, 1e-12);
}

/* Of ssim's one window, black against white: C1 / (255^2 + C1) with C1 = (0.01 * 255)^2. A rule may
 * be small, but not beside something high. */

TEST(test_picture_metrics__say_what_has_no_picture)
{
    tg_assert_outcome("ssim:" ON_PIXELS, "\\rule{11pt}{11pt}", "", 6.5025 / (65025 + 6.5025),
                      "empty");
    tg_assert_outcome("imgedit", TEN_BY_TEN, " ", 1, "empty");
    tg_assert_outcome("mse:" ON_PIXELS, TEN_BY_TEN, "\\quad", 1, "pred-unrenderable: *");
    tg_assert_outcome("mse:" ON_PIXELS, TEN_BY_TEN, "\\color{white}x", 1, "pred-unrenderable: *");
    tg_assert_outcome("render", "x", "\\textcolor{white}{x}", 0, "empty: *");
    tg_assert_outcome("render", "x", "\\colorbox{black}{\\color{white}x}", 1, "ok");
    tg_assert_outcome("ssim", "\\quad", TEN_BY_TEN, NAN, "gt-unrenderable*");
    tg_assert_outcome("mse", "\\rule{9000pt}{9000pt}", TEN_BY_TEN, NAN, "too-large*");
    tg_assert_outcome("ssim:dpi=72", "\\rule{9000pt}{1pt}", "\\rule{1pt}{9000pt}", NAN,
                      "too-large*");
}
