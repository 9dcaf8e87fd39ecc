/* Characters that no TeX font has: the same boxes in every construct, whatever fonts are installed.
 */
#include "tests/support/render_support.h"

#include <glib/gstdio.h>

#include "render/paint/drawing.h"

#define PT  65536
#define ZH1 "\344\270\255" /* U+4E2D */
#define ZH2 "\346\226\207" /* U+6587 */
#define RU  "\320\250"     /* U+0428, wider than its box in most fonts */

static gint64 width_of(void **state, const char *tex)
{
    g_autoptr(TgDrawing) drawing = render_draw(state, tex, TRUE);

    return tg_drawing_dimensions(drawing).width;
}

/* A character has ink, an em by an em of its size. */
static void assert_ems(const TgDrawing *drawing, guint n, const double *sizes_pt)
{
    const double px_per_pt = 200 / 72.27, inset = 1.0 / 16;
    guint n_tokens, found = 0;
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n_tokens);

    for (guint i = 0; i < n_tokens; i++) {
        if ((guchar) tokens[i].name[0] < 0x80)
            continue;
        assert_true(found < n);
        assert_true(tokens[i].has_ink);
        tg_assert_near(tokens[i].box.x1 - tokens[i].box.x0,
                       sizes_pt[found] * px_per_pt * (1 - 2 * inset), 0.01);
        tg_assert_near(tokens[i].box.y1 - tokens[i].box.y0,
                       sizes_pt[found] * px_per_pt * (1 - 2 * inset), 0.01);
        found++;
    }
    assert_int_equal(found, n);
}

TEST(test_fallback__boxes_in_every_construct)
{
    static const struct {
        const char *tex;
        guint n;
        double sizes_pt[4]; /* of the characters in the source's order */
    } cases[] = {
        { "\\text{" ZH1 ZH2 "}", 2, { 12, 12 } },
        { ZH1 ZH2, 2, { 12, 12 } },
        { "x_{\\text{" ZH1 "}}^{" ZH2 "}", 2, { 8, 8 } },
        { "x_{a_{\\text{" ZH1 "}}}", 1, { 6 } },
        { "\\frac{\\text{" ZH1 "}}{" ZH2 "}", 2, { 12, 12 } },
        { "\\tfrac{\\text{" ZH1 "}}{" ZH2 "}", 2, { 8, 8 } },
        { "\\begin{array}{c|c}\\text{" ZH1 "}&a\\\\\\hline b&" ZH2 "\\end{array}", 2, { 12, 12 } },
        { "\\begin{cases}x&\\text{" ZH1 "}\\\\y&\\mbox{" ZH2 "}\\end{cases}", 2, { 12, 12 } },
        { "\\hat{\\text{" ZH1 "}}+\\overline{" ZH2 "}", 2, { 12, 12 } },
        { "{\\color{red}" ZH1 "}\\textcolor{blue}{\\text{" ZH2 "}}", 2, { 12, 12 } },
        { "\\ce{" ZH1 " -> H2O}", 1, { 12 } },
        { "\\operatorname{" ZH1 ZH2 "}(x)", 2, { 12, 12 } },
        { "\\sqrt[" ZH1 "]{" ZH2 "}", 2, { 6, 12 } },
        { "\\xrightarrow{\\text{" ZH1 "}}", 1, { 8 } },
        { "\\underbrace{\\text{" ZH1 "}}_{\\text{" ZH2 "}}", 2, { 12, 8 } },
        { "\\stackrel{" ZH1 "}{=}\\overset{\\text{" ZH2 "}}{=}", 2, { 8, 8 } },
        { "\\sum_{i\\in " ZH1 "}^{" ZH2 "}", 2, { 8, 8 } },
        { "\\left(\\text{" ZH1 "}\\right)\\boxed{" ZH2 "}", 2, { 12, 12 } },
        { "\\text{\\textbf{" ZH1 "}\\textit{" ZH2 "}}", 2, { 12, 12 } },
        { "\\mathrm{" ZH1 "}\\mathbf{" ZH2 "}", 2, { 12, 12 } },
        { "\\fbox{" ZH1 "}\\raisebox{1ex}{" ZH2 "}", 2, { 12, 12 } },
        { "\\textcircled{" ZH1 "}", 1, { 12 } },
        { "\\text{\\tiny " ZH1 "}", 1, { 6 } },
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgDrawing) drawing = render_draw(state, cases[i].tex, TRUE);
        assert_ems(drawing, cases[i].n, cases[i].sizes_pt);
    }
    assert_int_equal(width_of(state, "\\text{" ZH1 ZH2 "}"), 24 * PT);
    assert_int_equal(width_of(state, RU), 12 * PT * 6 / 10);
}

