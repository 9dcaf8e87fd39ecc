/* Seeded random numbers: the same sequence on every machine, one stream per task. */
#pragma once

#include <glib.h>

/**
 * A generator: xoshiro256** of Blackman and Vigna (2021), Scrambled Linear Pseudorandom Number
 * Generators, ACM TOMS 47(4), whose state is filled by their splitmix64. Not for secrets. Copying
 * it copies the sequence; one generator belongs to one thread at a time.
 */
typedef struct {
    guint64 state[4]; /* never all zero */
} TgRandom;

/**
 * Start the sequence of (@seed, @stream). Streams of one seed are independent for all practical
 * purposes, so each task (resample, pair, trial) takes its own and results do not depend on the
 * order in which tasks run, or on which thread.
 */
void tg_random_seed(TgRandom *random, guint64 seed, guint64 stream);

static inline guint64 tg_random_rotate_left(guint64 x, guint k)
{
    return (x << k) | (x >> (64 - k));
}

static inline guint64 tg_random_next(TgRandom *random)
{
    guint64 *s = random->state;
    const guint64 result = tg_random_rotate_left(s[1] * 5, 7) * 9;
    const guint64 t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = tg_random_rotate_left(s[3], 45);
    return result;
}

/**
 * A uniform integer in [0, @bound), without bias; @bound > 0. Source: Lemire (2019), Fast Random
 * Integer Generation in an Interval, ACM TOMACS 29(1), algorithm 5.
 */
static inline guint32 tg_random_below(TgRandom *random, guint32 bound)
{
    guint64 product = (tg_random_next(random) >> 32) * bound;

    if (G_UNLIKELY((guint32) product < bound)) {
        /* 2^32 mod bound: the number of low parts that would cause a bias */
        const guint32 unfair = -bound % bound;

        while ((guint32) product < unfair)
            product = (tg_random_next(random) >> 32) * bound;
    }
    return product >> 32;
}

/** A uniform number in [0, 1), a multiple of 2^-53. */
double tg_random_double(TgRandom *random);
