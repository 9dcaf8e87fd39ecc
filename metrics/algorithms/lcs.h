/* The longest common subsequence of two token sequences. */
#pragma once

#include "core/arena.h"
#include "metrics/algorithms/sequence.h"

/**
 * The length of the longest sequence of tokens that both hold in order, not necessarily side by
 * side. The distance with insertions and deletions only is a.n + b.n - 2 * length.
 *
 * Time is the product of the lengths divided by 64, memory is linear and comes from @arena.
 * Source: Hyyro (2004), Bit-parallel LCS-length computation revisited.
 */
guint32 tg_lcs_length(TgArena *arena, TgSequence a, TgSequence b);
