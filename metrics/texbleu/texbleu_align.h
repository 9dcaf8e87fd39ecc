/* Pairing the tokens of two formulas for TeXBLEU: by place, or by an optimal alignment. */
#pragma once

#include <texgauge/env.h>

#include "metrics/texbleu/texbleu_score.h"

/** Marks the side that has no token in a column. */
#define TG_TEXBLEU_NONE (-1)

/** Two paired tokens, or one that has no partner. */
typedef struct {
    gint32 ref; /**< index into the reference's tokens, or TG_TEXBLEU_NONE */
    gint32 hyp;
} TgTexbleuColumn;

/** Pairs of sequences whose lengths multiply to more than this are not aligned. */
#define TG_TEXBLEU_MAX_CELLS ((gsize) 1 << 25)

/**
 * The alignment of least cost that keeps the order of both sides: a pair costs the distance of its
 * tokens without the positional term, a token without a partner costs @gap. Of equal ones, the one
 * that pairs rather than leaves out, then leaves out the reference's token, seen from the end.
 *
 * @n: (out) number of columns
 *
 * Returns: (transfer none) the columns from left to right, in memory of @env; NULL with @error set
 * to TG_ERROR_DATA when the texts are too long together
 */
const TgTexbleuColumn *tg_texbleu_align(TgEnv *env, const TgTexbleuRule *rule,
                                        const TgEmbedding *tokens, const guint32 *ref, guint n_ref,
                                        const guint32 *hyp, guint n_hyp, double gap, guint *n,
                                        GError **error);
