/*
 * Fuzz target: every text metric on any texts. The input is the hypothesis and its references,
 * separated by NUL. A pair's values must follow from its statistics.
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include <texgauge/registry.h>

#include "metrics/metric.h"

#define MAX_REFS 4

static const char *const specs[] = {
    "bleu",
    "bleu:smooth=none:order=8:tokenize=char",
    "bleu:smooth=floor:lowercase=yes:tokenize=words",
    "bleu:smooth=add-k:tokenize=13a:effective-order=yes",
    "bleu:smooth=nltk4:tokenize=alnum",
    "bleu:smooth=nltk6",
    "bleu:smooth=nltk7:order=3",
    "bleu:compat=sacrebleu-r:smooth=floor",
    "ebleu",
    "ebleu:clean=yes:compat=2014:brevity=yes:tokenize=words",
    "texbleu",
    "texbleu:align=edit",
    "texbleu:variant=repo:align=edit:brevity=yes",
    "edit",
    "edit:tokenize=codepoint:variant=osa",
    "edit:tokenize=char:variant=indel:lowercase=yes",
    "cer",
    "cer:edits=words:lowercase=yes",
    "wer:tokenize=13a",
    "wer:normalize=canonical",
    "texbleu:normalize=canonical+spaces-groups",
    "edit-ops:tokenize=codepoint",
    "exprate:lowercase=yes",
    "rouge",
    "rouge:tokenize=alnum",
    "chrf:word-order=2",
    "chrf:char-order=3:whitespace=yes:lowercase=yes:eps-smoothing=yes",
};

/* Made once, and reachable for the leak checker. */
static TgMetric *metrics[G_N_ELEMENTS(specs)];

/* The pooled value of one pair is the pair's, but for bleu, whose pairs have effective order. */
static void check_pooled(const TgMetric *metric, const TgResult *result)
{
    const gboolean differs = strcmp(tg_metric_info(metric)->name, "bleu") == 0;
    const TgColumn *columns = tg_metric_info(metric)->columns;
    g_autofree double *pooled = g_new(double, tg_metric_n_columns(metric));
    guint n;
    const double *stats = tg_result_stats(result, &n);

    if (stats == NULL)
        return;
    tg_metric_pool(metric, stats, pooled);
    for (guint i = 0; columns[i].name != NULL; i++) {
        const double value = tg_result_get(result, i);

        if (columns[i].pooling != TG_POOL_STATS)
            continue;
        if (differs)
            g_assert_true(isnan(pooled[i]) ||
                          (pooled[i] >= columns[i].min && pooled[i] <= columns[i].max + 1e-9));
        else
            g_assert_true(pooled[i] == value || (isnan(pooled[i]) && isnan(value)));
    }
}

static void score(guint i, TgEnv *env, const TgPair *pair)
{
    g_autoptr(GError) error = NULL;

    if (metrics[i] == NULL)
        metrics[i] = tg_metric_new(specs[i], &error);
    if (metrics[i] == NULL)
        g_error("%s: %s", specs[i], error->message);
    g_autoptr(TgResult) result = tg_result_new(metrics[i], TRUE);
    if (!tg_metric_score(metrics[i], env, pair, result, &error))
        g_error("%s: %s", specs[i], error->message);
    check_pooled(metrics[i], result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *bytes = g_malloc(size + 1);
    const char *texts[MAX_REFS + 1] = { bytes };
    guint n = 1;

    if (size > 0)
        memcpy(bytes, data, size);
    bytes[size] = '\0';
    for (size_t i = 0; i < size && n <= MAX_REFS; i++)
        if (bytes[i] == '\0')
            texts[n++] = bytes + i + 1;
    if (n == 1)
        texts[n++] = bytes; /* the same buffer on both sides */

    g_autoptr(TgEnv) env = tg_env_new();
    const TgPair pair = { "fuzz", texts + 1, n - 1, texts[0] };
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++)
        score(i, env, &pair);
    return 0;
}
