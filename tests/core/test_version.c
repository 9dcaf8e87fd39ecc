#include "tests/support/test_support.h"

TEST(test_version__headers_and_library_agree)
{
    g_autofree char *headers =
        g_strdup_printf("%d.%d.%d", TG_VERSION_MAJOR, TG_VERSION_MINOR, TG_VERSION_PATCH);

    assert_string_equal(tg_version(), headers); /* meson.build has the library's */
}

TEST(test_version__check)
{
    assert_true(TG_CHECK_VERSION(TG_VERSION_MAJOR, TG_VERSION_MINOR, TG_VERSION_PATCH));
    assert_true(TG_CHECK_VERSION(0, 0, 9));
    assert_false(TG_CHECK_VERSION(TG_VERSION_MAJOR, TG_VERSION_MINOR, TG_VERSION_PATCH + 1));
    assert_false(TG_CHECK_VERSION(TG_VERSION_MAJOR, TG_VERSION_MINOR + 1, 0));
    assert_false(TG_CHECK_VERSION(TG_VERSION_MAJOR + 1, 0, 0));
}
