/* Training of tokenizers and token embeddings from LaTeX text. */
#pragma once

#include <texgauge/types.h>

#include "core/pipeline.h"
#include "core/vocab.h"

/* ---- Training of tokenizers and token embeddings from LaTeX text ----------------------------- */

/** The corpus, and a listener. Zero it, set what differs; strings are borrowed. */
typedef struct {
    const char *const *corpus; /**< text files, one formula or sentence a line, NULL last; gzip and
                                    zstd are read too */
    const char *folder;        /**< the model folder to write to; made if it is not there */
    TgListener listener;       /**< told how far the training is */
} TgTrainInput;

typedef struct {
    const char *words;  /**< how words are split: "latex", "byte-level" .. */
    guint vocab_size;   /**< stop at this many tokens */
    guint64 min_count;  /**< join no pair that occurs less often; at least 1 */
    guint max_alphabet; /**< keep only the most frequent characters; 0: all */
} TgTrainBpe;

/** How to train embeddings. */
typedef struct {
    guint dim;    /**< numbers per token */
    guint window; /**< neighbors on either side */
    guint rounds; /**< of iteration; more is more exact */
    guint64 seed;
} TgTrainEmbeddings;

/**
 * Learn a byte-pair tokenizer; writes tokenizer.json (which Hugging Face's library loads too) and
 * manifest.json (corpus with sha256, options) into the folder. The same corpus and options give the
 * same bytes on every machine.
 *
 * Returns: TRUE, or FALSE with @error set to
 *   TG_ERROR_USAGE   no such kind of words, a size out of range
 *   TG_ERROR_INPUT   a file that cannot be read, a line that is not UTF-8
 *   TG_ERROR_OUTPUT  the folder cannot be written to
 *
 * Source: Sennrich, Haddow and Birch (2016), Neural Machine Translation of Rare Words with Subword
 * Units.
 */
gboolean tg_train_bpe(const TgTrainInput *input, const TgTrainBpe *how, GError **error);

/**
 * Learn embeddings of the tokens of the folder's tokenizer; writes model.safetensors (half
 * precision) and adds to manifest.json. The same input gives the same bytes on every machine.
 *
 * Returns: as tg_train_bpe()
 *
 * Source: Levy, Goldberg and Dagan (2015), Improving Distributional Similarity with Lessons Learned
 * from Word Embeddings (PPMI and singular value decomposition).
 */
gboolean tg_train_embeddings(const TgTrainInput *input, const TgTrainEmbeddings *how,
                             GError **error);

/* ---- Training of byte-pair encoding from counted words --------------------------------------- */

/** Longer words are split into parts of at most this many bytes. */
#define TG_WORD_MAX ((gsize) 512)

/** Count a word @times more: its count is its value in @words. */
void tg_word_counts_add(TgVocab *words, const char *text, gsize len, guint64 times);

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
 * @words: with their counts as values
 * @listener: told of the progress; or NULL
 * @vocab: ids must be 0 to n - 1; filled
 *
 * Returns: (transfer full) (element-type TgBpeMerge) the merges
 *
 * Source: Sennrich, Haddow and Birch (2016), Algorithm 1; pair counts kept up to date.
 */
GArray *tg_bpe_train(const TgVocab *words, const TgTrainBpe *how, const TgListener *listener,
                     TgVocab *vocab);

/* ---- Truncated singular value decomposition of a sparse matrix, the same to the bit anywhere ---
 */

/** A sparse matrix by rows (CSR): row i has the entries start[i] to start[i + 1]. */
typedef struct {
    guint32 n_rows;
    guint32 n_columns;
    gsize *start;    /**< n_rows + 1 */
    guint32 *column; /**< of each entry, increasing inside a row */
    float *value;
} TgSparse;

/**
 * The @rank largest singular values of @matrix and their left singular vectors, by subspace
 * iteration from a random start and a Rayleigh-Ritz step.
 *
 * Only + - * / and square root are used, in a fixed order, so the result depends on the arguments
 * alone: neither on compiler, C library nor threads. (The build forbids fused multiply-add.)
 *
 * @rank: at most the number of rows and of columns
 * @vectors: (out) [n_rows][rank], each column of length 1 whose largest entry is positive
 * @values: (out) [rank], decreasing
 *
 * Source: Halko, Martinsson and Tropp (2011), Finding Structure with Randomness, algorithm 4.4.
 */
void tg_svd_left(const TgSparse *matrix, guint rank, guint n_rounds, guint64 seed,
                 const TgListener *listener, double *vectors, double *values);

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations.
 *
 * @a: [n][n], destroyed
 * @vectors: (out) [n][n], column j is the eigenvector of values[j]
 * @values: (out) [n], decreasing
 */
void tg_symmetric_eigen(double *a, guint n, double *vectors, double *values);

/* ---- Token embeddings: tokens that are used in the same way lie close together --------------- */

/** How often tokens occur near each other. */
typedef struct {
    guint32 n_tokens; /**< ids are below */
    guint window;     /**< neighbors on either side */
    TgVocab *right;   /**< a token and one after it, to their weight */
} TgCooccurrences;

/** Count one sequence of tokens. A pair at distance d counts window + 1 - d. */
void tg_cooccurrences_add(TgCooccurrences *counts, const guint32 *ids, gsize n);

/**
 * Learn embeddings: positive pointwise mutual information of tokens with their left and their right
 * neighbors, context counts smoothed by the power 3/4, reduced by singular value decomposition;
 * rows are scaled to length 1. A token without neighbors gets a random direction of its own, so it
 * equals itself and resembles nothing.
 *
 * @table: (out) [n_tokens][dim]
 *
 * The result depends on the counts and @how alone: not on machine, compiler or C library.
 *
 * Source: Levy, Goldberg and Dagan (2015), Improving Distributional Similarity with Lessons Learned
 * from Word Embeddings (PPMI, context distribution smoothing, eigenvalue weighting).
 */
void tg_embedding_train(const TgCooccurrences *counts, const TgTrainEmbeddings *how,
                        const TgListener *listener, float *table);
