/* CMocka with what it needs before it, and what every test shares. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include <texgauge/types.h>

/**
 * A test of the program: TEST(name) { ... }; `state` is CMocka's. The tests of a file run in its
 * order; main() is in test_main.c.
 */
#define TEST(name) TEST_WITH(name, NULL, NULL)

/** A test with functions that CMocka calls before and after it. */
#define TEST_WITH(name, set_up, tear_down)                                                         \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        tg_test_add(&(struct CMUnitTest){ #name, name, set_up, tear_down, NULL });                 \
    }                                                                                              \
    static void name(G_GNUC_UNUSED void **state)

/** Functions that CMocka calls before and after all tests of the program. */
#define TEST_GROUP(set_up, tear_down)                                                              \
    __attribute__((constructor)) static void add_group(void)                                       \
    {                                                                                              \
        tg_test_group(set_up, tear_down);                                                          \
    }

void tg_test_add(const struct CMUnitTest *test);
void tg_test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down);

/**
 * |@actual - @wanted| <= @tolerance in double precision, relative for values beyond 1; NaN never
 * passes. (CMocka's own comparison works in float.)
 */
#define tg_assert_near(actual, wanted, tolerance)                                                  \
    tg_assert_near_(actual, wanted, tolerance, #actual, __FILE__, __LINE__)

void tg_assert_near_(double actual, double wanted, double tolerance, const char *what,
                     const char *file, int line);

/** @piece as often as fits into @size bytes. (transfer full) */
char *tg_repeat(const char *piece, gsize size);

/** Fails with the error's message when a call that must succeed has set @error. */
#define tg_assert_no_error(error)                                                                  \
    do {                                                                                           \
        if ((error) != NULL)                                                                       \
            fail_msg("unexpected error: %s", (error)->message);                                    \
    } while (0)

/** Fails unless @error is ours, with @wanted_code, and its message holds @part; clears it. */
#define tg_assert_error(error, wanted_code, part)                                                  \
    do {                                                                                           \
        assert_non_null(error);                                                                    \
        assert_true(g_error_matches(error, TG_ERROR, wanted_code));                                \
        if (strstr((error)->message, part) == NULL)                                                \
            fail_msg("'%s' does not hold '%s'", (error)->message, part);                           \
        g_clear_error(&(error));                                                                   \
    } while (0)

/** The value of @call, which is given `&error`; fails with its message where the call fails. */
#define tg_must(call)                                                                              \
    __extension__({                                                                                \
        GError *error = NULL;                                                                      \
        __auto_type got_ = (call);                                                                 \
        tg_assert_no_error(error);                                                                 \
        if (!got_)                                                                                 \
            fail_msg("%s failed", #call);                                                          \
        got_;                                                                                      \
    })

/** Fails unless @call, which is given `&error`, fails with our error @code and @part in its
 * message.
 */
#define tg_assert_fails(call, code, part)                                                          \
    do {                                                                                           \
        GError *error = NULL;                                                                      \
        if (call)                                                                                  \
            fail_msg("%s did not fail with '%s'", #call, part);                                    \
        tg_assert_error(error, code, part);                                                        \
    } while (0)

/** Fails unless @got, which is freed, is @wanted. */
void tg_assert_text(char *got, const char *wanted);

/** Fails unless @text holds each of the parts; NULL ends them. */
void tg_assert_holds(const char *text, ...) G_GNUC_NULL_TERMINATED;

/** The same of a text that is freed. */
#define tg_assert_says(text, ...)                                                                  \
    do {                                                                                           \
        g_autofree char *said_ = (text);                                                           \
        tg_assert_holds(said_, __VA_ARGS__);                                                       \
    } while (0)

/**
 * End the test as skipped; the reason stands in the test's line of TAP, and Meson shows a program
 * of which every test was skipped as SKIP. Jumps out of the test: whatever is to be freed must not
 * be allocated yet.
 */
void tg_skip(const char *format, ...) G_GNUC_PRINTF(1, 2) G_GNUC_NORETURN;

/** Skip the test where @relative is not in the shared reference data. */
void tg_skip_without_shared(const char *relative);

/**
 * The path of a file or folder of the shared reference data (in TEXGAUGE_SHARED, or ../shared
 * beside the source); the test is skipped where it is absent.
 *
 * Returns: (transfer full) the path
 */
char *tg_shared_or_skip(const char *relative);

/** The same for programs that are no CMocka tests; NULL where it is absent. (transfer full) */
char *tg_shared_path(const char *relative);

/** A path that nobody can create, as what would be its folder is a regular file. */
#define TG_NO_SUCH_PATH TG_SOURCE_ROOT "/meson.build/none"

/** For main() of a program without TAP: say that the data is absent; returns its exit code. */
int tg_skip_program_without_shared(void);
