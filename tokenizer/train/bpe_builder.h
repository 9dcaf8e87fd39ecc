/* A tokenizer file from a corpus: splits texts into words, counts them, trains, writes the file. */
#pragma once

#include <texgauge/types.h>

#include "tokenizer/train/bpe_train.h"

/** Reads a corpus, one text after the other. */
typedef struct TgBpeBuilder TgBpeBuilder;

/** Names of the ways to split words, NULL-terminated; static. The first is the default. */
const char *const *tg_bpe_builder_kinds(void);

/**
 * @kind:
 *   "latex"       control words whole, runs of letters and of digits, other characters alone; bytes
 *                 represent characters that the corpus lacks
 *   "whitespace"  runs of word characters and of others (the TeXBLEU paper's tokenizer)
 *   "byte-level"  GPT-2's
 *   "metaspace"   words between spaces, as SentencePiece writes them
 *
 * Returns: (transfer full) the builder, or NULL with TG_ERROR_USAGE (no such kind)
 */
TgBpeBuilder *tg_bpe_builder_new(const char *kind, GError **error);
void tg_bpe_builder_free(TgBpeBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgBpeBuilder, tg_bpe_builder_free)

/** Count the words of one text. */
void tg_bpe_builder_add(TgBpeBuilder *builder, const char *text, gsize len);

/**
 * Train on what was added.
 *
 * Returns: (transfer full) the text of a tokenizer.json that Hugging Face's library loads too
 */
char *tg_bpe_builder_finish(const TgBpeBuilder *builder, const TgBpeTraining *how);
