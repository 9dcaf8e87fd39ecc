/* Two systems on the same pairs, and many tests at once. */
#include "eval/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/random.h"

static void add_row(double *sum, const TgAdditive *system, guint row)
{
    const double *stats = system->rows + (gsize) row * system->n_stats;

    for (guint s = 0; s < system->n_stats; s++)
        sum[s] += stats[s];
}

static gboolean is_same_row(const TgAdditive *base, const TgAdditive *system, guint row)
{
    const gsize n = base->n_stats, at = row * n;

    return memcmp(base->rows + at, system->rows + at, n * sizeof *base->rows) == 0;
}

double tg_additive_statistic(const guint32 *rows, guint n, gpointer additive)
{
    const TgAdditive *system = additive;
    g_autofree double *sum = g_new0(double, system->n_stats);

    for (guint i = 0; i < n; i++)
        add_row(sum, system, rows != NULL ? rows[i] : i);
    return system->pool(sum, system->data);
}

/* ---- resamples of several systems ---- */

/*
 * The resample's rows are counted, so that each statistic is a sum of products. Whole numbers, as
 * most statistics are, give the same sum in any order; others are added in the order of the draws.
 */

/* One statistic of all rows. */
typedef struct {
    gint16 *whole; /* [rows]; NULL where some are not small whole numbers */
    const double *first;
    guint step; /* from row to row of @first */
} Statistic;

/* Their sum is below 2^31, as the counts of a resample add up to the number of rows. */
static gint16 *whole_numbers(const Statistic *statistic, guint n)
{
    const double most = MIN(G_MAXINT16, (double) G_MAXINT32 / MAX(n, 1));
    g_autofree gint16 *whole = g_new(gint16, MAX(n, 1));

    for (gsize i = 0; i < n; i++) {
        const double value = statistic->first[i * statistic->step];

        if (!(fabs(value) <= most) || value != (gint16) value)
            return NULL;
        whole[i] = (gint16) value;
    }
    return g_steal_pointer(&whole);
}

static Statistic *list_statistics(const TgAdditive *systems, guint n_systems, guint *n_statistics)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Statistic));

    for (guint i = 0; i < n_systems; i++) {
        for (guint s = 0; s < systems[i].n_stats; s++) {
            Statistic statistic = { NULL, systems[i].rows + s, systems[i].n_stats };

            statistic.whole = whole_numbers(&statistic, systems[i].n);
            g_array_append_val(list, statistic);
        }
    }
    *n_statistics = list->len;
    return (Statistic *) (void *) g_array_free(list, FALSE);
}

void tg_additive_replicate(const TgAdditive *systems, guint n_systems, guint n_resamples,
                           guint64 seed, double *out)
{
    const guint n = systems[0].n;
    guint n_statistics;
    g_autofree Statistic *statistics = list_statistics(systems, n_systems, &n_statistics);
    g_autofree double *sums = g_new(double, MAX(n_statistics, 1));
    g_autofree guint32 *rows = g_new(guint32, MAX(n, 1));
    g_autofree gint16 *counts = g_new(gint16, MAX(n, 1));

    for (guint k = 0; k < n_resamples; k++) {
        const double *sum = sums;

        tg_bootstrap_draw(seed, k, n, rows);
        memset(counts, 0, n * sizeof *counts);
        for (guint i = 0; i < n; i++)
            counts[rows[i]]++;
        for (guint s = 0; s < n_statistics; s++) {
            const Statistic *each = &statistics[s];
            gint32 whole = 0;

            sums[s] = 0;
            for (guint i = 0; each->whole != NULL && i < n; i++)
                whole += each->whole[i] * counts[i];
            for (guint i = 0; each->whole == NULL && i < n; i++)
                sums[s] += each->first[(gsize) rows[i] * each->step];
            sums[s] += whole;
        }
        for (guint i = 0; i < n_systems; i++) {
            out[(gsize) i * n_resamples + k] = systems[i].pool(sum, systems[i].data);
            sum += systems[i].n_stats;
        }
    }
    for (guint i = 0; i < n_statistics; i++)
        g_free(statistics[i].whole);
}

