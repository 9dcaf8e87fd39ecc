/* The rule for outer math delimiters, by its golden table. */
#include "tests/support/test_support.h"

#include "datasets/records/formula.h"

static char *strip(const char *text)
{
    gsize len;
    const char *inner = tg_delimiters_strip(text, strlen(text), &len);

    return g_strndup(inner, len);
}

/* The table writes line feeds and outer blanks as symbols. */
static char *unfold(const char *cell)
{
    GString *text = g_string_new(cell);

    g_string_replace(text, "␤", "\n", 0);
    g_string_replace(text, "␠", " ", 0);
    return g_string_free(text, FALSE);
}

TEST(test_delimiters__golden_table)
{
    g_autofree char *table = NULL;
    guint n = 0;

    assert_true(
        g_file_get_contents(TG_SOURCE_ROOT "/tests/golden/delimiters.tsv", &table, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (lines[i][0] == '#' || lines[i][0] == '\0')
            continue;
        g_auto(GStrv) cells = g_strsplit(lines[i], "\t", -1);
        assert_int_equal(g_strv_length(cells), 3);
        g_autofree char *text = unfold(cells[0]);
        g_autofree char *wanted = unfold(cells[1]);
        g_autofree char *got = strip(text);
        if (strcmp(got, wanted) != 0)
            fail_msg("line %u: '%s' gives '%s', wanted '%s'", i + 1, text, got, wanted);
        n++;
    }
    assert_int_equal(n, 86);
}

TEST(test_delimiters__stops_after_eight_pairs)
{
    g_autoptr(GString) text = g_string_new("x");

    for (guint i = 0; i <= TG_DELIMITERS_MAX_PAIRS; i++) {
        g_string_prepend(text, "\\begin{math}");
        g_string_append(text, "\\end{math}");
    }
    g_autofree char *got = strip(text->str);
    assert_string_equal(got, "\\begin{math}x\\end{math}");
}

TEST(test_delimiters__leaves_bytes_that_are_no_text)
{
    static const char bytes[] = "$\0\xff$";
    gsize len;

    assert_ptr_equal(tg_delimiters_strip(bytes, 4, &len), bytes + 1);
    assert_int_equal(len, 2);
}
