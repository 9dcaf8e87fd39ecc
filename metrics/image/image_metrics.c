/* Metrics of the pictures alone: column edit distance, mean squared error, structural similarity;
 * and whether a hypothesis can be typeset: the success rate of a model's output. */
#include <texgauge/metric.h>

#include <string.h>

#include "core/fail.h"
#include "metrics/base/base.h"
#include "metrics/image/image.h"
#include "render/paint/drawing.h"
#include "tokenizer/latex/parse.h"

typedef struct {
    TgFormulaPictureStyle style;
    gboolean compat; /* of imgedit only */

    double (*measure)(TgGray ref, TgGray hyp); /* of mse and ssim; NULL: imgedit */
} ImageMetric;

#define DRAWING_OPTIONS                                                                            \
    TG_OPTION_DOUBLE(ImageMetric, style.dpi, "dpi", "200", 36, 600, "resolution, at 12 pt"),       \
        TG_OPTION_INT(ImageMetric, style.margin_px, "margin", "0", 0, 200,                         \
                      "white pixels kept on every side of the ink")

static const TgOption options[] = { DRAWING_OPTIONS, { 0 } };

static const TgOption edit_options[] = {
    DRAWING_OPTIONS,
    TG_OPTION_BOOL(ImageMetric, compat, "compat", "no",
                   "match allows any number of added columns, as im2markup's script does"),
    { 0 },
};

static gboolean image_metric_init(gpointer instance, GError **error)
{
    ImageMetric *self = instance;

    self->style.fonts = tg_fonts_new(error);
    return self->style.fonts != NULL;
}

static void image_metric_clear(gpointer instance)
{
    ImageMetric *self = instance;

    g_clear_pointer(&self->style.fonts, tg_fonts_unref);
}

/* Of imgedit. */
enum { EDIT_VALUE, EDIT_MATCH, EDIT_MATCH_INKED };
enum { STAT_COST, STAT_WIDTH, N_STATS };

static double edit_rate(const double *stats)
{
    return stats[STAT_WIDTH] > 0 ? stats[STAT_COST] / stats[STAT_WIDTH] : 0.0;
}

static gboolean image_metric_score(gconstpointer instance, TgEnv *env, const TgPair *pair,
                                   TgResult *out, GError **error)
{
    const ImageMetric *self = instance;
    g_autoptr(TgFormulaPicture) hyp = tg_formula_picture(env, &self->style, pair->hyp, error);
    g_autoptr(TgFormulaPicture) ref =
        hyp != NULL ? tg_formula_picture(env, &self->style, pair->refs[0], error) : NULL;
    const TgImageMatchFlags compat = self->compat ? TG_IMAGE_MATCH_COMPAT : 0;
    TgArena *arena = tg_env_arena(env);

    if (ref == NULL)
        return FALSE;
    if (ref->gray.pixels == NULL)
        return tg_fail(error, TG_ERROR_PARSE, "gt-unrenderable: the reference has no ink");
    /* Two pictures are put on one canvas, which can be much larger than either. */
    const guint width = MAX(ref->gray.width, hyp->gray.width);
    const guint height = MAX(ref->gray.height, hyp->gray.height);
    if ((guint64) width * height > TG_FORMULA_PICTURE_MAX_PIXELS)
        return tg_fail(error, TG_ERROR_DATA, "too-large: the two pictures need %u x %u pixels",
                       width, height);
    if (self->measure != NULL) {
        tg_result_set(out, 0, self->measure(ref->gray, hyp->gray));
    } else if ((guint64) ref->gray.width * hyp->gray.width > TG_IMAGE_EDIT_MAX_CELLS) {
        return tg_fail(error, TG_ERROR_DATA, "too-large: %u columns of pixels beside %u",
                       ref->gray.width, hyp->gray.width);
    } else {
        const double stats[N_STATS] = { tg_image_edit_distance(arena, ref->gray, hyp->gray),
                                        width };

        tg_result_set(out, EDIT_VALUE, edit_rate(stats));
        tg_result_set(out, EDIT_MATCH, tg_image_match(arena, ref->gray, hyp->gray, compat));
        tg_result_set(
            out, EDIT_MATCH_INKED,
            tg_image_match(arena, ref->gray, hyp->gray, compat | TG_IMAGE_MATCH_SKIP_BLANK));
        tg_result_set_stats(out, stats);
    }
    if (hyp->gray.pixels == NULL)
        tg_result_set_blank(out, hyp->trouble);
    return TRUE;
}

/* ---- imgedit ---- */

static const TgColumn edit_columns[] = {
    { "imgedit", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_STATS,
      "columns of pixels to be edited / columns of the wider picture" },
    { "match", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "whether the pictures match" },
    { "match-inked", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "whether they match without their blank columns" },
    { 0 },
};

static guint imgedit_n_stats(G_GNUC_UNUSED gconstpointer self)
{
    return N_STATS;
}

static void imgedit_pool(G_GNUC_UNUSED gconstpointer self, const double *stats, double *out)
{
    out[EDIT_VALUE] = edit_rate(stats);
}

const TgMetricInfo tg_metric_imgedit = {
    .abi = TG_METRIC_ABI,
    .name = "imgedit",
    .version = "11",
    .summary = "edit distance of the pictures' columns of pixels",
    .citation = "Deng et al. 2017, arXiv:1609.04938; im2markup's evaluate_image.py",
    .columns = edit_columns,
    .options = edit_options,
    .each_reference = TRUE,
    .instance_size = sizeof(ImageMetric),
    .init = image_metric_init,
    .clear = image_metric_clear,
    .n_stats = imgedit_n_stats,
    .score = image_metric_score,
    .pool = imgedit_pool,
};

