/* The metrics imgedit, mse and ssim as users call them, on formulas whose pictures are known.
 *
 * At 72.27 dpi a point is a pixel, so rules make pictures that can be computed by hand.
 */
#include "tests/support/test_support.h"

#include <texgauge/texgauge.h>

#include "metrics/metric.h"

#define TEN_BY_TEN  "\\rule{10pt}{10pt}"
#define FIVE_BY_TEN "\\rule{5pt}{10pt}"
#define TEN_BY_FIVE "\\rule{10pt}{5pt}"
#define WITH_A_GAP  "\\rule{5pt}{10pt}\\kern3pt\\rule{5pt}{10pt}"
#define ON_PIXELS   "dpi=72.27"

typedef struct {
    double value, match, match_inked;
    char *status; /* of a pair that has no score too */
    gboolean scored;
} Outcome;

static void outcome_clear(Outcome *outcome)
{
    g_free(outcome->status);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Outcome, outcome_clear)

static Outcome score(const char *spec, const char *const *refs, guint n_refs, const char *pred)
{
    g_autoptr(TgMetric) metric = tg_metric_new(spec, NULL);
    assert_non_null(metric);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    const TgPair pair = { "pair", refs, n_refs, pred };
    GError *error = NULL;
    Outcome outcome = { .scored = tg_metric_score(metric, env, &pair, result, &error) };

    outcome.value = tg_result_get(result, 0);
    if (tg_metric_n_columns(metric) == 3) {
        outcome.match = tg_result_get(result, 1);
        outcome.match_inked = tg_result_get(result, 2);
    }
    outcome.status = g_strdup(error != NULL ? error->message : tg_result_status(result));
    g_clear_error(&error);
    return outcome;
}

static double value(const char *spec, const char *gt, const char *pred)
{
    g_auto(Outcome) outcome = score(spec, &gt, 1, pred);

    assert_true(outcome.scored);
    return outcome.value;
}

TEST(test_picture_metrics__same_picture_from_another_spelling)
{
    tg_assert_near(value("imgedit", "\\frac{a}{b}", "{a\\over b}"), 0.0, 0.0);
    tg_assert_near(value("mse", "\\frac{a}{b}", "{a\\over b}"), 0.0, 0.0);
    tg_assert_near(value("ssim", "\\frac{a}{b}", "{a\\over b}"), 1.0, 1e-12);
}

/* 5 of 10 columns are lost; a lower picture has other columns, all of them. */
TEST(test_picture_metrics__imgedit_counts_columns)
{
    tg_assert_near(value("imgedit:" ON_PIXELS, TEN_BY_TEN, FIVE_BY_TEN), 5.0 / 10, 0.0);
    tg_assert_near(value("imgedit:" ON_PIXELS, TEN_BY_TEN, TEN_BY_FIVE), 1.0, 0.0);
    tg_assert_near(value("imgedit:" ON_PIXELS, TEN_BY_TEN, WITH_A_GAP), 3.0 / 13, 1e-10);
    /* a margin adds blank columns that are alike, and rows that are too */
    tg_assert_near(value("imgedit:margin=4:" ON_PIXELS, TEN_BY_TEN, FIVE_BY_TEN), 5.0 / 18, 1e-10);
}

/* Half of 100 pixels differ by all there is, or half of the 18 x 18 with a margin of 4. */
TEST(test_picture_metrics__mse_of_black_and_white)
{
    tg_assert_near(value("mse:" ON_PIXELS, TEN_BY_TEN, FIVE_BY_TEN), 0.5, 1e-12);
    tg_assert_near(value("mse:" ON_PIXELS, TEN_BY_TEN, TEN_BY_FIVE), 0.5, 1e-12);
    tg_assert_near(value("mse:margin=4:" ON_PIXELS, TEN_BY_TEN, FIVE_BY_TEN), 50.0 / (18 * 18),
                   1e-10);
}

/* One window, black against white: C1 / (255^2 + C1) with C1 = (0.01 * 255)^2. */
TEST(test_picture_metrics__ssim_of_black_and_white)
{
    const char *gt = "\\rule{11pt}{11pt}";
    g_auto(Outcome) outcome = score("ssim:" ON_PIXELS, &gt, 1, "");

    tg_assert_near(outcome.value, 6.5025 / (65025 + 6.5025), 1e-12);
    assert_string_equal(outcome.status, "empty");
}

/* A match bears up to 4 columns in a row that are replaced, lost or added; with compat any number
 * that is added. */
TEST(test_picture_metrics__match_of_pictures)
{
    const char *gt = TEN_BY_TEN, *narrow = FIVE_BY_TEN;
    g_auto(Outcome) gap = score("imgedit:" ON_PIXELS, &gt, 1, WITH_A_GAP);
    g_auto(Outcome) lost = score("imgedit:" ON_PIXELS, &gt, 1, FIVE_BY_TEN);
    g_auto(Outcome) added = score("imgedit:" ON_PIXELS, &narrow, 1, TEN_BY_TEN);
    g_auto(Outcome) compat = score("imgedit:compat=yes:" ON_PIXELS, &narrow, 1, TEN_BY_TEN);

    assert_true(gap.match == 1 && gap.match_inked == 1);
    assert_true(lost.match == 0 && lost.match_inked == 0);
    assert_true(added.match == 0);
    assert_true(compat.match == 1);
}

TEST(test_picture_metrics__takes_the_nearest_truth)
{
    const char *refs[] = { TEN_BY_TEN, "\\kern1pt", FIVE_BY_TEN };
    g_auto(Outcome) edit = score("imgedit", refs, 3, FIVE_BY_TEN);
    g_auto(Outcome) similarity = score("ssim", refs, 3, FIVE_BY_TEN);

    tg_assert_near(edit.value, 0.0, 0.0);
    tg_assert_near(similarity.value, 1.0, 1e-12);
}

TEST(test_picture_metrics__say_what_has_no_picture)
{
    const char *gt = TEN_BY_TEN, *blank = "\\quad", *large = "\\rule{9000pt}{9000pt}";
    g_auto(Outcome) empty = score("imgedit", &gt, 1, " ");
    g_auto(Outcome) unseen = score("mse:" ON_PIXELS, &gt, 1, "\\quad");
    g_auto(Outcome) no_truth = score("ssim", &blank, 1, TEN_BY_TEN);
    g_auto(Outcome) too_large = score("mse", &large, 1, TEN_BY_TEN);
    const char *wide = "\\rule{9000pt}{1pt}"; /* small, but not beside something high */
    g_auto(Outcome) crossed = score("ssim:dpi=72", &wide, 1, "\\rule{1pt}{9000pt}");

    tg_assert_near(empty.value, 1.0, 0.0);
    assert_string_equal(empty.status, "empty");
    tg_assert_near(unseen.value, 1.0, 1e-12);
    assert_true(g_str_has_prefix(unseen.status, "pred-unrenderable: "));
    assert_false(no_truth.scored);
    assert_true(g_str_has_prefix(no_truth.status, "gt-unrenderable"));
    assert_false(too_large.scored);
    assert_true(g_str_has_prefix(too_large.status, "too-large"));
    assert_false(crossed.scored);
    assert_true(g_str_has_prefix(crossed.status, "too-large"));
}
