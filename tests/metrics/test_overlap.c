/* ROUGE and chrF against hand work and reference programs. */
#include "tests/support/metric_support.h"

/* ---- rouge ---- */

/* Shared: a, b, c (one of the two a) of 4 and 5; pair `b c` of 3 and 4; in order a, b, c. */
TEST(test_rouge__by_hand)
{
    const char *ref = "a b c d", *hyp = "a a x b c";

    tg_assert_near(tg_score_pair("rouge", ref, hyp), 2.0 * 3 / 9, 1e-9);
    tg_assert_near(tg_score_column("rouge", "precision", ref, hyp), 3.0 / 5, 1e-9);
    tg_assert_near(tg_score_column("rouge", "recall", ref, hyp), 3.0 / 4, 1e-9);
    tg_assert_near(tg_score_column("rouge", "2", ref, hyp), 2.0 * 1 / 7, 1e-9);
    tg_assert_near(tg_score_column("rouge", "l", ref, hyp), 2.0 * 3 / 9, 1e-9);
    tg_assert_near(tg_score_column("rouge", "l", "a b c", "c b a"), 1.0 / 3, 1e-9);
    tg_assert_near(tg_score_pair("rouge:tokenize=alnum", "\\Frac{A}{B}", "frac a b"), 1, 0);
    tg_assert_near(tg_score_pair("rouge:tokenize=latex:lowercase=yes", "\\Pi x", "X\\pi"), 1, 0);
}

/* Nothing to share gives 0, also where both are empty; a single token has no pairs. */
TEST(test_rouge__empty_sides)
{
    tg_assert_near(tg_score_pair("rouge", "", ""), 0, 0);
    tg_assert_near(tg_score_pair("rouge", "a", ""), 0, 0);
    tg_assert_near(tg_score_pair("rouge", "", "a"), 0, 0);
    tg_assert_near(tg_score_pair("rouge", "a", "a"), 1, 0);
    tg_assert_near(tg_score_column("rouge", "2", "a", "a"), 0, 0);
    tg_assert_near(tg_score_column("rouge", "l", "", ""), 0, 0);
}

/* Each column takes its own best reference; precision and recall those of ROUGE-1. */
TEST(test_rouge__best_reference)
{
    static const char *const refs[] = { "b a", "a b x y", "a b" };
    g_auto(TestScorer) scorer = test_scorer_new("rouge");

    tg_assert_near(test_scorer_add_refs(&scorer, refs, 2, "a b"), 1, 0);
    tg_assert_near(test_scorer_get(&scorer, "recall"), 1, 0);
    tg_assert_near(test_scorer_get(&scorer, "2"), 2.0 * 1 / 4, 0);
    tg_assert_near(test_scorer_get(&scorer, "l"), 2.0 * 2 / 6, 1e-9);
    test_scorer_add_refs(&scorer, refs, 3, "a b");
    tg_assert_near(test_scorer_get(&scorer, "l"), 1, 0);
}

static void assert_rouge(const TestScorer *scorer, const json_t *wanted, const char *f1)
{
    tg_assert_near(test_scorer_get(scorer, f1), tg_golden_number(wanted, "f1"), 1e-9);
}

TEST(test_rouge__reference)
{
    json_auto_t *records = tg_golden_shared("reference/text/edit-rouge.jsonl");
    g_auto(TestScorer) scorer = test_scorer_new("rouge");
    tg_golden_each(record, records)
    {
        g_autofree char *ref = tg_join_tokens(json_object_get(record, "ref_tokens"));
        g_autofree char *hyp = tg_join_tokens(json_object_get(record, "hyp_tokens"));
        const json_t *rouge1 = json_object_get(record, "rouge1");

        test_scorer_add(&scorer, ref, hyp);
        assert_rouge(&scorer, rouge1, "rouge");
        assert_rouge(&scorer, json_object_get(record, "rouge2"), "2");
        assert_rouge(&scorer, json_object_get(record, "rougeL"), "l");
        tg_assert_near(test_scorer_get(&scorer, "precision"), tg_golden_number(rouge1, "p"), 1e-9);
        tg_assert_near(test_scorer_get(&scorer, "recall"), tg_golden_number(rouge1, "r"), 1e-9);
    }
}

/* ---- chrf ---- */

