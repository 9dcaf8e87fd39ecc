/* Results files of one run -> its summary. */
#include "eval/run/run.h"

TgSummary *tg_eval_merge(const char *const *paths, const TgMergeOptions *options, GError **error)
{
    static const TgMergeOptions none = { 0 };
    const TgMergeOptions *how = options != NULL ? options : &none;
    g_autoptr(TgResultsSet) set =
        tg_results_set_new(paths, how->force ? TG_RESULTS_ONE_INPUT : TG_RESULTS_ONE_RUN, error);
    g_autoptr(TgSummary) summary = NULL;
    const TgResultsRow *row;
    guint file;

    if (set == NULL)
        return NULL;
    do {
        if (!tg_results_set_next(set, &row, &file, error))
            return NULL;
        if (summary == NULL) {
            summary = tg_summary_new(tg_score_layout_ref(tg_results_set_run(set)->layout));
            if (how->confidence)
                tg_summary_want_intervals(summary);
            if (!tg_summary_want_mean(summary, how->mean, error))
                return NULL;
            tg_summary_want_by(summary, how->by);
        }
        if (row != NULL) {
            g_autofree char *model = tg_results_set_model(set, file, row->model);
            const TgSummaryPair pair = tg_summary_pair_of_row(row, model);

            tg_summary_add_pair(summary, &pair, &row->scores);
        }
    } while (row != NULL);
    return tg_summary_check_mean(summary, error) ? g_steal_pointer(&summary) : NULL;
}
