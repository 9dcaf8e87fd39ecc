/* What a metric that matches elements knows about one pair, in the form that users read. */
#pragma once

#include <texgauge/types.h>

#include "metrics/cdm/draw/drawing.h"

#define TG_CDM_NO_PARTNER G_MAXUINT

/** How many terms the cost of a match may have. */
#define TG_CDM_MAX_COSTS 8

/* Verdicts; a metric may have others of its own. Only TG_CDM_VERDICT_ACCEPTED counts for a score.
 */
#define TG_CDM_VERDICT_ACCEPTED    "accepted"    /**< has a partner, which is the same in place */
#define TG_CDM_VERDICT_MISPLACED   "misplaced"   /**< has a partner, but in another place */
#define TG_CDM_VERDICT_OTHER_TOKEN "other-token" /**< has a partner in place, another symbol */
#define TG_CDM_VERDICT_UNMATCHED   "unmatched"   /**< the other side has none left for it */
#define TG_CDM_VERDICT_NO_INK      "no-ink"      /**< nothing of it is seen, so it does not count */

/** One element of one side. Borrows everything. */
typedef struct {
    const char *token;
    guint32 start, end; /**< bytes of the user's string; both 0 where they are not known */
    gboolean has_ink;
    TgRect box;                     /**< when it has ink, in the side's picture */
    guint partner;                  /**< index into the other side's elements, or none */
    double costs[TG_CDM_MAX_COSTS]; /**< of the match with the partner, by term */
    const char *verdict;
} TgCdmElementDetail;

/** One side. Borrows everything. */
typedef struct {
    double width_px, height_px; /**< of its picture; 0 when nothing was drawn */
    const char *trouble;        /**< why nothing was drawn, or NULL */
    const char *note;           /**< what a reader should know of its elements, or NULL */
    const TgCdmElementDetail *elements;
    guint n_elements;
} TgCdmSideDetail;

/**
 * The detail of a pair; docs/reference/results.md describes it.
 *
 * @reference: which of the references was scored against, from 0
 * @cost_names: the terms of a match's cost, at most TG_CDM_MAX_COSTS, NULL last
 *
 * Returns: (transfer floating) an `a{sv}` that owns its content
 */
GVariant *tg_cdm_detail_new(guint reference, const TgCdmSideDetail *ref, const TgCdmSideDetail *hyp,
                            const char *const *cost_names);
