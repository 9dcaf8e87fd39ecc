#include "core/random.h"

#include "core/hash.h"

/* splitmix64: one step of a Weyl sequence, then a mixing that is a bijection of 64 bits. */
static guint64 splitmix64(guint64 *state)
{
    return tg_hash_u64(*state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15));
}

void tg_random_seed(TgRandom *random, guint64 seed, guint64 stream)
{
    guint64 weyl = splitmix64(&seed) ^ stream;

    /* Mix twice, because neighboring streams would else walk along one Weyl sequence. */
    weyl = splitmix64(&weyl);
    for (guint i = 0; i < G_N_ELEMENTS(random->state); i++)
        random->state[i] = splitmix64(&weyl);
}

double tg_random_double(TgRandom *random)
{
    return (double) (tg_random_next(random) >> 11) * 0x1p-53;
}
