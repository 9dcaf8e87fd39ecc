/* Contact sheets: where cells stand, what is too wide, labels, the same bytes at every run. */
#include "tests/support/test_support.h"

#include <cairo.h>
#include <string.h>

#include "render/pictures/contact_sheet.h"

/* At 200 dpi: a column of 2.25 inches, .06 around, a line of .13, and the drawing's own margin. */
enum { COLUMN = 450, PADDING = 12, LINE = 26, MARGIN = 4 };

static TgRenderer *renderer_new(void)
{
    GError *error = NULL;
    g_autoptr(TgFonts) fonts = tg_fonts_new(&error);

    tg_assert_no_error(error);
    return tg_renderer_new(fonts);
}

static TgDrawing *draw(TgRenderer *renderer, const char *tex)
{
    GError *error = NULL;
    TgDrawing *drawing = tg_renderer_draw(renderer, tex, strlen(tex), NULL, &error);

    tg_assert_no_error(error);
    return drawing;
}

/* ---- pixels ---- */

typedef struct {
    const guchar *data;
    gsize n, at;
} Stream;

static cairo_status_t read_bytes(void *closure, guchar *data, guint length)
{
    Stream *stream = closure;

    if (stream->n - stream->at < length)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(data, stream->data + stream->at, length);
    stream->at += length;
    return CAIRO_STATUS_SUCCESS;
}

/* The sheet of some formulas, each a black box, read back. */
static cairo_surface_t *sheet_of(const char *const *formulas, guint n, guint n_columns)
{
    g_autoptr(TgRenderer) renderer = renderer_new();
    g_autofree TgContactCell *cells = g_new0(TgContactCell, n);
    g_autoptr(GPtrArray) drawings = g_ptr_array_new();
    GError *error = NULL;

    for (guint i = 0; i < n; i++) {
        TgDrawing *drawing = draw(renderer, formulas[i]);
        g_ptr_array_add(drawings, drawing);
        cells[i] = (TgContactCell){ "7", formulas[i], drawing, NULL };
    }
    g_autoptr(GBytes) bytes = tg_contact_sheet_encode(cells, n, n_columns, 200, renderer,
                                                      TG_FORMAT_PNG, TG_INK_NATURAL, &error);
    tg_assert_no_error(error);
    Stream stream = { NULL, 0, 0 };
    stream.data = g_bytes_get_data(bytes, &stream.n);
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(read_bytes, &stream);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    for (guint i = 0; i < n; i++)
        tg_drawing_unref(drawings->pdata[i]);
    return surface;
}

static gboolean is_black(cairo_surface_t *surface, int x, int y)
{
    const guchar *data = cairo_image_surface_get_data(surface);
    guint32 pixel;

    memcpy(&pixel, data + (gsize) y * (gsize) cairo_image_surface_get_stride(surface) + 4 * x,
           sizeof pixel);
    return (pixel & 0xFFFFFF) == 0;
}

/* 20 pt are 55.3 px. */
static void test_contact_sheet__cells_stand_in_rows(void **state)
{
    static const char *const boxes[] = { "\\rule{20pt}{20pt}", "\\rule{20pt}{20pt}",
                                         "\\rule{20pt}{40pt}", "\\rule{20pt}{20pt}" };
    cairo_surface_t *surface = sheet_of(boxes, G_N_ELEMENTS(boxes), 3);
    const int left = PADDING + MARGIN, top = PADDING + LINE + MARGIN;
    const int first_row = 2 * PADDING + LINE + 2 * MARGIN + 111; /* of the high one, 110.7 px */

    (void) state;
    assert_int_equal(cairo_image_surface_get_width(surface), 3 * COLUMN);
    for (int column = 0; column < 3; column++) {
        assert_true(is_black(surface, column * COLUMN + left + 2, top + 2));
        assert_true(is_black(surface, column * COLUMN + left + 52, top + 50));
        assert_false(is_black(surface, column * COLUMN + left - 2, top + 10));
        assert_false(is_black(surface, column * COLUMN + left + 58, top + 10));
        assert_int_equal(is_black(surface, column * COLUMN + left + 10, top + 100), column == 2);
    }
    assert_true(is_black(surface, left + 10, first_row + top + 10));
    assert_false(is_black(surface, COLUMN + left + 10, first_row + top + 10));
    cairo_surface_destroy(surface);
}

