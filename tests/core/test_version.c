#include "tests/support/test_support.h"

#include <texgauge/types.h>

static void test_version__headers_and_library_agree(void **state)
{
    (void) state;
    g_autofree char *headers =
        g_strdup_printf("%d.%d.%d", TG_VERSION_MAJOR, TG_VERSION_MINOR, TG_VERSION_PATCH);

    assert_string_equal(tg_version(), headers); /* meson.build has the library's */
}

static void test_version__check(void **state)
{
    (void) state;
    assert_true(TG_CHECK_VERSION(TG_VERSION_MAJOR, TG_VERSION_MINOR, TG_VERSION_PATCH));
    assert_true(TG_CHECK_VERSION(0, 0, 9));
    assert_false(TG_CHECK_VERSION(TG_VERSION_MAJOR, TG_VERSION_MINOR, TG_VERSION_PATCH + 1));
    assert_false(TG_CHECK_VERSION(TG_VERSION_MAJOR, TG_VERSION_MINOR + 1, 0));
    assert_false(TG_CHECK_VERSION(TG_VERSION_MAJOR + 1, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version__headers_and_library_agree),
        cmocka_unit_test(test_version__check),
    };

    return cmocka_run_group_tests_name("version", tests, NULL, NULL);
}