/* A change of font adds the italic correction of a letter, and these letters have none. */
TEST(test_fallback__no_italic_correction)
{
    assert_int_equal(width_of(state, "\\text{\\textbf{" ZH1 "}b}"),
                     width_of(state, "\\text{" ZH1 "b}"));
    assert_int_equal(width_of(state, "\\text{\\textit{" RU "}b}"),
                     width_of(state, "\\text{" RU "b}"));
}

/* With a font the outline lies in the box; without one the character is missing. */
TEST(test_fallback__outlines_keep_to_their_boxes)
{
    g_autoptr(TgDrawing) drawing = render_draw(state, "\\text{" RU ZH1 "}", TRUE);
    g_autofree char *missing = tg_drawing_missing(drawing);

    for (guint i = 0; i < drawing->n_marks; i++) {
        const TgMark *mark = &drawing->marks[i];
        const double width = (double) mark->width * drawing->px_per_sp;
        const double size = (double) mark->size * drawing->px_per_sp;
        double x, y, stretch;
        const TgOutline *outline = tg_paint_unicode_outline(drawing, mark, &x, &y, &stretch);

        if (outline == NULL) {
            assert_non_null(missing);
            assert_non_null(g_utf8_strchr(missing, -1, mark->code));
            continue;
        }
        assert_true(stretch > 0 && stretch <= 1);
        assert_true(outline->advance * size * stretch <= width + 1e-9);
        assert_true(x >= (double) mark->x * drawing->px_per_sp - 1e-9);
    }
}

/* A byte that begins no character is one mark, whatever follows it in memory. */
TEST(test_fallback__a_byte_that_is_no_character_is_one_mark)
{
    const TgRenderOptions options = TG_RENDER_OPTIONS_INIT;
    g_autoptr(TgDrawing) drawing =
        tg_must(tg_renderer_draw(render_of(state), "\370", 1, &options, &error));

    assert_int_equal(drawing->n_marks, 1);
    assert_int_equal(drawing->marks[0].code, 0xFFFD);
}

TEST(test_fallback__says_what_no_font_has)
{
    static const char nothing[] = "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM "
                                  "\"fonts.dtd\"><fontconfig></fontconfig>";
    g_autoptr(GError) error = NULL;
    g_autofree char *path = NULL;
    const int file = g_file_open_tmp("texgauge-fonts-XXXXXX", &path, &error);

    tg_assert_no_error(error);
    assert_true(g_close(file, NULL));
    assert_true(g_file_set_contents(path, nothing, -1, NULL));
    g_setenv("FONTCONFIG_FILE", path, TRUE);
    void *fresh;
    render_set_up(&fresh);
    {
        g_autoptr(TgDrawing) drawing = render_draw(&fresh, "\\text{" ZH1 ZH2 ZH1 "}+x", TRUE);
        g_autoptr(TgDrawing) latin = render_draw(&fresh, "\\text{a}+\\alpha", TRUE);
        g_autofree char *missing = tg_drawing_missing(drawing);

        assert_non_null(missing);
        assert_string_equal(missing, ZH1 ZH2);
        assert_null(tg_drawing_missing(latin));
    }
    render_tear_down(&fresh);
    g_unsetenv("FONTCONFIG_FILE");
    assert_int_equal(g_remove(path), 0);
}

TEST_GROUP(render_set_up, render_tear_down)
