/* Expression recognition rate: formulas read without error, or with at most 1, 2, 3 errors. */
#include <texgauge/metric.h>

#include "metrics/text/text.h"

typedef struct {
    TgTextInput input;
} ExpRate;

static const TgOption options[] = {
    TG_TEXT_OPTIONS(ExpRate, input, "latex"),
    { 0 },
};

/* Column k: at most k errors. */
#define MAX_ERRORS 3

static const TgColumn columns[] = {
    { "exprate", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with equal tokens" },
    { "1", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 1 token error" },
    { "2", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 2 token errors" },
    { "3", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 3 token errors" },
    { 0 },
};

static gboolean exprate_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                              GError **error)
{
    const ExpRate *self = instance;
    TgPairTokens tokens;
    guint32 errors = G_MAXUINT32;

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    for (guint r = 0; r < tokens.n_refs; r++)
        errors = MIN(errors, tg_levenshtein_within(tokens.refs[r], tokens.hyp, MAX_ERRORS));
    for (guint k = 0; k <= MAX_ERRORS; k++)
        tg_result_set(out, k, errors <= k);
    return TRUE;
}

const TgMetricInfo tg_metric_exprate = {
    .abi = TG_METRIC_ABI,
    .name = "exprate",
    .version = "1",
    .summary = "share of formulas read exactly, and within 1, 2, 3 errors",
    .citation = "Mouchere et al. 2014 (CROHME), on token sequences",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(ExpRate),
    .init = tg_text_input_init,
    .clear = tg_text_input_clear,
    .score = exprate_score,
};
