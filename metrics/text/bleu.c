/* BLEU as sacrebleu and as NLTK compute it, on LaTeX tokens or any others. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "metrics/algorithms/algorithms.h"
#include "metrics/base/env.h"
#include "metrics/text/bleu_score.h"
#include "metrics/text/text_input.h"

/* In the order of TgBleuSmoothing; the last is settled by settle_compat(). */
static const char *const smoothings[] = { "none",  "floor", "add-k",  "exp",   "nltk0",
                                          "nltk1", "nltk2", "nltk3",  "nltk4", "nltk5",
                                          "nltk6", "nltk7", "preset", NULL };

static const char *const programs[] = { "none", "sacrebleu-r", NULL };

enum { COMPAT_NONE, COMPAT_SACREBLEU_R };

/* Where orders are left out that the text is too short for; the last is settled, too. */
static const char *const scopes[] = { "no", "yes", "pairs", "preset", NULL };

enum { EFFECTIVE_NO, EFFECTIVE_YES, EFFECTIVE_PAIRS, EFFECTIVE_PRESET };

/* The parameter of each, as sacrebleu and NLTK preset it; 0 where there is none. */
static const double smooth_presets[] = { 0, 0.1, 1, 0, 0, 0.1, 0, 0, 5, 0, 5, 5 };

typedef struct {
    TgTextInput input;
    gint order;
    gint smooth;
    gint compat;
    char *smooth_value;
    gint effective_order;
    char *weights;
    TgBleuRule rule;      /* what the options come to, for the sums of a set */
    TgBleuRule pair_rule; /* and for a pair */
    guint n_counted;      /* orders that are counted */
} Bleu;

static const TgOption options[] = {
    TG_TEXT_OPTIONS(Bleu, input, "latex"),
    TG_OPTION_INT(Bleu, order, "order", "4", 1, TG_BLEU_MAX_ORDER, "longest n-grams"),
    TG_OPTION_CHOICE(Bleu, smooth, "smooth", "preset", smoothings,
                     "what is done where no n-gram matches; preset: exp, with sacrebleu-r none"),
    TG_OPTION_CHOICE(Bleu, compat, "compat", "none", programs,
                     "count as another program: sacrebleu-r, the R package sacRebleu"),
    TG_OPTION_STRING(Bleu, smooth_value, "smooth-value", "preset",
                     "parameter of the smoothing: floor 0.1, add-k 1, nltk1 0.1, nltk4, nltk6 and "
                     "nltk7 5"),
    TG_OPTION_CHOICE(Bleu, effective_order, "effective-order", "preset", scopes,
                     "leave out orders that the text is too short for; preset: pairs where "
                     "smoothing is sacrebleu's and weights are equal, else no"),
    TG_OPTION_STRING(Bleu, weights, "weights", "equal", "weight of each order, as 0.1/0.3/0.5/0.1"),
    { 0 },
};

enum { COLUMN_BLEU, COLUMN_MEAN, COLUMN_BP, COLUMN_RATIO };

static const TgColumn columns[] = {
    { "bleu", TG_HIGHER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_STATS,
      "score of the summed counts; of a pair, its own; beyond 1 only with nltk5 to nltk7",
      .as_percent = TRUE },
    { "mean", TG_HIGHER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_MEAN, "mean of the pairs' scores",
      .as_percent = TRUE },
    { "bp", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS, "brevity penalty" },
    { "ratio", TG_HIGHER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_STATS,
      "length of the hypothesis / length of the reference" },
    { 0 },
};

/* ---- options ---- */

static gboolean bleu_has_effective_order(const Bleu *self)
{
    return self->compat == COMPAT_NONE && self->smooth < TG_BLEU_SMOOTH_NLTK0 &&
           strcmp(self->weights, "equal") == 0;
}

static gboolean settle_compat(Bleu *self, GError **error)
{
    const gboolean is_r = self->compat == COMPAT_SACREBLEU_R;

    if (strcmp(smoothings[self->smooth], "preset") == 0)
        self->smooth = is_r ? TG_BLEU_SMOOTH_NONE : TG_BLEU_SMOOTH_EXP;
    self->rule.per_sentence = is_r;
    if (self->effective_order == EFFECTIVE_PRESET)
        self->effective_order = bleu_has_effective_order(self) ? EFFECTIVE_PAIRS : EFFECTIVE_NO;
    if (!is_r || (self->smooth <= TG_BLEU_SMOOTH_ADD_K && self->effective_order == EFFECTIVE_NO))
        return TRUE;
    return tg_fail_usage(error,
                         "bleu: compat=sacrebleu-r knows smooth=none, floor and add-k, and no "
                         "effective-order");
}

