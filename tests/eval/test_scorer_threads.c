/* Eight threads at once, as other people's programs have them: a scorer and metrics that all share,
 * envs that are made and freed meanwhile, metrics that are registered meanwhile. `./dev check tsan`
 * runs it too. */
#include "tests/support/test_support.h"

#include <texgauge/registry.h>
#include <texgauge/scorer.h>

#include "metrics/metric.h"

#define N_THREADS 8
#define N_ROUNDS  12
#define METRICS   "edit,bleu,forte,cdm,cdm-strict,chrf"

static const char *const formulas[] = {
    "\\frac{a}{b}",
    "x^2+y_1",
    "\\sqrt[3]{x}",
    "\\begin{matrix}a&b\\\\c&d\\end{matrix}",
    "\\left(a\\right)",
    "\\text{if } x>0",
    "{",
    "\\int_0^1 f",
    "\\hat{x}+\\alpha\\b",
    "\\ce{H2O -> B^+}",
    "",
};

typedef struct {
    TgScorer *scorer;     /* shared */
    TgMetric *metrics[2]; /* shared */
    const double *wanted; /* [formula][column] of the scorer */
    guint n_columns;
    const char *trouble; /* out; NULL: none */
} Work;

static TgPair pair_of(guint i)
{
    static const char *const ref[] = { "\\frac{a}{b}+x^2" };

    return (TgPair){ "pair", ref, 1, formulas[i % G_N_ELEMENTS(formulas)] };
}

static const char *check_scorer(const Work *work, guint i)
{
    const TgPair pair = pair_of(i);
    const double *wanted = work->wanted + (i % G_N_ELEMENTS(formulas)) * work->n_columns;
    g_autoptr(TgBatch) batch = tg_scorer_score(work->scorer, &pair, 1, NULL, NULL);

    if (batch == NULL)
        return "no batch";
    for (guint c = 0; c < work->n_columns; c++) {
        const double value = tg_batch_column(batch, c)[0];

        if (memcmp(&value, &wanted[c], sizeof value) != 0)
            return "another value than alone";
    }
    return NULL;
}

static const char *check_metric(const TgMetric *metric, guint i)
{
    const TgPair pair = pair_of(i);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(TgResult) result = tg_result_new(metric, i % 2 == 0);
    g_autoptr(GError) error = NULL;

    if (!tg_metric_score(metric, env, &pair, result, &error) &&
        !g_error_matches(error, TG_ERROR, TG_ERROR_PARSE) &&
        !g_error_matches(error, TG_ERROR, TG_ERROR_DATA))
        return "a metric fails";
    return NULL;
}

static gpointer share(gpointer data)
{
    Work *work = data;

    for (guint i = 0; i < N_ROUNDS * G_N_ELEMENTS(formulas) && work->trouble == NULL; i++) {
        work->trouble = check_scorer(work, i);
        if (work->trouble == NULL)
            work->trouble = check_metric(work->metrics[i % 2], i);
    }
    return NULL;
}

/* Scorers of one's own, made and freed beside the others'. */
static gpointer make_and_free(gpointer data)
{
    Work *work = data;

    for (guint i = 0; i < N_ROUNDS && work->trouble == NULL; i++) {
        g_autoptr(TgScorer) scorer = tg_scorer_new(METRICS, NULL, NULL);
        Work own = *work;

        own.scorer = scorer;
        work->trouble = scorer == NULL ? "no scorer" : check_scorer(&own, i);
    }
    return NULL;
}

static gboolean score_one(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                          GError **error)
{
    (void) instance, (void) env, (void) pair, (void) error;
    tg_result_set(out, 0, 1);
    return TRUE;
}

/* While others score. */
static void register_metrics(void)
{
    static const char *const names[] = { "one-a", "one-b", "one-c" };
    static const TgColumn columns[] = {
        { .name = "one", .direction = TG_HIGHER_IS_BETTER, .min = 0, .max = 1 },
        { 0 },
    };
    static TgMetricInfo infos[G_N_ELEMENTS(names)];

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        infos[i] = (TgMetricInfo){ .abi = TG_METRIC_ABI,
                                   .name = names[i],
                                   .summary = "one",
                                   .version = "1",
                                   .columns = columns,
                                   .score = score_one };
        tg_must(tg_registry_add(&infos[i], &error));
        g_usleep(1000);
    }
}

static void run_threads(GThreadFunc function, const Work *shared, void (*meanwhile)(void))
{
    GThread *threads[N_THREADS];
    Work works[N_THREADS];

    for (guint i = 0; i < N_THREADS; i++) {
        works[i] = *shared;
        threads[i] = g_thread_new("work", function, &works[i]);
    }
    if (meanwhile != NULL)
        meanwhile();
    for (guint i = 0; i < N_THREADS; i++) {
        g_thread_join(threads[i]);
        if (works[i].trouble != NULL)
            fail_msg("thread %u: %s", i, works[i].trouble);
    }
}

TEST(test_scorer_threads__eight_at_once)
{
    g_autoptr(TgScorer) scorer = tg_must(tg_scorer_new(METRICS, NULL, &error));
    Work work = { .scorer = scorer, .n_columns = tg_scorer_n_columns(scorer) };
    g_autofree double *wanted = g_new(double, G_N_ELEMENTS(formulas) * work.n_columns);

    for (guint i = 0; i < G_N_ELEMENTS(formulas); i++) {
        const TgPair pair = pair_of(i);
        g_autoptr(TgBatch) batch = tg_scorer_score(scorer, &pair, 1, NULL, NULL);

        for (guint c = 0; c < work.n_columns; c++)
            wanted[i * work.n_columns + c] = tg_batch_column(batch, c)[0];
    }
    work.wanted = wanted;
    work.metrics[0] = tg_metric_new("forte", NULL);
    work.metrics[1] = tg_metric_new("cdm", NULL);
    run_threads(share, &work, register_metrics);
    run_threads(make_and_free, &work, NULL);
    assert_non_null(tg_registry_find("one-c"));
    tg_metric_free(work.metrics[0]);
    tg_metric_free(work.metrics[1]);
}
