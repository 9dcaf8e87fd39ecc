/* The formulas of a page, as olmOCR-bench's program finds them. */
#include "tests/support/test_support.h"

#include "datasets/documents/documents.h"

TEST(test_olmocr_page__lines_are_those_of_the_page)
{
    guint n_outside;
    g_autoptr(GArray) formulas = tg_olmocr_page_formulas("\\(a\nb\\)\n\n$$\nc$$ $d$", &n_outside);

    assert_int_equal(n_outside, 1);
    assert_int_equal(formulas->len, 3);
    assert_int_equal(g_array_index(formulas, TgOlmocrFormulaAt, 0).line, 1);
    assert_int_equal(g_array_index(formulas, TgOlmocrFormulaAt, 1).line, 4);
    assert_int_equal(g_array_index(formulas, TgOlmocrFormulaAt, 2).line, 5);
}
