/* Metrics of the pictures alone: column edit distance, mean squared error, structural similarity.
 */
#include <texgauge/metric.h>

#include "core/fail.h"
#include "metrics/base/env.h"
#include "metrics/image/image_edit.h"
#include "metrics/image/image_mse.h"
#include "metrics/image/picture.h"
#include "metrics/image/ssim.h"

typedef struct {
    double dpi;
    gint margin_px;
    gboolean compat; /* of imgedit only */
    TgFonts *fonts;
} ImageMetric;

#define DRAWING_OPTIONS                                                                            \
    TG_OPTION_DOUBLE(ImageMetric, dpi, "dpi", "200", 36, 600, "resolution, at 12 pt"),             \
        TG_OPTION_INT(ImageMetric, margin_px, "margin", "0", 0, 200,                               \
                      "white pixels kept on every side of the ink")

static const TgOption options[] = { DRAWING_OPTIONS, { 0 } };

static const TgOption edit_options[] = {
    DRAWING_OPTIONS,
    TG_OPTION_BOOL(ImageMetric, compat, "compat", "no",
                   "match takes any number of added columns, as im2markup's script does"),
    { 0 },
};

static gboolean image_metric_init(gpointer instance, GError **error)
{
    ImageMetric *self = instance;

    self->fonts = tg_fonts_new(error);
    return self->fonts != NULL;
}

static void image_metric_clear(gpointer instance)
{
    ImageMetric *self = instance;

    g_clear_pointer(&self->fonts, tg_fonts_unref);
}

/* ---- shared: two pictures, the best of several references, statuses ---- */

static TgFormulaPicture *image_metric_draw(const ImageMetric *self, TgEnv *env, const char *latex,
                                           GError **error)
{
    const TgFormulaPictureStyle style = { self->fonts, self->dpi, (guint) self->margin_px };

    return tg_formula_picture(env, &style, latex, error);
}

/* The values of one pair of pictures, the headline first. */
typedef void (*Compare)(const ImageMetric *self, TgArena *arena, TgGrey ref, TgGrey hyp,
                        double *values);

/* Both are put on one canvas, which can be much larger than either. */
static gboolean check_canvas(TgGrey a, TgGrey b, GError **error)
{
    const guint width = MAX(a.width, b.width), height = MAX(a.height, b.height);

    if ((guint64) width * height <= TG_FORMULA_PICTURE_MAX_PIXELS)
        return TRUE;
    return tg_fail(error, TG_ERROR_DATA, "too-large: the two pictures need %u x %u pixels", width,
                   height);
}

static void imgedit_compare(const ImageMetric *self, TgArena *arena, TgGrey ref, TgGrey hyp,
                            double *values);

/* Columns are aligned with columns. */
static gboolean check_columns(Compare compare, TgGrey a, TgGrey b, GError **error)
{
    if (compare != imgedit_compare || (guint64) a.width * b.width <= TG_IMAGE_EDIT_MAX_CELLS)
        return TRUE;
    return tg_fail(error, TG_ERROR_DATA, "too-large: %u columns of pixels beside %u", a.width,
                   b.width);
}

/* Values against the reference that the hypothesis comes nearest to; FALSE when none has ink. */
static gboolean compare_best(const ImageMetric *self, TgEnv *env, const TgPair *pair, TgGrey hyp,
                             Compare compare, TgDirection direction, double *best, guint n_values,
                             GError **error)
{
    g_autofree double *values = g_new(double, n_values);
    gboolean any = FALSE;

    for (guint r = 0; r < pair->n_refs; r++) {
        g_autoptr(TgFormulaPicture) ref = image_metric_draw(self, env, pair->refs[r], error);

        if (ref == NULL)
            return FALSE;
        if (ref->pixels == NULL)
            continue;
        if (!check_canvas(ref->grey, hyp, error) || !check_columns(compare, ref->grey, hyp, error))
            return FALSE;
        compare(self, tg_env_arena(env), ref->grey, hyp, values);
        const gboolean is_better =
            direction == TG_HIGHER_IS_BETTER ? values[0] > best[0] : values[0] < best[0];
        for (guint i = 0; (!any || is_better) && i < n_values; i++)
            best[i] = values[i];
        any = TRUE;
    }
    if (!any)
        g_set_error(error, TG_ERROR, TG_ERROR_DATA, "gt-unrenderable: the truth has no ink");
    return any;
}

static void image_metric_set_status(TgResult *out, const TgFormulaPicture *hyp)
{
    g_autofree char *status = NULL;

    if (hyp->is_empty) {
        tg_result_set_status(out, "empty");
    } else if (hyp->trouble != NULL) {
        status = g_strdup_printf("pred-unrenderable: %s", hyp->trouble);
        tg_result_set_status(out, status);
    }
}

static gboolean score_pictures(const ImageMetric *self, TgEnv *env, const TgPair *pair,
                               Compare compare, TgDirection direction, double *values,
                               guint n_values, TgResult *out, GError **error)
{
    g_autoptr(TgFormulaPicture) hyp = image_metric_draw(self, env, pair->hyp, error);

    if (hyp == NULL ||
        !compare_best(self, env, pair, hyp->grey, compare, direction, values, n_values, error))
        return FALSE;
    image_metric_set_status(out, hyp);
    return TRUE;
}

