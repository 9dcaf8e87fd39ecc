/* FORTE's events by example, on both sides; what they cost, and that nothing else counts. */
#include "tests/support/golden_rows.h"
#include "tests/support/metric_support.h"

#include "metrics/forte/forte.h"

enum { COLUMN_SCORE, COLUMN_ERRORS, COLUMN_EXACT };

/* The types of the latest pair's events, "-" for none. (transfer full) */
static char *events_of(const TestScorer *scorer)
{
    const TgForteComparison *comparison = tg_forte_last_comparison(scorer->env);
    GString *out = g_string_new(comparison->events->len == 0 ? "-" : NULL);

    for (guint e = 0; e < comparison->events->len; e++)
        g_string_append_printf(
            out, "%s%s", e > 0 ? " " : "",
            tg_forte_tables.types[tg_forte_event(comparison->events, e)->type].name);
    return g_string_free(out, FALSE);
}

static void assert_events(TestScorer *scorer, const char *ref, const char *hyp, const char *wanted)
{
    test_scorer_add(scorer, ref, hyp);
    g_autofree char *events = events_of(scorer);
    if (strcmp(events, wanted) != 0)
        fail_msg("%s | %s: %s, not %s", ref, hyp, events, wanted);
}

static gboolean has_event(const char *events, const char *name)
{
    g_auto(GStrv) names = g_strsplit(events, " ", -1);

    return g_strv_contains((const char *const *) names, name);
}

/* A row is a rule or event, both sides, the events between, and what there is to say about it.
 *
 * The price is the sum of the prices, each the product of its factors; every edit is part of an
 * event, and a pair without one of its events scores more. */

/* The end said again and again, which is cut, and the whole formula said again. */
TEST(test_forte_rules__loops_go_to_the_floor)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    g_autoptr(GString) loop = g_string_new("a=b+c");

    for (guint i = 0; i < 10; i++)
        g_string_append(loop, "+b+c");
    const double score = test_scorer_add(&scorer, "a=b+c", loop->str);
    for (guint i = 0; i < 5000; i++)
        g_string_append(loop, "+b+c");
    tg_assert_near(score, 5. / 45, 1e-9);
    tg_assert_near(test_scorer_add(&scorer, "a=b+c", loop->str), 5. / 20045, 1e-9);
}

TEST(test_forte_rules__who_says_it_more_often_has_less)
{
    static const char *const formulas[] = {
        "x",         "x^2",   "\\alpha_1",      "12",      "\\frac{a}{b}",
        "\\sqrt{2}", "x^2+1", "\\text{if }x>0", "\\sin x", "\\int_0^1 f(x)\\,dx=\\frac{\\pi}{4}"
    };
    static const guint times[] = { 2, 3, 5, 20, 100, 500 };
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GString) loop = g_string_new(formulas[i]);
        double last = 1;

        for (guint t = 0, n = 1; t < G_N_ELEMENTS(times); t++) {
            for (; n < times[t]; n++)
                g_string_append_printf(loop, " %s", formulas[i]);
            const double score = test_scorer_add(&scorer, formulas[i], loop->str);
            if (score >= last || score > 1. / n + 1e-9)
                fail_msg("%s: %u times has %.4f after %.4f", formulas[i], n, score, last);
            last = score;
        }
    }
}

/* Rows that bear an event's name: some with the event, some without. */
TEST(test_forte_rules__every_event_has_examples_on_both_sides)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("forte_rules.tsv", 5);

    for (guint t = 0; t < TG_N_FORTE_TYPES; t++) {
        const char *name = tg_forte_tables.types[t].name;
        guint with = 0, without = 0;

        for (guint i = 0; i < rows->len; i++) {
            char **row = rows->pdata[i];

            if (strcmp(row[0], name) != 0)
                continue;
            with += has_event(row[3], name) != FALSE;
            without += has_event(row[3], name) == FALSE;
        }
        if (with == 0 || without == 0)
            fail_msg("%s: %u examples with it, %u without", name, with, without);
    }
}

