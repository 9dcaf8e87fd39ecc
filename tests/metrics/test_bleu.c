/* BLEU against hand work, and against sacrebleu's and NLTK's values. */
#include "tests/support/metric_support.h"

/* ---- hand work ---- */

/* The pairs of text-metrics.md 3.2: three matching triples, and the closest length. */
TEST(test_bleu__worked_corpus)
{
    static const char *const first[] = { "1 2 3", "2 3 4" };
    static const char *const second[] = { "1 2 6", "781 21 9", "7 3" };
    g_auto(TestScorer) scorer = test_scorer_new("bleu:tokenize=words:smooth=nltk0:order=3");

    test_scorer_add_refs(&scorer, first, 2, "1 2 3");
    test_scorer_add_refs(&scorer, second, 3, "1 2");
    tg_assert_near(test_scorer_pool(&scorer, "bleu"), pow(1.0 * 1.0 * 0.5, 1.0 / 3), 1e-9);
    tg_assert_near(test_scorer_pool(&scorer, "bp"), 1, 0);
    tg_assert_near(test_scorer_pool(&scorer, "ratio"), 1, 0);
}

/* `a b c d` for `a b c e`: precisions 3/4, 2/3, 1/2 and none of one 4-gram; then brevity. */
TEST(test_bleu__smoothing_and_brevity_by_hand)
{
    const double three = 3.0 / 4 * 2 / 3 * 1 / 2;
    const TestScore cases[] = {
        { "bleu:smooth=none", NULL, "abce", "abcd", 0 },
        { "bleu:smooth=floor", NULL, "abce", "abcd", pow(three * 0.1, 0.25) },
        { "bleu:smooth=floor:smooth-value=0.01", NULL, "abce", "abcd", pow(three * 0.01, 0.25) },
        { "bleu:smooth=add-k", NULL, "abce", "abcd", pow(3.0 / 4 * 3 / 4 * 2 / 3 * 1 / 2, 0.25) },
        { "bleu", NULL, "abce", "abcd", pow(three / 2, 0.25) },
        { "bleu:order=2", NULL, "abce", "abcd", sqrt(3.0 / 4 * 2 / 3) },
        { "bleu:order=2:weights=0.25/0.75", NULL, "abce", "abcd",
          pow(3.0 / 4, 0.25) * pow(2.0 / 3, 0.75) },
        { "bleu:order=1", NULL, "abcd", "ab", exp(1 - 4.0 / 2) },
        { "bleu", "bp", "abcd", "ab", exp(1 - 4.0 / 2) },
        { "bleu", "bp", "abcd", "abcdef", 1 },
        { "bleu", "ratio", "abcd", "abcdef", 1.5 },
        { "bleu", "bp", "abcd", "", 0 },
        /* equal texts */
        { "bleu", NULL, "\\frac{a}{b}", "\\frac {a} {b}", 1 },
        { "bleu:effective-order=yes", NULL, "x", "x", 1 },
        { "bleu:smooth=nltk4", NULL, "\\frac{a}{b}", "\\frac{a}{b}", 1 },
    };
    tg_assert_scores(cases, G_N_ELEMENTS(cases));
}

/* Lengths 2 and 4 are equally close to 3: the shorter counts, so nothing is taken off. */
TEST(test_bleu__tie_of_lengths_takes_the_shorter)
{
    static const char *const refs[] = { "abcd", "ab" };
    g_auto(TestScorer) scorer = test_scorer_new("bleu:order=1");

    tg_assert_near(test_scorer_add_refs(&scorer, refs, 2, "abc"), 1, 0);
    tg_assert_near(test_scorer_get(&scorer, "ratio"), 1.5, 0);
}

/* An empty side shares nothing: 0, with both programs; also where both are empty. */
TEST(test_bleu__empty_sides)
{
    static const char *const specs[] = { "bleu", "bleu:smooth=none", "bleu:smooth=nltk4",
                                         "bleu:smooth=nltk6" };

    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        tg_assert_near(tg_score_pair(specs[i], "a", ""), 0, 0);
        tg_assert_near(tg_score_pair(specs[i], "", "a"), 0, 0);
        tg_assert_near(tg_score_pair(specs[i], "", ""), 0, 0);
    }
    assert_true(isnan(tg_score_column("bleu", "ratio", "", "a")));
}

