#include "eval/report/plot.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <string.h>

#include "render/fonts/font_files.h"
#include "render/paint/outline_path.h"

/* The area between the axes. */
enum {
    LEFT = 62,
    RIGHT = TG_PLOT_WIDTH - 14,
    TOP = 52,
    BOTTOM = TG_PLOT_HEIGHT - 50,
};

static const double text_size = 13, small_size = 11.5;

/* Okabe and Ito's colours, which people with any colour vision tell apart; yellow is too pale. */
static const guint32 colors[] = {
    0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x000000,
};

typedef struct {
    const TgPlot *plot;
    cairo_t *cr;
    TgFace *font;
    GError *error; /* the first one of the font */
} Painter;

TgFace *tg_plot_font(GError **error)
{
    g_autofree char *path = tg_font_find_file("lmss10.pfb", error);

    return path != NULL ? tg_face_new_from_file(path, 0) : NULL;
}

void tg_plot_range(double *low, double *high)
{
    double margin;

    if (!(isfinite(*low) && isfinite(*high) && *low <= *high)) {
        *low = 0.0;
        *high = 1.0;
    }
    margin = *high > *low ? 0.03 * (*high - *low) : MAX(0.5 * fabs(*low), 0.5);
    *low -= margin;
    *high += margin;
}

static void set_color(cairo_t *cr, guint32 rgb, double alpha)
{
    cairo_set_source_rgba(cr, (rgb >> 16) / 255.0, (rgb >> 8 & 0xFF) / 255.0, (rgb & 0xFF) / 255.0,
                          alpha);
}

static guint32 series_color(guint series)
{
    return colors[series % G_N_ELEMENTS(colors)];
}

/* ---- text ---- */

static const double missing_width = 0.6; /* of a character that the font lacks, in em */

static const TgOutline *outline_of(Painter *p, gunichar code)
{
    const TgOutline *outline = tg_face_outline(p->font, code, p->error == NULL ? &p->error : NULL);

    return outline != NULL && (outline->advance > 0 || outline->n_ops > 0) ? outline : NULL;
}

static double text_width(Painter *p, const char *text, double size)
{
    double width = 0.0;

    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        const TgOutline *outline = outline_of(p, g_utf8_get_char(text));

        width += size * (outline != NULL ? outline->advance : missing_width);
    }
    return width;
}

/* @at: 0 starts at x, 0.5 is centred there, 1 ends there. */
static void put_text(Painter *p, double x, double y, double at, double size, const char *text)
{
    x -= at * text_width(p, text, size);
    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        const TgOutline *outline = outline_of(p, g_utf8_get_char(text));

        if (outline != NULL)
            tg_outline_path(p->cr, outline, x, y, size, size);
        else
            cairo_rectangle(p->cr, x + 1, y - 0.7 * size, missing_width * size - 2, 0.7 * size);
        x += size * (outline != NULL ? outline->advance : missing_width);
    }
    cairo_fill(p->cr);
}

/* A text that is wider than @width loses its end. */
static void put_fitting(Painter *p, double x, double y, double at, double size, double width,
                        const char *text)
{
    g_autoptr(GString) cut = g_string_new(text);

    while (text_width(p, cut->str, size) > width && cut->len > 3) {
        const char *end = g_utf8_find_prev_char(cut->str, cut->str + cut->len - 3);

        g_string_truncate(cut, end != NULL ? (gsize) (end - cut->str) : 0);
        g_string_append(cut, "...");
    }
    put_text(p, x, y, at, size, cut->str);
}

/* ---- axes ---- */

static double to_x(const Painter *p, double value)
{
    const TgPlot *plot = p->plot;

    return LEFT + (value - plot->x_min) / (plot->x_max - plot->x_min) * (RIGHT - LEFT);
}

static double to_y(const Painter *p, double value)
{
    const TgPlot *plot = p->plot;

    return BOTTOM - (value - plot->y_min) / (plot->y_max - plot->y_min) * (BOTTOM - TOP);
}

/* 1, 2 or 5 times a power of ten, such that about five steps make the range. */
static double tick_step(double range)
{
    const double rough = range / 5, power = pow(10, floor(log10(rough)));
    const double multiple = rough / power;

    return power * (multiple < 1.5 ? 1 : multiple < 3 ? 2 : multiple < 7 ? 5 : 10);
}

/* Enough decimals for ticks that lie @step apart. */
static void tick_text(double value, double step, char out[32])
{
    const gint decimals = CLAMP((gint) ceil(-log10(step) - 1e-9), 0, 9);
    char pattern[16];

    g_snprintf(pattern, sizeof pattern, "%%.%df", decimals);
    g_ascii_formatd(out, 32, pattern, fabs(value) < step / 2 ? 0.0 : value);
}

