/* CMocka with what it needs before it, and what every test shares. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include <texgauge/types.h>

/**
 * |@actual - @wanted| <= @tolerance in double precision, relative for values beyond 1; NaN never
 * passes. (CMocka's own comparison works in float.)
 */
#define tg_assert_near(actual, wanted, tolerance)                                                  \
    tg_assert_near_(actual, wanted, tolerance, #actual, __FILE__, __LINE__)

static inline void tg_assert_near_(double actual, double wanted, double tolerance, const char *what,
                                   const char *file, int line)
{
    if (fabs(actual - wanted) <= tolerance * MAX(1.0, fabs(wanted)))
        return;
    print_error("%s is %.17g, wanted %.17g within %g\n", what, actual, wanted, tolerance);
    _fail(file, line);
}

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

/**
 * The path of a file below the shared reference data (TEXGAUGE_SHARED, or ../shared beside the
 * source), to be freed; NULL when it is not there: the test then calls tg_skip_shared().
 */
static inline char *tg_shared_path(const char *relative)
{
    const char *dir = g_getenv("TEXGAUGE_SHARED");
    char *path = g_build_filename(dir != NULL ? dir : TG_SOURCE_ROOT "/../shared", relative, NULL);

    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return path;
    g_free(path);
    return NULL;
}

/* CMocka 1.1 reports skip() as "not ok", which harnesses count as a failure: so the test says that
 * it was skipped and returns. */
#define tg_skip_shared(what)                                                                       \
    do {                                                                                           \
        print_message("# skipped: %s is not there (set TEXGAUGE_SHARED)\n", what);                 \
        return;                                                                                    \
    } while (0)
