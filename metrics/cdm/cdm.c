/* The official program's CDM score, drawn in-process. */
#include <math.h>
#include <string.h>

#include <texgauge/metric.h>

#include "core/fail.h"
#include "metrics/cdm/clean_up.h"
#include "metrics/cdm/draw/formula.h"
#include "metrics/cdm/draw/redraw.h"
#include "metrics/cdm/draw/style.h"
#include "metrics/cdm/explain.h"
#include "metrics/cdm/score.h"
#include "metrics/cdm/show.h"

static const char *const dialects[] = { "unimernet", "omnidocbench-1.5", "omnidocbench-1.6", NULL };
static const char *const searches[] = { "official", "exhaustive", NULL };
static const char *const pages[] = { "official", "unlimited", NULL };
static const char *const locates[] = { "layout", "raster", NULL };

typedef struct {
    gint dialect_id; /* TgCdmDialectId */
    gint ransac;     /* TgCdmRansac */
    gint page;       /* TgCdmPage */
    gint locate;     /* TgCdmLocate */
    gint max_elements;
    const TgCdmDialect *dialect;
    TgFontSet *fonts;
    TgCdmStyle *style;
} Cdm;

static const TgOption options[] = {
    TG_OPTION_CHOICE(Cdm, dialect_id, "dialect", "unimernet", dialects,
                     "the program whose scores are reproduced"),
    TG_OPTION_CHOICE(Cdm, ransac, "ransac", "official", searches,
                     "samples of the position check: the official random ones, or all"),
    TG_OPTION_CHOICE(Cdm, page, "page", "official", pages,
                     "official: paper whose edge cuts long formulas off"),
    TG_OPTION_CHOICE(Cdm, locate, "locate", "layout", locates,
                     "ink boxes: from the typesetter, or from painted pixels"),
    TG_OPTION_INT(Cdm, max_elements, "max-elements", "2000", 1, 5800,
                  "formulas with more elements are not scored"),
    { 0 },
};

enum { COLUMN_F1, COLUMN_PRECISION, COLUMN_RECALL, COLUMN_EXACT };

