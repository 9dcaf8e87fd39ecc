#include "tests/support/test_support.h"

#include "core/random.h"

/* The reference program (xoshiro256starstar.c) from the state 1, 2, 3, 4. */
TEST(test_random__follows_xoshiro256starstar)
{
    static const guint64 wanted[] = {
        G_GUINT64_CONSTANT(11520),
        G_GUINT64_CONSTANT(0),
        G_GUINT64_CONSTANT(1509978240),
        G_GUINT64_CONSTANT(1215971899390074240),
        G_GUINT64_CONSTANT(1216172134540287360),
        G_GUINT64_CONSTANT(607988272756665600),
        G_GUINT64_CONSTANT(16172922978634559625),
    };
    TgRandom random = { { 1, 2, 3, 4 } };

    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
        assert_true(tg_random_next(&random) == wanted[i]);
}

TEST(test_random__streams_of_a_seed_differ)
{
    guint64 first[64];

    for (guint64 i = 0; i < G_N_ELEMENTS(first); i++) {
        TgRandom random;

        tg_random_seed(&random, i / 8, i % 8);
        first[i] = tg_random_next(&random);
        for (guint64 k = 0; k < i; k++)
            assert_true(first[k] != first[i]);
        tg_random_seed(&random, i / 8, i % 8);
        assert_true(tg_random_next(&random) == first[i]);
    }
}

/* 60,000 throws: chi-square with 5 degrees of freedom is beyond 25.7 once in 10,000 seeds. */
TEST(test_random__throws_a_fair_die)
{
    enum { THROWS = 60000 };
    guint count[6] = { 0 };
    double chi2 = 0;
    TgRandom random;

    tg_random_seed(&random, 1, 0);
    for (guint i = 0; i < THROWS; i++) {
        const guint32 face = tg_random_below(&random, 6);

        assert_true(face < 6);
        count[face]++;
    }
    for (guint i = 0; i < 6; i++)
        chi2 += (count[i] - THROWS / 6.0) * (count[i] - THROWS / 6.0) / (THROWS / 6.0);
    assert_true(chi2 < 25.7);
}

/* With a bound of 3 * 2^30 a plain modulus would give the first third half of all draws. */
TEST(test_random__large_bounds_are_unbiased)
{
    enum { DRAWS = 30000 };
    const guint32 third = 1u << 30;
    guint low = 0;
    TgRandom random;

    tg_random_seed(&random, 2, 0);
    for (guint i = 0; i < DRAWS; i++)
        low += tg_random_below(&random, 3 * third) < third;
    tg_assert_near(low / (double) DRAWS, 1.0 / 3, 0.011); /* 4 standard errors */
    assert_int_equal(tg_random_below(&random, 1), 0);
}

TEST(test_random__doubles_fill_the_unit_interval)
{
    enum { DRAWS = 30000 };
    double sum = 0, least = 1, most = 0;
    TgRandom random;

    tg_random_seed(&random, 3, 0);
    for (guint i = 0; i < DRAWS; i++) {
        const double u = tg_random_double(&random);

        assert_true(u >= 0.0 && u < 1.0);
        least = MIN(least, u);
        most = MAX(most, u);
        sum += u;
    }
    tg_assert_near(sum / DRAWS, 0.5, 0.0067); /* 4 standard errors */
    assert_true(least < 0.001 && most > 0.999);
}
