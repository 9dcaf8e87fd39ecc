/* TeXBLEU: golden values of its formulas, pairs computed by hand, options, the default model. */
#include "tests/support/metric_support.h"

#include "metrics/metric.h"
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
    json_t *pairs = tg_golden_shared("reference/text/texbleu-pairs.jsonl"), *pair;
    size_t i;

    g_autoptr(TgEmbedding) tokens = read_table(root, "token");
    const TgTexbleuRule paper = paper_rule(3), paper4 = paper_rule(4);
    const TgTexbleuRule repo = repo_rule(2), repo3 = repo_rule(3);
    assert_true(json_array_size(pairs) > 0);
    json_array_foreach(pairs, i, pair)
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
    json_decref(pairs);
}

TEST(test_texbleu__equals_reference_token_distances)
{
    json_auto_t *root = tg_golden_shared("reference/text/texbleu-table.json");
    json_t *cases = tg_golden_shared("reference/text/texbleu-token-distance.jsonl"), *one;
    size_t i;

    g_autoptr(TgEmbedding) tokens = read_table(root, "token");
    g_autoptr(TgEmbedding) positions = read_table(root, "position");
    const TgTexbleuRule repo = repo_rule(2), l1 = paper_rule(3);
    json_array_foreach(cases, i, one)
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
    json_decref(cases);
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
    g_autoptr(TgEmbedding) tokens = tg_embedding_new_from_values(values, 3, 2);
    g_autoptr(TgEnv) env = tg_env_new();
    const TgTexbleuRule rule = paper_rule(3);
    guint n;
    const TgTexbleuColumn *got =
        tg_texbleu_align(env, &rule, tokens, ref, 3, hyp, 2, 0.3, &n, NULL);

    assert_int_equal(n, 3);
    assert_int_equal(got[0].ref, 0);
    assert_int_equal(got[0].hyp, TG_TEXBLEU_NONE);
    assert_int_equal(got[1].ref, 1);
    assert_int_equal(got[1].hyp, 0);
    assert_int_equal(got[2].ref, 2);
    assert_int_equal(got[2].hyp, 1);

    got = tg_texbleu_align(env, &rule, tokens, ref, 0, hyp, 2, 0.3, &n, NULL);
    assert_int_equal(n, 2);
    assert_int_equal(got[0].ref, TG_TEXBLEU_NONE);
    assert_int_equal(got[1].hyp, 1);
}

static void assert_spaced(TgTexbleuSpacing spacing, const char *text, const char *wanted)
{
    g_autofree char *out = g_malloc0(TG_TEXBLEU_SPACED_MAX(strlen(text)) + 1);

    tg_texbleu_space(spacing, text, strlen(text), out);
    assert_string_equal(out, wanted);
}

/* The repository's examples, and the paper's rule. */
TEST(test_texbleu_spacing__examples)
{
    assert_spaced(TG_TEXBLEU_SPACING_REPO, "\\frac{a}{b}", " \\frac{a}{b}");
    assert_spaced(TG_TEXBLEU_SPACING_REPO, "a\\,b  \\\\ c", "a \\,b  \\ \\ c");
    assert_spaced(TG_TEXBLEU_SPACING_PAPER, "\\frac{a}{b}", "\\frac{a}{b}");
    assert_spaced(TG_TEXBLEU_SPACING_PAPER, "a\\,b  \\\\ c", "a \\,b \\\\ c");
    assert_spaced(TG_TEXBLEU_SPACING_PAPER, "  x\t\\alpha\\beta\n", "x \\alpha \\beta");
    assert_spaced(TG_TEXBLEU_SPACING_PAPER, "\\\\\\alpha", "\\\\ \\alpha");
}

/* ---- the metric ---- */

static double score_pair(const char *spec, const char *ref, const char *hyp)
{
    g_auto(TestScorer) scorer = test_scorer_new(spec);

    return test_scorer_add(&scorer, ref, hyp);
}

TEST(test_texbleu__properties_of_the_definition)
{
    tg_assert_near(score_pair("texbleu", "x+y=z", "x+y=z"), 1.0, 1e-9);
    tg_assert_near(score_pair("texbleu", "x+y=z", "x+y"), 1.0, 1e-9); /* a prefix */
    tg_assert_near(score_pair("texbleu", "x", "x"), 1.0, 1e-9);
    tg_assert_near(score_pair("texbleu", "", ""), 1.0, 0.0);
    tg_assert_near(score_pair("texbleu", "", " "), 1.0, 0.0);
    tg_assert_near(score_pair("texbleu", "x", ""), 0.0, 0.0);
    tg_assert_near(score_pair("texbleu", "", "x"), 0.0, 0.0);
    /* Blanks before commands and in runs change nothing. */
    tg_assert_near(score_pair("texbleu", "a\\alpha \\beta", "a  \\alpha\\beta"), 1.0, 1e-9);
}

/* docs/metrics/texbleu.md: the definition does not see through spaces, canonical forms do. */
TEST(test_texbleu__spacing_counts_without_canonical_forms)
{
    tg_assert_near(tg_score_pair("texbleu", "ab+cd=ef", "a b + c d = e f"), 0.57, 0.005);
    tg_assert_near(tg_score_pair("texbleu", "\\frac{a}{b}", "\\frac { a } { b }"), 1, 0);
    tg_assert_near(tg_score_pair("texbleu:normalize=canonical", "ab+cd=ef", "a b + c d = e f"), 1,
                   0);
}