static void line(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

static void paint_x_axis(Painter *p)
{
    const TgPlot *plot = p->plot;
    const double step = tick_step(plot->x_max - plot->x_min);
    char text[32];

    for (double t = ceil(plot->x_min / step - 1e-9) * step; t <= plot->x_max + step * 1e-9;
         t += step) {
        set_color(p->cr, 0x000000, 0.12);
        line(p->cr, to_x(p, t), TOP, to_x(p, t), BOTTOM);
        set_color(p->cr, 0x222222, 1);
        tick_text(t, step, text);
        put_text(p, to_x(p, t), BOTTOM + 16, 0.5, small_size, text);
    }
    put_fitting(p, (LEFT + RIGHT) / 2.0, BOTTOM + 38, 0.5, text_size, RIGHT - LEFT, plot->x_label);
}

static void paint_y_axis(Painter *p)
{
    const TgPlot *plot = p->plot;
    const double step = tick_step(plot->y_max - plot->y_min);
    char text[32];

    for (double t = ceil(plot->y_min / step - 1e-9) * step; t <= plot->y_max + step * 1e-9;
         t += step) {
        set_color(p->cr, 0x000000, 0.12);
        line(p->cr, LEFT, to_y(p, t), RIGHT, to_y(p, t));
        set_color(p->cr, 0x222222, 1);
        tick_text(t, step, text);
        put_text(p, LEFT - 6, to_y(p, t) + 4, 1, small_size, text);
    }
    cairo_save(p->cr);
    cairo_translate(p->cr, 15, (TOP + BOTTOM) / 2.0);
    cairo_rotate(p->cr, -G_PI / 2);
    put_fitting(p, 0, 0, 0.5, text_size, BOTTOM - TOP, plot->y_label);
    cairo_restore(p->cr);
}

static void paint_frame(Painter *p)
{
    cairo_set_line_width(p->cr, 0.8);
    paint_x_axis(p);
    paint_y_axis(p);
    set_color(p->cr, 0x222222, 1);
    put_fitting(p, TG_PLOT_WIDTH / 2.0, 18, 0.5, text_size + 1, TG_PLOT_WIDTH - 20, p->plot->title);
    cairo_rectangle(p->cr, LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
    cairo_stroke(p->cr);
}

/* ---- series ---- */

static gboolean is_inside(const TgPlot *plot, double x, double y)
{
    return x >= plot->x_min && x <= plot->x_max && y >= plot->y_min && y <= plot->y_max;
}

static void marker_path(cairo_t *cr, guint series, double x, double y, double r)
{
    switch (series % 4) {
    case 0:
        cairo_new_sub_path(cr);
        cairo_arc(cr, x, y, r, 0, 2 * G_PI);
        break;
    case 1:
        cairo_rectangle(cr, x - r, y - r, 2 * r, 2 * r);
        break;
    case 2:
        cairo_move_to(cr, x, y - 1.3 * r);
        cairo_line_to(cr, x + 1.2 * r, y + r);
        cairo_line_to(cr, x - 1.2 * r, y + r);
        break;
    default:
        cairo_move_to(cr, x, y - 1.4 * r);
        cairo_line_to(cr, x + 1.4 * r, y);
        cairo_line_to(cr, x, y + 1.4 * r);
        cairo_line_to(cr, x - 1.4 * r, y);
        break;
    }
    cairo_close_path(cr);
}

static void paint_points(Painter *p, guint number, double radius, double alpha)
{
    const TgPlotSeries *s = &p->plot->series[number];

    set_color(p->cr, series_color(number), alpha);
    for (guint i = 0; i < s->n; i++) {
        if (is_inside(p->plot, s->x[i], s->y[i]))
            marker_path(p->cr, number, to_x(p, s->x[i]), to_y(p, s->y[i]), radius);
    }
    cairo_fill(p->cr);
}

static void set_dashes(cairo_t *cr, guint series)
{
    static const double patterns[][4] = { { 0 }, { 7, 3 }, { 2, 2.5 }, { 8, 3, 2, 3 } };
    static const int lengths[] = { 0, 2, 2, 4 };

    cairo_set_dash(cr, patterns[series % 4], lengths[series % 4], 0);
}

static void paint_line(Painter *p, guint number)
{
    const TgPlotSeries *s = &p->plot->series[number];

    cairo_set_line_width(p->cr, 1.6);
    set_color(p->cr, series_color(number), 1);
    set_dashes(p->cr, number);
    for (guint i = 0; i < s->n; i++) {
        if (s->kind == TG_PLOT_STEPS && i > 0)
            cairo_line_to(p->cr, to_x(p, s->x[i]), to_y(p, s->y[i - 1]));
        cairo_line_to(p->cr, to_x(p, s->x[i]), to_y(p, s->y[i]));
    }
    cairo_stroke(p->cr);
    cairo_set_dash(p->cr, NULL, 0, 0);
    cairo_set_line_width(p->cr, 1);
    for (guint i = 0; s->low != NULL && i < s->n; i++) {
        if (!isnan(s->low[i]) && !isnan(s->high[i]))
            line(p->cr, to_x(p, s->x[i]), to_y(p, s->low[i]), to_x(p, s->x[i]),
                 to_y(p, s->high[i]));
    }
    if (s->kind == TG_PLOT_LINE)
        paint_points(p, number, 3, 1);
}

/* Counts differ by orders of magnitude, so their logarithm sets the shade. */
static void paint_cells(Painter *p, guint number)
{
    const TgPlot *plot = p->plot;
    const TgPlotSeries *s = &plot->series[number];
    const double w = plot->cell_width / 2, h = plot->cell_height / 2;
    double most = 1.0;

    for (guint i = 0; i < s->n; i++)
        most = MAX(most, s->count[i]);
    for (guint i = 0; i < s->n; i++) {
        const double x = to_x(p, s->x[i] - w), y = to_y(p, s->y[i] + h);

        set_color(p->cr, series_color(number), 0.15 + 0.85 * log1p(s->count[i]) / log1p(most));
        cairo_rectangle(p->cr, x, y, to_x(p, s->x[i] + w) - x, to_y(p, s->y[i] - h) - y);
        cairo_fill(p->cr);
    }
}

static void paint_series(Painter *p)
{
    cairo_save(p->cr);
    cairo_rectangle(p->cr, LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
    cairo_clip(p->cr);
    if (p->plot->diagonal) {
        const double low = MAX(p->plot->x_min, p->plot->y_min);
        const double high = MIN(p->plot->x_max, p->plot->y_max);

        set_color(p->cr, 0x000000, 0.35);
        line(p->cr, to_x(p, low), to_y(p, low), to_x(p, high), to_y(p, high));
    }
    for (guint i = 0; i < p->plot->n_series; i++) {
        switch (p->plot->series[i].kind) {
        case TG_PLOT_POINTS:
            paint_points(p, i, 2.4, 0.55);
            break;
        case TG_PLOT_LINE:
        case TG_PLOT_STEPS:
            paint_line(p, i);
            break;
        case TG_PLOT_CELLS:
            paint_cells(p, i);
            break;
        }
    }
    cairo_restore(p->cr);
}

static void paint_legend(Painter *p)
{
    const double width = (double) (TG_PLOT_WIDTH - 20) / MAX(p->plot->n_series, 1);
    double x = LEFT;

    for (guint i = 0; i < p->plot->n_series; i++) {
        const TgPlotSeries *s = &p->plot->series[i];
        const double y = 40;

        if (s->name == NULL)
            continue;
        set_color(p->cr, series_color(i), 1);
        if (s->kind == TG_PLOT_LINE || s->kind == TG_PLOT_STEPS) {
            cairo_set_line_width(p->cr, 1.6);
            set_dashes(p->cr, i);
            line(p->cr, x, y - 4, x + 22, y - 4);
            cairo_set_dash(p->cr, NULL, 0, 0);
        }
        if (s->kind != TG_PLOT_STEPS) {
            marker_path(p->cr, i, x + 11, y - 4, 3);
            cairo_fill(p->cr);
        }
        set_color(p->cr, 0x222222, 1);
        put_fitting(p, x + 27, y, 0, small_size, width - 34, s->name);
        x += MIN(width, text_width(p, s->name, small_size) + 42);
    }
}

static cairo_status_t append_bytes(void *closure, const unsigned char *data, unsigned int length)
{
    g_string_append_len(closure, (const char *) data, length);
    return CAIRO_STATUS_SUCCESS;
}

/* Cairo numbers surfaces through the whole process; nothing refers to these names. */
static void drop_surface_ids(GString *svg)
{
    static const char start[] = " id=\"surface";
    char *at = svg->str;

    while ((at = strstr(at, start)) != NULL) {
        const gssize from = at - svg->str;
        const char *end = strchr(at + sizeof start - 1, '"');

        if (end == NULL)
            return;
        g_string_erase(svg, from, end + 1 - at);
        at = svg->str + from;
    }
}

char *tg_plot_svg(const TgPlot *plot, TgFace *font, GError **error)
{
    GString *out = g_string_new(NULL);
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(append_bytes, out, TG_PLOT_WIDTH, TG_PLOT_HEIGHT);
    Painter painter = { plot, cairo_create(surface), font, NULL };
    cairo_status_t status;

    paint_frame(&painter);
    paint_series(&painter);
    paint_legend(&painter);
    status = cairo_status(painter.cr);
    cairo_destroy(painter.cr);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (painter.error == NULL && status == CAIRO_STATUS_SUCCESS) {
        drop_surface_ids(out);
        return g_string_free(out, FALSE);
    }
    g_string_free(out, TRUE);
    if (painter.error != NULL)
        g_propagate_error(error, painter.error);
    else
        g_set_error(error, TG_ERROR, TG_ERROR_INTERNAL, "a plot cannot be drawn: %s",
                    cairo_status_to_string(status));
    return NULL;
}
