/* The boxes of every symbol, set between two letters, and of formulas for every row of the tables
 * of typesetting, against TeX's (make_symbol_golden.py, make_typeset_golden.py). */
#include "tests/support/golden_rows.h"

#include "render/typeset/layout.h"
#include "tokenizer/latex/parse.h"
#include "tokenizer/symbols/symbols.h"

#define SAME_SP 655  /* 0.01 pt */
#define NEAR_SP 6554 /* 0.1 pt */

enum { SYMBOL, WIDTH = 9, HEIGHT, DEPTH, N_FIELDS };

static gboolean is_accent(const char *written)
{
    const TgSymbol *symbol =
        written[0] == '\\' ? tg_symbol_find(written + 1, strlen(written + 1)) : NULL;

    return symbol != NULL && symbol->kind == TG_SYMBOL_ACCENT;
}

/* Where the typesetter is known to leave TeX: mathtools has no room beside small matrices and sets
 * a label below its double arrows even where there is none; \parindent is that of 10 pt. */
static gboolean is_known(const char *formula)
{
    static const char *const known[] = {
        "xLeftarrow{",    "xRightarrow{",   "xLeftrightarrow{", "{psmallmatrix}", "{bsmallmatrix}",
        "{Bsmallmatrix}", "{vsmallmatrix}", "{Vsmallmatrix}",   "\\parindent",    NULL
    };

    for (guint i = 0; known[i] != NULL; i++)
        if (strstr(formula, known[i]) != NULL)
            return TRUE;
    return FALSE;
}

/* How many formulas have a box further from TeX's than @near, or TeX's where that is known to
 * differ. @size_column: the first of three dimensions. */
static guint count_different(const GPtrArray *rows, guint formula_column, guint size_column,
                             gint64 near)
{
    static const TgParseOptions options = { .strict = TRUE, .source = TG_SOURCE_MATH };
    GError *error = NULL;
    g_autoptr(TgFontSet) fonts = tg_font_set_new(&error);
    tg_assert_no_error(error);
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    guint n_different = 0;

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        const char *formula = row[formula_column];
        char **size = row + size_column;

        if (strcmp(size[0], "-") == 0)
            continue;
        g_autoptr(TgTree) tree = tg_tree_parse(formula, strlen(formula), &options, &error);
        tg_assert_no_error(error);
        const TgItem *box = tg_layout_tree(layout, tree, TG_DISPLAY, &error);
        tg_assert_no_error(error);

        const gint64 ours[3] = { box->width, box->height, box->depth };
        gboolean same = TRUE;
        for (guint k = 0; k < 3; k++)
            same = same && ABS(ours[k] - g_ascii_strtoll(size[k], NULL, 10)) <= near;
        if (same == is_known(formula)) {
            print_message("%s: %d %d %d, TeX %s %s %s\n", formula, (int) ours[0], (int) ours[1],
                          (int) ours[2], size[0], size[1], size[2]);
            n_different++;
        }
    }
    return n_different;
}

static void test_symbol_boxes__are_those_of_tex(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) rows = tg_golden_rows("symbols.tsv", N_FIELDS);

    for (guint i = 0; i < rows->len; i++) {
        char **row = g_ptr_array_index(rows, i);
        char *formula = g_strdup_printf(is_accent(row[SYMBOL]) ? "%s{x}" : "x%s x", row[SYMBOL]);

        g_free(row[SYMBOL]);
        row[SYMBOL] = formula;
    }
    assert_int_equal(count_different(rows, SYMBOL, WIDTH, SAME_SP), 0);
    assert_true(rows->len > 800);
}

/* Spaces between atoms, arrows, environments, lengths, sizes (make_table_formulas.py). */
static void test_symbol_boxes__tables_of_typesetting(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) rows = tg_golden_rows("typeset_tables.tsv", 4);

    assert_int_equal(count_different(rows, 3, 0, SAME_SP), 0);
    assert_true(rows->len > 300);
}

/* \ce after the kinds of examples of mhchem's manual. */
static void test_symbol_boxes__chemistry(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) rows = tg_golden_rows("typeset_chemistry.tsv", 4);

    assert_int_equal(count_different(rows, 3, 0, NEAR_SP), 0);
    assert_true(rows->len > 100);
}

/* Commands of braket, mathtools and physics. */
static void test_symbol_boxes__packages(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) packages = tg_golden_rows("typeset_packages.tsv", 4);
    g_autoptr(GPtrArray) physics = tg_golden_rows("typeset_physics.tsv", 4);

    assert_int_equal(count_different(packages, 3, 0, NEAR_SP), 0);
    assert_int_equal(count_different(physics, 3, 0, NEAR_SP), 0);
    assert_true(packages->len + physics->len > 55);
}

/* siunitx, booktabs, amscd, slashed; lengths that a formula sets, and boxes of a given size. */
static void test_symbol_boxes__units_and_settings(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) units = tg_golden_rows("typeset_units.tsv", 4);
    g_autoptr(GPtrArray) settings = tg_golden_rows("typeset_settings.tsv", 4);

    assert_int_equal(count_different(units, 3, 0, NEAR_SP), 0);
    assert_int_equal(count_different(settings, 3, 0, NEAR_SP), 0);
    assert_true(units->len + settings->len > 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbol_boxes__are_those_of_tex),
        cmocka_unit_test(test_symbol_boxes__tables_of_typesetting),
        cmocka_unit_test(test_symbol_boxes__chemistry),
        cmocka_unit_test(test_symbol_boxes__packages),
        cmocka_unit_test(test_symbol_boxes__units_and_settings),
    };
    return cmocka_run_group_tests_name("symbol_boxes", tests, NULL, NULL);
}
