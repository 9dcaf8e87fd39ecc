/* Memory of formulas as CDM-strict sees them. */
#include "metrics/cdm_strict/formula.h"

#include <string.h>

TgStrictFormula *tg_strict_formula_alloc(const char *latex)
{
    TgStrictFormula *formula = g_new0(TgStrictFormula, 1);

    g_atomic_ref_count_init(&formula->refs);
    formula->source = g_strdup(latex);
    formula->elements = g_array_new(FALSE, FALSE, sizeof(TgStrictElement));
    formula->groups = g_array_new(FALSE, FALSE, sizeof(TgStrictGroup));
    formula->children = g_array_new(FALSE, FALSE, sizeof(guint32));
    return formula;
}

TgStrictFormula *tg_strict_formula_ref(TgStrictFormula *formula)
{
    g_atomic_ref_count_inc(&formula->refs);
    return formula;
}

void tg_strict_formula_unref(TgStrictFormula *formula)
{
    if (formula == NULL || !g_atomic_ref_count_dec(&formula->refs))
        return;
    tg_strict_formula_unref(formula->as_lines);
    g_free(formula->source);
    g_array_unref(formula->elements);
    g_array_unref(formula->groups);
    g_array_unref(formula->children);
    g_free(formula->first_error);
    g_free(formula->trouble);
    g_free(formula);
}

guint tg_strict_formula_size(const TgStrictFormula *formula)
{
    return formula->elements->len + formula->n_unplaced;
}

/* ---- Sharing ------------------------------------------------------------------------------- */

static gpointer ref_shared(gpointer formula)
{
    return tg_strict_formula_ref(formula);
}

static void unref_shared(gpointer formula)
{
    tg_strict_formula_unref(formula);
}

static gsize size_of_array(const GArray *array)
{
    return sizeof *array + (gsize) array->len * g_array_get_element_size((GArray *) array);
}

static gsize size_of_shared(gconstpointer object)
{
    const TgStrictFormula *formula = object;

    return sizeof *formula + strlen(formula->source) + size_of_array(formula->elements) +
           size_of_array(formula->groups) + size_of_array(formula->children) +
           (formula->as_lines != NULL ? size_of_shared(formula->as_lines) : 0);
}

const TgSharedKind tg_strict_formula_kind = { ref_shared, unref_shared, size_of_shared };
