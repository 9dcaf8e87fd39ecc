/* The series of one plot. */
#pragma once

#include "eval/report/plot.h"

/** As many series, one for each model, as there are colours. */
enum { TG_SERIES_MAX = 7 };

/** Series, and the arrays that live as long as their plot. */
typedef struct {
    TgPlotSeries series[TG_SERIES_MAX];
    guint n;
    GPtrArray *arrays;
} TgSeriesSet;

void tg_series_set_init(TgSeriesSet *set);
void tg_series_set_clear(TgSeriesSet *set);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgSeriesSet, tg_series_set_clear)

/** Memory for @n numbers; belongs to the set. */
double *tg_series_set_array(TgSeriesSet *set, guint n);

/**
 * The range of the defined values. A few that lie far from the others (less than one in a hundred,
 * more than three times as far out) are left outside, so that the others do not merge.
 */
void tg_series_range(const double *values, guint n, double *low, double *high);
