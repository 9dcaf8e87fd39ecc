/* The rule for outer math delimiters, by its golden table. */
#include "tests/support/golden_rows.h"

#include "datasets/records/formula.h"

static char *strip(const char *text)
{
    gsize len;
    const char *inner = tg_delimiters_strip(text, strlen(text), &len);

    return g_strndup(inner, len);
}

TEST(test_delimiters__golden_table)
{
    g_autoptr(GPtrArray) rows = tg_golden_rows("delimiters.tsv", 3);

    for (guint i = 0; i < rows->len; i++) {
        char **cells = rows->pdata[i];
        g_autofree char *text = tg_golden_unfold(cells[0]);
        g_autofree char *wanted = tg_golden_unfold(cells[1]);
        g_autofree char *got = strip(text);
        if (strcmp(got, wanted) != 0)
            fail_msg("row %u: '%s' gives '%s', wanted '%s'", i + 1, text, got, wanted);
    }
    assert_int_equal(rows->len, 89);
}

TEST(test_delimiters__leaves_bytes_that_are_no_text)
{
    static const char bytes[] = "$\0\xff$";
    gsize len;

    assert_ptr_equal(tg_delimiters_strip(bytes, 4, &len), bytes + 1);
    assert_int_equal(len, 2);
}
