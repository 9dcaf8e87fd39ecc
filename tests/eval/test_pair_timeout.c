/* The bounds on the time and memory for a pair: any text at all is done with in time. */
#include "tests/support/test_support.h"

#include "core/arena.h"
#include "core/deadline.h"
#include "metrics/base/base.h"
#include "metrics/metric.h"
#include "tests/support/cpu_time.h"
#include <texgauge/registry.h>
#include <texgauge/scorer.h>

#define ALL                                                                                        \
    "cdm,cdm-strict,forte,bleu,ebleu,edit,cer,wer,edit-ops,exprate,rouge,chrf,texbleu,render,"     \
    "imgedit,mse,ssim,canonical=bleu:normalize=canonical"

/* The bound of a tenth of a second, and the time that is allowed because some loops do not ask for
 * the bound. */
#define TIMEOUT 0.1
#define ALLOWED 1.2

#define MEGABYTE (1u << 20)
#define LONGEST  (250u << 10) /* that text metrics take */

/* Pieces that are repeated: nesting, marks, chemistry, tables, tokens of every kind. */
static const char *const shapes[] = {
    "{",
    "x^{2}",
    "\\frac{a}{b}",
    "e\xCC\x81",
    "\xCC\x81",
    "\\ce{H2O + ",
    "\\ce{H2O} ",
    "a & b \\\\",
    "a",
    " ab",
    "17",
    "\xE4\xB8\xAD",
    "$",
    "x'",
    "\\hat ",
    "\\text{ab c} ",
    "a_",
    "\\left(",
    "\\foo",
    "\\over b",
    "\\color{red} a",
};

static TgScorer *make(const char *metrics, double timeout)
{
    TgScorerOptions options = TG_SCORER_OPTIONS_INIT;

    options.pair_timeout = timeout;
    return tg_must(tg_scorer_new(metrics, &options, &error));
}

static TgBatch *score(TgScorer *scorer, const char *ref, const char *hyp)
{
    const TgPair pair = { NULL, &ref, 1, hyp };

    return tg_must(tg_scorer_score(scorer, &pair, 1, NULL, &error));
}

/* Small letters in an order that nothing can make use of. */
static char *letters(gsize n, guint32 seed)
{
    GRand *random = g_rand_new_with_seed(seed);
    char *text = g_malloc(n + 1);

    for (gsize i = 0; i < n; i++)
        text[i] = (char) g_rand_int_range(random, 'a', 'z' + 1);
    text[n] = '\0';
    g_rand_free(random);
    return text;
}

static void assert_in_time(TgScorer *scorer, const char *ref, const char *hyp, const char *what)
{
    const double start = tg_cpu_seconds();

    tg_batch_free(score(scorer, ref, hyp));
    tg_assert_cpu_below(start, ALLOWED, what);
}

TEST(test_pair_timeout__holds_for_every_shape_of_text)
{
    g_autoptr(TgScorer) scorer = make(ALL, TIMEOUT);

    tg_batch_free(score(scorer, "a", "b")); /* reads the fonts */
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++) {
        g_autofree char *one = tg_repeat(shapes[i], TG_SHORTENED(LONGEST));
        g_autofree char *other = tg_repeat(shapes[i], TG_SHORTENED(LONGEST / 8 * 7));
        g_autofree char *larger = tg_repeat(shapes[i], TG_SHORTENED(MEGABYTE));

        assert_in_time(scorer, one, other, shapes[i]);
        assert_in_time(scorer, "a+b", larger, shapes[i]);
    }
    g_autofree char *one = letters(LONGEST, 1), *other = letters(LONGEST, 2);
    assert_in_time(scorer, one, other, "letters");
}

