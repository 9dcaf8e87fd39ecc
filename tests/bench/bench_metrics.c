/*
 * Pairs per second of CPU time for each metric, as TSV: metric, pairs per second, score of all.
 *
 *   bench_metrics [--count N] [--seed N] [--formulas FILE | --pairs FILE] [--write FILE] METRIC...
 *
 * --formulas: one formula a line; pairs are these formulas and copies with random errors
 * --pairs: reference, tab, hypothesis on each line
 * --write: write the pairs in that layout, for other programs to score
 */
#include <texgauge/texgauge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "metrics/metric.h"
#include "tests/bench/misread.h"
#include "tests/support/measure.h"

/* One token in so many is lost, changed, doubled or put in braces. */
#define TOKENS_PER_ERROR 8

typedef struct {
    char *ref;
    char *hyp;
} Pair;

static void free_pair(gpointer data)
{
    Pair *pair = data;

    g_free(pair->ref);
    g_free(pair->hyp);
    g_free(pair);
}

static G_NORETURN void stop(const char *message)
{
    fprintf(stderr, "bench_metrics: %s\n", message);
    exit(EXIT_FAILURE);
}

static char **read_lines(const char *path)
{
    g_autofree char *text = NULL;
    GError *error = NULL;

    if (!g_file_get_contents(path, &text, NULL, &error))
        stop(error->message);
    return g_strsplit(g_strchomp(text), "\n", -1);
}

/* ---- pairs ---- */

static void add_pair(GPtrArray *pairs, char *ref, char *hyp)
{
    Pair *pair = g_new(Pair, 1);

    *pair = (Pair){ ref, hyp };
    g_ptr_array_add(pairs, pair);
}

static GPtrArray *make_pairs(const char *path, gint count, gint seed)
{
    GPtrArray *pairs = g_ptr_array_new_with_free_func(free_pair);
    g_auto(GStrv) formulas = read_lines(path);
    const guint n = g_strv_length(formulas);

    if (n == 0)
        stop("no formulas");
    for (gint i = 0; i < count; i++) {
        TgRandom random;
        const char *formula = formulas[(guint) i % n];

        tg_random_seed(&random, (guint64) seed, (guint64) i);
        add_pair(pairs, g_strdup(formula), tg_misread(formula, TOKENS_PER_ERROR, &random));
    }
    return pairs;
}

static GPtrArray *read_pairs(const char *path)
{
    GPtrArray *pairs = g_ptr_array_new_with_free_func(free_pair);
    g_auto(GStrv) lines = read_lines(path);

    for (guint i = 0; lines[i] != NULL; i++) {
        const char *tab = strchr(lines[i], '\t');
        if (tab == NULL)
            stop("a line without a tab");
        add_pair(pairs, g_strndup(lines[i], (gsize) (tab - lines[i])), g_strdup(tab + 1));
    }
    return pairs;
}

static void write_pairs(const GPtrArray *pairs, const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        stop("the pairs cannot be written");
    for (guint i = 0; i < pairs->len; i++) {
        const Pair *pair = pairs->pdata[i];
        fprintf(file, "%s\t%s\n", pair->ref, pair->hyp);
    }
    if (fclose(file) != 0)
        stop("the pairs cannot be written");
}

/* ---- time ---- */

/* The headline of all pairs, from the summed statistics or as the mean. */
static double score_of_all(const TgMetric *metric, const double *sums, double mean)
{
    g_autofree double *pooled = g_new(double, tg_metric_n_columns(metric));

    tg_metric_pool(metric, sums, pooled);
    return tg_metric_info(metric)->columns[0].pooling == TG_POOL_STATS ? pooled[0] : mean;
}

/* Score all pairs as the runner does: one env, statistics summed. */
static void run(const char *spec, const GPtrArray *pairs)
{
    GError *error = NULL;
    g_autoptr(TgMetric) metric = tg_metric_new(spec, &error);
    if (metric == NULL)
        stop(error->message);

    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    g_autofree double *sums = g_new0(double, metric->n_stats + 1);
    double total = 0;

    const double start = tg_cpu_seconds();
    for (guint i = 0; i < pairs->len; i++) {
        const Pair *pair = pairs->pdata[i];
        const char *refs[] = { pair->ref };
        const TgPair texts = { "", refs, 1, pair->hyp };
        guint n;

        tg_env_next_pair(env);
        if (!tg_metric_score(metric, env, &texts, result, &error))
            stop(error->message);
        const double *stats = tg_result_stats(result, &n);
        for (guint k = 0; k < n; k++)
            sums[k] += stats[k];
        total += tg_result_get(result, 0);
    }
    const double seconds = tg_cpu_seconds() - start;

    printf("%s\t%.0f\t%.10g\n", spec, pairs->len / seconds,
           score_of_all(metric, sums, total / pairs->len));
}

int main(int argc, char **argv)
{
    gint count = 100000, seed = 1;
    g_autofree char *formulas = NULL, *given = NULL, *write = NULL;
    const GOptionEntry entries[] = {
        { "count", 0, 0, G_OPTION_ARG_INT, &count, "number of pairs to make", "N" },
        { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "of the random errors", "N" },
        { "formulas", 0, 0, G_OPTION_ARG_FILENAME, &formulas, "one formula a line", "FILE" },
        { "pairs", 0, 0, G_OPTION_ARG_FILENAME, &given, "pairs to score instead", "FILE" },
        { "write", 0, 0, G_OPTION_ARG_FILENAME, &write, "where to write the pairs", "FILE" },
        G_OPTION_ENTRY_NULL,
    };
    g_autoptr(GOptionContext) context = g_option_context_new("METRIC...");
    GError *error = NULL;

    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error))
        stop(error->message);

    g_autoptr(GPtrArray) pairs =
        given != NULL
            ? read_pairs(given)
            : make_pairs(formulas != NULL ? formulas : TG_SOURCE_ROOT "/tests/bench/formulas.txt",
                         count, seed);
    if (write != NULL)
        write_pairs(pairs, write);
    for (int i = 1; i < argc; i++)
        run(argv[i], pairs);
    return EXIT_SUCCESS;
}
