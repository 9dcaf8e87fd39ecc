#include "eval/report/series.h"

#include <math.h>
#include <string.h>

#include "eval/stats/bootstrap.h"

void tg_series_set_init(TgSeriesSet *set)
{
    memset(set, 0, sizeof *set);
    set->arrays = g_ptr_array_new_with_free_func(g_free);
}

double *tg_series_set_array(TgSeriesSet *set, guint n)
{
    double *array = g_new(double, n);

    g_ptr_array_add(set->arrays, array);
    return array;
}

void tg_series_set_clear(TgSeriesSet *set)
{
    g_ptr_array_unref(set->arrays);
}

void tg_series_range(const double *values, guint n, double *low, double *high)
{
    g_autofree double *sorted = g_new(double, n);
    double inner_low, inner_high;
    guint n_defined = 0;

    *low = *high = NAN;
    for (guint i = 0; i < n; i++) {
        if (!isnan(values[i]))
            sorted[n_defined++] = values[i];
    }
    if (n_defined > 0) {
        tg_stats_sort(sorted, n_defined);
        *low = sorted[0];
        *high = sorted[n_defined - 1];
        inner_low = tg_stats_quantile(sorted, n_defined, 0.005);
        inner_high = tg_stats_quantile(sorted, n_defined, 0.995);
        if (inner_high > inner_low && *high - *low > 3 * (inner_high - inner_low)) {
            *low = inner_low;
            *high = inner_high;
        }
    }
    tg_plot_range(low, high);
}
