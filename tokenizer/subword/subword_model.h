/* A model folder: a byte-pair tokenizer and the vectors of its tokens. */
#pragma once

#include "tokenizer/subword/bpe.h"
#include "tokenizer/subword/embedding.h"

/** Names of the tensors, as in GPT-2's file (there also behind "transformer."). */
#define TG_TOKEN_TENSOR    "wte.weight"
#define TG_POSITION_TENSOR "wpe.weight"

/** The file of vectors in a model folder. */
#define TG_MODEL_FILE "model.safetensors"

/** A loaded model; constant, so any thread may read it. */
typedef struct {
    TgBpe *bpe;
    TgSafetensors *file;
    TgEmbedding *tokens;    /**< a row for each id of the tokenizer, and perhaps more */
    TgEmbedding *positions; /**< a row for each place; NULL when the file has no such table */
} TgSubwordModel;

/**
 * Load a folder: tokenizer.json (or vocab.json and merges.txt) and model.safetensors.
 *
 * Returns: (transfer full) the model, or NULL with TG_ERROR_INPUT, also when the tokenizer has more
 * ids than the table has rows
 */
TgSubwordModel *tg_subword_model_load(const char *folder, GError **error);

void tg_subword_model_free(TgSubwordModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSubwordModel, tg_subword_model_free)
