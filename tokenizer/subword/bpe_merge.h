/* The merging of byte-pair encoding: one word's symbols joined by rank. */
#pragma once

#include "tokenizer/subword/pair_table.h"

/** One symbol of a word: a token so far. */
typedef struct {
    guint32 id;
    guint32 len; /**< bytes of the word it covers; 0 once it is joined to the one before it */
    gint32 prev; /**< index of its neighbours, -1 at the ends */
    gint32 next;
} TgBpeSymbol;

/** Buffers for merging, reused for every word; for one thread. */
typedef struct {
    GArray *symbols; /**< TgBpeSymbol: filled by the caller, in order */
    GArray *queue;   /* private */
} TgBpeWord;

void tg_bpe_word_init(TgBpeWord *word);
void tg_bpe_word_clear(TgBpeWord *word);

/** Remove all symbols. */
void tg_bpe_word_reset(TgBpeWord *word);

/** Append a symbol. */
void tg_bpe_word_add(TgBpeWord *word, guint32 id, guint32 len);

/** The value of a merge table: rank (low is first) and the id that the pair becomes. */
static inline guint64 tg_bpe_merge_value(guint32 rank, guint32 id)
{
    return (guint64) rank << 32 | id;
}

/**
 * Join the adjacent pair of the lowest rank, the leftmost on a tie, until no pair is in @merges.
 * The result is the list from symbol 0 along `next`. Time O(n log n) in the number of symbols.
 *
 * @merges: tg_pair_key() of two ids to tg_bpe_merge_value()
 *
 * Source: Sennrich, Haddow and Birch (2016), Neural Machine Translation of Rare Words.
 */
void tg_bpe_word_merge(TgBpeWord *word, const TgPairTable *merges);