static gboolean set_smoothing(Bleu *self, GError **error)
{
    self->rule.smoothing = (TgBleuSmoothing) self->smooth;
    self->rule.value = smooth_presets[self->smooth];
    if (strcmp(self->smooth_value, "preset") == 0) {
        if (self->rule.value != 0) {
            g_free(self->smooth_value); /* so that the signature names it */
            self->smooth_value = g_strdup_printf("%g", self->rule.value);
        }
        return TRUE;
    }
    if (self->rule.value == 0)
        return tg_fail_usage(error, "bleu: smooth=%s takes no smooth-value",
                             smoothings[self->smooth]);
    if (!tg_number_parse(self->smooth_value, &self->rule.value) || self->rule.value <= 0)
        return tg_fail_usage(error, "bleu: smooth-value must be a number above 0, not '%s'",
                             self->smooth_value);
    return TRUE;
}

static gboolean bleu_set_weights(Bleu *self, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(self->weights, "/", -1);
    gboolean good = g_strv_length(parts) == self->rule.order;
    double sum = 0;

    if (strcmp(self->weights, "equal") == 0) {
        for (guint n = 0; n < self->rule.order; n++)
            self->rule.weights[n] = 1.0 / self->rule.order;
        return TRUE;
    }
    for (guint n = 0; good && n < self->rule.order; n++) {
        good = tg_number_parse(parts[n], &self->rule.weights[n]) && self->rule.weights[n] >= 0;
        sum += self->rule.weights[n];
    }
    if (!good || fabs(sum - 1) > 0.001)
        return tg_fail_usage(
            error, "bleu: weights must be %u numbers whose sum is 1, as 0.5/0.5, not '%s'",
            self->rule.order, self->weights);
    return TRUE;
}

/* sacrebleu's corpus_bleu() leaves no order out, its sentence_bleu() does. */
static gboolean set_effective_order(Bleu *self, GError **error)
{
    self->rule.effective_order = self->effective_order == EFFECTIVE_YES;
    self->pair_rule = self->rule;
    self->pair_rule.effective_order = self->effective_order != EFFECTIVE_NO;
    if (self->pair_rule.effective_order && !bleu_has_effective_order(self))
        return tg_fail_usage(
            error, "bleu: effective-order goes with sacrebleu's smoothing and equal weights only");
    return TRUE;
}

static gboolean bleu_init(gpointer instance, GError **error)
{
    Bleu *self = instance;

    self->rule.order = (guint) self->order;
    if (!settle_compat(self, error) || !set_smoothing(self, error) ||
        !bleu_set_weights(self, error) || !set_effective_order(self, error))
        return FALSE;
    if (self->rule.smoothing == TG_BLEU_SMOOTH_NLTK6 && self->rule.order < 3)
        return tg_fail_usage(error, "bleu: smooth=nltk6 needs order 3 or more");
    self->n_counted = tg_bleu_counted_orders(&self->rule);
    return tg_text_input_init(&self->input, error);
}

/* ---- statistics: two lengths, then matches, totals, too_short, unmatched of every order ---- */

#define N_LENGTHS 2
#define MAX_STATS (N_LENGTHS + 4 * TG_BLEU_MAX_ORDER)

/* Only NLTK and sacRebleu ask how many hypotheses are too short, and only the latter how many match
 * nothing. */
static guint n_per_order(const Bleu *self)
{
    if (self->rule.per_sentence)
        return 4;
    return self->rule.smoothing >= TG_BLEU_SMOOTH_NLTK0 ? 3 : 2;
}

static guint bleu_n_stats(gconstpointer instance)
{
    const Bleu *self = instance;

    return N_LENGTHS + n_per_order(self) * self->n_counted;
}

static void write_stats(const Bleu *self, const TgBleuCounts *counts, double *stats)
{
    const double *const of_orders[] = { counts->matches, counts->totals, counts->too_short,
                                        counts->unmatched };

    *stats++ = counts->hyp_length;
    *stats++ = counts->ref_length;
    for (guint k = 0; k < n_per_order(self); k++, stats += self->n_counted)
        memcpy(stats, of_orders[k], self->n_counted * sizeof *stats);
}

