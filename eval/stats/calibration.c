/*
 * Accuracy as a function of the threshold is a step function: as the threshold passes the metric's
 * difference for a pair, the accuracy rises if the human ties the pair, and falls if the metric had
 * it in the right order. There are n^2 steps, too many to keep, but those up to any threshold are
 * counted in O(n log n). So the search is a branch and bound over gaps between thresholds: no
 * threshold inside a gap can be better than that below it with all the rises of the gap, or than
 * that above it without its falls. The gap that could be best is split, or searched step by step
 * where it holds few enough, until none could be better or the work is used up.
 */
#include "core/random.h"
#include "eval/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SORTED = 1 << 18, /* steps sorted at once */
    N_SAMPLES = 1 << 14,  /* differences drawn to find the middle of a gap */
};

/* Items and pairs looked at: all pairs of 11,500 items, and the splits of 64 gaps. */
#define MAX_WORK(n) ((G_GUINT64_CONSTANT(1) << 26) + (guint64) 128 * (n))

/* What a threshold gives. */
typedef struct {
    double epsilon;
    guint64 right; /* pairs that the metric has right, ties included */
    guint64 ties;  /* pairs tied by both */
    guint64 tied;  /* pairs tied by the metric */
} Point;

typedef struct {
    Point low, high; /* the steps between them, those at @high included */
    guint64 bound;   /* no threshold between has more pairs right */
} Gap;

typedef struct {
    double epsilon;
    gint gain;
} Step;

typedef struct {
    const TgRanked *metric, *human; /* items in ascending order of the metric */
    GArray *gaps;                   /* Gap */
    double *samples;                /* [N_SAMPLES] differences, ascending */
    Step *steps;                    /* [MAX_SORTED] */
    Point best;
    guint64 work;
} Search;

static Point point_at(Search *search, double epsilon)
{
    TgPairCounts counts;

    tg_stats_pair_counts(search->metric, search->human, NULL, search->metric->n, epsilon, &counts);
    search->work += search->metric->n;
    return (Point){ epsilon, counts.concordant + counts.both_ties, counts.both_ties,
                    counts.metric_ties + counts.both_ties };
}

/* Of thresholds that are as good the smallest is the best. */
static void consider(Search *search, const Point *point)
{
    if (point->right > search->best.right ||
        (point->right == search->best.right && point->epsilon < search->best.epsilon))
        search->best = *point;
}

static void add_gap(Search *search, const Point *low, const Point *high)
{
    const guint64 rises = high->ties - low->ties;
    const guint64 falls = low->right + rises - high->right;
    const Gap gap = { *low, *high, MIN(low->right + rises, high->right + falls) };

    if (high->tied > low->tied)
        g_array_append_val(search->gaps, gap);
}

/* Index of the gap that could hold the best threshold; G_MAXUINT if none could. */
static guint most_hopeful(const Search *search)
{
    guint found = G_MAXUINT;

    for (guint i = 0; i < search->gaps->len; i++) {
        const Gap *gap = &g_array_index(search->gaps, Gap, i);
        const Gap *other = found < i ? &g_array_index(search->gaps, Gap, found) : NULL;

        if (gap->bound < search->best.right ||
            (gap->bound == search->best.right && gap->low.epsilon >= search->best.epsilon))
            continue;
        if (other == NULL || gap->bound > other->bound ||
            (gap->bound == other->bound && gap->low.epsilon < other->low.epsilon))
            found = i;
    }
    return found;
}