/* ---- mse ---- */

static const TgColumn mse_columns[] = {
    { "mse", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "mean squared difference of the pictures, black 0 to white 1" },
    { 0 },
};

static gboolean mse_init(gpointer self, GError **error)
{
    ((ImageMetric *) self)->measure = tg_image_mse;
    return image_metric_init(self, error);
}

const TgMetricInfo tg_metric_mse = {
    .abi = TG_METRIC_ABI,
    .name = "mse",
    .version = "10",
    .summary = "mean squared error of the pictures",
    .citation = "as in Wang et al. 2024, arXiv:2409.03643, figure 11",
    .columns = mse_columns,
    .options = options,
    .each_reference = TRUE,
    .instance_size = sizeof(ImageMetric),
    .init = mse_init,
    .clear = image_metric_clear,
    .score = image_metric_score,
};

/* ---- ssim ---- */

static const TgColumn ssim_columns[] = {
    { "ssim", TG_HIGHER_IS_BETTER, -1, 1, TG_POOL_MEAN, "mean structural similarity index" },
    { 0 },
};

static gboolean ssim_init(gpointer self, GError **error)
{
    ((ImageMetric *) self)->measure = tg_ssim;
    return image_metric_init(self, error);
}

const TgMetricInfo tg_metric_ssim = {
    .abi = TG_METRIC_ABI,
    .name = "ssim",
    .version = "10",
    .summary = "structural similarity of the pictures",
    .citation = "Wang, Bovik, Sheikh and Simoncelli 2004, doi:10.1109/TIP.2003.819861",
    .columns = ssim_columns,
    .options = options,
    .each_reference = TRUE,
    .instance_size = sizeof(ImageMetric),
    .init = ssim_init,
    .clear = image_metric_clear,
    .score = image_metric_score,
};

/* ---- render ---- */

static const TgColumn render_columns[] = {
    { "render", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share that is typeset without a fault" },
    { 0 },
};

typedef struct {
    ImageMetric base;
    char *packages_text;
    TgPackages packages;
} RenderMetric;

static const TgOption render_options[] = {
    TG_OPTION_STRING(RenderMetric, packages_text, "packages", TG_PACKAGES_PRESET_TEXT,
                     TG_PACKAGES_HELP),
    { 0 },
};

static gboolean render_init(gpointer instance, GError **error)
{
    RenderMetric *self = instance;

    return tg_packages_parse(self->packages_text, &self->packages, error) &&
           image_metric_init(&self->base, error);
}

/* Set @tree and say whether a mark of it is not white, or it has a number or refers to one. */
static gboolean render_sets_ink(const RenderMetric *self, TgEnv *env, const TgTree *tree,
                                gboolean *has_ink, GError **error)
{
    const TgRenderOptions how = TG_RENDER_OPTIONS_INIT;
    TgSetFormula set;

    *has_ink = tree->refers;
    for (const TgNode *item = tree->root->u.list.first; item != NULL; item = item->next)
        *has_ink |= item->kind == TG_NODE_TAG && item->u.body.body->u.list.n_items > 0;
    if (!tg_renderer_set(tg_formula_renderer(env, self->base.style.fonts), tree, &how, &set, error))
        return FALSE;
    for (guint i = 0; i < set.n_marks && !*has_ink; i++)
        *has_ink = set.marks[i].color != 0xFFFFFF;
    return TRUE;
}

/* Score whether LaTeX sets the hypothesis; the status names the first fault that stops LaTeX. */
static gboolean render_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                             GError **error)
{
    const RenderMetric *self = instance;
    g_autoptr(GError) trouble = NULL;
    g_autoptr(TgTree) tree = tg_tree_parse(pair->hyp, strlen(pair->hyp), NULL, &trouble);
    const TgParseError *refusal = tree != NULL ? tg_tree_refusal(tree, self->packages) : NULL;
    g_autofree char *fault = NULL;
    gboolean has_ink = TRUE;

    if (refusal != NULL)
        fault = g_strdup_printf("%s: %s, column %u", tg_parse_error_names[refusal->kind],
                                refusal->message, refusal->column);
    else if (tree != NULL)
        render_sets_ink(self, env, tree, &has_ink, &trouble);
    if (trouble != NULL && !g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, g_steal_pointer(&trouble));
        return FALSE;
    }
    if (trouble != NULL)
        fault = g_strconcat("beyond-bounds: ", trouble->message, NULL);
    else if (!has_ink) /* TeX sets it, but no model should answer it */
        fault = g_strdup("empty: there is nothing to see");
    tg_result_set(out, 0, fault == NULL);
    if (fault != NULL)
        tg_result_set_status(out, fault);
    return TRUE;
}

const TgMetricInfo tg_metric_render = {
    .abi = TG_METRIC_ABI,
    .name = "render",
    .version = "9",
    .summary = "whether the prediction is LaTeX that can be typeset",
    .citation = "LaTeX with amsmath, amssymb, mathtools and xcolor, as TeX accepts it",
    .columns = render_columns,
    .options = render_options,
    .instance_size = sizeof(RenderMetric),
    .init = render_init,
    .clear = image_metric_clear,
    .score = render_score,
};