TEST(test_texbleu__alignment_lets_places_count)
{
    /* x+y=z against x+y: two of five tokens have no partner, at 0.5 each. Columns 0 0 0 .5 .5:
     * sim1 = 1 - 1/5; sim2 = 1 - (2*.5 + .5)/8; sim3 = 1 - (2*.5 + .5)/9. */
    tg_assert_near(score_pair("texbleu:align=edit", "x+y=z", "x+y"),
                   cbrt(0.8 * (1 - 1.5 / 8) * (1 - 1.5 / 9)), 1e-9);
    tg_assert_near(score_pair("texbleu:align=edit", "x+y", "x+y"), 1.0, 1e-9);
    /* A token put before the rest shifts all: places matter now. */
    assert_true(score_pair("texbleu:align=edit", "x+y=z", "2x+y=z") <
                score_pair("texbleu:align=edit", "x+y=z", "x+y=z2"));
    tg_assert_near(score_pair("texbleu:align=edit", "", ""), 1.0, 0.0);
    tg_assert_near(score_pair("texbleu:align=edit", "x", ""), 0.0, 0.0);
}

TEST(test_texbleu__variants_and_brevity)
{
    /* Rejected by the paper: a half as long text gets exp(1 - 6/3) of its score. */
    tg_assert_near(score_pair("texbleu:brevity=yes", "a+b+c+", "a+b"), exp(-1.0), 1e-9);
    tg_assert_near(score_pair("texbleu:brevity=yes", "a+b", "a+b+c"), 1.0, 1e-9);
    /* One token on a side: order 2 has similarity 0, floored to 1e-10; four decimals. */
    tg_assert_near(score_pair("texbleu:variant=repo", "x", "x"), 0.0, 0.0);
    const double d = 1 - score_pair("texbleu", "x", "+"); /* cosDist^2 / 2 */
    tg_assert_near(score_pair("texbleu:variant=repo", "x+", "++"), round((1 - d / 2) * 1e4) / 1e4,
                   1e-9);
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

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(tg_metric_new(cases[i].spec, &error));
        tg_assert_error(error, cases[i].code, cases[i].message);
    }
}

/* Quadratic time is refused for what would take minutes; without alignment any length goes. */
TEST(test_texbleu__long_texts_end)
{
    const gsize len = 20000;
    g_autofree char *text = g_malloc0(len + 1);
    g_autoptr(GError) error = NULL;
    const char *const ref = text;
    const TgPair pair = { "pair", &ref, 1, text };

    for (gsize i = 0; i < len; i++)
        text[i] = "(+"[i % 2];
    tg_assert_near(score_pair("texbleu", text, text), 1.0, 1e-9);
    g_auto(TestScorer) scorer = test_scorer_new("texbleu:align=edit");
    tg_env_next_pair(scorer.env);
    assert_false(tg_metric_score(scorer.metric, scorer.env, &pair, scorer.result, &error));
    tg_assert_error(error, TG_ERROR_DATA, "too long to align");
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
static guint rank_of_neighbour(const TgSubwordModel *model, const char *a, const char *b)
{
    const guint32 from = token_id(model, a), to = token_id(model, b);
    const double distance = tg_embedding_cosine_distance(model->tokens, from, to);
    guint closer = 0;

    for (guint32 id = 0; id < tg_bpe_id_bound(model->bpe); id++)
        closer += id != from && tg_embedding_cosine_distance(model->tokens, from, id) < distance;
    return closer;
}

TEST(test_default_model__neighbours_make_sense)
{
    static const char *const pairs[][2] = {
        { "\\leq", "\\geq" },    { "\\alpha", "\\beta" },    { "\\sin", "\\cos" },
        { "\\sum", "\\prod" },   { "\\cup", "\\cap" },       { "\\hat", "\\tilde" },
        { "\\mathbf", "\\bm" },  { "\\int", "\\oint" },      { "\\subset", "\\subseteq" },
        { "\\quad", "\\qquad" }, { "\\forall", "\\exists" }, { "\\lfloor", "\\lceil" },
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(TgSubwordModel) model = tg_subword_model_load(DEFAULT_MODEL, &error);

    tg_assert_no_error(error);
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (rank_of_neighbour(model, pairs[i][0], pairs[i][1]) >= 10)
            fail_msg("%s is not among the ten nearest of %s but %u", pairs[i][1], pairs[i][0],
                     rank_of_neighbour(model, pairs[i][0], pairs[i][1]) + 1);
}

TEST(test_default_model__knows_every_byte)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgSubwordModel) model = tg_subword_model_load(DEFAULT_MODEL, &error);

    tg_assert_no_error(error);
    for (guint32 id = 0; id < tg_bpe_id_bound(model->bpe); id++)
        tg_assert_near(tg_embedding_cosine_distance(model->tokens, id, id), 0.0, 1e-9);
    /* Characters that the corpus lacks are bytes, not one unknown token. */
    assert_true(score_pair("texbleu", "\u4e2d", "\u6587") < 1.0);
    tg_assert_near(score_pair("texbleu", "\u4e2d", "\u4e2d"), 1.0, 1e-9);
}

/* Any token metric takes the tokenizer of a model folder. */
TEST(test_default_model__tokenizes_for_other_metrics)
{
    tg_assert_near(score_pair("bleu:tokenize=bpe:" DEFAULT_MODEL, "\\frac{a}{b}", "\\frac {a} {b}"),
                   1.0, 1e-9);
    tg_assert_near(score_pair("edit:tokenize=bpe:" DEFAULT_MODEL, "\\alpha", "\\beta"), 0.0, 0.0);
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