/* 400 pt are 1107 px: three columns, so the next one begins a row; 2000 pt are made smaller. */
static void test_contact_sheet__wide_drawings(void **state)
{
    static const char *const boxes[] = { "\\rule{400pt}{5pt}", "\\rule{200pt}{5pt}",
                                         "\\rule{2000pt}{50pt}" };
    cairo_surface_t *surface = sheet_of(boxes, G_N_ELEMENTS(boxes), 4);
    const int top = PADDING + LINE + MARGIN + 5, row = 2 * PADDING + LINE + 2 * MARGIN + 14;

    (void) state;
    assert_true(is_black(surface, PADDING + MARGIN + 1100, top));
    assert_true(is_black(surface, PADDING + MARGIN + 550, row + top));
    assert_false(is_black(surface, PADDING + MARGIN + 560, row + top));
    /* 5536 px and two margins in 1776 px */
    assert_true(is_black(surface, PADDING + 1770, 2 * row + top + 20));
    assert_false(is_black(surface, 4 * COLUMN - 5, 2 * row + top + 20));
    cairo_surface_destroy(surface);
}

/* Long labels are cut, also where characters have several bytes, and bytes that are no text are
 * shown as such. */
static void test_contact_sheet__labels_and_notes(void **state)
{
    g_autofree char *xs = g_strnfill(5000, 'x');
    g_autoptr(GString) greek = g_string_new(NULL);
    g_autoptr(TgRenderer) renderer = renderer_new();
    g_autoptr(TgDrawing) drawing = draw(renderer, "x");
    GError *error = NULL;

    (void) state;
    for (guint i = 0; i < 300; i++)
        g_string_append(greek, "\316\261");
    const TgContactCell cells[] = {
        { "1", xs, drawing, NULL },    { NULL, greek->str, drawing, "b" },
        { "3", "a\377b", NULL, "no" }, { NULL, NULL, NULL, NULL },
        { xs, xs, drawing, xs },       { "6", "", drawing, "" }
    };
    for (guint format = TG_FORMAT_PNG; format <= TG_FORMAT_PDF; format++) {
        static const char *const magic[] = { "\211PNG", "<?xml", "%PDF" };
        gsize size;
        g_autoptr(GBytes) one =
            tg_contact_sheet_encode(cells, G_N_ELEMENTS(cells), 2, 200, renderer,
                                    (TgPictureFormat) format, TG_INK_TOKENS, &error);
        g_autoptr(GBytes) again =
            tg_contact_sheet_encode(cells, G_N_ELEMENTS(cells), 2, 200, renderer,
                                    (TgPictureFormat) format, TG_INK_TOKENS, &error);
        tg_assert_no_error(error);
        assert_true(g_bytes_equal(one, again));
        assert_memory_equal(g_bytes_get_data(one, &size), magic[format], strlen(magic[format]));
    }
}

static void test_contact_sheet__refuses(void **state)
{
    g_autoptr(TgRenderer) renderer = renderer_new();
    g_autoptr(TgDrawing) high = draw(renderer, "\\rule{1pt}{13000pt}");
    const TgContactCell cell = { "1", "x", high, NULL };
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_null(
        tg_contact_sheet_encode(&cell, 1, 4, 200, renderer, TG_FORMAT_PNG, TG_INK_NATURAL, &error));
    tg_assert_error(error, TG_ERROR_PARSE, "too large");
    assert_null(
        tg_contact_sheet_encode(&cell, 1, 0, 200, renderer, TG_FORMAT_PNG, TG_INK_NATURAL, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "columns");
    assert_null(
        tg_contact_sheet_encode(&cell, 1, 4, 200, renderer, TG_FORMAT_PNG, TG_INK_FLAT, &error));
    tg_assert_error(error, TG_ERROR_USAGE, "flat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contact_sheet__cells_stand_in_rows),
        cmocka_unit_test(test_contact_sheet__wide_drawings),
        cmocka_unit_test(test_contact_sheet__labels_and_notes),
        cmocka_unit_test(test_contact_sheet__refuses),
    };
    return cmocka_run_group_tests_name("contact_sheet", tests, NULL, NULL);
}
