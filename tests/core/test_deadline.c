#include "tests/support/test_support.h"

#include "core/arena.h"
#include "core/deadline.h"

/* More than is done between two looks at the clock. */
#define MUCH 1000000

TEST(test_deadline__without_a_bound_nothing_takes_too_long)
{
    assert_false(tg_deadline_spend(MUCH));
    tg_deadline_start(0, 0);
    assert_false(tg_deadline_spend(MUCH));
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_NONE);
}

TEST(test_deadline__once_passed_it_stays_so)
{
    tg_deadline_start(1e-6, 0);
    g_usleep(1000);
    assert_false(tg_deadline_passed()); /* nobody was told yet */
    assert_true(tg_deadline_check(NULL));
    assert_true(tg_deadline_spend(MUCH));
    assert_true(tg_deadline_spend(0));
    assert_true(tg_deadline_passed());
    tg_assert_fails(tg_deadline_check(&error), TG_ERROR_PARSE, "too long");
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_TIME);
    assert_false(tg_deadline_spend(MUCH));
}

TEST(test_deadline__a_start_begins_anew)
{
    tg_deadline_start(1e-6, 0);
    g_usleep(1000);
    assert_true(tg_deadline_spend(MUCH));
    tg_deadline_start(1000, 0);
    assert_false(tg_deadline_spend(MUCH));
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_NONE);
}

TEST(test_deadline__is_suspended_for_what_is_kept)
{
    tg_deadline_start(1e-6, 0);
    g_usleep(1000);
    tg_deadline_suspend();
    assert_false(tg_deadline_spend(MUCH));
    tg_deadline_resume();
    assert_true(tg_deadline_spend(MUCH));
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_TIME);
}

static gpointer ask_elsewhere(gpointer data)
{
    (void) data;
    return GINT_TO_POINTER(tg_deadline_spend(MUCH));
}

TEST(test_deadline__belongs_to_its_thread)
{
    tg_deadline_start(1e-6, 0);
    g_usleep(1000);
    assert_false(GPOINTER_TO_INT(g_thread_join(g_thread_new("other", ask_elsewhere, NULL))));
    assert_true(tg_deadline_spend(MUCH));
    tg_deadline_stop();
}

/* Allocate @n megabytes; nothing touches them. */
static void allocate_megabytes(TgArena *arena, guint n)
{
    for (guint i = 0; i < n; i++)
        tg_arena_alloc(arena, 1 << 20);
}

TEST(test_deadline__bounds_what_arenas_allocate)
{
    TgArena arena = { 0 };

    tg_deadline_start(0, 64 << 20);
    allocate_megabytes(&arena, 32);
    assert_false(tg_deadline_spend(MUCH));
    allocate_megabytes(&arena, 33);
    assert_true(tg_deadline_spend(0));
    assert_true(tg_deadline_spend(MUCH));
    tg_assert_fails(tg_deadline_check(&error), TG_ERROR_PARSE, "too much memory");
    tg_arena_clear(&arena);
    assert_true(tg_deadline_spend(MUCH)); /* a loop stays cut short */
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_MEMORY);
    assert_false(tg_deadline_spend(MUCH));
}

TEST(test_deadline__memory_that_was_freed_does_not_count)
{
    tg_deadline_start(0, 64 << 20);
    for (guint i = 0; i < 20; i++) {
        TgArena arena = { 0 };

        allocate_megabytes(&arena, 10);
        tg_arena_clear(&arena);
    }
    assert_false(tg_deadline_spend(MUCH));
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_NONE);
}

TEST(test_deadline__memory_of_what_is_kept_does_not_count)
{
    TgArena arena = { 0 };

    tg_deadline_start(0, 8 << 20);
    tg_deadline_suspend();
    allocate_megabytes(&arena, 9);
    tg_deadline_resume();
    assert_false(tg_deadline_spend(MUCH));
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_NONE);
    tg_arena_clear(&arena);
}

TEST(test_deadline__memory_and_time_are_bounded_together)
{
    TgArena arena = { 0 };

    tg_deadline_start(1000, 8 << 20);
    assert_false(tg_deadline_spend(MUCH));
    allocate_megabytes(&arena, 9);
    assert_true(tg_deadline_spend(MUCH));
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_MEMORY);
    tg_deadline_start(1e-6, 8 << 20);
    g_usleep(1000);
    assert_true(tg_deadline_spend(MUCH));
    allocate_megabytes(&arena, 9);
    assert_int_equal(tg_deadline_stop(), TG_DEADLINE_TIME);
    tg_arena_clear(&arena);
}
