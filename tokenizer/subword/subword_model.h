/* A model folder: a byte-pair tokenizer and the vectors of its tokens. */
#pragma once

#include <texgauge/types.h>

#include "tokenizer/subword/bpe.h"

/* ---- .safetensors files: named arrays of numbers --------------------------------------------- */

/** An open file; constant, so any thread may read it. */
typedef struct TgSafetensors TgSafetensors;

/**
 * Read the header of a file, all of which is checked: every tensor must lie inside the file.
 *
 * @bytes: @len bytes, borrowed until tg_safetensors_free()
 *
 * Returns: (transfer full) the file, or NULL with TG_ERROR_INPUT
 */
TgSafetensors *tg_safetensors_open_bytes(const guint8 *bytes, gsize len, GError **error);

void tg_safetensors_free(TgSafetensors *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgSafetensors, tg_safetensors_free)

/**
 * A file that holds one matrix in half precision.
 *
 * @len: (out) its size
 *
 * Returns: (transfer full) the bytes of the file
 */
guint8 *tg_safetensors_write_f16(const char *name, const float *values, guint32 rows,
                                 guint32 columns, gsize *len);

/* ---- A table of vectors, one for each token or position, and distances between them ---------- */

/** Constant, so any thread may read it. */
typedef struct {
    guint32 rows, dim;
    const float *values;
    float *owned;    /* NULL when values is the file's */
    double *lengths; /* max(|row|, 1e-8) */
} TgEmbedding;

/**
 * Take the matrix @name of @file. A float32 matrix is used in place where the machine allows it, so
 * @file must live as long.
 *
 * Returns: (transfer full) the table, or NULL with TG_ERROR_INPUT: not there, not a matrix, not
 * F32, F16 or BF16, or a number that is not finite
 */
TgEmbedding *tg_embedding_new(const TgSafetensors *file, const char *name, GError **error);

/** A table of @rows vectors of @dim finite numbers, copied. */
TgEmbedding *tg_embedding_new_from_values(const float *values, guint32 rows, guint32 dim);

void tg_embedding_free(TgEmbedding *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgEmbedding, tg_embedding_free)

/** The vector of @row, borrowed. */
const float *tg_embedding_row(const TgEmbedding *table, guint32 row);

/**
 * 1 - a.b / (max(|a|, 1e-8) max(|b|, 1e-8)) of two rows, in [0, 2] but for rounding; sums in double
 * precision and a fixed order. A vector of zeros is at distance 1, also from itself.
 */
double tg_embedding_cosine_distance(const TgEmbedding *table, guint32 a, guint32 b);

/** Sum of |a_i - b_i| of two rows. */
double tg_embedding_l1_distance(const TgEmbedding *table, guint32 a, guint32 b);

/* ---- A model folder: a byte-pair tokenizer and the vectors of its tokens --------------------- */

/** Names of the tensors, as in GPT-2's file (there also after "transformer."). */
#define TG_TOKEN_TENSOR    "wte.weight"
#define TG_POSITION_TENSOR "wpe.weight"

/** The file of vectors in a model folder. */
#define TG_MODEL_FILE "model.safetensors"

/** A loaded model; constant, so any thread may read it. */
typedef struct {
    TgBpe *bpe;
    GMappedFile *map; /**< the bytes of @file */
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
