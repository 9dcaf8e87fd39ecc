/* The metric `cdm-strict`: the share of elements that are the same sign in the same place. */
#include <string.h>

#include "core/fail.h"
#include "metrics/base/base.h"
#include "metrics/cdm/matched.h"
#include "metrics/cdm_strict/strict.h"

static const char *const styles[] = { "class", "ignore", NULL };

typedef struct {
    gint style;
    gint max_elements;
    TgFonts *fonts;
    char *drawn_as; /* key of shared formulas: the options that they depend on */
} CdmStrict;

static const TgOption options[] = {
    TG_OPTION_CHOICE(CdmStrict, style, "style", "class", styles,
                     "class: letters in other styles differ; ignore: they are the same"),
    TG_OPTION_INT(CdmStrict, max_elements, "max-elements", "2000", 1, 5000,
                  "formulas with more elements are not scored"),
    { 0 },
};

static const TgColumn columns[] = {
    TG_MATCHED_COLUMNS("cdm-strict", "whether every element has its partner (ExpRate)"),
    { 0 },
};

static gboolean cdm_strict_init(gpointer instance, GError **error)
{
    CdmStrict *self = instance;

    self->fonts = tg_fonts_new(error);
    self->drawn_as = g_strdup_printf("%d", self->max_elements);
    return self->fonts != NULL;
}

static void cdm_strict_clear(gpointer instance)
{
    CdmStrict *self = instance;

    g_clear_pointer(&self->fonts, tg_fonts_unref);
    g_clear_pointer(&self->drawn_as, g_free);
}

/* The elements of @latex: made now, unless the run has made them already. */
static TgStrictFormula *get_formula(const CdmStrict *self, TgEnv *env, const char *latex,
                                    GError **error)
{
    TgStrictFormula *formula =
        tg_env_find_shared(env, &tg_strict_formula_kind, self->drawn_as, latex);

    if (formula != NULL)
        return formula;
    TgRenderer *renderer = tg_env_local(env, self->fonts, (TgLocalMake) tg_renderer_new,
                                        (GDestroyNotify) tg_renderer_free);
    formula = tg_strict_formula_new(renderer, latex, (guint) self->max_elements, tg_env_arena(env),
                                    error);
    if (formula != NULL)
        tg_env_share(env, &tg_strict_formula_kind, self->drawn_as, latex, formula);
    return formula;
}

/* ---- Outcome of a pair --------------------------------------------------------------------- */

/* The outcome for the elements of both formulas. */
typedef struct {
    TgStrictFormula *ref, *hyp; /* as they were read */
    TgStrictScore score;
    guint32 *partner;
    gboolean *counts;
} Outcome;

