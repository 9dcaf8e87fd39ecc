/* From LaTeX to elements with boxes: parsing, typesetting, reading the tree. */
#include "metrics/cdm_strict/build.h"

#include <string.h>

#include "core/fail.h"
#include "metrics/cdm_strict/ink.h"
#include "metrics/cdm_strict/reader.h"
#include "tokenizer/latex/parse.h"

/* Whether a fault concerns what counts: white space and colours do not. */
static gboolean is_grave(const TgParseError *error)
{
    return error->kind != TG_PARSE_LENGTH && error->kind != TG_PARSE_COLOR;
}

static void note_errors(TgStrictFormula *formula, const TgTree *tree)
{
    const TgParseError *errors = tg_tree_errors(tree, &formula->n_errors);

    for (guint i = 0; i < formula->n_errors; i++)
        formula->n_grave += is_grave(&errors[i]);
    if (formula->n_errors > 0)
        formula->first_error =
            g_strdup_printf("%s, column %u", errors[0].message, errors[0].column);
}

/* Draw the formula and list what has ink. */
static gboolean draw_formula(TgRenderer *renderer, TgStrictFormula *formula, const TgTree *tree,
                             GError **error)
{
    g_autoptr(TgDrawing) drawing =
        tg_renderer_draw(renderer, formula->source, strlen(formula->source), NULL, error);
    g_auto(TgStrictInk) ink = { 0 };

    if (drawing == NULL)
        return FALSE;
    tg_strict_ink_init(&ink, drawing);
    tg_strict_read(tree, ink.has_ink, FALSE, formula);
    tg_strict_ink_place(&ink, formula);
    if (tg_strict_is_broken(tree)) {
        TgStrictFormula *lines = formula->as_lines = tg_strict_formula_alloc(formula->source);
        note_errors(lines, tree);
        tg_strict_read(tree, ink.has_ink, TRUE, lines);
        tg_strict_ink_place(&ink, lines);
    }
    return TRUE;
}

/* Whether there are more elements, or rows for them, than may be compared. */
static gboolean check_size(const TgStrictFormula *formula, guint max_elements, GError **error)
{
    const guint n = tg_strict_formula_size(formula);

    if (n <= max_elements && formula->groups->len <= 2 * (gsize) max_elements)
        return TRUE;
    return tg_fail(error, TG_ERROR_DATA, "too-large: %u elements in %u rows", n,
                   formula->groups->len);
}

TgStrictFormula *tg_strict_formula_new(TgRenderer *renderer, const char *latex, guint max_elements,
                                       GError **error)
{
    const gsize len = strlen(latex);
    GError *fault = NULL;

    if (len > TG_TEXT_MAX) {
        g_set_error(error, TG_ERROR, TG_ERROR_DATA, "too-large: longer than %u bytes", TG_TEXT_MAX);
        return NULL;
    }
    g_autoptr(TgStrictFormula) formula = tg_strict_formula_alloc(latex);
    g_autoptr(TgTree) tree = tg_tree_parse(latex, len, NULL, &fault);
    if (tree != NULL)
        note_errors(formula, tree);
    if (tree == NULL || !draw_formula(renderer, formula, tree, &fault)) {
        if (!g_error_matches(fault, TG_ERROR, TG_ERROR_PARSE)) {
            g_propagate_error(error, fault);
            return NULL;
        }
        formula->trouble = g_strdup(fault->message); /* a fact about the formula */
        g_clear_error(&fault);
    } else if (formula->elements->len == 0) {
        formula->trouble = g_strdup(formula->first_error);
    }
    return check_size(formula, max_elements, error) ? g_steal_pointer(&formula) : NULL;
}
