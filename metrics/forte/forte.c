/* FORTE: formula reading and token edits, a score that follows people. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/datadir.h"
#include "metrics/forte/reading.h"
#include "metrics/forte/score.h"

typedef struct {
    char *tables_path;
    TgForteTables *tables;
    TgForteCosts costs;
    TgForteShape shape;
} Forte;

static const char *const variants[] = { "full", "simple", NULL };

#define COST(member, name, preset, help)                                                           \
    TG_OPTION_DOUBLE(Forte, costs.member, name, preset, 0, 1000, help),

static const TgOption options[] = {
    TG_OPTION_CHOICE(Forte, shape.variant, "variant", "full", variants,
                     "full, or simple: the distance alone, symmetric"),
    TG_OPTION_STRING(Forte, tables_path, "tables", "",
                     "file of names and pairs in place of forte-tables.tsv"),
    TG_OPTION_DOUBLE(Forte, shape.steepness, "steepness", "0.75", 0, 1000,
                     "how fast the score falls with the severity"),
    TG_OPTION_DOUBLE(Forte, shape.repeat, "repeat", "0.3", 0, 1, "what a repeated error counts"),
    TG_OPTION_DOUBLE(Forte, shape.word, "word", "1.3", 0, 1000,
                     "the most that the errors of one word count"),
    TG_OPTION_DOUBLE(Forte, shape.size, "size", "15", 0.001, 1000000,
                     "size of a reference at which the severity counts as it is"),
    TG_OPTION_DOUBLE(Forte, shape.size_power, "size-power", "0.3333333333333333", 0, 1,
                     "how much less an error counts in a larger formula"),
    TG_FORTE_COSTS(COST){ 0 },
};

enum { COLUMN_SCORE, COLUMN_ERRORS, COLUMN_EXACT, COLUMN_CLASSES };

#define COUNT(name, help)                                                                          \
    {                                                                                              \
        name, TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, help                                \
    }

/* The classes stand in the order of TgForteEditClass. */
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

static gboolean init(gpointer instance, GError **error)
{
    Forte *self = instance;
    g_autofree char *path = self->tables_path[0] != '\0'
                                ? g_strdup(self->tables_path)
                                : tg_datadir_find("forte-tables.tsv", error);

    self->tables = path != NULL ? tg_forte_tables_load(path, error) : NULL;
    return self->tables != NULL;
}

static void clear(gpointer instance)
{
    Forte *self = instance;

    g_clear_pointer(&self->tables, tg_forte_tables_free);
}

/* ---- One pair ------------------------------------------------------------------------------ */

/* What a thread needs again and again. */
typedef struct {
    GArray *hyp, *ref, *edits;     /* of the comparison in hand */
    GArray *best_ref, *best_edits; /* of the best reference so far */
} Buffers;

/* Its address is what the buffers of a thread are found by. */
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

/* The comparison with one reference. */
typedef struct {
    double score, severity, distance, size;
    guint ref; /* its number */
    guint ref_repairs, hyp_repairs;
} Outcome;

static gboolean compare(const Forte *self, Buffers *buffers, Outcome *out, GError **error)
{
    if (!tg_forte_align(&self->costs, self->tables, buffers->ref, buffers->hyp, buffers->edits,
                        &out->distance, error))
        return FALSE;
    out->size = tg_forte_size(&self->costs, buffers->ref);
    out->severity =
        self->shape.variant == TG_FORTE_SIMPLE
            ? out->distance
            : tg_forte_severity(&self->shape, buffers->ref, buffers->hyp, buffers->edits, NULL);
    out->score = tg_forte_score(&self->shape, out->severity, out->size);
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

static gboolean read_text(TgForteNames *names, const char *text, GArray *tokens, guint *repairs,
                          GError **error)
{
    if (strlen(text) <= TG_TEXT_MAX)
        return tg_forte_read(names, text, tokens, repairs, error);
    g_set_error(error, TG_ERROR, TG_ERROR_DATA, "longer than %u bytes", TG_TEXT_MAX);
    return FALSE;
}

/* ---- Detail -------------------------------------------------------------------------------- */

static GVariant *describe_tokens(const TgForteNames *names, const GArray *tokens)
{
    static const char letters[] = TG_FORTE_KIND_LETTERS;
    char buffer[TG_FORTE_NAME_BUFFER];
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sssbuu)"));
    for (guint i = 0; i < tokens->len; i++) {
        const TgForteToken *token = &g_array_index(tokens, TgForteToken, i);
        const char kind[] = { letters[token->kind], '\0' };

        g_variant_builder_add(&builder, "(sssbuu)", tg_forte_names_text(names, token->name, buffer),
                              kind, tg_forte_font_name((TgForteFont) token->font),
                              (gboolean) token->upright, token->start, token->end);
    }
    return g_variant_builder_end(&builder);
}

