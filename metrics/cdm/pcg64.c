/* numpy's PCG64 and the two draws of it that the official sampler needs. */
#include "metrics/cdm/pcg64.h"

__extension__ typedef unsigned __int128 Uint128;

static Uint128 join_halves(guint64 high, guint64 low)
{
    return (Uint128) high << 64 | low;
}

void tg_pcg64_init_42(TgPcg64 *random)
{
    *random = (TgPcg64){
        .state_high = G_GUINT64_CONSTANT(0xcea44f6798798f2a),
        .state_low = G_GUINT64_CONSTANT(0xacbc7c9d68860ac8),
    };
}

static guint64 pcg64_next64(TgPcg64 *random)
{
    const Uint128 multiplier =
        join_halves(G_GUINT64_CONSTANT(0x2360ed051fc65da4), G_GUINT64_CONSTANT(0x4385df649fccf645));
    const Uint128 increment = /* goes with seed 42 */
        join_halves(G_GUINT64_CONSTANT(0xfa505436c9a8416e), G_GUINT64_CONSTANT(0x66caf2e28d25abff));
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

guint32 tg_pcg64_bounded(TgPcg64 *random, guint32 max)
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

/* Floyd's sampling, then a shuffle; for two numbers the shuffle is one draw. */
void tg_pcg64_choose_two(TgPcg64 *random, guint32 n, guint32 chosen[2])
{
    const guint32 first = tg_pcg64_bounded(random, n - 2);
    guint32 second = tg_pcg64_bounded(random, n - 1);

    if (second == first)
        second = n - 1;
    const gboolean swap = tg_pcg64_bounded(random, 1) == 0;
    chosen[0] = swap ? second : first;
    chosen[1] = swap ? first : second;
}
