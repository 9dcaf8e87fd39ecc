/* Our boxes of 300 formulas of our own against TeX's (tests/tools/make_typeset_golden.py). */
#include "tests/support/test_support.h"

#include <string.h>

#include "render/typeset/layout.h"
#include "tokenizer/latex/parse.h"

#define SAME_SP   655 /* 0.01 pt */
#define MIN_ROWS  300
#define MIN_AGREE 1.0 /* share of the rows; never to be lowered */

static void test_typeset__boxes_are_those_of_tex(void **state)
{
    (void) state;
    static const TgParseOptions options = { .strict = TRUE, .source = TG_SOURCE_MATH };
    g_autofree char *text = NULL;
    GError *error = NULL;

    assert_true(g_file_get_contents(TG_SOURCE_ROOT "/tests/golden/typeset.tsv", &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    g_autoptr(TgFontSet) fonts = tg_font_set_new(&error);
    tg_assert_no_error(error);
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    guint n = 0, n_same = 0;

    for (guint i = 1; lines[i] != NULL; i++, n++) {
        g_auto(GStrv) cells = g_strsplit(lines[i], "\t", 4);
        assert_int_equal(g_strv_length(cells), 4);
        g_autoptr(TgTree) tree = tg_tree_parse(cells[3], strlen(cells[3]), &options, &error);
        tg_assert_no_error(error);
        const TgItem *box = tg_layout_tree(layout, tree, TG_DISPLAY, &error);
        tg_assert_no_error(error);

        const gint64 ours[3] = { box->width, box->height, box->depth };
        gboolean same = TRUE;
        for (guint k = 0; k < 3; k++)
            same = same && ABS(ours[k] - g_ascii_strtoll(cells[k], NULL, 10)) <= SAME_SP;
        n_same += same;
        if (!same)
            print_message("# %s: %.3f %.3f %.3f pt\n", lines[i], (double) ours[0] / TG_SP_PER_PT,
                          (double) ours[1] / TG_SP_PER_PT, (double) ours[2] / TG_SP_PER_PT);
    }
    assert_true(n >= MIN_ROWS);
    assert_true(n_same >= MIN_AGREE * n);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_typeset__boxes_are_those_of_tex) };
    return cmocka_run_group_tests_name("typeset", tests, NULL, NULL);
}
