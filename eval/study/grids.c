#include "eval/study/grids.h"

#include "core/json.h"

gboolean tg_study_for_programs(const TgStudyWriter *w)
{
    return w->form->style == TG_GRID_CSV || w->form->style == TG_GRID_JSON;
}

void tg_study_keep_grid(TgStudyWriter *w, TgGrid *grid, const char *member)
{
    if (w->form->style != TG_GRID_JSON && tg_grid_n_rows(grid) > 0) {
        g_ptr_array_add(w->grids, grid);
        return;
    }
    if (w->form->style == TG_GRID_JSON)
        json_object_set_new(w->json, member, tg_grid_rows_json(grid, w->form));
    tg_grid_free(grid);
}

const char *tg_study_column_name(const TgStudyWriter *w, guint column)
{
    return tg_table_column(w->study->table, column)->name;
}

const char *tg_study_group_name(const TgStudyWriter *w, guint group)
{
    return tg_table_group(w->study->table, group)->name;
}

static const char *slice_name(const TgStudyWriter *w, guint slice)
{
    return ((const TgStudySlice *) w->study->slices->pdata[slice])->name;
}

void tg_study_put_slice(TgGrid *grid, const TgStudyWriter *w, guint slice)
{
    tg_grid_put_name(grid, slice_name(w, slice), "(none)");
}

char *tg_study_slice_suffix(const TgStudyWriter *w, guint slice)
{
    const char *name = slice_name(w, slice);

    if (w->study->slices->len == 1)
        return g_strdup("");
    return g_strdup_printf(", pairs: %s", *name != '\0' ? name : "(none)");
}

char *tg_study_level_text(const TgStudy *study)
{
    char text[32];

    return g_strdup_printf("%s %%", g_ascii_formatd(text, sizeof text, "%.4g", 100 * study->level));
}

static json_t *ends_json(const double ends[2])
{
    return json_pack("[o, o]", tg_json_number(ends[0]), tg_json_number(ends[1]));
}

json_t *tg_study_bootstrap_json(const TgBootstrap *b)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:i}", "se", tg_json_number(b->se), "percentile",
                     ends_json(b->percentile), "bca", ends_json(b->bca), "z0",
                     tg_json_number(b->z0), "acceleration", tg_json_number(b->acceleration),
                     "undefined_resamples", (int) b->n_undefined);
}

void tg_study_put_bootstrap(TgGrid *grid, const TgBootstrap *b)
{
    tg_grid_put_json(grid, tg_study_bootstrap_json(b));
}
