/* Distances, alignments, shared n-grams, assignment: numbers in, numbers out. */
#pragma once

#include <texgauge/tokens.h>

#include "core/arena.h"

/* ---- Token sequences ------------------------------------------------------------------------ */

typedef struct {
    const guint32 *ids;
    guint32 n;
    guint32 id_bound; /* every id is below */
} TgSequence;

static inline TgSequence tg_sequence(const TgTokens *tokens)
{
    guint n;
    const guint32 *ids = tg_tokens_ids(tokens, &n);

    return (TgSequence){ ids, n, tg_tokens_id_bound(tokens) };
}

/* ---- Edits with unit costs, exact for any length (edits.c) ---------------------------------- */

/**
 * The least number of substitutions, deletions and insertions that turn @a into @b.
 *
 * Time is the product of the lengths divided by 64, after a common start and end are taken off;
 * memory is linear and comes from @arena.
 */
guint32 tg_levenshtein(TgArena *arena, TgSequence a, TgSequence b);

#define TG_LEVENSHTEIN_MAX_LIMIT 8

/**
 * The distance where it is at most @limit, which is at most TG_LEVENSHTEIN_MAX_LIMIT; else a number
 * beyond it. Time is the length times the limit. Source: Ukkonen (1985), Algorithms for Approximate
 * String Matching, Information and Control 64.
 */
guint32 tg_levenshtein_within(TgSequence a, TgSequence b, guint32 limit);

/**
 * tg_levenshtein() with swaps of two neighbors, where no part is edited twice (optimal string
 * alignment): `ca` to `abc` takes 3.
 */
guint32 tg_osa(TgArena *arena, TgSequence a, TgSequence b);

/**
 * The length of the longest sequence of tokens that both hold in order, not necessarily side by
 * side. The distance with insertions and deletions only is a.n + b.n - 2 * length.
 *
 * Time is the product of the lengths divided by 64, memory is linear and comes from @arena.
 * Source: Hyyro (2004), Bit-parallel LCS-length computation revisited.
 */
guint32 tg_lcs_length(TgArena *arena, TgSequence a, TgSequence b);

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

/** The largest product of two lengths that metrics align: a few seconds. */
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

/* ---- Edits that have each their own cost (weighted.c) --------------------------------------- */

typedef enum {
    TG_STEP_CHANGE,   /**< an item of each side; they may be equal */
    TG_STEP_LOSS,     /**< an item of the reference alone */
    TG_STEP_ADDITION, /**< an item of the hypothesis alone */
} TgWeightedStep;

/** Two sequences and what edits cost. */
typedef struct {
    /** numbers of the reference's items, then of the hypothesis'; equal ones cost the same */
    const guint64 *items;
    const double *costs; /**< of losing or adding each item */
    guint32 n_ref, n_hyp;

    /** The cost of item @hyp in place of item @ref (indices); called once for each pair of
     * numbers. */
    double (*change)(gconstpointer data, guint32 ref, guint32 hyp);
    gconstpointer data;
    guint effort;     /**< of change(), in steps of tg_deadline_spend() */
    double tolerance; /**< a later way must be better by more than this */
} TgWeighted;

/**
 * Align at the least cost. Of several alignments the one that, from the end, prefers a change, then
 * a loss. Cells take a quarter of a byte; the caller bounds how many there are.
 *
 * @path: (out) n_ref + n_hyp bytes for the steps (TgWeightedStep) from left to right
 *
 * Returns: how many steps they are; 0 where the time was up
 */
guint32 tg_weighted_align(const TgWeighted *self, guint8 *path);

/* ---- Shared n-grams (ngram.c) --------------------------------------------------------------- */

/** The longest n-grams that are counted. */
#define TG_MAX_ORDER 16

typedef struct {
    guint64 key;   /* 0: free */
    guint32 count; /* in the reference at hand */
    guint32 limit; /**< the largest count in any one reference */
} TgNgramSlot;

/** Texts whose n-grams of one length have names: equal n-grams have one name. */
typedef struct {
    const TgSequence *texts; /**< references, then others */
    guint n_refs, n_texts;
    guint order;        /**< the length of the n-grams, 0 at first */
    guint32 **names;    /**< by text and place: the slots of the n-grams */
    TgNgramSlot *slots; /* open addressing, at most half full */
    guint32 n_slots;
    guint shift; /* takes the upper bits of a product as hash */
} TgNgrams;

/** @texts, which must stay, before the first tg_ngrams_lengthen(); memory is of @arena. */
TgNgrams tg_ngrams(TgArena *arena, const TgSequence *texts, guint n_refs, guint n_texts);

/** Go on to n-grams with one token more. */
void tg_ngrams_lengthen(TgNgrams *self);

/**
 * For n = 1 to @order, the sum over the hypothesis' distinct n-grams of the smaller of two counts:
 * in the hypothesis, and the largest in any one reference (clipping; Papineni et al. 2002).
 *
 * @refs: @n_refs sequences, at least one
 * @order: at most TG_MAX_ORDER
 * @matches: (out) @order numbers
 *
 * Time and memory (of @arena) are linear in the total length for each order; exact, whatever the
 * hashing does.
 */
void tg_ngram_matches(TgArena *arena, const TgSequence *refs, guint n_refs, TgSequence hyp,
                      guint order, guint32 *matches);

/** How many n-grams a sequence of @n_tokens has. */
static inline guint32 tg_ngram_total(guint32 n_tokens, guint n)
{
    return n_tokens >= n ? n_tokens - n + 1 : 0;
}

/* ---- Assignment (assignment.c) -------------------------------------------------------------- */

/** Marks a row that has no column. */
#define TG_UNASSIGNED G_MAXUINT

/**
 * Give min(@n_rows, @n_cols) rows a column each, no column twice, at the least total cost.
 *
 * @cost: shaped [n_rows][n_cols], finite numbers of any sign
 * @col_of_row: (out) n_rows entries; TG_UNASSIGNED for the rows left over
 *
 * Time is O(min^2 * max). Among solutions of equal cost the result is fixed, and it is the one that
 * scipy.optimize.linear_sum_assignment gives (1.10.1): the search visits columns in the same
 * order, prefers a free column on equal distance, and adds up costs in the same order.
 *
 * Source: the shortest augmenting path algorithm of Jonker and Volgenant (1987), Computing 38, for
 * rectangular problems as in Crouse (2016), IEEE Trans. Aerosp. Electron. Syst. 52(4), section III.
 */
void tg_assignment_solve(const double *cost, guint n_rows, guint n_cols, guint *col_of_row);
