/* Error rates of recognition: edits per character (CER) and per word (WER) of the truth. */
#include <texgauge/metric.h>

#include "metrics/base/base.h"
#include "metrics/text/text.h"

typedef struct {
    TgTextInput edited; /* what edits are counted in */
    TgTextInput length; /* what the truth's length is counted in */
} ErrorRate;

static const TgOption cer_options[] = {
    TG_OPTION_STRING(ErrorRate, edited.tokenize, "edits", "codepoint",
                     "what edits are counted in: codepoint; words for word edits per character"),
    TG_TEXT_OPTION_LOWERCASE(ErrorRate, edited.lowercase),
    TG_TEXT_OPTION_NORMALIZE(ErrorRate, edited.form),
    { 0 },
};

static const TgOption wer_options[] = {
    TG_TEXT_OPTIONS(ErrorRate, edited, "words"),
    { 0 },
};

enum { COLUMN_RATE, COLUMN_MEAN, N_COLUMNS };

static const TgColumn cer_columns[] = {
    { "cer", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_STATS,
      "all edits / all characters of the truth" },
    { "mean", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_MEAN, "mean of the pairs' rates" },
    { 0 },
};

static const TgColumn wer_columns[] = {
    { "wer", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_STATS,
      "all edits / all words of the truth" },
    { "mean", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_MEAN, "mean of the pairs' rates" },
    { 0 },
};

enum { STAT_EDITS, STAT_LENGTH, N_STATS };

static gboolean error_rate_init(ErrorRate *self, GError **error)
{
    self->length.lowercase = self->edited.lowercase;
    self->length.form = self->edited.form;
    return tg_text_input_init(&self->edited, error) && tg_text_input_init(&self->length, error);
}

static gboolean cer_init(gpointer instance, GError **error)
{
    ErrorRate *self = instance;

    self->length.tokenize = (char *) "codepoint";
    return error_rate_init(self, error);
}

static gboolean wer_init(gpointer instance, GError **error)
{
    ErrorRate *self = instance;

    self->length.tokenize = self->edited.tokenize;
    return error_rate_init(self, error);
}

static void error_rate_clear(gpointer instance)
{
    ErrorRate *self = instance;

    tg_text_input_clear(&self->edited);
    tg_text_input_clear(&self->length);
}

static guint error_rate_n_stats(gconstpointer self)
{
    (void) self;
    return N_STATS;
}

/* An empty truth counts as one character or word, so that the rate stays finite. */
static double error_rate(double edits, double length)
{
    return edits / MAX(length, 1);
}

static void error_rate_pool(gconstpointer self, const double *stats, double *out)
{
    (void) self;
    out[COLUMN_RATE] = error_rate(stats[STAT_EDITS], stats[STAT_LENGTH]);
}

static gboolean error_rate_score(gconstpointer instance, TgEnv *env, const TgPair *pair,
                                 TgResult *out, GError **error)
{
    const ErrorRate *self = instance;
    TgPairTokens tokens, units;
    double best[N_STATS] = { 0 }, value = G_MAXDOUBLE;

    if (!tg_pair_tokenize(env, &self->edited, pair, &tokens, error) ||
        !tg_pair_tokenize(env, &self->length, pair, &units, error))
        return FALSE;
    for (guint r = 0; r < tokens.n_refs; r++) {
        const double edits = tg_levenshtein(tg_env_arena(env), tokens.refs[r], tokens.hyp);
        const double length = units.refs[r].n;

        if (error_rate(edits, length) < value) {
            value = error_rate(edits, length);
            best[STAT_EDITS] = edits;
            best[STAT_LENGTH] = length;
        }
    }
    tg_result_set(out, COLUMN_RATE, value);
    tg_result_set(out, COLUMN_MEAN, value);
    tg_result_set_stats(out, best);
    return TRUE;
}

const TgMetricInfo tg_metric_cer = {
    .abi = TG_METRIC_ABI,
    .name = "cer",
    .version = "1",
    .summary = "character error rate",
    .citation = "Levenshtein 1966; as jiwer's cer",
    .columns = cer_columns,
    .options = cer_options,
    .instance_size = sizeof(ErrorRate),
    .init = cer_init,
    .clear = error_rate_clear,
    .n_stats = error_rate_n_stats,
    .score = error_rate_score,
    .pool = error_rate_pool,
};

const TgMetricInfo tg_metric_wer = {
    .abi = TG_METRIC_ABI,
    .name = "wer",
    .version = "1",
    .summary = "word error rate",
    .citation = "Levenshtein 1966; as jiwer's wer",
    .columns = wer_columns,
    .options = wer_options,
    .instance_size = sizeof(ErrorRate),
    .init = wer_init,
    .clear = error_rate_clear,
    .n_stats = error_rate_n_stats,
    .score = error_rate_score,
    .pool = error_rate_pool,
};