const char *tg_test_rules_name(TgTestRules rules)
{
    return rules == TG_TEST_SACREBLEU ? "sacrebleu" : "two-sided";
}

void tg_stats_trimmed_interval(const double *replicates, guint n_resamples, TgTrimmedInterval *out)
{
    guint n;
    g_autofree double *sorted = tg_stats_defined(replicates, n_resamples, &n);
    const guint trimmed = n / 40;

    *out = (TgTrimmedInterval){ tg_stats_mean(sorted, n), NAN };
    tg_stats_sort(sorted, n);
    if (n > 0)
        out->half_width = (sorted[n - 1 - trimmed] - sorted[trimmed]) / 2;
}

/* Two systems to be mixed, and the memory to do it in. */
typedef struct {
    const TgAdditive *base, *system;
    guint32 *differing; /* rows where the two differ */
    guint n_differing;
    double *agreed;        /* the sum of the other rows, which every mix holds; owns all three */
    double *sum_a, *sum_b; /* of the mixes */
} Mixer;

static void mixer_init(Mixer *m, const TgAdditive *base, const TgAdditive *system)
{
    const guint n_stats = base->n_stats;

    *m = (Mixer){ base, system, g_new(guint32, base->n), 0, g_new0(double, 3 * (gsize) n_stats) };
    m->sum_a = m->agreed + n_stats;
    m->sum_b = m->sum_a + n_stats;
    for (guint i = 0; i < base->n; i++) {
        if (is_same_row(base, system, i))
            add_row(m->agreed, base, i);
        else
            m->differing[m->n_differing++] = i;
    }
}

static double difference_of_sums(const Mixer *m)
{
    return fabs(m->base->pool(m->sum_a, m->base->data) -
                m->system->pool(m->sum_b, m->system->data));
}

/* The difference of the two mixes' scores; NULL for @mask: of the systems as they are. */
static double mixed_difference(Mixer *m, const guint8 *mask)
{
    memcpy(m->sum_a, m->agreed, m->base->n_stats * sizeof *m->agreed);
    memcpy(m->sum_b, m->agreed, m->base->n_stats * sizeof *m->agreed);
    for (guint k = 0; k < m->n_differing; k++) {
        const guint32 row = m->differing[k];
        const gboolean kept = mask == NULL || mask[row];

        add_row(m->sum_a, kept ? m->base : m->system, row);
        add_row(m->sum_b, kept ? m->system : m->base, row);
    }
    return difference_of_sums(m);
}

/* Differing pairs up to which all assignments are enumerated: of one ratio or mean, of others. */
enum { MAX_EXACT = 20, MAX_EXACT_COSTLY = 13 };

/* Sums in another order differ in their last digits: a tie must not depend on them. */
static gboolean is_as_large(double difference, double observed)
{
    return difference >= observed * (1 - 1e-9);
}

/*
 * The share of all assignments, in the order of a Gray code: one pair is exchanged a step. The
 * first pair stays, as mirrored assignments differ equally.
 */
static double exact_p(Mixer *m, double observed)
{
    const guint32 n_assignments = 1u << (m->n_differing - 1);
    gboolean kept[MAX_EXACT];
    guint n = 0, as_large = 0;

    for (guint k = 0; k < m->n_differing; k++)
        kept[k] = TRUE;
    mixed_difference(m, NULL); /* sums of the systems as they are */
    for (guint32 i = 1;; i++) {
        const double difference = difference_of_sums(m);
        guint k = 1;

        n += !isnan(difference);
        as_large += is_as_large(difference, observed);
        if (i == n_assignments)
            return n == 0 ? NAN : (double) as_large / n;
        while ((i >> (k - 1) & 1) == 0)
            k++;
        /* exchange the two systems' rows of one pair between the sums */
        const double *base = m->base->rows + (gsize) m->differing[k] * m->base->n_stats;
        const double *system = m->system->rows + (gsize) m->differing[k] * m->base->n_stats;
        for (guint s = 0; s < m->base->n_stats; s++) {
            const double change = kept[k] ? system[s] - base[s] : base[s] - system[s];

            m->sum_a[s] += change;
            m->sum_b[s] -= change;
        }
        kept[k] = !kept[k];
    }
}

