#include "eval/stats/significance.h"

#include <math.h>
#include <string.h>

#include "core/random.h"
#include "eval/stats/bootstrap.h"

static void add_row(double *sum, const TgAdditive *system, guint row)
{
    const double *stats = system->rows + (gsize) row * system->n_stats;

    for (guint s = 0; s < system->n_stats; s++)
        sum[s] += stats[s];
}

double tg_additive_statistic(const guint32 *rows, guint n, gpointer additive)
{
    const TgAdditive *system = additive;
    g_autofree double *sum = g_new0(double, system->n_stats);

    for (guint i = 0; i < n; i++)
        add_row(sum, system, rows != NULL ? rows[i] : i);
    return system->pool(sum, system->data);
}

const char *tg_test_rules_name(TgTestRules rules)
{
    return rules == TG_TEST_SACREBLEU ? "sacrebleu" : "two-sided";
}

void tg_stats_trimmed_interval(const double *replicates, guint n_resamples, TgTrimmedInterval *out)
{
    g_autofree double *sorted = g_new(double, n_resamples);
    double sum = 0.0;
    guint n = 0, trimmed;

    for (guint k = 0; k < n_resamples; k++) {
        if (isnan(replicates[k]))
            continue;
        sorted[n++] = replicates[k];
        sum += replicates[k];
    }
    *out = (TgTrimmedInterval){ NAN, NAN };
    if (n == 0)
        return;
    tg_stats_sort(sorted, n);
    trimmed = n / 40;
    out->mean = sum / n;
    out->half_width = (sorted[n - 1 - trimmed] - sorted[trimmed]) / 2;
}

double tg_stats_paired_bootstrap_p(double base, double system, const double *base_replicates,
                                   const double *system_replicates, guint n_resamples)
{
    g_autofree double *differences = g_new(double, n_resamples);
    const double observed = fabs(system - base);
    double sum = 0.0;
    guint n = 0, beyond = 0;

    for (guint k = 0; k < n_resamples; k++) {
        const double difference = fabs(system_replicates[k] - base_replicates[k]);

        if (isnan(difference))
            continue;
        differences[n++] = difference;
        sum += difference;
    }
    if (isnan(observed) || n == 0)
        return NAN;
    for (guint k = 0; k < n; k++)
        beyond += differences[k] - sum / n > observed;
    return (beyond + 1.0) / (n + 1.0);
}

/* One trial's swaps, 64 a draw. */
static void draw_mask(guint64 seed, guint trial, guint n, guint8 *mask)
{
    TgRandom random;
    guint64 bits = 0;

    tg_random_seed(&random, seed, trial);
    for (guint i = 0; i < n; i++, bits >>= 1) {
        if (i % 64 == 0)
            bits = tg_random_next(&random);
        mask[i] = bits & 1;
    }
}

/* Two systems to be mixed, and the memory to do it in. */
typedef struct {
    const TgAdditive *base, *system;
    guint32 *differing; /* rows where the two differ */
    guint n_differing;
    double *agreed; /* the sum of the other rows, which every mix holds */
    double *sum_a, *sum_b;
} Mixer;

static void mixer_init(Mixer *m, const TgAdditive *base, const TgAdditive *system)
{
    const guint n_stats = base->n_stats;

    *m = (Mixer){ base,
                  system,
                  g_new(guint32, base->n),
                  0,
                  g_new0(double, n_stats),
                  g_new(double, n_stats),
                  g_new(double, n_stats) };
    for (guint i = 0; i < base->n; i++) {
        if (memcmp(base->rows + (gsize) i * n_stats, system->rows + (gsize) i * n_stats,
                   n_stats * sizeof(double)) == 0)
            add_row(m->agreed, base, i);
        else
            m->differing[m->n_differing++] = i;
    }
}

static void mixer_clear(Mixer *m)
{
    g_free(m->differing);
    g_free(m->agreed);
    g_free(m->sum_a);
    g_free(m->sum_b);
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

static gboolean is_exact(const Mixer *m)
{
    return m->n_differing <= (m->base->n_stats <= 2 ? MAX_EXACT : MAX_EXACT_COSTLY);
}

/* Exchange the two systems' rows of one pair between the sums. */
static void swap_row(Mixer *m, guint32 row, gboolean is_kept)
{
    const guint n_stats = m->base->n_stats;
    const double *base = m->base->rows + (gsize) row * n_stats;
    const double *system = m->system->rows + (gsize) row * n_stats;

    for (guint s = 0; s < n_stats; s++) {
        const double change = is_kept ? system[s] - base[s] : base[s] - system[s];

        m->sum_a[s] += change;
        m->sum_b[s] -= change;
    }
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
        swap_row(m, m->differing[k], kept[k]);
        kept[k] = !kept[k];
    }
}

/* Trials with random masks, or with those of @given. */
static double sampled_p(Mixer *m, double observed, guint n_trials, const guint8 *given,
                        guint64 seed, TgTestRules rules, guint8 *drawn)
{
    guint n = 0, beyond = 0;

    for (guint k = 0; k < n_trials; k++) {
        const guint8 *mask = given != NULL ? given + (gsize) k * m->base->n : drawn;
        double difference;

        if (given == NULL)
            draw_mask(seed, k, m->base->n, drawn);
        difference = mixed_difference(m, mask);
        n += !isnan(difference);
        beyond +=
            rules == TG_TEST_SACREBLEU ? difference > observed : is_as_large(difference, observed);
    }
    return n == 0 ? NAN : (beyond + 1.0) / (n + 1.0);
}

double tg_stats_paired_randomization_p(const TgAdditive *base, const TgAdditive *system,
                                       guint n_trials, const guint8 *given, guint64 seed,
                                       TgTestRules rules)
{
    g_autofree guint8 *mask = g_new0(guint8, MAX(base->n, 1));
    Mixer mixer;
    double observed, p;

    g_return_val_if_fail(base->n == system->n && base->n_stats == system->n_stats, NAN);
    mixer_init(&mixer, base, system);
    observed = mixed_difference(&mixer, NULL);
    if (isnan(observed) || (rules == TG_TEST_TWO_SIDED && mixer.n_differing == 0))
        p = NAN;
    else if (rules == TG_TEST_TWO_SIDED && given == NULL && is_exact(&mixer))
        p = exact_p(&mixer, observed);
    else
        p = sampled_p(&mixer, observed, n_trials, given, seed, rules, mask);
    mixer_clear(&mixer);
    return p;
}

void tg_stats_effect(const double *a, const double *b, guint n, TgEffect *out)
{
    double sum = 0.0, squares = 0.0, first = NAN;
    gboolean varied = FALSE;

    *out = (TgEffect){ .mean_difference = NAN, .d_z = NAN, .superiority = NAN };
    for (guint i = 0; i < n; i++) {
        const double difference = b[i] - a[i];

        if (isnan(difference))
            continue;
        if (out->n++ == 0)
            first = difference;
        varied |= difference != first;
        sum += difference;
        out->n_higher += difference > 0.0;
        out->n_equal += difference == 0.0;
        out->n_lower += difference < 0.0;
    }
    if (out->n == 0)
        return;
    out->mean_difference = sum / out->n;
    out->superiority = (out->n_higher + out->n_equal / 2.0) / out->n;
    for (guint i = 0; i < n; i++) {
        const double d = b[i] - a[i] - out->mean_difference;

        squares += isnan(d) ? 0.0 : d * d;
    }
    if (varied)
        out->d_z = out->mean_difference / sqrt(squares / (out->n - 1));
}
