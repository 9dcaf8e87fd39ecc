/* Edit similarity, error rates, edit operations and expression rate. */
#include "tests/support/metric_support.h"

/* ---- edit ---- */

TEST(test_edit__by_hand)
{
    static const TestScore cases[] = {
        /* `+` read as `-`: 1 of 4 tokens; blanks do not count */
        { "edit", NULL, "a+b c", "a - bc", 3.0 / 4 },
        { "edit", "distance", "a+b c", "a - bc", 1 },
        { "edit", "normalized", "a+b c", "a - bc", 1.0 / 4 },
        { "edit", "corpus", "a+b c", "a - bc", 3.0 / 4 },
        /* characters: the blanks count, so `a - b` has 5 */
        { "edit:tokenize=codepoint", "distance", "a+b", "a - b", 3 },
        { "edit:lowercase=yes", NULL, "\\Delta X", "\\delta x", 1 },
        { "edit", NULL, "\\Delta X", "\\delta x", 0 },
        /* the CDM paper's example: `z` read as `2` in a formula of 37 characters */
        { "edit:tokenize=codepoint", "normalized", "\\left(x+y\\right)+z=x+\\left(y+z\\right)",
          "\\left(x+y\\right)+2=x+\\left(y+z\\right)", 1.0 / 37 },
        /* variants */
        { "edit", "distance", "abcd", "bacd", 2 },
        { "edit:variant=osa", "distance", "abcd", "bacd", 1 },
        { "edit:variant=osa", NULL, "abcd", "bacd", 3.0 / 4 },
        { "edit:variant=indel", "distance", "abcd", "axcd", 2 },
        { "edit:variant=indel", NULL, "abcd", "axcd", 6.0 / 8 },
        { "edit:variant=indel", NULL, "ab", "xy", 0 },
    };
    tg_assert_scores(cases, G_N_ELEMENTS(cases));
}

TEST(test_edit__empty_sides)
{
    static const char *const specs[] = { "edit", "edit:variant=osa", "edit:variant=indel" };

    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        const TestScore cases[] = {
            { specs[i], NULL, "", "", 1 },     { specs[i], "normalized", "", "", 0 },
            { specs[i], "corpus", "", "", 1 }, { specs[i], NULL, "a", "", 0 },
            { specs[i], NULL, "", "a", 0 },    { specs[i], "normalized", "", "a", 1 },
        };
        tg_assert_scores(cases, G_N_ELEMENTS(cases));
    }
}

/* 1 - (1 + 2) / (4 + 2), whatever the mean of the pairs' values is. */
TEST(test_edit__corpus_is_sum_over_sum)
{
    g_auto(TestScorer) scorer = test_scorer_new("edit");

    test_scorer_add(&scorer, "abcd", "abxd");
    test_scorer_add(&scorer, "ab", "xy");
    tg_assert_near(test_scorer_pool(&scorer, "corpus"), 0.5, 0);
    assert_true(isnan(test_scorer_pool(&scorer, "edit"))); /* a mean, not pooled */
}

/* The most similar reference counts, the first of equal ones: 1/2 and 2/4 here. */
TEST(test_edit__best_reference)
{
    static const char *const refs[] = { "abxy", "ax", "ay" };
    g_auto(TestScorer) scorer = test_scorer_new("edit");

    tg_assert_near(test_scorer_add_refs(&scorer, refs, 3, "ab"), 0.5, 0);
    tg_assert_near(test_scorer_get(&scorer, "distance"), 2, 0);
}

/* ---- edit-dist ---- */

/* Of 3 characters 1 is another: 1/3; beside it 0 of 1: 1/4, as their mean is 1/6. */
TEST(test_edit_dist__counts_characters_of_rows_without_numbers)
{
    g_auto(TestScorer) scorer = test_scorer_new("edit-dist");

    tg_assert_near(test_scorer_add(&scorer, "a+b", "a-b"), 1.0 / 3, 1e-9);
    tg_assert_near(test_scorer_add(&scorer, "a", "a"), 0, 0);
    tg_assert_near(test_scorer_pool(&scorer, "edit-dist"), 1.0 / 4, 1e-9);
    tg_assert_near(tg_score_pair("edit-dist", "", ""), 0, 0);
    tg_assert_near(tg_score_pair("edit-dist", "", "ab"), 1, 0);
}

