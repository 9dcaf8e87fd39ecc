#include "tests/support/test_support.h"

#include "core/number.h"
#include "core/random.h"

TEST(test_number__ten_digits)
{
    assert_true(tg_number_round(1.0 / 3) == 0.3333333333);
    assert_true(tg_number_round(123456789012.0) == 123456789000.0);
    assert_true(tg_number_round(55.0) == 55.0);
    assert_false(signbit(tg_number_round(-0.0)));
}

/* By the C library's printing and reading, which is how both are defined. */
static void check_digits(double value)
{
    char wanted[32], text[32];

    g_ascii_formatd(wanted, sizeof wanted, "%.10g", value);
    tg_number_format(value, text);
    assert_string_equal(text, wanted);
    assert_true(tg_number_round(value) == g_ascii_strtod(wanted, NULL));
}

/* Random numbers of every size, half-way cases, and neighbors of powers of ten. */
TEST(test_number__digits_are_those_of_printf)
{
    TgRandom random;

    tg_random_seed(&random, 1, 0);
    for (guint i = 0; i < 300000; i++) {
        const double value =
            ldexp(tg_random_double(&random), (int) tg_random_below(&random, 90) - 55);
        check_digits(value);
        check_digits(-value);
    }
    for (guint i = 0; i < 100000; i++) {
        const double n = tg_random_below(&random, 1 << 20), m = 1 + tg_random_below(&random, 1000);
        const double tie = ldexp(n, -(int) tg_random_below(&random, 30)); /* many end in 5 */
        check_digits(tie);
        check_digits(n / m);
    }
    for (int e = -20; e < 20; e++) {
        const double power = pow(10, e);
        const double near[] = { power,
                                nextafter(power, 0),
                                nextafter(power, INFINITY),
                                power * (1 - 5e-11),
                                power * (1 - 4e-11),
                                power * (1 + 5e-10) };
        for (guint i = 0; i < G_N_ELEMENTS(near); i++)
            check_digits(near[i]);
    }
}

TEST(test_number__refuses_what_is_not_a_number)
{
    double value;

    assert_true(tg_number_parse("-1.5e3", &value));
    assert_true(value == -1500.0);
    static const char *const bad[] = {
        "", "12abc", " 1", "1 ", "nan", "inf", "0x10", "1e999", "1,5"
    };
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_false(tg_number_parse(bad[i], &value));
}

/* 1e100 + 1 - 1e100 = 1 and 0.1 ten times = 1, whatever the order (the examples of math.fsum). */
TEST(test_exact_sum__order_does_not_matter)
{
    static const double terms[] = { 1e100, 1.0, -1e100, 1e-100, 1e50, -1.0, -1e50, 3.0 };
    TgExactSum forward = { 0 }, backward = { 0 }, tenths = { 0 };

    for (guint i = 0; i < G_N_ELEMENTS(terms); i++) {
        tg_exact_sum_add(&forward, terms[i]);
        tg_exact_sum_add(&backward, terms[G_N_ELEMENTS(terms) - 1 - i]);
    }
    assert_true(tg_exact_sum_value(&forward) == 3.0);
    assert_true(tg_exact_sum_value(&backward) == 3.0);
    for (guint i = 0; i < 10; i++)
        tg_exact_sum_add(&tenths, 0.1);
    assert_true(tg_exact_sum_value(&tenths) == 1.0);
}

/* The half-way case of Python's test suite: 1 + 2^-53 + 2^-106 rounds up. */
TEST(test_exact_sum__rounds_half_way_cases_exactly)
{
    TgExactSum sum = { 0 };

    tg_exact_sum_add(&sum, 1.0);
    tg_exact_sum_add(&sum, ldexp(1.0, -53));
    assert_true(tg_exact_sum_value(&sum) == 1.0);
    tg_exact_sum_add(&sum, ldexp(1.0, -106));
    assert_true(tg_exact_sum_value(&sum) == 1.0 + ldexp(1.0, -52));
}
