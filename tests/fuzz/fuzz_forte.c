/*
 * Fuzz target: FORTE on any two formulas, separated by NUL. Scores stay in their range, a formula
 * equals itself, the profile ocr finds errors where people do, and every pair can be explained.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"

#include "eval/explain/explain.h"
#include "metrics/metric.h"
#include <texgauge/registry.h>

/* Made once, and reachable for the leak checker. */
static TgMetric *full, *ocr;

/* The score of a pair, or NaN where a formula exceeds a bound. */
static double score(const TgMetric *metric, TgEnv *env, const char *ref, const char *hyp)
{
    const TgPair pair = { "pair", &ref, 1, hyp };
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
    g_autoptr(GError) error = NULL;

    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, &pair, result, &error) || result->detail == NULL)
        return NAN;
    return tg_result_get(result, 0);
}

/* The explanation in both forms; the text has no control characters but line feeds. */
static void explain(TgEnv *env, const char *ref, const char *hyp)
{
    const TgPair pair = { "pair", &ref, 1, hyp };
    const TgExplanationStyle style = { .width = 60 };
    const TgExplanation *explanation = tg_explanation_new(full, env, &pair, NULL);

    if (explanation == NULL)
        return;
    g_autofree char *text = tg_explanation_text(explanation, &style);
    g_autofree char *json = tg_explanation_json(explanation);
    for (const char *c = text; *c != '\0'; c++)
        g_assert(*c == '\n' || !g_ascii_iscntrl(*c));
    g_assert(g_utf8_validate(text, -1, NULL) && json[0] == '{');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2);
    const char *ref = parts.text[0], *hyp = parts.text[1];
    static TgEnv *env;

    if (full == NULL) {
        full = tg_metric_new("forte", NULL);
        ocr = tg_metric_new("forte:profile=ocr", NULL);
        env = tg_env_new();
        g_assert(full != NULL && ocr != NULL);
    }
    if (!fuzz_parts_are_utf8(&parts))
        return 0;

    const double value = score(full, env, ref, hyp), self = score(full, env, ref, ref);
    g_assert(isnan(value) || (value >= 0 && value <= 1));
    g_assert(isnan(self) || self == 1);

    explain(env, ref, hyp);
    const double strange = score(ocr, env, ref, hyp);
    g_assert(isnan(strange) == isnan(value) && !(strange < 0) && !(strange > 1));
    g_assert((strange == 1) == (value == 1));
    return 0;
}
