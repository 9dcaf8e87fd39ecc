/* Whether a prediction is LaTeX that can be set: the success rate of a model's output. */
#include <texgauge/metric.h>

#include <string.h>

#include "metrics/image/image.h"

typedef struct {
    TgFonts *fonts;
} Render;

static const TgColumn columns[] = {
    { "render", TG_HIGHER_IS_BETTER, 0, 1, TG_POOL_MEAN, "share that is set without a fault" },
    { 0 },
};

static gboolean render_init(gpointer instance, GError **error)
{
    Render *self = instance;

    self->fonts = tg_fonts_new(error);
    return self->fonts != NULL;
}

static void render_clear(gpointer instance)
{
    tg_fonts_unref(((Render *) instance)->fonts);
}

/* "KIND: sentence, column N" for the first fault; NULL for none. (transfer full) */
static char *first_fault(const TgDrawing *drawing)
{
    guint n;
    const TgFormulaFault *faults = tg_drawing_faults(drawing, &n);

    if (n == 0)
        return NULL;
    return g_strdup_printf("%s: %s, column %u", faults[0].kind, faults[0].message,
                           faults[0].column);
}

static gboolean render_score(gconstpointer instance, TgEnv *env, const TgPair *pair, TgResult *out,
                             GError **error)
{
    const Render *self = instance;
    TgRenderer *renderer = tg_formula_renderer(env, self->fonts);
    GError *trouble = NULL;

    if (*pair->hyp == '\0') { /* TeX sets nothing without a fault, but no model should answer it */
        tg_result_set(out, 0, 0);
        tg_result_set_status(out, "empty: there is nothing to set");
        return TRUE;
    }
    g_autoptr(TgDrawing) drawing =
        tg_renderer_draw(renderer, pair->hyp, strlen(pair->hyp), NULL, &trouble);
    if (drawing == NULL && !g_error_matches(trouble, TG_ERROR, TG_ERROR_PARSE)) {
        g_propagate_error(error, trouble);
        return FALSE;
    }
    g_autofree char *fault = drawing != NULL
                                 ? first_fault(drawing)
                                 : g_strconcat("beyond-bounds: ", trouble->message, NULL);
    g_clear_error(&trouble);
    tg_result_set(out, 0, fault == NULL);
    if (fault != NULL)
        tg_result_set_status(out, fault);
    return TRUE;
}

const TgMetricInfo tg_metric_render = {
    .abi = TG_METRIC_ABI,
    .name = "render",
    .version = "5",
    .summary = "whether the prediction is LaTeX that can be set",
    .citation = "LaTeX with amsmath, amssymb, upgreek and xcolor, as TeX accepts it",
    .columns = columns,
    .instance_size = sizeof(Render),
    .init = render_init,
    .clear = render_clear,
    .score = render_score,
};
