/* FORTE's rules by example, on both sides: what looks the same, and what differs a little. */
#include "tests/support/metric_support.h"

#include "metrics/metric.h"

enum { COLUMN_SCORE, COLUMN_ERRORS, COLUMN_EXACT, COLUMN_REPAIRS = 16 };

typedef struct {
    const char *ref, *hyp;
    double severity;
} Case;

static void assert_severities(const char *spec, const Case *cases, guint n)
{
    g_auto(TestScorer) scorer = test_scorer_new(spec);

    for (guint i = 0; i < n; i++) {
        test_scorer_add(&scorer, cases[i].ref, cases[i].hyp);
        const double severity = tg_result_get(scorer.result, COLUMN_ERRORS);
        if (!(fabs(severity - cases[i].severity) <= 1e-9))
            fail_msg("%s | %s: %.10g, not %.10g", cases[i].ref, cases[i].hyp, severity,
                     cases[i].severity);
    }
}

#define ASSERT_SEVERITIES(cases) assert_severities("forte", cases, G_N_ELEMENTS(cases))

TEST(test_forte_rules__primes)
{
    static const Case cases[] = {
        { "f^{'}", "f'", 0 },          { "f^{''}", "f''", 0 },  { "{x_i}'", "x_i'", 0 },
        { "{f_n}'(x)", "f_n'(x)", 0 }, { "x_1{}'", "x'_1", 0 }, { "f' '", "f''", 0 },
        { "f''", "f'", 0.7 },          /* a prime lost */
        { "x_{i'}", "x_i'", 1.4 },     /* of another symbol: lost and added */
        { "{x^2}'", "x'^2", 1.4 },     /* behind the exponent, not before it */
        { "e^{a\\, '}", "e^{a'}", 0 }, /* stays in the exponent */
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__signs_typed_otherwise)
{
    static const Case cases[] = {
        { "1,2,\\cdot\\cdot\\cdot,n", "1,2,\\ldots,n", 0 },
        { "1,2,\\cdot\\cdot\\cdot,n", "1,2,\\cdots,n", 0 },
        { "a\\cdot b\\cdot c", "a\\cdots b\\cdot c", 0.5 }, /* look-alikes */
        { "<x>", "\\langle x\\rangle", 0 },
        { "(f,<x,y>)", "(f,\\langle x,y\\rangle)", 0 },
        { "|\\psi>=|0>", "|\\psi\\rangle=|0\\rangle", 0 },
        { "<\\psi|", "\\langle\\psi|", 0 },
        { "|a><b|", "|a\\rangle\\langle b|", 0 },
        { "|x|>0", "|x|\\rangle 0", 1.3 }, /* there it is a relation */
        { "a<b>c", "a\\langle b\\rangle c", 1.3 * 2 },
        { "x<y", "x\\langle y", 1.3 },
        { "√2", "\\sqrt2", 0 },
        { "√12+1", "\\sqrt{12}+1", 0 },
        { "√(a+b)c", "\\sqrt{(a+b)}c", 0 },
        { "√{x+1}", "\\sqrt{x+1}", 0 },
        { "√2x", "\\sqrt{2x}", 0.6 }, /* its end is elsewhere */
        { "\\pmb{x}", "\\boldsymbol{x}", 0 },
        { "\\pmb{\\alpha}", "\\alpha", 0.12 },
        { "a，b；c（d）。", "a,b;c(d).", 0 },
        { "a，b", "a;b", 0.3 },
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__equation_numbers)
{
    static const Case cases[] = {
        { "a=b\\quad(1)", "a=b\\tag{1}", 0 },
        { "a=b,\\tag{2.1}", "a=b \\qquad (2.1)", 0 },
        { "a=b\\tag{1}", "a=b", 0 },
        { "a=b\\tag{1}", "a=b\\tag{2}", 1.6 },  /* two numbers: a wrong digit */
        { "a=b\\quad(1)", "a=b\\tag{2}", 2.2 }, /* (1) of the formula is lost */
        { "a=b\\quad(1)", "a=b", 2.2 },
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__styles_by_the_formula)
{
    static const Case cases[] = {
        { "{\\rm d}x", "dx", 0 },                    /* habit */
        { "\\mathrm{d}x+\\mathrm{d}y", "dx+dy", 0 }, /* the same habit */
        { "x+x", "\\mathrm{x}+\\mathrm{x}", 0 },     /* kept */
        { "\\mathbf{x}+y", "x+y", 0.12 },            /* a font that shows */
        { "\\mathsf{x}+y", "x+y", 0.12 },
        { "\\mathtt{x}+y", "x+y", 0.12 },
        { "\\mathbf{x}+x", "x+x", 0.35 }, /* two things became one */
        { "\\mathrm{d}d", "dd", 0.35 },
        { "\\mathbf{x}+x", "x+\\mathbf{x}", 0.12 * 1.3 }, /* kept apart; again at 0.3 */
        { "x+x+x", "x+x+\\mathrm{x}", 0.12 },             /* one thing became two */
        { "\\sin x", "\\cos x", 1.3 },                    /* a function's name is one word ... */
        { "\\arccot x", "\\arctan x", 1.3 },   /* ... that of an unknown command as well */
        { "\\mathrm{sin}\\,s", "sin\\,s", 0 }, /* letters of a word are no symbols */
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__blanks_cells_and_ends_of_rows)
{
    static const Case cases[] = {
        { "x\\text{ if so}", "x\\text{ifso}", 0.2 },
        { "\\text{if }x", "\\text{if} x", 0 },
        { "\\text{if so}", "\\text{if}\\ \\text{so}", 0 },
        { "\\text{if so}", "\\mathrm{ifso}", 0 }, /* mathematics has no blanks to lose */
        { "\\begin{matrix}a&b\\end{matrix}", "\\begin{matrix}ab\\end{matrix}", 0.1 },
        { "\\begin{array}{rl}a&=b\\\\&=c\\end{array}", "\\begin{aligned}a=&b\\\\=&c\\end{aligned}",
          0 },
        { "a=b,\\\\c=d.", "a=b\\\\c=d", 0 },
        { "\\begin{cases}a,&x>0,\\\\b,&x<0.\\end{cases}",
          "\\begin{cases}a,&x>0\\\\b,&x<0\\end{cases}", 0 },
        { "f(a,b)", "f(a b)", 0.4 }, /* inside a row it counts */
        { "a...\\\\b", "a\\dots\\\\b", 0 },
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__source_that_does_not_compile_is_never_exact)
{
    static const struct {
        const char *ref, *hyp;
        double severity, exact, repairs;
    } cases[] = {
        { "\\frac{a}{b}", "\\frac{a}{b", 0.3, 0, 1 },
        { "x^{2}", "x^{2", 0.3, 0, 1 },
        { "x^{2", "x^{2", 0, 0, 1 }, /* no worse than the truth, and still not right */
        { "x^{2", "x^{2}", 0, 1, 0 },
        { "x", "\\left(x", 0.9, 0, 1 }, /* and a delimiter */
        { "x'' + 1", "x ' ' + 1", 0, 1, 0 },
    };
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        test_scorer_add(&scorer, cases[i].ref, cases[i].hyp);
        tg_assert_near(tg_result_get(scorer.result, COLUMN_ERRORS), cases[i].severity, 1e-9);
        tg_assert_near(tg_result_get(scorer.result, COLUMN_EXACT), cases[i].exact, 0);
        tg_assert_near(tg_result_get(scorer.result, COLUMN_REPAIRS), cases[i].repairs, 0);
    }
}

/* A script costs 1.2 * sqrt(sum / 1.9), where sum is what its edits cost. */
TEST(test_forte_rules__a_script_is_one_error)
{
    static const Case cases[] = {
        { "x^2+1", "x+1", 1.2 },
        { "x+1", "x_k+1", 1.2 },
        { "x+1", "x^{k_1}+1", 1.2 * 1.41421356237 }, /* 3.8, twice 1.9 */
        { "x_x^2", "x", 1.2 * 1.41421356237 },       /* both of x */
        { "x^2+1", "x2+1", 0.9 },                    /* slid to the line */
        { "x2+1", "x^2+1", 0.9 },
        { "x_i", "x^i", 0.8 },
        { "x^2y", "y", 2.2 }, /* x is lost as well */
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__what_moved_is_one_error)
{
    static const Case cases[] = {
        { "\\frac{a}{b}", "\\frac{b}{a}", 1.5 },
        { "\\frac{a+b+c}{d}", "\\frac{d}{a+b+c}", 1.5 },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "\\begin{pmatrix}c&d\\\\a&b\\end{pmatrix}",
          1 },
        { "a=b\\\\c=d\\\\e=f", "c=d\\\\a=b\\\\e=f", 1 },
        { "x-y", "y-x", 1.5 },
        { "(a+b)c", "(a+bc)", 0.7 },
        { "\\frac{a}{b+c}", "\\frac{a}{b}+c", 0.6 },
        { "\\frac{a}{b}", "\\frac{b}{c}", 2 }, /* not exchanged: two wrong letters */
        { "\\begin{pmatrix}a\\\\b\\end{pmatrix}", "\\begin{pmatrix}b\\\\c\\end{pmatrix}", 2 },
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__a_script_on_the_line_is_one_error)
{
    static const Case cases[] = {
        { "x^{ab}+1", "xab+1", 0.9 },   { "e^{-x}dx", "e-xdx", 0.9 },
        { "a_{n+1}=b", "an+1=b", 0.9 }, { "x^{\\frac{a}{b}}+c", "x\\frac{a}{b}+c", 0.9 },
        { "2n-1", "2^{n-1}", 0.9 },     { "x_i^2", "xi2", 1.8 }, /* two scripts */
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__rows_and_columns_exchanged)
{
    static const Case cases[] = {
        { "\\begin{pmatrix}a&b&c\\\\d&e&f\\\\g&h&i\\end{pmatrix}",
          "\\begin{pmatrix}g&h&i\\\\d&e&f\\\\a&b&c\\end{pmatrix}", 1 },
        { "\\begin{cases}x+1,&x>0\\\\-x,&x\\le 0\\end{cases}",
          "\\begin{cases}-x,&x\\le 0\\\\x+1,&x>0\\end{cases}", 1 },
        { "\\sum_{\\substack{i<n\\\\j<m}}x", "\\sum_{\\substack{j<m\\\\i<n}}x", 1 },
        { "\\begin{pmatrix}a&b\\\\c&d\\\\e&f\\end{pmatrix}", /* the first became the last */
          "\\begin{pmatrix}c&d\\\\e&f\\\\a&b\\end{pmatrix}", 1 },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", /* and a wrong letter */
          "\\begin{pmatrix}c&d\\\\a&e\\end{pmatrix}", 1 + 1 },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "\\begin{pmatrix}b&a\\\\d&c\\end{pmatrix}",
          1.5 },
        { "\\begin{pmatrix}a&b&c\\\\d&e&f\\end{pmatrix}",
          "\\begin{pmatrix}c&b&a\\\\f&e&d\\end{pmatrix}", 1.5 },
        { "\\begin{bmatrix}\\alpha&x+1\\\\0&y\\end{bmatrix}",
          "\\begin{bmatrix}x+1&\\alpha\\\\y&0\\end{bmatrix}", 1.5 },
        { "\\begin{vmatrix}1&2\\\\3&4\\end{vmatrix}", "\\begin{vmatrix}2&1\\\\4&3\\end{vmatrix}",
          1.5 },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", /* and a wrong letter */
          "\\begin{pmatrix}b&a\\\\d&e\\end{pmatrix}", 1.5 + 1 },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", /* four wrong letters */
          "\\begin{pmatrix}b&e\\\\d&f\\end{pmatrix}", 4 },
        { "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "\\begin{pmatrix}e&c\\\\f&a\\end{pmatrix}",
          4 },
    };

    ASSERT_SEVERITIES(cases);
}

/* A row, @n rows `a` and another one. */
static char *long_list(const char *first, guint n, const char *last)
{
    GString *out = g_string_new(first);

    for (guint i = 0; i < n; i++)
        g_string_append(out, "\\\\a");
    g_string_append_printf(out, "\\\\%s", last);
    return g_string_free(out, FALSE);
}

/* Parts are compared up to 256; beyond that the edits stand as they are, two wrong letters. */
TEST(test_forte_rules__more_parts_than_are_compared)
{
    g_autofree char *ref = long_list("x", 200, "y"), *hyp = long_list("y", 200, "x");
    g_autofree char *long_ref = long_list("x", 300, "y"), *long_hyp = long_list("y", 300, "x");
    const Case cases[] = { { ref, hyp, 1 }, { long_ref, long_hyp, 2 } };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__fractions_and_scripts_exchanged)
{
    static const Case cases[] = {
        { "y=\\frac{\\partial f}{\\partial x}+1", "y=\\frac{\\partial x}{\\partial f}+1", 1.5 },
        { "\\frac{\\frac{a}{b}}{c+1}", "\\frac{c+1}{\\frac{a}{b}}", 1.5 },
        { "x=\\frac{-b\\pm\\sqrt{b^2-4ac}}{2a}", "x=\\frac{2a}{-b\\pm\\sqrt{b^2-4ac}}", 1.5 },
        { "\\frac{n!}{k!(n-k)!}", "\\frac{k!(n-k)!}{n!}", 1.5 },
        { "\\frac{1}{x^2+1}", "\\frac{x^3+1}{1}", 1.5 + 1.6 }, /* and a wrong digit */
        { "\\frac{1}{2}", "\\frac{3}{4}", 1.6 * 2 },           /* two wrong digits */
        { "\\sum_{i=1}^{n}i", "\\sum_{n}^{i=1}i", 1.5 },
        { "\\int_0^1f", "\\int_1^0f", 1.5 },
        { "x_a^b", "x_b^c", 2 },
        { "I-J", "J-I", 1.5 }, /* look-alikes: the formula has both */
    };

    ASSERT_SEVERITIES(cases);
}

/* Also where the cheapest alignment of tokens does not show it. */
TEST(test_forte_rules__a_moved_sub_expression_is_one_error)
{
    static const Case cases[] = {
        { "ab+c", "c+ab", 1.5 },
        { "x^2y", "xy^2", 1.5 },
        { "x_iy", "xy_i", 1.5 },
        { "A=\\sum_{i}x_iy_iz", "A=x_iy_iz\\sum_{i}", 1.5 },
        { "\\int_a^bf(x)dx+c", "f(x)\\int_a^bdx+c", 1.5 },
        { "\\hat{x}+y", "x+\\hat{y}", 1.5 },
        { "ab+c", "z+ab", 4 }, /* something else */
        { "a+b", "c+b+d", 3 }, /* a wrong letter, and one added with its sign */
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__a_bracket_elsewhere_is_one_error)
{
    static const Case cases[] = {
        { "f(x+y)z=1", "f(x)+yz=1", 0.7 },
        { "\\frac{a+b}{c}", "a+\\frac{b}{c}", 0.7 },
        { "\\overline{a}b", "\\overline{ab}", 0.7 },
        { "\\overline{ab}c", "\\overline{abc}", 0.7 },
        { "\\sqrt{x+y}", "\\sqrt{x}+y", 0.6 },
        { "x^{a+b}", "x^a+b", 0.6 },
        { "a(b+c)", "(ab+c)", 0.7 },
        { "(a+b", "a+b)", 0.6 * 2 }, /* another bracket */
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__letters_renamed_throughout)
{
    static const Case cases[] = {
        { "T_s+T_{s+1}", "T_a+T_{a+1}", 0.5 * 1.3 },
        { "T_s+T_{s+1}", "T_a+T_{s+1}", 1 },   /* not throughout */
        { "T_s+T_{s+a}", "T_a+T_{a+a}", 1.3 }, /* a means something else */
        { "I+1", "J+1", 0.5 },                 /* a look-alike */
        { "I+J", "J+J", 1 },                   /* that the formula has: nobody can tell */
        { "P+p", "p+p", 1 },
        { "T_s", "T_a", 1 }, /* nothing says that it is a name */
    };

    ASSERT_SEVERITIES(cases);
}

TEST(test_forte_rules__nothing_read_scores_nothing)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    tg_assert_near(test_scorer_add(&scorer, "x", ""), 0, 0);
    tg_assert_near(test_scorer_add(&scorer, "", ""), 1, 0);
    assert_true(test_scorer_add(&scorer, "x", "y") > 0);
}

/* One slip in a long formula is a small one; 25 letters, n = 25, and one of them wrong. */
TEST(test_forte_rules__size)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    tg_assert_near(
        test_scorer_add(&scorer, "abcdefghijklmnopqrstuvwxy", "abcdefghijklmnopqrstuvwxw"),
        1 / (1 + 0.75 * 1 * pow(25.0 / 35, 2.0 / 3)), 1e-9);
}

/* As calibrated: 0.24 below and 0.17 above, 0.83 to 1 without errors; people's, whatever the
 * profile. */
TEST(test_forte_rules__interval)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    g_auto(TestScorer) strict = test_scorer_new("forte:profile=strict-meaning");
    g_auto(TestScorer) simple = test_scorer_new("forte:variant=simple");
    const double score = test_scorer_add(&scorer, "a+b=c+d", "a+b=c-d");

    tg_assert_near(test_scorer_get(&scorer, "low"), score - 0.24, 1e-12);
    tg_assert_near(test_scorer_get(&scorer, "high"), score + 0.17, 1e-12);
    assert_true(test_scorer_add(&strict, "a+b=c+d", "a+b=c-d") < score);
    tg_assert_near(test_scorer_get(&strict, "low"), score - 0.24, 1e-12);
    test_scorer_add(&scorer, "x", "");
    tg_assert_near(test_scorer_get(&scorer, "low"), 0, 0);
    test_scorer_add(&scorer, "x", "x");
    tg_assert_near(test_scorer_get(&scorer, "low"), 0.83, 0);
    tg_assert_near(test_scorer_get(&scorer, "high"), 1, 0);
    test_scorer_add(&simple, "x", "x");
    assert_true(isnan(test_scorer_get(&simple, "low")));
}

TEST(test_forte_rules__profiles)
{
    static const Case strict[] = {
        { "a-b", "a+b", 1.8 },
        { "l+1", "I+1", 1.5 },
        { "a,b", "a;b", 0.15 },
        { "12", "13", 2.4 },
    };
    static const Case ocr[] = {
        { "a-b", "a+b", 1.2 },
        { "l+1", "I+1", 1 },
        { "a,b", "a;b", 0.6 },
        { "12", "13", 1.2 },
    };

    assert_severities("forte:profile=strict-meaning", strict, G_N_ELEMENTS(strict));
    assert_severities("forte:profile=ocr", ocr, G_N_ELEMENTS(ocr));
}

/* A weight of the user's multiplies that of the profile; the interval stays people's. */
TEST(test_forte_rules__weights_of_the_user)
{
    static const Case cases[] = {
        { "12", "13", 3.2 },           /* 1.6, twice */
        { "a-b", "a+b", 1.2 },         /* as it is */
        { "\\mathbf{x}+y", "x+y", 0 }, /* styles do not count */
        { "\\mathbf{x}2+y", "x3+y", 3.2 },
    };
    static const Case strict[] = { { "12", "13", 4.8 }, { "a-b", "a+b", 1.8 } };
    g_auto(TestScorer) people = test_scorer_new("forte");
    g_auto(TestScorer) own = test_scorer_new("forte:weight-digit=2:weight-style=0");

    assert_severities("forte:weight-digit=2:weight-style=0", cases, G_N_ELEMENTS(cases));
    assert_severities("forte:profile=strict-meaning:weight-digit=2", strict, G_N_ELEMENTS(strict));
    test_scorer_add(&people, "12", "13");
    test_scorer_add(&own, "12", "13");
    tg_assert_near(test_scorer_get(&own, "low"), test_scorer_get(&people, "low"), 0);
    tg_assert_near(test_scorer_get(&own, "digit"), 1, 0); /* counts are counts */
    assert_non_null(strstr(tg_metric_signature(own.metric), "|weight-digit:2|weight-style:0|"));
    assert_null(strstr(tg_metric_signature(people.metric), "weight"));
    assert_null(tg_metric_new("forte:weight-digit=-1", NULL));
    assert_null(tg_metric_new("forte:weight-sign=2", NULL));
}
