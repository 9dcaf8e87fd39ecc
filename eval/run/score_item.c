#include "eval/run/score_item.h"

#include <string.h>

#include "core/deadline.h"
#include "core/fail.h"
#include "metrics/metric.h"

#define MISSING   "no prediction"
#define TOO_LONG  "too-long"
#define TOO_LARGE "too-large: it takes more than 1 GiB of memory"

#define MAX_MEMORY ((gsize) 1 << 30)

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
    return tg_fail_input(error,
                         "%s:%" G_GSIZE_FORMAT ": %s cannot score row %" G_GSIZE_FORMAT ": %s",
                         item->file != NULL ? item->file : "input", item->line,
                         tg_metric_label(metric), item->row, why);
}

/* Try one pair; a fact about it comes back as *@why (transfer full), a fault as FALSE. */
static gboolean try_pair(const TgMetric *metric, TgEnv *env, const TgPair *pair, double seconds,
                         TgResult *result, char **why, GError **error)
{
    GError *trouble = NULL;

    *why = NULL;
    tg_deadline_start(seconds, MAX_MEMORY);
    const gboolean scored = tg_metric_score_same_pair(metric, env, pair, result, &trouble);
    const TgDeadline passed = tg_deadline_stop();
    if (passed != TG_DEADLINE_NONE) {
        g_clear_error(&trouble);
        tg_env_forget_texts(env);
        *why = g_strdup(passed == TG_DEADLINE_TIME ? TOO_LONG : TOO_LARGE);
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

/* The first column of errors without a bound, in which an empty prediction is not the worst;
 * G_MAXUINT where there is none. */
static guint unbounded_column(const TgMetric *metric)
{
    const TgColumn *columns = tg_metric_info(metric)->columns;

    for (guint i = 0; i < tg_metric_n_columns(metric); i++)
        if (columns[i].direction == TG_LOWER_IS_BETTER && columns[i].max == G_MAXDOUBLE)
            return i;
    return G_MAXUINT;
}

/* As much of a text as is scored at all. (transfer full) */
static char *longest_scored(const char *text)
{
    const char *end = text + TG_TEXT_MAX;

    while (end > text && ((guchar) *end & 0xC0) == 0x80) /* inside a character */
        end--;
    return g_strndup(text, (gsize) (end - text));
}

/* Score what a pair counts as that cannot be scored: an empty prediction; for one that is too long
 * its beginning, where that is worse, as a prediction must not gain from being longer. */
static gboolean score_worst(const TgMetric *metric, TgEnv *env, const TgScoreItem *item,
                            double seconds, TgResult *result, gboolean *scored, GError **error)
{
    const guint column = unbounded_column(metric);
    g_autofree char *why_empty = NULL, *why_cut = NULL, *again = NULL;
    TgPair pair = item->pair;
    double empty, cut;

    pair.hyp = "";
    if (!try_pair(metric, env, &pair, seconds, result, &why_empty, error))
        return FALSE;
    *scored = why_empty == NULL;
    if (!*scored || !item->has_prediction || column == G_MAXUINT ||
        strlen(item->pair.hyp) <= TG_TEXT_MAX)
        return TRUE;
    empty = tg_result_get(result, column);
    g_autofree char *beginning = longest_scored(item->pair.hyp);
    pair.hyp = beginning;
    if (!try_pair(metric, env, &pair, seconds, result, &why_cut, error))
        return FALSE;
    cut = tg_result_get(result, column);
    if (why_cut == NULL && cut > empty)
        return TRUE;
    pair.hyp = "";
    return try_pair(metric, env, &pair, seconds, result, &again, error);
}

/* No metric sees what is longer, so that its time and memory are bounded; NULL: nothing is.
 * (transfer full) */
static char *longer_than_scored(const TgScoreItem *item)
{
    gsize longest = strlen(item->pair.hyp);

    for (guint i = 0; i < item->pair.n_refs; i++)
        longest = MAX(longest, strlen(item->pair.refs[i]));
    return longest <= TG_TEXT_MAX ? NULL
                                  : g_strdup_printf("a text of %" G_GSIZE_FORMAT
                                                    " bytes is too long to score (limit %u)",
                                                    longest, TG_TEXT_MAX);
}

static gboolean has_long_truth(const TgPair *pair)
{
    for (guint i = 0; i < pair->n_refs; i++)
        if (strlen(pair->refs[i]) > TG_TEXT_MAX)
            return TRUE;
    return FALSE;
}

static gboolean score_metric(const TgScoreLayout *layout, guint m, TgUndefined undefined,
                             const Budget *budget, const TgScoreItem *item, TgEnv *env,
                             TgResult *result, TgScores *out, GError **error)
{
    const TgMetric *metric = tg_score_layout_metric(layout, m);
    const TgUndefined policy = policy_of(metric, undefined);
    g_autofree char *why = !item->has_prediction ? g_strdup(MISSING) : longer_than_scored(item);

    if (why == NULL &&
        !try_pair(metric, env, &item->pair, budget_share(budget), result, &why, error))
        return FALSE;
    if (why == NULL) {
        tg_scores_take(out, layout, m, result);
        return TRUE;
    }
    if (policy == TG_UNDEFINED_STOP)
        return stop(item, metric, why, error);
    if (policy == TG_UNDEFINED_WORST && !has_long_truth(&item->pair)) {
        gboolean scored;

        if (!score_worst(metric, env, item, budget_grace(budget), result, &scored, error))
            return FALSE;
        if (scored)
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
