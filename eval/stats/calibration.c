/*
 * Accuracy as a function of the threshold is a step function: as the threshold passes the metric's
 * difference for a pair, the accuracy rises if the human ties the pair, and falls if the metric had
 * it in the right order. There are n^2 steps, too many to keep and sort. So they are counted into
 * buckets by the size of the difference; a bucket whose rises alone could not lift the sum before
 * it to the best sum known is out, and the few that remain are searched the same way, or by sorting
 * where they hold few enough steps. Steps are made again by walking over the sorted items.
 */
#include "eval/stats/calibration.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/stats/pairwise.h"

enum {
    BUCKET_BITS = 16,
    N_BUCKETS = 1 << BUCKET_BITS,
    MAX_SORTED = 1 << 18, /* steps sorted at once */
};

typedef struct {
    double metric, human;
} Item;

/* The items of one group in ascending order of the metric. */
typedef struct {
    const Item *items;
    guint n;
    gint64 weight; /* of a pair, in units of Search.unit */
} Group;

typedef struct {
    guint64 key; /* the difference, see key_of() */
    gint64 gain; /* by which the accuracy changes there */
} Step;

/* Several steps next to each other. */
typedef struct {
    guint64 first, last; /* keys of the least and the greatest difference */
    guint64 n;
    gint64 gain; /* of all */
    gint64 rise; /* of those that rise: no sum inside is higher */
} Bucket;

typedef struct {
    const Group *groups;
    guint n_groups;
    Step *sorted;     /* [MAX_SORTED] */
    gint64 best_gain; /* over the accuracy at threshold 0 */
    guint64 best_key; /* the smallest threshold that has it */
} Search;

/* Differences are positive, so their bits order as they do: radix buckets need no division. */
static guint64 key_of(double difference)
{
    guint64 key;

    memcpy(&key, &difference, sizeof key);
    return key;
}

static double difference_of(guint64 key)
{
    double difference;

    memcpy(&difference, &key, sizeof difference);
    return difference;
}

/* What passing this pair's difference changes; @high has the higher metric value. */
static inline gint64 gain_of(const Group *group, const Item *low, const Item *high)
{
    if (high->human == low->human)
        return group->weight;
    return high->human > low->human ? -group->weight : 0;
}

