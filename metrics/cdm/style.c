/* Drawings by way of the run's cache. */
#include "metrics/cdm/style.h"

struct TgCdmStyle {
    gatomicrefcount refs;
    TgFontSet *fonts;
    TgCdmPage page;
    TgCdmLocate locate;
    guint max_elements;
    char *settings; /* what a drawing follows from beside its formula */
};

TgCdmStyle *tg_cdm_style_new(TgFontSet *fonts, TgCdmPage page, TgCdmLocate locate,
                             guint max_elements)
{
    TgCdmStyle *style = g_new(TgCdmStyle, 1);

    *style = (TgCdmStyle){
        .fonts = tg_cdm_fonts_ref(fonts),
        .page = page,
        .locate = locate,
        .max_elements = max_elements,
        .settings =
            g_strdup_printf("page=%d:locate=%d:max-elements=%u", page, locate, max_elements),
    };
    g_atomic_ref_count_init(&style->refs);
    return style;
}

TgCdmStyle *tg_cdm_style_ref(TgCdmStyle *style)
{
    g_atomic_ref_count_inc(&style->refs);
    return style;
}

void tg_cdm_style_unref(TgCdmStyle *style)
{
    if (style == NULL || !g_atomic_ref_count_dec(&style->refs))
        return;
    tg_cdm_fonts_unref(style->fonts);
    g_free(style->settings);
    g_free(style);
}

/* ---- a renderer for each thread ---- */

/* The style is kept alive with its renderer, as its address is what the renderer is found by. */
typedef struct {
    TgCdmStyle *style;
    TgCdmRenderer *renderer;
} Local;

static gpointer make_local(gpointer key)
{
    Local *local = g_new(Local, 1);
    TgCdmStyle *style = tg_cdm_style_ref(key);

    *local = (Local){ style, tg_cdm_renderer_native(style->fonts, style->locate) };
    return local;
}

static void free_local(gpointer data)
{
    Local *local = data;

    tg_cdm_renderer_free(local->renderer);
    tg_cdm_style_unref(local->style);
    g_free(local);
}

/* ---- drawing ---- */

TgCdmFormula *tg_cdm_style_draw(TgCdmStyle *style, TgEnv *env, const char *latex, GError **error)
{
    TgCdmFormula *formula = tg_env_find_shared(env, &tg_cdm_formula_kind, style->settings, latex);

    if (formula != NULL)
        return formula;
    const Local *local = tg_env_local(env, style, make_local, free_local);
    if (!tg_cdm_formulas_new(local->renderer, &latex, 1, style->page, style->max_elements, &formula,
                             error))
        return NULL;
    if (formula == NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA, "too-large: more than %u elements",
                    style->max_elements);
        return NULL;
    }
    tg_env_share(env, &tg_cdm_formula_kind, style->settings, latex, formula);
    return formula;
}
