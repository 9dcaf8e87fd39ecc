/* Pictures of pairs: marks from spans and boxes, what is in the file, and that it is always the
 * same. */
#include "tests/support/render_support.h"

#include <cairo.h>
#include <stdio.h>

#include <texgauge/picture.h>

/* 0x0B7F4F and 0xC92A0E as Cairo writes them */
#define GREEN "4.313725%,49.803922%,30.980392%"
#define RED   "78.823529%,16.470588%,5.490196%"
#define AMBER "65.882353%,41.960784%,0%"

static void set_formula(TgPairPicture *picture, void **state, TgPairSide side, const char *latex)
{
    g_autoptr(TgDrawing) drawing =
        tg_must(tg_renderer_draw(render_of(state), latex, strlen(latex), NULL, &error));

    tg_pair_picture_set_drawing(picture, side, drawing);
}

/* `a+b` and `a+c`: two marks matched, one not; (transfer full) */
static TgPairPicture *example(void **state)
{
    TgPairPicture *picture = tg_pair_picture_new();
    static const struct {
        guint32 start, end;
        TgTone tone;
        const char *truth, *prediction;
    } marks[] = {
        { 0, 1, TG_TONE_GOOD, "a", "a" },
        { 1, 2, TG_TONE_GOOD, "+", "+" },
        { 2, 3, TG_TONE_BAD, "b", "c" },
    };

    set_formula(picture, state, TG_SIDE_REF, "a+b");
    set_formula(picture, state, TG_SIDE_HYP, "a+c");
    for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
        const guint a = tg_pair_picture_add_span(picture, TG_SIDE_REF, marks[i].start, marks[i].end,
                                                 marks[i].tone, marks[i].truth);
        const guint b = tg_pair_picture_add_span(picture, TG_SIDE_HYP, marks[i].start, marks[i].end,
                                                 marks[i].tone, marks[i].prediction);
        tg_pair_picture_join(picture, a, b);
    }
    return picture;
}

/* (transfer full) */
static char *encode(const TgPairPicture *picture, void **state, TgPictureFormat format,
                    TgPairPictureOptions options, gsize *n)
{
    g_autoptr(GBytes) bytes =
        tg_must(tg_pair_picture_encode(picture, render_of(state), format, &options, &error));

    char *text = g_malloc0(g_bytes_get_size(bytes) + 1);
    memcpy(text, g_bytes_get_data(bytes, n), g_bytes_get_size(bytes));
    return text;
}

static char *svg_of(const TgPairPicture *picture, void **state, TgPairPictureOptions options)
{
    gsize n;

    return encode(picture, state, TG_FORMAT_SVG, options, &n);
}

/* How many boxes (closed paths) or lines of an SVG by Cairo are stroked in a color. */
static guint count_strokes(const char *svg, gboolean boxes, const char *rgb)
{
    g_autofree char *stroke = g_strdup_printf("stroke:rgb(%s)", rgb);
    g_auto(GStrv) paths = g_strsplit(svg, "<path", -1);
    guint n = 0;

    for (guint i = 1; paths[i] != NULL; i++) {
        *strchr(paths[i], '>') = '\0';
        n += strstr(paths[i], stroke) != NULL && (strstr(paths[i], " Z ") != NULL) == boxes;
    }
    return n;
}

static guint count_boxes(const char *svg, const char *rgb)
{
    return count_strokes(svg, TRUE, rgb);
}

static guint count_lines(const char *svg, const char *rgb)
{
    return count_strokes(svg, FALSE, rgb);
}

/* Width and height of an SVG. */
static void size_of(const char *svg, double *width, double *height)
{
    assert_int_equal(sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %lf %lf", width, height), 2);
}

TEST(test_pair_picture__spans_become_boxes)
{
    g_autoptr(TgPairPicture) picture = example(state);

    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_REF, TG_TONE_GOOD), 2);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_REF, TG_TONE_BAD), 1);
    assert_int_equal(tg_pair_picture_count(picture, TG_SIDE_HYP, TG_TONE_BAD), 1);
    assert_int_equal(tg_pair_picture_add_span(picture, TG_SIDE_REF, 1, 1, TG_TONE_BAD, NULL),
                     TG_NO_MARK);
    assert_int_equal(tg_pair_picture_add_span(picture, TG_SIDE_REF, 0, 3, TG_TONE_FAINT, NULL), 3);
}