/* Each counts as an empty prediction does: 0 for the two that are similarities, 1 for cer. */
TEST(test_pair_timeout__too_long_counts_as_the_worst)
{
    g_autofree char *ref = letters(LONGEST, 1), *hyp = letters(LONGEST, 2);
    g_autoptr(TgScorer) edits = make("edit,cer", 0.02);
    g_autoptr(TgBatch) of_edits = score(edits, ref, hyp);
    g_autoptr(TgScorer) drawn = make("cdm", 0.02);
    g_autoptr(TgBatch) of_drawn = score(drawn, "a+b", hyp);

    assert_string_equal(tg_batch_status(of_edits, 0, 0), "too-long");
    assert_string_equal(tg_batch_status(of_edits, 0, 1), "too-long");
    tg_assert_near(tg_batch_column(of_edits, 0)[0], 0, 0);
    tg_assert_near(tg_batch_column(of_edits, tg_scorer_n_columns(edits) - 2)[0], 1, 0);
    assert_string_equal(tg_batch_status(of_drawn, 0, 0), "too-long");
    tg_assert_near(tg_batch_column(of_drawn, 0)[0], 0, 0);
    tg_assert_near(tg_batch_pooled(of_drawn, 0), 0, 0);
}

TEST(test_pair_timeout__skip_leaves_the_pair_out)
{
    const TgScorerOptions options = { .size = sizeof options,
                                      .undefined = TG_UNDEFINED_SKIP,
                                      .pair_timeout = 0.02 };
    g_autofree char *hyp = letters(LONGEST, 2);
    g_autoptr(TgScorer) scorer = tg_scorer_new("cdm", &options, NULL);
    g_autoptr(TgBatch) batch = score(scorer, "a+b", hyp);

    assert_string_equal(tg_batch_status(batch, 0, 0), "too-long");
    assert_true(isnan(tg_batch_column(batch, 0)[0]));
}

/* A metric that takes too long leaves nothing behind that another one of the pair could use. */
TEST(test_pair_timeout__the_other_metrics_score_the_whole_texts)
{
    g_autofree char *ref = letters(LONGEST, 1), *hyp = letters(LONGEST, 2);
    g_autoptr(TgScorer) both = make("forte,edit:tokenize=char,chars=bleu:tokenize=char", 1.2);
    g_autoptr(TgScorer) alone = make("bleu:tokenize=char", 0);
    g_autoptr(TgBatch) of_both = score(both, ref, hyp);
    g_autoptr(TgBatch) of_alone = score(alone, ref, hyp);
    const guint last = tg_scorer_n_metrics(both) - 1;
    const guint column = tg_scorer_n_columns(both) - tg_scorer_n_columns(alone);

    assert_string_equal(tg_batch_status(of_both, 0, 1), "too-long");
    assert_string_equal(tg_batch_status(of_both, 0, last), "ok");
    assert_string_equal(tg_scorer_column_name(both, column), "chars");
    tg_assert_near(tg_batch_column(of_both, column)[0], tg_batch_column(of_alone, 0)[0], 0);
}

TEST(test_pair_timeout__formulas_of_papers_are_not_touched)
{
    const char *ref = "\\sum_{i=1}^{n}\\frac{x_i^2}{\\sqrt{1+y}}=\\alpha";
    const char *hyp = "\\sum_{i=1}^{m}\\frac{x_i^2}{\\sqrt{1-y}}=\\beta";
    g_autoptr(TgScorer) bounded = make(ALL, 20);
    g_autoptr(TgScorer) unbounded = make(ALL, 0);
    g_autoptr(TgBatch) with = score(bounded, ref, hyp);
    g_autoptr(TgBatch) without = score(unbounded, ref, hyp);

    for (guint c = 0; c < tg_scorer_n_columns(bounded); c++)
        assert_memory_equal(tg_batch_column(with, c), tg_batch_column(without, c), sizeof(double));
    for (guint m = 0; m < tg_scorer_n_metrics(bounded); m++)
        assert_string_equal(tg_batch_status(with, 0, m), tg_batch_status(without, 0, m));
}