/* The formulas are equal; what the row says counts. */
TEST(test_edit_dist__takes_the_numbers_of_the_row)
{
    static const struct {
        const char *fields;
        double wanted; /* NaN: there is none */
    } cases[] = {
        { "{\"norm_distance\":2,\"norm_length\":8}", 0.25 },
        { "{\"Edit_num\":3,\"upper_len\":4}", 0.75 },
        { "{\"Edit_num\":3,\"upper_len\":4,\"norm_distance\":0,\"norm_length\":1}", 0 },
        { "{\"page\":1,\"norm_distance\":null}", 0 },
        { "{\"norm_distance\":0,\"norm_length\":0}", NAN },
        { "{\"norm_distance\":2}", NAN },
        { "{\"norm_length\":2}", NAN },
        { "{\"norm_distance\":5,\"norm_length\":4}", NAN },
        { "{\"norm_distance\":-1,\"norm_length\":4}", NAN },
    };
    const char *const truth = "x";

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(TestScorer) scorer = test_scorer_new("edit-dist");
        json_auto_t *fields = json_loads(cases[i].fields, 0, NULL);
        const TgPair pair = { "pair", &truth, 1, "x", fields };
        g_autoptr(GError) error = NULL;
        const gboolean good =
            tg_metric_score(scorer.metric, scorer.env, &pair, scorer.result, &error);

        assert_int_equal(good, !isnan(cases[i].wanted));
        if (good)
            tg_assert_near(tg_result_get(scorer.result, 0), cases[i].wanted, 0);
        else
            assert_true(g_error_matches(error, TG_ERROR, TG_ERROR_DATA));
    }
}

/* ---- cer, wer ---- */

/* text-metrics.md 6: spacing alone drives WER to 1. */
TEST(test_error_rates__by_hand)
{
    static const TestScore cases[] = {
        { "cer", NULL, "abcd", "abxd", 1.0 / 4 },
        { "cer", NULL, "ab", "abxyz", 3.0 / 2 }, /* beyond 1 */
        { "cer", NULL, "\xC3\xA9", "e", 1 },
        { "cer:lowercase=yes", NULL, "AB", "ab", 0 },
        /* 1 word of 3 is wrong; the truth has 8 characters with its blanks */
        { "cer:edits=words", NULL, "abc + de", "abc - de", 1.0 / 8 },
        { "wer", NULL, "a + b", "a+b", 1 },
        { "wer:tokenize=latex", NULL, "a + b", "a+b", 0 },
        { "wer", NULL, "a + b c", "a - b", 2.0 / 4 },
    };
    tg_assert_scores(cases, G_N_ELEMENTS(cases));
}

TEST(test_error_rates__empty_sides)
{
    static const char *const specs[] = { "cer", "wer", "cer:edits=words" };

    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        tg_assert_near(tg_score_pair(specs[i], "", ""), 0, 0);
        tg_assert_near(tg_score_pair(specs[i], "x", ""), 1, 0);
        tg_assert_near(tg_score_pair(specs[i], "", "x"), 1, 0); /* d / max(1, length) */
    }
    tg_assert_near(tg_score_pair("cer", "", "xyz"), 3, 0);
}

TEST(test_error_rates__pooled_and_mean)
{
    g_auto(TestScorer) scorer = test_scorer_new("cer");

    test_scorer_add(&scorer, "abcd", "abxd");
    tg_assert_near(test_scorer_get(&scorer, "mean"), 1.0 / 4, 0);
    test_scorer_add(&scorer, "a", "b");
    tg_assert_near(test_scorer_pool(&scorer, "cer"), 2.0 / 5, 0);
}

/* 2/4 and 1/2 are equal: the first reference's edits and length are pooled. */
TEST(test_error_rates__best_reference)
{
    static const char *const refs[] = { "abxy", "ax", "wwww" };
    g_auto(TestScorer) scorer = test_scorer_new("cer");

    tg_assert_near(test_scorer_add_refs(&scorer, refs, 3, "ab"), 0.5, 0);
    assert_true(scorer.sum[0] == 2 && scorer.sum[1] == 4);
}

/* ---- edit-ops ---- */