/* Matched elements have boxes and lines only on request, so that errors stand out. */
TEST(test_pair_picture__what_is_wrong_stands_out)
{
    g_autoptr(TgPairPicture) picture = example(state);
    TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;

    g_autofree char *quiet = svg_of(picture, state, options);
    assert_int_equal(count_boxes(quiet, GREEN), 0);
    assert_int_equal(count_boxes(quiet, RED), 2);
    assert_int_equal(count_lines(quiet, GREEN), 0);
    assert_int_equal(count_lines(quiet, RED), 1);
    options.everything = TRUE;
    g_autofree char *all = svg_of(picture, state, options);
    assert_int_equal(count_boxes(all, GREEN), 4);
    assert_int_equal(count_boxes(all, RED), 2);
    assert_int_equal(count_lines(all, GREEN), 2);
    options.hide_lines = TRUE;
    g_autofree char *boxes = svg_of(picture, state, options);
    assert_int_equal(count_lines(boxes, GREEN), 0);
}

/* `ab` and `ba`, matched letter by letter: the lines cross. */
TEST(test_pair_picture__lines_show_what_changed_places)
{
    g_autoptr(TgPairPicture) picture = tg_pair_picture_new();
    const TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    guint marks[2][2];

    set_formula(picture, state, TG_SIDE_REF, "ab");
    set_formula(picture, state, TG_SIDE_HYP, "ba");
    for (guint s = 0; s < 2; s++)
        for (guint i = 0; i < 2; i++)
            marks[s][i] =
                tg_pair_picture_add_span(picture, (TgPairSide) s, i, i + 1, TG_TONE_GOOD, NULL);
    tg_pair_picture_join(picture, marks[0][0], marks[1][1]);
    tg_pair_picture_join(picture, marks[0][1], marks[1][0]);
    g_autofree char *svg = svg_of(picture, state, options);
    assert_int_equal(count_boxes(svg, GREEN), 0);
    assert_int_equal(count_lines(svg, GREEN), 2);
}

/* Without boxes of what matched the legend has no need to name them. */
TEST(test_pair_picture__legend_names_the_tones_that_occur)
{
    g_autoptr(TgPairPicture) picture = example(state);
    TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;

    tg_pair_picture_name_tone(picture, TG_TONE_GOOD, "matched");
    tg_pair_picture_name_tone(picture, TG_TONE_MINOR, "nearly");
    tg_pair_picture_name_tone(picture, TG_TONE_BAD, "lost");
    g_autofree char *quiet = svg_of(picture, state, options);
    assert_int_equal(count_boxes(quiet, RED), 2 + 1); /* one is the legend's */
    assert_int_equal(count_boxes(quiet, GREEN), 0);
    options.everything = TRUE;
    g_autofree char *svg = svg_of(picture, state, options);
    assert_int_equal(count_boxes(svg, GREEN), 4 + 1);
    assert_int_equal(count_boxes(svg, AMBER), 0);
}

/* Each adds its lines; whatever is in them is text. */
TEST(test_pair_picture__title_name_and_notes)
{
    g_autoptr(TgPairPicture) picture = example(state);
    const TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    double width, plain, titled, noted;

    g_autofree char *before = svg_of(picture, state, options);
    size_of(before, &width, &plain);
    tg_pair_picture_set_title(picture, "F1 0.667");
    tg_pair_picture_set_name(picture, "id <script>&]]>\x01\\frac_{^~#%");
    g_autofree char *with_title = svg_of(picture, state, options);
    size_of(with_title, &width, &titled);
    tg_pair_picture_add_note(picture, TG_TONE_BAD, "1", "b read as c");
    g_autofree char *with_note = svg_of(picture, state, options);
    size_of(with_note, &width, &noted);
    assert_true(titled > plain + 10 && noted > titled + 10);
    assert_null(strstr(with_note, "script"));
}

