/* TeXBLEU: golden values of its formulas, pairs computed by hand, options, the default model. */
#include "tests/support/metric_support.h"

#include "metrics/text/text.h"
#include "tests/support/bpe_support.h"
#include "tokenizer/subword/subword_model.h"

#define DEFAULT_MODEL TG_SOURCE_ROOT "/datasets/models/texbleu-default"

/* The reference's made-up table has six decimals: a million times it is whole numbers, which floats
 * hold exactly. Cosines do not change by that; distances of places are scaled back. */
#define TABLE_SCALE 1e6

static TgTexbleuRule paper_rule(guint order)
{
    return (TgTexbleuRule){ .order = order,
                            .position = TG_POSITION_L1,
                            .position_scale = 1 / TABLE_SCALE };
}

static TgTexbleuRule repo_rule(guint order)
{
    TgTexbleuRule rule = paper_rule(order);

    rule.position = TG_POSITION_MEAN;
    rule.position_scale = 100 / TABLE_SCALE;
    rule.floor = 1e-10;
    rule.keep_orders = TRUE;
    return rule;
}

static TgEmbedding *read_table(const json_t *root, const char *name)
{
    const json_t *rows = json_object_get(root, name);
    const gsize n = json_array_size(rows), dim = json_array_size(json_array_get(rows, 0));
    g_autofree float *values = g_new(float, n *dim);

    for (gsize i = 0; i < n * dim; i++)
        values[i] = (float) round(TABLE_SCALE * json_number_value(json_array_get(
                                                    json_array_get(rows, i / dim), i % dim)));
    return tg_embedding_new_from_values(values, (guint32) n, (guint32) dim);
}

/* ---- the formulas ---- */

static guint32 id_at(const json_t *ids, size_t i)
{
    return (guint32) json_integer_value(json_array_get(ids, i));
}

/* Compare one preset of a golden pair; null means that the paper leaves it undefined. */
static void check_preset(const json_t *pair, const char *preset, const TgTexbleuRule *rule,
                         const TgEmbedding *tokens)
{
    const json_t *ref = json_object_get(pair, "ref"), *hyp = json_object_get(pair, "hyp");
    const json_t *wanted = json_object_get(pair, preset);
    const json_t *sims = json_object_get(wanted, "n_gram");
    const guint n = (guint) MIN(json_array_size(ref), json_array_size(hyp));
    g_autofree double *distances = g_new(double, n + 1);
    double got[TG_TEXBLEU_MAX_ORDER];

    for (guint i = 0; i < n; i++)
        distances[i] = tg_texbleu_distance(rule, tokens, NULL, (TgPlacedToken){ id_at(ref, i), i },
                                           (TgPlacedToken){ id_at(hyp, i), i });
    const double score = tg_texbleu_score(rule, distances, n, got);
    for (size_t i = 0; i < json_array_size(sims); i++)
        if (json_is_number(json_array_get(sims, i)))
            tg_assert_near(got[i], json_number_value(json_array_get(sims, i)), 1e-9);
    if (json_is_number(json_object_get(wanted, "score")))
        tg_assert_near(score, json_number_value(json_object_get(wanted, "score")), 1e-9);
}

TEST(test_texbleu__equals_reference_pairs)
{
    json_auto_t *root = tg_golden_shared("reference/text/texbleu-table.json");
    json_auto_t *pairs = tg_golden_shared("reference/text/texbleu-pairs.jsonl");
    g_autoptr(TgEmbedding) tokens = read_table(root, "token");
    const TgTexbleuRule paper = paper_rule(3), paper4 = paper_rule(4);
    const TgTexbleuRule repo = repo_rule(2), repo3 = repo_rule(3);
    assert_true(json_array_size(pairs) > 0);
    tg_golden_each(pair, pairs)
    {
        check_preset(pair, "paper", &paper, tokens);
        check_preset(pair, "paper_eff", &paper, tokens);
        check_preset(pair, "paper_n4", &paper4, tokens);
        /* The repository's code raises an exception for an empty side. */
        if (json_array_size(json_object_get(pair, "ref")) > 0 &&
            json_array_size(json_object_get(pair, "hyp")) > 0) {
            check_preset(pair, "repo", &repo, tokens);
            check_preset(pair, "repo_n3", &repo3, tokens);
        }
    }
}