static const TgColumn columns[] = {
    { "cdm", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "F1 of elements in place" },
    { "precision", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share of the prediction's elements" },
    { "recall", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share of the truth's elements" },
    { "exact", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "whether F1 is 1 (ExpRate@CDM)" },
    { 0 },
};

static gboolean cdm_init(gpointer instance, GError **error)
{
    Cdm *self = instance;

    self->fonts = tg_cdm_fonts_new(error);
    if (self->fonts == NULL)
        return FALSE;
    self->dialect = tg_cdm_dialect((TgCdmDialectId) self->dialect_id);
    self->style = tg_cdm_style_new(self->fonts, self->dialect, (TgCdmPage) self->page,
                                   (TgCdmLocate) self->locate, (guint) self->max_elements);
    return TRUE;
}

static void cdm_clear(gpointer instance)
{
    Cdm *self = instance;

    g_clear_pointer(&self->style, tg_cdm_style_unref);
    g_clear_pointer(&self->fonts, tg_cdm_fonts_unref);
}

static TgCdmFormula *cdm_draw(const Cdm *self, TgEnv *env, const char *latex, GError **error)
{
    return tg_cdm_style_draw(self->style, env, latex, error);
}

/* ---- the best of several references and spellings ---- */

/* One side as it was drawn. */
typedef struct {
    TgCdmFormula *formula;
    char *latex; /* clean */
} Side;

static void side_clear(Side *side)
{
    g_clear_pointer(&side->formula, tg_cdm_formula_unref);
    g_clear_pointer(&side->latex, g_free);
}

/* The reference and the spelling of the hypothesis that score best. Where no reference has ink,
 * these are the first ones, and there is no score. */
typedef struct {
    Side ref, hyp;
    guint index; /* of the reference */
    gboolean is_scored;
    TgCdmScore score;
} Best;

static void best_clear(Best *best)
{
    side_clear(&best->ref);
    side_clear(&best->hyp);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Best, best_clear)

static void best_set(Best *best, TgCdmFormula *ref, const char *ref_latex, TgCdmFormula *hyp,
                     const char *hyp_latex, guint index)
{
    best_clear(best);
    best->ref = (Side){ tg_cdm_formula_ref(ref), g_strdup(ref_latex) };
    best->hyp = (Side){ tg_cdm_formula_ref(hyp), g_strdup(hyp_latex) };
    best->index = index;
}

/* Compare with one spelling of the hypothesis; only a better score replaces the best one. */
static gboolean cdm_try(const Cdm *self, TgEnv *env, const char *ref_latex, const char *hyp_latex,
                        guint index, Best *best, GError **error)
{
    g_autoptr(TgCdmFormula) ref = cdm_draw(self, env, ref_latex, error);
    g_autoptr(TgCdmFormula) hyp = ref != NULL ? cdm_draw(self, env, hyp_latex, error) : NULL;

    if (hyp == NULL)
        return FALSE;
    if (best->ref.formula == NULL)
        best_set(best, ref, ref_latex, hyp, hyp_latex, index);
    if (ref->drawing.n == 0)
        return TRUE;
    const TgCdmScore score = tg_cdm_score(&ref->drawing, &hyp->drawing, self->dialect,
                                          (TgCdmRansac) self->ransac, NULL, NULL);
    if (best->is_scored && score.f1 <= best->score.f1)
        return TRUE;
    best_set(best, ref, ref_latex, hyp, hyp_latex, index);
    best->is_scored = TRUE;
    best->score = score;
    return TRUE;
}

static gboolean cdm_find_best(const Cdm *self, TgEnv *env, const TgPair *pair, Best *best,
                              GError **error)
{
    for (guint r = 0; r < pair->n_refs; r++) {
        g_auto(TgCdmCleanPair) clean = { 0 };

        tg_cdm_clean_pair(self->dialect, pair->refs[r], pair->hyp, FALSE, &clean);
        const char *latex = clean.ref->string->str;
        if (!cdm_try(self, env, latex, clean.hyp->string->str, r, best, error) ||
            (clean.alternative != NULL &&
             !cdm_try(self, env, latex, clean.alternative->string->str, r, best, error)))
            return FALSE;
    }
    return TRUE;
}

/* Why a side has no ink, in one line. */
static void cdm_set_status(TgResult *out, const Best *best)
{
    const TgCdmFormula *hyp = best->hyp.formula;
    g_autofree char *status = NULL;

    if (!best->is_scored) {
        tg_result_set_status(out, "gt-unrenderable: counts 0, as in this dialect");
        return;
    }
    if (hyp->drawing.n > 0)
        return;
    if (hyp->trouble == NULL) {
        tg_result_set_status(out, "empty");
        return;
    }
    status = g_strdup_printf("pred-unrenderable: %s", hyp->trouble);
    tg_result_set_status(out, status);
}

/* "both", "the truth", "the prediction", or NULL for none. */
static const char *which_sides(gboolean ref, gboolean hyp)
{
    return ref && hyp ? "both" : ref ? "the truth" : hyp ? "the prediction" : NULL;
}

/* Which sides the program's parser could not read. */
static void cdm_set_note(TgResult *out, const Best *best)
{
    const TgCdmFormula *ref = best->ref.formula, *hyp = best->hyp.formula;
    const char *raw = which_sides(ref->tokenizer_failed, hyp->tokenizer_failed);
    if (raw != NULL) {
        g_autofree char *note = g_strdup_printf("%s split at blanks", raw);
        tg_result_set_note(out, note);
    }
}

/* The clean-up once more, traced to the user's strings. */
static GVariant *cdm_explain(const Cdm *self, const TgPair *pair, const Best *best)
{
    g_auto(TgCdmCleanPair) clean = { 0 };

    tg_cdm_clean_pair(self->dialect, pair->refs[best->index], pair->hyp, TRUE, &clean);
    const gboolean is_plain = strcmp(clean.hyp->string->str, best->hyp.latex) == 0;
    const TgCdmSide reference = { best->ref.formula, clean.ref },
                    hypothesis = { best->hyp.formula, is_plain ? clean.hyp : clean.alternative };
    return tg_cdm_explain(best->index, reference, hypothesis, self->dialect,
                          (TgCdmRansac) self->ransac);
}

static gboolean cdm_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                          GError **error)
{
    const Cdm *self = instance;
    g_auto(Best) best = { 0 };

    if (!cdm_find_best(self, env, pair, &best, error))
        return FALSE;
    if (!best.is_scored && !self->dialect->counts_blank_truths)
        return tg_fail(error, TG_ERROR_DATA, "gt-unrenderable: the truth has no ink");
    tg_result_set(out, COLUMN_F1, best.score.f1);
    tg_result_set(out, COLUMN_PRECISION, best.score.precision);
    tg_result_set(out, COLUMN_RECALL, best.score.recall);
    tg_result_set(out, COLUMN_EXACT, best.score.f1 >= 1);
    cdm_set_status(out, &best);
    cdm_set_note(out, &best);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, cdm_explain(self, pair, &best));
    return TRUE;
}

