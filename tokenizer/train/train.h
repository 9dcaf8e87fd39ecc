/* Training of tokenizers and token embeddings from LaTeX text. */
#pragma once

#include <texgauge/types.h>

/**
 * Progress of a training.
 *
 * @stage: what is being done, for example "counting words"
 * @done, @wanted: how far it is, in units of the stage; @wanted is 0 where it is not known
 */
typedef void (*TgTrainProgress)(const char *stage, guint64 done, guint64 wanted, gpointer data);

/** The corpus, and a callback for progress. Zero it, set what differs; strings are borrowed. */
typedef struct {
    const char *const *corpus; /**< text files, one formula or sentence a line, NULL last; gzip and
                                    zstd are read too */
    const char *folder;        /**< the model folder to write to; made if it is not there */
    TgTrainProgress progress;  /**< or NULL */
    gpointer data;
} TgTrainInput;

/** How to train a tokenizer. */
typedef struct {
    const char *words;  /**< how words are split: one of tg_train_word_kinds() */
    guint vocab_size;   /**< stop at this many tokens */
    guint64 min_count;  /**< join no pair that occurs less often; at least 1 */
    guint max_alphabet; /**< keep only the most frequent characters; 0: all */
} TgTrainBpe;

/** How to train embeddings. */
typedef struct {
    guint dim;    /**< numbers per token */
    guint window; /**< neighbours on either side */
    guint rounds; /**< of iteration; more is more exact */
    guint64 seed;
} TgTrainEmbeddings;

/** Names of the ways to split words, NULL-terminated; static. The first is the default. */
const char *const *tg_train_word_kinds(void);

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
