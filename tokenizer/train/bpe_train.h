/* Training of byte-pair encoding from counted words. */
#pragma once

#include "tokenizer/subword/vocab.h"

/** How to train. */
typedef struct {
    guint vocab_size;   /**< stop at this many tokens */
    guint64 min_count;  /**< join no pair that occurs less often; at least 1 */
    guint max_alphabet; /**< keep the most frequent characters, this many; 0 for all */
    void (*progress)(guint done, guint wanted, gpointer data); /**< tokens so far; or NULL */
    gpointer progress_data;
} TgBpeTraining;

/** Words with their counts; each distinct word once. */
typedef struct TgWordCounts TgWordCounts;

/** Longer words are split into parts of at most this many bytes. */
#define TG_WORD_MAX 512

TgWordCounts *tg_word_counts_new(void);
void tg_word_counts_free(TgWordCounts *words);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgWordCounts, tg_word_counts_free)

/** Count the word @text @times more. */
void tg_word_counts_add(TgWordCounts *words, const char *text, gsize len, guint64 times);

/** One merge: the ids of two tokens and of what they become, in the order of joining. */
typedef struct {
    guint32 left;
    guint32 right;
    guint32 joined;
} TgBpeMerge;

/**
 * Learn a vocabulary: after what @vocab holds already (special tokens, an alphabet), the characters
 * of @words in the order of their code points, then one token for each step, which joins the
 * adjacent pair of the highest count (sum over words of count times occurrences, overlapping ones
 * counted each); a tie goes to the pair whose ids come first. Inside a word a pair is joined from
 * the left without overlap. The result does not depend on the order of the words.
 *
 * @vocab: ids must be 0 to n - 1; filled
 *
 * Returns: (transfer full) (element-type TgBpeMerge) the merges
 *
 * Source: Sennrich, Haddow and Birch (2016), Algorithm 1; pair counts kept up to date.
 */
GArray *tg_bpe_train(const TgWordCounts *words, const TgBpeTraining *how, TgVocab *vocab);
