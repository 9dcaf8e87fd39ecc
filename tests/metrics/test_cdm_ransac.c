/* The official sampler draw by draw, and the position check on hand-made drawings. */
#include "tests/support/test_support.h"

#include "metrics/cdm/pcg64.h"
#include "metrics/cdm/ransac.h"

/* numpy 1.24.2: r = numpy.random.default_rng(42); r.choice(n, 2, replace=False), eight times. */
static void test_cdm_ransac__draws_what_numpy_draws(void **state)
{
    static const struct {
        guint32 n;
        guint32 drawn[8][2];
    } cases[] = {
        { 10, { { 0, 7 }, { 3, 4 }, { 6, 0 }, { 0, 5 }, { 6, 7 }, { 5, 7 }, { 7, 4 }, { 3, 1 } } },
        { 3, { { 0, 2 }, { 0, 1 }, { 2, 0 }, { 0, 1 }, { 1, 2 }, { 2, 1 }, { 1, 2 }, { 0, 2 } } },
        { 1000,
          { { 89, 773 },
            { 438, 433 },
            { 697, 85 },
            { 94, 526 },
            { 735, 761 },
            { 513, 785 },
            { 838, 450 },
            { 370, 182 } } },
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        TgPcg64 random;

        tg_pcg64_init_42(&random);
        for (guint k = 0; k < 8; k++) {
            guint32 chosen[2];

            tg_pcg64_choose_two(&random, cases[i].n, chosen);
            assert_int_equal(chosen[0], cases[i].drawn[k][0]);
            assert_int_equal(chosen[1], cases[i].drawn[k][1]);
        }
    }
}

static guint n_accepted(const TgCdmPoint *gt, const TgCdmPoint *pred, guint n, TgCdmRansac method)
{
    gboolean accepted[64];
    guint count = 0;

    tg_cdm_check_positions(gt, pred, n, method, accepted);
    for (guint i = 0; i < n; i++)
        count += accepted[i];
    return count;
}

static const TgCdmRansac methods[] = { TG_CDM_RANSAC_OFFICIAL, TG_CDM_RANSAC_EXHAUSTIVE };

/* Twelve points, 40 px apart; the prediction is moved by (30, -7) and drawn twice as large. */
static void test_cdm_ransac__follows_translation_and_scale(void **state)
{
    TgCdmPoint gt[12], pred[12];

    (void) state;
    for (guint i = 0; i < 12; i++) {
        gt[i] = (TgCdmPoint){ 40.0 * i, i % 3 * 20.0 };
        pred[i] = (TgCdmPoint){ 2 * gt[i].x + 30, 2 * gt[i].y - 7 };
    }
    for (guint m = 0; m < G_N_ELEMENTS(methods); m++)
        assert_int_equal(n_accepted(gt, pred, 12, methods[m]), 12);
}

/* A second line of three is a group of its own; one element astray stays out. */
static void test_cdm_ransac__later_rounds_accept_further_groups(void **state)
{
    TgCdmPoint gt[10], pred[10];

    (void) state;
    for (guint i = 0; i < 10; i++) {
        gt[i] = (TgCdmPoint){ 40.0 * i, 20 };
        pred[i] = i < 6 ? gt[i] : (TgCdmPoint){ 40.0 * (i - 6), 90 };
    }
    pred[9] = (TgCdmPoint){ 900, 400 };
    for (guint m = 0; m < G_N_ELEMENTS(methods); m++)
        assert_int_equal(n_accepted(gt, pred, 10, methods[m]), 9);
}

static void test_cdm_ransac__one_or_two_pairs_are_not_checked(void **state)
{
    static const TgCdmPoint gt[] = { { 0, 0 }, { 50, 0 } }, pred[] = { { 900, 0 }, { 0, 700 } };

    (void) state;
    for (guint n = 0; n <= 2; n++)
        for (guint m = 0; m < G_N_ELEMENTS(methods); m++)
            assert_int_equal(n_accepted(gt, pred, n, methods[m]), n);
}

/* Alone and more than 20 px off the three that agree. */
static void test_cdm_ransac__far_elements_stay_out(void **state)
{
    static const TgCdmPoint gt[] = { { 0, 0 }, { 100, 0 }, { 200, 0 }, { 100, 60 } };
    static const TgCdmPoint pred[] = { { 0, 0 }, { 100, 0 }, { 200, 0 }, { 100, 160 } };

    (void) state;
    for (guint m = 0; m < G_N_ELEMENTS(methods); m++)
        assert_int_equal(n_accepted(gt, pred, 4, methods[m]), 3);
}

/* All points in one place: every sample is degenerate, and none is refused. */
static void test_cdm_ransac__coinciding_points_do_no_harm(void **state)
{
    TgCdmPoint heap[6], row[6];

    (void) state;
    for (guint i = 0; i < 6; i++) {
        heap[i] = (TgCdmPoint){ 10, 10 };
        row[i] = (TgCdmPoint){ 100.0 * i, 10 };
    }
    for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
        assert_int_equal(n_accepted(heap, heap, 6, methods[m]), 6);
        assert_in_range(n_accepted(heap, row, 6, methods[m]), 0, 6);
        assert_int_equal(n_accepted(row, heap, 6, methods[m]), 6); /* shrunk to a point */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cdm_ransac__draws_what_numpy_draws),
        cmocka_unit_test(test_cdm_ransac__follows_translation_and_scale),
        cmocka_unit_test(test_cdm_ransac__later_rounds_accept_further_groups),
        cmocka_unit_test(test_cdm_ransac__one_or_two_pairs_are_not_checked),
        cmocka_unit_test(test_cdm_ransac__far_elements_stay_out),
        cmocka_unit_test(test_cdm_ransac__coinciding_points_do_no_harm),
    };
    return cmocka_run_group_tests_name("cdm_ransac", tests, NULL, NULL);
}