static void read_stats(const Bleu *self, const double *stats, TgBleuCounts *counts)
{
    double *const of_orders[] = { counts->matches, counts->totals, counts->too_short,
                                  counts->unmatched };

    counts->hyp_length = *stats++;
    counts->ref_length = *stats++;
    for (guint k = 0; k < n_per_order(self); k++, stats += self->n_counted)
        memcpy(of_orders[k], stats, self->n_counted * sizeof *stats);
}

static void bleu_pool(gconstpointer instance, const double *stats, double *out)
{
    const Bleu *self = instance;
    TgBleuCounts counts = { 0 };

    read_stats(self, stats, &counts);
    out[COLUMN_BLEU] = tg_bleu_score(&self->rule, &counts);
    out[COLUMN_BP] = tg_bleu_brevity_penalty(&counts);
    out[COLUMN_RATIO] = counts.ref_length > 0 ? counts.hyp_length / counts.ref_length : NAN;
}

/* ---- a pair ---- */

/* On a tie the shorter reference counts; to sacRebleu the one that is listed first. */
static guint32 bleu_closest_length(const Bleu *self, const TgPairTokens *tokens)
{
    guint32 closest = tokens->refs[0].n;

    for (guint r = 1; r < tokens->n_refs; r++) {
        const gint64 hyp = tokens->hyp.n, n = tokens->refs[r].n;
        const gint64 gap = ABS(n - hyp), least = ABS((gint64) closest - hyp);

        if (gap < least || (gap == least && n < closest && !self->rule.per_sentence))
            closest = tokens->refs[r].n;
    }
    return closest;
}

static void bleu_count(const Bleu *self, TgEnv *env, const TgPairTokens *tokens,
                       TgBleuCounts *counts)
{
    guint32 matches[TG_BLEU_MAX_ORDER];

    tg_ngram_matches(tg_env_arena(env), tokens->refs, tokens->n_refs, tokens->hyp, self->n_counted,
                     matches);
    counts->hyp_length = tokens->hyp.n;
    counts->ref_length = bleu_closest_length(self, tokens);
    for (guint n = 0; n < self->n_counted; n++) {
        const guint32 total = tg_ngram_total(tokens->hyp.n, n + 1);

        counts->matches[n] = matches[n];
        counts->totals[n] = total;
        counts->too_short[n] = total == 0;
        counts->unmatched[n] = matches[n] == 0;
    }
}

/* Hypothesis length, reference length, and (matches, n-grams) of every order. */
static GVariant *bleu_describe(const Bleu *self, const TgBleuCounts *counts)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(uu)"));
    for (guint n = 0; n < self->rule.order; n++)
        g_variant_builder_add(&builder, "(uu)", (guint32) counts->matches[n],
                              (guint32) counts->totals[n]);
    return g_variant_new("(uua(uu))", (guint32) counts->hyp_length, (guint32) counts->ref_length,
                         &builder);
}

static gboolean bleu_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                           GError **error)
{
    const Bleu *self = instance;
    TgPairTokens tokens;
    TgBleuCounts counts = { 0 };
    double stats[MAX_STATS];

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    bleu_count(self, env, &tokens, &counts);

    const double value = tg_bleu_score(&self->pair_rule, &counts);
    if (isnan(value)) {
        tg_result_set_status(out, "nltk6 is not defined without a matching 3-gram");
    } else {
        tg_result_set(out, COLUMN_BLEU, value);
        tg_result_set(out, COLUMN_MEAN, value);
    }
    tg_result_set(out, COLUMN_BP, tg_bleu_brevity_penalty(&counts));
    if (counts.ref_length > 0)
        tg_result_set(out, COLUMN_RATIO, counts.hyp_length / counts.ref_length);
    write_stats(self, &counts, stats);
    tg_result_set_stats(out, stats);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, bleu_describe(self, &counts));
    return TRUE;
}

const TgMetricInfo tg_metric_bleu = {
    .abi = TG_METRIC_ABI,
    .name = "bleu",
    .version = "2",
    .summary = "BLEU of sacrebleu 2 and of NLTK's smoothing methods",
    .citation = "Papineni et al. 2002; Post 2018; Chen and Cherry 2014",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Bleu),
    .init = bleu_init,
    .clear = tg_text_metric_clear,
    .n_stats = bleu_n_stats,
    .score = bleu_score,
    .pool = bleu_pool,
};