/* ---- pictures ---- */

static gpointer make_setter(gpointer fonts)
{
    return tg_cdm_setter_new(fonts);
}

static void free_setter(gpointer setter)
{
    tg_cdm_setter_free(setter);
}

static gboolean cdm_show_side(const Cdm *self, TgEnv *env, TgPairPicture *picture, TgPairSide which,
                              const Side *side, GError **error)
{
    TgCdmSetter *setter = tg_env_local(env, self->fonts, make_setter, free_setter);
    TgRect paper;

    if (side->formula->drawing.n == 0)
        return TRUE;
    g_autoptr(TgDrawing) drawing = tg_cdm_redraw(
        setter, side->latex, self->dialect, (TgCdmPage) self->page, side->formula, &paper, error);
    if (drawing == NULL)
        return FALSE;
    tg_pair_picture_set_drawing(picture, which, drawing);
    if (self->page == TG_CDM_PAGE_OFFICIAL)
        tg_pair_picture_set_page(picture, which, paper);
    return TRUE;
}

/* The tokens of the drawing are the elements, and those with ink have marks. */
static void cdm_own_tokens(TgPairPicture *picture, TgPairSide side, const TgCdmFormula *formula)
{
    for (guint k = 0; k < formula->drawing.n; k++)
        tg_pair_picture_own_token(picture, side, formula->inked[k], k);
}

/* Where no reference has ink, the first one is shown. */
static gboolean cdm_show(gconstpointer instance, TgEnv *env, TgRenderer *renderer,
                         const TgPair *pair, TgPairPicture *picture, GError **error)
{
    const Cdm *self = instance;
    g_auto(Best) best = { 0 };

    (void) renderer;
    if (!cdm_find_best(self, env, pair, &best, error) ||
        !cdm_show_side(self, env, picture, TG_SIDE_TRUTH, &best.ref, error) ||
        !cdm_show_side(self, env, picture, TG_SIDE_PREDICTION, &best.hyp, error))
        return FALSE;
    g_autoptr(GVariant) detail = g_variant_ref_sink(cdm_explain(self, pair, &best));
    tg_cdm_show(picture, detail, "CDM", best.is_scored ? best.score.f1 : NAN,
                best.is_scored ? best.score.recall : NAN,
                best.is_scored ? best.score.precision : NAN);
    cdm_own_tokens(picture, TG_SIDE_TRUTH, best.ref.formula);
    cdm_own_tokens(picture, TG_SIDE_PREDICTION, best.hyp.formula);
    return TRUE;
}

const TgMetricInfo tg_metric_cdm = {
    .abi = TG_METRIC_ABI,
    .name = "cdm",
    .version = "7",
    .summary = "character detection matching on drawings, as the official program scores",
    .citation = "Wang et al. 2024, arXiv:2409.03643; UniMERNet/cdm at commit 5a2c80d",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Cdm),
    .init = cdm_init,
    .clear = cdm_clear,
    .score = cdm_score,
    .show = cdm_show,
};
