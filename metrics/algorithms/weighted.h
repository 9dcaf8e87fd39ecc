/* The cheapest way from one sequence to another, where every edit has its own cost. */
#pragma once

#include <glib.h>

typedef enum {
    TG_STEP_CHANGE,   /**< an item of each side; they may be equal */
    TG_STEP_LOSS,     /**< an item of the reference alone */
    TG_STEP_ADDITION, /**< an item of the hypothesis alone */
} TgWeightedStep;

/** Two sequences and what edits cost. */
typedef struct {
    const guint64 *ref, *hyp; /**< items with the same number cost the same */
    guint32 n_ref, n_hyp;
    const double *losses, *additions; /**< costs of the items */

    /** What item @hyp costs for item @ref (places): asked once for each pair of numbers. */
    double (*change)(gconstpointer data, guint32 ref, guint32 hyp);
    gconstpointer data;
    guint effort;     /**< of change(), in steps of tg_too_long() */
    double tolerance; /**< a later way must be better by more than this */
} TgWeighted;

/**
 * The least cost. Of several alignments the one that, from the end, prefers a change, then a loss.
 * Cells take a quarter of a byte; the caller bounds how many there are.
 *
 * @path: (out, may be NULL) n_ref + n_hyp bytes for the steps (TgWeightedStep) from left to right
 * @n_path: (out) how many they are; 0 where the time was up
 */
double tg_weighted_align(const TgWeighted *self, guint8 *path, guint32 *n_path);