static void assert_truthful(const TestScorer *scorer, const char *id)
{
    const TgForteComparison *comparison = tg_forte_last_comparison(scorer->env);
    double sum = 0;

    for (guint e = 0; e < comparison->events->len; e++) {
        TgForteFactor factors[TG_FORTE_MAX_FACTORS];
        double product = 1;
        guint n;
        const double price =
            tg_forte_price(tg_forte_event(comparison->events, e), comparison->profile, factors, &n);

        for (guint f = 0; f < n; f++)
            product *= factors[f].factor;
        tg_assert_near(price, product, 1e-12);
        assert_true(price > 0);
        const TgForteSums without =
            tg_forte_without(&comparison->sums, tg_forte_event(comparison->events, e), price);
        if (comparison->hyp->len > 0 && tg_forte_score(&without) < comparison->score)
            fail_msg("%s: less without event %u", id, e + 1);
        // tg_forte_score(&without) >= comparison->score);
        sum += price;
    }
    tg_assert_near(comparison->sums.price, sum, 1e-9);
    if (comparison->hyp->len > 0)
        tg_assert_near(comparison->score, tg_forte_score(&comparison->sums), 1e-12);
    for (guint i = 0; i < comparison->edits->len; i++) {
        const guint32 event = tg_forte_edit(comparison->edits, i)->event;

        assert_true(event > 0 && event <= comparison->events->len);
    }
}

TEST(test_forte_rules__events_are_all_that_counts)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("forte_rules.tsv", 5);
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    g_auto(TestScorer) strict = test_scorer_new("forte:profile=strict-meaning");

    for (guint i = 0; i < rows->len; i++) {
        char **row = rows->pdata[i];

        assert_events(&scorer, row[1], row[2], row[3]);
        assert_truthful(&scorer, row[1]);
        test_scorer_add(&strict, row[1], row[2]);
        assert_truthful(&strict, row[1]);
    }
}

TEST(test_forte_rules__events_are_all_that_counts_on_rated_pairs)
{
    json_auto_t *rows = tg_golden_shared("ratings/rated.jsonl");
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    size_t n = 0;

    tg_golden_each(row, rows)
    {
        test_scorer_add(&scorer, json_string_value(json_object_get(row, "gt")),
                        json_string_value(json_object_get(row, "pred")));
        assert_truthful(&scorer, json_string_value(json_object_get(row, "id")));
        n++;
    }
    assert_true(n > 1000);
}

TEST(test_forte_rules__source_that_does_not_compile_is_never_exact)
{
    static const struct {
        const char *ref, *hyp, *events;
        double exact, repairs;
    } cases[] = {
        { "\\frac{a}{b}", "\\frac{a}{b", "repair", 0, 1 },
        { "x^{2}", "x^{2", "repair", 0, 1 },
        { "x^{2", "x^{2", "-", 0, 1 }, /* no worse than the truth, and still not right */
        { "x^{2", "x^{2}", "-", 1, 0 },
        { "x", "\\left(x", "parenthesis repair", 0, 1 }, /* and a delimiter */
        { "x'' + 1", "x ' ' + 1", "-", 0, 0 },           /* a double superscript */
        { "x\\in\\mathbb{R}", "x\\in\\R", "-", 0, 0 },   /* no document knows it */
        { "a+b", "a\n\n+b", "-", 0, 0 },
    };
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_events(&scorer, cases[i].ref, cases[i].hyp, cases[i].events);
        tg_assert_near(tg_result_get(scorer.result, COLUMN_EXACT), cases[i].exact, 0);
        tg_assert_near(test_scorer_get(&scorer, "repairs"), cases[i].repairs, 0);
    }
}

/* The option packages is that of render. */
TEST(test_forte_rules__packages_say_what_is_known)
{
    static const struct {
        const char *metric, *hyp;
        double exact;
    } cases[] = {
        { "forte", "\\R", 0 },
        { "forte:packages=katex", "\\R", 1 },
        { "forte:packages=none", "\\mathbb{R}", 1 },
        { "forte:packages=none", "\\scalebox{1.0}{$\\mathbb{R}$}",
          1 }, /* mathtools loads graphicx */
        { "forte:packages=physics+katex:profile=ocr", "\\R", 1 },
    };
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(TestScorer) scorer = test_scorer_new(cases[i].metric);

        assert_events(&scorer, "\\mathbb{R}", cases[i].hyp, "-");
        tg_assert_near(tg_result_get(scorer.result, COLUMN_EXACT), cases[i].exact, 0);
    }
    assert_null(tg_metric_new("forte:packages=fisics", &error));
    assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_USAGE));
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
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    assert_events(&scorer, ref, hyp, "order");
    assert_events(&scorer, long_ref, long_hyp, "letter letter");
}

