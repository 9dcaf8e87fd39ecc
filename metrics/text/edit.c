/* Metrics that count edits: similarity, error rates per character and word, kinds of edits, and the
 * share of formulas with few. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "metrics/base/base.h"
#include "metrics/text/text.h"

typedef struct {
    TgTextInput input;
    TgTextInput length; /* of cer: the tokens in which the reference's length is counted */
    gint variant;       /* of edit */
} EditMetric;

/* Additive numbers of a pair. */
enum { STAT_EDITS, STAT_LENGTH, N_STATS };

static guint edit_n_stats(G_GNUC_UNUSED gconstpointer self)
{
    return N_STATS;
}

/* ---- edit ----------------------------------------------------------------------------------- */

enum { VARIANT_LEVENSHTEIN, VARIANT_OSA, VARIANT_INDEL };
static const char *const variants[] = { "levenshtein", "osa", "indel", NULL };

static const TgOption edit_options[] = {
    TG_TEXT_OPTIONS(EditMetric, input, "latex"),
    TG_OPTION_CHOICE(EditMetric, variant, "variant", "levenshtein", variants,
                     "osa: swapped neighbors cost 1; indel: no substitutions"),
    { 0 },
};

enum { COLUMN_EDIT, COLUMN_DISTANCE, COLUMN_NORMALIZED, COLUMN_CORPUS };

static const TgColumn edit_columns[] = {
    { "edit", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "1 - distance / longer length" },
    { "distance", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "number of edits" },
    { "normalized", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_MEAN, "distance / longer length" },
    { "corpus", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS,
      "1 - all edits / sum of the longer lengths" },
    { 0 },
};

/* Two empty texts are equal. */
static double edit_similarity(const double *stats)
{
    return stats[STAT_LENGTH] > 0 ? 1 - stats[STAT_EDITS] / stats[STAT_LENGTH] : 1;
}

static void edit_pool(G_GNUC_UNUSED gconstpointer self, const double *stats, double *out)
{
    out[COLUMN_CORPUS] = edit_similarity(stats);
}

/* The distance of the two texts and the largest that texts of their lengths can have. */
static gboolean edit_count(const EditMetric *self, TgEnv *env, const TgPair *pair, double *stats,
                           GError **error)
{
    TgArena *arena = tg_env_arena(env);
    TgPairTokens tokens;

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    const TgSequence ref = tokens.refs[0], hyp = tokens.hyp;
    if (self->variant == VARIANT_INDEL) {
        stats[STAT_LENGTH] = (double) ref.n + hyp.n;
        stats[STAT_EDITS] = stats[STAT_LENGTH] - 2.0 * tg_lcs_length(arena, ref, hyp);
    } else {
        stats[STAT_LENGTH] = MAX(ref.n, hyp.n);
        stats[STAT_EDITS] = self->variant == VARIANT_OSA ? tg_osa(arena, ref, hyp)
                                                         : tg_levenshtein(arena, ref, hyp);
    }
    return TRUE;
}

/* The part of the longer length that is wrong, at least of length 1. */
static double edit_rate(const double *stats)
{
    return stats[STAT_EDITS] / MAX(stats[STAT_LENGTH], 1);
}

static gboolean edit_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                           GError **error)
{
    double stats[N_STATS];

    if (!edit_count(instance, env, pair, stats, error))
        return FALSE;
    tg_result_set(out, COLUMN_EDIT, edit_similarity(stats));
    tg_result_set(out, COLUMN_DISTANCE, stats[STAT_EDITS]);
    tg_result_set(out, COLUMN_NORMALIZED, edit_rate(stats));
    tg_result_set(out, COLUMN_CORPUS, edit_similarity(stats));
    tg_result_set_stats(out, stats);
    return TRUE;
}

const TgMetricInfo tg_metric_edit = {
    .abi = TG_METRIC_ABI,
    .name = "edit",
    .version = "4",
    .summary = "edit distance on tokens or characters, as similarity",
    .citation = "Levenshtein 1966; variants: Hyyro 2003, 2004",
    .columns = edit_columns,
    .options = edit_options,
    .each_reference = TRUE,
    .explain = TG_EXPLAIN_EDITS,
    .instance_size = sizeof(EditMetric),
    .init = tg_text_input_init,
    .clear = tg_text_input_clear,
    .n_stats = edit_n_stats,
    .score = edit_score,
    .pool = edit_pool,
};

/* ---- cer and wer ---------------------------------------------------------------------------- */

static const TgOption cer_options[] = {
    TG_OPTION_STRING(EditMetric, input.tokenize, "edits", "codepoint",
                     "unit of edits: codepoint, or words for word edits per character"),
    TG_TEXT_OPTION_LOWERCASE(EditMetric, input.lowercase),
    TG_TEXT_OPTION_NORMALIZE(EditMetric, input.form),
    { 0 },
};

