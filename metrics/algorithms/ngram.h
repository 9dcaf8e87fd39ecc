/* Counts of n-grams that a hypothesis shares with its references. */
#pragma once

#include "core/arena.h"
#include "metrics/algorithms/sequence.h"

/** The longest n-grams that are counted. */
#define TG_MAX_ORDER 16

/**
 * For n = 1 to @order, the sum over the hypothesis' distinct n-grams of the smaller of two counts:
 * in the hypothesis, and the largest in any one reference (clipping; Papineni et al. 2002).
 *
 * @refs: @n_refs sequences, at least one
 * @order: at most TG_MAX_ORDER
 * @matches: (out) @order numbers
 *
 * Time and memory (of @arena) are linear in the total length for each order; exact, whatever the
 * hashing does.
 */
void tg_ngram_matches(TgArena *arena, const TgSequence *refs, guint n_refs, TgSequence hyp,
                      guint order, guint32 *matches);

/** How many n-grams a sequence of @n_tokens has. */
static inline guint32 tg_ngram_total(guint32 n_tokens, guint n)
{
    return n_tokens >= n ? n_tokens - n + 1 : 0;
}
