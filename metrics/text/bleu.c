/*
 * BLEU as sacrebleu, NLTK and the R package sacRebleu compute it, on LaTeX tokens or any others.
 *
 * Sources: Papineni et al. (2002); sacrebleu 2 (Post 2018) for the first four ways of smoothing;
 * nltk.translate.bleu_score 3.8 for the rest, after Chen and Cherry (2014). NLTK's corpus_bleu
 * takes the 5-gram precision (methods 5, 7) and the number of n-grams (method 6) from the last
 * sentence alone; here both come from all pairs.
 */
#include <texgauge/metric.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/number.h"
#include "metrics/base/base.h"
#include "metrics/text/text.h"

#define MAX_ORDER 8

/* The treatment of a precision without matches. */
enum {
    SMOOTH_NONE,  /* sacrebleu: it is 0, and so is the score */
    SMOOTH_FLOOR, /* sacrebleu: the value counts as the missing match */
    SMOOTH_ADD_K, /* sacrebleu: the value is added to both counts from order 2 on */
    SMOOTH_EXP,   /* sacrebleu and mteval: 1/2, 1/4, ... of a match */
    SMOOTH_NLTK0, /* NLTK's methods 0 to 7 */
    SMOOTH_NLTK1,
    SMOOTH_NLTK2,
    SMOOTH_NLTK3,
    SMOOTH_NLTK4,
    SMOOTH_NLTK5,
    SMOOTH_NLTK6,
    SMOOTH_NLTK7,
    SMOOTH_PRESET, /* settled by apply_compat() */
};

static const char *const smoothings[] = { "none",  "floor", "add-k",  "exp",   "nltk0",
                                          "nltk1", "nltk2", "nltk3",  "nltk4", "nltk5",
                                          "nltk6", "nltk7", "preset", NULL };
static const char *const programs[] = { "none", "sacrebleu-r", NULL };

enum { COMPAT_NONE, COMPAT_SACREBLEU_R };

/* Where orders are left out that the text is too short for: sacrebleu's corpus_bleu() leaves none
 * out, its sentence_bleu() does. apply_compat() settles `preset`. */
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

    double value;             /* parameter of the smoothing, where it has one */
    double weight[MAX_ORDER]; /* of each order */
    guint n_counted;          /* orders that are counted */
} Bleu;