/* Orders 1 and 2 of `abc` and `abd`: p = r = (2/3 + 1/2) / 2. */
TEST(test_chrf__by_hand)
{
    tg_assert_near(tg_score_pair("chrf:char-order=2", "a bc", "ab d"), 7.0 / 12, 1e-9);
    /* `abc` in `abcd`: p = 1, r = (3/4 + 2/3) / 2, F2 = 5 p r / (4 p + r) */
    tg_assert_near(tg_score_pair("chrf:char-order=2", "abcd", "abc"),
                   5 * (17.0 / 24) / (4 + 17.0 / 24), 1e-9);
    tg_assert_near(tg_score_pair("chrf:char-order=2:beta=1", "abcd", "abc"),
                   2 * (17.0 / 24) / (1 + 17.0 / 24), 1e-9);
    /* a bracket at the end of a word is a word of its own */
    tg_assert_near(tg_score_pair("chrf:word-order=2", "hi)", "hi )"), 1, 0);
    tg_assert_near(tg_score_pair("chrf:lowercase=yes", "ABC", "abc"), 1, 0);
    tg_assert_near(tg_score_pair("chrf", "ABC", "abc"), 0, 0);
    /* with white space `a b` has 3 characters, of which `ab` has 2 */
    tg_assert_near(tg_score_pair("chrf:whitespace=yes:char-order=1:beta=1", "a b", "ab"),
                   2.0 * 2 / 5, 1e-9);
}

TEST(test_chrf__empty_sides)
{
    static const char *const specs[] = { "chrf", "chrf:word-order=2" };

    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        tg_assert_near(tg_score_pair(specs[i], "", ""), 0, 0);
        tg_assert_near(tg_score_pair(specs[i], "a", ""), 0, 0);
        tg_assert_near(tg_score_pair(specs[i], "", "a"), 0, 0);
        tg_assert_near(tg_score_pair(specs[i], "a", "a"), 1, 0);
    }
    tg_assert_near(tg_score_pair("chrf:eps-smoothing=yes", "", ""), 0, 1e-9);
}

/* The metric that a configuration of sacrebleu stands for. */
static char *spec_of(const json_t *config)
{
    const json_t *params = json_object_get(config, "params");
    GString *spec = g_string_new("chrf");

    g_string_append_printf(
        spec, ":char-order=%.0f:word-order=%.0f:beta=%.0f", tg_golden_number(params, "char_order"),
        tg_golden_number(params, "word_order"), tg_golden_number(params, "beta"));
    if (json_is_true(json_object_get(params, "lowercase")))
        g_string_append(spec, ":lowercase=yes");
    if (json_is_true(json_object_get(params, "whitespace")))
        g_string_append(spec, ":whitespace=yes");
    if (json_is_true(json_object_get(params, "eps_smoothing")))
        g_string_append(spec, ":eps-smoothing=yes");
    return g_string_free(spec, FALSE);
}

static void assert_stats(const TestScorer *scorer, const json_t *wanted)
{
    assert_int_equal(scorer->metric->n_stats, json_array_size(wanted));
    for (size_t i = 0; i < json_array_size(wanted); i++)
        assert_true(scorer->sum[i] == json_number_value(json_array_get(wanted, i)));
}

TEST(test_chrf__sacrebleu_sentences)
{
    json_auto_t *configs = tg_golden_shared("reference/text/sacrebleu-configs.json");
    json_auto_t *records = tg_golden_shared("reference/text/chrf-ter-sentence.jsonl");
    tg_golden_each(config, json_object_get(configs, "chrf"))
    {
        g_autofree char *spec = spec_of(config);

        tg_golden_each(record, records)
        {
            g_auto(TestScorer) scorer = test_scorer_new(spec);
            const json_t *wanted =
                json_object_get(json_object_get(record, "chrf"), tg_golden_string(config, "name"));
            const double score = test_scorer_add_json(&scorer, json_object_get(record, "refs"),
                                                      tg_golden_string(record, "hyp"));

            tg_assert_near(score, tg_golden_number(wanted, "score") / 100, 1e-9);
            assert_stats(&scorer, json_object_get(wanted, "stats"));
        }
    }
}

TEST(test_chrf__sacrebleu_corpora)
{
    json_auto_t *configs = tg_golden_shared("reference/text/sacrebleu-configs.json");
    json_auto_t *records = tg_golden_shared("reference/text/bleu-corpus.jsonl");
    tg_golden_each(config, json_object_get(configs, "chrf"))
    {
        g_autofree char *spec = spec_of(config);

        tg_golden_each(record, records)
        {
            g_auto(TestScorer) scorer = test_scorer_new(spec);

            test_scorer_add_corpus(&scorer, record);
            tg_assert_near(test_scorer_pool(&scorer, "chrf"),
                           tg_golden_number(json_object_get(record, "chrf"),
                                            tg_golden_string(config, "name")) /
                               100,
                           1e-9);
        }
    }
}
