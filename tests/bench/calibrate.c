/*
 * How often do the tests of `compare` call two equally good models different, and how often does
 * its interval hold the true difference? Prints the table of docs/how-to/compare-models.md.
 *
 *   calibrate [--runs N] [--draws N] [--seed N] [--threads N] [--sacrebleu]
 *
 * Models are simulated: their predictions are drawn from scored ones (population.h), so that the
 * true values are known. Exits with 1 when a rate is further from what it should be than that many
 * runs explain; --sacrebleu takes sacrebleu's rules, of which nothing is expected.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/pipeline.h"
#include "eval/grid/grid.h"
#include "eval/stats/stats.h"
#include "tests/bench/population.h"

enum { N_METRICS = 5 };

static const char *const metrics[] = { "exprate", "bleu", "edit", "cer", "cdm", NULL };

/* Errors in a formula of mean length: of all models that are equally good, and of a better one. */
#define ERRORS       0.6
#define FEWER_ERRORS 0.3

/* Two models' predictions: of the shared ones both are the same, the others are drawn anew. */
typedef struct {
    const char *name;
    guint n;
    double shared;
} Setup;

static const Setup setups[] = {
    { "100 pairs, 90 % shared", 100, 0.9 },
    { "500 pairs, 97 % shared", 500, 0.97 },
    { "100 pairs, independent", 100, 0.0 },
};

/* The findings of a run about one metric; NaN and FALSE where no pair differs. */
typedef struct {
    guint n_differing;
    double bootstrap_p, randomization_p;
    gboolean has_interval, is_covered;
} Outcome;

typedef struct {
    guint index;
    Outcome equal[N_METRICS], better[N_METRICS];
} Run;

typedef struct {
    TgPopulation *population;
    const Setup *setup;
    guint draws;
    guint64 seed;
    TgTestRules rules;
    GPtrArray *runs; /* of Run * */
} Simulation;

/* ---- one run ---- */

typedef struct {
    guint formula, version[2];
} SimulatedPair;

static SimulatedPair *draw_pairs(const Simulation *s, guint stream, double errors)
{
    SimulatedPair *pairs = g_new(SimulatedPair, s->setup->n);
    TgRandom random;

    tg_random_seed(&random, s->seed, stream);
    for (guint i = 0; i < s->setup->n; i++) {
        SimulatedPair *pair = &pairs[i];

        pair->formula = tg_random_below(&random, s->population->n_formulas);
        pair->version[0] = tg_population_draw(s->population, pair->formula, ERRORS, &random);
        pair->version[1] = pair->version[0];
        if (tg_random_double(&random) >= s->setup->shared)
            pair->version[1] = tg_population_draw(s->population, pair->formula, errors, &random);
    }
    return pairs;
}

static double *rows_of(const TgPopulationMetric *metric, const SimulatedPair *pairs, guint n,
                       guint side)
{
    double *rows = g_new(double, (gsize) n * metric->n_stats);

    for (guint i = 0; i < n; i++)
        memcpy(rows + (gsize) i * metric->n_stats,
               tg_population_stats(metric, pairs[i].formula, pairs[i].version[side]),
               metric->n_stats * sizeof *rows);
    return rows;
}

static void test_metric(const Simulation *s, const SimulatedPair *pairs, TgPopulationMetric *metric,
                        double errors, const TgPairedOptions *options, Outcome *out)
{
    const guint n = s->setup->n;
    g_autofree double *base_rows = rows_of(metric, pairs, n, 0);
    g_autofree double *system_rows = rows_of(metric, pairs, n, 1);
    const TgAdditive base = { base_rows, n, metric->n_stats, tg_population_pool, metric };
    const TgAdditive system = { system_rows, n, metric->n_stats, tg_population_pool, metric };
    const double truth =
        tg_population_value(s->population, metric, ERRORS, errors, s->setup->shared) -
        tg_population_value(s->population, metric, ERRORS, ERRORS, 1);
    TgPairedTest test;
    const double *interval = test.bootstrap.t;

    tg_stats_paired(&base, &system, options, &test);
    *out = (Outcome){ .n_differing = test.n_differing,
                      .bootstrap_p = test.bootstrap_p,
                      .randomization_p = test.randomization_p,
                      .has_interval = !isnan(interval[0]),
                      .is_covered = interval[0] <= truth && truth <= interval[1] };
}

static void test_models(const Simulation *s, guint stream, double errors, Outcome *out)
{
    const TgPairedOptions options = { s->draws, s->draws, stream, s->rules, 0.95 };
    g_autofree SimulatedPair *pairs = draw_pairs(s, stream, errors);

    for (guint m = 0; m < N_METRICS; m++)
        test_metric(s, pairs, s->population->metrics->pdata[m], errors, &options, &out[m]);
}

static void simulate_run(gpointer item, guint worker, gpointer data)
{
    Run *run = item;
    const Simulation *s = data;

    (void) worker;
    test_models(s, 2 * run->index, ERRORS, run->equal);
    test_models(s, 2 * run->index + 1, FEWER_ERRORS, run->better);
}

/* ---- rates ---- */

/* Of one metric in one set-up, each a percentage of its runs. */
typedef struct {
    const char *setup, *metric;
    double n_differing;
    double bootstrap[2], randomization[2]; /* p below LEVELS, both models equally good */
    double covered;                        /* one is better */
} Rates;

static const double levels[2] = { 0.05, 0.01 };

