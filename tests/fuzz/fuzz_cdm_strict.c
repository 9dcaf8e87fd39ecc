/*
 * Fuzz target: cdm-strict on any two formulas, separated by NUL. Scores stay in their range, a
 * formula without faults equals itself, and the sides may change places.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"

#include <texgauge/registry.h>

#include "metrics/metric.h"

/* Made once, and reachable for the leak checker. */
static TgMetric *metric;
static TgEnv *env;

/* One pair's F1 (NaN where it has none), and whether both sides were free of faults. */
typedef struct {
    double f1;
    gboolean is_ok;
} Outcome;

static Outcome score(const char *ref, const char *hyp)
{
    const TgPair pair = { "pair", &ref, 1, hyp };
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
    g_autoptr(GError) error = NULL;

    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, &pair, result, &error))
        return (Outcome){ NAN, FALSE };
    g_assert(result->detail != NULL);
    for (guint column = 0; column < 4; column++)
        g_assert(tg_result_get(result, column) >= 0 && tg_result_get(result, column) <= 1);
    return (Outcome){ tg_result_get(result, 0), strcmp(tg_result_status(result), "ok") == 0 };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2);
    const char *ref = parts.text[0], *hyp = parts.text[1];

    if (metric == NULL) {
        metric = tg_metric_new("cdm-strict", NULL);
        env = tg_env_new();
        g_assert(metric != NULL);
    }
    if (!fuzz_parts_are_utf8(&parts))
        return 0;

    const Outcome there = score(ref, hyp), back = score(hyp, ref), self = score(ref, ref);
    g_assert(isnan(there.f1) || isnan(back.f1) || fabs(there.f1 - back.f1) <= 1e-12);
    g_assert(isnan(self.f1) || !self.is_ok || self.f1 == 1);
    return 0;
}
