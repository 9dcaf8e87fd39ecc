/* Our typesetter first, and TeX for what it leaves. */
#include "metrics/cdm/draw/renderer.h"

typedef struct {
    TgCdmRenderer base;
    TgCdmRenderer *native, *tex;
} Auto;

/* A task as it was before our typesetter had it. */
static TgCdmDrawTask begin_again(TgCdmDrawTask *task)
{
    TgCdmDrawTask fresh = {
        .coloured = task->coloured,
        .elements = task->elements,
        .dialect = task->dialect,
        .is_chinese = task->is_chinese,
        .is_table = task->is_table,
        .inks = task->inks,
    };

    for (guint i = 0; i < task->elements->len; i++)
        task->inks[i] = (TgPixelRect){ 0 };
    g_free(task->trouble);
    return fresh;
}

static gboolean auto_locate(TgCdmRenderer *self, TgCdmDrawTask *tasks, guint n, TgCdmPage page,
                            GError **error)
{
    const Auto *both = (const Auto *) self;
    g_autofree TgCdmDrawTask *left = g_new(TgCdmDrawTask, n);
    g_autofree guint *index = g_new(guint, n);
    guint n_left = 0;

    if (!both->native->locate(both->native, tasks, n, page, error))
        return FALSE;
    for (guint i = 0; i < n; i++)
        if (tasks[i].trouble != NULL || tasks[i].has_faults) {
            tasks[i] = begin_again(&tasks[i]);
            index[n_left] = i;
            left[n_left++] = tasks[i];
        }
    const gboolean drawn = both->tex->locate(both->tex, left, n_left, page, error);
    for (guint k = 0; k < n_left; k++)
        tasks[index[k]] = left[k];
    return drawn;
}

static void auto_free(TgCdmRenderer *self)
{
    Auto *both = (Auto *) self;

    tg_cdm_renderer_free(both->native);
    tg_cdm_renderer_free(both->tex);
    g_free(both);
}

TgCdmRenderer *tg_cdm_renderer_auto(TgFontSet *fonts, TgCdmLocate how, double seconds,
                                    GError **error)
{
    TgCdmRenderer *tex = tg_cdm_renderer_tex(TG_TEX_PDFLATEX, seconds, error);

    if (tex == NULL)
        return NULL;
    Auto *both = g_new(Auto, 1);
    *both = (Auto){ { auto_locate, auto_free }, tg_cdm_renderer_native(fonts, how), tex };
    return &both->base;
}
