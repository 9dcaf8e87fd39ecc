#include "eval/run/score_item.h"

#include "core/deadline.h"
#include "metrics/metric.h"

#define MISSING  "no prediction"
#define TOO_LONG "too-long"

/* In which all metrics together score the empty prediction after the time was up. */
#define GRACE_SECONDS 0.1

/* What remains of the time for a pair. */
typedef struct {
    gint64 end;      /* monotonic time in microseconds; 0: there is no bound */
    guint n_metrics; /* in all */
    guint n_to_come; /* with the one at hand */
} Budget;

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

static gboolean stop(const TgScoreItem *item, const TgMetric *metric, const char *why,
                     GError **error)
{
    g_set_error(error, TG_ERROR, TG_ERROR_INPUT,
                "%s:%" G_GSIZE_FORMAT ": %s cannot score row %" G_GSIZE_FORMAT ": %s",
                item->file != NULL ? item->file : "input", item->line, tg_metric_label(metric),
                item->row, why);
    return FALSE;
}

/* Try one pair; a fact about it comes back as *@why (transfer full), a fault as FALSE. */
static gboolean try_pair(const TgMetric *metric, TgEnv *env, const TgPair *pair, double seconds,
                         TgResult *result, char **why, GError **error)
{
    GError *trouble = NULL;

    *why = NULL;
    tg_deadline_start(seconds);
    const gboolean scored = tg_metric_score_same_pair(metric, env, pair, result, &trouble);
    if (tg_deadline_stop()) {
        g_clear_error(&trouble);
        tg_env_forget_texts(env);
        *why = g_strdup(TOO_LONG);
        return TRUE;
    }
    if (scored)
        return TRUE;
    if (!is_about_pair(trouble)) {
        g_propagate_prefixed_error(error, trouble, "pair '%s': ", pair->id);
        return FALSE;
    }
    *why = g_strdup(trouble->message);
    g_error_free(trouble);
    return TRUE;
}

/* Seconds for the next metric; 0: no bound. */
static double budget_share(const Budget *budget)
{
    const gint64 left = budget->end - g_get_monotonic_time();

    return budget->end == 0 ? 0 : MAX((double) left, 1) / 1e6 / budget->n_to_come;
}

/* Seconds to score what the pair counts as. */
static double budget_grace(const Budget *budget)
{
    return budget->end == 0 ? 0 : GRACE_SECONDS / budget->n_metrics;
}

static gboolean score_metric(const TgScoreLayout *layout, guint m, TgUndefined undefined,
                             const Budget *budget, const TgScoreItem *item, TgEnv *env,
                             TgResult *result, TgScores *out, GError **error)
{
    const TgMetric *metric = tg_score_layout_metric(layout, m);
    const TgUndefined policy = policy_of(metric, undefined);
    TgPair empty = item->pair;
    g_autofree char *why = !item->has_prediction ? g_strdup(MISSING) : NULL;

    if (why == NULL &&
        !try_pair(metric, env, &item->pair, budget_share(budget), result, &why, error))
        return FALSE;
    if (why == NULL) {
        tg_scores_take(out, layout, m, result);
        return TRUE;
    }
    if (policy == TG_UNDEFINED_STOP)
        return stop(item, metric, why, error);
    if (policy == TG_UNDEFINED_WORST) {
        g_autofree char *also = NULL;

        empty.hyp = "";
        if (!try_pair(metric, env, &empty, budget_grace(budget), result, &also, error))
            return FALSE;
        if (also == NULL)
            tg_scores_take(out, layout, m, result);
    }
    tg_scores_set_status(out, m, why);
    return TRUE;
}

gboolean tg_prepare_items(const TgScoreLayout *layout, const TgScoreItem *items, guint n,
                          TgEnv *env, GError **error)
{
    g_autofree TgPair *pairs = g_new(TgPair, n);
    guint n_pairs = 0;

    for (guint i = 0; i < n; i++)
        if (items[i].fault == NULL && items[i].pair.n_refs > 0)
            pairs[n_pairs++] = items[i].pair;
    for (guint m = 0; m < layout->metrics->len; m++)
        if (!tg_metric_prepare(tg_score_layout_metric(layout, m), env, pairs, n_pairs, error))
            return FALSE;
    return TRUE;
}

gboolean tg_score_item(const TgScoreLayout *layout, const TgScorerOptions *options,
                       const TgScoreItem *item, TgEnv *env, TgResult *const *results, TgScores *out,
                       GError **error)
{
    const char *why = item->fault != NULL ? item->fault : "no truth";
    const TgUndefined undefined = options->undefined;
    Budget budget = { .n_metrics = layout->metrics->len };

    if (options->pair_timeout > 0)
        budget.end = g_get_monotonic_time() + (gint64) (MIN(options->pair_timeout, 1e9) * 1e6);

    tg_scores_reset(out, layout);
    for (guint m = 0; m < layout->metrics->len; m++) {
        const TgMetric *metric = tg_score_layout_metric(layout, m);

        if (item->fault == NULL && item->pair.n_refs > 0) {
            budget.n_to_come = budget.n_metrics - m;
            if (!score_metric(layout, m, undefined, &budget, item, env, results[m], out, error))
                return FALSE;
        } else if (policy_of(metric, undefined) == TG_UNDEFINED_STOP) {
            return stop(item, metric, why, error);
        } else {
            tg_scores_set_status(out, m, why);
        }
    }
    return TRUE;
}
