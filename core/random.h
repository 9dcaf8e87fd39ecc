/* Seeded random numbers: the same sequence on every machine, one stream per task. */
#pragma once

#include "core/hash.h"

/**
 * A generator: xoshiro256** of Blackman and Vigna (2021), Scrambled Linear Pseudorandom Number
 * Generators, ACM TOMS 47(4), whose state is filled by their splitmix64. Not for secrets. Copying
 * it copies the sequence; one generator belongs to one thread at a time.
 */
typedef struct {
    guint64 state[4]; /* never all zero */
} TgRandom;

/** One step of a Weyl sequence, then a mixing that is a bijection of 64 bits. */
static inline guint64 tg_random_splitmix64(guint64 *state)
{
    return tg_hash_u64(*state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15));
}

/**
 * Start the sequence of (@seed, @stream). Streams of one seed are independent for all practical
 * purposes, so each task (resample, pair, trial) takes its own and results do not depend on the
 * order in which tasks run, or on which thread.
 */
static inline void tg_random_seed(TgRandom *random, guint64 seed, guint64 stream)
{
    guint64 weyl = tg_random_splitmix64(&seed) ^ stream;

    /* Mix twice, because neighboring streams would else walk along one Weyl sequence. */
    weyl = tg_random_splitmix64(&weyl);
    for (guint i = 0; i < G_N_ELEMENTS(random->state); i++)
        random->state[i] = tg_random_splitmix64(&weyl);
}

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
static inline double tg_random_double(TgRandom *random)
{
    return (double) (tg_random_next(random) >> 11) * 0x1p-53;
}
