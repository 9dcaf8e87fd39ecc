/* Token embeddings from a corpus: tokens that are used in the same way lie close together. */
#pragma once

#include <glib.h>

/** How to train. */
typedef struct {
    guint dim;      /**< numbers per token */
    guint window;   /**< neighbours counted on either side; nearer ones count more */
    guint n_rounds; /**< of subspace iteration */
    guint64 seed;
    void (*progress)(guint done, guint wanted, gpointer data); /**< or NULL */
    gpointer progress_data;
} TgEmbeddingTraining;

/** Counts how often tokens occur near each other. */
typedef struct TgCooccurrences TgCooccurrences;

/** @n_tokens: ids are below this */
TgCooccurrences *tg_cooccurrences_new(guint32 n_tokens, guint window);
void tg_cooccurrences_free(TgCooccurrences *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgCooccurrences, tg_cooccurrences_free)

/** Count one sequence of tokens. A pair at distance d counts window + 1 - d. */
void tg_cooccurrences_add(TgCooccurrences *counts, const guint32 *ids, gsize n);

/**
 * Learn embeddings: positive pointwise mutual information of tokens with their left and their right
 * neighbours, context counts smoothed by the power 3/4, reduced by singular value decomposition;
 * rows are scaled to length 1. A token without neighbours gets a random direction of its own, so it
 * equals itself and resembles nothing.
 *
 * @table: (out) [n_tokens][dim]
 *
 * The result depends on the counts and @how alone: not on machine, compiler or C library.
 *
 * Source: Levy, Goldberg and Dagan (2015), Improving Distributional Similarity with Lessons Learned
 * from Word Embeddings (PPMI, context distribution smoothing, eigenvalue weighting).
 */
void tg_embedding_train(const TgCooccurrences *counts, const TgEmbeddingTraining *how,
                        float *table);
