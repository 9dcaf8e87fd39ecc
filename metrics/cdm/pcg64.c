/* numpy's PCG64 and the two draws of it that the official sampler needs. */
#include "metrics/cdm/pcg64.h"

__extension__ typedef unsigned __int128 Uint128;

static Uint128 join_halves(guint64 high, guint64 low)
{
    return (Uint128) high << 64 | low;
}

void tg_pcg64_init(TgPcg64 *random, guint seed)
{
    /* What numpy's SeedSequence makes of the seeds. */
    static const TgPcg64 seed_42 = {
        .state_high = G_GUINT64_CONSTANT(0xcea44f6798798f2a),
        .state_low = G_GUINT64_CONSTANT(0xacbc7c9d68860ac8),
        .increment_high = G_GUINT64_CONSTANT(0xfa505436c9a8416e),
        .increment_low = G_GUINT64_CONSTANT(0x66caf2e28d25abff),
    };
    static const TgPcg64 seed_2026 = {
        .state_high = G_GUINT64_CONSTANT(0x8b4e2f84ea4132eb),
        .state_low = G_GUINT64_CONSTANT(0x2d429278cd96cb05),
        .increment_high = G_GUINT64_CONSTANT(0xbec6782ecb0472d8),
        .increment_low = G_GUINT64_CONSTANT(0xdd766bd09854840b),
    };

    g_return_if_fail(seed == 42 || seed == 2026);
    *random = seed == 42 ? seed_42 : seed_2026;
}

static guint64 pcg64_next64(TgPcg64 *random)
{
    const Uint128 multiplier =
        join_halves(G_GUINT64_CONSTANT(0x2360ed051fc65da4), G_GUINT64_CONSTANT(0x4385df649fccf645));
    const Uint128 increment = join_halves(random->increment_high, random->increment_low);
    const Uint128 state =
        join_halves(random->state_high, random->state_low) * multiplier + increment;
    const guint64 high = (guint64) (state >> 64), low = (guint64) state;
    const guint turn = high >> 58;

    random->state_high = high;
    random->state_low = low;
    return (high ^ low) >> turn | (high ^ low) << (-turn & 63);
}

static guint32 pcg64_next32(TgPcg64 *random)
{
    if (random->has_kept) {
        random->has_kept = FALSE;
        return random->kept;
    }

    const guint64 both = pcg64_next64(random);
    random->kept = (guint32) (both >> 32);
    random->has_kept = TRUE;
    return (guint32) both;
}

/* An unbiased number in 0..@max, by Lemire's multiplication on 32 bits as numpy draws it; 0 for
 * @max 0, which uses up no random number. @max is below 2^32 - 1. Source: O'Neill (2014), PCG,
 * HMC-CS-2014-0905; Lemire (2019), ACM TOMACS 29(1). */
static guint32 pcg64_bounded(TgPcg64 *random, guint32 max)
{
    if (max == 0)
        return 0;

    const guint32 n = max + 1, biased_below = (guint32) (-n) % n;
    guint64 product;
    do
        product = (guint64) pcg64_next32(random) * n;
    while ((guint32) product < biased_below);
    return (guint32) (product >> 32);
}

static gboolean pcg64_is_chosen(const guint32 *chosen, guint count, guint32 number)
{
    for (guint i = 0; i < count; i++)
        if (chosen[i] == number)
            return TRUE;
    return FALSE;
}

/* Floyd's sampling, then a shuffle from the back. */
void tg_pcg64_choose(TgPcg64 *random, guint32 n, guint count, guint32 *chosen)
{
    for (guint i = 0; i < count; i++) {
        const guint32 last = n - count + i, drawn = pcg64_bounded(random, last);

        chosen[i] = pcg64_is_chosen(chosen, i, drawn) ? last : drawn;
    }
    for (guint i = count - 1; i > 0; i--) {
        const guint32 other = pcg64_bounded(random, i), kept = chosen[i];

        chosen[i] = chosen[other];
        chosen[other] = kept;
    }
}
