/* cdm-strict on the pairs that draw alike, and on those that do not. */
#include <math.h>

#include <texgauge/texgauge.h>

#include "metrics/metric.h"
#include "tests/conformity/same_drawing.h"
#include "tests/conformity/stages.h"
#include "tests/conformity/tally.h"

/* F1, or NaN where the pair has none. */
static double score(const TgMetric *metric, TgEnv *env, const char *ref, const char *hyp)
{
    const TgPair pair = { "pair", &ref, 1, hyp };
    g_autoptr(TgResult) result = tg_result_new(metric, FALSE);

    tg_env_next_pair(env);
    return tg_metric_score(metric, env, &pair, result, NULL) ? tg_result_get(result, 0) : NAN;
}

gboolean conformity_strict(const GPtrArray *pairs, TgLayout *setter)
{
    g_autoptr(TgMetric) metric = tg_metric_new("cdm-strict", NULL);
    g_autoptr(TgEnv) env = tg_env_new();
    g_autoptr(Tally) same = tally_new(), errors = tally_new(), symmetry = tally_new();
    gboolean all = TRUE;

    (void) setter;
    for (guint i = 0; i < pairs->len; i++) {
        const CdmReferencePair *pair = ((const ConformityPair *) pairs->pdata[i])->official;
        const double f1 = score(metric, env, pair->ref, pair->hyp);
        const double back = score(metric, env, pair->hyp, pair->ref);

        if (!isnan(f1) && !isnan(back))
            tally_add(symmetry, pair->kind, fabs(f1 - back) <= 1e-12);
        if (strcmp(pair->kind, "hand-error") == 0)
            tally_add(errors, pair->kind, f1 < 1);
        if (strcmp(pair->kind, "hand-error") == 0 && f1 == 1)
            tally_note(errors, pair->id, "scores 1");
        if (!cdm_is_same_drawing(pair))
            continue;
        const char *reason = cdm_same_drawing_exception(pair->id);
        tally_add(same, pair->kind, f1 == 1);
        all = all && (f1 == 1 || reason != NULL);
        if (f1 != 1)
            tally_note(same, pair->id, reason != NULL ? reason : "unknown");
    }
    tally_print(same, "cdm-strict: one drawing, score 1");
    tally_print(errors, "cdm-strict: an error, score below 1");
    tally_print(symmetry, "cdm-strict: the same when the sides change places");
    return all && tally_share(symmetry) == 1;
}
