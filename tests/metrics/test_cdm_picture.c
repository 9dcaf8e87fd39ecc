/* CDM's pictures: the drawing is the one that was measured, the marks are its verdicts. */
#include "tests/support/cdm_support.h"
#include "tests/support/test_support.h"

#include <texgauge/texgauge.h>

#include "metrics/metric.h"

static TgPairPicture *picture_of(const char *spec, const char *gt, const char *pred, GError **error)
{
    g_autoptr(GError) trouble = NULL;
    g_autoptr(TgFonts) fonts = tg_fonts_new(&trouble);
    tg_assert_no_error(trouble);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    g_autoptr(TgMetric) metric = tg_metric_new(spec, &trouble);
    tg_assert_no_error(trouble);
    g_autoptr(TgEnv) env = tg_env_new();
    const TgPair pair = { "pair", &gt, 1, pred };

    return tg_metric_picture(metric, env, renderer, &pair, error);
}

static void assert_marks(const char *gt, const char *pred, guint matched, guint gt_wrong,
                         guint pred_wrong)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgPairPicture) picture = picture_of("cdm", gt, pred, &error);

    tg_assert_no_error(error);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_TRUTH, TG_TONE_GOOD), matched);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_PREDICTION, TG_TONE_GOOD), matched);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_TRUTH, TG_TONE_BAD), gt_wrong);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_PREDICTION, TG_TONE_BAD), pred_wrong);
}

/* By hand, as the scores of the same pairs in test_cdm_metric.c. */
TEST(test_cdm_picture__marks_are_the_verdicts)
{
    assert_marks("p+q=r", "p+q=r", 5, 0, 0);
    assert_marks("p+q=r", "p+q=s", 4, 1, 1);
    assert_marks("pqr", "pq", 2, 1, 0);
    assert_marks("p", "\\frac{p", 0, 1, 0);
    assert_marks("p", "", 0, 1, 0);
    assert_marks("\\frac{p", "p", 0, 0, 1); /* without a score, but to be seen */
}

static void assert_tones(const char *spec, const char *gt, const char *pred, guint good,
                         guint minor, guint bad)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TgPairPicture) picture = picture_of(spec, gt, pred, &error);

    tg_assert_no_error(error);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_TRUTH, TG_TONE_GOOD), good);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_TRUTH, TG_TONE_MINOR), minor);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_TRUTH, TG_TONE_BAD), bad);
}

/* What CDM lets pass is red in the strict metric's picture; stress alone is amber. */
TEST(test_cdm_picture__of_the_strict_metric)
{
    assert_tones("cdm", "2^3", "3^2", 2, 0, 0);
    assert_tones("cdm-strict", "2^3", "3^2", 0, 0, 2);
    assert_tones("cdm-strict", "\\sin x+1", "\\sin x+1", 6, 0, 0);
    assert_tones("cdm-strict", "p+q", "p+\\mathbf{q}", 2, 1, 0);
    assert_tones("cdm-strict", "p", "", 0, 0, 1);
}

TEST(test_cdm_picture__other_metrics_have_none)
{
    GError *error = NULL;

    assert_null(picture_of("cer", "p", "q", &error));
    tg_assert_error(error, TG_ERROR_USAGE, "no pictures");
}

static gboolean is_in_box(const TgDrawnToken *tokens, guint n, double x, double y)
{
    for (guint i = 0; i < n; i++)
        if (tokens[i].has_ink && x >= tokens[i].box.x0 && x <= tokens[i].box.x1 &&
            y >= tokens[i].box.y0 && y <= tokens[i].box.y1)
            return TRUE;
    return FALSE;
}

/* Draw as CDM did, and look at the pixels: all dark ones lie in boxes. */
static void assert_ink_in_boxes(TgCdmSetter *setter, const char *latex)
{
    g_autoptr(GError) error = NULL;
    const TgCdmHow how = { tg_cdm_dialect(TG_CDM_UNIMERNET), TG_CDM_PAGE_UNLIMITED,
                           TG_CDM_LOCATE_LAYOUT, 2000 };
    TgCdmPicture picture = { 0 };
    g_autoptr(TgCdmFormula) formula = tg_cdm_draw(setter, latex, &how, &picture, &error);
    tg_assert_no_error(error);
    g_autoptr(TgDrawing) drawing = picture.drawing;
    g_autoptr(TgRaster) raster = tg_drawing_raster(drawing, TG_INK_NATURAL, &error);
    tg_assert_no_error(error);
    guint n, n_dark = 0;
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);

    assert_int_equal(n, formula->elements.n);
    for (guint y = 0; y < raster->height; y++)
        for (guint x = 0; x < raster->width; x++) {
            if ((raster->pixels[(gsize) y * raster->width + x] & 0xFF) > 0x60)
                continue;
            n_dark++;
            assert_true(is_in_box(tokens, n, x + 0.5, y + 0.5));
        }
    assert_true(n_dark > 20);
}

TEST(test_cdm_picture__ink_lies_in_the_boxes)
{
    static const char *const formulas[] = {
        "\\frac{a+b}{c^2}=\\sum_{i=1}^n x_i",
        "\\left(\\sqrt{p}+\\hat{q}\\right)\\overline{rs}",
        "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}",
        "\\dfrac12",
        "x=y \\tag{3}",
    };
    g_autoptr(TgCdmSetter) setter = cdm_setter();

    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++)
        assert_ink_in_boxes(setter, formulas[i]);
}

/* What the page cuts off is grey in the picture; without a page nothing is. */
TEST(test_cdm_picture__shows_what_the_page_cuts_off)
{
    g_autoptr(GString) gt = g_string_new(NULL);
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < 80; i++)
        g_string_append(gt, "a+");
    g_autoptr(TgPairPicture) cut = picture_of("cdm", gt->str, "a", &error);
    tg_assert_no_error(error);
    g_autoptr(TgPairPicture) whole = picture_of("cdm:page=unlimited", gt->str, "a", &error);
    tg_assert_no_error(error);
    g_autoptr(TgFonts) fonts = tg_fonts_new(&error);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    g_autoptr(GBytes) a = tg_pair_picture_encode(cut, renderer, TG_FORMAT_SVG, NULL, &error);
    g_autoptr(GBytes) b = tg_pair_picture_encode(whole, renderer, TG_FORMAT_SVG, NULL, &error);
    tg_assert_no_error(error);
    const char *grey = "rgb(74.117647%,74.117647%,74.117647%)";
    assert_non_null(g_strstr_len(g_bytes_get_data(a, NULL), (gssize) g_bytes_get_size(a), grey));
    assert_null(g_strstr_len(g_bytes_get_data(b, NULL), (gssize) g_bytes_get_size(b), grey));
    assert_true(tg_pair_picture_count(cut, TG_SIDE_TRUTH, TG_TONE_BAD) <
                tg_pair_picture_count(whole, TG_SIDE_TRUTH, TG_TONE_BAD));
}
