/* Human scores: the tables of a study, and how the shown columns agree with people. */
#include "core/json.h"
#include "eval/report/sections.h"
#include "eval/study/study.h"

/* Pearson's coefficients of the shown columns over all pairs. (transfer full) */
static json_t *report_correlations(const TgReport *report, const TgStudy *study)
{
    json_t *list = json_array();

    for (guint g = 0; g < study->table->groups->len; g++) {
        for (guint i = 0; i < report->shown->len; i++) {
            const TgStudyCorrelation *each =
                tg_study_correlation(study, 0, g, g_array_index(report->shown, guint, i));
            const TgStudyCoefficient *r = &each->coefficient[TG_PEARSON];

            json_array_append_new(
                list, json_pack("{s:i, s:i, s:i, s:o, s:o, s:o}", "group", (int) g, "column",
                                (int) i, "n", (int) each->n, "r", tg_json_number(r->value), "low",
                                tg_json_number(r->bootstrap.percentile[0]), "high",
                                tg_json_number(r->bootstrap.percentile[1])));
        }
    }
    return list;
}

gboolean tg_report_add_human(TgReport *report, const char *const *stored, const char *const *lower,
                             GError **error)
{
    const TgStudyOptions study_options = {
        .stored = stored,
        .lower = lower,
        .force = TRUE, /* the report has checked them, or was told not to */
        .resamples = report->resamples,
        .seed = report->seed,
        .threads = report->threads,
    };
    g_autoptr(TgStudy) study = NULL;
    g_autoptr(GPtrArray) grids = NULL;
    TgReportSection *section;

    if (report->table->groups->len == 0)
        return TRUE;
    study = tg_study_run((const char *const *) report->paths, &study_options, error);
    if (study == NULL)
        return FALSE;
    report->agreement = report_correlations(report, study);
    section = tg_report_add_section(report, "study", "Human scores", NULL);
    grids = tg_study_grids(study, TG_STUDY_ALL, &(TgGridForm){ 0 });
    while (grids->len > 0)
        g_ptr_array_add(section->grids, g_ptr_array_steal_index(grids, 0));
    return TRUE;
}
