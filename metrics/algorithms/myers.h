/*
 * One step of the bit-parallel edit matrix: 64 rows of one column.
 *
 * The matrix holds D[i][j], the distance of the first i tokens of one sequence (rows) and the
 * first j of the other (columns). Neighbours differ by -1, 0 or 1, so a column is kept as two bits
 * a row, and a word holds 64 rows of it.
 *
 * Source: Myers (1999), A fast bit-vector algorithm for approximate string matching, in the form
 * of Hyyro (2003), A bit-vector algorithm for computing Levenshtein and Damerau edit distances.
 */
#pragma once

#include <glib.h>

/** The innermost loops: inlined whatever compilers think, with @transpose known. */
#define TG_MYERS_INLINE inline __attribute__((always_inline))

/** 64 rows of the latest column. */
typedef struct {
    guint64 plus;  /**< bit i: D[i][j] = D[i-1][j] + 1 */
    guint64 minus; /**< bit i: D[i][j] = D[i-1][j] - 1 */
    guint64 zero;  /**< bit i: D[i][j] = D[i-1][j-1], no cost along the diagonal */
    guint64 equal; /**< bit i: the token of row i is that of the column */
} TgMyersBlock;

/** Column 0, where D[i][0] = i. */
#define TG_MYERS_START ((TgMyersBlock){ .plus = ~G_GUINT64_CONSTANT(0) })

/** What one block hands to the block below it: one bit each, about the row between them. */
typedef struct {
    guint64 not_plus; /**< clear: D[i][j] = D[i][j-1] + 1 */
    guint64 minus;    /**< set: D[i][j] = D[i][j-1] - 1 */
    guint64 swap;     /**< set: a transposition may end in the row below */
} TgMyersCarry;

/** Above the first row, where D[0][j] = j. */
#define TG_MYERS_TOP ((TgMyersCarry){ 0 })

/**
 * Move a block to the next column.
 *
 * @equal: bit i is set where the token of row i is that of the new column
 * @above: what the block above gave for the same column
 * @transpose: whether swapping two neighbours costs 1 (optimal string alignment); constant
 *
 * The loop is as fast as the chain of operations from one column's `plus` to the next is short, so
 * the differences along the row are kept as `not_plus`, which takes seven of them.
 */
static TG_MYERS_INLINE TgMyersCarry tg_myers_step(TgMyersBlock *block, guint64 equal,
                                                  TgMyersCarry above, gboolean transpose)
{
    const guint64 eq = equal | above.minus;
    const guint64 sum = (eq & block->plus) + block->plus;
    const guint64 level = eq | block->minus;
    guint64 zero = (sum ^ block->plus) | level;
    guint64 not_plus = (sum | block->plus | level) & ~block->minus;
    TgMyersCarry below = { 0 };

    if (transpose) {
        const guint64 half = ~block->zero & equal;
        const guint64 swapped = (half << 1 | above.swap) & block->equal;

        zero |= swapped;
        not_plus |= swapped & ~block->minus;
        below.swap = half >> 63;
        block->equal = equal;
    }

    const guint64 minus = block->plus & zero;
    const guint64 not_plus_down = (not_plus << 1) + above.not_plus;
    const guint64 minus_down = (minus << 1) + above.minus;

    below.not_plus = not_plus >> 63;
    below.minus = minus >> 63;
    block->plus = minus_down | (~zero & not_plus_down);
    block->minus = zero & ~not_plus_down;
    block->zero = zero;
    return below;
}
