#include "tests/support/test_support.h"

#include <string.h>

#include "core/search.h"

typedef struct {
    const char *name;
    guint value;
} Named;

static const Named named[] = { { "a", 1 }, { "ab", 2 }, { "abc", 3 }, { "b", 4 }, { "é", 5 } };

TEST(test_search__every_row_is_found_by_its_text)
{
    for (guint i = 0; i < G_N_ELEMENTS(named); i++)
        assert_ptr_equal(tg_row_of_text(named[i].name, strlen(named[i].name), named,
                                        G_N_ELEMENTS(named), sizeof named[0]),
                         &named[i]);
}

TEST(test_search__the_length_ends_the_text)
{
    const Named *found = tg_row_of_text("abx", 2, named, G_N_ELEMENTS(named), sizeof named[0]);

    assert_int_equal(found->value, 2);
    assert_null(tg_row_of_text("abx", 3, named, G_N_ELEMENTS(named), sizeof named[0]));
    assert_null(tg_row_of_text("", 0, named, G_N_ELEMENTS(named), sizeof named[0]));
    assert_null(tg_row_of_text("a", 1, named, 0, sizeof named[0]));
}

TEST(test_search__rows_are_found_by_number)
{
    static const guint32 numbers[][2] = { { 3, 0 }, { 70, 1 }, { 0x20000, 2 }, { G_MAXUINT32, 3 } };

    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        assert_ptr_equal(
            tg_row_of_number(numbers[i][0], numbers, G_N_ELEMENTS(numbers), sizeof numbers[0]),
            &numbers[i]);
    assert_null(tg_row_of_number(4, numbers, G_N_ELEMENTS(numbers), sizeof numbers[0]));
}
