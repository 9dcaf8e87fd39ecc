/* Measurements for benchmarks and tests of bounds. */
#pragma once

#include <glib.h>

#include <sys/resource.h>
#include <time.h>

/** CPU time of this process, all its threads. */
static inline double tg_cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/** The most memory that this process has had, in bytes. */
static inline gsize tg_peak_memory(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (gsize) usage.ru_maxrss * 1024;
}

/** Sorts doubles. */
static inline int tg_by_value(gconstpointer a, gconstpointer b)
{
    const double left = *(const double *) a, right = *(const double *) b;

    return (left > right) - (left < right);
}