TEST(test_texbleu__equals_reference_token_distances)
{
    json_auto_t *root = tg_golden_shared("reference/text/texbleu-table.json");
    json_auto_t *cases = tg_golden_shared("reference/text/texbleu-token-distance.jsonl");
    g_autoptr(TgEmbedding) tokens = read_table(root, "token");
    g_autoptr(TgEmbedding) positions = read_table(root, "position");
    const TgTexbleuRule repo = repo_rule(2), l1 = paper_rule(3);
    tg_golden_each(one, cases)
    {
        const TgPlacedToken a = { (guint32) json_integer_value(json_object_get(one, "t1")),
                                  (guint32) json_integer_value(json_object_get(one, "p1")) };
        const TgPlacedToken b = { (guint32) json_integer_value(json_object_get(one, "t2")),
                                  (guint32) json_integer_value(json_object_get(one, "p2")) };
        tg_assert_near(tg_embedding_cosine_distance(tokens, a.id, b.id),
                       json_number_value(json_object_get(one, "cos_dist")), 1e-9);
        tg_assert_near(tg_texbleu_distance(&repo, tokens, positions, a, b),
                       json_number_value(json_object_get(one, "repo")), 1e-9);
        tg_assert_near(tg_texbleu_distance(&l1, tokens, positions, a, b),
                       json_number_value(json_object_get(one, "paper_l1")), 1e-9);
    }
}

/* Distances 0.5, 0, 0.2, 0: sim1 = 1 - 0.7/4; sim2 = 1 - (0.5 + 2*0 + 2*0.2 + 0)/6, the inner
 * tokens standing in two pairs; sim3 = 1 - (0.5 + 2*0 + 2*0.2 + 0)/6. */
TEST(test_texbleu_score__by_hand)
{
    static const double distances[] = { 0.5, 0, 0.2, 0 };
    const TgTexbleuRule rule = paper_rule(3);
    double sims[3];
    const double score = tg_texbleu_score(&rule, distances, 4, sims);

    tg_assert_near(sims[0], 0.825, 1e-15);
    tg_assert_near(sims[1], 0.85, 1e-15);
    tg_assert_near(sims[2], 0.85, 1e-15);
    tg_assert_near(score, cbrt(0.825 * 0.85 * 0.85), 1e-15);
    tg_assert_near(tg_texbleu_score(&rule, distances, 1, sims), 0.5, 1e-15);
    assert_true(isnan(sims[1]));
    tg_assert_near(tg_texbleu_score(&rule, distances, 0, sims), 0.0, 0.0);
}

/* Vectors (1, 0), (0, 1), (1, 1): distances 1/2 between the first two, (1 - 1/sqrt 2)^2 / 2 to the
 * third. Tokens 0 1 0 against 1 0: leaving the first out is the cheapest at a gap of 0.3. */
TEST(test_texbleu_align__by_hand)
{
    static const float values[] = { 1, 0, 0, 1, 1, 1 };
    static const guint32 ref[] = { 0, 1, 0 }, hyp[] = { 1, 0 };
    static const guint8 wanted[] = { TG_STEP_LOSS, TG_STEP_CHANGE, TG_STEP_CHANGE };
    static const guint8 added[] = { TG_STEP_ADDITION, TG_STEP_ADDITION };
    g_autoptr(TgEmbedding) tokens = tg_embedding_new_from_values(values, 3, 2);
    g_autoptr(TgEnv) env = tg_env_new();
    const TgTexbleuRule rule = paper_rule(3);
    guint n;
    const guint8 *got = tg_texbleu_align(env, &rule, tokens, (TgSequence){ ref, 3, 3 },
                                         (TgSequence){ hyp, 2, 3 }, 0.3, &n, NULL);

    assert_int_equal(n, 3);
    assert_memory_equal(got, wanted, 3);
    got = tg_texbleu_align(env, &rule, tokens, (TgSequence){ ref, 0, 3 }, (TgSequence){ hyp, 2, 3 },
                           0.3, &n, NULL);
    assert_int_equal(n, 2);
    assert_memory_equal(got, added, 2);
}

