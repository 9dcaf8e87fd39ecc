/* The random numbers of numpy's default generator, for samples equal to the official ones. */
#pragma once

#include <glib.h>

/** PCG64 (XSL-RR 128/64) with the second half of its last output kept for the next request. */
typedef struct {
    guint64 state_high, state_low;
    guint32 kept;
    gboolean has_kept;
} TgPcg64;

/** The generator as numpy.random.default_rng(42) makes it, the seed of the official program. */
void tg_pcg64_init_42(TgPcg64 *random);

/**
 * An unbiased number in 0..@max, by Lemire's multiplication on 32 bits as numpy draws it; 0 for
 * @max 0, which uses up no random number. @max is below 2^32 - 1.
 *
 * Source: O'Neill (2014), PCG, HMC-CS-2014-0905; Lemire (2019), ACM TOMACS 29(1).
 */
guint32 tg_pcg64_bounded(TgPcg64 *random, guint32 max);

/** Two different numbers below @n (at least 2), as Generator.choice(n, 2, replace=False). */
void tg_pcg64_choose_two(TgPcg64 *random, guint32 n, guint32 chosen[2]);
