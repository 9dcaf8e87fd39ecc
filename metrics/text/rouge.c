/* ROUGE-1, ROUGE-2 and ROUGE-L: tokens, pairs of tokens and the order that two texts share. */
#include <texgauge/metric.h>

#include "metrics/base/base.h"
#include "metrics/text/text.h"

typedef struct {
    TgTextInput input;
} Rouge;

static const TgOption options[] = {
    TG_TEXT_OPTIONS(Rouge, input, "words"),
    { 0 },
};

enum { COLUMN_1, COLUMN_1_PRECISION, COLUMN_1_RECALL, COLUMN_2, COLUMN_L };

static const TgColumn columns[] = {
    { "rouge", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "F1 of ROUGE-1" },
    { "precision", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "precision of ROUGE-1" },
    { "recall", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "recall of ROUGE-1" },
    { "2", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "F1 of ROUGE-2" },
    { "l", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "F1 of ROUGE-L" },
    { 0 },
};

typedef struct {
    double precision;
    double recall;
    double f1;
} Overlap;

/* The number of shared n-grams as a share of each side; 0 for an empty side. */
static Overlap rouge_overlap(guint32 shared, guint32 n_ref, guint32 n_hyp)
{
    if (n_ref == 0 || n_hyp == 0)
        return (Overlap){ 0 };
    return (Overlap){ (double) shared / n_hyp, (double) shared / n_ref,
                      2.0 * shared / ((double) n_ref + n_hyp) };
}

static void keep_better(Overlap *best, Overlap other)
{
    if (other.f1 > best->f1)
        *best = other;
}

static gboolean rouge_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                            GError **error)
{
    const Rouge *self = instance;
    TgPairTokens tokens;
    Overlap rouge_n[2] = { { 0 } }, rouge_l = { 0 };

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    for (guint r = 0; r < tokens.n_refs; r++) {
        const TgSequence ref = tokens.refs[r], hyp = tokens.hyp;
        guint32 shared[2];

        tg_ngram_matches(tg_env_arena(env), &ref, 1, hyp, 2, shared);
        for (guint n = 1; n <= 2; n++)
            keep_better(&rouge_n[n - 1], rouge_overlap(shared[n - 1], tg_ngram_total(ref.n, n),
                                                       tg_ngram_total(hyp.n, n)));
        keep_better(&rouge_l,
                    rouge_overlap(tg_lcs_length(tg_env_arena(env), ref, hyp), ref.n, hyp.n));
    }
    tg_result_set(out, COLUMN_1, rouge_n[0].f1);
    tg_result_set(out, COLUMN_1_PRECISION, rouge_n[0].precision);
    tg_result_set(out, COLUMN_1_RECALL, rouge_n[0].recall);
    tg_result_set(out, COLUMN_2, rouge_n[1].f1);
    tg_result_set(out, COLUMN_L, rouge_l.f1);
    return TRUE;
}

const TgMetricInfo tg_metric_rouge = {
    .abi = TG_METRIC_ABI,
    .name = "rouge",
    .version = "4",
    .summary = "shared tokens (ROUGE-1), token pairs (ROUGE-2) and order (ROUGE-L)",
    .citation = "Lin 2004",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Rouge),
    .init = tg_text_input_init,
    .clear = tg_text_input_clear,
    .score = rouge_score,
};
