/*
 * A metric as a plugin: the ratio of the lengths of hypothesis and reference, in tokens.
 *
 *   cc -shared -fPIC length_ratio.c -o length_ratio.so $(pkg-config --cflags --libs texgauge)
 *   texgauge eval --plugin ./length_ratio.so --metrics length-ratio:tokenize=char pairs.jsonl
 */
#include <gmodule.h> /* G_MODULE_EXPORT */
#include <texgauge/metric.h>

typedef struct {
    char *tokenize;
    TgTokenizer *tokenizer;
} LengthRatio;

static const TgOption options[] = {
    TG_OPTION_STRING(LengthRatio, tokenize, "tokenize", "latex", "tokenizer of both sides"),
    { 0 },
};

static const TgColumn columns[] = {
    { "length-ratio", TG_HIGHER_IS_BETTER, 0.0, 1.0, TG_POOL_STATS,
      "shorter side over longer side, in tokens" },
    { 0 },
};

enum { STAT_SHORTER, STAT_LONGER, N_STATS }; /* the run adds these up over pairs */

static gboolean init(gpointer instance, GError **error)
{
    LengthRatio *self = instance;

    self->tokenizer = tg_tokenizer_new(self->tokenize, TG_TOKENIZER_DEFAULT, error);
    return self->tokenizer != NULL;
}

static void clear(gpointer instance)
{
    tg_tokenizer_free(((LengthRatio *) instance)->tokenizer);
}

static guint n_stats(gconstpointer instance)
{
    (void) instance;
    return N_STATS;
}

static void pool(gconstpointer instance, const double *stats, double *out)
{
    (void) instance;
    out[0] = stats[STAT_LONGER] > 0 ? stats[STAT_SHORTER] / stats[STAT_LONGER] : 1.0;
}

static gboolean score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                      GError **error)
{
    const LengthRatio *self = instance;
    const TgTokens *ref = tg_env_tokenize(env, self->tokenizer, pair->refs[0], error);
    const TgTokens *hyp = ref ? tg_env_tokenize(env, self->tokenizer, pair->hyp, error) : NULL;
    guint n_ref, n_hyp;
    double value;

    if (hyp == NULL)
        return FALSE;
    tg_tokens_ids(ref, &n_ref);
    tg_tokens_ids(hyp, &n_hyp);
    const double stats[N_STATS] = { MIN(n_ref, n_hyp), MAX(n_ref, n_hyp) };
    pool(self, stats, &value); /* a pair is a corpus of one */
    tg_result_set(out, 0, value);
    tg_result_set_stats(out, stats);
    return TRUE;
}

static const TgMetricInfo length_ratio = {
    .abi = TG_METRIC_ABI,
    .name = "length-ratio",
    .version = "1",
    .summary = "ratio of the two lengths",
    .citation = "an example, docs/examples/length_ratio.c",
    .columns = columns,
    .options = options,
    .each_reference = TRUE, /* score() sees one at a time; the best one counts */
    .instance_size = sizeof(LengthRatio),
    .init = init,
    .clear = clear,
    .n_stats = n_stats,
    .score = score,
    .pool = pool,
};

G_MODULE_EXPORT const TgMetricInfo *const tg_plugin_metrics[] = { &length_ratio, NULL };
