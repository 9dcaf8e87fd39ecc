/* The official program's CDM score, drawn in-process. */
#include <math.h>

#include <texgauge/metric.h>

#include "metrics/cdm/draw/formula.h"
#include "metrics/cdm/draw/redraw.h"
#include "metrics/cdm/draw/style.h"
#include "metrics/cdm/explain.h"
#include "metrics/cdm/score.h"
#include "metrics/cdm/show.h"

static const char *const searches[] = { "official", "exhaustive", NULL };
static const char *const pages[] = { "official", "unlimited", NULL };
static const char *const locates[] = { "layout", "raster", NULL };

typedef struct {
    gint ransac; /* TgCdmRansac */
    gint page;   /* TgCdmPage */
    gint locate; /* TgCdmLocate */
    gint max_elements;
    TgFontSet *fonts;
    TgCdmStyle *style;
} Cdm;

static const TgOption options[] = {
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
    self->style = tg_cdm_style_new(self->fonts, (TgCdmPage) self->page, (TgCdmLocate) self->locate,
                                   (guint) self->max_elements);
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

static gboolean cdm_prepare(gconstpointer instance, TgEnv *env, const TgPair *pairs, guint n,
                            GError **error)
{
    const Cdm *self = instance;

    return tg_cdm_style_draw_ahead(self->style, env, pairs, n, error);
}

/* Why a hypothesis has no ink, in one line. */
static void cdm_set_status(TgResult *out, const TgCdmFormula *hyp)
{
    g_autofree char *status = NULL;

    if (hyp->drawing.n > 0)
        return;
    if (hyp->trouble == NULL) {
        tg_result_set_status(out, "empty");
        return;
    }
    status = g_strdup_printf("pred-unrenderable: %s", hyp->trouble);
    tg_result_set_status(out, status);
}

/* Where two programs may draw, which one drew what. */
static void cdm_set_note(TgResult *out, const TgCdmFormula *ref, const TgCdmFormula *hyp)
{
    const char *what = ref->drawn_by != NULL && hyp->drawn_by != NULL ? "both"
                       : ref->drawn_by != NULL                        ? "the truth"
                                                                      : "the prediction";
    const char *by = ref->drawn_by != NULL ? ref->drawn_by : hyp->drawn_by;

    if (by == NULL)
        return;
    g_autofree char *note = g_strdup_printf("%s drawn by %s", what, by);
    tg_result_set_note(out, note);
}

/* The reference with which the hypothesis scores best; with none that has ink it is NULL. */
typedef struct {
    TgCdmFormula *ref;
    guint index;
    TgCdmScore score;
} Best;

static void best_clear(Best *best)
{
    g_clear_pointer(&best->ref, tg_cdm_formula_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Best, best_clear)

static gboolean cdm_find_best(const Cdm *self, TgEnv *env, const TgPair *pair,
                              const TgCdmFormula *hyp, Best *best, GError **error)
{
    for (guint r = 0; r < pair->n_refs; r++) {
        g_autoptr(TgCdmFormula) ref = cdm_draw(self, env, pair->refs[r], error);

        if (ref == NULL)
            return FALSE;
        if (ref->drawing.n == 0)
            continue;
        const TgCdmScore score =
            tg_cdm_score(&ref->drawing, &hyp->drawing, (TgCdmRansac) self->ransac, NULL, NULL);
        if (best->ref != NULL && score.f1 <= best->score.f1)
            continue;
        best_clear(best);
        *best = (Best){ g_steal_pointer(&ref), r, score };
    }
    return TRUE;
}

static GVariant *cdm_explain(const Cdm *self, const TgPair *pair, const Best *best,
                             const TgCdmFormula *hyp)
{
    const TgCdmSide reference = { best->ref, pair->refs[best->index] },
                    hypothesis = { hyp, pair->hyp };

    return tg_cdm_explain(best->index, reference, hypothesis, (TgCdmRansac) self->ransac);
}

static gboolean cdm_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                          GError **error)
{
    const Cdm *self = instance;
    g_autoptr(TgCdmFormula) hyp = cdm_draw(self, env, pair->hyp, error);
    g_auto(Best) best = { 0 };

    if (hyp == NULL || !cdm_find_best(self, env, pair, hyp, &best, error))
        return FALSE;
    if (best.ref == NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA, "gt-unrenderable: the truth has no ink");
        return FALSE;
    }
    tg_result_set(out, COLUMN_F1, best.score.f1);
    tg_result_set(out, COLUMN_PRECISION, best.score.precision);
    tg_result_set(out, COLUMN_RECALL, best.score.recall);
    tg_result_set(out, COLUMN_EXACT, best.score.f1 >= 1);
    cdm_set_status(out, hyp);
    if (tg_env_renderer(env) == TG_RENDERER_AUTO)
        cdm_set_note(out, best.ref, hyp);
    if (tg_result_wants_detail(out))
        tg_result_take_detail(out, cdm_explain(self, pair, &best, hyp));
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

static gboolean cdm_show_side(const Cdm *self, TgEnv *env, TgPairPicture *picture, TgPairSide side,
                              const char *latex, const TgCdmFormula *formula, GError **error)
{
    TgCdmSetter *setter = tg_env_local(env, self->fonts, make_setter, free_setter);
    TgRect paper;

    if (formula->drawing.n == 0)
        return TRUE;
    g_autoptr(TgDrawing) drawing =
        tg_cdm_redraw(setter, latex, (TgCdmPage) self->page, formula, &paper, error);
    if (drawing == NULL)
        return FALSE;
    tg_pair_picture_set_drawing(picture, side, drawing);
    if (self->page == TG_CDM_PAGE_OFFICIAL)
        tg_pair_picture_set_page(picture, side, paper);
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
    g_autoptr(TgCdmFormula) hyp = cdm_draw(self, env, pair->hyp, error);
    g_auto(Best) best = { 0 };

    (void) renderer;
    if (hyp == NULL || !cdm_find_best(self, env, pair, hyp, &best, error))
        return FALSE;
    const gboolean is_scored = best.ref != NULL;
    if (!is_scored)
        best.ref = cdm_draw(self, env, pair->refs[0], error);
    if (best.ref == NULL ||
        !cdm_show_side(self, env, picture, TG_SIDE_TRUTH, pair->refs[best.index], best.ref,
                       error) ||
        !cdm_show_side(self, env, picture, TG_SIDE_PREDICTION, pair->hyp, hyp, error))
        return FALSE;
    g_autoptr(GVariant) detail = g_variant_ref_sink(cdm_explain(self, pair, &best, hyp));
    tg_cdm_show(picture, detail, is_scored ? best.score.recall : NAN,
                is_scored ? best.score.precision : NAN);
    cdm_own_tokens(picture, TG_SIDE_TRUTH, best.ref);
    cdm_own_tokens(picture, TG_SIDE_PREDICTION, hyp);
    return TRUE;
}

const TgMetricInfo tg_metric_cdm = {
    .abi = TG_METRIC_ABI,
    .name = "cdm",
    .version = "1",
    .summary = "character detection matching on drawings, as the official program scores",
    .citation = "Wang et al. 2024, arXiv:2409.03643; UniMERNet/cdm at commit 5a2c80d",
    .columns = columns,
    .options = options,
    .instance_size = sizeof(Cdm),
    .init = cdm_init,
    .clear = cdm_clear,
    .score = cdm_score,
    .show = cdm_show,
    .prepare = cdm_prepare,
};