/* The first item after @low whose difference from it has at least this key. */
static guint first_partner(const Group *group, guint low, guint64 key)
{
    guint from = low + 1, to = group->n;

    while (from < to) {
        const guint middle = from + (to - from) / 2;

        if (key_of(group->items[middle].metric - group->items[low].metric) < key)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Count the steps with keys in [first, last] into buckets of 2^shift keys. */
static void fill_buckets(const Search *search, guint64 first, guint64 last, guint shift,
                         Bucket *buckets)
{
    for (guint g = 0; g < search->n_groups; g++) {
        const Group *group = &search->groups[g];

        for (guint i = 0; i < group->n; i++) {
            const Item *low = &group->items[i];

            for (guint j = first_partner(group, i, first); j < group->n; j++) {
                const guint64 key = key_of(group->items[j].metric - low->metric);
                const gint64 gain = gain_of(group, low, &group->items[j]);
                Bucket *b;

                if (key > last)
                    break;
                b = &buckets[(key - first) >> shift];
                b->first = b->n == 0 ? key : MIN(b->first, key);
                b->last = MAX(b->last, key);
                b->n++;
                b->gain += gain;
                b->rise += MAX(gain, 0);
            }
        }
    }
}

static int compare_steps(const void *a, const void *b)
{
    const guint64 x = ((const Step *) a)->key, y = ((const Step *) b)->key;

    return (x > y) - (x < y);
}

static void consider(Search *search, guint64 key, gint64 gain)
{
    if (gain > search->best_gain) {
        search->best_gain = gain;
        search->best_key = key;
    }
}

/* Try every threshold in [first, last], where few enough steps lie; @before: gain of those below.
 */
static void search_sorted(Search *search, guint64 first, guint64 last, gint64 before)
{
    guint n = 0;

    for (guint g = 0; g < search->n_groups; g++) {
        const Group *group = &search->groups[g];

        for (guint i = 0; i < group->n; i++) {
            const Item *low = &group->items[i];

            for (guint j = first_partner(group, i, first); j < group->n; j++) {
                const guint64 key = key_of(group->items[j].metric - low->metric);

                if (key > last)
                    break;
                search->sorted[n++] = (Step){ key, gain_of(group, low, &group->items[j]) };
            }
        }
    }
    qsort(search->sorted, n, sizeof *search->sorted, compare_steps);
    for (guint i = 0; i < n; i++) {
        before += search->sorted[i].gain;
        if (i + 1 == n || search->sorted[i + 1].key != search->sorted[i].key)
            consider(search, search->sorted[i].key, before);
    }
}

static void search_steps(Search *search, const Bucket *all, gint64 before);

/* Buckets that cannot hold a new best are skipped; neighbours are searched in one go. */
static void search_buckets(Search *search, const Bucket *buckets, gint64 before)
{
    gint64 at_ends = search->best_gain, sum = before, before_run = before;
    Bucket run = { 0 };

    for (guint b = 0; b < N_BUCKETS; b++) {
        sum += buckets[b].gain;
        if (buckets[b].n > 0)
            at_ends = MAX(at_ends, sum);
    }
    sum = before;
    for (guint b = 0; b < N_BUCKETS; b++) {
        const Bucket *bucket = &buckets[b];
        const gint64 bound = sum + bucket->rise;
        const gboolean hopeful = bucket->n > 0 && bound >= at_ends && bound > search->best_gain;

        if (run.n > 0 && bucket->n > 0 && (!hopeful || run.n + bucket->n > MAX_SORTED)) {
            search_steps(search, &run, before_run);
            run = (Bucket){ 0 };
        }
        if (hopeful && run.n == 0) {
            run = *bucket;
            before_run = sum;
        } else if (hopeful) {
            run.last = bucket->last;
            run.n += bucket->n;
            run.gain += bucket->gain;
        }
        sum += bucket->gain;
    }
    if (run.n > 0)
        search_steps(search, &run, before_run);
}

/* At most four deep: each level looks at 16 more bits of the keys. */
static void search_steps(Search *search, const Bucket *all, gint64 before)
{
    if (all->first == all->last) {
        consider(search, all->first, before + all->gain);
    } else if (all->n <= MAX_SORTED) {
        search_sorted(search, all->first, all->last, before);
    } else {
        const guint bits = g_bit_storage(all->last - all->first);
        const guint shift = bits > BUCKET_BITS ? bits - BUCKET_BITS : 0;
        g_autofree Bucket *buckets = g_new0(Bucket, N_BUCKETS);

        fill_buckets(search, all->first, all->last, shift, buckets);
        search_buckets(search, buckets, before);
    }
}

static int compare_items(const void *a, const void *b)
{
    const double x = ((const Item *) a)->metric, y = ((const Item *) b)->metric;

    return (x > y) - (x < y);
}

static guint64 pairs_of(guint n)
{
    return (guint64) n * (n - MIN(n, 1)) / 2;
}

static guint64 greatest_divisor(guint64 a, guint64 b)
{
    while (b != 0) {
        const guint64 rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/*
 * Weights of pairs, such that each group counts the same: whole multiples of one unit, so that
 * sums are exact and equal accuracies compare equal. Where the sizes have no common multiple below
 * 2^40 the weights are rounded to that precision.
 */
static void weigh_groups(Group *groups, guint n_groups)
{
    const guint64 most = G_GUINT64_CONSTANT(1) << 40;
    guint64 unit = 1;

    for (guint g = 0; g < n_groups && unit < most; g++) {
        const guint64 pairs = pairs_of(groups[g].n);

        unit = MIN(pairs / greatest_divisor(pairs, unit), most / unit + 1) * unit;
    }
    unit = MIN(unit, most);
    for (guint g = 0; g < n_groups; g++)
        groups[g].weight = (unit + pairs_of(groups[g].n) / 2) / pairs_of(groups[g].n);
}

static double mean_accuracy(const double *metric, const double *human, const guint *starts,
                            guint n_groups, double epsilon)
{
    double sum = 0.0;
    guint n = 0;

    for (guint g = 0; g < n_groups; g++) {
        const guint size = starts[g + 1] - starts[g];
        g_autoptr(TgRanked) m = tg_ranked_new(metric + starts[g], size);
        g_autoptr(TgRanked) h = tg_ranked_new(human + starts[g], size);
        TgPairCounts counts;

        if (size < 2)
            continue;
        tg_stats_pair_counts(m, h, NULL, size, epsilon, &counts);
        sum += tg_stats_acc_eq(&counts);
        n++;
    }
    return sum / n;
}

gboolean tg_stats_calibrate_ties(const double *metric, const double *human, const guint *starts,
                                 guint n_groups, TgTieCalibration *out)
{
    const guint n_items = starts[n_groups];
    g_autofree Item *items = g_new(Item, n_items);
    g_autofree Group *groups = g_new0(Group, n_groups);
    g_autofree Step *sorted = g_new(Step, MAX_SORTED);
    Search search = { .groups = groups, .sorted = sorted };
    Bucket all = { .first = key_of(DBL_TRUE_MIN) };
    double widest = 0.0;

    *out = (TgTieCalibration){ NAN, NAN };
    for (guint i = 0; i < n_items; i++)
        items[i] = (Item){ metric[i], human[i] };
    for (guint g = 0; g < n_groups; g++) {
        Group *group = &groups[search.n_groups];

        *group = (Group){ .items = items + starts[g], .n = starts[g + 1] - starts[g] };
        if (group->n < 2)
            continue;
        qsort(items + starts[g], group->n, sizeof *items, compare_items);
        widest = MAX(widest, group->items[group->n - 1].metric - group->items[0].metric);
        all.n += pairs_of(group->n);
        search.n_groups++;
    }
    if (search.n_groups == 0 || !isfinite(widest))
        return FALSE;
    weigh_groups(groups, search.n_groups);
    if (widest > 0.0) {
        all.last = key_of(widest);
        search_steps(&search, &all, 0);
    }
    out->epsilon = difference_of(search.best_key);
    out->acc_eq = mean_accuracy(metric, human, starts, n_groups, out->epsilon);
    return TRUE;
}
