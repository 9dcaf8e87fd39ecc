/* A study as text. */
#include "core/json.h"
#include "eval/results/results.h"
#include "eval/study/grids.h"

static void write_parts(TgStudyWriter *w, TgStudyParts parts)
{
    static const struct {
        TgStudyParts part;
        void (*write)(TgStudyWriter *w);
    } writers[] = {
        { TG_STUDY_CORRELATIONS, tg_study_grid_correlations },
        { TG_STUDY_SYSTEMS, tg_study_grid_systems },
        { TG_STUDY_COMPARISONS, tg_study_grid_comparisons },
        { TG_STUDY_RATERS, tg_study_grid_raters },
        { TG_STUDY_PREFERENCES, tg_study_grid_preferences },
        { TG_STUDY_SPELLINGS, tg_study_grid_spellings },
    };

    for (guint i = 0; i < G_N_ELEMENTS(writers); i++) {
        if ((parts & writers[i].part) != 0)
            writers[i].write(w);
    }
}

GPtrArray *tg_study_grids(const TgStudy *study, TgStudyParts parts, const TgGridForm *form)
{
    TgStudyWriter w = { study, form, g_ptr_array_new_with_free_func((GDestroyNotify) tg_grid_free),
                        NULL };

    write_parts(&w, parts);
    return w.grids;
}

static void append_json(GString *out, const TgStudy *study, TgStudyParts parts,
                        const TgGridForm *form)
{
    json_t *all = json_pack("{s:s, s:o, s:O, s:i, s:I, s:o}", "version", tg_version(), "signatures",
                            tg_signatures_json(study->table->layout), "inputs",
                            study->table->inputs, "resamples", (int) study->resamples, "seed",
                            (json_int_t) study->seed, "level", tg_json_number(study->level));
    TgStudyWriter w = { study, form, NULL, all };

    if (form->percent)
        json_object_set_new(all, "percent", json_true());
    write_parts(&w, parts);
    tg_json_append(out, all);
    g_string_append_c(out, '\n');
    json_decref(all);
}

char *tg_study_format(const TgStudy *study, TgStudyParts parts, const TgGridForm *form)
{
    GString *out = g_string_new(NULL);

    if (form->style == TG_GRID_JSON) {
        append_json(out, study, parts, form);
        return g_string_free(out, FALSE);
    }
    g_autoptr(GPtrArray) grids = tg_study_grids(study, parts, form);
    if (grids->len > 0)
        tg_signatures_note(grids->pdata[grids->len - 1], study->table->layout);
    for (guint i = 0; i < grids->len; i++) {
        if (i > 0)
            g_string_append_c(out, '\n');
        tg_grid_append(out, grids->pdata[i], form);
    }
    if (grids->len == 0)
        g_string_append(out, "nothing to study: no human scores in these results; --human names "
                             "their fields when the pairs are scored\n");
    return g_string_free(out, FALSE);
}
