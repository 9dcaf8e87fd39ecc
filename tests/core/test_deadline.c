#include "tests/support/test_support.h"

#include "core/deadline.h"

/* More than is done between two looks at the clock. */
#define MUCH 1000000

static void test_deadline__without_a_bound_nothing_takes_too_long(void **state)
{
    (void) state;
    assert_false(tg_too_long(MUCH));
    tg_deadline_start(0);
    assert_false(tg_too_long(MUCH));
    assert_false(tg_deadline_stop());
}

static void test_deadline__once_passed_it_stays_so(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;

    tg_deadline_start(1e-6);
    g_usleep(1000);
    assert_false(tg_deadline_passed()); /* nobody was told yet */
    assert_true(tg_deadline_check(NULL));
    assert_true(tg_too_long(MUCH));
    assert_true(tg_too_long(0));
    assert_true(tg_deadline_passed());
    assert_false(tg_deadline_check(&error));
    tg_assert_error(error, TG_ERROR_PARSE, "too long");
    assert_true(tg_deadline_stop());
    assert_false(tg_too_long(MUCH));
}

static void test_deadline__a_start_begins_anew(void **state)
{
    (void) state;
    tg_deadline_start(1e-6);
    g_usleep(1000);
    assert_true(tg_too_long(MUCH));
    tg_deadline_start(1000);
    assert_false(tg_too_long(MUCH));
    assert_false(tg_deadline_stop());
}

static void test_deadline__is_suspended_for_what_is_kept(void **state)
{
    (void) state;
    tg_deadline_start(1e-6);
    g_usleep(1000);
    tg_deadline_suspend();
    assert_false(tg_too_long(MUCH));
    tg_deadline_resume();
    assert_true(tg_too_long(MUCH));
    assert_true(tg_deadline_stop());
}

static gpointer ask_elsewhere(gpointer data)
{
    (void) data;
    return GINT_TO_POINTER(tg_too_long(MUCH));
}

static void test_deadline__belongs_to_its_thread(void **state)
{
    (void) state;
    tg_deadline_start(1e-6);
    g_usleep(1000);
    assert_false(GPOINTER_TO_INT(g_thread_join(g_thread_new("other", ask_elsewhere, NULL))));
    assert_true(tg_too_long(MUCH));
    tg_deadline_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadline__without_a_bound_nothing_takes_too_long),
        cmocka_unit_test(test_deadline__once_passed_it_stays_so),
        cmocka_unit_test(test_deadline__a_start_begins_anew),
        cmocka_unit_test(test_deadline__is_suspended_for_what_is_kept),
        cmocka_unit_test(test_deadline__belongs_to_its_thread),
    };

    return cmocka_run_group_tests_name("deadline", tests, NULL, NULL);
}
