/* How much CPU time a call took, for tests that hostile input ends soon. */
#pragma once

#include <time.h>

/** What sanitizers and coverage (meson.build defines it for that) make of a second. */
#if defined(TG_SLOWDOWN)
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TG_SLOWDOWN 12.0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TG_SLOWDOWN 12.0
#endif
#endif
#ifndef TG_SLOWDOWN
#ifdef __OPTIMIZE__
#define TG_SLOWDOWN 1.0
#else
#define TG_SLOWDOWN 4.0
#endif
#endif

/** Of this process, all threads. */
static inline double tg_cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/** Fails when more than @seconds of CPU time went by since @start, sanitizers allowed for. */
static inline void tg_assert_cpu_below(double start, double seconds, const char *what)
{
    const double taken = tg_cpu_seconds() - start;

    if (taken > seconds * TG_SLOWDOWN)
        fail_msg("%.40s: %.2f s of CPU time, allowed are %.2f", what, taken, seconds * TG_SLOWDOWN);
}
