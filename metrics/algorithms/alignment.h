/* Which edits turn one token sequence into another: one best alignment, and always the same. */
#pragma once

#include "core/arena.h"
#include "metrics/algorithms/sequence.h"

typedef enum {
    TG_EDIT_SUBSTITUTE, /**< token @ref became token @hyp */
    TG_EDIT_DELETE,     /**< token @ref is missing, before token @hyp */
    TG_EDIT_INSERT,     /**< token @hyp is too much, before token @ref */
} TgEditKind;

#define TG_N_EDIT_KINDS 3

typedef struct {
    TgEditKind kind;
    guint32 ref; /**< position in the reference, from 0; its length where it has ended */
    guint32 hyp; /**< position in the hypothesis */
} TgEdit;

/** Edits from left to right; as many as the Levenshtein distance. */
typedef struct {
    const TgEdit *edits; /* in the arena */
    guint32 n;
} TgAlignment;

/** What metrics align at most, tokens by tokens: a few seconds. */
#define TG_ALIGN_MAX_CELLS ((guint64) 1 << 33)

/**
 * Align @hyp with @ref with the least number of edits. Among the best alignments this is the one
 * found by walking back from the end and taking, at each cell, equal tokens if there are, else a
 * substitution where it is best, else a deletion, else an insertion.
 *
 * Memory is bounded for any length: parts of the matrix that would not fit are made again when the
 * walk arrives there.
 */
TgAlignment tg_align(TgArena *arena, TgSequence ref, TgSequence hyp);
