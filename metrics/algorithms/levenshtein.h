/* Edit distances with unit costs, exact for any length. */
#pragma once

#include "core/arena.h"
#include "metrics/algorithms/sequence.h"

/**
 * The least number of substitutions, deletions and insertions that turn @a into @b.
 *
 * Time is the product of the lengths divided by 64, after a common start and end are taken off;
 * memory is linear and comes from @arena.
 */
guint32 tg_levenshtein(TgArena *arena, TgSequence a, TgSequence b);

#define TG_LEVENSHTEIN_MAX_LIMIT 8

/**
 * The distance where it is at most @limit, which is at most TG_LEVENSHTEIN_MAX_LIMIT; else a number
 * beyond it. Time is the length times the limit. Source: Ukkonen (1985), Algorithms for Approximate
 * String Matching, Information and Control 64.
 */
guint32 tg_levenshtein_within(TgSequence a, TgSequence b, guint32 limit);

/**
 * tg_levenshtein() with swaps of two neighbours, where no part is edited twice (optimal string
 * alignment): `ca` to `abc` takes 3.
 */
guint32 tg_osa(TgArena *arena, TgSequence a, TgSequence b);
