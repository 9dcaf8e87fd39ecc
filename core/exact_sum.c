#include "core/exact_sum.h"

#include <math.h>

void tg_exact_sum_add(TgExactSum *sum, double term)
{
    guint kept = 0;

    for (guint i = 0; i < sum->n; i++) {
        double low = sum->part[i];
        double high;

        if (fabs(term) < fabs(low)) {
            const double swap = term;
            term = low;
            low = swap;
        }
        high = term + low;
        low -= high - term;
        if (low != 0.0)
            sum->part[kept++] = low;
        term = high;
    }
    g_assert(kept < G_N_ELEMENTS(sum->part));
    sum->part[kept++] = term;
    sum->n = kept;
}

double tg_exact_sum_value(const TgExactSum *sum)
{
    guint i = sum->n;
    double high, low = 0.0;

    if (i == 0)
        return 0.0;
    high = sum->part[--i];
    while (i > 0) {
        const double above = high;
        const double next = sum->part[--i];

        high = above + next;
        low = next - (high - above);
        if (low != 0.0)
            break;
    }
    /* Half-way cases: the parts below decide, so that the rounding is that of the exact sum. */
    if (i > 0 && ((low < 0.0 && sum->part[i - 1] < 0.0) || (low > 0.0 && sum->part[i - 1] > 0.0))) {
        const double twice = low * 2.0;
        const double up = high + twice;

        if (twice == up - high)
            high = up;
    }
    return high;
}
