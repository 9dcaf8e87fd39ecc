/* The longest common subsequence: the matrix in blocks of 64 rows, one bit a cell. */
#include "metrics/algorithms/lcs.h"

#include "core/deadline.h"

#define BLOCK 64

/*
 * Take a block of rows from the first column to the last. A row's bit is cleared where the length
 * grows by one from the row above; the rows of a column are added as one long number, whose carry
 * out of the block is kept in @carry, one bit a column, for the block below.
 */
static guint64 run_block(const guint64 *equal, TgSequence columns, guint64 *carry)
{
    guint64 rows = ~G_GUINT64_CONSTANT(0);

    for (guint32 from = 0; from < columns.n; from += BLOCK, carry++) {
        const guint32 n = MIN(columns.n - from, BLOCK);
        guint64 out = 0;

        for (guint32 j = 0; j < n; j++) {
            const guint64 matches = rows & equal[columns.ids[from + j]];
            const guint64 in = *carry >> j & 1;
            const guint64 sum = rows + matches;
            const guint64 whole = sum + in;

            out |= (guint64) (sum < rows || whole < sum) << j;
            rows = whole | (rows - matches);
        }
        *carry = out;
    }
    return rows;
}

guint32 tg_lcs_length(TgArena *arena, TgSequence a, TgSequence b)
{
    const guint32 untrimmed = a.n;

    tg_sequence_trim_end(&a, &b);
    tg_sequence_trim_start(&a, &b);
    guint32 length = untrimmed - a.n;
    if (a.n == 0 || b.n == 0)
        return length;

    guint64 *equal = tg_arena_alloc(arena, sizeof *equal * MAX(a.id_bound, b.id_bound));
    guint64 *carry = tg_arena_alloc(arena, sizeof *carry * (b.n / BLOCK + 1));
    for (guint32 i = 0; i <= b.n / BLOCK; i++)
        carry[i] = 0;
    for (guint32 i = 0; i < a.n; i++)
        equal[a.ids[i]] = 0;
    for (guint32 i = 0; i < b.n; i++)
        equal[b.ids[i]] = 0;

    for (guint32 from = 0; from < a.n && !tg_too_long(b.n / 4); from += BLOCK) {
        const guint32 n = MIN(a.n - from, BLOCK);

        for (guint32 i = 0; i < n; i++)
            equal[a.ids[from + i]] |= G_GUINT64_CONSTANT(1) << i;
        /* Rows beyond the last have no matches, so their bits stay set. */
        length += (guint32) __builtin_popcountll(~run_block(equal, b, carry));
        for (guint32 i = 0; i < n; i++)
            equal[a.ids[from + i]] = 0;
    }
    return length;
}