/* ---- trials by tables ---- */

/*
 * Most of the work of many trials is to add the same few rows in the same few ways. So trials go
 * together: for every four differing rows each choice between the systems is added up once, and
 * each trial looks up its own.
 */
enum { BATCH = 1024, GROUP = 4, CHOICES = 1 << GROUP };

/* Add up to four rows of the 64 whose @bits were drawn to the sums of both mixes of @n trials.
 * @choices: [CHOICES][2][n_stats], bit i: the base's i-th row, else the other's */
static void add_group(const Mixer *m, const guint32 *rows, guint n_rows, const guint64 *bits,
                      guint n, double *choices, double *sums)
{
    const guint n_stats = m->base->n_stats, width = 2 * n_stats;
    guint shift[GROUP];

    memset(choices, 0, CHOICES * width * sizeof *choices);
    for (guint i = 0; i < GROUP; i++) {
        shift[i] = rows[MIN(i, n_rows - 1)] % 64;
        for (guint c = 0; i < n_rows && c < CHOICES; c++) {
            const gboolean kept = (c >> i & 1) != 0;
            double *chosen = choices + (gsize) c * width;

            add_row(chosen, kept ? m->base : m->system, rows[i]);
            add_row(chosen + n_stats, kept ? m->system : m->base, rows[i]);
        }
    }
    for (gsize k = 0; k < n; k++, sums += width) {
        const guint c = (guint) ((bits[k] >> shift[0] & 1) | (bits[k] >> shift[1] & 1) << 1 |
                                 (bits[k] >> shift[2] & 1) << 2 | (bits[k] >> shift[3] & 1) << 3);
        const double *chosen = choices + (gsize) c * width;

        for (guint s = 0; s < width; s += 2) {
            sums[s] += chosen[s];
            sums[s + 1] += chosen[s + 1];
        }
    }
}

/* As sampled_p(), but ties count, so rows may be added in another order. */
static double batched_p(const Mixer *m, double observed, guint n_trials, guint64 seed)
{
    const gsize n_stats = m->base->n_stats, width = 2 * n_stats;
    g_autofree TgRandom *random = g_new(TgRandom, BATCH);
    g_autofree guint64 *bits = g_new(guint64, BATCH); /* the swaps of 64 rows */
    g_autofree double *sums = g_new(double, BATCH *width), *choices = g_new(double, CHOICES *width);
    guint n = 0, beyond = 0;

    for (guint first = 0; first < n_trials; first += BATCH) {
        const guint n_batch = MIN((guint) BATCH, n_trials - first);

        for (guint k = 0; k < n_batch; k++) {
            tg_random_seed(&random[k], seed, first + k);
            memcpy(sums + k * width, m->agreed, n_stats * sizeof *sums);
            memcpy(sums + k * width + n_stats, m->agreed, n_stats * sizeof *sums);
        }
        for (guint word = 0, i = 0; i < m->n_differing; word++) {
            guint end = i;

            for (guint k = 0; k < n_batch; k++)
                bits[k] = tg_random_next(&random[k]);
            while (end < m->n_differing && m->differing[end] / 64 == word)
                end++;
            for (; i < end; i = MIN(i + GROUP, end))
                add_group(m, m->differing + i, MIN(GROUP, end - i), bits, n_batch, choices, sums);
        }
        for (guint k = 0; k < n_batch; k++) {
            const double difference =
                fabs(m->base->pool(sums + k * width, m->base->data) -
                     m->system->pool(sums + k * width + n_stats, m->system->data));

            n += !isnan(difference);
            beyond += is_as_large(difference, observed);
        }
    }
    return n == 0 ? NAN : (beyond + 1.0) / (n + 1.0);
}

