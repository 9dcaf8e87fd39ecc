/* FORTE: formula reading and token edits, a score that follows human ratings. */
#include <texgauge/metric.h>

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/files/datadir.h"
#include "metrics/forte/detail.h"
#include "metrics/forte/reading/reading.h"
#include "metrics/forte/settle.h"
#include "metrics/forte/show.h"
#include "metrics/forte/slips.h"
#include "metrics/forte/styles.h"

typedef struct {
    char *tables_path;
    TgForteTables *tables;
    gint variant;                     /* TgForteVariant */
    gint profile;                     /* TgForteProfile */
    double factors[TG_N_FORTE_EDITS]; /* the user's, of the classes */
    double weights[TG_N_FORTE_EDITS]; /* those of the profile, times these */
    gboolean weighted;                /* some of them is not that of people */
} Forte;

static const char *const variants[] = { "full", "simple", NULL };
static const char *const profiles[] = { "people", "strict-meaning", "ocr", NULL };

#define WEIGHT(class, name)                                                                        \
    TG_OPTION_DOUBLE(Forte, factors[class], "weight-" name, "1", 0, 100,                           \
                     "times what the profile counts for errors of the class")

static const TgOption options[] = {
    TG_OPTION_CHOICE(Forte, variant, "variant", "full", variants,
                     "full, or simple: the distance alone, symmetric"),
    TG_OPTION_CHOICE(Forte, profile, "profile", "people", profiles,
                     "what errors count: as people rate, by meaning, or as misread signs"),
    TG_OPTION_STRING(Forte, tables_path, "tables", "",
                     "file of names and pairs in place of forte-tables.tsv"),
    WEIGHT(TG_FORTE_EDIT_SYMBOL, "symbol"),
    WEIGHT(TG_FORTE_EDIT_LETTER, "letter"),
    WEIGHT(TG_FORTE_EDIT_DIGIT, "digit"),
    WEIGHT(TG_FORTE_EDIT_OPERATOR, "operator"),
    WEIGHT(TG_FORTE_EDIT_CROSS_KIND, "cross-kind"),
    WEIGHT(TG_FORTE_EDIT_LOOK_ALIKE, "look-alike"),
    WEIGHT(TG_FORTE_EDIT_CASE, "case"),
    WEIGHT(TG_FORTE_EDIT_VARIANT, "variant"),
    WEIGHT(TG_FORTE_EDIT_ACCENT, "accent"),
    WEIGHT(TG_FORTE_EDIT_STRUCTURE, "structure"),
    WEIGHT(TG_FORTE_EDIT_DELIMITER, "delimiter"),
    WEIGHT(TG_FORTE_EDIT_PUNCTUATION, "punctuation"),
    WEIGHT(TG_FORTE_EDIT_STYLE, "style"),
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
    COUNT("repairs", "faults of the prediction that a compiler would stop at"),
    { "low", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "of 90 % of what people would give" },
    { "high", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "of 90 % of what people would give" },
    { 0 },
};

enum { COLUMN_REPAIRS = COLUMN_CLASSES + TG_N_FORTE_EDITS, COLUMN_LOW, COLUMN_HIGH, N_COLUMNS };

G_STATIC_ASSERT(G_N_ELEMENTS(columns) == N_COLUMNS + 1);

static gboolean forte_init(gpointer instance, GError **error)
{
    Forte *self = instance;
    g_autofree char *path = self->tables_path[0] != '\0'
                                ? g_strdup(self->tables_path)
                                : tg_datadir_find("forte-tables.tsv", error);
    const double *of_profile = tg_forte_profile_weights((TgForteProfile) self->profile);

    for (guint c = 0; c < TG_N_FORTE_EDITS; c++) {
        self->weights[c] = self->factors[c] * of_profile[c];
        self->weighted |= self->weights[c] != tg_forte_profile_weights(TG_FORTE_PEOPLE)[c];
    }
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
    GArray *read;                             /* the hypothesis, before it is settled */
    GArray *hyp, *ref, *edits;                /* of the current comparison */
    GArray *best_hyp, *best_ref, *best_edits; /* of the best reference so far */
    TgForteNames *names;                      /* of the latest pair; NULL: it has no score */
    TgForteComparison comparison;
    TgForteOutcome outcome;
} Buffers;