/* A metric of one value. */
static gboolean score_value(const ImageMetric *self, TgEnv *env, const TgPair *pair,
                            Compare compare, TgDirection direction, TgResult *out, GError **error)
{
    double value = 0;

    if (!score_pictures(self, env, pair, compare, direction, &value, 1, out, error))
        return FALSE;
    tg_result_set(out, 0, value);
    return TRUE;
}

/* ---- imgedit ---- */

enum { EDIT_VALUE, EDIT_MATCH, EDIT_MATCH_INKED, EDIT_COST, EDIT_WIDTH, N_EDIT };
enum { STAT_COST, STAT_WIDTH, N_EDIT_STATS };

static const TgColumn edit_columns[] = {
    { "imgedit", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_STATS,
      "columns of pixels to be edited / columns of the wider picture" },
    { "match", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "whether the pictures match" },
    { "match-inked", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "whether they match without their blank columns" },
    { 0 },
};

static guint imgedit_n_stats(gconstpointer self)
{
    (void) self;
    return N_EDIT_STATS;
}

static double imgedit_rate(double cost, double width)
{
    return width > 0 ? cost / width : 0.0;
}

static void imgedit_pool(gconstpointer self, const double *stats, double *out)
{
    (void) self;
    out[EDIT_VALUE] = imgedit_rate(stats[STAT_COST], stats[STAT_WIDTH]);
}

static void imgedit_compare(const ImageMetric *self, TgArena *arena, TgGrey ref, TgGrey hyp,
                            double *values)
{
    const TgImageMatchFlags compat = self->compat ? TG_IMAGE_MATCH_COMPAT : 0;

    values[EDIT_COST] = tg_image_edit_distance(arena, ref, hyp);
    values[EDIT_WIDTH] = MAX(ref.width, hyp.width);
    values[EDIT_VALUE] = imgedit_rate(values[EDIT_COST], values[EDIT_WIDTH]);
    values[EDIT_MATCH] = tg_image_match(arena, ref, hyp, compat);
    values[EDIT_MATCH_INKED] = tg_image_match(arena, ref, hyp, compat | TG_IMAGE_MATCH_SKIP_BLANK);
}

static gboolean imgedit_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                              GError **error)
{
    double values[N_EDIT] = { 0 };

    if (!score_pictures(instance, env, pair, imgedit_compare, TG_LOWER_IS_BETTER, values, N_EDIT,
                        out, error))
        return FALSE;
    const double stats[N_EDIT_STATS] = { values[EDIT_COST], values[EDIT_WIDTH] };
    for (guint i = 0; edit_columns[i].name != NULL; i++)
        tg_result_set(out, i, values[i]);
    tg_result_set_stats(out, stats);
    return TRUE;
}

const TgMetricInfo tg_metric_imgedit = {
    .abi = TG_METRIC_ABI,
    .name = "imgedit",
    .version = "8",
    .summary = "edit distance of the pictures' columns of pixels",
    .citation = "Deng et al. 2017, arXiv:1609.04938; im2markup's evaluate_image.py",
    .columns = edit_columns,
    .options = edit_options,
    .instance_size = sizeof(ImageMetric),
    .init = image_metric_init,
    .clear = image_metric_clear,
    .n_stats = imgedit_n_stats,
    .score = imgedit_score,
    .pool = imgedit_pool,
};

/* ---- mse ---- */

static const TgColumn mse_columns[] = {
    { "mse", TG_LOWER_IS_BETTER, 0, 1, TG_POOL_MEAN,
      "mean squared difference of the pictures, black 0 to white 1" },
    { 0 },
};

static void mse_compare(const ImageMetric *self, TgArena *arena, TgGrey ref, TgGrey hyp,
                        double *values)
{
    (void) self;
    (void) arena;
    values[0] = tg_image_mse(ref, hyp);
}

static gboolean mse_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                          GError **error)
{
    return score_value(instance, env, pair, mse_compare, TG_LOWER_IS_BETTER, out, error);
}

const TgMetricInfo tg_metric_mse = {
    .abi = TG_METRIC_ABI,
    .name = "mse",
    .version = "7",
    .summary = "mean squared error of the pictures",
    .citation = "as in Wang et al. 2024, arXiv:2409.03643, figure 11",
    .columns = mse_columns,
    .options = options,
    .instance_size = sizeof(ImageMetric),
    .init = image_metric_init,
    .clear = image_metric_clear,
    .score = mse_score,
};

/* ---- ssim ---- */

static const TgColumn ssim_columns[] = {
    { "ssim", TG_HIGHER_IS_BETTER, -1, 1, TG_POOL_MEAN, "mean structural similarity index" },
    { 0 },
};

static void ssim_compare(const ImageMetric *self, TgArena *arena, TgGrey ref, TgGrey hyp,
                         double *values)
{
    (void) self;
    (void) arena;
    values[0] = tg_ssim(ref, hyp);
}

static gboolean ssim_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                           GError **error)
{
    return score_value(instance, env, pair, ssim_compare, TG_HIGHER_IS_BETTER, out, error);
}

const TgMetricInfo tg_metric_ssim = {
    .abi = TG_METRIC_ABI,
    .name = "ssim",
    .version = "7",
    .summary = "structural similarity of the pictures",
    .citation = "Wang, Bovik, Sheikh and Simoncelli 2004, doi:10.1109/TIP.2003.819861",
    .columns = ssim_columns,
    .options = options,
    .instance_size = sizeof(ImageMetric),
    .init = image_metric_init,
    .clear = image_metric_clear,
    .score = ssim_score,
};
