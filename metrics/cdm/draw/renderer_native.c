/* Setting a coloured formula and finding its ink. */
#include "metrics/cdm/draw/raster.h"
#include "metrics/cdm/draw/renderer.h"
#include "render/paint/drawing.h"

static gboolean native_draw(TgCdmSetter *setter, TgCdmLocate how, TgCdmDrawTask *task,
                            TgCdmPage page, GError **error)
{
    const guint n = task->elements->len;
    const gboolean needs_marks = how == TG_CDM_LOCATE_RASTER;
    g_auto(TgCdmDrawnSource) drawn = { 0 };
    g_autoptr(GArray) marks = needs_marks ? g_array_new(FALSE, FALSE, sizeof(TgMark)) : NULL;

    return tg_cdm_drawn_source(task->coloured, task->is_chinese, task->elements, &drawn, error) &&
           tg_cdm_localise(setter, &drawn, n, task->dialect, page, task->inks, &task->all, marks,
                           error) &&
           (!needs_marks || tg_cdm_raster_inks(marks, tg_cdm_setter_paper(setter).px_per_sp, n,
                                               task->inks, &task->all, error));
}

gboolean tg_cdm_native_locate(TgCdmSetter *setter, TgCdmLocate how, TgCdmDrawTask *task,
                              TgCdmPage page, GError **error)
{
    GError *fault = NULL;

    if (native_draw(setter, how, task, page, &fault))
        return TRUE;
    if (!g_error_matches(fault, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, fault);
        return FALSE;
    }
    task->trouble = g_strdup(fault->message); /* a fact about the formula */
    g_error_free(fault);
    return TRUE;
}