/* A page that has text of its own saves the bytes. */
TEST(test_pair_picture__bare)
{
    g_autoptr(TgPairPicture) picture = example(state);
    TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;

    tg_pair_picture_set_title(picture, "F1 0.667");
    options.bare = TRUE;
    g_autofree char *svg = svg_of(picture, state, options);
    g_autofree char *whole =
        svg_of(picture, state, (TgPairPictureOptions) TG_PAIR_PICTURE_OPTIONS_INIT);
    assert_int_equal(count_boxes(svg, RED), 2);
    assert_true(strlen(svg) < strlen(whole)); /* no text */
}

TEST(test_pair_picture__labels_on_request)
{
    g_autoptr(TgPairPicture) picture = example(state);
    TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    gsize none, wrong, all;

    g_free(encode(picture, state, TG_FORMAT_SVG, options, &none));
    options.labels = TG_LABELS_WRONG;
    g_free(encode(picture, state, TG_FORMAT_SVG, options, &wrong));
    options.labels = TG_LABELS_ALL;
    g_free(encode(picture, state, TG_FORMAT_SVG, options, &all));
    assert_true(none < wrong && wrong < all);
}

/* A label is wider than its formula: the picture has room for it. */
TEST(test_pair_picture__labels_have_room)
{
    g_autoptr(TgPairPicture) picture = tg_pair_picture_new();
    TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    double narrow, wide, low, high;

    set_formula(picture, state, TG_SIDE_REF, "a");
    set_formula(picture, state, TG_SIDE_HYP, "b");
    tg_pair_picture_add_span(picture, TG_SIDE_REF, 0, 1, TG_TONE_BAD, "something else");
    tg_pair_picture_add_span(picture, TG_SIDE_REF, 0, 1, TG_TONE_BAD, "and another");
    options.bare = TRUE;
    g_autofree char *without = svg_of(picture, state, options);
    size_of(without, &narrow, &low);
    options.labels = TG_LABELS_WRONG;
    g_autofree char *with = svg_of(picture, state, options);
    size_of(with, &wide, &high);
    assert_true(wide > narrow + 40 && high > low + 5 && high < low + 15);
}

TEST(test_pair_picture__the_same_bytes_every_time)
{
    static const TgPictureFormat formats[] = { TG_FORMAT_PNG, TG_FORMAT_SVG, TG_FORMAT_PDF };
    static const char *const starts[] = { "\x89PNG", "<?xml", "%PDF" };
    const TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;

    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        void *fresh;
        render_set_up(&fresh);
        g_autoptr(TgPairPicture) a = example(state), b = example(&fresh);
        gsize n_a, n_b;
        g_autofree char *x = encode(a, state, formats[i], options, &n_a);
        g_autofree char *y = encode(b, &fresh, formats[i], options, &n_b);

        assert_true(g_str_has_prefix(x, starts[i]));
        assert_int_equal(n_a, n_b);
        assert_memory_equal(x, y, n_a);
        render_tear_down(&fresh);
    }
}

/* ---- pixels ---- */

typedef struct {
    const char *data;
    gsize n, at;
} Stream;

static cairo_status_t read_bytes(void *closure, guchar *data, guint length)
{
    Stream *stream = closure;

    assert_true(stream->at + length <= stream->n);
    memcpy(data, stream->data + stream->at, length);
    stream->at += length;
    return CAIRO_STATUS_SUCCESS;
}

/* Edges are smooth, and boxes lie over the ink. */
static gboolean is_near(guint32 a, guint32 b)
{
    for (guint shift = 0; shift < 24; shift += 8)
        if (ABS((gint) (a >> shift & 0xFF) - (gint) (b >> shift & 0xFF)) > 24)
            return FALSE;
    return TRUE;
}

/* How many pixels of the picture have a color; its size by @width. */
static guint count_pixels(const TgPairPicture *picture, void **state, TgPairPictureOptions options,
                          guint32 rgb, int *width)
{
    Stream stream = { NULL, 0, 0 };
    g_autofree char *png = encode(picture, state, TG_FORMAT_PNG, options, &stream.n);
    guint n = 0;

    stream.data = png;
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(read_bytes, &stream);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    *width = cairo_image_surface_get_width(surface);
    for (int y = 0; y < cairo_image_surface_get_height(surface); y++) {
        const guchar *row = cairo_image_surface_get_data(surface) +
                            (gsize) y * (gsize) cairo_image_surface_get_stride(surface);
        for (int x = 0; x < *width; x++) {
            guint32 pixel;
            memcpy(&pixel, row + (gsize) x * 4, sizeof pixel);
            n += is_near(pixel, rgb);
        }
    }
    cairo_surface_destroy(surface);
    return n;
}