TEST(test_forte_rules__nothing_read_scores_nothing)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    tg_assert_near(test_scorer_add(&scorer, "x", ""), 0, 0);
    tg_assert_near(test_scorer_add(&scorer, "", ""), 1, 0);
    tg_assert_near(test_scorer_add(&scorer, "x", "y"), 0, 0);
    assert_true(test_scorer_add(&scorer, "\\theta", "0") > 0); /* it looks like it */
}

/* However much is lost, a lone symbol has half of what one of n symbols is. */
TEST(test_forte_rules__no_more_than_the_share_that_was_read)
{
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    for (guint n = 4; n <= 4096; n *= 4) {
        g_autoptr(GString) sum = g_string_new("x");

        for (guint i = 1; i < n; i++)
            g_string_append_printf(sum, "+%c", 'a' + i % 20);
        tg_assert_near(test_scorer_add(&scorer, sum->str, "x"), 0.5 / (2 * n - 1.5), 1e-9);
        assert_true(test_scorer_add(&scorer, sum->str, "x+b") <= 2.5 / (2 * n - 1.5) + 1e-9);
    }
}

/* (1 + S / k) ^ -k, S the price times (25 / (n + 10)) ^ a; 25 letters, n = 25, one of them wrong.
 */
TEST(test_forte_rules__size)
{
    const double k = tg_forte_tables.steepness;
    const double price = tg_forte_tables.types[TG_FORTE_EVENT_LETTER].price;
    g_auto(TestScorer) scorer = test_scorer_new("forte");

    tg_assert_near(
        test_scorer_add(&scorer, "abcdefghijlmnopqrstuvwxyz", "abcdefghijlmnopqrstukwxyz"),
        pow(1 + price * pow(25.0 / 35, tg_forte_tables.size) / k, -k), 1e-9);
}

/* People's level is a power of the score; around it the width of the table, whatever the profile;
 * 0.83 to 1 without errors. */
TEST(test_forte_rules__interval)
{
    const TgForteTables *tables = &tg_forte_tables;
    g_auto(TestScorer) scorer = test_scorer_new("forte");
    g_auto(TestScorer) strict = test_scorer_new("forte:profile=strict-meaning");
    const double score = test_scorer_add(&scorer, "a+b=c+d", "a+b=c-d");
    const double level = pow(score, tables->level);

    tg_assert_near(test_scorer_get(&scorer, "low"), MAX(level - tables->low, 0), 1e-9);
    tg_assert_near(test_scorer_get(&scorer, "high"), level + tables->high, 1e-9);
    assert_true(test_scorer_add(&strict, "a+b=c+d", "a+b=c-d") < score);
    tg_assert_near(test_scorer_get(&strict, "high"), level + tables->high, 1e-9);
    test_scorer_add(&scorer, "x", "");
    tg_assert_near(test_scorer_get(&scorer, "low"), 0, 0);
    test_scorer_add(&scorer, "x", "x");
    tg_assert_near(test_scorer_get(&scorer, "low"), 0.83, 0);
    tg_assert_near(test_scorer_get(&scorer, "high"), 1, 0);
}

/* A profile multiplies the prices of its classes. */
TEST(test_forte_rules__profiles)
{
    static const struct {
        const char *ref, *hyp;
        double strict, ocr;
    } cases[] = {
        { "a-b", "a+b", 1.5, 1 },           { "l+c", "I+c", 3, 2 },
        { "f(a,b)", "f(a;b)", 0.5, 2 },     { "a+12", "a+13", 1.5, 0.75 },
        { "\\mathbf{x}+y", "x+y", 0.5, 2 }, { "\\varphi+1", "\\phi+1", 1, 3 },
    };
    g_auto(TestScorer) people = test_scorer_new("forte");
    g_auto(TestScorer) strict = test_scorer_new("forte:profile=strict-meaning");
    g_auto(TestScorer) ocr = test_scorer_new("forte:profile=ocr");

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        test_scorer_add(&people, cases[i].ref, cases[i].hyp);
        test_scorer_add(&strict, cases[i].ref, cases[i].hyp);
        test_scorer_add(&ocr, cases[i].ref, cases[i].hyp);
        const double price = tg_result_get(people.result, COLUMN_ERRORS);

        tg_assert_near(tg_result_get(strict.result, COLUMN_ERRORS), cases[i].strict * price, 1e-9);
        tg_assert_near(tg_result_get(ocr.result, COLUMN_ERRORS), cases[i].ocr * price, 1e-9);
    }
    assert_null(tg_metric_new("forte:weight-digit=2", NULL));
    assert_null(tg_metric_new("forte:variant=simple", NULL));
}
