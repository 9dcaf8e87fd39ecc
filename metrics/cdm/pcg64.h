/* The random numbers of numpy's default generator, for samples equal to the official ones. */
#pragma once

#include <glib.h>

/** PCG64 (XSL-RR 128/64) with the second half of its last output kept for the next request. */
typedef struct {
    guint64 state_high, state_low, increment_high, increment_low;
    guint32 kept;
    gboolean has_kept;
} TgPcg64;

/** The generator as numpy.random.default_rng(@seed) makes it; the seeds of the official programs,
 * 42 and 2026, are known. */
void tg_pcg64_init(TgPcg64 *random, guint seed);

/** The most numbers that tg_pcg64_choose() draws at once. */
#define TG_PCG64_MAX_CHOSEN 3

/** @count different numbers below @n (at least @count, at most 10,000), as Generator.choice(n,
 * count, replace=False). */
void tg_pcg64_choose(TgPcg64 *random, guint32 n, guint count, guint32 *chosen);
