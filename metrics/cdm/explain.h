/* How CDM came to its score of one pair: every element with its partner and verdict. */
#pragma once

#include "metrics/cdm/draw/formula.h"
#include "metrics/cdm/ransac.h"

/** A formula and the user's string. */
typedef struct {
    const TgCdmFormula *formula;
    const char *latex;
} TgCdmSide;

/**
 * Compare two formulas once more and keep all that the score leaves out.
 *
 * @reference: which of the truths @truth is, from 0
 *
 * Returns: (transfer floating) the detail, see metrics/cdm/detail.h; the terms of a cost are
 * "token", "position" and "order" as in TgCdmMatch
 */
GVariant *tg_cdm_explain(guint reference, TgCdmSide truth, TgCdmSide prediction,
                         TgCdmRansac method);
