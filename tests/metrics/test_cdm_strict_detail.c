/* What `--detail` says of cdm-strict: elements, partners, verdicts. */
#include "tests/support/cdm_support.h"
#include "tests/support/metric_support.h"

/* "token verdict partner style; .." of one side; - where there is no partner. */
static char *describe(const TestScorer *scorer, const char *side)
{
    g_autoptr(GVariant) elements = cdm_detail_elements(scorer->result->detail, side);
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
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");

    test_scorer_add(&scorer, gt, pred);
    tg_assert_text(describe(&scorer, "gt"), of_gt);
    tg_assert_text(describe(&scorer, "pred"), of_pred);
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
    g_auto(TestScorer) scorer = test_scorer_new("cdm-strict");
    double last = 0;

    test_scorer_add(&scorer, "\\cos", "\\cos");
    g_autoptr(GVariant) elements = cdm_detail_elements(scorer.result->detail, "gt");
    assert_int_equal(g_variant_n_children(elements), 3);
    for (gsize i = 0; i < 3; i++) {
        g_autoptr(GVariant) element = g_variant_get_child_value(elements, i);
        double x0, y0, x1, y1;

        assert_true(g_variant_lookup(element, "box", "(dddd)", &x0, &y0, &x1, &y1));
        assert_true(x0 >= last && x1 > x0 && y1 > y0);
        last = x1;
    }
}