/* NLTK asserts a matching triple for method 6: no value then, but the counts are pooled. */
TEST(test_bleu__nltk6_is_undefined_without_triples)
{
    g_auto(TestScorer) scorer = test_scorer_new("bleu:smooth=nltk6");

    assert_true(isnan(test_scorer_add(&scorer, "abcd", "acbd")));
    assert_non_null(strstr(tg_result_status(scorer.result), "nltk6"));
    assert_true(isnan(test_scorer_pool(&scorer, "bleu")));
    test_scorer_add(&scorer, "abcd", "abcd");
    assert_string_equal(tg_result_status(scorer.result), "ok");
    assert_false(isnan(test_scorer_pool(&scorer, "bleu")));
}

TEST(test_bleu__wrong_options_are_refused)
{
    static const char *const bad[] = {
        "bleu:order=9",
        "bleu:order=0",
        "bleu:smooth=nltk8",
        "bleu:tokenize=moses",
        "bleu:smooth-value=1", /* exp takes none */
        "bleu:smooth=floor:smooth-value=0",
        "bleu:smooth=floor:smooth-value=x",
        "bleu:smooth=nltk6:order=2",
        "bleu:compat=sacrebleu-r:smooth=exp",
        "bleu:compat=sacrebleu-r:effective-order=yes",
        "bleu:weights=0.5/0.5",
        "bleu:order=2:weights=0.5/0.6",
        "bleu:order=2:weights=0.5/-0.5",
        "bleu:order=2:weights=1.0/a",
        "bleu:smooth=nltk4:effective-order=yes",
        "bleu:order=2:weights=0.5/0.5:effective-order=yes",
        "bleu:smooth=nltk4:effective-order=pairs",
    };

    for (guint i = 0; i < G_N_ELEMENTS(bad); i++)
        tg_assert_fails(tg_metric_new(bad[i], &error), TG_ERROR_USAGE, "");
}

TEST(test_bleu__detail_holds_the_counts)
{
    g_auto(TestScorer) scorer = test_scorer_new("bleu:order=2");

    test_scorer_add(&scorer, "abce", "abcd");
    tg_assert_text(g_variant_print(scorer.result->detail, FALSE), "(4, 4, [(3, 4), (2, 3)])");
}

/* ---- reference values ---- */

/* The metric that a configuration of sacrebleu stands for. */
static char *spec_of(const json_t *config)
{
    const json_t *value = json_object_get(config, "smooth_value");
    const char *method = tg_golden_string(config, "smooth_method");
    GString *spec = g_string_new("bleu");

    g_string_append_printf(spec, ":tokenize=%s:smooth=%s:order=%.0f",
                           tg_golden_string(config, "tokenize"), method,
                           tg_golden_number(config, "max_ngram_order"));
    if (json_is_number(value))
        g_string_append_printf(spec, ":smooth-value=%g", json_number_value(value));
    g_string_append_printf(spec, ":effective-order=%s",
                           json_is_true(json_object_get(config, "effective_order")) ? "yes" : "no");
    if (json_is_true(json_object_get(config, "lowercase")))
        g_string_append(spec, ":lowercase=yes");
    return g_string_free(spec, FALSE);
}

static const json_t *find_config(const json_t *configs, const char *id)
{
    for (size_t i = 0; i < json_array_size(configs); i++)
        if (strcmp(tg_golden_string(json_array_get(configs, i), "id"), id) == 0)
            return json_array_get(configs, i);
    fail_msg("no configuration '%s'", id);
    return NULL;
}

/* Compare one record of one configuration with what the pairs added to @scorer come to. */
static void assert_bleu(const TestScorer *scorer, const json_t *wanted)
{
    const json_t *counts = json_object_get(wanted, "counts");
    const json_t *totals = json_object_get(wanted, "totals");
    const size_t order = json_array_size(counts);
    const double sys_len = tg_golden_number(wanted, "sys_len");
    const double ref_len = tg_golden_number(wanted, "ref_len");

    tg_assert_near(test_scorer_pool(scorer, "bleu"), tg_golden_number(wanted, "score") / 100, 1e-9);
    tg_assert_near(test_scorer_pool(scorer, "bp"), tg_golden_number(wanted, "bp"), 1e-9);
    if (ref_len > 0)
        tg_assert_near(test_scorer_pool(scorer, "ratio"), sys_len / ref_len, 1e-9);
    assert_true(scorer->sum[0] == sys_len);
    assert_true(scorer->sum[1] == ref_len);
    assert_int_equal(scorer->metric->n_stats, 2 + 2 * order);
    if (strstr(scorer->metric->spec, "add-k") != NULL)
        return; /* the reference holds raised counts */
    for (size_t n = 0; n < order; n++) {
        assert_true(scorer->sum[2 + n] == json_number_value(json_array_get(counts, n)));
        assert_true(scorer->sum[2 + order + n] == json_number_value(json_array_get(totals, n)));
    }
}