static const TgOption options[] = {
    TG_TEXT_OPTIONS(Bleu, input, "latex"),
    TG_OPTION_INT(Bleu, order, "order", "4", 1, MAX_ORDER, "longest n-grams"),
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

/* ---- Options -------------------------------------------------------------------------------- */

static gboolean is_r(const Bleu *self)
{
    return self->compat == COMPAT_SACREBLEU_R;
}

static gboolean averages_five_orders(const Bleu *self)
{
    return self->smooth == SMOOTH_NLTK5 || self->smooth == SMOOTH_NLTK7;
}

static gboolean has_effective_order(const Bleu *self)
{
    return !is_r(self) && self->smooth < SMOOTH_NLTK0 && strcmp(self->weights, "equal") == 0;
}

static gboolean apply_compat(Bleu *self, GError **error)
{
    if (self->smooth == SMOOTH_PRESET)
        self->smooth = is_r(self) ? SMOOTH_NONE : SMOOTH_EXP;
    if (self->effective_order == EFFECTIVE_PRESET)
        self->effective_order = has_effective_order(self) ? EFFECTIVE_PAIRS : EFFECTIVE_NO;
    if (!is_r(self) || (self->smooth < SMOOTH_NLTK0 && self->smooth != SMOOTH_EXP &&
                        self->effective_order == EFFECTIVE_NO))
        return TRUE;
    return tg_fail_usage(error,
                         "bleu: compat=sacrebleu-r knows smooth=none, floor and add-k, and no "
                         "effective-order");
}

static gboolean set_smoothing(Bleu *self, GError **error)
{
    self->value = smooth_presets[self->smooth];
    if (strcmp(self->smooth_value, "preset") == 0) {
        if (self->value != 0) {
            g_free(self->smooth_value); /* so that the signature names it */
            self->smooth_value = g_strdup_printf("%g", self->value);
        }
        return TRUE;
    }
    if (self->value == 0)
        return tg_fail_usage(error, "bleu: smooth=%s takes no smooth-value",
                             smoothings[self->smooth]);
    if (!tg_number_parse(self->smooth_value, &self->value) || self->value <= 0)
        return tg_fail_usage(error, "bleu: smooth-value must be a number above 0, not '%s'",
                             self->smooth_value);
    return TRUE;
}

static gboolean set_weights(Bleu *self, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(self->weights, "/", -1);
    const gboolean equal = strcmp(self->weights, "equal") == 0;
    gboolean good = equal || g_strv_length(parts) == (guint) self->order;
    double sum = 0;

    for (gint n = 0; good && n < self->order; n++) {
        self->weight[n] = 1.0 / self->order;
        good = equal || (tg_number_parse(parts[n], &self->weight[n]) && self->weight[n] >= 0);
        sum += self->weight[n];
    }
    if (!good || fabs(sum - 1) > 0.001)
        return tg_fail_usage(
            error, "bleu: weights must be %d numbers whose sum is 1, as 0.5/0.5, not '%s'",
            self->order, self->weights);
    return TRUE;
}

static gboolean bleu_init(gpointer instance, GError **error)
{
    Bleu *self = instance;

    if (!apply_compat(self, error) || !set_smoothing(self, error) || !set_weights(self, error))
        return FALSE;
    if (self->effective_order != EFFECTIVE_NO && !has_effective_order(self))
        return tg_fail_usage(
            error, "bleu: effective-order goes with sacrebleu's smoothing and equal weights only");
    if (self->smooth == SMOOTH_NLTK6 && self->order < 3)
        return tg_fail_usage(error, "bleu: smooth=nltk6 needs order 3 or more");
    self->n_counted = (guint) (averages_five_orders(self) ? MAX(self->order, 5) : self->order);
    return tg_text_input_init(&self->input, error);
}

/* ---- Statistics: two lengths, then four counts of every order -------------------------------- */

#define N_LENGTHS 2
#define MAX_STATS (N_LENGTHS + 4 * MAX_ORDER)

/* Only NLTK and sacRebleu ask how many hypotheses are too short, and only the latter how many match
 * nothing. */
static guint bleu_n_stats(gconstpointer instance)
{
    const Bleu *self = instance;

    return N_LENGTHS + (is_r(self) ? 4 : self->smooth >= SMOOTH_NLTK0 ? 3 : 2) * self->n_counted;
}

/* The statistics of a pair, or their sums over pairs, by name and in their order; indices are
 * orders from 0. */
typedef struct {
    double hyp_length;
    double ref_length; /* of the reference closest in length */
    const double *matches, *totals;
    const double *too_short; /* pairs whose hypothesis has no n-gram of the order */
    const double *unmatched; /* pairs without a match, those included */
} Counts;

static Counts counts_of(const Bleu *self, const double *stats)
{
    const double *matches = stats + N_LENGTHS, *totals = matches + self->n_counted;
    const double *too_short = totals + self->n_counted;

    return (Counts){ stats[0], stats[1],  matches,
                     totals,   too_short, is_r(self) ? too_short + self->n_counted : NULL };
}

/* ---- The score of counts -------------------------------------------------------------------- */

static double brevity_penalty(const Counts *counts)
{
    return tg_brevity_penalty(counts->hyp_length, counts->ref_length);
}

/* @effective: leave out the orders that the hypotheses are too short for. */
static double sacrebleu_score(const Bleu *self, const Counts *counts, gboolean effective)
{
    double precision[MAX_ORDER] = { 0 }, sum = 0, divisor = 1;
    gint n_present, order;

    for (n_present = 0; n_present < self->order; n_present++) {
        const gint n = n_present;
        const double added = self->smooth == SMOOTH_ADD_K && n > 0 ? self->value : 0;
        const double matches = counts->matches[n] + added, total = counts->totals[n] + added;

        if (total == 0)
            break;
        precision[n] = matches / total;
        if (matches == 0 && self->smooth == SMOOTH_EXP)
            precision[n] = 1 / ((divisor *= 2) * total);
        else if (matches == 0 && self->smooth == SMOOTH_FLOOR)
            precision[n] = self->value / total;
    }
    order = effective ? n_present : self->order;
    for (gint n = 0; n < order; n++) {
        const double weight = effective ? 1.0 / order : self->weight[n];

        if (weight == 0)
            continue;
        if (precision[n] == 0)
            return 0;
        sum += weight * log(precision[n]);
    }
    return brevity_penalty(counts) * exp(sum);
}

/* NLTK and sacRebleu count one n-gram, unmatched, in a hypothesis that has none. */
static double total_of(const Counts *counts, gint n)
{
    return counts->totals[n] + counts->too_short[n];
}

/* Methods 0 to 4 change one precision at a time; @n_zero counts those without matches so far. */
static double nltk_precision(const Bleu *self, const Counts *counts, gint n, guint *n_zero)
{
    const double matches = counts->matches[n], total = total_of(counts, n);

    if (self->smooth == SMOOTH_NLTK2 && n > 0)
        return (matches + 1) / (total + 1);
    if (matches > 0)
        return matches / total;

    switch (self->smooth) {
    case SMOOTH_NLTK0:
        return DBL_MIN;
    case SMOOTH_NLTK1:
        return self->value / total;
    case SMOOTH_NLTK3:
        return 1 / (ldexp(1, (int) ++*n_zero) * total);
    case SMOOTH_NLTK4:
    case SMOOTH_NLTK7:
        if (counts->hyp_length > 1)
            return log(counts->hyp_length) / (ldexp(1, (int) ++*n_zero) * self->value) / total;
        return 0;
    default:
        return 0;
    }
}

/* NaN where method 6 is not defined: with matching tokens, but without matching triples of them. */
static double nltk_score(const Bleu *self, const Counts *counts)
{
    double precision[MAX_ORDER + 1] = { 0 }, sum = 0;
    guint n_zero = 0;

    for (gint n = 0; n < self->order; n++)
        precision[n] = nltk_precision(self, counts, n, &n_zero);
    if (averages_five_orders(self)) { /* the smoothed precision before, this one, and the next */
        double before = precision[0] + 1;

        precision[self->order] = counts->matches[4] / total_of(counts, 4);
        for (gint n = 0; n < self->order; n++)
            before = precision[n] = (before + precision[n] + precision[n + 1]) / 3;
    }
    if (self->smooth == SMOOTH_NLTK6) {
        if (counts->matches[2] == 0)
            return NAN;
        /* Some n-grams more matched, at the rate that the two orders before suggest. */
        for (gint n = 2; n < self->order; n++) {
            const double prior =
                precision[n - 2] > 0 ? precision[n - 1] * precision[n - 1] / precision[n - 2] : 0;
            precision[n] =
                (counts->matches[n] + self->value * prior) / (counts->totals[n] + self->value);
        }
    }
    for (gint n = 0; n < self->order; n++)
        if (precision[n] > 0)
            sum += self->weight[n] * log(precision[n]);
    return brevity_penalty(counts) * exp(sum);
}

/* sacRebleu 0.2 (R): "floor" adds its value for every pair without a match, "add-k" to every order,
 * the first included; without any match the score is 0 only where smoothing leaves a precision at
 * 0. */
static double sacrebleu_r_score(const Bleu *self, const Counts *counts)
{
    double sum = 0;

    if (counts->hyp_length == 0)
        return 0;
    for (gint n = 0; n < self->order; n++) {
        double matches = counts->matches[n], total = total_of(counts, n);

        if (self->weight[n] == 0)
            continue;
        if (self->smooth == SMOOTH_FLOOR)
            matches += self->value * counts->unmatched[n];
        if (self->smooth == SMOOTH_ADD_K) {
            matches += self->value;
            total += self->value;
        }
        sum += self->weight[n] * log(total > 0 ? matches / total : 0);
    }
    return brevity_penalty(counts) * exp(sum); /* log 0 makes it 0 */
}

/* The score, where 1 is best; NLTK's methods 5 to 7 can exceed it. */
static double score_of(const Bleu *self, const Counts *counts, gboolean effective)
{
    if (is_r(self))
        return sacrebleu_r_score(self, counts);
    /* The other programs give 0 before any smoothing; longer n-grams cannot match either. */
    if (counts->matches[0] == 0)
        return 0;
    return self->smooth < SMOOTH_NLTK0 ? sacrebleu_score(self, counts, effective)
                                       : nltk_score(self, counts);
}

static void bleu_pool(gconstpointer instance, const double *stats, double *out)
{
    const Bleu *self = instance;
    const Counts counts = counts_of(self, stats);

    out[COLUMN_BLEU] = score_of(self, &counts, self->effective_order == EFFECTIVE_YES);
    out[COLUMN_BP] = brevity_penalty(&counts);
    out[COLUMN_RATIO] = counts.ref_length > 0 ? counts.hyp_length / counts.ref_length : NAN;
}

/* ---- a pair ---- */

static void bleu_count(const Bleu *self, TgEnv *env, const TgPairTokens *tokens, double *stats)
{
    guint32 matches[MAX_ORDER];
    double *of_order = stats + N_LENGTHS;

    tg_ngram_matches(tg_env_arena(env), tokens->refs, tokens->n_refs, tokens->hyp, self->n_counted,
                     matches);
    stats[0] = tokens->hyp.n;
    stats[1] = tg_closest_length(tokens->refs, tokens->n_refs, tokens->hyp.n, is_r(self));
    for (guint n = 0; n < self->n_counted; n++, of_order++) {
        const guint32 total = tg_ngram_total(tokens->hyp.n, n + 1);

        of_order[0] = matches[n];
        of_order[self->n_counted] = total;
        of_order[2 * self->n_counted] = total == 0;
        of_order[3 * self->n_counted] = matches[n] == 0;
    }
}

/* Hypothesis length, reference length, and (matches, n-grams) of every order. */
static GVariant *bleu_describe(const Bleu *self, const Counts *counts)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(uu)"));
    for (gint n = 0; n < self->order; n++)
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
    double stats[MAX_STATS];

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    bleu_count(self, env, &tokens, stats);
    const Counts counts = counts_of(self, stats);

    const double value = score_of(self, &counts, self->effective_order != EFFECTIVE_NO);
    if (isnan(value)) {
        tg_result_set_status(out, "nltk6 is not defined without a matching 3-gram");
    } else {
        tg_result_set(out, COLUMN_BLEU, value);
        tg_result_set(out, COLUMN_MEAN, value);
    }
    tg_result_set(out, COLUMN_BP, brevity_penalty(&counts));
    if (counts.ref_length > 0)
        tg_result_set(out, COLUMN_RATIO, counts.hyp_length / counts.ref_length);
    tg_result_set_stats(out, stats);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, bleu_describe(self, &counts));
    return TRUE;
}

const TgMetricInfo tg_metric_bleu = {
    .abi = TG_METRIC_ABI,
    .name = "bleu",
    .version = "5",
    .summary = "BLEU of sacrebleu 2 and of NLTK's smoothing methods",
    .citation = "Papineni et al. 2002; Post 2018; Chen and Cherry 2014",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Bleu),
    .init = bleu_init,
    .clear = tg_text_input_clear,
    .n_stats = bleu_n_stats,
    .score = bleu_score,
    .pool = bleu_pool,
};

guint tg_bleu_order_beyond(const TgMetricInfo *info, gconstpointer instance, const double *stats)
{
    const Bleu *self = instance;

    if (info != &tg_metric_bleu || self->effective_order == EFFECTIVE_YES ||
        self->smooth == SMOOTH_ADD_K || self->weight[self->order - 1] == 0)
        return 0;
    const Counts counts = counts_of(self, stats);
    return counts.hyp_length > 0 && MAX(counts.hyp_length, counts.ref_length) < self->order
               ? (guint) self->order
               : 0;
}