/* Trials with random masks, or with those of @given, to which ties do not count. */
static double sampled_p(Mixer *m, double observed, guint n_trials, const guint8 *given,
                        guint64 seed)
{
    g_autofree guint8 *drawn = g_new(guint8, m->base->n);
    guint n = 0, beyond = 0;

    for (guint k = 0; k < n_trials; k++) {
        const guint8 *mask = given != NULL ? given + (gsize) k * m->base->n : drawn;
        TgRandom random;
        guint64 bits = 0;

        tg_random_seed(&random, seed, k);
        for (guint i = 0; given == NULL && i < m->base->n; i++, bits >>= 1) {
            if (i % 64 == 0)
                bits = tg_random_next(&random);
            drawn[i] = bits & 1;
        }
        const double difference = mixed_difference(m, mask);
        n += !isnan(difference);
        beyond += difference > observed;
    }
    return n == 0 ? NAN : (beyond + 1.0) / (n + 1.0);
}

double tg_stats_paired_randomization_p(const TgAdditive *base, const TgAdditive *system,
                                       guint n_trials, const guint8 *given, guint64 seed,
                                       TgTestRules rules)
{
    Mixer mixer;
    double observed, p;

    g_return_val_if_fail(base->n == system->n && base->n_stats == system->n_stats, NAN);
    mixer_init(&mixer, base, system);
    observed = mixed_difference(&mixer, NULL);
    if (isnan(observed) || (rules == TG_TEST_TWO_SIDED && mixer.n_differing == 0))
        p = NAN;
    else if (rules == TG_TEST_SACREBLEU)
        p = sampled_p(&mixer, observed, n_trials, given, seed);
    else if (mixer.n_differing <= (base->n_stats <= 2 ? MAX_EXACT : MAX_EXACT_COSTLY))
        p = exact_p(&mixer, observed);
    else
        p = batched_p(&mixer, observed, n_trials, seed);
    g_free(mixer.differing);
    g_free(mixer.agreed);
    return p;
}

void tg_stats_effect(const double *a, const double *b, guint n, TgEffect *out)
{
    g_autofree double *all = g_new(double, n);
    gboolean varied = FALSE;

    *out = (TgEffect){ .d_z = NAN, .superiority = NAN };
    for (guint i = 0; i < n; i++)
        all[i] = b[i] - a[i];
    g_autofree double *differences = tg_stats_defined(all, n, &out->n);
    for (guint i = 0; i < out->n; i++) {
        /* not by the last bit of a difference */
        varied |= tg_number_round(differences[i]) != tg_number_round(differences[0]);
        out->n_higher += differences[i] > 0.0;
        out->n_equal += differences[i] == 0.0;
        out->n_lower += differences[i] < 0.0;
    }
    out->mean_difference = tg_stats_mean(differences, out->n); /* NaN of none */
    if (out->n > 0)
        out->superiority = (out->n_higher + out->n_equal / 2.0) / out->n;
    if (varied)
        out->d_z = out->mean_difference /
                   sqrt(tg_stats_squared_deviations(differences, out->n) / (out->n - 1));
}

/* ---- two systems in one call ---- */

/* Both systems' difference without one pair at a time. */
static void leave_one_out(const TgAdditive systems[2], double *out)
{
    const guint n_stats = systems[0].n_stats;
    g_autofree double *sums = g_new0(double, 2 * (gsize) n_stats);
    g_autofree double *rest = g_new(double, n_stats);

    for (guint s = 0; s < 2; s++)
        for (guint i = 0; i < systems[s].n; i++)
            add_row(sums + (gsize) s * n_stats, &systems[s], i);
    for (gsize i = 0; i < systems[0].n; i++) {
        double values[2];

        for (guint s = 0; s < 2; s++) {
            for (guint k = 0; k < n_stats; k++)
                rest[k] = sums[s * n_stats + k] - systems[s].rows[i * n_stats + k];
            values[s] = systems[s].pool(rest, systems[s].data);
        }
        out[i] = values[1] - values[0];
    }
}