static void assert_ops(const char *ref, const char *hyp, double s, double d, double i)
{
    g_auto(TestScorer) scorer = test_scorer_new("edit-ops");

    tg_assert_near(test_scorer_add(&scorer, ref, hyp), s + d + i, 0);
    tg_assert_near(test_scorer_get(&scorer, "substitutions"), s, 0);
    tg_assert_near(test_scorer_get(&scorer, "deletions"), d, 0);
    tg_assert_near(test_scorer_get(&scorer, "insertions"), i, 0);
}

TEST(test_edit_ops__by_hand)
{
    assert_ops("abc", "abc", 0, 0, 0);
    assert_ops("", "", 0, 0, 0);
    assert_ops("abc", "", 0, 3, 0);
    assert_ops("", "abc", 0, 0, 3);
    assert_ops("abcd", "abxd", 1, 0, 0);
    assert_ops("abcd", "acdx", 0, 1, 1);
    assert_ops("ab", "ba", 2, 0, 0); /* rather than one deletion and one insertion */
    assert_ops("kitten", "sitting", 2, 0, 1);
}

TEST(test_edit_ops__detail_lists_the_edits)
{
    g_auto(TestScorer) scorer = test_scorer_new("edit-ops");

    test_scorer_add(&scorer, "kitten", "sitting");
    tg_assert_text(g_variant_print(scorer.result->detail, FALSE),
                   "[('substitute', 0, 0), ('substitute', 4, 4), ('insert', 6, 6)]");
}

/* ---- exprate ---- */

static void assert_exprate(const char *ref, const char *hyp, guint errors)
{
    g_auto(TestScorer) scorer = test_scorer_new("exprate");

    tg_assert_near(test_scorer_add(&scorer, ref, hyp), errors == 0, 0);
    tg_assert_near(test_scorer_get(&scorer, "1"), errors <= 1, 0);
    tg_assert_near(test_scorer_get(&scorer, "2"), errors <= 2, 0);
    tg_assert_near(test_scorer_get(&scorer, "3"), errors <= 3, 0);
}

TEST(test_exprate__by_hand)
{
    static const char *const refs[] = { "xyz", "ab" };
    g_auto(TestScorer) scorer = test_scorer_new("exprate");

    assert_exprate("", "", 0);
    assert_exprate("\\frac{a}{b}", "\\frac {a} {b}", 0);
    assert_exprate("abcd", "abc", 1);
    assert_exprate("abcd", "ab", 2);
    assert_exprate("abcd", "xbyz", 3);
    assert_exprate("abcd", "wxyz", 4);
    assert_exprate("abcd", "", 4);
    assert_exprate("\\alpha", "\\Alpha", 1);
    tg_assert_near(tg_score_pair("exprate:tokenize=words", "a+b", "a + b"), 0, 0);
    tg_assert_near(tg_score_pair("exprate:lowercase=yes", "A", "a"), 1, 0);
    tg_assert_near(test_scorer_add_refs(&scorer, refs, 2, "ab"), 1, 0);
}

/* ---- reference values ---- */

static void assert_unit(const json_t *wanted, const char *tokenize, const char *ref,
                        const char *hyp)
{
    static const char *const variants[][3] = { { "levenshtein", "lev", "lev_sim" },
                                               { "osa", "osa", "osa_sim" },
                                               { "indel", "indel", "indel_sim" } };
    const json_t *alignment = json_object_get(wanted, "one_alignment");
    g_autofree char *ops_spec = g_strdup_printf("edit-ops:tokenize=%s", tokenize);
    g_auto(TestScorer) ops = test_scorer_new(ops_spec);

    for (guint i = 0; i < G_N_ELEMENTS(variants); i++) {
        g_autofree char *spec =
            g_strdup_printf("edit:tokenize=%s:variant=%s", tokenize, variants[i][0]);
        g_auto(TestScorer) scorer = test_scorer_new(spec);

        tg_assert_near(test_scorer_add(&scorer, ref, hyp), tg_golden_number(wanted, variants[i][2]),
                       1e-9);
        tg_assert_near(test_scorer_get(&scorer, "distance"),
                       tg_golden_number(wanted, variants[i][1]), 0);
    }
    tg_assert_near(test_scorer_add(&ops, ref, hyp), tg_golden_number(wanted, "lev"), 0);
    tg_assert_near(tg_golden_number(alignment, "S") + tg_golden_number(alignment, "D") +
                       tg_golden_number(alignment, "I"),
                   test_scorer_get(&ops, "substitutions") + test_scorer_get(&ops, "deletions") +
                       test_scorer_get(&ops, "insertions"),
                   0);
    tg_assert_near(test_scorer_get(&ops, "deletions") - test_scorer_get(&ops, "insertions"),
                   tg_golden_number(wanted, "n_ref") - tg_golden_number(wanted, "n_hyp"), 0);
}

