#include "tests/test_support.h"

#include "core/exact_sum.h"
#include "core/number.h"

static void test_number__ten_digits(void **state)
{
    (void) state;
    assert_true(tg_number_round(1.0 / 3) == 0.3333333333);
    assert_true(tg_number_round(123456789012.0) == 123456789000.0);
    assert_true(tg_number_round(55.0) == 55.0);
    assert_false(signbit(tg_number_round(-0.0)));
}

static void test_number__refuses_what_is_not_a_number(void **state)
{
    double value;

    (void) state;
    assert_true(tg_number_parse("-1.5e3", &value));
    assert_true(value == -1500.0);
    static const char *const bad[] = {
        "", "12abc", " 1", "1 ", "nan", "inf", "0x10", "1e999", "1,5"
    };
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_false(tg_number_parse(bad[i], &value));
}

/* 1e100 + 1 - 1e100 = 1 and 0.1 ten times = 1, whatever the order (the examples of math.fsum). */
static void test_exact_sum__order_does_not_matter(void **state)
{
    static const double terms[] = { 1e100, 1.0, -1e100, 1e-100, 1e50, -1.0, -1e50, 3.0 };
    TgExactSum forward = { 0 }, backward = { 0 }, tenths = { 0 };

    (void) state;
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
static void test_exact_sum__rounds_half_way_cases_exactly(void **state)
{
    TgExactSum sum = { 0 };

    (void) state;
    tg_exact_sum_add(&sum, 1.0);
    tg_exact_sum_add(&sum, ldexp(1.0, -53));
    assert_true(tg_exact_sum_value(&sum) == 1.0);
    tg_exact_sum_add(&sum, ldexp(1.0, -106));
    assert_true(tg_exact_sum_value(&sum) == 1.0 + ldexp(1.0, -52));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number__ten_digits),
        cmocka_unit_test(test_number__refuses_what_is_not_a_number),
        cmocka_unit_test(test_exact_sum__order_does_not_matter),
        cmocka_unit_test(test_exact_sum__rounds_half_way_cases_exactly),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
