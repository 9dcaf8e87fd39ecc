#include "tests/support/test_support.h"

#include <string.h>

#include "eval/report/plot.h"

static int open_font(void **state)
{
    GError *error = NULL;

    *state = tg_plot_font(&error);
    tg_assert_no_error(error);
    return *state == NULL;
}

static int close_font(void **state)
{
    tg_face_free(*state);
    return 0;
}

/* SVG is XML, so GLib's reader must find its tags in order. */
static void assert_well_formed(const char *svg)
{
    static const GMarkupParser no_callbacks = { 0 };
    GMarkupParseContext *context = g_markup_parse_context_new(&no_callbacks, 0, NULL, NULL);
    GError *error = NULL;

    g_markup_parse_context_parse(context, svg, -1, &error);
    if (error == NULL)
        g_markup_parse_context_end_parse(context, &error);
    tg_assert_no_error(error);
    g_markup_parse_context_free(context);
}

static char *drawn(TgFace *font, const TgPlot *plot)
{
    GError *error = NULL;
    char *svg = tg_plot_svg(plot, font, &error);

    tg_assert_no_error(error);
    assert_non_null(svg);
    return svg;
}

static const double xs[] = { 0, 0.5, 1 }, ys[] = { 0.2, 0.4, 0.9 }, ends[] = { 0.1, NAN, 0.8 };
static const double counts[] = { 1, 10, 100 };

static TgPlot plot_of(const TgPlotSeries *series, guint n)
{
    return (TgPlot){ .title = "title",
                     .x_label = "x",
                     .y_label = "y",
                     .x_max = 1,
                     .y_max = 1,
                     .cell_width = 0.1,
                     .cell_height = 0.1,
                     .diagonal = TRUE,
                     .series = series,
                     .n_series = n };
}

static void test_plot__every_kind_is_well_formed_svg(void **state)
{
    const TgPlotSeries series[] = {
        { "points", TG_PLOT_POINTS, xs, ys, NULL, NULL, NULL, 3 },
        { "line", TG_PLOT_LINE, xs, ys, ends, ys, NULL, 3 },
        { "<steps> & \"quotes\"", TG_PLOT_STEPS, xs, ys, NULL, NULL, NULL, 3 },
        { NULL, TG_PLOT_CELLS, xs, ys, NULL, NULL, counts, 3 },
        { "\xe4\xb8\xad\xe6\x96\x87 that the font lacks", TG_PLOT_POINTS, xs, ys, NULL, NULL, NULL,
          3 },
    };
    const TgPlot plot = plot_of(series, G_N_ELEMENTS(series));
    g_autofree char *svg = drawn(*state, &plot);
    g_autofree char *again = drawn(*state, &plot);

    assert_well_formed(svg);
    assert_string_equal(svg, again);
    assert_null(strstr(svg, "<text")); /* outlines, so that no font of the machine matters */
}

/* Two more points are two more pieces of path, whatever is around them. */
static void test_plot__draws_what_is_inside_only(void **state)
{
    const double outside[] = { -3, 0.5, 7 };
    const TgPlotSeries all = { NULL, TG_PLOT_POINTS, xs, ys, NULL, NULL, NULL, 3 };
    const TgPlotSeries one = { NULL, TG_PLOT_POINTS, outside, ys, NULL, NULL, NULL, 3 };
    const TgPlot full = plot_of(&all, 1), part = plot_of(&one, 1);
    g_autofree char *many = drawn(*state, &full);
    g_autofree char *few = drawn(*state, &part);

    assert_true(strlen(many) > strlen(few));
    assert_null(strstr(few, "nan"));
}

static void test_plot__nothing_to_draw_is_an_empty_frame(void **state)
{
    const TgPlotSeries none = { "none", TG_PLOT_LINE, NULL, NULL, NULL, NULL, NULL, 0 };
    TgPlot plot = plot_of(&none, 1);
    g_autofree char *svg = drawn(*state, &plot);

    assert_well_formed(svg);
    plot.n_series = 0;
    g_autofree char *bare = drawn(*state, &plot);
    assert_well_formed(bare);
}

static void assert_range(double low, double high, double wanted_low, double wanted_high)
{
    tg_plot_range(&low, &high);
    tg_assert_near(low, wanted_low, 1e-12);
    tg_assert_near(high, wanted_high, 1e-12);
}

static void test_plot__ranges_have_room_and_are_never_empty(void **state)
{
    (void) state;
    assert_range(0, 1, -0.03, 1.03);
    assert_range(4, 4, 2, 6);
    assert_range(0, 0, -0.5, 0.5);
    assert_range(NAN, 1, -0.03, 1.03);
    assert_range(-INFINITY, INFINITY, -0.03, 1.03);
    assert_range(2, 1, -0.03, 1.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plot__every_kind_is_well_formed_svg),
        cmocka_unit_test(test_plot__draws_what_is_inside_only),
        cmocka_unit_test(test_plot__nothing_to_draw_is_an_empty_frame),
        cmocka_unit_test(test_plot__ranges_have_room_and_are_never_empty),
    };
    return cmocka_run_group_tests_name("plot", tests, open_font, close_font);
}
