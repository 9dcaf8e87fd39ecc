/* Fuzz target: a page in Markdown after the formula of a math test and a NUL: formulas of the page,
 * KaTeX's reading and setting of each, and the comparison. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"

#include "eval/run/olmocr.h"

static void check_formula(const char *latex)
{
    g_autoptr(TgOlmocrFormula) formula = tg_olmocr_formula_new(latex);
    TgOlmocrOutcome outcome;

    g_assert_true((formula->error == NULL) == (formula->mathml != NULL));
    if (formula->error != NULL) {
        g_assert_cmpint(formula->error_column, >, 0);
        g_assert_cmpint(formula->error_column, <=, g_utf8_strlen(latex, -1) + 1);
        g_assert_cmpuint(formula->n_symbols, ==, 0);
    }
    for (guint i = 0; i < formula->n_symbols; i++)
        g_assert_true(isfinite(formula->symbols[i].x) && isfinite(formula->symbols[i].y));
    /* a formula stands in itself */
    tg_olmocr_compare(formula, formula, &outcome);
    g_assert_cmpint(outcome.verdict, !=, TG_OLMOCR_FAIL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_auto(FuzzParts) parts = fuzz_parts(data, size, 2);
    g_autofree char *math = fuzz_side(&parts, size, 0), *text = fuzz_side(&parts, size, 1);
    g_autoptr(TgOlmocrPage) page = tg_olmocr_page_new(text, strlen(text));
    guint n_outside;
    g_autoptr(GArray) formulas = tg_olmocr_page_formulas(text, &n_outside);

    check_formula(math);
    for (guint ignore = 0; ignore < 2; ignore++) {
        const guint n = ignore != 0 ? n_outside : formulas->len;
        g_auto(TgOlmocrResult) result = { 0 };
        tg_olmocr_page_test(page, math, NULL, ignore != 0, &result);
        g_assert_true((result.formula == NULL) == (n == 0));
        g_assert_true((result.outcome.verdict == TG_OLMOCR_FAIL) == (result.why != NULL));
        for (guint i = 0; i < n; i++) {
            const TgOlmocrFormulaAt *at = &g_array_index(formulas, TgOlmocrFormulaAt, i);
            g_assert_true(g_utf8_validate(at->text, -1, NULL) && at->line > 0);
        }
    }
    return 0;
}