/* The repository's examples, and the paper's rule. */
TEST(test_texbleu_spacing__examples)
{
    static const struct {
        TgTexbleuSpacing spacing;
        const char *text, *wanted;
    } cases[] = {
        { TG_TEXBLEU_SPACING_REPO, "\\frac{a}{b}", " \\frac{a}{b}" },
        { TG_TEXBLEU_SPACING_REPO, "a\\,b  \\\\ c", "a \\,b  \\ \\ c" },
        { TG_TEXBLEU_SPACING_PAPER, "\\frac{a}{b}", "\\frac{a}{b}" },
        { TG_TEXBLEU_SPACING_PAPER, "a\\,b  \\\\ c", "a \\,b \\\\ c" },
        { TG_TEXBLEU_SPACING_PAPER, "  x\t\\alpha\\beta\n", "x \\alpha \\beta" },
        { TG_TEXBLEU_SPACING_PAPER, "\\\\\\alpha", "\\\\ \\alpha" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *out = g_malloc0(TG_TEXBLEU_SPACED_MAX(strlen(cases[i].text)) + 1);

        tg_texbleu_space(cases[i].spacing, cases[i].text, strlen(cases[i].text), out);
        tg_assert_text(out, cases[i].wanted);
    }
}

/* ---- the metric ---- */

/* x+y=z against x+y in an alignment: two of five tokens have no partner, at 0.5 each. Columns 0 0 0
 * .5 .5: sim1 = 1 - 1/5; sim2 = 1 - (2*.5 + .5)/8; sim3 = 1 - (2*.5 + .5)/9. */
TEST(test_texbleu__scores_by_hand)
{
    const double d = 1 - tg_score_pair("texbleu", "x", "+"); /* cosDist^2 / 2 */
    const TestScore cases[] = {
        { "texbleu", NULL, "x+y=z", "x+y=z", 1 },
        { "texbleu", NULL, "x+y=z", "x+y", 1 }, /* a prefix */
        { "texbleu", NULL, "x", "x", 1 },
        { "texbleu", NULL, "", "", 1 },
        { "texbleu", NULL, "", " ", 1 },
        { "texbleu", NULL, "x", "", 0 },
        { "texbleu", NULL, "", "x", 0 },
        /* blanks before commands and in runs change nothing */
        { "texbleu", NULL, "a\\alpha \\beta", "a  \\alpha\\beta", 1 },
        { "texbleu:align=edit", NULL, "x+y=z", "x+y", cbrt(0.8 * (1 - 1.5 / 8) * (1 - 1.5 / 9)) },
        { "texbleu:align=edit", NULL, "x+y", "x+y", 1 },
        { "texbleu:align=edit", NULL, "", "", 1 },
        { "texbleu:align=edit", NULL, "x", "", 0 },
        /* rejected by the paper: a half as long text gets exp(1 - 6/3) of its score */
        { "texbleu:brevity=yes", NULL, "a+b+c+", "a+b", exp(-1.0) },
        { "texbleu:brevity=yes", NULL, "a+b", "a+b+c", 1 },
        /* one token on a side: order 2 has similarity 0, floored to 1e-10; four decimals */
        { "texbleu:variant=repo", NULL, "x", "x", 0 },
        { "texbleu:variant=repo", NULL, "x+", "++", round((1 - d / 2) * 1e4) / 1e4 },
        /* docs/metrics/texbleu.md: the definition does not see through spaces, canonical forms do
         */
        { "texbleu", NULL, "\\frac{a}{b}", "\\frac { a } { b }", 1 },
        { "texbleu:normalize=canonical", NULL, "ab+cd=ef", "a b + c d = e f", 1 },
        /* characters that the corpus lacks are bytes, not one unknown token */
        { "texbleu", NULL, "\u4e2d", "\u4e2d", 1 },
        /* any token metric takes the tokenizer of a model folder */
        { "bleu:tokenize=bpe:" DEFAULT_MODEL, NULL, "\\frac{a}{b}", "\\frac {a} {b}", 1 },
        { "edit:tokenize=bpe:" DEFAULT_MODEL, NULL, "\\alpha", "\\beta", 0 },
    };

    tg_assert_scores(cases, G_N_ELEMENTS(cases));
    tg_assert_near(tg_score_pair("texbleu", "ab+cd=ef", "a b + c d = e f"), 0.57, 0.005);
    assert_true(tg_score_pair("texbleu", "\u4e2d", "\u6587") < 1.0);
    /* a token put before the rest shifts all: places matter in an alignment */
    assert_true(tg_score_pair("texbleu:align=edit", "x+y=z", "2x+y=z") <
                tg_score_pair("texbleu:align=edit", "x+y=z", "x+y=z2"));
}

TEST(test_texbleu__the_best_reference_counts)
{
    static const char *const refs[] = { "\\frac{a}{b}", "a/b" };
    g_auto(TestScorer) scorer = test_scorer_new("texbleu");

    tg_assert_near(test_scorer_add_refs(&scorer, refs, 2, "a/b"), 1.0, 1e-9);
}

TEST(test_texbleu__wrong_options_are_refused)
{
    static const struct {
        const char *spec, *message;
        TgErrorCode code;
    } cases[] = {
        { "texbleu:order=2", "order", TG_ERROR_USAGE },
        { "texbleu:variant=old", "old", TG_ERROR_USAGE },
        { "texbleu:model=" TG_NO_SUCH_PATH, TG_NO_SUCH_PATH, TG_ERROR_INPUT },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        tg_assert_fails(tg_metric_new(cases[i].spec, &error), cases[i].code, cases[i].message);
}

/* Quadratic time is refused for what would take minutes; without alignment any length goes. */
TEST(test_texbleu__long_texts_end)
{
    g_autofree char *text = tg_repeat("(+", 20000);
    g_auto(TestScorer) scorer = test_scorer_new("texbleu:align=edit");

    tg_assert_near(tg_score_pair("texbleu", text, text), 1.0, 1e-9);
    tg_assert_fails(test_scorer_try(&scorer, text, text, &error), TG_ERROR_DATA,
                    "too long to align");
}

/* ---- the default model ---- */

static guint32 token_id(const TgSubwordModel *model, const char *text)
{
    for (guint32 id = 0; id < tg_bpe_id_bound(model->bpe); id++) {
        gsize len;
        const char *token = test_bpe_text(model->bpe, id, &len);
        if (token != NULL && len == strlen(text) && memcmp(token, text, len) == 0)
            return id;
    }
    fail_msg("the default model has no token '%s'", text);
    return 0;
}

/* How many tokens are closer to @a than @b is. */
static guint rank_of_neighbor(const TgSubwordModel *model, const char *a, const char *b)
{
    const guint32 from = token_id(model, a), to = token_id(model, b);
    const double distance = tg_embedding_cosine_distance(model->tokens, from, to);
    guint closer = 0;

    for (guint32 id = 0; id < tg_bpe_id_bound(model->bpe); id++)
        closer += id != from && tg_embedding_cosine_distance(model->tokens, from, id) < distance;
    return closer;
}

TEST(test_default_model__neighbors_make_sense)
{
    static const char *const pairs[][2] = {
        { "\\leq", "\\geq" },    { "\\alpha", "\\beta" },    { "\\sin", "\\cos" },
        { "\\sum", "\\prod" },   { "\\cup", "\\cap" },       { "\\hat", "\\tilde" },
        { "\\mathbf", "\\bm" },  { "\\int", "\\oint" },      { "\\subset", "\\subseteq" },
        { "\\quad", "\\qquad" }, { "\\forall", "\\exists" }, { "\\lfloor", "\\lceil" },
    };
    g_autoptr(TgSubwordModel) model = tg_must(tg_subword_model_load(DEFAULT_MODEL, &error));

    for (guint32 id = 0; id < tg_bpe_id_bound(model->bpe); id++) /* it knows every byte */
        tg_assert_near(tg_embedding_cosine_distance(model->tokens, id, id), 0.0, 1e-9);
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (rank_of_neighbor(model, pairs[i][0], pairs[i][1]) >= 10)
            fail_msg("%s is not among the ten nearest of %s but %u", pairs[i][1], pairs[i][0],
                     rank_of_neighbor(model, pairs[i][0], pairs[i][1]) + 1);
}

TEST(test_default_model__tokenizes_for_other_metrics)
{
    g_autoptr(TgTokenizer) tokenizer =
        tg_tokenizer_new("bpe:" DEFAULT_MODEL, TG_TOKENIZER_DEFAULT, NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    const TgTokens *tokens = tg_env_tokenize(env, tokenizer, "x \\frac12\\frac", NULL);
    guint n;
    gsize len;
    const guint32 *ids = tg_tokens_ids(tokens, &n);

    assert_int_equal(ids[1], ids[n - 1]);
    assert_memory_equal(tg_tokens_text(tokens, 1, &len), "\\frac", 5);
    assert_int_equal(len, 5);
}
