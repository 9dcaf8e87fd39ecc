/* One pair, scored as a run would score it. */
#include <string.h>

#include <texgauge/eval.h>

#include "datasets/records/delimiters.h"
#include "eval/results/results.h"
#include "eval/run/score_record.h"

/* A text as a reader would deliver it: checked, without outer delimiters. (transfer full) */
static char *take_text(const char *text, gboolean keep_delimiters, GError **error)
{
    gsize len = strlen(text);

    if (!g_utf8_validate(text, -1, NULL)) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA, "a formula is not UTF-8");
        return NULL;
    }
    if (!keep_delimiters)
        text = tg_delimiters_strip(text, len, &len);
    return g_strndup(text, len);
}

static gboolean fill_record(TgRecord *record, const TgPair *pair, const TgEvalOptions *options,
                            GError **error)
{
    tg_record_reset(record);
    record->row = 1;
    record->id = *pair->id != '\0' ? g_strdup(pair->id) : NULL;
    for (guint i = 0; i < pair->n_refs; i++) {
        char *ref = take_text(pair->refs[i], options->keep_delimiters, error);
        if (ref == NULL)
            return FALSE;
        g_ptr_array_add(record->refs, ref);
    }
    record->pred = take_text(pair->hyp, options->keep_delimiters, error);
    return record->pred != NULL;
}

static char *score(const TgScoreLayout *layout, const TgEvalOptions *options,
                   const TgRecord *record, GError **error)
{
    g_autoptr(TgEnv) env = tg_env_new();

    tg_env_set_renderer(env, options->renderer);
    if (options->renderer != TG_RENDERER_NATIVE &&
        !tg_prepare_records(layout, record, 1, env, error))
        return NULL;
    g_autoptr(GPtrArray) results =
        g_ptr_array_new_with_free_func((GDestroyNotify) (void (*)(void)) tg_result_free);
    TgScores scores;
    gboolean failed;
    GString *row = NULL;

    for (guint m = 0; m < layout->metrics->len; m++)
        g_ptr_array_add(results, tg_result_new(tg_score_layout_metric(layout, m), options->detail));
    tg_scores_init(&scores, layout);
    if (tg_score_record(layout, options->undefined, record, env,
                        (TgResult *const *) (gpointer) results->pdata, &scores, &failed, error)) {
        row = g_string_new(NULL);
        tg_results_append_row(row, layout, record, &scores);
        g_string_truncate(row, row->len - 1); /* the newline */
    }
    tg_scores_clear(&scores, layout);
    return row != NULL ? g_string_free(row, FALSE) : NULL;
}

char *tg_eval_pair(const TgEvalOptions *options, const TgPair *pair, GError **error)
{
    GPtrArray *metrics = tg_metric_new_list(options->metrics, error);
    g_auto(TgRecord) record = { 0 };

    if (metrics == NULL)
        return NULL;
    g_autoptr(TgScoreLayout) layout = tg_score_layout_new(metrics);
    if (!tg_check_renderer(layout, options->renderer, error) ||
        !fill_record(&record, pair, options, error))
        return NULL;
    return score(layout, options, &record, error);
}

TgPairPicture *tg_eval_picture(const TgEvalOptions *options, TgRenderer *renderer,
                               const TgPair *pair, GError **error)
{
    g_autoptr(TgMetric) metric = tg_metric_new(options->metrics, error);
    g_autoptr(TgEnv) env = tg_env_new();
    g_auto(TgRecord) record = { 0 };

    if (metric == NULL || !fill_record(&record, pair, options, error))
        return NULL;
    const TgPair read = { pair->id, (const char *const *) (gpointer) record.refs->pdata,
                          record.refs->len, record.pred };
    return tg_metric_picture(metric, env, renderer, &read, error);
}