/* The first item after @low whose difference from it is more than @epsilon. */
static guint first_partner(const TgRanked *metric, guint low, double epsilon)
{
    const double value = tg_ranked_value(metric, NULL, low);
    guint from = low + 1, to = metric->n;

    while (from < to) {
        const guint middle = from + (to - from) / 2;

        if (tg_ranked_value(metric, NULL, middle) - value <= epsilon)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void search_steps(Search *search, const Gap *gap)
{
    const TgRanked *metric = search->metric;
    Point point = gap->low;
    guint n = 0;

    for (guint i = 0; i < metric->n; i++) {
        for (guint j = first_partner(metric, i, gap->low.epsilon); j < metric->n; j++) {
            const double difference =
                tg_ranked_value(metric, NULL, j) - tg_ranked_value(metric, NULL, i);
            const guint32 low = search->human->rank[i], high = search->human->rank[j];

            if (difference > gap->high.epsilon)
                break;
            search->steps[n++] = (Step){ difference, low == high ? 1 : high > low ? -1 : 0 };
        }
    }
    search->work += metric->n + n;
    qsort(search->steps, n, sizeof *search->steps, tg_stats_compare);
    for (guint i = 0; i < n; i++) {
        point.right += search->steps[i].gain;
        point.epsilon = search->steps[i].epsilon;
        if (i + 1 == n || search->steps[i + 1].epsilon > point.epsilon)
            consider(search, &point);
    }
}

/* The middle one of the samples between, or the middle of the doubles. */
static double middle_of(const Search *search, const Gap *gap)
{
    guint from = 0, to = N_SAMPLES;
    guint64 low, high;
    double middle;

    while (from < N_SAMPLES && search->samples[from] <= gap->low.epsilon)
        from++;
    while (to > from && search->samples[to - 1] > gap->high.epsilon)
        to--;
    if (from < to)
        return search->samples[from + (to - from) / 2];
    /* bits of positive doubles order as they do */
    memcpy(&low, &gap->low.epsilon, sizeof low);
    memcpy(&high, &gap->high.epsilon, sizeof high);
    low += (high - low + 1) / 2;
    memcpy(&middle, &low, sizeof middle);
    return middle;
}

/* Steps at the middle itself, which may be many, are in neither half. */
static void split(Search *search, const Gap *gap)
{
    const double epsilon = middle_of(search, gap);
    const Point middle = point_at(search, epsilon);
    const Point below = point_at(search, nextafter(epsilon, 0.0));

    consider(search, &middle);
    add_gap(search, &gap->low, &below);
    add_gap(search, &middle, &gap->high);
}

static void draw_samples(Search *search)
{
    const TgRanked *metric = search->metric;
    TgRandom random;

    tg_random_seed(&random, 0, 0);
    for (guint i = 0; i < N_SAMPLES; i++) {
        const double a = tg_ranked_value(metric, NULL, tg_random_below(&random, metric->n));

        search->samples[i] =
            fabs(a - tg_ranked_value(metric, NULL, tg_random_below(&random, metric->n)));
    }
    tg_stats_sort(search->samples, N_SAMPLES);
}

/* The greatest difference that is no more than the best threshold, which ties the same pairs. */
static double difference_at(const Search *search)
{
    double found = 0.0;

    for (guint i = 0; i < search->metric->n; i++) {
        const guint j = first_partner(search->metric, i, search->best.epsilon) - 1;

        found = MAX(found, tg_ranked_value(search->metric, NULL, j) -
                               tg_ranked_value(search->metric, NULL, i));
    }
    return found;
}

gboolean tg_stats_calibrate_ties(const double *metric, const double *human, guint n,
                                 TgTieCalibration *out)
{
    g_autofree double(*items)[2] = g_malloc_n(n, sizeof *items);
    g_autofree double *values = g_new(double, n), *ratings = g_new(double, n);
    g_autofree double *samples = g_new(double, N_SAMPLES);
    g_autofree Step *steps = g_new(Step, MAX_SORTED);
    g_autoptr(GArray) gaps = g_array_new(FALSE, FALSE, sizeof(Gap));
    const guint64 all = (guint64) n * MAX(n, 1) / 2 - n / 2, limit = MAX_WORK(n);
    guint next;

    *out = (TgTieCalibration){ NAN, NAN, NAN, 0 };
    for (guint i = 0; i < n; i++) {
        items[i][0] = metric[i];
        items[i][1] = human[i];
    }
    if (n > 1)
        qsort(items, n, sizeof *items, tg_stats_compare);
    if (n < 2 || !isfinite(items[n - 1][0] - items[0][0]))
        return FALSE;
    for (guint i = 0; i < n; i++) {
        values[i] = items[i][0];
        ratings[i] = items[i][1];
    }
    g_autoptr(TgRanked) m = tg_ranked_new(values, n);
    g_autoptr(TgRanked) h = tg_ranked_new(ratings, n);
    Search search = { .metric = m, .human = h, .gaps = gaps, .samples = samples, .steps = steps };
    const Point none = point_at(&search, 0.0);
    const Point widest = point_at(&search, values[n - 1] - values[0]);

    draw_samples(&search);
    search.best = none;
    consider(&search, &widest);
    add_gap(&search, &none, &widest);
    while ((next = most_hopeful(&search)) != G_MAXUINT && search.work < limit) {
        const Gap gap = g_array_index(gaps, Gap, next);

        g_array_remove_index_fast(gaps, next);
        if (gap.high.tied - gap.low.tied <= MAX_SORTED)
            search_steps(&search, &gap);
        else
            split(&search, &gap);
    }
    out->epsilon = difference_at(&search);
    out->acc_eq = (double) search.best.right / (double) all;
    out->shortfall =
        next == G_MAXUINT
            ? 0.0
            : (double) (g_array_index(gaps, Gap, next).bound - search.best.right) / (double) all;
    out->work = search.work;
    return TRUE;
}