static const char *edit_name(const TgForteNames *names, const GArray *tokens, guint32 i,
                             gboolean there, char *buffer)
{
    return there ? tg_forte_names_text(names, g_array_index(tokens, TgForteToken, i).name, buffer)
                 : "";
}

static GVariant *describe_edits(const Forte *self, const TgForteNames *names,
                                const Buffers *buffers)
{
    const GArray *edits = buffers->best_edits, *ref = buffers->best_ref, *hyp = buffers->hyp;
    g_autofree double *counted = g_new0(double, (gsize) edits->len + 1);
    char ref_buffer[TG_FORTE_NAME_BUFFER], hyp_buffer[TG_FORTE_NAME_BUFFER];
    GVariantBuilder builder;

    tg_forte_severity(&self->shape, ref, hyp, edits, counted);
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(sddssuu)"));
    for (guint i = 0; i < edits->len; i++) {
        const TgForteEdit *edit = &g_array_index(edits, TgForteEdit, i);

        g_variant_builder_add(
            &builder, "(sddssuu)", tg_forte_edit_class_name((TgForteEditClass) edit->class),
            edit->cost, counted[i], edit_name(names, ref, edit->ref, edit->lost, ref_buffer),
            edit_name(names, hyp, edit->hyp, edit->added, hyp_buffer), edit->ref, edit->hyp);
    }
    return g_variant_builder_end(&builder);
}

static GVariant *describe(const Forte *self, const TgForteNames *names, const Buffers *buffers,
                          const Outcome *outcome)
{
    GVariantDict dict;

    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "distance", "d", outcome->distance);
    g_variant_dict_insert(&dict, "severity", "d", outcome->severity);
    g_variant_dict_insert(&dict, "size", "d", outcome->size);
    g_variant_dict_insert(&dict, "reference", "u", outcome->ref);
    g_variant_dict_insert(&dict, "ref-repairs", "u", outcome->ref_repairs);
    g_variant_dict_insert(&dict, "hyp-repairs", "u", outcome->hyp_repairs);
    g_variant_dict_insert_value(&dict, "ref-tokens", describe_tokens(names, buffers->best_ref));
    g_variant_dict_insert_value(&dict, "hyp-tokens", describe_tokens(names, buffers->hyp));
    g_variant_dict_insert_value(&dict, "edits", describe_edits(self, names, buffers));
    return g_variant_dict_end(&dict);
}

/* ---- The metric ---------------------------------------------------------------------------- */

static void set_values(const Buffers *buffers, const Outcome *outcome, TgResult *out)
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

static gboolean score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                      GError **error)
{
    const Forte *self = instance;
    Buffers *buffers = tg_env_local(env, (gpointer) &buffers_key, buffers_new, buffers_free);
    g_autoptr(TgForteNames) names = tg_forte_names_new(self->tables);
    Outcome best = { .score = -1 }, outcome = { 0 };

    if (!read_text(names, pair->hyp, buffers->hyp, &outcome.hyp_repairs, error))
        return FALSE;
    for (guint r = 0; r < pair->n_refs; r++) {
        outcome.ref = r;
        if (!read_text(names, pair->refs[r], buffers->ref, &outcome.ref_repairs, error) ||
            !compare(self, buffers, &outcome, error))
            return FALSE;
        if (outcome.score > best.score) {
            best = outcome;
            keep_as_best(buffers);
        }
    }
    set_values(buffers, &best, out);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, describe(self, names, buffers, &best));
    return TRUE;
}

const TgMetricInfo tg_metric_forte = {
    .abi = TG_METRIC_ABI,
    .name = "forte",
    .version = "1",
    .summary = "formula reading and token edits: follows what people would say",
    .citation = "docs/metrics/forte.md, after the human study of Horn and Keuper 2025",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Forte),
    .init = init,
    .clear = clear,
    .score = score,
};
