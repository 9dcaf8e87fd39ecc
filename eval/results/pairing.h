/* Which pairs of two models belong together? */
#pragma once

#include "eval/results/table.h"

/** Rows of two models that are about the same formula. */
typedef struct {
    guint32 *a; /**< [n] rows of the one model, in its order */
    guint32 *b; /**< [n] the row of the other model for each */
    guint n;
    guint n_only_a; /**< rows of the one that the other lacks */
    guint n_only_b;
} TgPairing;

/**
 * Pair the rows of two models: those with the same subset and id, the k-th of several of one id
 * with the k-th; rows without id by their order within the subset.
 *
 * @pairing: (out) to be cleared, also after an error
 *
 * Returns: FALSE with TG_ERROR_INPUT: two rows that belong together have different truths
 */
gboolean tg_pairing_init(TgPairing *pairing, const TgTable *table, guint model_a, guint model_b,
                         GError **error);
void tg_pairing_clear(TgPairing *pairing);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TgPairing, tg_pairing_clear)
