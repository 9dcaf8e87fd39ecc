#include "core/random.h"

/* splitmix64: one step of a Weyl sequence, then a mixing that is a bijection of 64 bits. */
static guint64 splitmix64(guint64 *state)
{
    guint64 z = *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static guint64 rotate_left(guint64 x, guint k)
{
    return (x << k) | (x >> (64 - k));
}

void tg_random_seed(TgRandom *random, guint64 seed, guint64 stream)
{
    guint64 weyl = splitmix64(&seed) ^ stream;

    /* Mixed twice, so that neighbouring streams do not walk along one Weyl sequence. */
    weyl = splitmix64(&weyl);
    for (guint i = 0; i < G_N_ELEMENTS(random->state); i++)
        random->state[i] = splitmix64(&weyl);
}

guint64 tg_random_next(TgRandom *random)
{
    guint64 *s = random->state;
    const guint64 result = rotate_left(s[1] * 5, 7) * 9;
    const guint64 t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

guint32 tg_random_below(TgRandom *random, guint32 bound)
{
    guint64 product;

    g_return_val_if_fail(bound > 0, 0);
    product = (tg_random_next(random) >> 32) * bound;
    if ((guint32) product < bound) {
        const guint32 unfair = -bound % bound; /* 2^32 mod bound: so many low parts too many */

        while ((guint32) product < unfair)
            product = (tg_random_next(random) >> 32) * bound;
    }
    return product >> 32;
}

double tg_random_double(TgRandom *random)
{
    return (double) (tg_random_next(random) >> 11) * 0x1p-53;
}
