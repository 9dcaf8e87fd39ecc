/* Expected values: mpmath 1.2.1 with 40 digits, rounded to double. */
#include "tests/support/test_support.h"

#include "eval/stats/stats.h"

#define assert_relative(actual, wanted, tolerance)                                                 \
    tg_assert_near((actual) / (wanted), 1.0, tolerance)

TEST(test_special__normal_cdf)
{
    static const double cases[][2] = {
        { -10.0, 7.619853024160525e-24 },
        { -3.0, 0.0013498980316300946 },
        { -1.959963984540054, 0.025000000000000012 },
        { -0.5, 0.3085375387259869 },
        { 0.0, 0.5 },
        { 0.5, 0.6914624612740131 },
        { 2.0, 0.9772498680518208 },
        { 8.0, 0.9999999999999993 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_relative(tg_special_normal_cdf(cases[i][0]), cases[i][1], 1e-14);
}

TEST(test_special__normal_quantile)
{
    static const double cases[][2] = {
        { 1e-300, -37.0470962993612 },  { 1e-20, -9.262340089798407 },
        { 1e-6, -4.753424308822899 },   { 0.0005, -3.290526731491895 },
        { 0.01, -2.326347874040841 },   { 0.025, -1.9599639845400543 },
        { 0.074, -1.4466320671589785 }, { 0.076, -1.4325027208258116 },
        { 0.3, -0.5244005127080408 },   { 0.75, 0.6744897501960817 },
        { 0.975, 1.9599639845400538 },  { 0.9999, 3.7190164854557084 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_relative(tg_special_normal_quantile(cases[i][0]), cases[i][1], 2e-15);
    assert_true(tg_special_normal_quantile(0.5) == 0.0);
    assert_true(tg_special_normal_quantile(0.0) == -INFINITY);
    assert_true(tg_special_normal_quantile(1.0) == INFINITY);
    assert_true(isnan(tg_special_normal_quantile(-0.1)));
    assert_true(isnan(tg_special_normal_quantile(NAN)));
}

TEST(test_special__incomplete_beta_and_its_complement)
{
    static const double cases[][5] = {
        { 2.0, 3.0, 0.4, 0.5248, 0.47519999999999996 },
        { 0.5, 0.5, 0.25, 0.3333333333333333, 0.6666666666666666 },
        { 49.0, 0.5, 0.9994, 0.8088532753630939, 0.19114672463690607 },
        { 49.0, 0.5, 0.75, 1.1804920270376269e-07, 0.9999998819507973 },
        { 499.0, 0.5, 0.99, 0.0015441161074010866, 0.9984558838925989 },
        { 12499.0, 0.5, 0.999, 5.703353115687428e-07, 0.9999994296646885 },
        { 12499.0, 0.5, 0.9999, 0.11385533475662131, 0.8861446652433786 },
        { 1000000.0, 0.5, 0.9999985, 0.08326443957459995, 0.9167355604254 },
        { 3000.0, 3000.0, 0.49, 0.0606567635293476, 0.9393432364706524 },
        { 5.0, 250.0, 0.01, 0.11322358214210734, 0.8867764178578926 },
        { 150.0, 2.0, 0.9, 2.190263664937422e-06, 0.999997809736335 },
        { 0.5, 3.0, 0.55, 0.9648010719306014, 0.03519892806939859 },
        { 3.0, 100000.0, 1e-05, 0.0803041561955605, 0.9196958438044395 },
        { 1000.0, 1000.0, 0.4, 8.231611354869308e-20, 1.0 },
        { 30.0, 0.5, 1e-06, 1.0257822264320528e-181, 1.0 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const double a = cases[i][0], b = cases[i][1], x = cases[i][2], y = 1.0 - x;
        const double value = tg_special_beta(a, b, x, y), rest = tg_special_beta(b, a, y, x);

        tg_assert_near(value, cases[i][3], 1e-14);
        tg_assert_near(rest, cases[i][4], 1e-14);
        if (value < rest)
            assert_relative(value, cases[i][3], 1e-12);
        else
            assert_relative(rest, cases[i][4], 1e-12);
    }
    /* at the ends and outside */
    assert_true(tg_special_beta(2, 3, 0, 1) == 0.0);
    assert_true(tg_special_beta(2, 3, 1, 0) == 1.0);
    assert_true(isnan(tg_special_beta(0, 3, 0.5, 0.5)));
    assert_true(isnan(tg_special_beta(2, 3, -0.5, 1.5)));
    assert_true(isnan(tg_special_beta(2, 3, NAN, NAN)));
}

TEST(test_special__student)
{
    static const double cases[][4] = {
        { 1.0, 1.0, 0.5, 0.25 },
        { 2.0966664836243623, 100.0, 0.03854638419877337, 0.019273192099386684 },
        { 0.001, 3.0, 0.9992648949694609, 0.49963244748473046 },
        { -2.5, 7.0, 0.040992218585752895, 0.9795038907071235 },
        { 12.0, 5.0, 7.089492517161522e-05, 3.544746258580761e-05 },
        { 40.0, 98.0, 1.663387720368578e-62, 8.31693860184289e-63 },
        { 1.96, 100000.0, 0.04999856319430164, 0.02499928159715082 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_relative(tg_special_student_two_sided(cases[i][0], cases[i][1]), cases[i][2], 1e-12);
        assert_relative(tg_special_student_upper(cases[i][0], cases[i][1]), cases[i][3], 1e-12);
    }
    assert_true(tg_special_student_two_sided(INFINITY, 3) == 0.0);
    assert_true(tg_special_student_upper(-INFINITY, 3) == 1.0);
    assert_true(isnan(tg_special_student_two_sided(1, 0)));
}

/* Values of SciPy's t.ppf((1 + level) / 2, df). */
TEST(test_special__student_quantile)
{
    assert_relative(tg_special_student_quantile(0.95, 10), 2.2281388519862744, 1e-10);
    assert_relative(tg_special_student_quantile(0.95, 1), 12.706204736174694, 1e-10);
    assert_relative(tg_special_student_quantile(0.9, 2.5), 2.5582186141359355, 1e-10);
    assert_relative(tg_special_student_quantile(0.99, 40), 2.7044592674331614, 1e-10);
    assert_true(tg_special_student_quantile(0, 3) < 1e-11);
    assert_true(isnan(tg_special_student_quantile(1, 3)));
    assert_true(isnan(tg_special_student_quantile(0.5, 0)));
}
