/* A table of vectors, one for each token or position, and distances between them. */
#pragma once

#include <texgauge/types.h>

#include "tokenizer/subword/safetensors.h"

/** Constant, so any thread may read it. */
typedef struct TgEmbedding TgEmbedding;

/**
 * Take the matrix @name of @file. A float32 matrix is used in place where the machine allows it, so
 * @file must live as long.
 *
 * Returns: (transfer full) the table, or NULL with TG_ERROR_INPUT (also for a number that is not
 * finite)
 */
TgEmbedding *tg_embedding_new(const TgSafetensors *file, const char *name, GError **error);

/** A table of @rows vectors of @dim finite numbers, copied. */
TgEmbedding *tg_embedding_new_from_values(const float *values, guint32 rows, guint32 dim);

void tg_embedding_free(TgEmbedding *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TgEmbedding, tg_embedding_free)

guint32 tg_embedding_rows(const TgEmbedding *table);
guint32 tg_embedding_dim(const TgEmbedding *table);

/** The vector of @row, borrowed. */
const float *tg_embedding_row(const TgEmbedding *table, guint32 row);

/**
 * 1 - a.b / (max(|a|, 1e-8) max(|b|, 1e-8)) of two rows, in [0, 2] but for rounding; sums in double
 * precision and a fixed order. A vector of zeros is at distance 1, also from itself.
 */
double tg_embedding_cosine_distance(const TgEmbedding *table, guint32 a, guint32 b);

/** Sum of |a_i - b_i| of two rows. */
double tg_embedding_l1_distance(const TgEmbedding *table, guint32 a, guint32 b);
