#include "tests/bench/population.h"

#include <math.h>
#include <string.h>

#include "metrics/metric.h"
#include "tests/bench/misread.h"

/* Misreadings have one error in so many tokens. */
static const guint tokens_per_error[] = { 8, 16, 32 };

static void free_metric(gpointer data)
{
    TgPopulationMetric *metric = data;

    tg_metric_free(metric->metric);
    g_free(metric->stats);
    g_free(metric);
}

void tg_population_free(TgPopulation *population)
{
    if (population == NULL)
        return;
    g_free(population->length);
    g_ptr_array_unref(population->metrics);
    g_free(population);
}

static gboolean add_metric(TgPopulation *population, const char *spec, GError **error)
{
    TgPopulationMetric *m = g_new0(TgPopulationMetric, 1);

    g_ptr_array_add(population->metrics, m);
    m->name = spec;
    m->metric = tg_metric_new(spec, error);
    if (m->metric == NULL)
        return FALSE;
    m->pooling = tg_metric_info(m->metric)->columns[0].pooling;
    m->n_stats = 1 + (m->pooling == TG_POOL_STATS ? m->metric->n_stats : 1);
    m->stats = g_new0(double, (gsize) population->n_formulas *TG_POPULATION_VERSIONS * m->n_stats);
    return TRUE;
}

static double *stats_of(const TgPopulationMetric *metric, guint formula, guint version)
{
    return metric->stats + ((gsize) formula * TG_POPULATION_VERSIONS + version) * metric->n_stats;
}

const double *tg_population_stats(const TgPopulationMetric *metric, guint formula, guint version)
{
    return stats_of(metric, formula, version);
}

/* One metric's statistics of one prediction; FALSE if it cannot be scored. */
static gboolean score_version(TgPopulationMetric *m, TgEnv *env, const char *formula,
                              const char *prediction, double *out)
{
    g_autoptr(TgResult) result = tg_result_new(m->metric, FALSE);
    const TgPair pair = { NULL, &formula, 1, prediction };
    guint n;

    tg_env_next_pair(env);
    if (!tg_metric_score(m->metric, env, &pair, result, NULL))
        return FALSE;
    if (m->pooling == TG_POOL_STATS)
        memcpy(out, tg_result_stats(result, &n), (m->n_stats - 1) * sizeof *out);
    else
        out[0] = tg_result_get(result, 0);
    out[m->n_stats - 1] = 1;
    return !isnan(out[0]);
}

/* Draw misreadings until every metric can score one. */
static void add_version(TgPopulation *population, TgEnv *env, const char *text, guint formula,
                        guint version, TgRandom *random)
{
    const guint rate = tokens_per_error[version % G_N_ELEMENTS(tokens_per_error)];
    gboolean scored;

    do {
        g_autofree char *prediction =
            version == 0 ? g_strdup(text) : tg_misread(text, rate, random);

        scored = TRUE;
        for (guint m = 0; scored && m < population->metrics->len; m++) {
            TgPopulationMetric *metric = population->metrics->pdata[m];

            scored =
                score_version(metric, env, text, prediction, stats_of(metric, formula, version));
        }
    } while (!scored);
}

TgPopulation *tg_population_new(const char *path, const char *const *metrics, guint64 seed,
                                GError **error)
{
    g_autoptr(TgPopulation) population = g_new0(TgPopulation, 1);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autofree char *text = NULL;
    double sum = 0;

    population->metrics = g_ptr_array_new_with_free_func(free_metric);
    if (!g_file_get_contents(path, &text, NULL, error))
        return NULL;
    g_auto(GStrv) formulas = g_strsplit(g_strchomp(text), "\n", -1);
    population->n_formulas = g_strv_length(formulas);
    population->length = g_new(double, population->n_formulas);
    for (guint i = 0; metrics[i] != NULL; i++) {
        if (!add_metric(population, metrics[i], error))
            return NULL;
    }
    for (guint f = 0; f < population->n_formulas; f++) {
        TgRandom random;

        tg_random_seed(&random, seed, f);
        sum += population->length[f] = (double) strlen(formulas[f]);
        for (guint v = 0; v < TG_POPULATION_VERSIONS; v++)
            add_version(population, env, formulas[f], f, v, &random);
    }
    for (guint f = 0; f < population->n_formulas; f++)
        population->length[f] *= population->n_formulas / sum;
    return g_steal_pointer(&population);
}

/* The chance of no error, as of independent errors. */
static double chance_of_none(const TgPopulation *population, guint formula, double errors)
{
    return exp(-errors * population->length[formula]);
}

guint tg_population_draw(const TgPopulation *population, guint formula, double errors,
                         TgRandom *random)
{
    if (tg_random_double(random) < chance_of_none(population, formula, errors))
        return 0;
    return 1 + tg_random_below(random, TG_POPULATION_VERSIONS - 1);
}

double tg_population_pool(const double *sum, gpointer metric)
{
    const TgPopulationMetric *m = metric;
    double values[16];

    if (m->pooling != TG_POOL_STATS)
        return sum[0] / sum[m->n_stats - 1];
    g_assert(tg_metric_n_columns(m->metric) <= G_N_ELEMENTS(values));
    tg_metric_pool(m->metric, sum, values);
    return values[0];
}

double tg_population_value(const TgPopulation *population, TgPopulationMetric *metric,
                           double errors_a, double errors_b, double share)
{
    g_autofree double *sum = g_new0(double, metric->n_stats);

    for (guint f = 0; f < population->n_formulas; f++) {
        const double right = share * chance_of_none(population, f, errors_a) +
                             (1 - share) * chance_of_none(population, f, errors_b);

        for (guint v = 0; v < TG_POPULATION_VERSIONS; v++) {
            const double *stats = tg_population_stats(metric, f, v);
            const double weight = v == 0 ? right : (1 - right) / (TG_POPULATION_VERSIONS - 1);

            for (guint s = 0; s < metric->n_stats; s++)
                sum[s] += weight * stats[s];
        }
    }
    return tg_population_pool(sum, metric);
}
