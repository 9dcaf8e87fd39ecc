/* Runs the tests that TEST() registered. */
#include "tests/support/test_support.h"

static GArray *tests;
static CMFixtureFunction group_set_up, group_tear_down;

void tg_test_add(const struct CMUnitTest *test)
{
    if (tests == NULL)
        tests = g_array_new(FALSE, FALSE, sizeof *test);
    g_array_append_vals(tests, test, 1);
}

void tg_test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    group_set_up = set_up;
    group_tear_down = tear_down;
}

int main(int argc, char **argv)
{
    g_autofree char *program = g_path_get_basename(argv[0]);
    const char *name = g_str_has_prefix(program, "test_") ? program + strlen("test_") : program;

    (void) argc;
    const int failed =
        _cmocka_run_group_tests(name, (const struct CMUnitTest *) (gpointer) tests->data,
                                tests->len, group_set_up, group_tear_down);
    g_array_unref(tests);
    return failed;
}