static const TgOption wer_options[] = {
    TG_TEXT_OPTIONS(EditMetric, input, "words"),
    { 0 },
};

enum { COLUMN_RATE, COLUMN_MEAN };

static const TgColumn cer_columns[] = {
    { "cer", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_STATS,
      "all edits / all characters of the reference" },
    { "mean", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_MEAN, "mean of the pairs' rates" },
    { 0 },
};

static const TgColumn wer_columns[] = {
    { "wer", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_STATS,
      "all edits / all words of the reference" },
    { "mean", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_MEAN, "mean of the pairs' rates" },
    { 0 },
};

static gboolean cer_init(gpointer instance, GError **error)
{
    EditMetric *self = instance;

    self->length = self->input;
    self->length.tokenize = (char *) "codepoint";
    return tg_text_input_init(&self->input, error) && tg_text_input_init(&self->length, error);
}

static void cer_clear(gpointer instance)
{
    EditMetric *self = instance;

    tg_text_input_clear(&self->input);
    tg_text_input_clear(&self->length);
}

/* An empty reference counts as one character or word, so that the rate stays finite. */
static void error_rate_pool(G_GNUC_UNUSED gconstpointer self, const double *stats, double *out)
{
    out[COLUMN_RATE] = edit_rate(stats);
}

static gboolean error_rate_score(gconstpointer instance, TgEnv *env, const TgPair *pair,
                                 TgResult *out, GError **error)
{
    const EditMetric *self = instance;
    const TgTextInput *length = self->length.tokenizer != NULL ? &self->length : &self->input;
    TgPairTokens tokens, units;

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error) ||
        !tg_pair_tokenize(env, length, pair, &units, error))
        return FALSE;
    const double stats[N_STATS] = { tg_levenshtein(tg_env_arena(env), tokens.refs[0], tokens.hyp),
                                    units.refs[0].n };
    tg_result_set(out, COLUMN_RATE, edit_rate(stats));
    tg_result_set(out, COLUMN_MEAN, edit_rate(stats));
    tg_result_set_stats(out, stats);
    return TRUE;
}

const TgMetricInfo tg_metric_cer = {
    .abi = TG_METRIC_ABI,
    .name = "cer",
    .version = "4",
    .summary = "character error rate",
    .citation = "Levenshtein 1966; as jiwer's cer",
    .columns = cer_columns,
    .options = cer_options,
    .each_reference = TRUE,
    .instance_size = sizeof(EditMetric),
    .init = cer_init,
    .clear = cer_clear,
    .n_stats = edit_n_stats,
    .score = error_rate_score,
    .pool = error_rate_pool,
};

const TgMetricInfo tg_metric_wer = {
    .abi = TG_METRIC_ABI,
    .name = "wer",
    .version = "4",
    .summary = "word error rate",
    .citation = "Levenshtein 1966; as jiwer's wer",
    .columns = wer_columns,
    .options = wer_options,
    .each_reference = TRUE,
    .instance_size = sizeof(EditMetric),
    .init = tg_text_input_init,
    .clear = tg_text_input_clear,
    .n_stats = edit_n_stats,
    .score = error_rate_score,
    .pool = error_rate_pool,
};

/* ---- edit-dist ------------------------------------------------------------------------------ */

/* The edits and the longer length of normal forms that a row may bring: of texgauge documents, and
 * of OmniDocBench's results. */
static const char *const brought[][N_STATS] = {
    { "norm_distance", "norm_length" },
    { "Edit_num", "upper_len" },
};

static const TgColumn edit_dist_columns[] = {
    { "edit-dist", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_STATS,
      "all edits / sum of the longer lengths" },
    { "mean", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_MEAN, "mean of the pairs' values" },
    { 0 },
};

static gboolean edit_dist_init(gpointer instance, GError **error)
{
    EditMetric *self = instance;

    self->input.tokenize = (char *) "codepoint";
    self->input.form.normalize = (char *) "none";
    return tg_text_input_init(&self->input, error);
}

static gboolean edit_dist_score(gconstpointer instance, TgEnv *env, const TgPair *pair,
                                TgResult *out, GError **error)
{
    double stats[N_STATS] = { NAN, NAN }, *edits = &stats[STAT_EDITS];
    const double *length = &stats[STAT_LENGTH];

    for (guint i = 0; i < G_N_ELEMENTS(brought) && isnan(*edits) && isnan(*length); i++)
        for (guint k = 0; k < N_STATS; k++)
            stats[k] = tg_pair_number(pair, brought[i][k]);
    if (isnan(*edits) && isnan(*length)) {
        if (!edit_count(instance, env, pair, stats, error))
            return FALSE;
    } else if (!(*edits >= 0 && *edits <= *length && *length > 0)) {
        return tg_fail(error, TG_ERROR_DATA, "no distance: the row has %g edits of length %g",
                       *edits, *length);
    }
    tg_result_set(out, COLUMN_RATE, edit_rate(stats));
    tg_result_set(out, COLUMN_MEAN, edit_rate(stats));
    tg_result_set_stats(out, stats);
    return TRUE;
}

