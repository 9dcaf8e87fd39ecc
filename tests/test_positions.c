/* Where the glyphs and rules of 300 formulas of our own lie, against TeX's output. */
#include "tests/test_support.h"

#include "tests/conformity/positions.h"

#define MIN_ROWS      300
#define MAX_MEDIAN_PX 0.01  /* the table has hundredths of a pixel */
#define MIN_WITHIN    0.997 /* of the edges within half a pixel; never to be lowered */

static void test_positions__ink_lies_where_tex_puts_it(void **state)
{
    (void) state;
    GError *error = NULL;
    g_autoptr(GPtrArray) rows =
        positions_load(TG_SOURCE_ROOT "/tests/golden/positions.tsv", &error);
    tg_assert_no_error(error);
    g_autoptr(TgFontSet) fonts = tg_font_set_new(&error);
    tg_assert_no_error(error);
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    PositionsTally tally;

    positions_tally_init(&tally);
    assert_true(rows->len >= MIN_ROWS);
    for (guint i = 0; i < rows->len; i++)
        assert_true(positions_compare(layout, rows->pdata[i], &tally));
    assert_true(tally.n_marks > 5 * rows->len);
    assert_true(positions_median(&tally) <= MAX_MEDIAN_PX);
    assert_true(positions_within(&tally, 0.5) >= MIN_WITHIN);
    assert_true(positions_within(&tally, 1) >= 1);
    positions_tally_clear(&tally);
}

/* The comparison itself must see what is moved or missing. */
static void test_positions__what_is_moved_or_missing_counts(void **state)
{
    (void) state;
    GError *error = NULL;
    g_autoptr(GPtrArray) rows =
        positions_load(TG_SOURCE_ROOT "/tests/golden/positions.tsv", &error);
    tg_assert_no_error(error);
    g_autoptr(TgFontSet) fonts = tg_font_set_new(&error);
    tg_assert_no_error(error);
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    PositionsRow *row = rows->pdata[0]; /* a+b=c */
    PositionsTally tally;

    assert_int_equal(row->boxes->len, 5);
    g_array_index(row->boxes, TgInkBox, 1).x0 += 3;
    positions_tally_init(&tally);
    assert_true(positions_compare(layout, row, &tally));
    tg_assert_near(positions_within(&tally, 2), 19.0 / 20, 1e-12);
    tg_assert_near(positions_largest(&tally), 3, 0.01);
    positions_tally_clear(&tally);

    g_array_remove_index(row->boxes, 1);
    positions_tally_init(&tally);
    assert_true(positions_compare(layout, row, &tally));
    assert_int_equal(tally.n_alone, 1);
    tg_assert_near(positions_within(&tally, 2), 16.0 / 20, 1e-12);
    positions_tally_clear(&tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions__ink_lies_where_tex_puts_it),
        cmocka_unit_test(test_positions__what_is_moved_or_missing_counts),
    };
    return cmocka_run_group_tests_name("positions", tests, NULL, NULL);
}
