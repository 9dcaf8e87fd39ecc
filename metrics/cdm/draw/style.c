/* Drawings by way of the run's cache. */
#include "metrics/cdm/draw/style.h"

#include "core/deadline.h"

struct TgCdmStyle {
    gatomicrefcount refs;
    TgFontSet *fonts;
    const TgCdmDialect *dialect;
    TgCdmPage page;
    TgCdmLocate locate;
    guint max_elements;
    char *settings; /* the cache key of its drawings beside the formula */
};

TgCdmStyle *tg_cdm_style_new(TgFontSet *fonts, const TgCdmDialect *dialect, TgCdmPage page,
                             TgCdmLocate locate, guint max_elements)
{
    TgCdmStyle *style = g_new(TgCdmStyle, 1);

    *style = (TgCdmStyle){
        .fonts = tg_cdm_fonts_ref(fonts),
        .dialect = dialect,
        .page = page,
        .locate = locate,
        .max_elements = max_elements,
        .settings = g_strdup_printf("dialect=%s:page=%d:locate=%d:max-elements=%u", dialect->name,
                                    page, locate, max_elements),
    };
    g_atomic_ref_count_init(&style->refs);
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

static gpointer make_setter(gpointer fonts)
{
    return tg_cdm_setter_new(fonts);
}

static void free_setter(gpointer setter)
{
    tg_cdm_setter_free(setter);
}

TgCdmFormula *tg_cdm_style_draw(TgCdmStyle *style, TgEnv *env, const char *latex, GError **error)
{
    TgCdmFormula *formula = tg_env_find_shared(env, &tg_cdm_formula_kind, style->settings, latex);

    if (formula != NULL)
        return formula;
    if (!tg_deadline_check(error))
        return NULL;
    TgCdmSetter *setter = tg_env_local(env, style->fonts, make_setter, free_setter);
    formula = tg_cdm_formula_new(setter, style->locate, latex, style->dialect, style->page,
                                 style->max_elements, error);
    if (formula != NULL)
        tg_env_share(env, &tg_cdm_formula_kind, style->settings, latex, formula);
    return formula;
}