const TgMetricInfo tg_metric_edit_dist = {
    .abi = TG_METRIC_ABI,
    .name = "edit-dist",
    .version = "1",
    .summary = "edits per character of the longer text, as rows of pages bring them",
    .citation = "OmniDocBench 1.6: Edit_dist",
    .columns = edit_dist_columns,
    .each_reference = TRUE,
    .instance_size = sizeof(EditMetric),
    .init = edit_dist_init,
    .clear = tg_text_input_clear,
    .n_stats = edit_n_stats,
    .score = edit_dist_score,
    .pool = error_rate_pool,
};

/* ---- edit-ops ------------------------------------------------------------------------------- */

static const TgOption latex_options[] = {
    TG_TEXT_OPTIONS(EditMetric, input, "latex"),
    { 0 },
};

/* The kinds of edits follow the total in the order of TgEditKind. */
enum { COLUMN_TOTAL, COLUMN_KINDS };

static const TgColumn edit_ops_columns[] = {
    { "edit-ops", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "number of edits" },
    { "substitutions", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "replaced tokens" },
    { "deletions", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "tokens lost" },
    { "insertions", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "tokens too many" },
    { 0 },
};

static GVariant *edit_ops_describe(const TgAlignment *alignment)
{
    static const char *const kinds[TG_N_EDIT_KINDS] = { "substitute", "delete", "insert" };
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(suu)"));
    for (guint32 i = 0; i < alignment->n; i++) {
        const TgEdit *edit = &alignment->edits[i];
        g_variant_builder_add(&builder, "(suu)", kinds[edit->kind], edit->ref, edit->hyp);
    }
    return g_variant_builder_end(&builder);
}

static gboolean edit_ops_score(gconstpointer instance, TgEnv *env, const TgPair *pair,
                               TgResult *out, GError **error)
{
    const EditMetric *self = instance;
    TgPairTokens tokens;
    guint32 count[TG_N_EDIT_KINDS] = { 0 };

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    const TgSequence ref = tokens.refs[0], hyp = tokens.hyp;
    if ((guint64) ref.n * hyp.n > TG_ALIGN_MAX_CELLS)
        return tg_fail(error, TG_ERROR_DATA, "too-large: %u tokens beside %u", ref.n, hyp.n);
    const TgAlignment alignment = tg_align(tg_env_arena(env), ref, hyp);
    for (guint32 i = 0; i < alignment.n; i++)
        count[alignment.edits[i].kind]++;
    tg_result_set(out, COLUMN_TOTAL, alignment.n);
    for (guint kind = 0; kind < TG_N_EDIT_KINDS; kind++)
        tg_result_set(out, COLUMN_KINDS + kind, count[kind]);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, edit_ops_describe(&alignment));
    return TRUE;
}

const TgMetricInfo tg_metric_edit_ops = {
    .abi = TG_METRIC_ABI,
    .name = "edit-ops",
    .version = "5",
    .summary = "substituted, deleted and inserted tokens of one best alignment",
    .citation = "Wagner and Fischer 1974",
    .columns = edit_ops_columns,
    .options = latex_options,
    .each_reference = TRUE,
    .explain = TG_EXPLAIN_EDITS,
    .instance_size = sizeof(EditMetric),
    .init = tg_text_input_init,
    .clear = tg_text_input_clear,
    .score = edit_ops_score,
};

/* ---- exprate --------------------------------------------------------------------------------- */

/* Column k: at most k errors. */
#define MAX_ERRORS 3

static const TgColumn exprate_columns[] = {
    { "exprate", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with equal tokens" },
    { "1", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 1 token error" },
    { "2", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 2 token errors" },
    { "3", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share with at most 3 token errors" },
    { 0 },
};

static gboolean exprate_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                              GError **error)
{
    const EditMetric *self = instance;
    TgPairTokens tokens;

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    const guint32 errors = tg_levenshtein_within(tokens.refs[0], tokens.hyp, MAX_ERRORS);
    tg_result_set_rank(out, -(double) errors);
    for (guint k = 0; k <= MAX_ERRORS; k++)
        tg_result_set(out, k, errors <= k);
    return TRUE;
}

const TgMetricInfo tg_metric_exprate = {
    .abi = TG_METRIC_ABI,
    .name = "exprate",
    .version = "4",
    .summary = "share of formulas read exactly, and within 1, 2, 3 errors",
    .citation = "Mouchere et al. 2014 (CROHME), on token sequences",
    .columns = exprate_columns,
    .options = latex_options,
    .each_reference = TRUE,
    .explain = TG_EXPLAIN_EDITS,
    .instance_size = sizeof(EditMetric),
    .init = tg_text_input_init,
    .clear = tg_text_input_clear,
    .score = exprate_score,
};
