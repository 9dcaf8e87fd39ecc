/* Human scores: the tables of a study. */
#include "eval/report/sections.h"
#include "eval/study/grids.h"

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
    section = tg_report_add_section(report, "study", "Human scores", NULL);
    grids = tg_study_grids(study, TG_STUDY_ALL, &(TgGridForm){ 0 });
    while (grids->len > 0)
        g_ptr_array_add(section->grids, g_ptr_array_steal_index(grids, 0));
    return TRUE;
}
