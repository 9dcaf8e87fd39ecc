/*
 * Fuzz target: FORTE on any two formulas, parted by NUL. Scores stay in their range, a formula
 * equals itself, and the simple form is symmetric.
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include <texgauge/registry.h>

/* Made once, and reachable for the leak checker. */
static TgMetric *full, *simple;

/* The score of a pair, or NaN where a formula exceeds a bound. */
static double score(const TgMetric *metric, TgEnv *env, const char *ref, const char *hyp)
{
    const TgPair pair = { "pair", &ref, 1, hyp };
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
    g_autoptr(GError) error = NULL;

    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, &pair, result, &error) || tg_result_detail(result) == NULL)
        return NAN;
    return tg_result_get(result, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_malloc(size + 2);
    static TgEnv *env;

    if (full == NULL) {
        full = tg_metric_new("forte", NULL);
        simple = tg_metric_new("forte:variant=simple", NULL);
        env = tg_env_new();
        g_assert(full != NULL && simple != NULL);
    }
    memcpy(text, data, size);
    text[size] = text[size + 1] = '\0';
    const char *ref = text, *hyp = text + strlen(text) + (strlen(text) < size ? 1 : 0);
    if (!g_utf8_validate(ref, -1, NULL) || !g_utf8_validate(hyp, -1, NULL))
        return 0;

    const double value = score(full, env, ref, hyp), self = score(full, env, ref, ref);
    g_assert(isnan(value) || (value > 0 && value <= 1));
    g_assert(isnan(self) || self == 1);

    const double there = score(simple, env, ref, hyp), back = score(simple, env, hyp, ref);
    g_assert(isnan(there) == isnan(back) && !(fabs(there - back) > 1e-9));
    return 0;
}