TEST(test_pair_picture__ink_takes_the_tone_on_request)
{
    g_autoptr(TgPairPicture) picture = example(state);
    TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    int width;

    const guint black = count_pixels(picture, state, options, 0x000000, &width);
    const guint green = count_pixels(picture, state, options, 0x0B7F4F, &width);
    options.tint = TRUE;
    assert_true(black > 100);
    assert_true(count_pixels(picture, state, options, 0x000000, &width) < black / 10);
    assert_true(count_pixels(picture, state, options, 0x0B7F4F, &width) > green + 50);
}

TEST(test_pair_picture__beyond_the_page_is_gray)
{
    g_autoptr(TgPairPicture) picture = example(state);
    const TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    int width;

    const guint others = count_pixels(picture, state, options, 0xBDBDBD, &width);
    tg_pair_picture_set_page(picture, TG_SIDE_REF, (TgRect){ -10, -10, 30, 100 });
    assert_true(count_pixels(picture, state, options, 0xBDBDBD, &width) > others + 30);
}

TEST(test_pair_picture__only_narrow_drawings_are_enlarged)
{
    static const char *const formulas[] = { "a", "a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w" };
    double width[2][2], height;

    for (guint i = 0; i < 2; i++)
        for (guint bare = 0; bare < 2; bare++) {
            g_autoptr(TgPairPicture) picture = tg_pair_picture_new();
            TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;

            options.bare = bare == 1;
            set_formula(picture, state, TG_SIDE_REF, formulas[i]);
            set_formula(picture, state, TG_SIDE_HYP, formulas[i]);
            g_autofree char *svg = svg_of(picture, state, options);
            size_of(svg, &width[i][bare], &height);
        }
    assert_true(width[0][0] > 2 * width[0][1]);
    tg_assert_near(width[1][0], width[1][1], 0.0);
}

TEST(test_pair_picture__scale)
{
    g_autoptr(TgPairPicture) picture = example(state);
    TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    int width, twice;

    count_pixels(picture, state, options, 0, &width);
    options.scale = 2;
    count_pixels(picture, state, options, 0, &twice);
    assert_in_range(twice, 2 * width - 1, 2 * width + 1);
    options.scale = 0;
    tg_assert_fails(
        tg_pair_picture_encode(picture, render_of(state), TG_FORMAT_PNG, &options, &error),
        TG_ERROR_USAGE, "scale");
}

/* A formula far too long for any format still has a picture. */
TEST(test_pair_picture__what_is_too_large_is_made_smaller)
{
    g_autoptr(TgPairPicture) picture = tg_pair_picture_new();
    const TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;
    g_autoptr(GString) latex = g_string_new(NULL);
    int width;

    for (guint i = 0; i < 1500; i++)
        g_string_append(latex, "a+");
    set_formula(picture, state, TG_SIDE_REF, latex->str);
    count_pixels(picture, state, options, 0, &width);
    assert_true(width <= 32767);
}

TEST(test_pair_picture__a_side_without_drawing)
{
    g_autoptr(TgPairPicture) picture = tg_pair_picture_new();
    const TgPairPictureOptions options = TG_PAIR_PICTURE_OPTIONS_INIT;

    tg_pair_picture_set_heading(picture, TG_SIDE_HYP, "nothing drawn: \\frac_{50%} #~$&");
    tg_pair_picture_own_token(
        picture, TG_SIDE_REF, 3,
        tg_pair_picture_add_box(picture, TG_SIDE_REF, (TgRect){ 0, 0, 1, 1 }, TG_TONE_BAD, NULL));
    g_autofree char *svg = svg_of(picture, state, options);
    assert_non_null(strstr(svg, "</svg>"));
}

TEST_GROUP(render_set_up, render_tear_down)