TEST(test_pair_timeout__a_time_that_is_none_is_refused)
{
    static const double wrong[] = { -1, NAN, INFINITY };

    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        TgScorerOptions options = TG_SCORER_OPTIONS_INIT;

        options.pair_timeout = wrong[i];
        tg_assert_fails(tg_scorer_new("edit", &options, &error), TG_ERROR_USAGE, "seconds");
    }
}

/* ---- what was cut short is not kept ---- */

static gpointer ref_text(gpointer text)
{
    return text;
}

static void unref_text(gpointer text)
{
    (void) text;
}

static gsize text_size(gconstpointer text)
{
    (void) text;
    return 1;
}

TEST(test_pair_timeout__what_was_cut_short_is_not_shared)
{
    static const TgSharedKind kind = { ref_text, unref_text, text_size };
    static char text[] = "drawing";
    g_autoptr(TgEnv) env = tg_env_new();

    tg_deadline_start(1e-6, 0);
    g_usleep(1000);
    assert_true(tg_deadline_spend(1000000));
    tg_env_share(env, &kind, "", "a", text);
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_TIME);
    assert_null(tg_env_find_shared(env, &kind, "", "a"));
    tg_env_share(env, &kind, "", "a", text);
    assert_ptr_equal(tg_env_find_shared(env, &kind, "", "a"), text);
}

/* A metric that wants as many 16 MiB as the prediction has characters. */
static gboolean score_greedily(gconstpointer instance, TgEnv *env, const TgPair *pair,
                               TgResult *out, GError **error)
{
    (void) instance, (void) env, (void) error;
    TgArena arena = { 0 };
    guint n = 0;

    while (n < strlen(pair->hyp) && !tg_deadline_spend(1)) {
        tg_arena_alloc(&arena, 16 << 20);
        n++;
    }
    tg_arena_clear(&arena);
    tg_result_set(out, 0, n > 0);
    return TRUE;
}

TEST(test_pair_timeout__a_gigabyte_is_too_large)
{
    static const TgColumn columns[] = {
        { .name = "greedy", .direction = TG_HIGHER_IS_BETTER, .min = 0, .max = 1 },
        { 0 },
    };
    static const TgMetricInfo info = { .abi = TG_METRIC_ABI,
                                       .name = "greedy",
                                       .summary = "wants memory",
                                       .version = "1",
                                       .columns = columns,
                                       .score = score_greedily };
    char text[81] = { 0 };

    tg_must(tg_registry_add(&info, &error));
    g_autoptr(TgScorer) scorer = make("greedy", 0);
    for (guint n = 40; n <= 80; n += 40) {
        memset(text, 'x', n);
        g_autoptr(TgBatch) batch = score(scorer, "x", text);

        assert_true(g_str_has_prefix(tg_batch_status(batch, 0, 0), n == 40 ? "ok" : "too-large"));
        assert_true(tg_batch_column(batch, 0)[0] == (n == 40));
    }
}

/* Under a bound that is small enough to be reached by texts that are scored: macros that yield
 * 200,000 letters, each a noad with its box. */
TEST(test_pair_timeout__drawing_ends_with_its_memory)
{
    static const char *const metrics[] = { "render", "ssim", "mse", "imgedit", "cdm-strict" };
    g_autofree char *letters_of_macro = g_strnfill(1000, 'a'), *calls = tg_repeat("\\m ", 600);
    g_autofree char *text = g_strdup_printf("\\def\\m{%s}%s", letters_of_macro, calls);
    const char *ref = "x+y";
    for (guint i = 0; i < G_N_ELEMENTS(metrics); i++) {
        g_autoptr(TgMetric) metric = tg_metric_new(metrics[i], NULL);
        g_autoptr(TgEnv) env = tg_env_new();
        g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
        const TgPair large = { "large", &ref, 1, text };

        tg_deadline_start(0, 8 << 20);
        tg_metric_score(metric, env, &large, result, NULL);
        assert_int_equal(tg_deadline_stop(), TG_DEADLINE_MEMORY);
    }
}
