/* Similarity by edit distance: the share of the longer text that stayed. */
#include <texgauge/metric.h>

#include <string.h>

#include "metrics/base/base.h"
#include "metrics/text/text.h"

enum { VARIANT_LEVENSHTEIN, VARIANT_OSA, VARIANT_INDEL };
static const char *const variants[] = { "levenshtein", "osa", "indel", NULL };

typedef struct {
    TgTextInput input;
    gint variant;
} Edit;

static const TgOption options[] = {
    TG_TEXT_OPTIONS(Edit, input, "latex"),
    TG_OPTION_CHOICE(Edit, variant, "variant", "levenshtein", variants,
                     "osa: swapped neighbours cost 1; indel: no substitutions"),
    { 0 },
};

enum { COLUMN_EDIT, COLUMN_DISTANCE, COLUMN_NORMALIZED, COLUMN_CORPUS, N_COLUMNS };

static const TgColumn columns[] = {
    { "edit", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "1 - distance / longer length" },
    { "distance", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "number of edits" },
    { "normalized", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_MEAN, "distance / longer length" },
    { "corpus", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_STATS,
      "1 - all edits / sum of the longer lengths" },
    { 0 },
};

enum { STAT_DISTANCE, STAT_LENGTH, N_STATS };

static guint edit_n_stats(gconstpointer self)
{
    (void) self;
    return N_STATS;
}

/* Two empty texts are equal. */
static double edit_similarity(double distance, double length)
{
    return length > 0 ? 1 - distance / length : 1;
}

static void edit_pool(gconstpointer self, const double *stats, double *out)
{
    (void) self;
    out[COLUMN_CORPUS] = edit_similarity(stats[STAT_DISTANCE], stats[STAT_LENGTH]);
}

/* The distance of two texts and the largest that texts of their lengths can have. */
static void edit_measure(const Edit *self, TgEnv *env, TgSequence ref, TgSequence hyp,
                         double *stats)
{
    stats[STAT_LENGTH] = MAX(ref.n, hyp.n);
    switch (self->variant) {
    case VARIANT_LEVENSHTEIN:
        stats[STAT_DISTANCE] = tg_levenshtein(tg_env_arena(env), ref, hyp);
        break;
    case VARIANT_OSA:
        stats[STAT_DISTANCE] = tg_osa(tg_env_arena(env), ref, hyp);
        break;
    default:
        stats[STAT_LENGTH] = (double) ref.n + hyp.n;
        stats[STAT_DISTANCE] =
            stats[STAT_LENGTH] - 2.0 * tg_lcs_length(tg_env_arena(env), ref, hyp);
    }
}

static gboolean edit_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                           GError **error)
{
    const Edit *self = instance;
    TgPairTokens tokens;
    double best[N_STATS] = { 0 }, value = -1;

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    for (guint r = 0; r < tokens.n_refs; r++) {
        double stats[N_STATS];

        edit_measure(self, env, tokens.refs[r], tokens.hyp, stats);
        const double other = edit_similarity(stats[STAT_DISTANCE], stats[STAT_LENGTH]);
        if (other > value) {
            value = other;
            memcpy(best, stats, sizeof best);
        }
    }
    tg_result_set(out, COLUMN_EDIT, value);
    tg_result_set(out, COLUMN_DISTANCE, best[STAT_DISTANCE]);
    tg_result_set(out, COLUMN_NORMALIZED, best[STAT_DISTANCE] / MAX(best[STAT_LENGTH], 1));
    tg_result_set(out, COLUMN_CORPUS, value);
    tg_result_set_stats(out, best);
    return TRUE;
}

const TgMetricInfo tg_metric_edit = {
    .abi = TG_METRIC_ABI,
    .name = "edit",
    .version = "1",
    .summary = "edit distance on tokens or characters, as similarity",
    .citation = "Levenshtein 1966; variants: Hyyro 2003, 2004",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Edit),
    .init = tg_text_input_init,
    .clear = tg_text_input_clear,
    .n_stats = edit_n_stats,
    .score = edit_score,
    .pool = edit_pool,
};