TEST(test_bleu__sacrebleu_sentences)
{
    json_auto_t *configs = tg_golden_shared("reference/text/sacrebleu-configs.json");
    json_auto_t *records = tg_golden_shared("reference/text/bleu-sentence.jsonl");
    guint checked = 0;

    tg_golden_each(first, json_object_get(json_array_get(records, 0), "bleu"))
    {
        const size_t k = first_at;
        const char *id = tg_golden_string(first, "cfg");
        g_autofree char *spec = spec_of(find_config(json_object_get(configs, "bleu"), id));

        tg_golden_each(record, records)
        {
            g_auto(TestScorer) scorer = test_scorer_new(spec);
            const json_t *values = json_array_get(json_object_get(record, "bleu"), k);

            assert_string_equal(tg_golden_string(values, "cfg"), id);
            const double score = test_scorer_add_json(&scorer, json_object_get(record, "refs"),
                                                      tg_golden_string(record, "hyp"));
            tg_assert_near(score, tg_golden_number(values, "score") / 100, 1e-9);
            assert_bleu(&scorer, values);
            checked++;
        }
    }
    assert_int_equal(checked, 53 * 125);
}

TEST(test_bleu__sacrebleu_corpora)
{
    json_auto_t *configs = tg_golden_shared("reference/text/sacrebleu-configs.json");
    json_auto_t *records = tg_golden_shared("reference/text/bleu-corpus.jsonl");
    tg_golden_each(record, records) tg_golden_each(wanted, json_object_get(record, "bleu"))
    {
        const char *id = tg_golden_string(wanted, "cfg");
        g_autofree char *spec = spec_of(find_config(json_object_get(configs, "bleu"), id));
        g_auto(TestScorer) scorer = test_scorer_new(spec);

        test_scorer_add_corpus(&scorer, record);
        assert_bleu(&scorer, wanted);
    }
}

static void assert_nltk(const json_t *record, const char *weights, const char *spec_part)
{
    static const char *const methods[] = { "method0", "method1", "method2", "method3",
                                           "method4", "method5", "method6", "method7" };
    const json_t *scores = json_object_get(json_object_get(record, "scores"), weights);
    g_autofree char *hyp = tg_join_tokens(json_object_get(record, "hyp"));
    json_t *refs = json_array();

    tg_golden_each(ref, json_object_get(record, "refs"))
    {
        g_autofree char *text = tg_join_tokens(ref);
        json_array_append_new(refs, json_string(text));
    }
    for (guint m = 0; m < G_N_ELEMENTS(methods); m++) {
        const json_t *wanted = json_object_get(scores, methods[m]);
        g_autofree char *spec =
            g_strdup_printf("bleu:tokenize=words:smooth=nltk%u:%s", m, spec_part);

        if (wanted == NULL)
            continue; /* method 6 takes three orders */
        g_auto(TestScorer) scorer = test_scorer_new(spec);
        const double score = test_scorer_add_json(&scorer, refs, hyp);
        if (json_is_string(wanted))
            assert_true(isnan(score)); /* the exception that NLTK raised */
        else
            tg_assert_near(score, json_number_value(wanted), 1e-9);
    }
    json_decref(refs);
}

/* The scores of sacrebleu for formulas of our own: each by itself, and all together. */
TEST(test_bleu__sacrebleu_on_short_formulas)
{
    json_auto_t *golden = tg_golden_own("bleu.json");
    json_t *whole;
    const char *smooth;

    json_object_foreach(json_object_get(golden, "corpus"), smooth, whole)
    {
        g_autofree char *spec = g_strconcat("bleu:tokenize=words:smooth=", smooth, NULL);
        g_autofree char *plain = g_strconcat(spec, ":effective-order=no", NULL);
        g_auto(TestScorer) scorer = test_scorer_new(spec), as_corpus = test_scorer_new(plain);

        tg_golden_each(pair, json_object_get(golden, "pairs"))
        {
            const json_t *refs = json_object_get(pair, "refs");
            const char *hyp = tg_golden_string(pair, "hyp");

            tg_assert_near(test_scorer_add_json(&scorer, refs, hyp),
                           tg_golden_number(json_object_get(pair, "effective"), smooth), 1e-9);
            tg_assert_near(test_scorer_get(&scorer, "mean"), test_scorer_get(&scorer, "bleu"), 0);
            tg_assert_near(test_scorer_add_json(&as_corpus, refs, hyp),
                           tg_golden_number(json_object_get(pair, "whole"), smooth), 1e-9);
        }
        tg_assert_near(test_scorer_pool(&scorer, "bleu"), json_number_value(whole), 1e-9);
        tg_assert_near(test_scorer_pool(&as_corpus, "bleu"), test_scorer_pool(&scorer, "bleu"), 0);
    }
}

