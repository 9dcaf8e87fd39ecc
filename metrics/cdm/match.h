/* Which elements of two drawings belong together: costs, and the cheapest assignment. */
#pragma once

#include "metrics/cdm/dialects/dialect.h"
#include "metrics/cdm/draw/drawing.h"

/* What a difference costs. The paper names the three terms; the numbers are the program's. */
#define TG_CDM_COST_OTHER_TOKEN 1.0  /**< different symbols */
#define TG_CDM_COST_POSITION    0.05 /**< weight of the position term */
#define TG_CDM_COST_ORDER       0.15 /**< weight of the order term */

/** One element of either side, assigned to each other, and what that cost. */
typedef struct {
    guint ref, hyp;  /**< indices into the two drawings */
    double token;    /**< 0, the dialect's cost of another name, or TG_CDM_COST_OTHER_TOKEN */
    double position; /**< mean difference of the box coordinates over the picture's size, 0..1 */
    double order;    /**< difference of the indices over the list's length, 0..1 */
} TgCdmMatch;

/**
 * Assign the elements of @ref and @hyp to each other at the least total cost, where a pair costs
 * token + 0.05 position + 0.15 order. The surplus of the longer side stays alone.
 *
 * @matches: (out) room for MIN(ref->n, hyp->n) pairs; they come in the order of @ref
 *
 * Returns: how many pairs there are: MIN(ref->n, hyp->n)
 *
 * Source: CDM (arXiv:2409.03643), section 4.2; UniMERNet/cdm at commit 5a2c80d.
 */
guint tg_cdm_match(const TgCdmDrawing *ref, const TgCdmDrawing *hyp, const TgCdmDialect *dialect,
                   TgCdmMatch *matches);
