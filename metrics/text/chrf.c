/* chrF and chrF++: F-score over n-grams of characters and words, as sacrebleu computes it. */
#include <texgauge/metric.h>

#include <string.h>

#include "metrics/base/base.h"
#include "metrics/text/text.h"

/* Counts of each order; the statistics of a pair are these numbers, order by order. */
enum { COUNT_HYP, COUNT_REF, COUNT_MATCH, N_COUNTS };

#define MAX_COUNTS ((gsize) 2 * TG_MAX_ORDER * N_COUNTS)

typedef struct {
    gint char_order;
    gint word_order;
    double beta;
    gboolean lowercase;
    TgTextForm form;
    gboolean whitespace;
    gboolean eps_smoothing;
    TgTextInput characters;
    TgTextInput words;
} Chrf;

static const TgOption options[] = {
    TG_OPTION_INT(Chrf, char_order, "char-order", "6", 1, TG_MAX_ORDER,
                  "longest n-grams of characters"),
    TG_OPTION_INT(Chrf, word_order, "word-order", "0", 0, TG_MAX_ORDER,
                  "longest n-grams of words; 2 makes it chrF++"),
    TG_OPTION_DOUBLE(Chrf, beta, "beta", "2", 0, 100, "weight of recall against precision"),
    TG_TEXT_OPTION_LOWERCASE(Chrf, lowercase),
    TG_TEXT_OPTION_NORMALIZE(Chrf, form),
    TG_OPTION_BOOL(Chrf, whitespace, "whitespace", "no", "white space counts as characters"),
    TG_OPTION_BOOL(Chrf, eps_smoothing, "eps-smoothing", "no",
                   "mean over all orders, 1e-16 for empty ones (as chrF++.py, NLTK, Moses)"),
    { 0 },
};

enum { COLUMN_CHRF, COLUMN_MEAN };

static const TgColumn columns[] = {
    { "chrf", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "F-score of the summed counts" },
    { "mean", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "mean of the pairs' scores" },
    { 0 },
};

static gboolean chrf_init(gpointer instance, GError **error)
{
    Chrf *self = instance;

    self->characters.tokenize = (char *) (self->whitespace ? "codepoint" : "char");
    self->words.tokenize = (char *) "chrf-words";
    self->characters.lowercase = self->words.lowercase = self->lowercase;
    self->characters.form = self->words.form = self->form;
    return tg_text_input_init(&self->characters, error) && tg_text_input_init(&self->words, error);
}

static void chrf_clear(gpointer instance)
{
    Chrf *self = instance;

    tg_text_input_clear(&self->characters);
    tg_text_input_clear(&self->words);
}

static gint n_orders(const Chrf *self)
{
    return self->char_order + self->word_order;
}

static guint chrf_n_stats(gconstpointer self)
{
    return (guint) n_orders(self) * N_COUNTS;
}

static double f_score(double precision, double recall, double beta)
{
    const double factor = beta * beta;
    const double denominator = factor * precision + recall;

    return denominator > 0 ? (1 + factor) * precision * recall / denominator : 0;
}

/* Smoothed: the mean of the F-scores of all orders. Else the F-score of mean precision and mean
 * recall over the orders that both sides have. */
static double chrf_of_counts(const Chrf *self, const double *counts)
{
    const double eps = 1e-16;
    double precision = 0, recall = 0, sum = 0;
    guint n = 0;

    for (gint i = 0; i < n_orders(self); i++, counts += N_COUNTS) {
        const double hyp = counts[COUNT_HYP], ref = counts[COUNT_REF], match = counts[COUNT_MATCH];

        if (self->eps_smoothing) {
            const double f =
                f_score(hyp > 0 ? match / hyp : eps, ref > 0 ? match / ref : eps, self->beta);
            sum += f > 0 ? f : eps;
        } else if (hyp > 0 && ref > 0) {
            precision += match / hyp;
            recall += match / ref;
            n++;
        }
    }
    if (self->eps_smoothing)
        return sum / n_orders(self);
    return n > 0 ? f_score(precision / n, recall / n, self->beta) : 0;
}

static void chrf_pool(gconstpointer self, const double *stats, double *out)
{
    out[COLUMN_CHRF] = chrf_of_counts(self, stats);
}

/* Fill the counts of one kind of n-grams; returns where those of the next kind go. */
static double *chrf_count(TgEnv *env, TgSequence ref, TgSequence hyp, gint order, double *counts)
{
    guint32 matches[TG_MAX_ORDER];

    tg_ngram_matches(tg_env_arena(env), &ref, 1, hyp, (guint) order, matches);
    for (guint n = 1; n <= (guint) order; n++, counts += N_COUNTS) {
        const guint32 n_ref = tg_ngram_total(ref.n, n);

        counts[COUNT_HYP] = n_ref > 0 ? tg_ngram_total(hyp.n, n) : 0;
        counts[COUNT_REF] = n_ref;
        counts[COUNT_MATCH] = matches[n - 1];
    }
    return counts;
}

static gboolean chrf_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                           GError **error)
{
    const Chrf *self = instance;
    TgPairTokens characters, words = { 0 };
    double counts[MAX_COUNTS];

    if (!tg_pair_tokenize(env, &self->characters, pair, &characters, error) ||
        (self->word_order > 0 && !tg_pair_tokenize(env, &self->words, pair, &words, error)))
        return FALSE;
    double *rest = chrf_count(env, characters.refs[0], characters.hyp, self->char_order, counts);
    if (self->word_order > 0)
        chrf_count(env, words.refs[0], words.hyp, self->word_order, rest);
    tg_result_set(out, COLUMN_CHRF, chrf_of_counts(self, counts));
    tg_result_set(out, COLUMN_MEAN, chrf_of_counts(self, counts));
    tg_result_set_stats(out, counts);
    return TRUE;
}

const TgMetricInfo tg_metric_chrf = {
    .abi = TG_METRIC_ABI,
    .name = "chrf",
    .version = "4",
    .summary = "F-score over n-grams of characters (chrF), with word-order=2 also words (chrF++)",
    .citation = "Popovic 2015, 2017; as sacrebleu 2",
    .columns = columns,
    .options = options,
    .each_reference = TRUE,
    .instance_size = sizeof(Chrf),
    .init = chrf_init,
    .clear = chrf_clear,
    .n_stats = chrf_n_stats,
    .score = chrf_score,
    .pool = chrf_pool,
};
