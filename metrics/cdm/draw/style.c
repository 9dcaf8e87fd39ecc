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
    char *settings[TG_RENDERER_AUTO + 1]; /* by renderer: the cache key of its drawings beside the
                                             formula */
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
    };
    for (guint i = 0; i <= TG_RENDERER_AUTO; i++)
        style->settings[i] =
            g_strdup_printf("dialect=%s:page=%d:locate=%d:max-elements=%u:renderer=%u",
                            dialect->name, page, locate, max_elements, i);
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
    for (guint i = 0; i <= TG_RENDERER_AUTO; i++)
        g_free(style->settings[i]);
    g_free(style);
}

/* ---- a renderer for each thread ---- */

/* Keeps the style alive with its renderer: the renderer is found by the address of the style. */
typedef struct {
    TgCdmStyle *style;
    TgCdmRenderer *renderer; /* NULL: not made yet */
} Local;

static gpointer make_local(gpointer key)
{
    Local *local = g_new(Local, 1);

    *local = (Local){ tg_cdm_style_ref(key), NULL };
    return local;
}

static void free_local(gpointer data)
{
    Local *local = data;

    tg_cdm_renderer_free(local->renderer);
    tg_cdm_style_unref(local->style);
    g_free(local);
}

static TgCdmRenderer *make_renderer(const TgCdmStyle *style, TgRendererChoice choice,
                                    GError **error)
{
    switch (choice) {
    case TG_RENDERER_PDFLATEX:
        return tg_cdm_renderer_tex(TG_TEX_PDFLATEX, TG_CDM_TEX_SECONDS, error);
    case TG_RENDERER_LUALATEX:
        return tg_cdm_renderer_tex(TG_TEX_LUALATEX, TG_CDM_TEX_SECONDS, error);
    case TG_RENDERER_AUTO:
        return tg_cdm_renderer_auto(style->fonts, style->locate, TG_CDM_AUTO_SECONDS, error);
    case TG_RENDERER_NATIVE:
    default:
        return tg_cdm_renderer_native(style->fonts, style->locate);
    }
}

/* The renderer of this thread; borrowed. */
static TgCdmRenderer *get_renderer(TgCdmStyle *style, TgEnv *env, GError **error)
{
    Local *local = tg_env_local(env, style, make_local, free_local);

    if (local->renderer == NULL)
        local->renderer = make_renderer(style, tg_env_renderer(env), error);
    return local->renderer;
}

/* ---- drawing ---- */

TgCdmFormula *tg_cdm_style_draw(TgCdmStyle *style, TgEnv *env, const char *latex, GError **error)
{
    const char *settings = style->settings[tg_env_renderer(env)];
    TgCdmFormula *formula = tg_env_find_shared(env, &tg_cdm_formula_kind, settings, latex);

    if (formula != NULL)
        return formula;
    if (!tg_deadline_check(error))
        return NULL;
    TgCdmRenderer *renderer = get_renderer(style, env, error);
    if (renderer == NULL || !tg_cdm_formulas_new(renderer, &latex, 1, style->dialect, style->page,
                                                 style->max_elements, &formula, error))
        return NULL;
    if (formula == NULL) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA, "too-large: more than %u elements",
                    style->max_elements);
        return NULL;
    }
    tg_env_share(env, &tg_cdm_formula_kind, settings, latex, formula);
    return formula;
}

/* The different formulas of @pairs that are not kept; borrowed from them. */
static GPtrArray *list_missing(const char *settings, TgEnv *env, const TgPair *pairs, guint n)
{
    GPtrArray *missing = g_ptr_array_new();
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < n; i++)
        for (guint r = 0; r <= pairs[i].n_refs; r++) {
            const char *latex = r < pairs[i].n_refs ? pairs[i].refs[r] : pairs[i].hyp;
            g_autoptr(TgCdmFormula) kept = NULL;

            if (!g_hash_table_add(seen, (gpointer) latex))
                continue;
            kept = tg_env_find_shared(env, &tg_cdm_formula_kind, settings, latex);
            if (kept == NULL)
                g_ptr_array_add(missing, (gpointer) latex);
        }
    return missing;
}

gboolean tg_cdm_style_draw_ahead(TgCdmStyle *style, TgEnv *env, const TgPair *pairs, guint n,
                                 GError **error)
{
    const char *settings = style->settings[tg_env_renderer(env)];
    g_autoptr(GPtrArray) missing = list_missing(settings, env, pairs, n);
    g_autofree TgCdmFormula **formulas = g_new0(TgCdmFormula *, missing->len + 1);
    TgCdmRenderer *renderer = get_renderer(style, env, error);

    if (renderer == NULL ||
        !tg_cdm_formulas_new(renderer, (const char *const *) missing->pdata, missing->len,
                             style->dialect, style->page, style->max_elements, formulas, error))
        return FALSE;
    for (guint i = 0; i < missing->len; i++) {
        if (formulas[i] == NULL)
            continue;
        tg_env_share(env, &tg_cdm_formula_kind, settings, missing->pdata[i], formulas[i]);
        tg_cdm_formula_unref(formulas[i]);
    }
    return TRUE;
}
