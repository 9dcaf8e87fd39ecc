/* The cheapest way from one token list to another. */
#pragma once

#include <texgauge/types.h>

#include "metrics/forte/costs.h"

/** One edit; names are those of the tokens at @ref and @hyp. */
typedef struct {
    double cost;  /**< before any discount */
    guint8 class; /**< TgForteEditClass */
    guint8 lost;  /**< 1: the reference has a token here */
    guint8 added; /**< 1: the hypothesis has one; both: a substitution */
    guint32 ref;  /**< position in the reference, or before which something was added */
    guint32 hyp;
} TgForteEdit;

/** The largest product of two lengths that is aligned: a quarter of a byte each. */
#define TG_FORTE_MAX_CELLS ((gsize) 400 * 1000 * 1000)

/**
 * Align two lists of TgForteToken at least cost. Of several such alignments the one that, from the
 * end, prefers a substitution, then a loss; later ones must be better by more than 1e-9.
 *
 * @edits: of TgForteEdit; emptied, then filled from left to right
 * @distance: (out) sum of the costs
 *
 * Returns: TRUE, or FALSE with TG_ERROR_DATA: the two are longer than TG_FORTE_MAX_CELLS allows
 */
gboolean tg_forte_align(const TgForteTables *tables, const GArray *ref, const GArray *hyp,
                        GArray *edits, double *distance, GError **error);
