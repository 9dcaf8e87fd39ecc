/* A study as text. */
#include "core/json.h"
#include "eval/study/grids.h"
#include "eval/study/json.h"

static void free_grid(gpointer grid)
{
    tg_grid_free(grid);
}

GPtrArray *tg_study_grids(const TgStudy *study, TgStudyParts parts, gboolean tidy)
{
    TgStudyWriter w = { study, tidy, g_ptr_array_new_with_free_func(free_grid) };

    if ((parts & TG_STUDY_CORRELATIONS) != 0)
        tg_study_grid_correlations(&w);
    if ((parts & TG_STUDY_COMPARISONS) != 0)
        tg_study_grid_comparisons(&w);
    if ((parts & TG_STUDY_RATERS) != 0)
        tg_study_grid_raters(&w);
    if ((parts & TG_STUDY_PREFERENCES) != 0)
        tg_study_grid_preferences(&w);
    if ((parts & TG_STUDY_SPELLINGS) != 0)
        tg_study_grid_spellings(&w);
    return w.grids;
}

char *tg_study_format(const TgStudy *study, TgStudyParts parts, TgSummaryStyle style)
{
    GString *out = g_string_new(NULL);

    if (style == TG_SUMMARY_JSON) {
        json_t *all = tg_study_json(study, parts);

        tg_json_append(out, all);
        g_string_append_c(out, '\n');
        json_decref(all);
        return g_string_free(out, FALSE);
    }
    g_autoptr(GPtrArray) grids = tg_study_grids(study, parts, style == TG_SUMMARY_CSV);
    for (guint i = 0; i < grids->len; i++) {
        if (i > 0)
            g_string_append_c(out, '\n');
        tg_grid_append(out, grids->pdata[i], style);
    }
    if (grids->len == 0)
        g_string_append(out, "nothing to study: no human scores in these results; --human names "
                             "their fields when the pairs are scored\n");
    return g_string_free(out, FALSE);
}
