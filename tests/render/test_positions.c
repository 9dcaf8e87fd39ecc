/* Where the glyphs and rules of formulas and constructs of our own lie, against TeX's output. */
#include "tests/support/test_support.h"

#include "tests/conformity/positions.h"

#define MAX_MEDIAN_PX 0.01 /* the table has hundredths of a pixel */

/* Shares of the edges within half a pixel and two; never to be lowered. */
#define FORMULAS_WITHIN   0.997
#define CONSTRUCTS_WITHIN 0.956
#define CONSTRUCTS_NEARLY 0.968

/* Compare the formulas of the set "ours", or all the others, and count them. */
static guint compare(gboolean formulas, PositionsTally *tally)
{
    g_autoptr(GPtrArray) rows =
        tg_must(positions_load(TG_SOURCE_ROOT "/tests/golden/positions.tsv", &error));
    g_autoptr(TgFonts) fonts = tg_must(tg_fonts_new(&error));
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);

    positions_tally_init(tally);
    for (guint i = 0; i < rows->len; i++) {
        const PositionsRow *row = rows->pdata[i];
        if ((strcmp(row->set, "ours") == 0) == formulas)
            assert_true(positions_compare(layout, row, tally));
    }
    assert_true(positions_median(tally) <= MAX_MEDIAN_PX);
    return tally->n_formulas;
}

TEST(test_positions__ink_of_formulas_lies_where_tex_puts_it)
{
    PositionsTally tally;

    assert_true(compare(TRUE, &tally) >= 300);
    assert_true(positions_within(&tally, 0.5) >= FORMULAS_WITHIN);
    assert_true(positions_within(&tally, 1) >= 1);
    positions_tally_clear(&tally);
}

/* Every construct that is documented, those included which are known to differ. */
TEST(test_positions__ink_of_constructs_lies_where_tex_puts_it)
{
    PositionsTally tally;

    assert_true(compare(FALSE, &tally) >= 140);
    assert_true(positions_within(&tally, 0.5) >= CONSTRUCTS_WITHIN);
    assert_true(positions_within(&tally, 2) >= CONSTRUCTS_NEARLY);
    positions_tally_clear(&tally);
}

/* The comparison itself must see what is moved or missing. */
TEST(test_positions__what_is_moved_or_missing_counts)
{
    g_autoptr(GPtrArray) rows =
        tg_must(positions_load(TG_SOURCE_ROOT "/tests/golden/positions.tsv", &error));
    g_autoptr(TgFonts) fonts = tg_must(tg_fonts_new(&error));
    g_autoptr(TgLayout) layout = tg_layout_new(fonts);
    PositionsRow *row = rows->pdata[0]; /* a+b=c */
    PositionsTally tally;

    assert_int_equal(row->boxes->len, 5);
    g_array_index(row->boxes, TgRect, 1).x0 += 3;
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
