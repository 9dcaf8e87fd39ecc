/* Drawings: dimensions, boxes of tokens, pixels, files, faults, threads. */
#include "tests/support/render_support.h"

#include "render/paint/drawing.h"

/* Formulas with every construct, for tests of what must hold for all. */
static const char *const samples[] = {
    "a+b=c",
    "\\int_0^\\infty \\frac{\\sqrt[3]{x^2+1}}{1+\\sum_{n=1}^N a_n}\\,dx",
    "\\left(\\left\\{\\begin{array}{c|c} 1 & 2 \\\\ \\hline 3 \\end{array}\\right.\\right]",
    "\\hat{\\bar{x}} + \\widehat{abc} \\overrightarrow{AB} \\underbrace{x+y}_{n} \\boxed{z}",
    "\\begin{aligned} a &= b \\\\ &\\neq c \\text{ if so} \\end{aligned}",
    "\\xrightarrow[b]{a} \\overset{!}{=} \\cancel{x} + \\mathbb{R} \\mathfrak{g} \\hbar",
    "\\cancelto{0}{\\frac ab}",
    "f'' \\ldots \\cong \\notin \\vdots \\ddots \\iint \\mathcal{L} \\binom{n}{k}",
};

TEST(test_render__strokes_stay_in_narrow_boxes)
{
    const TgMark mark = {
        .kind = TG_MARK_STROKE, .code = TG_STROKE_UP, .x = 10, .width = 2, .height = 9
    };
    const TgPolygon polygon = tg_mark_polygon(&mark, 1);

    for (guint i = 0; i < polygon.n; i++)
        assert_true(polygon.x[i] >= 10 && polygon.x[i] <= 12);
}

/* \hbox{$\displaystyle a+b=c$} in LaTeX with lmodern, 12 pt (TeX Live 2022). */
TEST(test_render__dimensions_are_those_of_tex)
{
    g_autoptr(TgDrawing) drawing = render_draw(state, "\\int_0^\\infty x^2\\,dx", FALSE);
    const TgDimensions dimensions = tg_drawing_dimensions(drawing);

    assert_int_equal(dimensions.width, 3225004);
    assert_int_equal(dimensions.height, 1088634);
    assert_int_equal(dimensions.depth, 709983);
}

TEST(test_render__tokens_are_those_of_the_source)
{
    g_autoptr(TgDrawing) drawing = render_draw(state, "\\frac{a}{b}\\quad\\sin x", FALSE);
    guint n;
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);
    static const char *const names[] = { "\\frac", "a", "b", "\\sin", "x" };

    assert_int_equal(n, G_N_ELEMENTS(names));
    for (guint i = 0; i < n; i++) {
        assert_string_equal(tokens[i].name, names[i]);
        assert_true(tokens[i].has_ink);
    }
    assert_true(tokens[1].box.y1 < tokens[0].box.y0 && tokens[0].box.y1 < tokens[2].box.y0);
    assert_true(tokens[3].box.x1 < tokens[4].box.x0);
    /* the bar is .4 pt thick at 10 pt, so .48 pt here: 1.33 px at 200 dpi */
    tg_assert_near(tokens[0].box.y1 - tokens[0].box.y0, 31456 / 65536.0 / 72.27 * 200, 1e-9);
}

typedef struct {
    gint x0, y0, x1, y1;
    gboolean any;
} PixelBox;

static void find_boxes(const TgRaster *raster, PixelBox *boxes, guint n)
{
    for (guint y = 0; y < raster->height; y++) {
        for (guint x = 0; x < raster->width; x++) {
            const guint32 id = raster->pixels[(gsize) y * raster->width + x];
            if (id == 0xFFFFFF)
                continue;
            assert_true(id < n);
            PixelBox *box = &boxes[id];
            const gint px = (gint) x, py = (gint) y;
            box->x0 = box->any ? MIN(box->x0, px) : px;
            box->y0 = box->any ? MIN(box->y0, py) : py;
            box->x1 = box->any ? MAX(box->x1, px + 1) : px + 1;
            box->y1 = box->any ? MAX(box->y1, py + 1) : py + 1;
            box->any = TRUE;
        }
    }
}

