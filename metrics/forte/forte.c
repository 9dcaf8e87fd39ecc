/* FORTE: formula reading and named errors, a score that follows ratings. */
#include "metrics/forte/forte.h"

#include <math.h>
#include <string.h>
#include <texgauge/metric.h>

#include "core/fail.h"

typedef struct {
    gint profile; /* TgForteProfile */
    char *packages_text;
    TgPackages packages;
} Forte;

static const char *const profiles[] = { "people", "strict-meaning", "ocr", NULL };

static const TgOption options[] = {
    TG_OPTION_CHOICE(Forte, profile, "profile", "people", profiles,
                     "what errors count: as people rate, by meaning, or as misread signs"),
    TG_OPTION_STRING(Forte, packages_text, "packages", TG_PACKAGES_PRESET_TEXT, TG_PACKAGES_HELP),
    { 0 },
};

enum { COLUMN_SCORE, COLUMN_PRICE, COLUMN_EXACT, COLUMN_CLASSES };
enum { COLUMN_REPAIRS = COLUMN_CLASSES + TG_N_FORTE_CLASSES, COLUMN_LOW, COLUMN_HIGH };

static const TgColumn columns[] = {
    { "forte", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "estimate of what people would give" },
    { "price", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_MEAN, "sum of the prices of errors" },
    { "exact", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share of formulas without any error" },
#define X(id, name, help) { name, TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM, help },
    TG_FORTE_CLASSES(X)
#undef X
        { "repairs", TG_LOWER_IS_BETTER, 0, G_MAXDOUBLE, TG_POOL_SUM,
          "faults of the prediction that a compiler would stop at" },
    { "low", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "5th percentile of what people would give" },
    { "high", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "95th percentile of what people would give" },
    { 0 },
};

static gboolean forte_init(gpointer instance, GError **error)
{
    Forte *self = instance;

    return tg_packages_parse(self->packages_text, &self->packages, error);
}

/* ---- One pair ------------------------------------------------------------------------------- */

/* Its address is the key of the comparison whose lists a thread keeps from one pair to the next. */
static const char comparison_key = 0;

static gpointer comparison_new(gpointer key)
{
    TgForteComparison *self = g_new0(TgForteComparison, 1);

    (void) key;
    self->names = tg_vocab_new();
    self->ref = g_array_new(FALSE, FALSE, sizeof(TgForteToken));
    self->hyp = g_array_new(FALSE, FALSE, sizeof(TgForteToken));
    self->edits = g_array_new(FALSE, FALSE, sizeof(TgForteEdit));
    self->events = g_array_new(FALSE, FALSE, sizeof(TgForteEvent));
    return self;
}

static void comparison_free(gpointer data)
{
    TgForteComparison *self = data;

    tg_vocab_free(self->names);
    g_array_unref(self->ref);
    g_array_unref(self->hyp);
    g_array_unref(self->edits);
    g_array_unref(self->events);
    g_free(self);
}

static TgForteComparison *comparison_of(TgEnv *env)
{
    return tg_env_local(env, (gpointer) &comparison_key, comparison_new, comparison_free);
}

static double score_by(TgForteComparison *self, TgForteProfile profile)
{
    self->sums.price = 0;
    for (guint e = 0; e < self->events->len; e++)
        self->sums.price += tg_forte_price(tg_forte_event(self->events, e), profile, NULL, NULL);
    return self->hyp->len == 0 && self->ref->len > 0 ? 0 : tg_forte_score(&self->sums);
}

/* Add the weight that was cut from a loop to the event that the rest of the loop is in. */
static void count_cut(const TgForteComparison *self, double cut)
{
    for (guint e = self->edits->len; cut > 0 && e > 0; e--) {
        const TgForteEdit *edit = tg_forte_edit(self->edits, e - 1);

        if (!edit->added)
            continue;
        tg_forte_event(self->events, edit->event - 1)->foreign += cut;
        return;
    }
}

gboolean tg_forte_compare(TgForteComparison *self, GError **error)
{
    const double weight = tg_forte_measure(self->hyp).weight;

    tg_forte_cut_loop(self->hyp, self->ref->len);
    if (!tg_forte_align(self->ref, self->hyp, self->edits, error))
        return FALSE;
    tg_forte_find_events(self);
    count_cut(self, weight - tg_forte_measure(self->hyp).weight);
    self->sums = tg_forte_measure(self->ref);
    for (guint e = 0; e < self->events->len; e++) {
        self->sums.n_unread += tg_forte_event(self->events, e)->unread;
        self->sums.foreign += tg_forte_event(self->events, e)->foreign;
    }
    self->people = self->score = score_by(self, TG_FORTE_PEOPLE);
    if (self->profile != TG_FORTE_PEOPLE)
        self->score = score_by(self, self->profile);
    return TRUE;
}

static gboolean read_text(const Forte *self, TgVocab *names, const char *text, GArray *tokens,
                          TgForteReading *out, GError **error)
{
    g_autoptr(GError) beyond = NULL;

    if (strlen(text) > TG_TEXT_MAX)
        return tg_fail(error, TG_ERROR_DATA, "longer than %u bytes", TG_TEXT_MAX);
    /* If one reference cannot be read, the pair has no score, even if it has other references. */
    return tg_forte_read(names, text, self->packages, tokens, out, &beyond) ||
           tg_fail(error, TG_ERROR_DATA, "%s", beyond->message);
}

/* Compare; the thread keeps the result until the next call. NULL with @error. */
static const TgForteComparison *compare_pair(const Forte *self, TgEnv *env, const TgPair *pair,
                                             GError **error)
{
    TgForteComparison *now = comparison_of(env);
    TgForteReading hyp, ref;

    now->has_score = FALSE;
    tg_vocab_reset(now->names);
    if (!read_text(self, now->names, pair->hyp, now->hyp, &hyp, error) ||
        !read_text(self, now->names, pair->refs[0], now->ref, &ref, error))
        return NULL;
    now->profile = (TgForteProfile) self->profile;
    now->reference = tg_env_reference(env);
    now->ref_repairs = ref.repairs;
    now->hyp_repairs = hyp.repairs;
    now->hyp_refused = hyp.refused;
    now->other_number = ref.number != hyp.number;
    if (ref.has_text != hyp.has_text)
        tg_forte_drop_blanks(ref.has_text ? now->ref : now->hyp);
    now->has_score = tg_forte_compare(now, error);
    return now->has_score ? now : NULL;
}

const TgForteComparison *tg_forte_last_comparison(TgEnv *env)
{
    const TgForteComparison *last = comparison_of(env);

    return last->has_score ? last : NULL;
}

/* ---- The metric ----------------------------------------------------------------------------- */

static gboolean forte_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                            GError **error)
{
    const TgForteComparison *now = compare_pair(instance, env, pair, error);
    guint counts[TG_N_FORTE_CLASSES] = { 0 };

    if (now == NULL)
        return FALSE;
    for (guint e = 0; e < now->events->len; e++)
        counts[tg_forte_tables.types[tg_forte_event(now->events, e)->type].class]++;
    tg_result_set(out, COLUMN_SCORE, now->score);
    tg_result_set(out, COLUMN_PRICE, now->sums.price);
    tg_result_set(out, COLUMN_EXACT, now->events->len == 0 && !now->hyp_refused);
    tg_result_set(out, COLUMN_REPAIRS, now->hyp_repairs);
    for (guint c = 0; c < TG_N_FORTE_CLASSES; c++)
        tg_result_set(out, COLUMN_CLASSES + c, counts[c]);
    /* Where people's mean rating lies, with 90 % of the pairs: they are stricter than the model
     * that rated the pairs of the prices, by a power; calibrated on 100 pairs that people rated
     * (docs/metrics/forte.md). Without errors 10 % of the ratings lie below. */
    const double level = pow(now->people, tg_forte_tables.level);
    const gboolean errors = now->people < 1;
    tg_result_set(out, COLUMN_LOW, errors ? MAX(level - tg_forte_tables.low, 0) : 0.83);
    tg_result_set(out, COLUMN_HIGH, errors ? MIN(level + tg_forte_tables.high, 1) : 1);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, tg_forte_describe(now));
    return TRUE;
}

static gboolean forte_show(gconstpointer instance, TgEnv *env, TgRenderer *renderer,
                           const TgPair *pair, TgPairPicture *picture, GError **error)
{
    const TgForteComparison *now = compare_pair(instance, env, pair, error);

    return now != NULL && tg_forte_show(picture, renderer, pair->refs[0], pair->hyp, now, error);
}

const TgMetricInfo tg_metric_forte = {
    .abi = TG_METRIC_ABI,
    .name = "forte",
    .version = "17",
    .summary = "formula reading and named errors: follows what people would say",
    .citation = "docs/metrics/forte.md, after the human study of Horn and Keuper 2025",
    .columns = columns,
    .options = options,
    .each_reference = TRUE,
    .explain = TG_EXPLAIN_EVENTS,
    .instance_size = sizeof(Forte),
    .init = forte_init,
    .score = forte_score,
    .show = forte_show,
};
