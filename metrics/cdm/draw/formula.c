/* The stages before matching, one after the other. */
#include "metrics/cdm/draw/formula.h"

#include <string.h>

#include "metrics/cdm/draw/drawn_source.h"
#include "metrics/cdm/draw/normalizer.h"

static TgCdmFormula *formula_alloc(void)
{
    TgCdmFormula *formula = g_new0(TgCdmFormula, 1);

    g_atomic_ref_count_init(&formula->refs);
    return formula;
}

/* Boxes are one pixel larger than the ink on every side, in pixels of the cropped picture. */
static void set_boxes(TgCdmFormula *formula, const TgPixelRect *inks, TgPixelRect all)
{
    const guint n = formula->elements->len;

    formula->inked = g_new(guint, n);
    formula->tokens = g_new(const char *, n);
    formula->boxes = g_new(TgRect, n);
    for (guint i = 0; i < n; i++) {
        const gint x = all.x0 - TG_CDM_CROP_MARGIN, y = all.y0 - TG_CDM_CROP_MARGIN;
        const TgPixelRect ink = inks[i];

        formula->has_ink[i] = ink.has_ink;
        if (!ink.has_ink)
            continue;
        const guint k = formula->drawing.n++;
        formula->inked[k] = i;
        formula->tokens[k] = ((const TgCdmElement *) formula->elements->pdata[i])->token;
        formula->boxes[k] =
            (TgRect){ ink.x0 - 1 - x, ink.y0 - 1 - y, ink.x1 + 1 - x, ink.y1 + 1 - y };
    }
    formula->drawing.tokens = formula->tokens;
    formula->drawing.boxes = formula->boxes;
    formula->drawing.width_px = all.x1 - all.x0 + 1 + TG_CDM_CROP_MARGINS;
    formula->drawing.height_px = all.y1 - all.y0 + 1 + TG_CDM_CROP_MARGINS;
}

/* ---- the stages ---- */

/* A formula on its way to a renderer. */
typedef struct {
    TgCdmFormula *formula; /* NULL: too large */
    char *coloured;        /* NULL: the official program gave up */
    TgPixelRect *inks;
    TgCdmDrawTask task;
} Draft;

static void draft_clear(Draft *draft)
{
    tg_cdm_formula_unref(draft->formula);
    g_free(draft->coloured);
    g_free(draft->inks);
    g_free(draft->task.trouble);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Draft, draft_clear)

/* Normalise and list elements; where that fails there are none. */
static void draft_read(Draft *draft, const char *latex, const TgCdmDialect *dialect)
{
    g_auto(TgCdmNormalized) normalized = { 0 };
    TgCdmFormula *formula = draft->formula = formula_alloc();
    GError *fault = NULL;

    if (tg_cdm_dialect_normalize(latex, dialect, &normalized, &fault))
        formula->elements =
            tg_cdm_elements(normalized.source, dialect->vocabulary, &draft->coloured, &fault);
    formula->tokenizer_failed = normalized.tokenizer_failed;
    formula->source = g_steal_pointer(&normalized.source);
    if (formula->elements == NULL) {
        formula->elements = g_ptr_array_new();
        formula->trouble = g_strdup(fault->message);
        g_error_free(fault);
    }
    formula->has_ink = g_new0(gboolean, formula->elements->len);
    draft->inks = g_new0(TgPixelRect, formula->elements->len);
    draft->task = (TgCdmDrawTask){
        .coloured = draft->coloured,
        .elements = formula->elements,
        .dialect = dialect,
        .is_chinese = normalized.is_chinese,
        .is_table = normalized.is_table,
        .inks = draft->inks,
    };
}

/* What the renderer found on @task becomes part of the formula. */
static TgCdmFormula *draft_finish(Draft *draft, TgCdmDrawTask *task)
{
    TgCdmFormula *formula = g_steal_pointer(&draft->formula);

    if (task->trouble != NULL)
        formula->trouble = g_steal_pointer(&task->trouble);
    else if (draft->coloured != NULL)
        set_boxes(formula, draft->inks, task->all);
    return formula;
}

TgCdmFormula *tg_cdm_formula_new(TgCdmSetter *setter, TgCdmLocate locate, const char *latex,
                                 const TgCdmDialect *dialect, TgCdmPage page, guint max_elements,
                                 GError **error)
{
    g_auto(Draft) draft = { 0 };

    draft_read(&draft, latex, dialect);
    if (draft.formula->elements->len > max_elements) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA, "too-large: more than %u elements",
                    max_elements);
        return NULL;
    }
    if (draft.coloured != NULL && !tg_cdm_native_locate(setter, locate, &draft.task, page, error))
        return NULL;
    return draft_finish(&draft, &draft.task);
}

/* ---- references ---- */

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
                 sizeof(char *) + sizeof(TgRect));
    for (gsize i = 0; i < n; i++)
        size += strlen(((const TgCdmElement *) formula->elements->pdata[i])->token) + 1;
    return size;
}

const TgSharedKind tg_cdm_formula_kind = { ref_formula, unref_formula, formula_size };
