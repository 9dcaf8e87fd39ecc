#include "eval/run/score_record.h"

#include "metrics/metric.h"

#define MISSING "no prediction"

static TgUndefined policy_of(const TgMetric *metric, TgUndefined undefined)
{
    if (undefined == TG_UNDEFINED_DEFAULT)
        undefined = tg_metric_info(metric)->undefined;
    return undefined == TG_UNDEFINED_DEFAULT ? TG_UNDEFINED_WORST : undefined;
}

/* Whether an error is a fact about the pair, so that the run goes on. */
static gboolean is_about_pair(const GError *error)
{
    return g_error_matches(error, TG_ERROR, TG_ERROR_DATA) ||
           g_error_matches(error, TG_ERROR, TG_ERROR_PARSE);
}

static gboolean stop(const TgRecord *record, const TgMetric *metric, const char *why,
                     GError **error)
{
    g_set_error(error, TG_ERROR, TG_ERROR_INPUT,
                "%s:%" G_GSIZE_FORMAT ": %s cannot score row %" G_GSIZE_FORMAT ": %s",
                record->file != NULL ? record->file : "input", record->line,
                tg_metric_label(metric), record->row, why);
    return FALSE;
}

/* Try one pair; a fact about it comes back as *@why (transfer full), a fault as FALSE. */
static gboolean try_pair(const TgMetric *metric, TgEnv *env, const TgPair *pair, TgResult *result,
                         char **why, GError **error)
{
    GError *trouble = NULL;

    *why = NULL;
    if (tg_metric_score_same_pair(metric, env, pair, result, &trouble))
        return TRUE;
    if (!is_about_pair(trouble)) {
        g_propagate_prefixed_error(error, trouble, "pair '%s': ", pair->id);
        return FALSE;
    }
    *why = g_strdup(trouble->message);
    g_error_free(trouble);
    return TRUE;
}

static gboolean score_metric(const TgScoreLayout *layout, guint m, TgUndefined undefined,
                             const TgRecord *record, const TgPair *pair, TgEnv *env,
                             TgResult *result, TgScores *out, GError **error)
{
    const TgMetric *metric = tg_score_layout_metric(layout, m);
    const TgUndefined policy = policy_of(metric, undefined);
    TgPair empty = *pair;
    g_autofree char *why = record->pred == NULL ? g_strdup(MISSING) : NULL;

    if (why == NULL && !try_pair(metric, env, pair, result, &why, error))
        return FALSE;
    if (why == NULL) {
        tg_scores_take(out, layout, m, result);
        return TRUE;
    }
    if (policy == TG_UNDEFINED_STOP)
        return stop(record, metric, why, error);
    if (policy == TG_UNDEFINED_WORST) {
        g_autofree char *also = NULL;

        empty.hyp = "";
        if (!try_pair(metric, env, &empty, result, &also, error))
            return FALSE;
        if (also == NULL)
            tg_scores_take(out, layout, m, result);
    }
    tg_scores_set_status(out, m, why);
    return TRUE;
}

static TgPair pair_of(const TgRecord *record)
{
    return (TgPair){
        record->id != NULL ? record->id : "",
        (const char *const *) (gpointer) record->refs->pdata,
        record->refs->len,
        record->pred != NULL ? record->pred : "",
    };
}

gboolean tg_check_renderer(const TgScoreLayout *layout, TgRendererChoice renderer, GError **error)
{
    gboolean any = renderer == TG_RENDERER_NATIVE;

    for (guint m = 0; m < layout->metrics->len; m++)
        any = any || tg_metric_prepares(tg_score_layout_metric(layout, m));
    if (!any)
        g_set_error(error, TG_ERROR, TG_ERROR_USAGE,
                    "no metric that is named leaves its drawing to --renderer; cdm does");
    return any;
}

gboolean tg_prepare_records(const TgScoreLayout *layout, const TgRecord *records, guint n,
                            TgEnv *env, GError **error)
{
    g_autofree TgPair *pairs = g_new(TgPair, n);
    guint n_pairs = 0;

    for (guint i = 0; i < n; i++)
        if (records[i].fault == NULL && records[i].refs->len > 0)
            pairs[n_pairs++] = pair_of(&records[i]);
    for (guint m = 0; m < layout->metrics->len; m++)
        if (!tg_metric_prepare(tg_score_layout_metric(layout, m), env, pairs, n_pairs, error))
            return FALSE;
    return TRUE;
}

gboolean tg_score_record(const TgScoreLayout *layout, TgUndefined undefined, const TgRecord *record,
                         TgEnv *env, TgResult *const *results, TgScores *out, gboolean *failed,
                         GError **error)
{
    const TgPair pair = pair_of(record);

    *failed = FALSE;
    tg_scores_reset(out, layout);
    tg_env_next_pair(env);
    for (guint m = 0; m < layout->metrics->len; m++) {
        if (record->fault == NULL && record->refs->len > 0) {
            if (!score_metric(layout, m, undefined, record, &pair, env, results[m], out, error))
                return FALSE;
        } else {
            const char *why = record->fault != NULL ? record->fault : "no truth";
            if (policy_of(tg_score_layout_metric(layout, m), undefined) == TG_UNDEFINED_STOP)
                return stop(record, tg_score_layout_metric(layout, m), why, error);
            tg_scores_set_status(out, m, why);
        }
        *failed = *failed || out->status[m] != NULL;
    }
    return TRUE;
}
