#include "tests/support/test_support.h"

#include <string.h>

#include "core/json.h"
#include "eval/results/grid.h"

static char *written(const TgGrid *grid, TgGridStyle style)
{
    GString *out = g_string_new(NULL);

    tg_grid_append(out, grid, style);
    return g_string_free(out, FALSE);
}

static void assert_written(const TgGrid *grid, TgGridStyle style, const char *wanted)
{
    g_autofree char *text = written(grid, style);

    assert_string_equal(text, wanted);
}

/* One name with everything that the styles must mask, one number, one that is missing. */
static TgGrid *sample(void)
{
    TgGrid *grid = tg_grid_new("Title", 1);

    tg_grid_head(grid, "name");
    tg_grid_head(grid, "x");
    tg_grid_put(grid, "a|b_<i>,\"c\"");
    tg_grid_put_number(grid, 1.0 / 3, 2);
    tg_grid_put(grid, "\xe4\xb8\xad\n2"); /* a wide character, and a line break */
    tg_grid_put_number(grid, NAN, 2);
    tg_grid_note(grid, "note");
    return grid;
}

static void test_grid__table_is_aligned_by_display_width(void **state)
{
    g_autoptr(TgGrid) grid = sample();

    (void) state;
    assert_int_equal(tg_grid_n_rows(grid), 2);
    assert_written(grid, TG_GRID_TABLE,
                   "Title\n"
                   "name            x\n"
                   "a|b_<i>,\"c\"  0.33\n"
                   "\xe4\xb8\xad 2            -\n"
                   "note\n");
}

static void test_grid__markdown_masks_what_it_would_read(void **state)
{
    g_autoptr(TgGrid) grid = sample();

    (void) state;
    assert_written(grid, TG_GRID_MARKDOWN,
                   "### Title\n\n"
                   "| name           |    x |\n"
                   "|:---|---:|\n"
                   "| a\\|b\\_\\<i>,\"c\" | 0.33 |\n"
                   "| \xe4\xb8\xad 2           |    - |\n"
                   "\nnote\n");
}

static void test_grid__csv_is_quoted(void **state)
{
    g_autoptr(TgGrid) grid = sample();

    (void) state;
    assert_written(grid, TG_GRID_CSV,
                   "\"name\",\"x\"\n"
                   "\"a|b_<i>,\"\"c\"\"\",\"0.3333333333\"\n"
                   "\"\xe4\xb8\xad\n2\",\"\"\n");
}

static void test_grid__latex_is_booktabs(void **state)
{
    g_autoptr(TgGrid) grid = sample();

    (void) state;
    assert_written(grid, TG_GRID_LATEX,
                   "% needs \\usepackage{booktabs}\n% Title\n"
                   "\\begin{tabular}{lr}\n\\toprule\nname & x \\\\\n\\midrule\n"
                   "a|b\\_<i>,\"c\" & 0.33 \\\\\n"
                   "\xe4\xb8\xad 2 & - \\\\\n"
                   "\\bottomrule\n\\end{tabular}\n% note\n");
}

static void test_grid__columns_stand_where_they_are_named(void **state)
{
    static const TgGridColumn columns[] = {
        { "name", "name", "name" },
        { "value", NULL, "test.value" },
        { "95 %", "bca_*", "test.bca" },
        { NULL, NULL, "more" },
    };
    const double ends[] = { 0.25, NAN };
    g_autoptr(TgGrid) grid = tg_grid_new(NULL, 1);
    g_autoptr(GString) json = g_string_new(NULL);
    json_t *rows;

    (void) state;
    tg_grid_columns(grid, columns, G_N_ELEMENTS(columns));
    tg_grid_put_name(grid, "", "(none)");
    tg_grid_put_number(grid, 1.0 / 3, 2);
    tg_grid_put_interval(grid, ends, 2);
    tg_grid_put_json(grid, json_true());
    assert_written(grid, TG_GRID_TABLE, "name    value  95 %\n(none)   0.33     -\n");
    assert_written(grid, TG_GRID_CSV,
                   "\"name\",\"bca_low\",\"bca_high\"\n\"(none)\",\"0.25\",\"\"\n");
    rows = tg_grid_rows_json(grid);
    tg_json_append(json, rows);
    json_decref(rows);
    assert_string_equal(json->str, "[{\"name\":\"\",\"test\":{\"value\":0.3333333333,"
                                   "\"bca\":[0.25,null]},\"more\":true}]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid__table_is_aligned_by_display_width),
        cmocka_unit_test(test_grid__markdown_masks_what_it_would_read),
        cmocka_unit_test(test_grid__csv_is_quoted),
        cmocka_unit_test(test_grid__latex_is_booktabs),
        cmocka_unit_test(test_grid__columns_stand_where_they_are_named),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
