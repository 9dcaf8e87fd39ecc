/* Plots as SVG: axes, points, lines and counts, readable in print and without colour. */
#pragma once

#include <texgauge/types.h>

#include "render/fonts/face.h"

/** How a series is drawn. Series differ in colour, and also in dashes or the shape of points. */
typedef enum {
    TG_PLOT_POINTS,
    TG_PLOT_LINE,  /**< points joined by straight lines, with error bars where given */
    TG_PLOT_STEPS, /**< y holds from its x to the next */
    TG_PLOT_CELLS, /**< counts on a grid: the darker, the more */
} TgPlotKind;

/** One set of numbers; all arrays have @n. */
typedef struct {
    const char *name; /**< in the legend; NULL: none */
    TgPlotKind kind;
    const double *x, *y; /**< of CELLS the centres */
    const double *low,
        *high;           /**< LINE: ends of the error bars, NaN for none; NULL for none at all */
    const double *count; /**< CELLS: more than 0 */
    guint n;
} TgPlotSeries;

/** What a plot shows. Numbers outside the ranges are not drawn. */
typedef struct {
    const char *title;
    const char *x_label, *y_label; /**< with their units */
    double x_min, x_max, y_min, y_max;
    double cell_width, cell_height; /**< of CELLS, in the units of the axes */
    gboolean diagonal;              /**< a thin line y = x */
    const TgPlotSeries *series;
    guint n_series;
} TgPlot;

/** The size of every plot, in the units of its viewBox. */
enum { TG_PLOT_WIDTH = 460, TG_PLOT_HEIGHT = 340 };

/** The font of plots; (transfer full), or NULL with TG_ERROR_FONT that names the package. */
TgFace *tg_plot_font(GError **error);

/**
 * Draw a plot.
 *
 * Returns: (transfer full) an SVG document, or NULL with @error set to
 *   TG_ERROR_FONT      the font is broken
 *   TG_ERROR_INTERNAL  Cairo cannot write
 */
char *tg_plot_svg(const TgPlot *plot, TgFace *font, GError **error);

/** Widen [@low, @high] to a range that a plot can have: finite, not empty, with a margin. */
void tg_plot_range(double *low, double *high);