/* The boxes from the glyph list bound the pixels of the flat picture, to a pixel. */
TEST(test_render__boxes_agree_with_pixels)
{
    for (guint i = 0; i < G_N_ELEMENTS(samples); i++) {
        g_autoptr(TgDrawing) drawing = render_draw(state, samples[i], FALSE);
        g_autoptr(TgRaster) raster = tg_drawing_raster(drawing, TG_INK_FLAT, NULL);
        guint n;
        const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);
        g_autofree PixelBox *boxes = g_new0(PixelBox, n);

        find_boxes(raster, boxes, n);
        for (guint t = 0; t < n; t++) {
            if (!tokens[t].has_ink) {
                assert_false(boxes[t].any);
                continue;
            }
            const gboolean near = boxes[t].any && fabs(boxes[t].x0 - tokens[t].box.x0) <= 1 &&
                                  fabs(boxes[t].x1 - tokens[t].box.x1) <= 1 &&
                                  fabs(boxes[t].y0 - tokens[t].box.y0) <= 1 &&
                                  fabs(boxes[t].y1 - tokens[t].box.y1) <= 1;
            if (!near)
                fail_msg("%s in %s: %g %g %g %g, pixels %d %d %d %d", tokens[t].name, samples[i],
                         tokens[t].box.x0, tokens[t].box.y0, tokens[t].box.x1, tokens[t].box.y1,
                         boxes[t].x0, boxes[t].y0, boxes[t].x1, boxes[t].y1);
        }
    }
}

/* A letter that LaTeX has no accent for is drawn whole; any other mark has ink of its own. */
TEST(test_render__no_mark_is_lost)
{
    static const struct {
        const char *formula;
        guint n_tokens;
    } cases[] = {
        { "\\text{\304\205}", 1 },     /* a with ogonek */
        { "\\text{\341\272\277}", 1 }, /* e with circumflex and acute */
        { "\\text{\306\241}", 1 },     /* o with horn */
        { "\303\247", 1 },             /* c with cedilla, in mathematics */
        { "\\text{\\'{\\^{e}}}", 3 },
        { "\\text{\\'{\\textbf{e}}}", 2 },
        { "\\text{\\t{oo}}", 3 },
        { "\\text{\\k{x}}", 2 },
        { "\\text{\320\264\314\206}", 2 },         /* Cyrillic d with breve */
        { "\\text{\340\244\271\340\244\277}", 2 }, /* Devanagari hi */
        { "x\314\250", 2 },                        /* ogonek in mathematics */
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TgDrawing) drawing = render_draw(state, cases[i].formula, FALSE);
        guint n;
        const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);

        assert_int_equal(n, cases[i].n_tokens);
        for (guint t = 0; t < n; t++)
            if (!tokens[t].has_ink)
                fail_msg("%s in %s has no ink", tokens[t].name, cases[i].formula);
    }
}

TEST(test_render__size_and_resolution_magnify)
{
    TgRenderOptions options = TG_RENDER_OPTIONS_INIT;

    options.margin_px = 0;
    options.dpi = 400;
    options.size_pt = 18;
    g_autoptr(TgDrawing) small = render_draw(state, "x^2", FALSE);
    g_autoptr(TgDrawing) large = tg_renderer_draw(render_of(state), "x^2", 3, &options, NULL);
    guint n;
    const TgDrawnToken *a = tg_drawing_tokens(small, &n), *b = tg_drawing_tokens(large, &n);

    assert_int_equal(tg_drawing_dimensions(small).width, tg_drawing_dimensions(large).width);
    tg_assert_near(b[1].box.x1 - b[1].box.x0, 3 * (a[1].box.x1 - a[1].box.x0), 1e-9);

    options.dpi = 9;
    tg_assert_fails(tg_renderer_draw(render_of(state), "x", 1, &options, &error), TG_ERROR_USAGE,
                    "4800 dpi");
}

TEST(test_render__faults_are_drawn_or_refused)
{
    static const char tex[] = "a+\\nosuchthing b";
    TgRenderOptions options = TG_RENDER_OPTIONS_INIT;
    guint n;

    g_autoptr(TgDrawing) drawing = render_draw(state, tex, FALSE);
    const TgFormulaFault *faults = tg_drawing_faults(drawing, &n);
    assert_int_equal(n, 1);
    assert_string_equal(faults[0].kind, "unknown-command");
    assert_int_equal(faults[0].column, 3);
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);
    assert_int_equal(n, 4);
    assert_string_equal(tokens[2].name, "\\nosuchthing");
    assert_int_equal(tokens[2].flags, TG_TOKEN_ERROR);
    assert_true(tokens[2].has_ink);

    options.strict = TRUE;
    tg_assert_fails(tg_renderer_draw(render_of(state), tex, strlen(tex), &options, &error),
                    TG_ERROR_PARSE, "column 3");
}

TEST(test_render__writes_every_format)
{
    static const struct {
        TgPictureFormat format;
        const char *magic;
    } formats[] = { { TG_FORMAT_PNG, "\x89PNG" },
                    { TG_FORMAT_SVG, "<?xml" },
                    { TG_FORMAT_PDF, "%PDF" } };

    g_autoptr(TgDrawing) drawing = render_draw(state, samples[1], FALSE);
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        GError *error = NULL;
        g_autoptr(GBytes) first =
            tg_drawing_encode(drawing, formats[i].format, TG_INK_NATURAL, &error);
        tg_assert_no_error(error);
        g_autoptr(GBytes) second =
            tg_drawing_encode(drawing, formats[i].format, TG_INK_NATURAL, &error);
        gsize len;
        const char *data = g_bytes_get_data(first, &len);
        assert_memory_equal(data, formats[i].magic, strlen(formats[i].magic));
        assert_true(g_bytes_equal(first, second));
    }
}

