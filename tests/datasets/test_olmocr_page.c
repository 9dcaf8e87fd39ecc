/* The formulas of a page, as olmOCR-bench's program finds them. */
#include "tests/support/test_support.h"

#include "datasets/documents/olmocr_page.h"

/* Fails unless the formulas of @page, with " | " between, are @expected. */
static void check_formulas(const char *page, gboolean ignore_dollars, const char *expected)
{
    g_autoptr(GArray) formulas = tg_olmocr_page_formulas(page, ignore_dollars);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < formulas->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? " | " : "",
                               g_array_index(formulas, TgOlmocrFormulaAt, i).text);
    assert_string_equal(text->str, expected);
}

TEST(test_olmocr_page__passes_come_one_after_the_other)
{
    check_formulas("$d$ $$c$$ \\[b\\] \\(a\\)", FALSE, "a | b | c | d");
    check_formulas("$d$ $$c$$ \\[b\\] \\(a\\)", TRUE, "a | b");
    check_formulas("", FALSE, "");
}

TEST(test_olmocr_page__a_backslash_protects_nothing)
{
    check_formulas("\\\\(x\\\\)", FALSE, "x\\");
    check_formulas("\\$a\\$", FALSE, "a\\");
}

TEST(test_olmocr_page__contents_have_a_character_at_least)
{
    check_formulas("$$$$", FALSE, "$");
    check_formulas("$a$$b$", FALSE, "a | b");
    check_formulas("\\(\\)\\)", FALSE, "\\)");
}

TEST(test_olmocr_page__an_odd_dollar_pairs_with_the_next)
{
    check_formulas("costs $5 and x is $", FALSE, "5 and x is");
    check_formulas("$$a=b", FALSE, "");
    check_formulas("$$a=b $", FALSE, "$a=b");
}

TEST(test_olmocr_page__blank_contents_are_the_empty_formula)
{
    check_formulas("$ $ and $\n\u00a0x\u3000\n$", FALSE, " | x");
}

TEST(test_olmocr_page__code_and_tables_count_and_environments_do_not)
{
    check_formulas("```\n$a$\n```\n<td>$b$</td>\n\\begin{equation}c\\end{equation}", FALSE,
                   "a | b");
    check_formulas("$x &lt; y$", FALSE, "x &lt; y");
}

TEST(test_olmocr_page__what_is_taken_out_closes_up)
{
    check_formulas("$a\\(b\\)c$", FALSE, "b | ac");
    check_formulas("$a\\[$\\]b$", FALSE, "$ | ab");
}

TEST(test_olmocr_page__lines_are_those_of_the_page)
{
    g_autoptr(GArray) formulas = tg_olmocr_page_formulas("\\(a\nb\\)\n\n$$\nc$$ $d$", FALSE);

    assert_int_equal(formulas->len, 3);
    assert_int_equal(g_array_index(formulas, TgOlmocrFormulaAt, 0).line, 1);
    assert_int_equal(g_array_index(formulas, TgOlmocrFormulaAt, 1).line, 4);
    assert_int_equal(g_array_index(formulas, TgOlmocrFormulaAt, 2).line, 5);
}
