/* Our typesetter first, and TeX for what it leaves. */
#include "metrics/cdm/draw/renderer.h"

typedef struct {
    TgCdmRenderer base;
    TgCdmRenderer *native, *tex;
} Auto;

/* A sheet as it was before our typesetter had it. */
static TgCdmSheet begin_again(TgCdmSheet *sheet)
{
    TgCdmSheet fresh = {
        .coloured = sheet->coloured,
        .elements = sheet->elements,
        .is_chinese = sheet->is_chinese,
        .is_table = sheet->is_table,
        .inks = sheet->inks,
    };

    for (guint i = 0; i < sheet->elements->len; i++)
        sheet->inks[i] = (TgPixelRect){ 0 };
    g_free(sheet->trouble);
    return fresh;
}

static gboolean auto_locate(TgCdmRenderer *self, TgCdmSheet *sheets, guint n, TgCdmPage page,
                            GError **error)
{
    const Auto *both = (const Auto *) self;
    g_autofree TgCdmSheet *left = g_new(TgCdmSheet, n);
    g_autofree guint *index = g_new(guint, n);
    guint n_left = 0;

    if (!both->native->locate(both->native, sheets, n, page, error))
        return FALSE;
    for (guint i = 0; i < n; i++)
        if (sheets[i].trouble != NULL || sheets[i].has_faults) {
            sheets[i] = begin_again(&sheets[i]);
            index[n_left] = i;
            left[n_left++] = sheets[i];
        }
    const gboolean drawn = both->tex->locate(both->tex, left, n_left, page, error);
    for (guint k = 0; k < n_left; k++)
        sheets[index[k]] = left[k];
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
