/* The cheapest way from one token list to another. */
#pragma once

#include <texgauge/types.h>

#include "metrics/forte/costs.h"

/** A slip that several edits are the traces of. */
typedef enum {
    TG_FORTE_SLIP_NONE,
    TG_FORTE_SLIP_SCRIPT,   /**< a whole script, or all of a symbol's, lost or added */
    TG_FORTE_SLIP_LINE,     /**< a script slid to the line, or what stands on the line was raised */
    TG_FORTE_SLIP_BRACKET,  /**< a bracket, or the end of a construct, is elsewhere */
    TG_FORTE_SLIP_EXCHANGE, /**< two symbols or sub-expressions exchanged */
    TG_FORTE_SLIP_FRACTION, /**< numerator and denominator exchanged */
    TG_FORTE_SLIP_SCRIPTS,  /**< sub- and superscript exchanged */
    TG_FORTE_SLIP_ROWS,     /**< two rows exchanged */
    TG_FORTE_SLIP_ROW,      /**< a row is elsewhere */
    TG_FORTE_SLIP_COLUMNS,  /**< two columns exchanged */
    TG_FORTE_SLIP_MOVE,     /**< a sub-expression is elsewhere */
    TG_N_FORTE_SLIPS,
} TgForteSlip;

/** One edit; names are those of the tokens at @ref and @hyp. */
typedef struct {
    double cost;  /**< before any discount */
    guint8 class; /**< TgForteEditClass */
    guint8 lost;  /**< 1: the reference has a token here */
    guint8 added; /**< 1: the hypothesis has one; both: a substitution */
    guint32 ref;  /**< position in the reference, or before which something was added */
    guint32 hyp;
    guint32 group;    /**< edits of one slip have one number, from 1; 0: an error by itself */
    guint8 slip;      /**< TgForteSlip of the group */
    guint32 parts[2]; /**< of rows or columns the two numbers, from 1; of what was exchanged or
                           moved how many tokens of the reference that it is, from the beginning and
                           from the end of the slip; else 0 */
    double rest;      /**< what further errors in the slip cost */
    double share;     /**< what this edit has of the slip's price */
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

/** The cost of the cheapest alignment of two ranges of tokens, whose product the caller bounds. */
double tg_forte_distance(const TgForteTables *tables, const TgForteToken *ref, guint32 n_ref,
                         const TgForteToken *hyp, guint32 n_hyp);
