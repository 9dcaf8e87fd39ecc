/* The options that all text metrics share: what normalize=canonical makes equal, and what not. */
#include "tests/support/metric_support.h"

static const char *const metrics[] = {
    "bleu",  "edit",  "cer",     "wer",      "exprate",          "chrf",
    "rouge", "ebleu", "texbleu", "edit-ops", "edit:tokenize=13a"
};

/* The score of equal texts: 0 where errors are counted. */
static double best_of(const char *metric)
{
    return strcmp(metric, "cer") == 0 || strcmp(metric, "wer") == 0 ||
                   strcmp(metric, "edit-ops") == 0
               ? 0
               : 1;
}

static double score(const char *metric, const char *normalize, const char *ref, const char *hyp)
{
    g_autofree char *spec = g_strdup_printf("%s:normalize=%s", metric, normalize);

    return tg_score_pair(spec, ref, hyp);
}

/* Ways of writing that TeX draws alike; every pair differs in its LaTeX tokens. */
static const char *const alike[][2] = {
    { "x_{i}^{2}+y_1", "x^2_i+y_{1}" },
    { "\\frac{1}{2}\\alpha", "\\frac12 \\alpha" },
    { "a\\le b\\ne c", "a\\leq b\\neq c" },
    { "\\frac{a}{b}+c", "{a \\over b}+{c}" },
    { "f'(x)", "f^{\\prime}(x)" },
    { "\\sum_{i=1}^n x_i", "\\sum\\limits^{n}_{i=1}{x}_{i}" },
    { "\\begin{pmatrix}a&b\\end{pmatrix}", "\\left(\\begin{matrix}a&b\\end{matrix}\\right)" },
    { "{\\bf v}\\to\\infty", "\\mathbf{v}\\rightarrow\\infty" },
    { "\\sqrt{x}=\\Vert y\\Vert", "\\sqrt x=\\|y\\|" },
    { "\\newcommand{\\R}{\\mathbb{R}}x\\in\\R", "x\\in\\mathbb R" },
};

TEST(test_text_input__makes_equal_what_draws_alike)
{
    for (guint i = 0; i < G_N_ELEMENTS(alike); i++) {
        assert_true(tg_score_pair("edit", alike[i][0], alike[i][1]) < 1);
        for (guint m = 0; m < G_N_ELEMENTS(metrics); m++)
            tg_assert_near(score(metrics[m], "canonical", alike[i][0], alike[i][1]),
                           best_of(metrics[m]), 1e-12);
    }
}

TEST(test_text_input__keeps_apart_what_differs)
{
    static const char *const pairs[][2] = {
        { "x_i^2", "x_2^i" },
        { "a\\leq b", "a<b" },
        { "\\frac{a}{b}", "\\frac{b}{a}" },
        { "a\\,b", "ab" },
        { "{a+}b", "a+b" }, /* the braces take the space from around + */
        { "\\mathrm{d}x", "dx" },
        { "\\bigl(x\\bigr)", "(x)" },
        { "\\begin{bmatrix}a\\end{bmatrix}", "\\begin{pmatrix}a\\end{pmatrix}" },
        { "x'", "x^1" },
    };

    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        tg_assert_near(score("exprate", "canonical", pairs[i][0], pairs[i][1]), 0, 0);
        assert_true(score("edit", "canonical", pairs[i][0], pairs[i][1]) < 1);
    }
}

/* Nothing that is wrong is mended: such a text is compared as it was written. */
TEST(test_text_input__leaves_what_cannot_be_read)
{
    tg_assert_near(score("exprate", "canonical", "\\frac{a}{b}", "\\frac{a}{b"), 0, 0);
    tg_assert_near(score("exprate", "canonical", "\\frac{a}{}", "\\frac{a}"), 0, 0);
    tg_assert_near(score("exprate", "canonical", "\\foo x_1", "\\foo x_{1}"), 0, 0);
    tg_assert_near(score("exprate", "canonical", "\\foo x_1", "\\foo x_1"), 1, 0);
    tg_assert_near(score("exprate", "canonical", "\\R", "\\mathbb{R}"), 0, 0);
    tg_assert_near(score("exprate", "canonical", "a\\tag{1}\\tag{2}", "a"), 0, 0);
    tg_assert_near(score("exprate", "canonical", "\\mathbf{a}b", "{\\bf a}\n\nb"), 0, 0);
    tg_assert_near(score("exprate", "canonical", "\\begin{cases}a\\end{cases}", "\\cases{a}"), 0,
                   0);
    tg_assert_near(score("exprate", "canonical", "y\\pdv{f}{x}", "{y}\\pdv{f}{x}"), 1, 0);
    tg_assert_near(score("exprate", "canonical", "\\begin{array}{>{x}c}a\\end{array}",
                         "\\begin{array}{c}xa\\end{array}"),
                   1, 0);
    /* 11 tokens against 10: the words of a text that is not read are its tokens too */
    tg_assert_near(score("edit", "canonical", "x^{2}+\\frac12", "x^{2}+\\frac1"),
                   tg_score_pair("edit", "x^{2}+\\frac{1}{2}", "x^{2}+\\frac1"), 0);
    tg_assert_near(score("wer", "canonical", "\\foo x_1", "\\foo  x _1"), 0, 0);
}

