/* FORTE: formula reading and token edits, a score that follows human ratings. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/files/datadir.h"
#include "metrics/forte/detail.h"
#include "metrics/forte/reading.h"
#include "metrics/forte/show.h"

typedef struct {
    char *tables_path;
    TgForteTables *tables;
    gint variant; /* TgForteVariant */
} Forte;

static const char *const variants[] = { "full", "simple", NULL };

static const TgOption options[] = {
    TG_OPTION_CHOICE(Forte, variant, "variant", "full", variants,
                     "full, or simple: the distance alone, symmetric"),
    TG_OPTION_STRING(Forte, tables_path, "tables", "",
                     "file of names and pairs in place of forte-tables.tsv"),
    { 0 },
};

enum { COLUMN_SCORE, COLUMN_ERRORS, COLUMN_EXACT, COLUMN_CLASSES };

#define COUNT(name, help)                                                                          \
    {                                                                                              \
        name, TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, help                                \
    }

/* The classes are in the order of TgForteEditClass. */
static const TgColumn columns[] = {
    { "forte", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "estimate of what people would give" },
    { "errors", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_MEAN, "severity of the errors" },
    { "exact", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share of formulas without any error" },
    COUNT("symbol", "symbols lost or added"),
    COUNT("letter", "wrong letters"),
    COUNT("digit", "wrong digits"),
    COUNT("operator", "wrong operators"),
    COUNT("cross-kind", "symbols of another kind"),
    COUNT("look-alike", "symbols that look like the right ones"),
    COUNT("case", "letters in the wrong case"),
    COUNT("variant", "variants of the right symbols"),
    COUNT("accent", "accents lost, added or changed"),
    COUNT("structure", "scripts, fractions, roots, rows that differ"),
    COUNT("delimiter", "delimiters lost, added or changed"),
    COUNT("punctuation", "punctuation lost, added or changed"),
    COUNT("style", "symbols in another font"),
    { 0 },
};

G_STATIC_ASSERT(G_N_ELEMENTS(columns) == COLUMN_CLASSES + TG_N_FORTE_EDITS + 1);

static gboolean forte_init(gpointer instance, GError **error)
{
    Forte *self = instance;
    g_autofree char *path = self->tables_path[0] != '\0'
                                ? g_strdup(self->tables_path)
                                : tg_datadir_find("forte-tables.tsv", error);

    self->tables = path != NULL ? tg_forte_tables_load(path, error) : NULL;
    return self->tables != NULL;
}

static void forte_clear(gpointer instance)
{
    Forte *self = instance;

    g_clear_pointer(&self->tables, tg_forte_tables_free);
}

/* ---- One pair ------------------------------------------------------------------------------ */

/* Buffers that a thread keeps from pair to pair. */
typedef struct {
    GArray *hyp, *ref, *edits;     /* of the current comparison */
    GArray *best_ref, *best_edits; /* of the best reference so far */
} Buffers;

/* Its address is the key of a thread's buffers. */
static const char buffers_key = 0;

static gpointer buffers_new(gpointer key)
{
    Buffers *self = g_new(Buffers, 1);

    (void) key;
    *self = (Buffers){
        .hyp = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
        .ref = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
        .edits = g_array_new(FALSE, FALSE, sizeof(TgForteEdit)),
        .best_ref = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
        .best_edits = g_array_new(FALSE, FALSE, sizeof(TgForteEdit)),
    };
    return self;
}

static void buffers_free(gpointer data)
{
    Buffers *self = data;

    g_array_unref(self->hyp);
    g_array_unref(self->ref);
    g_array_unref(self->edits);
    g_array_unref(self->best_ref);
    g_array_unref(self->best_edits);
    g_free(self);
}

static gboolean compare_lists(const Forte *self, Buffers *buffers, TgForteOutcome *out,
                              GError **error)
{
    if (!tg_forte_align(self->tables, buffers->ref, buffers->hyp, buffers->edits, &out->distance,
                        error))
        return FALSE;
    out->size = tg_forte_size(buffers->ref);
    out->severity = self->variant == TG_FORTE_SIMPLE
                        ? out->distance
                        : tg_forte_severity(buffers->ref, buffers->hyp, buffers->edits, NULL);
    out->score = tg_forte_score((TgForteVariant) self->variant, out->severity, out->size);
    return TRUE;
}

static void keep_as_best(Buffers *buffers)
{
    GArray *ref = buffers->best_ref, *edits = buffers->best_edits;

    buffers->best_ref = buffers->ref;
    buffers->best_edits = buffers->edits;
    buffers->ref = ref;
    buffers->edits = edits;
}

static gboolean forte_read_text(TgForteNames *names, const char *text, GArray *tokens,
                                guint *repairs, GError **error)
{
    if (strlen(text) <= TG_TEXT_MAX)
        return tg_forte_read(names, text, tokens, repairs, error);
    g_set_error(error, TG_ERROR, TG_ERROR_DATA, "longer than %u bytes", TG_TEXT_MAX);
    return FALSE;
}

/* ---- The metric ---------------------------------------------------------------------------- */

static void set_values(const Buffers *buffers, const TgForteOutcome *outcome, TgResult *out)
{
    guint counts[TG_N_FORTE_EDITS] = { 0 };

    for (guint i = 0; i < buffers->best_edits->len; i++)
        counts[g_array_index(buffers->best_edits, TgForteEdit, i).class]++;
    tg_result_set(out, COLUMN_SCORE, outcome->score);
    tg_result_set(out, COLUMN_ERRORS, outcome->severity);
    tg_result_set(out, COLUMN_EXACT, outcome->severity == 0);
    for (guint c = 0; c < TG_N_FORTE_EDITS; c++)
        tg_result_set(out, COLUMN_CLASSES + c, counts[c]);
}

/* The comparison with the nearest reference, whose tokens and edits stay in @buffers. */
static gboolean find_best(const Forte *self, TgForteNames *names, Buffers *buffers,
                          const TgPair *pair, TgForteOutcome *best, GError **error)
{
    TgForteOutcome outcome = { 0 };

    best->score = -1;
    if (!forte_read_text(names, pair->hyp, buffers->hyp, &outcome.hyp_repairs, error))
        return FALSE;
    for (guint r = 0; r < pair->n_refs; r++) {
        outcome.ref = r;
        if (!forte_read_text(names, pair->refs[r], buffers->ref, &outcome.ref_repairs, error) ||
            !compare_lists(self, buffers, &outcome, error))
            return FALSE;
        if (outcome.score > best->score) {
            *best = outcome;
            keep_as_best(buffers);
        }
    }
    return TRUE;
}

static TgForteComparison comparison_of(const TgForteNames *names, const Buffers *buffers)
{
    return (TgForteComparison){ names, buffers->best_ref, buffers->hyp, buffers->best_edits };
}

static gboolean forte_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                            GError **error)
{
    const Forte *self = instance;
    Buffers *buffers = tg_env_local(env, (gpointer) &buffers_key, buffers_new, buffers_free);
    g_autoptr(TgForteNames) names = tg_forte_names_new(self->tables);
    TgForteOutcome best;

    if (!find_best(self, names, buffers, pair, &best, error))
        return FALSE;
    set_values(buffers, &best, out);
    if (tg_result_wants_detail(out)) {
        const TgForteComparison comparison = comparison_of(names, buffers);
        tg_result_take_detail(out, tg_forte_describe(&comparison, &best));
    }
    return TRUE;
}

static gboolean forte_show(gconstpointer instance, TgEnv *env, TgRenderer *renderer,
                           const TgPair *pair, TgPairPicture *picture, GError **error)
{
    const Forte *self = instance;
    Buffers *buffers = tg_env_local(env, (gpointer) &buffers_key, buffers_new, buffers_free);
    g_autoptr(TgForteNames) names = tg_forte_names_new(self->tables);
    TgForteOutcome best;

    if (!find_best(self, names, buffers, pair, &best, error))
        return FALSE;
    const TgForteComparison comparison = comparison_of(names, buffers);
    return tg_forte_show(picture, renderer, pair->refs[best.ref], pair->hyp, &comparison, &best,
                         error);
}

const TgMetricInfo tg_metric_forte = {
    .abi = TG_METRIC_ABI,
    .name = "forte",
    .version = "2",
    .summary = "formula reading and token edits: follows what people would say",
    .citation = "docs/metrics/forte.md, after the human study of Horn and Keuper 2025",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Forte),
    .init = forte_init,
    .clear = forte_clear,
    .score = forte_score,
    .show = forte_show,
};