static void assert_rate(const char *spec, const json_t *wanted, const char *ref, const char *hyp)
{
    const json_t *rate = json_object_get(wanted, "error_rate");
    const double lev = tg_golden_number(wanted, "lev");

    tg_assert_near(tg_score_pair(spec, ref, hyp),
                   json_is_null(rate) ? lev : json_number_value(rate), 1e-9);
}

TEST(test_edit__reference)
{
    json_auto_t *records = tg_golden_shared("reference/text/edit-rouge.jsonl");
    tg_golden_each(record, records)
    {
        const gboolean latex = strcmp(tg_golden_string(record, "token_rule"), "latex") == 0;
        const char *ref = tg_golden_string(record, "ref"), *hyp = tg_golden_string(record, "hyp");
        const json_t *on_char = json_object_get(record, "char");
        const json_t *on_token = json_object_get(record, "token");

        assert_unit(on_char, "codepoint", ref, hyp);
        assert_unit(on_token, latex ? "latex" : "words", ref, hyp);
        assert_rate("cer", on_char, ref, hyp);
        assert_rate(latex ? "wer:tokenize=latex" : "wer", on_token, ref, hyp);
    }
}

TEST(test_error_rates__corpus_reference)
{
    json_auto_t *records = tg_golden_shared("reference/text/edit-rouge.jsonl");
    json_auto_t *corpus = tg_golden_shared("reference/text/edit-corpus.json");
    g_auto(TestScorer) cer = test_scorer_new("cer");
    g_auto(TestScorer) wer = test_scorer_new("wer");
    size_t listed = 0;
    const json_t *ids = json_object_get(corpus, "ids");

    tg_golden_each(record, records)
    {
        g_autofree char *ref = tg_join_tokens(json_object_get(record, "ref_tokens"));
        g_autofree char *hyp = tg_join_tokens(json_object_get(record, "hyp_tokens"));

        if (listed == json_array_size(ids) ||
            strcmp(tg_golden_string(record, "id"),
                   json_string_value(json_array_get(ids, listed))) != 0)
            continue;
        listed++;
        test_scorer_add(&cer, tg_golden_string(record, "ref"), tg_golden_string(record, "hyp"));
        test_scorer_add(&wer, ref, hyp);
    }
    assert_int_equal(listed, json_array_size(ids));
    tg_assert_near(test_scorer_pool(&cer, "cer"), tg_golden_number(corpus, "cer"), 1e-9);
    tg_assert_near(test_scorer_pool(&wer, "wer"), tg_golden_number(corpus, "wer"), 1e-9);
    tg_assert_near(cer.sum[0], tg_golden_number(corpus, "cer_edits"), 0);
    tg_assert_near(cer.sum[1], tg_golden_number(corpus, "cer_n"), 0);
    tg_assert_near(wer.sum[0], tg_golden_number(corpus, "wer_edits"), 0);
    tg_assert_near(wer.sum[1], tg_golden_number(corpus, "wer_n"), 0);
}

TEST(test_edit__study_scores)
{
    json_auto_t *records = tg_golden_shared("reference/text/study-scores.jsonl");
    g_auto(TestScorer) scorer = test_scorer_new("edit:tokenize=codepoint");
    tg_golden_each(record, records)
    {
        tg_assert_near(test_scorer_add(&scorer, tg_golden_string(record, "gt_clean"),
                                       tg_golden_string(record, "extracted_clean")),
                       tg_golden_number(record, "lev_sim"), 1e-9);
        tg_assert_near(test_scorer_get(&scorer, "distance"),
                       tg_golden_number(record, "lev_distance"), 0);
    }
}
