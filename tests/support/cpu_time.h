/*
 * Bounds on the CPU time of a call, for tests that hostile input ends soon.
 *
 * A bound is in seconds of a machine on which a fixed amount of plain work, built as the test is,
 * takes 5 ms. That work is measured in the same process, so that a slow or busy
 * machine, sanitizers and unoptimized builds get more time, and quadratic behavior still fails.
 */
#pragma once

#include "tests/support/measure.h"

/**
 * Instrumented and unoptimized code is allowed this much beyond what the build makes of the plain
 * work. Coverage has no macro of its compiler: meson.build defines this for it.
 */
#if defined(TG_INSTRUMENTED)
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TG_INSTRUMENTED 4
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TG_INSTRUMENTED 4
#endif
#endif
#ifndef TG_INSTRUMENTED
#ifdef __OPTIMIZE__
#define TG_INSTRUMENTED 1
#else
#define TG_INSTRUMENTED 2
#endif
#endif

/**
 * How much of a long test is done, @n bytes, formulas or rounds: all in a plain build, an eighth in
 * one that is instrumented. What sanitizers and coverage look for shows in a part.
 */
#define TG_SHORTENED(n) ((n) / TG_SHORTENING)
#define TG_SHORTENING   (TG_INSTRUMENTED > 1 ? 8 : 1)

/** How much longer than the bounds' machine this one takes for the same work, at least 1. */
double tg_cpu_slowdown(void);

/** Fails when more than @seconds, by the bounds' machine, went by since @start. */
void tg_assert_cpu_below(double start, double seconds, const char *what);
