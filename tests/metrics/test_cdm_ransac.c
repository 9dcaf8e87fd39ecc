/* The official sampler draw by draw, and the position check on hand-made drawings. */
#include "tests/support/cdm_support.h"
#include "tests/support/test_support.h"

static void assert_draws(guint seed, guint32 n, guint count, const guint32 *wanted, guint n_draws)
{
    TgPcg64 random;
    guint32 chosen[TG_PCG64_MAX_CHOSEN];

    tg_pcg64_init(&random, seed);
    for (guint k = 0; k < n_draws; k++) {
        tg_pcg64_choose(&random, n, count, chosen);
        for (guint i = 0; i < count; i++)
            assert_int_equal(chosen[i], wanted[k * count + i]);
    }
}

/* numpy 1.24.2: r = numpy.random.default_rng(SEED); r.choice(N, COUNT, replace=False), some times.
 */
TEST(test_cdm_ransac__draws_what_numpy_draws)
{
    static const struct {
        guint seed, n, count, n_draws;
        guint32 drawn[18];
    } cases[] = {
        { 42, 10, 2, 8, { 0, 7, 3, 4, 6, 0, 0, 5, 6, 7, 5, 7, 7, 4, 3, 1 } },
        { 42, 3, 2, 8, { 0, 2, 0, 1, 2, 0, 0, 1, 1, 2, 2, 1, 1, 2, 0, 2 } },
        { 42,
          1000,
          2,
          8,
          { 89, 773, 438, 433, 697, 85, 94, 526, 735, 761, 513, 785, 838, 450, 370, 182 } },
        { 2026, 10, 2, 8, { 1, 7, 3, 5, 0, 3, 3, 8, 6, 9, 1, 8, 2, 0, 8, 7 } },
        { 2026, 3, 2, 8, { 0, 1, 2, 1, 0, 1, 0, 2, 1, 2, 0, 2, 2, 0, 1, 2 } },
        { 42, 10, 3, 6, { 9, 0, 6, 0, 9, 6, 4, 8, 7, 4, 6, 1, 4, 3, 1, 8, 5, 3 } },
        { 42, 4, 3, 6, { 3, 0, 2, 0, 2, 1, 1, 2, 3, 2, 1, 0, 1, 2, 0, 3, 1, 2 } },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_draws(cases[i].seed, cases[i].n, cases[i].count, cases[i].drawn, cases[i].n_draws);
}

static guint n_accepted(const TgCdmPoint *ref, const TgCdmPoint *hyp, guint n)
{
    gboolean accepted[64];
    guint count = 0;

    tg_cdm_check_positions(ref, hyp, n, &tg_cdm_dialect(TG_CDM_UNIMERNET)->ransac, accepted);
    for (guint i = 0; i < n; i++)
        count += accepted[i];
    return count;
}

/* Twelve points, 40 px apart; the prediction is moved by (30, -7) and drawn twice as large. */
TEST(test_cdm_ransac__follows_translation_and_scale)
{
    TgCdmPoint ref[12], hyp[12];

    for (guint i = 0; i < 12; i++) {
        ref[i] = (TgCdmPoint){ 40.0 * i, i % 3 * 20.0 };
        hyp[i] = (TgCdmPoint){ 2 * ref[i].x + 30, 2 * ref[i].y - 7 };
    }
    assert_int_equal(n_accepted(ref, hyp, 12), 12);
}

/* A second line of three is a group of its own; one element astray stays out. */
TEST(test_cdm_ransac__later_rounds_accept_further_groups)
{
    TgCdmPoint ref[10], hyp[10];

    for (guint i = 0; i < 10; i++) {
        ref[i] = (TgCdmPoint){ 40.0 * i, 20 };
        hyp[i] = i < 6 ? ref[i] : (TgCdmPoint){ 40.0 * (i - 6), 90 };
    }
    hyp[9] = (TgCdmPoint){ 900, 400 };
    assert_int_equal(n_accepted(ref, hyp, 10), 9);
}

TEST(test_cdm_ransac__one_or_two_pairs_are_not_checked)
{
    static const TgCdmPoint ref[] = { { 0, 0 }, { 50, 0 } }, hyp[] = { { 900, 0 }, { 0, 700 } };

    for (guint n = 0; n <= 2; n++)
        assert_int_equal(n_accepted(ref, hyp, n), n);
}

/* Alone and more than 20 px off the three that agree. */
TEST(test_cdm_ransac__far_elements_stay_out)
{
    static const TgCdmPoint ref[] = { { 0, 0 }, { 100, 0 }, { 200, 0 }, { 100, 60 } };
    static const TgCdmPoint hyp[] = { { 0, 0 }, { 100, 0 }, { 200, 0 }, { 100, 160 } };

    assert_int_equal(n_accepted(ref, hyp, 4), 3);
}

/* Seven that agree, and one moved by @off_px: which dialects let it pass. */
static gboolean accepts_offset(TgCdmDialectId dialect, double off_px)
{
    TgCdmPoint ref[8], hyp[8];
    gboolean accepted[8];

    for (guint i = 0; i < 8; i++)
        hyp[i] = ref[i] = (TgCdmPoint){ 60.0 * i, i % 2 * 40.0 };
    hyp[4].y += off_px;
    tg_cdm_check_positions(ref, hyp, 8, &tg_cdm_dialect(dialect)->ransac, accepted);
    return accepted[4];
}

TEST(test_cdm_ransac__dialects_have_other_tolerances)
{
    assert_true(accepts_offset(TG_CDM_UNIMERNET, 19.5));
    assert_false(accepts_offset(TG_CDM_UNIMERNET, 40.5));
    assert_true(accepts_offset(TG_CDM_OMNIDOCBENCH_15, 24.5));
    assert_false(accepts_offset(TG_CDM_OMNIDOCBENCH_15, 50.5));
    assert_true(accepts_offset(TG_CDM_OMNIDOCBENCH_16, 29.5));
    assert_false(accepts_offset(TG_CDM_OMNIDOCBENCH_16, 60.5));
}

/* All points in one place: every sample is degenerate, and none is refused. */
TEST(test_cdm_ransac__coinciding_points_do_no_harm)
{
    TgCdmPoint heap[6], row[6];

    for (guint i = 0; i < 6; i++) {
        heap[i] = (TgCdmPoint){ 10, 10 };
        row[i] = (TgCdmPoint){ 100.0 * i, 10 };
    }
    assert_int_equal(n_accepted(heap, heap, 6), 6);
    assert_in_range(n_accepted(heap, row, 6), 0, 6);
    assert_int_equal(n_accepted(row, heap, 6), 6); /* shrunk to a point */
}
