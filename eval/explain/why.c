#include "eval/explain/why.h"

#include <string.h>

#include "eval/explain/edits.h"
#include "eval/explain/matches.h"

/* Metrics that count edits of tokens; others of text count something else. */
static gboolean has_edits(const TgMetric *metric)
{
    static const char *const names[] = { "edit", "edit-ops", "exprate", NULL };

    return g_strv_contains(names, tg_metric_info(metric)->name) &&
           tg_metric_text_input(metric) != NULL;
}

char *tg_explain_why(const TgMetric *metric, TgEnv *env, const TgPair *pair, guint width,
                     gboolean json, GError **error)
{
    g_autoptr(TgResult) result = tg_result_new(metric, TRUE);
    GVariant *detail;

    tg_env_next_pair(env);
    if (!tg_metric_score(metric, env, pair, result, error))
        return NULL;
    if (has_edits(metric))
        return tg_explain_edits(metric, env, pair, result, width, json, error);
    detail = tg_result_detail(result);
    if (detail != NULL && g_variant_is_of_type(detail, G_VARIANT_TYPE_VARDICT) &&
        g_variant_lookup(detail, "gt", "@a{sv}", NULL))
        return tg_explain_matches(metric, pair, result, width, json);
    g_set_error(
        error, TG_ERROR, TG_ERROR_USAGE,
        "'%s' cannot explain a score; forte, cdm, cdm-strict, edit, edit-ops and exprate can",
        tg_metric_info(metric)->name);
    return NULL;
}
