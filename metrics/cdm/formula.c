/* The stages before matching, one after the other. */
#include "metrics/cdm/formula.h"

#include <string.h>

#include "metrics/cdm/drawn_source.h"
#include "metrics/cdm/normalize.h"

static TgCdmFormula *formula_alloc(void)
{
    TgCdmFormula *formula = g_new0(TgCdmFormula, 1);

    g_atomic_ref_count_init(&formula->refs);
    return formula;
}

/* Boxes are one pixel larger than the ink on every side, in pixels of the cropped picture. */
static void set_boxes(TgCdmFormula *formula, const TgCdmInk *inks, TgCdmInk all)
{
    const guint n = formula->elements->len;

    formula->inked = g_new(guint, n);
    formula->tokens = g_new(const char *, n);
    formula->boxes = g_new(TgCdmBox, n);
    for (guint i = 0; i < n; i++) {
        const gint x = all.x0 - TG_CDM_CROP_MARGIN, y = all.y0 - TG_CDM_CROP_MARGIN;
        const TgCdmInk ink = inks[i];

        formula->has_ink[i] = ink.has_ink;
        if (!ink.has_ink)
            continue;
        const guint k = formula->drawing.n++;
        formula->inked[k] = i;
        formula->tokens[k] = ((const TgCdmElement *) formula->elements->pdata[i])->token;
        formula->boxes[k] =
            (TgCdmBox){ ink.x0 - 1 - x, ink.y0 - 1 - y, ink.x1 + 1 - x, ink.y1 + 1 - y };
    }
    formula->drawing.tokens = formula->tokens;
    formula->drawing.boxes = formula->boxes;
    formula->drawing.width_px = all.x1 - all.x0 + 1 + TG_CDM_CROP_MARGINS;
    formula->drawing.height_px = all.y1 - all.y0 + 1 + TG_CDM_CROP_MARGINS;
}

static gboolean draw(TgCdmSetter *setter, TgCdmFormula *formula, const char *coloured,
                     gboolean is_chinese, TgCdmPage page, GError **error)
{
    g_auto(TgCdmDrawnSource) drawn = { 0 };
    g_autofree TgCdmInk *inks = g_new(TgCdmInk, formula->elements->len);
    TgCdmInk all;

    if (!tg_cdm_drawn_source(coloured, is_chinese, formula->elements, &drawn, error) ||
        !tg_cdm_localise(setter, &drawn, formula->elements->len, page, inks, &all, NULL, error))
        return FALSE;
    set_boxes(formula, inks, all);
    return TRUE;
}

/* That the formula cannot be drawn is a fact about it; everything else is passed on. */
static gboolean is_fact(TgCdmFormula *formula, GError **error)
{
    if (!g_error_matches(*error, TG_ERROR, TG_ERROR_PARSE))
        return FALSE;
    formula->trouble = g_strdup((*error)->message);
    g_clear_error(error);
    return TRUE;
}

TgCdmFormula *tg_cdm_formula_new(TgCdmSetter *setter, const char *latex, TgCdmPage page,
                                 guint max_elements, GError **error)
{
    g_auto(TgCdmNormalized) normalized = { 0 };
    g_autoptr(TgCdmFormula) formula = formula_alloc();
    g_autofree char *coloured = NULL;
    GError *fault = NULL;

    if (tg_cdm_normalize(latex, &normalized, &fault))
        formula->elements = tg_cdm_elements(normalized.source, &coloured, &fault);
    formula->tokenizer_failed = normalized.tokenizer_failed;
    formula->source = g_steal_pointer(&normalized.source);
    if (formula->elements == NULL) {
        formula->elements = g_ptr_array_new();
        formula->has_ink = g_new0(gboolean, 0);
        is_fact(formula, &fault);
        return g_steal_pointer(&formula);
    }
    if (formula->elements->len > max_elements) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA, "too-large: %u elements",
                    formula->elements->len);
        return NULL;
    }
    formula->has_ink = g_new0(gboolean, formula->elements->len);
    if (!draw(setter, formula, coloured, normalized.is_chinese, page, &fault) &&
        !is_fact(formula, &fault)) {
        g_propagate_error(error, fault);
        return NULL;
    }
    return g_steal_pointer(&formula);
}

TgCdmFormula *tg_cdm_formula_ref(TgCdmFormula *formula)
{
    g_atomic_ref_count_inc(&formula->refs);
    return formula;
}

void tg_cdm_formula_unref(TgCdmFormula *formula)
{
    if (formula == NULL || !g_atomic_ref_count_dec(&formula->refs))
        return;
    g_free(formula->source);
    g_clear_pointer(&formula->elements, g_ptr_array_unref);
    g_free(formula->has_ink);
    g_free(formula->inked);
    g_free(formula->tokens);
    g_free(formula->boxes);
    g_free(formula->trouble);
    g_free(formula);
}

/* ---- as objects that a run keeps ---- */

static gpointer ref_formula(gpointer formula)
{
    return tg_cdm_formula_ref(formula);
}

static void unref_formula(gpointer formula)
{
    tg_cdm_formula_unref(formula);
}

/* Roughly: what the allocator adds to each piece is left out. */
static gsize formula_size(gconstpointer object)
{
    const TgCdmFormula *formula = object;
    const gsize n = formula->elements->len;
    gsize size = sizeof *formula + (formula->source != NULL ? strlen(formula->source) : 0);

    size += n * (sizeof(TgCdmElement) + sizeof(gpointer) + sizeof(gboolean) + sizeof(guint) +
                 sizeof(char *) + sizeof(TgCdmBox));
    for (gsize i = 0; i < n; i++)
        size += strlen(((const TgCdmElement *) formula->elements->pdata[i])->token) + 1;
    return size;
}

const TgSharedKind tg_cdm_formula_kind = { ref_formula, unref_formula, formula_size };
