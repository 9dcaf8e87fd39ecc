/*
 * Time of metrics that draw, a pair at a time, as TSV: metric, then median, mean and 95th
 * percentile in microseconds of CPU time.
 *
 *   bench_drawn PAIRS METRIC...          PAIRS: reference, tab, hypothesis on each line
 *   bench_drawn --assignment COSTS N     COSTS: N x N doubles as they lie in memory, one matrix
 * after the other; prints microseconds and total cost of each
 *
 * Pairs that a metric cannot score, or whose prediction has no ink, are left out.
 */
#include <texgauge/texgauge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/algorithms/algorithms.h"
#include "metrics/metric.h"
#include "tests/support/measure.h"

static G_NORETURN void stop(const char *message)
{
    fprintf(stderr, "bench_drawn: %s\n", message);
    exit(EXIT_FAILURE);
}

static char *read_file(const char *path, gsize *length)
{
    GError *error = NULL;
    char *text;

    if (!g_file_get_contents(path, &text, length, &error))
        stop(error->message);
    return text;
}

/* ---- assignment ---- */

static void solve_all(const char *path, guint n)
{
    const gsize size = (gsize) n * n * sizeof(double);
    g_autofree guint *partner = g_new(guint, n);
    g_autofree double *cost = g_malloc(size);
    gsize length;
    g_autofree char *bytes = read_file(path, &length);

    for (gsize at = 0; at + size <= length; at += size) {
        double total = 0;

        memcpy(cost, bytes + at, size);
        const double start = tg_cpu_seconds();
        tg_assignment_solve(cost, n, n, partner);
        const double seconds = tg_cpu_seconds() - start;
        for (guint i = 0; i < n; i++)
            total += cost[(gsize) i * n + partner[i]];
        printf("%.1f\t%.17g\n", seconds * 1e6, total);
    }
}

/* ---- metrics ---- */

static void print_times(const char *spec, GArray *times)
{
    double sum = 0;

    if (times->len == 0)
        stop("no pair could be scored");
    g_array_sort(times, tg_by_value);
    for (guint i = 0; i < times->len; i++)
        sum += g_array_index(times, double, i);
    printf("%s\t%.1f\t%.1f\t%.1f\n", spec, g_array_index(times, double, times->len / 2) * 1e6,
           sum / times->len * 1e6, g_array_index(times, double, times->len * 19 / 20) * 1e6);
}

/* An env for every metric, so that each draws both sides of every pair. */
static void time_metric(const char *spec, char *const *lines)
{
    GError *error = NULL;
    g_autoptr(TgMetric) metric = tg_metric_new(spec, &error);
    if (metric == NULL)
        stop(error->message);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; lines[i] != NULL; i++) {
        g_auto(GStrv) sides = g_strsplit(lines[i], "\t", 2);
        if (sides[0] == NULL || sides[1] == NULL)
            stop("a line without a tab");
        const char *refs[] = { sides[0] };
        const TgPair pair = { "", refs, 1, sides[1] };
        const double start = tg_cpu_seconds();

        tg_env_next_pair(env);
        const gboolean scored = tg_metric_score(metric, env, &pair, result, NULL);
        const double seconds = tg_cpu_seconds() - start;
        if (scored && strcmp(tg_result_status(result), "ok") == 0)
            g_array_append_val(times, seconds);
    }
    print_times(spec, times);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--assignment") == 0) {
        solve_all(argv[2], (guint) strtoul(argv[3], NULL, 10));
        return EXIT_SUCCESS;
    }
    if (argc < 3)
        stop("usage: bench_drawn PAIRS METRIC... | --assignment COSTS N");
    g_autofree char *text = read_file(argv[1], NULL);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    for (int i = 2; i < argc; i++)
        time_metric(argv[i], lines);
    return EXIT_SUCCESS;
}
