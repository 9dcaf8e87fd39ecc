/* Matches and scores: golden drawings worked with scipy and scikit-image, and official scores. */
#include "tests/support/golden.h"

#include "tests/conformity/cdm_reference.h"

enum { ROOM = 64 };

/* One side of a golden case; strings belong to the JSON. (transfer full) */
static TgCdmFormula *read_side(const json_t *side)
{
    const char *tokens[ROOM];
    TgRect boxes[ROOM];
    const json_t *size = json_object_get(side, "size");
    const gsize n = json_array_size(json_object_get(side, "tokens"));

    assert_in_range(n, 1, ROOM);
    for (gsize i = 0; i < n; i++) {
        const json_t *box = json_array_get(json_object_get(side, "boxes"), i);
        double edge[4];

        for (guint k = 0; k < 4; k++)
            edge[k] = json_number_value(json_array_get(box, k));
        tokens[i] = json_string_value(json_array_get(json_object_get(side, "tokens"), i));
        boxes[i] = (TgRect){ edge[0], edge[1], edge[2], edge[3] };
    }
    return cdm_boxes(tokens, boxes, (guint) n, json_number_value(json_array_get(size, 0)),
                     json_number_value(json_array_get(size, 1)));
}

static void check_golden(const json_t *golden)
{
    g_autoptr(TgCdmFormula) ref = read_side(json_object_get(golden, "gt"));
    g_autoptr(TgCdmFormula) hyp = read_side(json_object_get(golden, "pred"));
    const json_t *pairs = json_object_get(golden, "matches");

    const json_t *wanted = json_object_get(golden, "score");
    TgCdmMatch matches[ROOM];
    const TgCdmScore score = tg_cdm_score(ref, hyp, tg_cdm_dialect(TG_CDM_UNIMERNET), matches);

    assert_int_equal(json_array_size(pairs), MIN(ref->n_inked, hyp->n_inked));
    for (guint k = 0; k < MIN(ref->n_inked, hyp->n_inked); k++) {
        const json_t *pair = json_array_get(pairs, k);
        const json_t *accepted = json_array_get(json_object_get(wanted, "accepted"), k);

        assert_int_equal(matches[k].ref, json_integer_value(json_array_get(pair, 0)));
        assert_int_equal(matches[k].hyp, json_integer_value(json_array_get(pair, 1)));
        assert_int_equal(g_str_equal(matches[k].verdict, TG_MATCHED_ACCEPTED),
                         json_is_true(accepted));
    }
    tg_assert_near(score.f1, json_number_value(json_object_get(wanted, "f1")), 0.0);
    tg_assert_near(score.recall, json_number_value(json_object_get(wanted, "recall")), 0.0);
    tg_assert_near(score.precision, json_number_value(json_object_get(wanted, "precision")), 0.0);
}

TEST(test_cdm_score__golden_drawings)
{
    json_auto_t *golden = tg_golden_own("cdm_scores.json");

    assert_int_equal(json_array_size(golden), 19);
    tg_golden_each(one, golden) check_golden(one);
}

/* The published cost terms on two elements, by hand. */
TEST(test_cdm_score__costs_by_hand)
{
    static const char *const gt_tokens[] = { "x", "\\leq" }, *const pred_tokens[] = { "\\le", "x" };
    static const TgRect gt_boxes[] = { { 0, 0, 50, 100 }, { 50, 0, 100, 100 } };
    static const TgRect pred_boxes[] = { { 0, 0, 100, 10 }, { 100, 0, 200, 10 } };
    g_autoptr(TgCdmFormula) ref = cdm_boxes(gt_tokens, gt_boxes, 2, 100, 100);
    g_autoptr(TgCdmFormula) hyp = cdm_boxes(pred_tokens, pred_boxes, 2, 200, 10);
    TgCdmMatch matches[2];

    tg_cdm_score(ref, hyp, tg_cdm_dialect(TG_CDM_UNIMERNET), matches);
    assert_int_equal(matches[0].hyp, 1);
    assert_int_equal(matches[1].hyp, 0);
    tg_assert_near(matches[0].token, 0.0, 0.0);
    tg_assert_near(matches[1].token, 0.005, 0.0);
    tg_assert_near(matches[0].position, (0.5 + 0 + 0.5 + 0) / 4, 1e-15);
    tg_assert_near(matches[0].order, 0.5, 0.0);
}

/* Python 3.11: round(0.0625, 3), round(0.1875, 3), round(1 / 3, 3), round(0.9995, 3). */
TEST(test_cdm_score__rounds_as_python_does)
{
    tg_assert_near(tg_cdm_round(0.0625), 0.062, 0.0);
    tg_assert_near(tg_cdm_round(0.1875), 0.188, 0.0);
    tg_assert_near(tg_cdm_round(1.0 / 3), 0.333, 0.0);
    tg_assert_near(tg_cdm_round(0.9995), 1.0, 0.0); /* 0.9995 is stored a little above */
}

TEST(test_cdm_score__a_side_without_elements_gives_zero)
{
    static const char *const tokens[] = { "x" };
    static const TgRect boxes[] = { { 7, 7, 20, 20 } };
    g_autoptr(TgCdmFormula) one = cdm_boxes(tokens, boxes, 1, 30, 30);
    g_autoptr(TgCdmFormula) none = cdm_boxes(NULL, NULL, 0, 0, 0);

    tg_assert_near(cdm_score(one, none).f1, 0.0, 0.0);
    tg_assert_near(cdm_score(none, one).f1, 0.0, 0.0);
    tg_assert_near(cdm_score(none, none).f1, 0.0, 0.0);
}

static gboolean agrees(const CdmReferencePair *pair)
{
    g_autoptr(TgCdmFormula) ref = cdm_reference_ink(&pair->gt_side);
    g_autoptr(TgCdmFormula) hyp = cdm_reference_ink(&pair->pred_side);
    const TgCdmScore score = cdm_score(ref, hyp);

    return fabs(score.f1 - pair->f1) <= 0.0005 && fabs(score.recall - pair->recall) <= 0.0005 &&
           fabs(score.precision - pair->precision) <= 0.0005;
}

TEST(test_cdm_score__official_boxes_give_official_scores)
{
    g_autoptr(GPtrArray) pairs = cdm_reference_load();
    guint n = 0, n_equal = 0;

    tg_skip_without_shared("cdm-reference/dev.jsonl");
    for (guint i = 0; i < pairs->len; i++) {
        const CdmReferencePair *pair = pairs->pdata[i];

        if (!pair->gt_side.rendered || !pair->pred_side.rendered)
            continue;
        n++;
        if (agrees(pair))
            n_equal++;
        else
            print_message("# other score than the official one: %s\n", pair->id);
    }
    print_message("# %u of %u pairs equal the official scores\n", n_equal, n);
    assert_true(n >= 500 && n_equal >= 0.99 * n);
}
