/* CDM's pictures: the drawing is the one that was measured, the marks are its verdicts. */
#include "tests/support/cdm_support.h"
#include "tests/support/metric_support.h"

#include "render/paint/drawing.h"

/* By hand, as the scores of the same pairs in test_cdm_metric.c. What CDM lets pass is red in the
 * strict metric's picture; stress alone is amber. */
TEST(test_cdm_picture__marks_are_the_verdicts)
{
    enum { N_TONES = 3 };
    static const TgTone tones[N_TONES] = { TG_TONE_GOOD, TG_TONE_MINOR, TG_TONE_BAD };
    static const struct {
        const char *spec, *ref, *hyp;
        guint of_gt[N_TONES], of_pred[N_TONES];
    } cases[] = {
        { "cdm", "p+q=r", "p+q=r", { 5, 0, 0 }, { 5, 0, 0 } },
        { "cdm", "p+q=r", "p+q=s", { 4, 0, 1 }, { 4, 0, 1 } },
        { "cdm", "pqr", "pq", { 2, 0, 1 }, { 2, 0, 0 } },
        { "cdm", "p", "\\frac{p", { 0, 0, 1 }, { 0, 0, 0 } },
        { "cdm", "p", "", { 0, 0, 1 }, { 0, 0, 0 } },
        { "cdm", "\\frac{p", "p", { 0, 0, 0 }, { 0, 0, 1 } }, /* no score, but to be seen */
        { "cdm", "2^3", "3^2", { 2, 0, 0 }, { 2, 0, 0 } },
        { "cdm-strict", "2^3", "3^2", { 0, 0, 2 }, { 0, 0, 2 } },
        { "cdm-strict", "2^3", "2_3", { 1, 0, 1 }, { 1, 0, 1 } },
        { "cdm-strict", "\\sin x+1", "\\sin x+1", { 6, 0, 0 }, { 6, 0, 0 } },
        { "cdm-strict", "p+q", "p+\\mathbf{q}", { 2, 1, 0 }, { 2, 1, 0 } },
        { "cdm-strict", "p", "", { 0, 0, 1 }, { 0, 0, 0 } },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgPairPicture) picture =
            tg_must(tg_score_picture(cases[i].spec, cases[i].ref, cases[i].hyp, &error));

        for (guint t = 0; t < N_TONES; t++)
            if (tg_pair_picture_count(picture, TG_SIDE_REF, tones[t]) != cases[i].of_gt[t] ||
                tg_pair_picture_count(picture, TG_SIDE_HYP, tones[t]) != cases[i].of_pred[t])
                fail_msg("%s, %s | %s: tone %u", cases[i].spec, cases[i].ref, cases[i].hyp, t);
    }
}

TEST(test_cdm_picture__other_metrics_have_none)
{
    tg_assert_fails(tg_score_picture("cer", "p", "q", &error), TG_ERROR_USAGE, "no pictures");
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
static void assert_ink_in_boxes(TgLayout *setter, const char *latex)
{
    const TgCdmHow how = { tg_cdm_dialect(TG_CDM_UNIMERNET), TG_CDM_PAGE_UNLIMITED,
                           TG_CDM_LOCATE_LAYOUT, 2000 };
    TgCdmPicture picture = { 0 };
    g_autoptr(TgCdmFormula) formula = tg_must(tg_cdm_draw(setter, latex, &how, &picture, &error));
    g_autoptr(TgDrawing) drawing = picture.drawing;
    g_autoptr(TgRaster) raster = tg_must(tg_drawing_raster(drawing, TG_INK_NATURAL, &error));
    guint n, n_dark = 0;
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);

    assert_int_equal(n, formula->elements.n);
    if (drawing->n_marks == 1) /* of the official program's design, so it is not stretched */
        assert_true(drawing->marks[0].x_stretch == 1);
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
        "p",
        "x=y \\tag{3}",
    };
    g_autoptr(TgLayout) setter = cdm_setter();

    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++)
        assert_ink_in_boxes(setter, formulas[i]);
}

/* Elements that the page cuts off are gray in the picture; without a page nothing is gray. */
TEST(test_cdm_picture__shows_what_the_page_cuts_off)
{
    static const char gray[] = "rgb(74.117647%,74.117647%,74.117647%)";
    static const char *const specs[] = { "cdm", "cdm:page=unlimited" };
    g_autofree char *ref = tg_repeat("a+", 160);
    g_autoptr(TgFonts) fonts = tg_fonts_new(NULL);
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    guint n_bad[2];

    for (guint i = 0; i < 2; i++) {
        g_autoptr(TgPairPicture) picture = tg_must(tg_score_picture(specs[i], ref, "a", &error));
        g_autoptr(GBytes) svg =
            tg_must(tg_pair_picture_encode(picture, renderer, TG_FORMAT_SVG, NULL, &error));

        assert_int_equal(
            g_strstr_len(g_bytes_get_data(svg, NULL), (gssize) g_bytes_get_size(svg), gray) != NULL,
            i == 0);
        n_bad[i] = tg_pair_picture_count(picture, TG_SIDE_REF, TG_TONE_BAD);
    }
    assert_true(n_bad[0] < n_bad[1]);
}