/* Characters that no TeX font has lie in em boxes and count as filled ones. */
TEST(test_render__fallback_boxes_depend_on_no_font)
{
    g_autoptr(TgDrawing) drawing = render_draw(state, "\\text{\xE4\xB8\xAD}", FALSE); /* U+4E2D */
    guint n;
    const TgDrawnToken *tokens = tg_drawing_tokens(drawing, &n);
    const double em_px = 12 / 72.27 * 200;

    assert_int_equal(tg_drawing_dimensions(drawing).width, 12 * 65536);
    assert_int_equal(n, 1);
    tg_assert_near(tokens[0].box.x1 - tokens[0].box.x0, em_px * 7 / 8, 1e-6);
    tg_assert_near(tokens[0].box.y1 - tokens[0].box.y0, em_px * 7 / 8, 1e-3);
}

/* A character without font is an empty frame around its em box. */
TEST(test_render__a_character_without_font_is_a_frame)
{
    g_autoptr(TgDrawing) drawing =
        render_draw(state, "\\text{\xF1\x90\x80\x80}", FALSE); /* U+50000: assigned to nothing */
    g_autoptr(TgRaster) raster = tg_drawing_raster(drawing, TG_INK_NATURAL, NULL);
    guint n;
    const TgRect box = tg_drawing_tokens(drawing, &n)->box;
    const guint y = (guint) (box.y0 + box.y1) / 2, middle = (guint) (box.x0 + box.x1) / 2;
    gint first = -1, last = -1;

    for (guint x = 0; x < raster->width; x++) {
        if (raster->pixels[(gsize) y * raster->width + x] == 0xFFFFFF)
            continue;
        first = first < 0 ? (gint) x : first;
        last = (gint) x;
    }
    assert_true(fabs(first - box.x0) <= 1 && fabs(last + 1 - box.x1) <= 1);
    assert_int_equal(raster->pixels[(gsize) y * raster->width + middle], 0xFFFFFF);
}

TEST(test_render__huge_pictures_are_refused)
{
    g_autoptr(GString) tex = g_string_new(NULL);

    for (guint i = 0; i < 5000; i++)
        g_string_append(tex, "x+");
    g_autoptr(TgDrawing) drawing = render_draw(state, tex->str, FALSE);
    guint n;
    assert_true(tg_drawing_dimensions(drawing).width > G_MAXINT32);
    assert_non_null(tg_drawing_tokens(drawing, &n));
    assert_int_equal(n, 10000);
    tg_assert_fails(tg_drawing_raster(drawing, TG_INK_FLAT, &error), TG_ERROR_PARSE, "too large");
}

/* Labels of arrows are set once to measure them and once for good: nested, that doubles each time.
 */
TEST(test_render__nested_measuring_is_bounded)
{
    g_autoptr(GString) tex = g_string_new(NULL);

    for (guint i = 0; i < 60; i++)
        g_string_append(tex, "\\xrightarrow{");
    for (guint i = 0; i < 60; i++)
        g_string_append_c(tex, '}');
    tg_assert_fails(tg_renderer_draw(render_of(state), tex->str, tex->len, NULL, &error),
                    TG_ERROR_PARSE, "nested too deeply");
}

static gpointer draw_all(gpointer data)
{
    TgFonts *fonts = data;
    g_autoptr(TgRenderer) renderer = tg_renderer_new(fonts);
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);

    for (guint i = 0; i < G_N_ELEMENTS(samples); i++) {
        g_autoptr(TgDrawing) drawing =
            tg_renderer_draw(renderer, samples[i], strlen(samples[i]), NULL, NULL);
        g_autoptr(TgRaster) raster = tg_drawing_raster(drawing, TG_INK_FLAT, NULL);
        g_checksum_update(sum, (const guchar *) raster->pixels,
                          (gssize) ((gsize) raster->width * raster->height * 4));
    }
    char *digest = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return digest;
}

TEST(test_render__threads_share_fonts)
{
    const RenderFixture *fixture = *state;
    GThread *threads[4];
    g_autofree char *wanted = draw_all(fixture->fonts);
    g_autoptr(TgFonts) fresh = tg_fonts_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("draw", draw_all, fresh);
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
        tg_assert_text(g_thread_join(threads[i]), wanted);
}

TEST_GROUP(render_set_up, render_tear_down)
