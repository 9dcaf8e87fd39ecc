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

static TgCdmStyle *style_ref(TgCdmStyle *style)
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
    TgCdmRenderer *renderers[TG_RENDERER_AUTO + 1]; /* NULL: not made yet */
} Local;

static gpointer make_local(gpointer key)
{
    Local *local = g_new(Local, 1);

    *local = (Local){ style_ref(key), { NULL } };
    return local;
}

static void free_local(gpointer data)
{
    Local *local = data;

    for (guint i = 0; i <= TG_RENDERER_AUTO; i++)
        tg_cdm_renderer_free(local->renderers[i]);
    tg_cdm_style_unref(local->style);
    g_free(local);
}

static TgCdmRenderer *make_renderer(const TgCdmStyle *style, TgRendererChoice choice,
                                    double seconds, GError **error)
{
    switch (choice) {
    case TG_RENDERER_PDFLATEX:
        return tg_cdm_renderer_tex(TG_TEX_PDFLATEX, seconds, error);
    case TG_RENDERER_LUALATEX:
        return tg_cdm_renderer_tex(TG_TEX_LUALATEX, seconds, error);
    case TG_RENDERER_AUTO:
        return tg_cdm_renderer_auto(style->fonts, style->locate, seconds, error);
    case TG_RENDERER_NATIVE:
    default:
        return tg_cdm_renderer_native(style->fonts, style->locate);
    }
}

/* A renderer of this thread; borrowed. */
static TgCdmRenderer *get_renderer(TgCdmStyle *style, TgEnv *env, TgRendererChoice choice,
                                   GError **error)
{
    Local *local = tg_env_local(env, style, make_local, free_local);
    const double seconds = tg_env_renderer(env) == TG_RENDERER_AUTO ? TG_CDM_AUTO_SECONDS
                           : choice == TG_RENDERER_LUALATEX         ? TG_CDM_LUALATEX_SECONDS
                                                                    : TG_CDM_PDFLATEX_SECONDS;

    if (local->renderers[choice] == NULL)
        local->renderers[choice] = make_renderer(style, choice, seconds, error);
    return local->renderers[choice];
}

/* ---- drawing ---- */

static TgCdmFormula *draw_by(TgCdmStyle *style, TgEnv *env, TgRendererChoice choice,
                             const char *latex, GError **error)
{
    const char *settings = style->settings[choice];
    TgCdmFormula *formula = tg_env_find_shared(env, &tg_cdm_formula_kind, settings, latex);

    if (formula != NULL)
        return formula;
    if (!tg_deadline_check(error))
        return NULL;
    TgCdmRenderer *renderer = get_renderer(style, env, choice, error);
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

TgCdmFormula *tg_cdm_style_draw(TgCdmStyle *style, TgEnv *env, const char *latex, GError **error)
{
    return draw_by(style, env, tg_env_renderer(env), latex, error);
}

TgCdmPartner tg_cdm_style_partner(const TgCdmFormula *ref, const TgCdmFormula *hyp)
{
    if (ref->drawn_by != NULL && hyp->drawn_by == NULL && ref->drawing.n > 0)
        return TG_CDM_PARTNER_HYP;
    if (ref->drawn_by == NULL && hyp->drawn_by != NULL && hyp->drawing.n > 0)
        return TG_CDM_PARTNER_REF;
    return TG_CDM_PARTNER_NONE;
}

TgCdmFormula *tg_cdm_style_draw_partner(TgCdmStyle *style, TgEnv *env, const char *latex,
                                        GError **error)
{
    return draw_by(style, env, TG_RENDERER_PDFLATEX, latex, error);
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

/* What TeX has to draw, as it drew the other side of a pair; borrowed from @pairs. */
static GPtrArray *list_partners(const char *settings, TgEnv *env, const TgPair *pairs, guint n)
{
    GPtrArray *partners = g_ptr_array_new();

    for (guint i = 0; i < n; i++) {
        g_autoptr(TgCdmFormula) hyp =
            tg_env_find_shared(env, &tg_cdm_formula_kind, settings, pairs[i].hyp);

        for (guint r = 0; hyp != NULL && r < pairs[i].n_refs; r++) {
            g_autoptr(TgCdmFormula) ref =
                tg_env_find_shared(env, &tg_cdm_formula_kind, settings, pairs[i].refs[r]);
            const TgCdmPartner which =
                ref != NULL ? tg_cdm_style_partner(ref, hyp) : TG_CDM_PARTNER_NONE;

            if (which != TG_CDM_PARTNER_NONE)
                g_ptr_array_add(partners, (gpointer) (which == TG_CDM_PARTNER_REF ? pairs[i].refs[r]
                                                                                  : pairs[i].hyp));
        }
    }
    return partners;
}

/* Draw formulas at once and keep them. */
static gboolean draw_list(TgCdmStyle *style, TgEnv *env, TgRendererChoice choice,
                          const GPtrArray *latex, GError **error)
{
    g_autofree TgCdmFormula **formulas = g_new0(TgCdmFormula *, latex->len + 1);
    TgCdmRenderer *renderer = get_renderer(style, env, choice, error);

    if (renderer == NULL ||
        !tg_cdm_formulas_new(renderer, (const char *const *) latex->pdata, latex->len,
                             style->dialect, style->page, style->max_elements, formulas, error))
        return FALSE;
    for (guint i = 0; i < latex->len; i++) {
        if (formulas[i] == NULL)
            continue;
        tg_env_share(env, &tg_cdm_formula_kind, style->settings[choice], latex->pdata[i],
                     formulas[i]);
        tg_cdm_formula_unref(formulas[i]);
    }
    return TRUE;
}

gboolean tg_cdm_style_draw_ahead(TgCdmStyle *style, TgEnv *env, const TgPair *pairs, guint n,
                                 GError **error)
{
    const TgRendererChoice choice = tg_env_renderer(env);
    g_autoptr(GPtrArray) missing = list_missing(style->settings[choice], env, pairs, n);

    if (!draw_list(style, env, choice, missing, error))
        return FALSE;
    if (choice != TG_RENDERER_AUTO)
        return TRUE;
    g_autoptr(GPtrArray) partners = list_partners(style->settings[choice], env, pairs, n);
    return partners->len == 0 || draw_list(style, env, TG_RENDERER_PDFLATEX, partners, error);
}
