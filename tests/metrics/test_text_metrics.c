/* The text metrics on committed values (tests/golden/make_text_metrics.py), and laws of them all.
 */
#include "tests/support/metric_support.h"

#include "core/random.h"

static void assert_column(double value, const json_t *wanted)
{
    if (json_is_null(wanted))
        assert_true(isnan(value));
    else
        tg_assert_near(value, json_number_value(wanted), 1e-9);
}

static void check_columns(const TestScorer *scorer, json_t *columns,
                          double (*value_of)(const TestScorer *, const char *))
{
    const char *column;
    json_t *wanted;

    json_object_foreach(columns, column, wanted) assert_column(value_of(scorer, column), wanted);
}

TEST(test_text_metrics__committed_pairs_and_corpus)
{
    json_auto_t *golden = tg_golden_own("text_metrics.json");
    const json_t *pairs = json_object_get(golden, "pairs");
    json_t *columns;
    const char *spec;

    tg_golden_each(pair, pairs) json_object_foreach(json_object_get(pair, "scores"), spec, columns)
    {
        g_auto(TestScorer) scorer = test_scorer_new(spec);

        test_scorer_add_json(&scorer, json_object_get(pair, "refs"), tg_golden_string(pair, "hyp"));
        check_columns(&scorer, columns, test_scorer_get);
    }
    json_object_foreach(json_object_get(golden, "corpus"), spec, columns)
    {
        g_auto(TestScorer) scorer = test_scorer_new(spec);

        tg_golden_each(pair, pairs) test_scorer_add_json(&scorer, json_object_get(pair, "refs"),
                                                         tg_golden_string(pair, "hyp"));
        check_columns(&scorer, columns, test_scorer_pool);
    }
}

/* ---- laws ---- */

static const char *const specs[] = {
    "bleu",
    "bleu:smooth=nltk4",
    "edit",
    "edit:variant=osa",
    "edit:variant=indel",
    "cer",
    "wer",
    "edit-ops",
    "exprate",
    "rouge",
    "chrf",
    "chrf:word-order=2",
};

/* A formula of @n random tokens, blanks here and there. */
static char *random_formula(TgRandom *random, guint n)
{
    static const char *const tokens[] = { "x",   "y",      "1",        "{",        "}",
                                          "^",   "_",      "+ ",       "\\alpha ", "\\{",
                                          "\\,", "\\frac", "\xC3\xA9", " = " };
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < n; i++)
        g_string_append(out, tokens[tg_random_below(random, G_N_ELEMENTS(tokens))]);
    return g_string_free(out, FALSE);
}

/* Equal texts of some length have the best value of every column but counts and lengths. */
TEST(test_text_metrics__identity_is_best)
{
    TgRandom random;

    tg_random_seed(&random, 1, 0);
    for (guint k = 0; k < G_N_ELEMENTS(specs); k++) {
        g_auto(TestScorer) scorer = test_scorer_new(specs[k]);
        const TgColumn *headline = tg_metric_info(scorer.metric)->columns;

        for (guint i = 0; i < 50; i++) {
            g_autofree char *inner = random_formula(&random, 4 + i);
            g_autofree char *text = g_strdup_printf("a %s b c d", inner);
            g_autofree char *copy = g_strdup(text);

            tg_assert_near(test_scorer_add(&scorer, text, copy),
                           headline->direction == TG_HIGHER_IS_BETTER ? 1 : 0, 1e-9);
        }
    }
}

/* Pooled values do not depend on the order of the pairs, and one pair is a set of one. */
TEST(test_text_metrics__pooling)
{
    enum { N = 40 };
    char *refs[N], *hyps[N];
    TgRandom random;

    tg_random_seed(&random, 2, 0);
    for (guint i = 0; i < N; i++) {
        refs[i] = random_formula(&random, tg_random_below(&random, 60));
        hyps[i] = random_formula(&random, tg_random_below(&random, 60));
    }
    for (guint k = 0; k < G_N_ELEMENTS(specs); k++) {
        g_auto(TestScorer) forward = test_scorer_new(specs[k]);
        g_auto(TestScorer) backward = test_scorer_new(specs[k]);
        const TgColumn *columns = tg_metric_info(forward.metric)->columns;

        for (guint i = 0; i < N; i++) {
            g_auto(TestScorer) single = test_scorer_new(specs[k]);
            test_scorer_add(&single, refs[i], hyps[i]);
            test_scorer_add(&forward, refs[i], hyps[i]);
            test_scorer_add(&backward, refs[N - 1 - i], hyps[N - 1 - i]);
            for (guint c = 0; columns[c].name != NULL; c++)
                if (columns[c].pooling == TG_POOL_STATS && *refs[i] != '\0')
                    assert_true(test_scorer_pool(&single, columns[c].name) ==
                                test_scorer_get(&single, columns[c].name));
        }
        for (guint c = 0; columns[c].name != NULL; c++)
            if (columns[c].pooling == TG_POOL_STATS)
                assert_true(test_scorer_pool(&forward, columns[c].name) ==
                            test_scorer_pool(&backward, columns[c].name));
    }
    for (guint i = 0; i < N; i++) {
        g_free(refs[i]);
        g_free(hyps[i]);
    }
}

/* A text beyond the limit is a fact about the pair, whichever side it stands on. */
TEST(test_text_metrics__too_long_a_text_is_reported)
{
    g_autofree char *text = g_strnfill(TG_TEXT_MAX + 1, 'x');

    for (guint k = 0; k < 2 * G_N_ELEMENTS(specs); k++) {
        g_auto(TestScorer) scorer = test_scorer_new(specs[k / 2]);
        const char *ref = k % 2 == 0 ? text : "x";

        tg_assert_fails(test_scorer_try(&scorer, ref, k % 2 == 0 ? "x" : text, &error),
                        TG_ERROR_DATA, "too long");
    }
}