static void outcome_clear(Outcome *outcome)
{
    g_clear_pointer(&outcome->ref, tg_strict_formula_unref);
    g_clear_pointer(&outcome->hyp, tg_strict_formula_unref);
    g_clear_pointer(&outcome->partner, g_free);
    g_clear_pointer(&outcome->counts, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Outcome, outcome_clear)

/* Score two readings, and keep the outcome if it is the best. */
static void try_reading(const CdmStrict *self, TgStrictFormula *ref, TgStrictFormula *hyp,
                        Outcome *best)
{
    const gsize n = (gsize) ref->n_elements + 1;
    Outcome outcome = {
        .ref = g_atomic_rc_box_acquire(ref),
        .hyp = g_atomic_rc_box_acquire(hyp),
        .partner = g_new(guint32, n),
        .counts = g_new(gboolean, n),
    };

    outcome.score = tg_strict_score(ref, hyp, self->style != 0, outcome.partner, outcome.counts);
    if (best->ref == NULL || outcome.score.f1 > best->score.f1) {
        outcome_clear(best);
        *best = outcome;
    } else {
        outcome_clear(&outcome);
    }
}

/* Score both formulas as they stand, and as lines where one of them has several. */
static gboolean find_best(const CdmStrict *self, TgEnv *env, const TgPair *pair, Outcome *best,
                          GError **error)
{
    g_autoptr(TgStrictFormula) hyp = get_formula(self, env, pair->hyp, error);
    g_autoptr(TgStrictFormula) ref =
        hyp != NULL ? get_formula(self, env, pair->refs[0], error) : NULL;

    if (ref == NULL)
        return FALSE;
    try_reading(self, ref, hyp, best);
    if (ref->n_elements > 0 && (ref->as_lines != NULL || hyp->as_lines != NULL))
        try_reading(self, ref->as_lines != NULL ? ref->as_lines : ref,
                    hyp->as_lines != NULL ? hyp->as_lines : hyp, best);
    return TRUE;
}

/* ---- Explanation --------------------------------------------------------------------------- */

/* Describe a side before its elements have partners. Elements are named by their source. */
static TgMatchedSide describe_side(const TgStrictFormula *formula, GStringChunk *names)
{
    const guint n = formula->n_elements;
    TgMatchedElement *list = g_new0(TgMatchedElement, n);

    for (guint i = 0; i < n; i++) {
        const TgStrictElement *element = &formula->elements[i];

        list[i] = (TgMatchedElement){
            .token = g_string_chunk_insert_len(names, formula->source + element->start,
                                               (gssize) element->end - (gssize) element->start),
            .start = element->start,
            .end = element->end,
            .has_ink = TRUE,
            .box = element->box,
            .first_token = element->token,
            .last_token = element->last_token,
            .partner = TG_MATCHED_NO_PARTNER,
            .verdict = TG_MATCHED_UNMATCHED,
        };
    }
    return (TgMatchedSide){
        .width_px = formula->width_px,
        .height_px = formula->height_px,
        .trouble = formula->trouble,
        .note = formula->first_error,
        .elements = list,
        .n_elements = n,
    };
}

static TgMatchedPair explain_outcome(const CdmStrict *self, const TgEnv *env,
                                     const Outcome *outcome)
{
    static const char *const cost_names[] = { "style", NULL };
    GStringChunk *names = g_string_chunk_new(256);
    TgMatchedPair matched = {
        .reference = tg_env_reference(env),
        .ref = describe_side(outcome->ref, names),
        .hyp = describe_side(outcome->hyp, names),
        .f1 = outcome->score.f1,
        .precision = outcome->score.precision,
        .recall = outcome->score.recall,
        .is_scored = outcome->ref->n_elements > 0,
        .cost_names = cost_names,
        .names = names,
    };

    for (guint i = 0; i < outcome->ref->n_elements; i++) {
        const guint32 k = outcome->partner[i];

        if (k == TG_STRICT_ALONE)
            continue;
        const guint weight = tg_strict_weight(&outcome->ref->elements[i],
                                              &outcome->hyp->elements[k], self->style != 0);
        const double cost = 1 - (double) weight / TG_STRICT_SAME;
        tg_matched_join(&matched, i, k, &cost,
                        outcome->counts[i] ? TG_MATCHED_ACCEPTED : TG_MATCHED_MISPLACED);
    }
    return matched;
}

/* ---- Status -------------------------------------------------------------------------------- */

static char *describe_errors(guint n, const char *whose)
{
    return n > 0 ? g_strdup_printf("%u error%s in the %s", n, n > 1 ? "s" : "", whose) : NULL;
}

static void set_status(TgResult *out, const TgStrictFormula *ref, const TgStrictFormula *hyp)
{
    g_autofree char *in_ref = describe_errors(ref->n_errors, "reference");
    g_autofree char *in_hyp = describe_errors(hyp->n_errors, "prediction");
    g_autofree char *status =
        g_strdup_printf("ok (%s%s%s)", in_ref != NULL ? in_ref : "",
                        in_ref != NULL && in_hyp != NULL ? ", " : "", in_hyp != NULL ? in_hyp : "");

    if (hyp->n_elements == 0)
        tg_result_set_blank(out, hyp->trouble);
    else if (in_ref != NULL || in_hyp != NULL)
        tg_result_set_status(out, status);
}

static gboolean cdm_strict_score(gconstpointer instance, TgEnv *env, const TgPair *pair,
                                 TgResult *out, GError **error)
{
    const CdmStrict *self = instance;
    g_auto(Outcome) best = { 0 };

    if (!find_best(self, env, pair, &best, error))
        return FALSE;
    if (best.ref->n_elements == 0)
        return tg_fail(error, TG_ERROR_PARSE, "gt-unrenderable: %s",
                       best.ref->trouble != NULL ? best.ref->trouble : "the reference has no ink");
    tg_matched_set_columns(out, best.score.f1, best.score.precision, best.score.recall,
                           best.score.exact);
    set_status(out, best.ref, best.hyp);
    if (tg_result_wants_detail(out)) {
        g_auto(TgMatchedPair) matched = explain_outcome(self, env, &best);
        tg_result_take_detail(out, tg_matched_variant(&matched));
    }
    return TRUE;
}

/* ---- Pictures ------------------------------------------------------------------------------ */

static gboolean show_side(TgPairPicture *picture, TgPairSide side, TgRenderer *renderer,
                          const TgStrictFormula *formula, GError **error)
{
    if (formula->n_elements == 0)
        return TRUE;
    g_autoptr(TgDrawing) drawing =
        tg_renderer_draw(renderer, formula->source, strlen(formula->source), NULL, error);
    if (drawing == NULL)
        return FALSE;
    tg_pair_picture_set_drawing(picture, side, drawing);
    return TRUE;
}

static gboolean cdm_strict_show(gconstpointer instance, TgEnv *env, TgRenderer *renderer,
                                const TgPair *pair, TgPairPicture *picture, GError **error)
{
    const CdmStrict *self = instance;
    g_auto(Outcome) best = { 0 };

    if (!find_best(self, env, pair, &best, error) ||
        !show_side(picture, TG_SIDE_REF, renderer, best.ref, error) ||
        !show_side(picture, TG_SIDE_HYP, renderer, best.hyp, error))
        return FALSE;
    g_auto(TgMatchedPair) matched = explain_outcome(self, env, &best);
    tg_matched_show(&matched, "CDM-strict", picture);
    return TRUE;
}

const TgMetricInfo tg_metric_cdm_strict = {
    .abi = TG_METRIC_ABI,
    .name = "cdm-strict",
    .version = "13",
    .summary = "share of drawn symbols that are the right symbol in the right place",
    .citation = "docs/metrics/cdm-strict.md, after Wang et al. 2024, arXiv:2409.03643",
    .columns = columns,
    .options = options,
    .each_reference = TRUE,
    .explain = TG_EXPLAIN_ELEMENTS,
    .instance_size = sizeof(CdmStrict),
    .init = cdm_strict_init,
    .clear = cdm_strict_clear,
    .score = cdm_strict_score,
    .show = cdm_strict_show,
};