static Rates count_rates(const Simulation *s, guint metric)
{
    const double n = s->runs->len;
    Rates rates = { s->setup->name, metrics[metric] };
    guint n_intervals = 0, n_covered = 0;

    for (guint i = 0; i < s->runs->len; i++) {
        const Run *run = s->runs->pdata[i];
        const Outcome *equal = &run->equal[metric], *better = &run->better[metric];

        rates.n_differing += equal->n_differing / n;
        for (guint l = 0; l < 2; l++) {
            rates.bootstrap[l] += 100 * (equal->bootstrap_p < levels[l]) / n;
            rates.randomization[l] += 100 * (equal->randomization_p < levels[l]) / n;
        }
        n_intervals += better->has_interval;
        n_covered += better->has_interval && better->is_covered;
    }
    rates.covered = 100.0 * n_covered / n_intervals;
    return rates;
}

/*
 * Whether a rate may well be that of a test with a rate in [low, high]: three standard errors of
 * the runs are allowed.
 */
static gboolean is_within(double percent, double low, double high, guint n)
{
    const double rate = percent / 100;

    return rate >= low - 3 * sqrt(low * (1 - low) / n) &&
           rate <= high + 3 * sqrt(high * (1 - high) / n);
}

/* A test of few differing pairs has few possible p-values, so it may find less than it could. */
static gboolean are_within(const Rates *r, guint n)
{
    return is_within(r->bootstrap[0], 0, 0.05, n) && is_within(r->bootstrap[1], 0, 0.01, n) &&
           is_within(r->randomization[0], 0, 0.05, n) &&
           is_within(r->randomization[1], 0, 0.01, n) && is_within(r->covered, 0.92, 0.97, n);
}

#define OF(member) G_STRUCT_OFFSET(Rates, member)
static const TgGridColumn columns[] = {
    { "models", NULL, NULL, TG_GRID_TEXT, OF(setup) },
    { "metric", NULL, NULL, TG_GRID_TEXT, OF(metric) },
    { "pairs that differ", NULL, NULL, TG_GRID_NUMBER, OF(n_differing), 1 },
    { "bootstrap .05", NULL, NULL, TG_GRID_NUMBER, OF(bootstrap[0]), 1 },
    { "bootstrap .01", NULL, NULL, TG_GRID_NUMBER, OF(bootstrap[1]), 1 },
    { "randomized .05", NULL, NULL, TG_GRID_NUMBER, OF(randomization[0]), 1 },
    { "randomized .01", NULL, NULL, TG_GRID_NUMBER, OF(randomization[1]), 1 },
    { "interval", NULL, NULL, TG_GRID_NUMBER, OF(covered), 1 },
};

/* FALSE if a rate is out of bounds. */
static gboolean simulate(Simulation *s, guint n_runs, guint n_threads, TgGrid *grid)
{
    gboolean good = TRUE;

    for (guint i = 0; i < n_runs; i++) {
        const Run run = { .index = i };

        g_ptr_array_add(s->runs, g_memdup2(&run, sizeof run));
    }
    if (!tg_pipeline_each(s->runs, n_threads, simulate_run, NULL, s, NULL))
        return FALSE;
    for (guint m = 0; m < N_METRICS; m++) {
        const Rates rates = count_rates(s, m);

        tg_grid_row(grid, &rates, FALSE);
        if (s->rules == TG_TEST_TWO_SIDED && !are_within(&rates, n_runs)) {
            fprintf(stderr, "calibrate: %s, %s: out of bounds\n", s->setup->name, metrics[m]);
            good = FALSE;
        }
    }
    return good;
}

static int calibrate(guint n_runs, guint draws, guint64 seed, TgTestRules rules, guint n_threads)
{
    GError *error = NULL;
    g_autoptr(TgPopulation) population =
        tg_population_new(TG_SOURCE_ROOT "/tests/bench/formulas.txt", metrics, seed, &error);
    g_autoptr(TgGrid) grid = tg_grid_new_of(NULL, 2, columns, G_N_ELEMENTS(columns), NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    gboolean good = TRUE;

    if (population == NULL) {
        fprintf(stderr, "calibrate: %s\n", error->message);
        return EXIT_FAILURE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(setups); i++) {
        g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(g_free);
        Simulation simulation = { population, &setups[i], draws, seed, rules, runs };

        good = simulate(&simulation, n_runs, n_threads, grid) && good;
    }
    tg_grid_append(text, grid, &(TgGridForm){ .style = TG_GRID_MARKDOWN });
    printf("%s", text->str);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    gboolean sacrebleu = FALSE;
    gint runs = 1000, draws = 500, seed = 1, threads = 0;
    const GOptionEntry entries[] = {
        { "runs", 0, 0, G_OPTION_ARG_INT, &runs, "comparisons of each kind", "N" },
        { "draws", 0, 0, G_OPTION_ARG_INT, &draws, "resamples and trials of each", "N" },
        { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "of everything", "N" },
        { "threads", 0, 0, G_OPTION_ARG_INT, &threads, "0: one per processor", "N" },
        { "sacrebleu", 0, 0, G_OPTION_ARG_NONE, &sacrebleu, "sacrebleu's rules", NULL },
        G_OPTION_ENTRY_NULL,
    };
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    GError *error = NULL;

    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error) || runs < 1 || draws < 1 ||
        seed < 0 || threads < 0) {
        fprintf(stderr, "calibrate: %s\n", error != NULL ? error->message : "numbers too small");
        return EXIT_FAILURE;
    }
    return calibrate((guint) runs, (guint) draws, (guint64) seed,
                     sacrebleu ? TG_TEST_SACREBLEU : TG_TEST_TWO_SIDED, (guint) threads);
}