/* Words are LaTeX tokens; characters are those of the compact form. */
TEST(test_text_input__by_hand)
{
    /* x ^ { 2 } and x _ { 2 } */
    tg_assert_near(score("wer", "canonical", "x^2", "x_2"), 1.0 / 5, 1e-15);
    /* x^{2} and x^{3} */
    tg_assert_near(score("cer", "canonical", "x^2", "x^3"), 1.0 / 5, 1e-15);
    /* \alpha x: the blank that ends a command counts as it does in any text */
    tg_assert_near(score("cer", "canonical", "\\alpha{x}", "\\alpha{y}"), 1.0 / 8, 1e-15);
    /* of the unigrams a b c, two are found */
    tg_assert_near(score("rouge", "canonical", "{a}{b}c", "{a}b{d}"), 2.0 / 3, 1e-9);
    /* lower case comes after: \Delta is read as \Delta */
    tg_assert_near(score("edit:lowercase=yes", "canonical", "\\Delta{X}", "\\delta x"), 1, 0);
}

TEST(test_text_input__rules_switch)
{
    tg_assert_near(score("exprate", "canonical", "a\\,b", "ab"), 0, 0);
    tg_assert_near(score("exprate", "canonical+spaces", "a\\,b", "ab"), 1, 0);
    tg_assert_near(score("exprate", "canonical-symbols", "a\\le b", "a\\leq b"), 0, 0);
    tg_assert_near(score("exprate", "canonical+delimiters+spaces", "\\left(a\\right)\\!", "(a)"), 1,
                   0);
}

TEST(test_text_input__wrong_values_are_refused)
{
    static const char *const wrong[] = { "tree", "", "canonically", "canonical+foo",
                                         "none+spaces" };

    for (guint m = 0; m < G_N_ELEMENTS(metrics); m++)
        for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
            g_autofree char *spec = g_strdup_printf("%s:normalize=%s", metrics[m], wrong[i]);

            tg_assert_fails(tg_metric_new(spec, &error), TG_ERROR_USAGE,
                            i == 3 ? "+foo" : "normalize");
        }
}

/* One text, several metrics: what the env keeps does not mix. */
TEST(test_text_input__env_keeps_forms_apart)
{
    static const char text[] = "x^2\\,\\le y";
    g_autoptr(TgEnv) env = tg_env_new();
    TgCanonicalRules spaces;

    assert_true(tg_canonical_parse_rules("+spaces", &spaces, NULL));
    const char *compact = tg_env_canonical(env, text, tg_canonical_preset(), TG_CANONICAL_COMPACT);
    assert_string_equal(compact, "x^{2}\\,\\leq y");
    assert_string_equal(tg_env_canonical(env, text, spaces, TG_CANONICAL_COMPACT), "x^{2}\\leq y");
    assert_string_equal(tg_env_canonical(env, text, spaces, TG_CANONICAL_SPACED),
                        "x ^ { 2 } \\leq y");
    assert_ptr_equal(tg_env_canonical(env, text, tg_canonical_preset(), TG_CANONICAL_COMPACT),
                     compact);
}

/* A blank between words is a token, for tokenizers that drop white space, too. */
TEST(test_text_input__blanks_between_words_are_ties)
{
    g_autoptr(TgEnv) env = tg_env_new();
    const TgCanonicalRules rules = tg_canonical_preset();

    assert_string_equal(
        tg_env_canonical(env, "\\text{if so} \\alpha x", rules, TG_CANONICAL_COMPACT),
        "\\text{if~so}\\alpha x");
    assert_string_equal(tg_env_canonical(env, "\\text{if so}", rules, TG_CANONICAL_SPACED),
                        "\\text { i f ~ s o }");
}

/* Macros that grow beyond what is scored, and texts that are beyond it already. */
TEST(test_text_input__long_texts)
{
    g_autofree char *xs = g_strnfill(600, 'x');
    g_autoptr(TgEnv) env = tg_env_new();

    g_autoptr(GString) bomb = g_string_new(NULL);
    g_string_printf(bomb, "\\def\\a{%s}", xs);
    for (guint i = 0; i < 600; i++)
        g_string_append(bomb, "\\a ");
    assert_string_equal(
        tg_env_canonical(env, bomb->str, tg_canonical_preset(), TG_CANONICAL_COMPACT), bomb->str);
    g_autofree char *long_one = g_strnfill(TG_TEXT_MAX + 1, '{');
    assert_ptr_equal(tg_env_canonical(env, long_one, tg_canonical_preset(), TG_CANONICAL_SPACED),
                     long_one);
}
