/* How many tokens were substituted, deleted and inserted. */
#include <texgauge/metric.h>

#include "core/fail.h"
#include "metrics/base/base.h"
#include "metrics/text/text.h"

typedef struct {
    TgTextInput input;
} EditOps;

static const TgOption options[] = {
    TG_TEXT_OPTIONS(EditOps, input, "latex"),
    { 0 },
};

/* The kinds of edits follow the total in the order of TgEditKind. */
enum { COLUMN_TOTAL, COLUMN_KINDS };

static const TgColumn columns[] = {
    { "edit-ops", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "number of edits" },
    { "substitutions", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, "tokens read as others" },
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
    const EditOps *self = instance;
    TgPairTokens tokens;
    TgAlignment best = { 0 };
    guint32 count[TG_N_EDIT_KINDS] = { 0 };

    if (!tg_pair_tokenize(env, &self->input, pair, &tokens, error))
        return FALSE;
    for (guint r = 0; r < tokens.n_refs; r++) {
        if ((guint64) tokens.refs[r].n * tokens.hyp.n > TG_ALIGN_MAX_CELLS)
            return tg_fail(error, TG_ERROR_DATA, "too-large: %u tokens beside %u", tokens.refs[r].n,
                           tokens.hyp.n);
        const TgAlignment other = tg_align(tg_env_arena(env), tokens.refs[r], tokens.hyp);
        if (r == 0 || other.n < best.n)
            best = other;
    }
    for (guint32 i = 0; i < best.n; i++)
        count[best.edits[i].kind]++;

    tg_result_set(out, COLUMN_TOTAL, best.n);
    for (guint kind = 0; kind < TG_N_EDIT_KINDS; kind++)
        tg_result_set(out, COLUMN_KINDS + kind, count[kind]);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, edit_ops_describe(&best));
    return TRUE;
}

const TgMetricInfo tg_metric_edit_ops = {
    .abi = TG_METRIC_ABI,
    .name = "edit-ops",
    .version = "2",
    .summary = "substituted, deleted and inserted tokens of one best alignment",
    .citation = "Wagner and Fischer 1974",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(EditOps),
    .init = tg_text_input_init,
    .clear = tg_text_input_clear,
    .score = edit_ops_score,
};