/* Its address is the key of a thread's buffers. */
static const char buffers_key = 0;

static gpointer buffers_new(gpointer key)
{
    Buffers *self = g_new(Buffers, 1);

    (void) key;
    *self = (Buffers){
        .read = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
        .hyp = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
        .best_hyp = g_array_new(FALSE, FALSE, sizeof(TgForteToken)),
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

    g_array_unref(self->read);
    g_array_unref(self->hyp);
    g_array_unref(self->best_hyp);
    g_array_unref(self->ref);
    g_array_unref(self->edits);
    g_array_unref(self->best_ref);
    g_array_unref(self->best_edits);
    g_clear_pointer(&self->names, tg_forte_names_free);
    g_free(self);
}

/* The score of the current comparison as @weights weigh its errors. */
static double score_weighted(const Buffers *buffers, const double *weights, TgForteOutcome *out)
{
    out->severity = out->repair_cost +
                    tg_forte_severity(weights, buffers->ref, buffers->hyp, buffers->edits, NULL);
    if (buffers->hyp->len == 0 && buffers->ref->len > 0)
        return 0; /* nothing was read */
    return tg_forte_score(TG_FORTE_FULL, out->severity, out->size);
}

static void judge(const Forte *self, const Buffers *buffers, TgForteOutcome *out)
{
    const double *people = tg_forte_profile_weights(TG_FORTE_PEOPLE);

    out->repair_cost = out->hyp_repairs > out->ref_repairs ? TG_FORTE_REPAIR_COST : 0;
    tg_forte_price_styles(buffers->ref, buffers->hyp, buffers->edits);
    tg_forte_find_slips(self->tables, buffers->ref, buffers->hyp, buffers->edits);
    out->people = out->score = score_weighted(buffers, people, out);
    if (self->weighted)
        out->score = score_weighted(buffers, self->weights, out);
}

static gboolean compare_lists(const Forte *self, Buffers *buffers, TgForteOutcome *out,
                              GError **error)
{
    if (!tg_forte_align(self->tables, buffers->ref, buffers->hyp, buffers->edits, &out->distance,
                        error))
        return FALSE;
    out->size = tg_forte_size(buffers->ref);
    if (self->variant == TG_FORTE_FULL) {
        judge(self, buffers, out);
    } else {
        out->repair_cost = 0;
        out->severity = out->distance;
        out->score = tg_forte_score(TG_FORTE_SIMPLE, out->severity, out->size);
        out->people = NAN;
    }
    return TRUE;
}

static void swap_arrays(GArray **a, GArray **b)
{
    GArray *array = *a;

    *a = *b;
    *b = array;
}

static void keep_as_best(Buffers *buffers)
{
    swap_arrays(&buffers->best_hyp, &buffers->hyp);
    swap_arrays(&buffers->best_ref, &buffers->ref);
    swap_arrays(&buffers->best_edits, &buffers->edits);
}

static gboolean forte_read_text(TgForteNames *names, const char *text, GArray *tokens,
                                TgForteReading *out, GError **error)
{
    if (strlen(text) <= TG_TEXT_MAX)
        return tg_forte_read(names, text, tokens, out, error);
    return tg_fail(error, TG_ERROR_DATA, "longer than %u bytes", TG_TEXT_MAX);
}

/* ---- The metric ---------------------------------------------------------------------------- */

static void set_values(const Buffers *buffers, const TgForteOutcome *outcome, TgResult *out)
{
    guint counts[TG_N_FORTE_EDITS] = { 0 };
    double low, high;

    for (guint i = 0; i < buffers->best_edits->len; i++)
        counts[g_array_index(buffers->best_edits, TgForteEdit, i).class]++;
    tg_result_set(out, COLUMN_SCORE, outcome->score);
    tg_result_set(out, COLUMN_ERRORS, outcome->severity);
    tg_result_set(out, COLUMN_EXACT, outcome->severity == 0 && outcome->hyp_repairs == 0);
    tg_result_set(out, COLUMN_REPAIRS, outcome->hyp_repairs);
    for (guint c = 0; c < TG_N_FORTE_EDITS; c++)
        tg_result_set(out, COLUMN_CLASSES + c, counts[c]);
    if (isnan(outcome->people))
        return;
    tg_forte_interval(outcome->people, &low, &high);
    tg_result_set(out, COLUMN_LOW, low);
    tg_result_set(out, COLUMN_HIGH, high);
}

/* The comparison with the nearest reference, whose tokens and edits stay in @buffers. */
static gboolean find_best(const Forte *self, TgForteNames *names, Buffers *buffers,
                          const TgPair *pair, TgForteOutcome *best, GError **error)
{
    TgForteOutcome outcome = { 0 };
    TgForteReading hyp, ref;

    best->score = -1;
    if (!forte_read_text(names, pair->hyp, buffers->read, &hyp, error))
        return FALSE;
    outcome.hyp_repairs = hyp.repairs;
    for (guint r = 0; r < pair->n_refs; r++) {
        outcome.ref = r;
        if (!forte_read_text(names, pair->refs[r], buffers->ref, &ref, error))
            return FALSE;
        outcome.ref_repairs = ref.repairs;
        g_array_set_size(buffers->hyp, 0);
        g_array_append_vals(buffers->hyp, buffers->read->data, buffers->read->len);
        TgForteSide sides[] = { { buffers->ref, &ref }, { buffers->hyp, &hyp } };
        tg_forte_settle(&sides[0], &sides[1]);
        if (!compare_lists(self, buffers, &outcome, error))
            return FALSE;
        if (outcome.score > best->score) {
            *best = outcome;
            keep_as_best(buffers);
        }
    }
    return TRUE;
}

/* Compare a pair; the thread's buffers hold what came out until the next one. NULL with @error */
static const Buffers *compare_pair(const Forte *self, TgEnv *env, const TgPair *pair,
                                   GError **error)
{
    Buffers *buffers = tg_env_local(env, (gpointer) &buffers_key, buffers_new, buffers_free);
    g_autoptr(TgForteNames) names = tg_forte_names_new(self->tables);

    g_clear_pointer(&buffers->names, tg_forte_names_free);
    if (!find_best(self, names, buffers, pair, &buffers->outcome, error))
        return NULL;
    buffers->names = g_steal_pointer(&names);
    buffers->comparison = (TgForteComparison){ buffers->names, buffers->best_ref, buffers->best_hyp,
                                               buffers->best_edits, self->weights };
    return buffers;
}

const TgForteComparison *tg_forte_latest(TgEnv *env, const TgForteOutcome **outcome)
{
    Buffers *buffers = tg_env_local(env, (gpointer) &buffers_key, buffers_new, buffers_free);

    *outcome = &buffers->outcome;
    return buffers->names != NULL ? &buffers->comparison : NULL;
}

static gboolean forte_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                            GError **error)
{
    const Buffers *buffers = compare_pair(instance, env, pair, error);

    if (buffers == NULL)
        return FALSE;
    set_values(buffers, &buffers->outcome, out);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, tg_forte_describe(&buffers->comparison, &buffers->outcome));
    return TRUE;
}

static gboolean forte_show(gconstpointer instance, TgEnv *env, TgRenderer *renderer,
                           const TgPair *pair, TgPairPicture *picture, GError **error)
{
    const Buffers *buffers = compare_pair(instance, env, pair, error);

    return buffers != NULL &&
           tg_forte_show(picture, renderer, pair->refs[buffers->outcome.ref], pair->hyp,
                         &buffers->comparison, &buffers->outcome, error);
}

const TgMetricInfo tg_metric_forte = {
    .abi = TG_METRIC_ABI,
    .name = "forte",
    .version = "9",
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