/* A right formula of one token is right, and its corpus value is as without the rule. */
TEST(test_bleu__effective_order_is_for_pairs)
{
    static const char *const specs[] = { "bleu", "bleu:effective-order=pairs",
                                         "bleu:effective-order=yes", "bleu:effective-order=no" };
    static const double pairs[] = { 1, 1, 1, 0 }, sets[] = { 0, 0, 1, 0 };

    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        g_auto(TestScorer) scorer = test_scorer_new(specs[i]);

        tg_assert_near(test_scorer_add(&scorer, "x", "x"), pairs[i], 0);
        tg_assert_near(test_scorer_pool(&scorer, "bleu"), sets[i], 0);
    }
}

TEST(test_bleu__nltk_sentences)
{
    json_auto_t *records = tg_golden_shared("reference/text/nltk-bleu.jsonl");
    tg_golden_each(record, records)
    {
        assert_nltk(record, "w4", "order=4");
        assert_nltk(record, "w3", "order=3");
        assert_nltk(record, "w2", "order=2");
        assert_nltk(record, "w4skew", "order=4:weights=0.1/0.3/0.5/0.1");
    }
}

/* The study's own BLEU: method 1 on tokens of its own rule. */
TEST(test_bleu__study_scores)
{
    json_auto_t *records = tg_golden_shared("reference/text/study-scores.jsonl");
    g_auto(TestScorer) scorer = test_scorer_new("bleu:tokenize=words:smooth=nltk1");
    tg_golden_each(record, records)
    {
        g_autofree char *ref = tg_join_tokens(json_object_get(record, "gt_tokens"));
        g_autofree char *extracted = tg_join_tokens(json_object_get(record, "extracted_tokens"));

        tg_assert_near(test_scorer_add(&scorer, ref, extracted), tg_golden_number(record, "bleu"),
                       1e-9);
    }
}

/* The package's own tests and vectors worked out from its definition, on ids as words. */
TEST(test_bleu__sacrebleu_r_corpus)
{
    static const char *const first[] = { "1 2 3", "2 3 4" }, *const second[] = { "1 2 6",
                                                                                 "781 21 9",
                                                                                 "7 3" };
    static const struct {
        const char *options;
        double wanted;
    } cases[] = {
        { "order=3", 0.793701 },
        { "order=4", 0 },
        { "smooth=floor:smooth-value=0.01", 0.266577 },
        { "smooth=floor:smooth-value=0.1", 0.484273 },
        { "smooth=add-k:smooth-value=1", 0.686589 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *spec =
            g_strconcat("bleu:compat=sacrebleu-r:tokenize=words:", cases[i].options, NULL);
        g_auto(TestScorer) scorer = test_scorer_new(spec);
        test_scorer_add_refs(&scorer, first, 2, "1 2 3");
        test_scorer_add_refs(&scorer, second, 3, "1 2");
        tg_assert_near(test_scorer_pool(&scorer, "bleu"), cases[i].wanted, 5e-7);
    }
}

TEST(test_bleu__sacrebleu_r_sentences)
{
    static const char r[] = "bleu:compat=sacrebleu-r:tokenize=words";
    static const struct {
        const char *options;
        double wanted;
    } cases[] = {
        { "", 0 },
        { ":smooth=floor:smooth-value=0.01", 0.223607 },
        { ":smooth=floor", 0.397635 },
        { ":smooth=add-k", 0.668740 },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *spec = g_strconcat(r, cases[i].options, NULL);
        tg_assert_near(tg_score_pair(spec, "1 2 3 4", "1 2 3 5"), cases[i].wanted, 5e-7);
    }
    /* Nothing matches: a floor of 0.1 stands for a match of 2, 1 (at least) and 1 n-grams. */
    tg_assert_near(tg_score_pair("bleu:compat=sacrebleu-r:smooth=floor:order=3", "x y", "a b"),
                   cbrt(0.05 * 0.1 * 0.1), 1e-9);
    tg_assert_near(tg_score_pair(r, "1 2 3 4", ""), 0, 0);
}

/* References of 2 and 4 tokens are as close to 3: the first listed counts, not the shorter. */
TEST(test_bleu__sacrebleu_r_length_ties)
{
    static const char *const refs[] = { "1 2 3 4", "1 2" };
    g_auto(TestScorer) scorer = test_scorer_new("bleu:compat=sacrebleu-r:tokenize=words:order=1");

    tg_assert_near(test_scorer_add_refs(&scorer, refs, 2, "1 2 3"), exp(1 - 4.0 / 3), 1e-9);
}
