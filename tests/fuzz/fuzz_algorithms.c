/*
 * Fuzz target: the bit-parallel distances against the table of dynamic programming. The input is
 * two sequences of bytes of which the first says how long the first sequence is.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

#include "metrics/algorithms/algorithms.h"

#define MAX_TOKENS 400 /* the table is quadratic; six words of 64 rows meet every carry */

/* The edit matrix as in the textbook: substitution 1, or 2 where it is not an operation. */
static guint32 plain_distance(TgSequence a, TgSequence b, guint32 substitution, gboolean swaps)
{
    g_autofree guint32 *table = g_new(guint32, (gsize) (a.n + 1) * (b.n + 1));
    const guint width = b.n + 1;

    for (guint i = 0; i <= a.n; i++) {
        for (guint j = 0; j <= b.n; j++) {
            guint32 *cell = &table[i * width + j];

            if (i == 0 || j == 0) {
                *cell = i + j;
                continue;
            }
            const guint32 cost = a.ids[i - 1] == b.ids[j - 1] ? 0 : substitution;
            *cell = MIN(MIN(cell[-1], *(cell - width)) + 1, *(cell - width - 1) + cost);
            if (swaps && i > 1 && j > 1 && a.ids[i - 1] == b.ids[j - 2] &&
                a.ids[i - 2] == b.ids[j - 1])
                *cell = MIN(*cell, *(cell - 2 * width - 2) + 1);
        }
    }
    return table[(gsize) (a.n + 1) * width - 1];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    guint32 ids[2 * MAX_TOKENS + 2];
    TgArena arena = { 0 };

    if (size < 2 || size > 2 * MAX_TOKENS)
        return 0;
    const guint first = MIN((guint) data[0] * 2, (guint) size - 2), rest = (guint) size - 2 - first;
    const guint32 bound = 1 + data[1] % 8; /* few different tokens give long common parts */
    for (guint i = 0; i < first + rest; i++)
        ids[i] = data[i + 2] % bound;

    const TgSequence a = { ids, first, bound }, b = { ids + first, rest, bound };
    g_assert_cmpuint(tg_levenshtein(&arena, a, b), ==, plain_distance(a, b, 1, FALSE));
    for (guint32 limit = 0; limit <= TG_LEVENSHTEIN_MAX_LIMIT; limit++)
        g_assert_cmpuint(tg_levenshtein_within(a, b, limit), ==,
                         MIN(plain_distance(a, b, 1, FALSE), limit + 1));
    g_assert_cmpuint(tg_osa(&arena, a, b), ==, plain_distance(a, b, 1, TRUE));
    g_assert_cmpuint(a.n + b.n - 2 * tg_lcs_length(&arena, a, b), ==,
                     plain_distance(a, b, 2, FALSE));
    tg_arena_clear(&arena);
    return 0;
}
