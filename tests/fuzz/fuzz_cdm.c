/*
 * Fuzz target: the whole of cdm and of the image metrics on two arbitrary byte strings, parted by
 * NUL. Values stay in their range, and what has ink equals itself.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"

#include <texgauge/registry.h>

#include "core/deadline.h"
#include "metrics/metric.h"

static const struct {
    const char *spec;
    double best;
} targets[] = {
    { "cdm", 1 },
    { "cdm:page=unlimited", 1 },
    { "cdm:locate=raster", 1 },
    { "imgedit:dpi=72", 0 },
    { "mse:dpi=72", 0 },
    { "ssim:dpi=72", 1 },
};

/* Made once, and reachable for the leak checker. */
static TgMetric *metrics[G_N_ELEMENTS(targets)];
static TgEnv *env;

/* Of a pair and a metric: pictures that nearly fill what is allowed take longer with sanitizers. */
#define MAX_SECONDS 0.3

/* The headline; NaN for a pair that has none, takes too long, or whose prediction has no ink. */
static double score(guint i, const char *ref, const char *hyp)
{
    const TgPair pair = { "pair", &ref, 1, hyp };
    const TgColumn *columns = tg_metric_info(metrics[i])->columns;
    g_autoptr(TgResult) result = tg_result_new(metrics[i], i == 0);
    g_autoptr(GError) error = NULL;

    tg_env_next_pair(env);
    tg_deadline_start(MAX_SECONDS, 0);
    const gboolean scored = tg_metric_score(metrics[i], env, &pair, result, &error);
    if (tg_deadline_stop() != TG_DEADLINE_NONE)
        return NAN;
    if (!scored) {
        g_assert(g_error_matches(error, TG_ERROR, TG_ERROR_DATA) ||
                 g_error_matches(error, TG_ERROR, TG_ERROR_PARSE));
        return NAN;
    }
    for (guint k = 0; columns[k].name != NULL; k++) {
        const double value = tg_result_get(result, k);
        g_assert(value >= columns[k].min && value <= columns[k].max);
    }
    return strcmp(tg_result_status(result), "ok") == 0 ? tg_result_get(result, 0) : NAN;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2);
    g_autofree char *ref = fuzz_side(&parts, size, 0), *hyp = fuzz_side(&parts, size, 1);

    if (env == NULL) {
        env = tg_env_new();
        for (guint i = 0; i < G_N_ELEMENTS(targets); i++)
            metrics[i] = tg_metric_new(targets[i].spec, NULL);
    }
    for (guint i = 0; i < G_N_ELEMENTS(targets); i++) {
        const double self = score(i, ref, ref);

        g_assert(isnan(self) || fabs(self - targets[i].best) <= 1e-12);
        score(i, ref, hyp);
    }
    return 0;
}
