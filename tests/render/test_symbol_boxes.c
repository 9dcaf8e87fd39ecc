/* The box of every symbol, set between two letters, against TeX's (make_symbol_golden.py). */
#include "tests/support/golden_rows.h"

#include "render/typeset/layout.h"
#include "render/typeset/layout_state.h"

#define SAME_SP 655 /* 0.01 pt */

enum { SYMBOL, WIDTH = 9, HEIGHT, DEPTH, N_FIELDS };

static gboolean is_accent(const char *written)
{
    const TgSymbol *symbol = tg_symbol_find(written + 1, strlen(written + 1));

    return symbol != NULL && symbol->kind == TG_SYMBOL_ACCENT;
}

static void test_symbol_boxes__are_those_of_tex(void **state)
{
    (void) state;
    static const TgParseOptions options = { .strict = TRUE, .source = TG_SOURCE_MATH };
    g_autoptr(GPtrArray) rows = tg_golden_rows("symbols.tsv", N_FIELDS);
    GError *error = NULL;
    g_autoptr(TgFontSet) fonts = tg_font_set_new(&error);
    tg_assert_no_error(error);
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    guint n_different = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        g_autofree char *formula = g_strdup_printf(
            row[SYMBOL][0] == '\\' && is_accent(row[SYMBOL]) ? "%s{x}" : "x%s x", row[SYMBOL]);
        if (strcmp(row[WIDTH], "-") == 0)
            continue;
        g_autoptr(TgTree) tree = tg_tree_parse(formula, strlen(formula), &options, &error);
        tg_assert_no_error(error);
        const TgItem *box = tg_layout_tree(layout, tree, TG_DISPLAY, &error);
        tg_assert_no_error(error);

        const gint64 ours[3] = { box->width, box->height, box->depth };
        gboolean same = TRUE;
        for (guint k = 0; k < 3; k++)
            same = same && ABS(ours[k] - g_ascii_strtoll(row[WIDTH + k], NULL, 10)) <= SAME_SP;
        if (!same) {
            print_message("%s: %d %d %d, TeX %s %s %s\n", formula, (int) ours[0], (int) ours[1],
                          (int) ours[2], row[WIDTH], row[HEIGHT], row[DEPTH]);
            n_different++;
        }
    }
    assert_int_equal(n_different, 0);
    assert_true(rows->len > 800);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_symbol_boxes__are_those_of_tex) };
    return cmocka_run_group_tests_name("symbol_boxes", tests, NULL, NULL);
}
