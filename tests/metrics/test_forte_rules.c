/* FORTE's rules by example, on both sides: what looks the same, and what differs a little. */
#include "tests/support/golden_rows.h"
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

/* A row is a rule, both sides, the severity, and what there is to say about it. */
TEST(test_forte_rules__examples)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("forte_rules.tsv", 5);

    assert_int_equal(rows->len, 158);
    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];
        const Case example = { row[1], row[2], g_ascii_strtod(row[3], NULL) };

        assert_severities("forte", &example, 1);
    }
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

    assert_severities("forte", cases, G_N_ELEMENTS(cases));
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
