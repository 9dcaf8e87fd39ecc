/* What `--detail` says of cdm-strict: elements, partners, verdicts. */
#include "tests/support/test_support.h"

#include <texgauge/texgauge.h>

#include "metrics/metric.h"

/* "token verdict partner style; .." of one side; - where there is no partner. */
static char *describe(GVariant *detail, const char *side)
{
    g_autoptr(GVariant) description = g_variant_lookup_value(detail, side, G_VARIANT_TYPE_VARDICT);
    g_autoptr(GVariant) elements =
        g_variant_lookup_value(description, "elements", G_VARIANT_TYPE("aa{sv}"));
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < g_variant_n_children(elements); i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(elements, i);
        const char *token, *verdict;
        guint32 partner;
        double style;

        assert_true(g_variant_lookup(element, "token", "&s", &token));
        assert_true(g_variant_lookup(element, "verdict", "&s", &verdict));
        g_string_append_printf(text, "%s%s %s", i > 0 ? "; " : "", token, verdict);
        if (g_variant_lookup(element, "partner", "u", &partner)) {
            g_autoptr(GVariant) cost =
                g_variant_lookup_value(element, "cost", G_VARIANT_TYPE("a{sd}"));
            assert_true(g_variant_lookup(cost, "style", "d", &style));
            g_string_append_printf(text, " %u %g", partner, style);
        }
    }
    return g_string_free(text, FALSE);
}

static void check_detail(const char *gt, const char *pred, const char *of_gt, const char *of_pred)
{
    g_autoptr(TgMetric) metric = tg_metric_new("cdm-strict", NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
    const TgPair pair = { "pair", &gt, 1, pred };

    assert_true(tg_metric_score(metric, env, &pair, result, NULL));
    g_autofree char *gt_text = describe(tg_result_detail(result), "gt");
    g_autofree char *pred_text = describe(tg_result_detail(result), "pred");
    assert_string_equal(gt_text, of_gt);
    assert_string_equal(pred_text, of_pred);
}

TEST(test_cdm_strict_detail__pairs_and_verdicts)
{
    check_detail("x^2", "\\mathbf{x}^3", "x accepted 0 0.25; 2 unmatched",
                 "x accepted 0 0.25; 3 unmatched");
    check_detail("\\sqrt{a}b", "\\sqrt{ab}", "\\sqrt accepted 0 0; a accepted 1 0; b misplaced 2 0",
                 "\\sqrt accepted 0 0; a accepted 1 0; b misplaced 2 0");
    check_detail("\\sin", "\\mathrm{si}", "\\sin accepted 0 0; \\sin accepted 1 0; \\sin unmatched",
                 "s accepted 0 0; i accepted 1 0");
    check_detail("a", "", "a unmatched", "");
}

/* Each letter of an operator has its own box, from left to right. */
TEST(test_cdm_strict_detail__letters_have_boxes)
{
    g_autoptr(TgMetric) metric = tg_metric_new("cdm-strict", NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
    const char *gt = "\\cos";
    const TgPair pair = { "pair", &gt, 1, gt };
    double last = 0;

    assert_true(tg_metric_score(metric, env, &pair, result, NULL));
    g_autoptr(GVariant) side =
        g_variant_lookup_value(tg_result_detail(result), "gt", G_VARIANT_TYPE_VARDICT);
    g_autoptr(GVariant) elements =
        g_variant_lookup_value(side, "elements", G_VARIANT_TYPE("aa{sv}"));
    assert_int_equal(g_variant_n_children(elements), 3);
    for (gsize i = 0; i < 3; i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(elements, i);
        double x0, y0, x1, y1;

        assert_true(g_variant_lookup(element, "box", "(dddd)", &x0, &y0, &x1, &y1));
        assert_true(x0 >= last && x1 > x0 && y1 > y0);
        last = x1;
    }
}

TEST(test_cdm_strict_detail__can_be_shown)
{
    g_autoptr(TgFonts) fonts = tg_fonts_new(NULL);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    g_autoptr(TgMetric) metric = tg_metric_new("cdm-strict", NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    const char *gt = "2^3";
    const TgPair pair = { "pair", &gt, 1, "2_3" };

    g_autoptr(TgPairPicture) picture = tg_metric_picture(metric, env, renderer, &pair, NULL);
    assert_non_null(picture);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_TRUTH, TG_TONE_GOOD), 1);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_TRUTH, TG_TONE_BAD), 1);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_PREDICTION, TG_TONE_BAD), 1);
}
