/* The detail of `cdm`: every element with its box, partner and verdict. */
#include <texgauge/texgauge.h>

#include "metrics/cdm/matched.h"
#include "tests/support/cdm_support.h"
#include "tests/support/metric_support.h"

/* (transfer full) */
static GVariant *detail_of(const char *const *refs, guint n_refs, const char *hyp)
{
    g_auto(TestScorer) scorer = test_scorer_new("cdm");

    test_scorer_add_refs(&scorer, refs, n_refs, hyp);
    return g_variant_ref(scorer.result->detail);
}

/* Element @i of a side; (transfer full) */
static GVariant *element_of(GVariant *detail, const char *side, guint i)
{
    g_autoptr(GVariant) elements = cdm_detail_elements(detail, side);

    assert_true(i < g_variant_n_children(elements));
    return g_variant_get_child_value(elements, i);
}

/* @partner: -1 for none */
static void assert_element(GVariant *detail, const char *side, guint i, const char *token,
                           const char *verdict, gint partner)
{
    g_autoptr(GVariant) element = element_of(detail, side, i);
    const char *text = NULL;
    guint32 found;

    assert_true(g_variant_lookup(element, "token", "&s", &text));
    assert_string_equal(text, token);
    assert_true(g_variant_lookup(element, "verdict", "&s", &text));
    assert_string_equal(text, verdict);
    assert_int_equal(g_variant_lookup(element, "partner", "u", &found) ? (gint) found : -1,
                     partner);
}

static double cost_of(GVariant *detail, guint i, const char *term)
{
    g_autoptr(GVariant) element = element_of(detail, "gt", i);
    g_autoptr(GVariant) costs = g_variant_lookup_value(element, "cost", G_VARIANT_TYPE("a{sd}"));
    double value = NAN;

    assert_non_null(costs);
    g_variant_lookup(costs, term, "d", &value);
    return value;
}

/* Five elements against five, the last of another name: verdicts and costs by hand. */
TEST(test_cdm_detail__names_partners_and_verdicts)
{
    const char *ref = "p+q=r";
    g_autoptr(GVariant) detail = detail_of(&ref, 1, "p+q=s");
    static const char *const tokens[] = { "p", "+", "q", "=" };

    for (guint i = 0; i < G_N_ELEMENTS(tokens); i++) {
        assert_element(detail, "gt", i, tokens[i], "accepted", (gint) i);
        assert_element(detail, "pred", i, tokens[i], "accepted", (gint) i);
        tg_assert_near(cost_of(detail, i, "token"), 0, 0);
        tg_assert_near(cost_of(detail, i, "order"), 0, 0);
    }
    assert_element(detail, "gt", 4, "r", "other-token", 4);
    assert_element(detail, "pred", 4, "s", "other-token", 4);
    tg_assert_near(cost_of(detail, 4, "token"), 1, 0);
}

/* The surplus has no partner; a command that draws nothing does not count. */
TEST(test_cdm_detail__elements_left_alone)
{
    const char *ref = "pqr";
    g_autoptr(GVariant) detail = detail_of(&ref, 1, "p\\quux q");
    g_autoptr(GVariant) invisible = element_of(detail, "pred", 1);

    assert_element(detail, "gt", 0, "p", "accepted", 0);
    assert_element(detail, "gt", 1, "q", "accepted", 2);
    assert_element(detail, "gt", 2, "r", "unmatched", -1);
    assert_element(detail, "pred", 1, "\\quux", "no-ink", -1);
    assert_false(g_variant_lookup(invisible, "box", "(dddd)", NULL, NULL, NULL, NULL));
    tg_assert_near(cost_of(detail, 1, "order"), 0, 0); /* the second of those with ink */
}

TEST(test_cdm_detail__boxes_lie_in_the_picture)
{
    const char *ref = "\\frac{p}{q}";
    g_autoptr(GVariant) detail = detail_of(&ref, 1, "");
    g_autoptr(GVariant) side = g_variant_lookup_value(detail, "gt", G_VARIANT_TYPE_VARDICT);
    g_autoptr(GVariant) blank = g_variant_lookup_value(detail, "pred", G_VARIANT_TYPE_VARDICT);
    double width = 0, height = 0, middle[3];

    assert_true(g_variant_lookup(side, "width", "d", &width));
    assert_true(g_variant_lookup(side, "height", "d", &height));
    for (guint i = 0; i < 3; i++) {
        g_autoptr(GVariant) element = element_of(detail, "gt", i);
        double x0, y0, x1, y1;

        assert_true(g_variant_lookup(element, "box", "(dddd)", &x0, &y0, &x1, &y1));
        assert_true(0 <= x0 && x0 < x1 && x1 <= width);
        assert_true(0 <= y0 && y0 < y1 && y1 <= height);
        middle[i] = (y0 + y1) / 2;
    }
    assert_true(middle[1] < middle[0] && middle[0] < middle[2]); /* numerator, bar, denominator */
    assert_true(g_variant_lookup(blank, "width", "d", &width));
    tg_assert_near(width, 0, 0);
}

TEST(test_cdm_detail__tells_the_truth_and_the_trouble)
{
    const char *refs[] = { "p+q", "p-q" };
    g_autoptr(GVariant) detail = detail_of(refs, 2, "p-q");
    g_autoptr(GVariant) broken = detail_of(refs, 1, "\\frac{p");
    g_autoptr(GVariant) side = g_variant_lookup_value(broken, "pred", G_VARIANT_TYPE_VARDICT);
    guint32 reference;
    const char *trouble;

    assert_true(g_variant_lookup(detail, "reference", "u", &reference));
    assert_int_equal(reference, 1);
    assert_true(g_variant_lookup(side, "trouble", "&s", &trouble));
    assert_true(*trouble != '\0');
}

/* The form serves any metric that matches elements: its own verdicts, its own terms of cost. */
TEST(test_cdm_detail__has_room_for_other_metrics)
{
    static const char *const names[] = { "role", NULL };
    TgMatchedElement element = {
        .token = "x", .start = 3, .end = 4, .partner = 0, .costs = { 0.25 }, .verdict = "other-role"
    };
    const TgMatchedSide side = { .elements = &element, .n_elements = 1 };
    const TgMatchedPair both = { .ref = side, .hyp = side, .cost_names = names };
    g_autoptr(GVariant) detail = g_variant_ref_sink(tg_matched_variant(&both));
    g_autoptr(GVariant) found = element_of(detail, "gt", 0);
    guint32 start, end;

    assert_element(detail, "pred", 0, "x", "other-role", 0);
    tg_assert_near(cost_of(detail, 0, "role"), 0.25, 0);
    assert_true(g_variant_lookup(found, "span", "(uu)", &start, &end));
    assert_true(start == 3 && end == 4);
}