void tg_stats_paired(const TgAdditive *base, const TgAdditive *system,
                     const TgPairedOptions *options, TgPairedTest *out)
{
    const TgAdditive systems[] = { *base, *system };
    const guint n_resamples = options->resamples;

    *out = (TgPairedTest){
        .base = tg_additive_statistic(NULL, base->n, (gpointer) base),
        .system = tg_additive_statistic(NULL, system->n, (gpointer) system),
        .base_interval = { NAN, NAN },
        .system_interval = { NAN, NAN },
        .bootstrap_p = NAN,
        .randomization_p = NAN,
    };
    for (guint i = 0; i < base->n; i++)
        out->n_differing += !is_same_row(base, system, i);
    tg_bootstrap_intervals(NAN, NULL, 0, NULL, 0, options->level, &out->bootstrap);
    if (isnan(out->base) || isnan(out->system))
        return;
    const double difference = out->system - out->base;
    g_autofree double *replicates = g_new(double, 2 * (gsize) n_resamples);
    g_autofree double *differences = g_new(double, n_resamples);
    g_autofree double *jackknife = g_new(double, base->n);
    const double *of_base = replicates, *of_system = replicates + n_resamples;

    tg_additive_replicate(systems, 2, n_resamples, options->seed, replicates);
    for (guint k = 0; k < n_resamples; k++)
        differences[k] = of_system[k] - of_base[k];
    leave_one_out(systems, jackknife);
    tg_bootstrap_intervals(difference, differences, n_resamples, jackknife, base->n, options->level,
                           &out->bootstrap);
    tg_stats_trimmed_interval(of_base, n_resamples, &out->base_interval);
    tg_stats_trimmed_interval(of_system, n_resamples, &out->system_interval);
    if (options->rules == TG_TEST_SACREBLEU || out->n_differing > 0)
        out->bootstrap_p = tg_bootstrap_p(difference, differences, n_resamples, options->rules);
    out->randomization_p = tg_stats_paired_randomization_p(base, system, options->trials, NULL,
                                                           options->seed, options->rules);
}

/* ---- many tests at once ---- */

typedef struct {
    double p;
    double *adjusted;
} Test;

void tg_stats_adjust(gpointer const *tests, guint n, gsize p_offset, gsize adjusted_offset)
{
    g_autofree Test *defined = g_new(Test, n);
    double highest = 0.0;
    guint m = 0;

    for (guint i = 0; i < n; i++) {
        const double p = G_STRUCT_MEMBER(double, tests[i], p_offset);
        double *adjusted = G_STRUCT_MEMBER_P(tests[i], adjusted_offset);

        if (!isnan(p))
            defined[m++] = (Test){ p, adjusted };
        *adjusted = p;
    }
    if (m > 1)
        qsort(defined, m, sizeof *defined, tg_stats_compare);
    for (guint i = 0; i < m; i++) {
        highest = MAX(highest, MIN((m - i) * defined[i].p, 1.0));
        *defined[i].adjusted = highest;
    }
}

TgVerdict tg_stats_verdict(double gain, const double interval[2], double adjusted_p, double alpha)
{
    const gboolean holds_zero = interval[0] <= 0 && interval[1] >= 0;

    return isnan(gain)                                          ? TG_VERDICT_NONE
           : !(adjusted_p < alpha) || gain == 0.0 || holds_zero ? TG_VERDICT_NO_DIFFERENCE
           : gain > 0                                           ? TG_VERDICT_BETTER
                                                                : TG_VERDICT_WORSE;
}

const char *tg_verdict_name(TgVerdict verdict)
{
    static const char *const names[] = { "-", "no significant difference", "better", "worse" };

    G_STATIC_ASSERT(G_N_ELEMENTS(names) == TG_VERDICT_WORSE + 1);
    return names[verdict];
}

guint tg_stats_draws_for(guint n_tests, double alpha, guint least, guint most)
{
    const double needed = ceil(4.0 * n_tests / alpha / 1000.0) * 1000.0;

    return needed > most ? most : MAX(least, (guint) needed);
}
