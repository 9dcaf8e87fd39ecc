/*
 * Accuracy as a function of the threshold is a step function: as the threshold passes the metric's
 * difference for a pair, the accuracy rises if the human ties the pair, and falls if the metric had
 * it in the right order. There are n^2 steps, too many to keep and sort. So they are counted into
 * buckets by the size of the difference; a bucket whose rises alone could not lift the sum before
 * it to the best sum known is out, and the few that remain are searched the same way, or by sorting
 * where they hold few enough steps. Steps are made again by walking over the sorted items.
 */
#include "eval/stats/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUCKET_BITS = 16,
    N_BUCKETS = 1 << BUCKET_BITS,
    MAX_SORTED = 1 << 18, /* steps sorted at once */
};

typedef struct {
    double metric, human;
} Item;

typedef struct {
    guint64 key; /* the difference, see key_of() */
    gint64 gain; /* pairs that become right there, less those that become wrong */
} Step;

/* Several steps next to each other. */
typedef struct {
    guint64 first, last; /* keys of the least and the greatest difference */
    guint64 n;
    gint64 gain; /* of all */
    gint64 rise; /* of those that rise: no sum inside is higher */
} Bucket;

typedef struct {
    Item *items; /* [n] in ascending order of the metric */
    guint n;
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

/* The first item after @low whose difference from it has at least this key. */
static guint first_partner(const Search *search, guint low, guint64 key)
{
    guint from = low + 1, to = search->n;

    while (from < to) {
        const guint middle = from + (to - from) / 2;

        if (key_of(search->items[middle].metric - search->items[low].metric) < key)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Lists the steps with keys in [first, last], or counts them into @buckets of 2^shift keys. */
static guint walk(Search *search, guint64 first, guint64 last, guint shift, Bucket *buckets)
{
    guint n = 0;

    for (guint i = 0; i < search->n; i++) {
        const Item *low = &search->items[i];

        for (guint j = first_partner(search, i, first); j < search->n; j++) {
            const Item *high = &search->items[j];
            const guint64 key = key_of(high->metric - low->metric);
            const gint64 gain = high->human == low->human ? 1 : high->human > low->human ? -1 : 0;

            if (key > last)
                break;
            if (buckets == NULL) {
                search->sorted[n++] = (Step){ key, gain };
                continue;
            }
            Bucket *b = &buckets[(key - first) >> shift];
            b->first = b->n == 0 ? key : MIN(b->first, key);
            b->last = MAX(b->last, key);
            b->n++;
            b->gain += gain;
            b->rise += MAX(gain, 0);
        }
    }
    return n;
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

/* @before: the gain of all steps below. At most four deep: each level looks at 16 more bits. */
static void search_steps(Search *search, const Bucket *all, gint64 before)
{
    if (all->first == all->last) {
        consider(search, all->first, before + all->gain);
    } else if (all->n <= MAX_SORTED) {
        const guint n = walk(search, all->first, all->last, 0, NULL);

        qsort(search->sorted, n, sizeof *search->sorted, compare_steps);
        for (guint i = 0; i < n; i++) {
            before += search->sorted[i].gain;
            if (i + 1 == n || search->sorted[i + 1].key != search->sorted[i].key)
                consider(search, search->sorted[i].key, before);
        }
    } else {
        const guint bits = g_bit_storage(all->last - all->first);
        const guint shift = bits > BUCKET_BITS ? bits - BUCKET_BITS : 0;
        g_autofree Bucket *buckets = g_new0(Bucket, N_BUCKETS);

        walk(search, all->first, all->last, shift, buckets);
        search_buckets(search, buckets, before);
    }
}

gboolean tg_stats_calibrate_ties(const double *metric, const double *human, guint n,
                                 TgTieCalibration *out)
{
    g_autofree Item *items = g_new(Item, n);
    g_autofree Step *sorted = g_new(Step, MAX_SORTED);
    Search search = { .items = items, .n = n, .sorted = sorted };

    *out = (TgTieCalibration){ NAN, NAN };
    for (guint i = 0; i < n; i++)
        items[i] = (Item){ metric[i], human[i] };
    if (n > 1)
        qsort(items, n, sizeof *items, tg_stats_compare);
    const double widest = n > 0 ? items[n - 1].metric - items[0].metric : 0;
    if (n < 2 || !isfinite(widest))
        return FALSE;
    if (widest > 0.0) {
        const Bucket all = { .first = key_of(DBL_TRUE_MIN),
                             .last = key_of(widest),
                             .n = (guint64) n * (n - 1) / 2 };
        search_steps(&search, &all, 0);
    }

    g_autoptr(TgRanked) m = tg_ranked_new(metric, n);
    g_autoptr(TgRanked) h = tg_ranked_new(human, n);
    TgPairCounts counts;
    memcpy(&out->epsilon, &search.best_key, sizeof out->epsilon);
    tg_stats_pair_counts(m, h, NULL, n, out->epsilon, &counts);
    out->acc_eq = tg_stats_acc_eq(&counts);
    return TRUE;
}
